"""Donates through the agent while SIGKILL ends it at random moments; then looks for what it acknowledged.

usage: kills.py COUNT HUNCH    HUNCH: the command, which lets the scripts donate and exports what is there
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import dbus

AGENT, ROOT = "org.hunch.Agent1", "/org/hunch/Agent1"
# So many kills between two looks at the whole history.
SPAN = 100
# Of one app no more is kept than this script donates in a span.
SCRIPTS = 20


def killer(process, delay, ended):
    time.sleep(delay)
    os.kill(process, signal.SIGKILL)
    ended.set()


def donate_until_killed(bus, script, round_, acknowledged):
    """Donates batches of different sizes until the agent is gone; notes what it said to be on disk."""
    agent = bus.call_blocking("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                              "GetConnectionUnixProcessID", "s", (AGENT,))
    ended = threading.Event()
    # From the first moment on: how often the agent dies before, within and after a transaction is up to chance.
    thread = threading.Thread(target=killer, args=(agent, random.uniform(0, 0.06), ended))
    thread.start()
    number = 0
    while True:
        names = [f"{round_}-{number + i}" for i in range(random.choice((1, 1, 3, 20, 60)))]
        number += len(names)
        items = dbus.Array([
            {"app": f"script:{script}", "kind": "playMedia", "id": name,
             "parameters": dbus.Dictionary({"item": f"episode {random.randrange(500)}"}, signature="ss")}
            for name in names], signature="a{sv}")
        try:
            # Not started again meanwhile: that is the next round's.
            message = dbus.lowlevel.MethodCallMessage(AGENT, ROOT, "org.hunch.Donations1", "Donate")
            message.set_auto_start(False)
            message.append(items, signature="aa{sv}")
            results = bus.send_message_with_reply_and_block(message, 30).get_args_list()[0]
        except dbus.DBusException:
            if not ended.wait(30):
                raise
            break
        acknowledged += [name for name, result in zip(names, results) if result["accepted"]]
    thread.join()


def recorded(hunch):
    lines = subprocess.run([hunch, "export"], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    return [row["identifier"] for row in rows if row["type"] == "donation"]


def main(count, hunch):
    random.seed(1)
    subprocess.run([hunch, "enable"], check=True, capture_output=True)
    for script in range(SCRIPTS):
        subprocess.run([hunch, "allow", f"kill{script}"], check=True)
    bus = dbus.SessionBus()
    acknowledged = []
    lost = doubled = damaged = 0
    for done in range(1, count + 1):
        bus.call_blocking("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                          "StartServiceByName", "su", (AGENT, 0))
        donate_until_killed(bus, f"kill{done % SCRIPTS}", done, acknowledged)
        if done % SPAN == 0 or done == count:
            found = recorded(hunch)
            lost = len(set(acknowledged) - set(found))
            doubled = len(found) - len(set(found))
            names = os.listdir(os.path.join(os.environ["XDG_STATE_HOME"], "hunch"))
            damaged = sum("corrupt" in name for name in names)
            if lost or doubled or damaged:
                break
    print(f"kills: {done} times SIGKILL while donating: of {len(acknowledged)} acknowledged donations {lost} lost, "
          f"{doubled} doubled; {damaged} files damaged (goals: 0)")
    return lost + doubled + damaged > 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2]))

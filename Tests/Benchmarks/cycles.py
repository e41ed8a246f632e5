"""Connects and disconnects a headset over and over, as BlueZ, as an app with content and as the notification server.

usage: cycles.py latency|soak|later|rows COUNT SETTLE CLOCK AGENT

COUNT times the headset connects, its offer is shown, and it disconnects; of every ten offers one is taken, so that Hunch
does not fall silent. SETTLE is the agent's settle time in milliseconds, CLOCK the file by which its day is ahead, AGENT its
process. Prints how long it took from the connect to the notification, less the settle time and the app's own time, as p50,
p99 and longest in milliseconds; or what the agent holds in the course of it; or, without connecting anything, how many rows
there are after COUNT cycles. "later" lets 30 hours pass.
"""

import glob
import os
import sqlite3
import struct
import sys
import time

import dbus
import dbus.lowlevel
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

ADDRESS, DEVICE = "00:11:22:33:44:55", "/org/bluez/hci0/dev_00_11_22_33_44_55"
DEVICE1, MANAGER, PROPERTIES = "org.bluez.Device1", "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
CONTENT, NOTIFICATIONS = "org.hunch.PlayableContent1", "org.freedesktop.Notifications"


class BlueZ(dbus.service.Object):
    connected = False

    def device(self):
        services = ["0000110b-0000-1000-8000-00805f9b34fb"]
        return {"Address": ADDRESS, "Alias": "WH", "Icon": "audio-headset", "Class": dbus.UInt32(0x240404),
                "UUIDs": dbus.Array(services, signature="s"), "Connected": dbus.Boolean(self.connected)}

    @dbus.service.method(MANAGER, out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return {DEVICE: {DEVICE1: self.device()}}

    def set(self, connected):
        self.connected = connected
        signal = dbus.lowlevel.SignalMessage(DEVICE, PROPERTIES, "PropertiesChanged")
        signal.append(DEVICE1, {"Connected": dbus.Boolean(connected)}, [], signature="sa{sv}as")
        self.connection.send_message(signal)
        self.connection.flush()


class App(dbus.service.Object):
    spent = 0.0

    @dbus.service.method(CONTENT, in_signature="asa{sv}", out_signature="a{sv}")
    def InitializePlaybackQueue(self, items, context):
        start = time.monotonic()
        answer = {"xesam:title": "Episode 41", "item": "41"}
        self.spent = time.monotonic() - start
        return answer

    @dbus.service.method(CONTENT, in_signature="sa{sv}")
    def InitiatePlayback(self, item, options):
        pass

    @dbus.service.method(CONTENT, in_signature="a{sv}")
    def UpdateContext(self, context):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return dbus.Array([], signature="s")


class Server(dbus.service.Object):
    shown = closed = None
    number = 0

    @dbus.service.method(NOTIFICATIONS, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        arrival = time.monotonic()
        self.number = replaces or self.number + 1
        self.shown(arrival)
        return dbus.UInt32(self.number)

    @dbus.service.method(NOTIFICATIONS, in_signature="u")
    def CloseNotification(self, number):
        self.NotificationClosed(number, 3)
        self.closed()

    @dbus.service.method(NOTIFICATIONS, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body"]

    @dbus.service.method(NOTIFICATIONS, out_signature="ssss")
    def GetServerInformation(self):
        return "bench", "hunch", "1", "1.2"

    @dbus.service.signal(NOTIFICATIONS, signature="us")
    def ActionInvoked(self, number, key):
        pass

    @dbus.service.signal(NOTIFICATIONS, signature="uu")
    def NotificationClosed(self, number, reason):
        pass


class Holdings:
    """What the agent holds that could grow without end."""

    def __init__(self, agent, session, system):
        self.agent, self.buses = agent, (session, system)

    def rules(self):
        count = 0
        for bus in self.buses:
            daemon = bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus")
            for owner, rules in daemon.GetAllMatchRules(dbus_interface="org.freedesktop.DBus.Debug.Stats").items():
                if daemon.GetConnectionUnixProcessID(owner, dbus_interface="org.freedesktop.DBus") == self.agent:
                    count += len(rules)
        return count

    def rows(self):
        file = os.path.join(os.environ["XDG_STATE_HOME"], "hunch", "history.sqlite")
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as store:
            tables = [name for name, in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return sum(store.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in tables)

    def kilobytes(self):
        with open(f"/proc/{self.agent}/smaps_rollup") as lines:
            return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:"))

    def look(self):
        return (self.kilobytes(), len(glob.glob(f"/proc/{self.agent}/fd/*")), self.rules(), self.rows())


class Cycles:
    def __init__(self, mode, count, settle, clock, agent):
        self.mode, self.count, self.settle = mode, count, settle
        self.clock = os.open(clock, os.O_WRONLY)
        self.loop = GLib.MainLoop()
        session, system = dbus.SessionBus(), dbus.SystemBus()
        self.bluez, self.app, self.server = BlueZ(system, "/"), App(session, "/org/example/Bench"), Server(
            session, "/org/freedesktop/Notifications")
        self.names = [dbus.service.BusName(*pair) for pair in [
            ("org.bluez", system), ("org.example.Bench", session), (NOTIFICATIONS, session)]]
        self.server.shown, self.server.closed = self.shown, self.closed
        self.holdings = Holdings(agent, session, system)
        self.done, self.times, self.looks, self.took = 0, [], [], False

    def run(self):
        GLib.timeout_add(1000, self.connect)
        GLib.timeout_add_seconds(5, self.watch)
        self.loop.run()
        self.bluez.set(False)

    def watch(self):
        if self.done == getattr(self, "seen", None):
            sys.exit(f"cycles: after {self.done} cycles nothing happened for 5 seconds")
        self.seen = self.done
        return True

    def connect(self):
        # An hour later, so that there may be another offer.
        os.pwrite(self.clock, struct.pack("d", 3_700.0 * (self.done + 1)), 0)
        self.took = False
        self.start = time.monotonic()
        self.bluez.set(True)
        return False

    def shown(self, arrival):
        self.times.append(arrival - self.start - self.settle / 1000 - self.app.spent)
        if self.done % 10 == 0:
            self.took = True
            GLib.idle_add(self.server.ActionInvoked, self.server.number, "play")
        else:
            GLib.idle_add(self.disconnect)

    def disconnect(self):
        self.bluez.set(False)
        return False

    def closed(self):
        # What was taken is closed before the headset goes.
        if self.took:
            self.bluez.set(False)
        self.done += 1
        if self.mode == "soak" and self.done % max(1, self.count // 10) == 0:
            # What only being busy needs is given back a second after it.
            GLib.timeout_add(2500, self.look)
        elif self.done == self.count:
            self.loop.quit()
        else:
            GLib.timeout_add(5, self.connect)

    def look(self):
        self.looks.append((self.done, *self.holdings.look()))
        if self.done == self.count:
            self.loop.quit()
        else:
            self.connect()
        return False


def main(mode, count, settle, clock, agent):
    DBusGMainLoop(set_as_default=True)
    if mode == "later":
        with open(clock, "r+b") as file:
            ahead, = struct.unpack("d", file.read(8))
            file.seek(0)
            file.write(struct.pack("d", ahead + 30 * 3600))
        return
    if mode == "rows":
        rows = Holdings(agent, None, None).rows()
        # A cycle is an hour and some minutes, and leaves one or two rows.
        bound = min(count, 120 * 24) * 2
        print(f"media: {rows} rows once what is older than 120 days was thrown away (goal: at most {bound})")
        sys.exit(rows > bound + 100)
    cycles = Cycles(mode, count, settle, clock, agent)
    cycles.run()
    if mode == "latency":
        times = sorted(1000 * time for time in cycles.times)
        print(f"{times[len(times) // 2]:.2f} {times[len(times) * 99 // 100]:.2f} {times[-1]:.2f}")
        return
    for done, kilobytes, descriptors, rules, rows in cycles.looks:
        print(f"media: after {done:5} cycles: private dirty {kilobytes / 1024:.1f} MB, {descriptors} descriptors, "
              f"{rules} match rules, {rows} rows")
    half = len(cycles.looks) // 2
    # What is held varies by what was offered last; what is never let go raises the least of it.
    first, second = ([min(column) for column in zip(*looks)] for looks in (cycles.looks[:half], cycles.looks[half:]))
    grown = [name for name, before, after in zip(("descriptors", "match rules"), first[2:4], second[2:4]) if after > before]
    # What is learned takes room until there is as much as is kept; by the second half there is.
    third, fourth = (min(look[1] for look in looks) for looks in (cycles.looks[half:-half // 2], cycles.looks[-half // 2:]))
    grown += ["memory"] if fourth > third * 1.05 else []
    print(f"media: in the second half of {count} cycles {' and '.join(grown) or 'nothing'} grew (goal: nothing)")
    sys.exit(bool(grown))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4], int(sys.argv[5]))

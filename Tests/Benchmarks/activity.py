"""From the press to the content in the app: a continued activity, beside what opens the same app without an agent.

usage: activity.py COUNT SOCKET

Takes the part of three apps, one after the other: Reader goes on itself (org.hunch.ContinueActivity1), Link is handed the
address of the page, Plain is opened as it is. Each shows an activity, which is continued COUNT times; after each time the
peer opens the app in the same way. The app says on SOCKET when it has the content. Prints a line for each way: p50 and p99
of the agent's and of the peer's, in milliseconds.
"""

import os
import socket
import struct
import subprocess
import sys
import time

import dbus
import dbus.bus

AGENT, ROOT, ACTIVITIES = "org.hunch.Agent1", "/org/hunch/Agent1", "org.hunch.Activities1"
PAGE = "https://example.org/page"


def connection(app):
    """A connection of its own, of a process that is called as the app is."""
    with open("/proc/self/comm", "w") as name:
        name.write(app)
    return dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])


def shown(bus, app):
    """Shows an activity as the app; returns a function that continues it."""
    activities = dbus.Interface(bus.get_object(AGENT, ROOT, introspect=False), ACTIVITIES)
    activity = {"type": "org.hunch.Bench.page", "title": app, "payload": dbus.ByteArray(b"line=41")}
    if app != "Plain":
        activity["url"] = PAGE
    path = activities.BecomeCurrent(dbus.Dictionary(activity, signature="sv"))
    wanted = {"Reader": "activity", "Link": "url", "Plain": "app"}[app]

    def go_on():
        way = activities.Continue(path.rsplit("/", 1)[1], dbus.Dictionary(signature="sv"))
        if way != wanted:
            sys.exit(f"activity: {app} was opened by {way}, not by {wanted}")

    return go_on


def bare(bus, app):
    """What opens the app without an agent."""
    if app == "Reader":
        reader = dbus.Interface(
            bus.get_object("org.hunch.Bench.Reader", "/org/hunch/Bench/Reader", introspect=False),
            "org.freedesktop.Application")
        return lambda: reader.Open([PAGE], dbus.Dictionary(signature="sv"))
    entry = f"{os.environ['XDG_DATA_HOME']}/applications/org.hunch.Bench.{app}.desktop"
    command = ["gio", "open", PAGE] if app == "Link" else ["gio", "launch", entry]
    return lambda: subprocess.run(command, check=True)


def milliseconds(press, receiver):
    start = time.monotonic_ns()
    press()
    return (struct.unpack("=q", receiver.recv(8))[0] - start) / 1e6


def quantiles(times):
    times.sort()
    return times[len(times) // 2], times[min(len(times) - 1, len(times) * 99 // 100)]


def main():
    count = int(sys.argv[1])
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(sys.argv[2])
    receiver.settimeout(20)
    for app in ["Reader", "Link", "Plain"]:
        bus = connection(app)
        ways = [shown(bus, app), bare(bus, app)]
        for way in ways:
            milliseconds(way, receiver)
        # In turns, so that whatever else the machine does slows both.
        times = [[], []]
        for _ in range(count):
            for kept, way in zip(times, ways):
                kept.append(milliseconds(way, receiver))
        print(app, *(f"{value:.3f}" for kept in times for value in quantiles(kept)), flush=True)
        bus.close()


main()

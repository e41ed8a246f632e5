#!/usr/bin/python3
"""A podcast app, which the bus starts. It indexes its episodes when Hunch asks, and writes a line to a file for each
episode that it opens.

usage: podcasts.py COUNT FILE
"""
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.example.Podcasts"
GUESTS = ["Ada", "Blaise", "Carl", "Dorothy", "Edsger", "Frances", "Grace", "Hedy"]

DBusGMainLoop(set_as_default=True)
loop = GLib.MainLoop()
bus = dbus.SessionBus()
count, report = int(sys.argv[1]), sys.argv[2]


def hunch():
    return dbus.Interface(bus.get_object("org.hunch.Agent1", "/org/hunch/Agent1"), "org.hunch.Index1")


def episode(number):
    title = "Kilimanjaro by night" if number == 4711 else f"Episode {number} with {GUESTS[number % 8]}"
    attributes = {"title": title, "album": "The Show", "duration": 60.0 * (number % 90)}
    return dbus.Dictionary(
        {"id": f"episode-{number}", "attributes": dbus.Dictionary(attributes, signature="sv")}, signature="sv")


class Podcasts(dbus.service.Object):
    @dbus.service.method("org.hunch.IndexDelegate1", in_signature="sa{sv}")
    def ReindexAll(self, index, options):
        hunch().Change("episodes", {"delete-all": True})
        for start in range(0, count, 5_000):
            items = [episode(number) for number in range(start, min(start + 5_000, count))]
            hunch().Change("episodes", {"add": items})

    @dbus.service.method("org.hunch.IndexDelegate1", in_signature="sasa{sv}")
    def ReindexItems(self, index, identifiers, options):
        hunch().Change(index, {"add": [episode(int(text.split("-")[1])) for text in identifiers]})

    @dbus.service.method("org.hunch.ContinueActivity1", in_signature="a{sv}a{sv}")
    def Continue(self, activity, platform_data):
        with open(report, "a", encoding="utf-8") as file:
            file.write(f"open {activity['content']} for {activity.get('query', '')}\n")


name = dbus.service.BusName(NAME, bus)
app = Podcasts(bus, "/org/example/Podcasts")
bus.call_on_disconnection(lambda connection: loop.quit())
loop.run()

"""Types searches into two search providers of GNOME Shell: Hunch, and one of plain FTS5.

    search.py HUNCH FOLDER ITEMS
"""
import array
import itertools
import json
import os
import random
import sqlite3
import subprocess
import sys
import time

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

from index import make_words

INTERFACE = "org.gnome.Shell.SearchProvider2"
SEARCHES = 60


def make_items(count):
    """Makes items of five words in the title and twelve in the text, and searches for one to three of their words."""
    words = make_words(60_000)
    weights = list(itertools.accumulate(1 / (rank + 1) ** 0.9 for rank in range(len(words))))
    generator = random.Random(3)
    items, searches = [], []
    for number in range(count):
        text = generator.choices(words, cum_weights=weights, k=17)
        items.append((f"item{number}", " ".join(text[:5]), " ".join(text[5:])))
        if number % (count // SEARCHES) == 0:
            searches.append(generator.sample(text[:5], generator.choice([1, 2, 2, 3])))
    return items, searches


class Plain(dbus.service.Object):
    """Finds items with FTS5 as most providers would: all words, the last one as a beginning."""

    def __init__(self, bus, file):
        super().__init__(bus, "/plain")
        self.database = sqlite3.connect(file, check_same_thread=False)

    @dbus.service.method(INTERFACE, in_signature="as", out_signature="as")
    def GetInitialResultSet(self, terms):
        query = " ".join(f'"{term}"' for term in terms) + "*"
        rows = self.database.execute("SELECT id FROM item WHERE item MATCH ? ORDER BY rank LIMIT 20", (query,))
        return [row[0] for row in rows] or dbus.Array([], signature="s")


def serve(file):
    loop = GLib.MainLoop()
    bus = dbus.SessionBus(mainloop=dbus.mainloop.glib.DBusGMainLoop())
    name = dbus.service.BusName("org.example.Plain", bus)
    plain = Plain(bus, file)
    loop.run()
    del name, plain


def letters(words):
    """The texts that a person types, from the third letter on."""
    text = " ".join(words)
    return [text[:end].split() for end in range(3, len(text) + 1) if text[end - 1] != " "]


def measure(name, provider, searches):
    times, missing = [], 0
    for words in searches:
        for terms in letters(words):
            start = time.perf_counter()
            found = provider.GetInitialResultSet(terms, dbus_interface=INTERFACE, timeout=60)
            times.append((time.perf_counter() - start) * 1_000)
        missing += not found
    times.sort()
    p50, p99 = (times[len(times) * part // 100] for part in (50, 99))
    print(
        f"search: {name}: {len(times)} answers while typing, p50 {p50:.1f} ms, p99 {p99:.1f} ms, most {times[-1]:.1f} ms;"
        f" {missing} of {len(searches)} searches without a result",
        flush=True)
    if missing:
        sys.exit("search: a search without a result measures nothing")
    return p50


def remember(file, items):
    """Stores that the person opened a thousand items, and an aggregator's sketch of a million reports, as Hunch does."""
    reports = array.array("I", [15_625] * 64)
    counts = array.array("I", (int(random.gauss(4_200, 55)) for _ in range(64 * 1_024)))
    connection = sqlite3.connect(file)
    connection.execute("INSERT INTO sketch VALUES (1, ?, ?, ?)", (reports.tobytes(), counts.tobytes(), sum(counts)))
    connection.executemany(
        "INSERT INTO engagement VALUES ('script:bench', 'bench', ?, ?, 3, 1, ?, ?)",
        ((name, query, time.time(), time.time()) for name, title, _ in items[::max(1, len(items) // 1_000)]
         for query in ("", title.split()[0])))
    connection.execute("INSERT INTO number VALUES ('shown', 3000), ('opened', 1000)")
    connection.commit()
    connection.close()


def main(hunch, folder, count):
    items, searches = make_items(count)
    file = os.path.join(folder, "items.jsonl")
    with open(file, "w", encoding="utf-8") as stream:
        for name, title, text in items:
            item = {"id": name, "title": title, "text": text, "url": f"https://example.org/{name}", "public": True}
            stream.write(json.dumps(item) + "\n")
    subprocess.run([hunch, "index", "import", file, "--index", "bench"], check=True, stdout=subprocess.DEVNULL)
    remember(os.path.join(os.environ["XDG_STATE_HOME"], "hunch/index.sqlite"), items)
    database = os.path.join(folder, "plain.sqlite")
    connection = sqlite3.connect(database)
    connection.execute("CREATE VIRTUAL TABLE item USING fts5(id UNINDEXED, title, text, tokenize = 'porter')")
    connection.executemany("INSERT INTO item VALUES (?, ?, ?)", items)
    connection.commit()
    connection.close()
    server = subprocess.Popen([sys.executable, __file__, "serve", database])
    try:
        bus = dbus.SessionBus()
        # The name by which the agent knows the desktop's search.
        shell = dbus.service.BusName("org.gnome.Shell", bus)
        while not bus.name_has_owner("org.example.Plain"):
            time.sleep(0.05)
        ours = measure("hunch", bus.get_object("org.hunch.Agent1", "/org/hunch/SearchProvider"), searches)
        theirs = measure("plain FTS5", bus.get_object("org.example.Plain", "/plain"), searches)
        print(f"search: hunch needs {ours / theirs:.2f} times the time of plain FTS5 (goal: most answers within 100 ms)")
        del shell
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

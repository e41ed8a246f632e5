#!/usr/bin/python3
"""Fills a plain FTS5 table with the towns of a GeoNames dump and asks it, as a peer of the gazetteer.

usage: places.py FILE DATABASE COUNT; prints: "import", places per second, peak resident KiB, bytes of the database; then for
each kind of query that FTS5 can answer its name, median and 99th percentile in milliseconds, found in percent

It has what a program would write that uses SQLite as it is: names, further names and codes in one table, a table of
positions and populations beside it, all words wanted, the ten largest of what matches.
"""
import os
import random
import resource
import sqlite3
import sys
import time

dump, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
start = time.perf_counter()
database = sqlite3.connect(path)
database.executescript("""
    CREATE VIRTUAL TABLE words USING fts5 (
        name, alternates, area, content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');
    CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, latitude REAL, longitude REAL, country TEXT, people INTEGER);
""")
rows = 0
with open(dump, encoding="utf-8") as lines:
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        rows += 1
        database.execute(
            "INSERT INTO words (rowid, name, alternates, area) VALUES (?, ?, ?, ?)",
            (rows, fields[1], fields[3], f"{fields[8]} {fields[10]}"))
        database.execute(
            "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)",
            (rows, fields[1], float(fields[4]), float(fields[5]), fields[8], int(fields[14])))
database.commit()
seconds = time.perf_counter() - start
database.close()
print("import", rows / seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, os.path.getsize(path), sep="\t")

database = sqlite3.connect(path)
numbers = random.Random(3)


def quoted(text):
    return " ".join(f'"{word}"' for word in text.split())


def unfinished(name, _):
    return quoted(name[: max(4, len(name) - 2)]) + " *"


for kind, query in [
    ("name", lambda name, _: quoted(name)),
    ("name and country", lambda name, country: quoted(f"{name} {country}")),
    ("unfinished", unfinished),
]:
    times, found = [], 0
    for _ in range(count):
        name, country = database.execute(
            "SELECT name, country FROM place WHERE id = ?", (numbers.randint(1, rows),)).fetchone()
        text = query(name, country)
        start = time.perf_counter()
        answer = database.execute(
            "SELECT place.* FROM words JOIN place ON place.id = words.rowid WHERE words MATCH ? "
            "ORDER BY people DESC LIMIT 10", (text,)).fetchall()
        times.append((time.perf_counter() - start) * 1e3)
        found += any(place[1] == name for place in answer)
    times.sort()
    print(kind, times[count // 2], times[count * 99 // 100], 100 * found // count, sep="\t")

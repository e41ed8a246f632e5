"""Indexes items with `hunch index import`, plain FTS5 and Xapian, and searches them for the same words.

    index.py HUNCH FOLDER ITEMS
"""
import itertools
import json
import os
import random
import sqlite3
import subprocess
import sys
import time

import xapian

SEARCHES = 1_000
BATCH = 4_000


def make_words(count):
    """Makes words of syllables: their number and lengths are like those of a language."""
    words = {}
    generator = random.Random(1)
    while len(words) < count:
        syllables = generator.choice([1, 2, 2, 3, 3, 4])
        word = "".join(generator.choice("bcdfghklmnprstvw") + generator.choice("aeiou") for _ in range(syllables))
        words[word + generator.choice(["", "", "n", "r", "s", "t"])] = None
    return list(words)


def write_items(file, count):
    """Writes items of 23 words, whose frequencies follow Zipf's law. Returns searches for one to three of them."""
    words = make_words(60_000)
    weights = list(itertools.accumulate(1 / (rank + 1) ** 0.9 for rank in range(len(words))))
    generator = random.Random(2)
    searches = []
    with open(file, "w", encoding="utf-8") as stream:
        for number in range(count):
            text = generator.choices(words, cum_weights=weights, k=23)
            item = {"id": f"item{number}", "title": " ".join(text[:5]), "text": " ".join(text[5:])}
            stream.write(json.dumps(item) + "\n")
            if len(searches) < SEARCHES and generator.random() < 5 * SEARCHES / count:
                searches.append(" ".join(generator.sample(text, generator.choice([1, 2, 2, 3]))))
    return searches


def size_of(folder):
    return sum(os.path.getsize(os.path.join(root, file)) for root, _, files in os.walk(folder) for file in files)


def tell(name, count, seconds, size, times):
    times.sort()
    p50, p99 = (times[len(times) * part // 100] * 1_000 for part in (50, 99))
    print(
        f"index: {name}: {count / seconds:,.0f} items/s, {size / count:.0f} bytes an item, "
        f"searches p50 {p50:.2f} ms, p99 {p99:.2f} ms",
        flush=True)
    return count / seconds


def hunch(program, folder, file, count, searches):
    begin = time.monotonic()
    subprocess.run([program, "index", "import", file, "--index", "bench"], check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    finding = subprocess.Popen(
        [program, "find", "-", "--limit", "10"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    times = []
    for search in searches:
        begin = time.monotonic()
        finding.stdin.write(search + "\n")
        finding.stdin.flush()
        answer = json.loads(finding.stdout.readline())
        times.append(time.monotonic() - begin)
        assert answer["hits"], search
    finding.stdin.close()
    finding.wait()
    return tell("hunch", count, seconds, size_of(os.path.join(folder, "hunch")), times)


def fts5(folder, file, count, searches):
    path = os.path.join(folder, "fts5")
    os.mkdir(path)
    begin = time.monotonic()
    database = sqlite3.connect(os.path.join(path, "index"), isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("CREATE TABLE item (id TEXT PRIMARY KEY, title TEXT, text TEXT)")
    database.execute("CREATE VIRTUAL TABLE word USING fts5(title, text, content='item', tokenize='porter unicode61')")
    with open(file, encoding="utf-8") as stream:
        while lines := list(itertools.islice(stream, BATCH)):
            items = [json.loads(line) for line in lines]
            database.execute("BEGIN")
            for item in items:
                values = (item["id"], item["title"], item["text"])
                row = database.execute("INSERT INTO item VALUES (?, ?, ?)", values).lastrowid
                database.execute("INSERT INTO word (rowid, title, text) VALUES (?, ?, ?)", (row, *values[1:]))
            database.execute("COMMIT")
    seconds = time.monotonic() - begin
    times = []
    for search in searches:
        words = " OR ".join(f'"{word}"' for word in search.split())
        begin = time.monotonic()
        database.execute(
            "SELECT id FROM word JOIN item ON item.rowid = word.rowid WHERE word MATCH ? ORDER BY rank LIMIT 10", (words,)
        ).fetchall()
        times.append(time.monotonic() - begin)
    database.close()
    return tell("plain FTS5", count, seconds, size_of(path), times)


def xapian_index(folder, file, count, searches):
    path = os.path.join(folder, "xapian")
    begin = time.monotonic()
    database = xapian.WritableDatabase(path, xapian.DB_CREATE)
    generator = xapian.TermGenerator()
    generator.set_stemmer(xapian.Stem("en"))
    with open(file, encoding="utf-8") as stream:
        while lines := list(itertools.islice(stream, BATCH)):
            database.begin_transaction()
            for line in lines:
                item = json.loads(line)
                document = xapian.Document()
                generator.set_document(document)
                generator.index_text(item["title"], 2)
                generator.increase_termpos()
                generator.index_text(item["text"])
                document.set_data(item["title"])
                document.add_boolean_term("Q" + item["id"])
                database.replace_document("Q" + item["id"], document)
            database.commit_transaction()
    seconds = time.monotonic() - begin
    parser = xapian.QueryParser()
    parser.set_stemmer(xapian.Stem("en"))
    parser.set_stemming_strategy(xapian.QueryParser.STEM_SOME)
    times = []
    for search in searches:
        begin = time.monotonic()
        enquire = xapian.Enquire(database)
        enquire.set_query(parser.parse_query(search))
        [match.document.get_data() for match in enquire.get_mset(0, 10)]
        times.append(time.monotonic() - begin)
    database.close()
    return tell("Xapian " + xapian.version_string(), count, seconds, size_of(path), times)


def main():
    program, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    file = os.path.join(folder, "items.jsonl")
    searches = write_items(file, count)
    own = hunch(program, folder, file, count, searches)
    for peer in (fts5, xapian_index):
        print(f"index: {own / peer(folder, file, count, searches):.2f} times as many items a second", flush=True)


if __name__ == "__main__":
    main()

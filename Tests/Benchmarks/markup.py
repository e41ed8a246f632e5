"""Runs `hunch markup --json` on pages of 10 MB, and Python's parsers of HTML and JSON on the same pages.

    markup.py HUNCH FOLDER
"""
import html.parser
import json
import os
import sys
import time

SIZE = 10_000_000
PLACE = '<div itemscope itemtype="https://schema.org/Place">'
DATA = '<script type="application/ld+json">'

# A name, the beginning of the page, what is repeated, and the end.
PAGES = [
    ("elements", "<body>", '<p class="c{0}" id="i{0}">t</p>', ""),
    ("elements in elements", "<body>", "<div>", ""),
    ("comments", "<body>", "<!-- x -->", ""),
    ("character references", "<body>", '<p class="&amp;&lt;&eacute;">', ""),
    ("head", "<head>", '<meta property="og:image" content="https://example.org/{0}">', ""),
    ("names in the head", "<head>", '<meta name="og:t{0} twitter:x{0}" content="a b">', ""),
    ("Microdata, many items", "", PLACE + '<b itemprop="name">N{0}</b></div>', ""),
    ("Microdata, many properties", PLACE, '<b itemprop="name">N{0}</b>', "</div>"),
    ("Microdata, items in items", "<div itemscope>", "<div itemscope itemprop=a>" * 50 + "</div>" * 50, "</div>"),
    ("RDFa", "", '<div typeof="Place" vocab="https://schema.org/"><b property="name">N{0}</b></div>', ""),
    ("microformats", '<div class="h-card">', '<b class="p-name p-org u-url h-card">x</b>', "</div>"),
    ("microformats in each other", "", '<div class="vcard"><span class="fn">', ""),
    ("JSON-LD, many values", DATA, "{{}}", "</script>"),
    ("JSON-LD, many items", DATA + "[", '{{"@type":"Place","name":"N{0}"}},', "{{}}]</script>"),
    ("JSON-LD, many members", DATA + "{{", '"k{0}":{0},', '"name":"x"}}</script>'),
    ("JSON-LD, many scripts", "", DATA + '{{"@type":"Place","name":"N{0}"}}</script>', ""),
    ("JSON-LD, escapes", DATA + '{{"name":"', "a\\u00e9", '"}}</script>'),
    ("JSON-LD, to repair", DATA + "[", '{{"@type":"Place","name":"N{0}",}},', "{{}}]</script>"),
    ("JSON-LD, without quotation marks", DATA + "[", "abc ", "]</script>"),
    ("JSON-LD, with references", DATA, "&quot;", "</script>"),
    ("JSON-LD, items that refer to each other",
     DATA + '[{{"@id":"a","@type":"Event","location":[{{"@id":"b"}}',
     ',{{"@id":"b"}}', ']}},{{"@id":"b","address":[{{"@id":"b"}},{{"@id":"a"}}],"location":{{"@id":"a"}}}}]</script>'),
    ("JSON-LD, items with one name", DATA + '[{{"@id":"n","name":"' + "n" * 60_000 + '"}}',
     ',{{"@type":"Event","name":{{"@id":"n"}},"location":{{"@id":"n"}}}}', "]</script>"),
    ("JSON-LD, dates that are none", DATA + "[", '{{"@type":"Event","startDate":"\\u0074omorrow {0}"}},\n',
     "{{}}]</script>"),
    ("a long title beside names", DATA + "[" + '{{"@type":"Place","name":"Nowhere"}},' * 900 + "{{}}]</script><title>",
     "Nowhere else ", "</title>"),
    ("scripts to repair", "", DATA + '{{"a":1,}}</script>', ""),
]


def write(file, beginning, repeated, end):
    """Writes a page piece by piece: a program counts the memory of the one that starts it as its own."""
    beginning, end = beginning.format(), end.format()
    size, number = len(beginning) + len(end), 0
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(beginning)
        while True:
            piece = repeated.format(number)
            size += len(piece)
            if size > SIZE:
                break
            stream.write(piece)
            number += 1
        stream.write(end)


def run(hunch, file):
    """Returns the seconds and the megabytes of one run."""
    begin = time.monotonic()
    process = os.posix_spawn(
        hunch, [hunch, "markup", file, "--json"], os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, 1, 2)])
    _, _, usage = os.wait4(process, 0)
    return time.monotonic() - begin, usage.ru_maxrss / 1024


class Parser(html.parser.HTMLParser):
    """Parses a page, and the JSON of its scripts."""

    def handle_data(self, data):
        if self.cdata_elem:
            try:
                json.loads(data)
            except ValueError:
                pass


def peer(file):
    """Returns the seconds that Python takes."""
    with open(file, encoding="utf-8") as stream:
        text = stream.read()
    begin = time.monotonic()
    parser = Parser()
    parser.feed(text)
    parser.close()
    return time.monotonic() - begin


def main(hunch, folder):
    files = [os.path.join(folder, f"{number}.html") for number in range(len(PAGES))]
    for file, (_, *parts) in zip(files, PAGES):
        write(file, *parts)
    measured = [min(run(hunch, file) for _ in range(3)) for file in files]
    print(f"{'page of 10 MB':34} {'hunch':>8} {'memory':>8} {'Python':>8} {'ratio':>7}")
    for file, (name, *_), (taken, memory) in zip(files, PAGES, measured):
        other = peer(file)
        print(f"{name:34} {taken * 1000:5.0f} ms {memory:5.0f} MB {other:6.2f} s {other / taken:6.1f}×")


main(*sys.argv[1:])

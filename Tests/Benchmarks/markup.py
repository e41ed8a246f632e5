"""Runs `hunch markup --json` on pages of 10 MB, and Python's parsers of HTML and JSON on the same pages.

    markup.py HUNCH FOLDER
"""
import html.parser
import json
import os
import signal
import sys
import time

SIZE = 10_000_000
PATIENCE = 20
PLACE = '<div itemscope itemtype="https://schema.org/Place">'
DATA = '<script type="application/ld+json">'

FAULT = '{{"@type":"Event","name":"E","startDate":"\\u0031 not the date","endDate":"x{0}"}}'
FAULTS = DATA + "[" + ",".join([FAULT.replace("{0}", "")] * 900) + "]</script>"
NAMES = DATA + "[" + ",".join('{{"@type":"Place","name":"aaaa bbbb aaad%d"}}' % i for i in range(900)) + "]</script>"
SAME = '{{"@type":"Place","name":"N","address":"x","a":[1,2,3]}}'
FAN = DATA + "[" + ",".join(
    '{{"@id":"#%s","@type":"Event","name":"x","location":[%s],"address":[%s]}}' % (
        name, ",".join(['{{"@id":"#%s"}}' % next] * 300), ",".join(['{{"@id":"#%s"}}' % next] * 300))
    for name, next in ["ab", "bc", "cd", "dd"]) + "]</script>"
BIG = DATA + "[" + ",".join(['{{"@type":"Place","name":"N","a":[%s]}}' % ",".join(["1"] * 300)] * 600) + "]</script>"
CHAIN = ",".join(
    '{{"@id":"#%d","@type":"Event","location":{{"@id":"#%d"}},"geo":{{"@id":"#%d"}}}}' % (i, i + 1, i + 1)
    for i in range(2000)) + ","
RING = "".join(
    f'<p id="r{i}" itemprop=a itemscope itemref="r{(i + 1) % 4} r{(i + 2) % 4}"></p>' for i in range(4)
) + "<div itemscope itemref=r0>"

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
    ("JSON-LD, fan of references", FAN, " ", ""),
    ("JSON-LD, faults beside escapes", "<body>" + FAULTS, "\\u0031 not the date ", ""),
    ("JSON-LD, faults without end", DATA + "[", FAULT + ",", "{{}}]</script>"),
    ("JSON-LD, names beside a title", NAMES + "<title>", "aaaa bbbb aaac ", "</title>"),
    ("JSON-LD, title of combining signs", NAMES + "<title>", "a\u0301\u0302", "</title>"),
    ("JSON-LD, references to itself", DATA + '[{{"@type":"Event","@id":"#a","name":{{"@id":"#a"}},"location":[',
     '{{"@id":"#a"}},', "{{}}]}}]</script>"),
    ("JSON-LD, chain of references", DATA + "[", CHAIN, "{{}}]</script>"),
    ("JSON-LD, lists in lists", DATA + "[",
     '{{"itemListElement":[' * 5 + '{{"item":{{"@type":"Place","name":"N{0}"}}}}' + "]}}" * 5 + ",", "{{}}]</script>"),
    ("JSON-LD, organizations in each other", DATA + "[",
     '{{"@id":"#{0}","@type":"Organization","location":[' + ",".join('{{"@id":"#%d"}}' % i for i in range(200))
     + "]}},", "{{}}]</script>"),
    ("JSON-LD, same items", DATA + "[", SAME + ",", "{{}}]</script>"),
    ("JSON-LD, large items alike", BIG, " ", ""),
    ("JSON-LD, deep arrays", DATA + "[" * 60, "[[[1]]],", "1" + "]" * 60 + "</script>"),
    ("JSON-LD, brackets without end", DATA, "[", "</script>"),
    ("JSON-LD, graphs in graphs", DATA + "[", '{{"@graph":[' * 20 + "{{}}" + "]}}" * 20 + ",", "{{}}]</script>"),
    ("JSON-LD, broken scripts", "", DATA + '{{"@type":"Place","name":"N{0}",}}</script>', ""),
    ("JSON-LD, large numbers", DATA + '{{"latitude":', "9", "}}</script>"),
    ("JSON-LD, entities", DATA + '{{"@type":"Place","name":"', "&amp;eacute;&#233;&", '"}}</script>'),
    ("JSON-LD, quotation marks to repair", DATA + '{{,"a":"', '" "', '"}}</script>'),
    ("JSON-LD, white space to repair", DATA + '{{,"a":"', '"' + " " * 1000, '"}}</script>'),
    ("JSON-LD, surplus commas to repair", DATA + "[[", ",]" + "[1", "]</script>"),
    ("JSON-LD, comments to repair", DATA + "[,&", "/* x */", "]</script>"),
    ("JSON-LD, scripts of many values", "", DATA + "[" + "1," * 100_000 + "1]</script>", ""),
    ("ampersands", "<title>", "&", "</title>"),
    ("references that are none", "<title>", "&aaaaaa", "</title>"),
    ("references in attributes", "<body>", '<p class="&notit;&copy=&ampx" id="&#x110000;">', ""),
    ("half tags", "<body>", "<a <", ""),
    ("less-than signs", "<body>", "<", ""),
    ("end tags", "<body>" + "<div>" * 4000, "</i>", ""),
    ("tags without an end", "<body>", '<p a="', ""),
    ("attributes", "<p ", "a{0}={0} ", ">"),
    ("words of an attribute", '<p class="', "a ", '">'),
    ("cells of tables", "<table>", "<tr><td><table>", ""),
    ("formatting elements", "<b>" * 4000, "<p><b>", ""),
    ("comments without an end", "<body>", "<!--", ""),
    ("scripts in comments", "<script>", "<!--<script>--></", ""),
    ("text in elements in elements", "<body>", "<div class=vcard><b class=fn>x", ""),
    ("combining signs", "<title>a", "\u0301", "</title>"),
    ("bytes that are not UTF-8", "<title>", "\udcff", "</title>"),
    ("relations of links", "<head>", '<link rel="' + "a " * 256 + '" href=x>', ""),
    ("Microdata, itemref in a ring", RING, '<p id="i{0}" itemprop=a itemscope itemref="r0 r1 r2 r3"></p>', ""),
    ("Microdata, itemref to many", '<div itemscope itemref="' + " ".join(f"r{i}" for i in range(250)) + '">',
     '<p id="r{0}" itemprop=a>x</p>', "</div>"),
    ("Microdata, names of a property", "<div itemscope>", '<b itemprop="' + "a " * 256 + '">x</b>', "</div>"),
    ("RDFa, prefixes", "",
     '<div typeof=Place prefix="' + "".join(f"p{i}: http://x/{i} " for i in range(100)) + '">', ""),
    ("RDFa, properties", "<div typeof=Place vocab=x>", '<b property="' + "a " * 256 + '">x</b>', "</div>"),
    ("microformats, values", '<div class="h-card">', '<b class="p-name"><i class="value">x</i>', "</div>"),
    ("microformats, classes", '<div class="h-card">', '<b class="' + "p-org " * 256 + '">x</b>', "</div>"),
    ("microformats, positions", '<div class="h-geo">', '<b class="geo">1;2', "</div>"),
]


def write(file, beginning, repeated, end):
    """Writes a page piece by piece: a program counts the memory of the one that starts it as its own."""
    beginning, end = beginning.format(), end.format()
    size, number = len(beginning) + len(end), 0
    with open(file, "w", encoding="utf-8", errors="surrogateescape") as stream:
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
            except (ValueError, RecursionError):
                pass


def peer(file):
    """Returns the seconds that Python takes, at most PATIENCE."""
    with open(file, encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    begin = time.monotonic()
    parser = Parser()
    signal.alarm(PATIENCE)
    try:
        parser.feed(text)
        parser.close()
    except TimeoutError:
        pass
    signal.alarm(0)
    return time.monotonic() - begin


def give_up(*_):
    """Ends a parser that takes too long."""
    raise TimeoutError


def main(hunch, folder):
    signal.signal(signal.SIGALRM, give_up)
    files = [os.path.join(folder, f"{number}.html") for number in range(len(PAGES))]
    for file, (_, *parts) in zip(files, PAGES):
        write(file, *parts)
    measured = [min(run(hunch, file) for _ in range(3)) for file in files]
    print(f"{'page of 10 MB':34} {'hunch':>8} {'memory':>8} {'Python':>8} {'ratio':>7}")
    for file, (name, *_), (taken, memory) in zip(files, PAGES, measured):
        other = peer(file)
        print(f"{name:34} {taken * 1000:5.0f} ms {memory:5.0f} MB {other:6.2f} s {other / taken:6.1f}×")


main(*sys.argv[1:])

#!/usr/bin/python3
"""Asks `hunch place` what links and inputs of a megabyte mean, one at a time, and beside it Python's own parser of URLs.

usage: links.py HUNCH; prints one line for usual links and one for the large inputs
"""
import random
import subprocess
import sys
import time
import urllib.parse

SIZE = 1_000_000
LINKS = [
    "geo:52.52,13.405;u=35",
    "geo:0,0?q=48.8584,2.2945(Tour%20Eiffel)",
    "https://www.google.com/maps/place/Yank+Sing/@37.7927,-122.3925,17z/data=!3m1!4b1!4m5!3m4!1s0x0:0x1!8m2!3d37.79!4d-122.39",
    "https://www.google.com/maps/dir/?api=1&origin=52.5,13.4&destination=Potsdam&travelmode=transit",
    "https://maps.apple.com/?daddr=1+Infinite+Loop,+Cupertino,+CA&dirflg=d",
    "https://www.openstreetmap.org/?mlat=52.5163&mlon=13.3777#map=17/52.5163/13.3777",
    "https://osm.org/go/0EEQjE--",
    "https://www.bing.com/maps?cp=47.64~-122.13&lvl=15",
    "https://waze.com/ul?ll=45.6906304,-120.810983&navigate=yes",
    "849VCWC8+R9",
    "40°26'46\"N 79°58'56\"W",
    "We meet at https://maps.app.goo.gl/?link=x or at geo:1.5,2.5 at eight",
]
# What is repeated until the input is as large as it may be, each behind a beginning.
REPEATED = [
    ("", "a"), ("", " x"), ("", "1"), ("", "12.5 "), ("", "1,"), ("", "+"), ("", "°"), ("", "&"), ("", ";"), ("", "%"),
    ("", "("), ("", "é"), ("", "@"), ("", ":"), ("", "-"), ("", "."), ("", "http"), ("", "geo:"), ("", "\t"), ("", "\\n"),
    ("", "N 4 E 5 "), ("", '{"a":'), ("", "\u202e"), ("", "\u200d"), ("a", "\u0301"), ("", "Main Street 5, "),
    ("", "see geo:1,2 "), ("", "https://x "), ("", "https://maps.google.com/?q=1,2 "), ("", "8FVC9G8F+6X "),
    ("", "48°51'24\"N "), ("geo:", "1"), ("geo:1,2;", "a=1;"), ("geo:0,0?q=", "a"), ("geo:0,0?q=", "%41"),
    ("https://www.google.com/maps/dir/", "a/"), ("https://www.google.com/maps/place/x/data=", "!3d1!4d2"),
    ("https://www.google.com/maps?", "q=a&"), ("https://osm.org/go/", "-"), ("ge0://", "w"),
    ("directions:?", "destination=1,2&"), ("BEGIN:VCALENDAR ", "LOCATION:x "), ("BEGIN:VCARD ", "ADR:;;a;b;c;d;e "),
    ("", "BEGIN:VCARD "),
]


def large(start, part):
    count = (SIZE - len(start.encode())) // len(part.encode())
    return start + part * count


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def timed(action, inputs):
    times = []
    for text in inputs:
        start = time.perf_counter()
        action(text)
        times.append((time.perf_counter() - start) * 1000)
    return times


hunch = subprocess.Popen(
    [sys.argv[1], "place", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
)


def ask(text):
    hunch.stdin.write(text.encode() + b"\n")
    hunch.stdin.flush()
    if not hunch.stdout.readline().startswith(b"{"):
        sys.exit("links: hunch does not answer")


def parse(text):
    """What a script does with a link: its parts and its query."""
    parts = urllib.parse.urlsplit(text[:SIZE].replace("[", ""))
    urllib.parse.parse_qsl(parts.query)


generator = random.Random(1)
inputs = [large(start, part) for start, part in REPEATED]
inputs.append("".join(chr(generator.randrange(32, 127)) for _ in range(SIZE)))
timed(ask, LINKS)
usual, peer = timed(ask, LINKS * 200), timed(parse, LINKS * 200)
print(
    f"links: usual ones p50 {percentile(usual, .5):.3f} ms, p99 {percentile(usual, .99):.3f} ms, through a pipe; "
    f"Python's urllib {percentile(peer, .5):.3f} and {percentile(peer, .99):.3f} ms"
)
worst, peer = timed(ask, inputs), timed(parse, inputs)
print(
    f"links: {len(inputs)} inputs of 1 MB p50 {percentile(worst, .5):.1f} ms, at most {max(worst):.1f} ms (goal 50); "
    f"urllib {percentile(peer, .5):.1f} and {max(peer):.1f} ms"
)
hunch.stdin.close()
# Most of the inputs are no places, which it says at the end.
sys.exit(0 if hunch.wait() == 2 else 1)

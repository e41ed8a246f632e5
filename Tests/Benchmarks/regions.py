#!/usr/bin/python3
"""Looks up points in a folder of coverage files with shapely, vectorised.

usage: regions.py FOLDER COUNT; prints: load milliseconds, points per second, hits, peak resident KiB

For each region numpy picks the points within its bounds, and shapely tests them in one call against the prepared
geometry; the points are those of the other peers.
"""
import json
import pathlib
import resource
import sys
import time

import numpy
from shapely import vectorized
from shapely.geometry import shape
from shapely.prepared import prep


def sequence(count):
    """The numbers of a linear congruential generator that the other peers have too."""
    state, numbers = 42, numpy.empty(count)
    for index in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers[index] = (state >> 11) / 2**53
    return numbers


folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
start = time.perf_counter()
regions = []
for path in sorted(folder.glob("*.geojson")):
    area = shape(json.loads(path.read_bytes())["geometry"])
    regions.append((area.bounds, prep(area)))
loaded = time.perf_counter()
numbers = sequence(2 * count)
latitudes, longitudes = numbers[::2] * 170 - 85, numbers[1::2] * 350 - 175
ready = time.perf_counter()
hits = 0
for (west, south, east, north), area in regions:
    near = (longitudes >= west) & (longitudes <= east) & (latitudes >= south) & (latitudes <= north)
    if near.any():
        hits += int(vectorized.contains(area, longitudes[near], latitudes[near]).sum())
seconds = time.perf_counter() - ready
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((loaded - start) * 1e3, count / seconds, hits, peak)

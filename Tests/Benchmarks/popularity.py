"""Makes invented people and compares estimates.

usage: popularity.py make PEOPLE ITEMS SEED > OPENED
       popularity.py compare EPSILON ITEMS OPENED HUNCH    HUNCH: the output of popularity-error
Prints mean squared errors, divided by the number of people: of Hunch's estimates and pure-ldp's OUE, unbiased; and of both
lowered by two standard deviations, where negative ones become 0.
"""
import math
import sys

import numpy

if sys.argv[1] == "make":
    people, items, seed = map(int, sys.argv[2:])
    weights = 1 / numpy.arange(1, items + 1)
    random = numpy.random.default_rng(seed)
    print("\n".join(map(str, random.choice(items, people, p=weights / weights.sum()))))
    sys.exit()

from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

epsilon, items = float(sys.argv[2]), int(sys.argv[3])
opened = [int(line) for line in open(sys.argv[4])]
true = numpy.bincount(opened, minlength=items)
hunch = numpy.loadtxt(sys.argv[5])
client = UEClient(epsilon, items, use_oue=True, index_mapper=lambda item: item)
server = UEServer(epsilon, items, use_oue=True, index_mapper=lambda item: item)
for item in opened:
    server.aggregate(client.privatise(item))
oue = numpy.array([server.estimate(item, suppress_warnings=True) for item in range(items)])
deviation = math.sqrt(len(opened) * 4 * math.exp(epsilon)) / (math.exp(epsilon) - 1)
lowered = numpy.maximum(oue - 2 * deviation, 0)


def error(estimates):
    return numpy.mean((estimates - true) ** 2) / len(opened)


print(error(hunch[:, 0]), error(oue), error(hunch[:, 1]), error(lowered))

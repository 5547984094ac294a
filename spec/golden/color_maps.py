"""Colours of matplotlib's maps, for spec/picture/maps_spec.lua; with --points the points of lua/cuna/picture/maps.lua.

    python3 -P spec/golden/color_maps.py > spec/golden/color_maps.lua

Needs matplotlib (3.5 or later).
"""
import sys
import numpy as np
from matplotlib import colormaps

NAMES = "viridis magma inferno plasma cividis gray hot jet turbo coolwarm RdBu twilight tab10".split()
FITTED = "viridis magma inferno plasma cividis turbo coolwarm twilight RdBu".split()
TOLERANCE = 2


def table(name):
    return colormaps[name](np.linspace(0, 1, 256), bytes=True)[:, :3].astype(float)


def fit(colors, knots):
    """Colours at the knots by least squares, and the error of each colour between them."""
    weights = np.zeros((256, len(knots)))
    for i in range(256):
        j = min(max(np.searchsorted(knots, i, side="right") - 1, 0), len(knots) - 2)
        part = (i - knots[j]) / (knots[j + 1] - knots[j])
        weights[i, j], weights[i, j + 1] = 1 - part, part
    points = np.clip(np.rint(np.linalg.lstsq(weights, colors, rcond=None)[0]), 0, 255)
    return points, np.abs(np.rint(weights @ points) - colors).max(axis=1)


def points_of(name):
    """Adds knots where the error is the greatest, then removes those that are not needed."""
    colors, knots = table(name), [0, 255]
    while (error := fit(colors, knots)[1]).max() > TOLERANCE:
        error[knots] = 0
        knots = sorted(knots + [int(error.argmax())])
    for knot in knots[1:-1]:
        fewer = [k for k in knots if k != knot]
        if fit(colors, fewer)[1].max() <= TOLERANCE:
            knots = fewer
    return " ".join("%d:%02x%02x%02x" % (k, *map(int, color)) for k, color in zip(knots, fit(colors, knots)[0]))


if "--points" in sys.argv:
    for name in FITTED:
        print(f'{name} = "{points_of(name)}"')
    sys.exit()

print("-- Made by color_maps.py: of each map 16 colours from its first to its last.\nreturn {")
for name in NAMES:
    rows = colormaps[name](np.linspace(0, 1, 16), bytes=True)[:, :3]
    print("  %s = {%s}," % (name, ", ".join("0x%02x%02x%02x" % tuple(row) for row in rows)))
print("}")

#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A picture of a family's figures: ./dev bench FAMILY, then plot.py build/bench/FAMILY.json FAMILY.svg.

Each row is the peers' shortest times over weft's on one thread: right of 1 weft is faster."""
import argparse
import json


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", help="what `./dev bench FAMILY` wrote")
    parser.add_argument("picture", help=".svg or .png")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    with open(args.figures) as file:
        table = json.load(file)
    rows = [r for r in table["rows"] if r["threads"] == args.threads]
    if not rows:
        raise SystemExit(f"{args.figures}: no rows of {args.threads} threads")

    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    sides = []
    for row in rows:
        for side in row["sides"][1:]:
            if side["name"] not in sides:
                sides.append(side["name"])
    figure, axes = plot.subplots(figsize=(9, 1.2 + 0.32 * len(rows)), layout="constrained")
    marks = "osD^v<>P*Xhd"
    for i, name in enumerate(sides):
        points = [(side["least"] / row["sides"][0]["least"], -y)
                  for y, row in enumerate(rows) for side in row["sides"] if side["name"] == name]
        x, y = zip(*points)
        if name == "limit":
            axes.plot(x, y, "k|", markersize=11, markeredgewidth=2, label=name)
        else:
            axes.plot(x, y, marks[i % len(marks)], markersize=6, label=name)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks([-y for y in range(len(rows))], [r["name"] for r in rows])
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("time / weft's time")
    axes.set_title(f"{table['family']}, {args.threads} thread(s)")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(args.picture)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Minimax polynomials for op/elementary_*.hpp, with float32 or float64 coefficients; needs mpmath.

`fit` minimises max |weight(x) (f(x) - P(x))| over [low, high]: Remez exchange on a grid of Chebyshev
points, in multiple precision. Coefficients are rounded one after the other, lowest degree first, the rest
being fitted again. With exact_first the constant is a pair (high, low). Run: an example, sin on [0, pi/4]."""
import math

from mpmath import cos, fabs, lu_solve, matrix, mp, mpf, pi, sin, sqrt

mp.prec = 200


def rounded(x, bits):
    mantissa, exponent = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), exponent - bits)


def value(coefficients, powers, x):
    return sum(c * x**p for c, p in zip(coefficients, powers))


def extrema(errors):
    """The place of the largest error of each run of one sign."""
    runs = []
    for k, e in enumerate(errors):
        if runs and (e >= 0) == (errors[runs[-1]] >= 0):
            if fabs(e) > fabs(errors[runs[-1]]):
                runs[-1] = k
        else:
            runs.append(k)
    return runs


def drop_smallest(runs, errors, count):
    while len(runs) > count:
        if len(runs) == count + 1:
            runs = runs[1:] if fabs(errors[runs[0]]) < fabs(errors[runs[-1]]) else runs[:-1]
        else:
            pair = lambda i: min(fabs(errors[runs[i]]), fabs(errors[runs[i + 1]]))
            i = min(range(len(runs) - 1), key=pair)
            del runs[i:i + 2]
    return runs


def exchange(xs, fs, ws, powers):
    n, last, best = len(powers), len(xs) - 1, None
    at = [round(last * (1 - math.cos(math.pi * k / n)) / 2) for k in range(n + 1)]
    for _ in range(40):
        a, b = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for i, k in enumerate(at):
            for j, p in enumerate(powers):
                a[i, j] = xs[k]**p
            a[i, n], b[i] = mpf((-1)**i) / ws[k], fs[k]
        solution = lu_solve(a, b)
        c = [solution[j] for j in range(n)]
        errors = [w * (f - value(c, powers, x)) for x, f, w in zip(xs, fs, ws)]
        worst = max(map(fabs, errors))
        if best is None or worst < best[0]:
            best = (worst, c)
        at = drop_smallest(extrema(errors), errors, n + 1)
        if len(at) < n + 1 or worst < fabs(solution[n]) * mpf("1.02"):
            break
    return best


def fit(f, weight, low, high, count, bits, exact_first=False):
    n = max(30 * count, 200)
    low, high = mpf(low), mpf(high)
    grid = [low + (high - low) * (1 - cos(pi * k / n)) / 2 for k in range(n + 1)]
    xs = [x for x in grid if weight(x) > 0]
    ws, rest = [mpf(weight(x)) for x in xs], [mpf(f(x)) for x in xs]
    _, c = exchange(xs, rest, ws, list(range(count)))
    done = []
    for j in range(count):
        parts = [rounded(c[0], bits)]
        if j == 0 and exact_first:
            parts.append(rounded(c[0] - parts[0], bits))
        done.append(parts)
        rest = [v - sum(parts) * x**j for v, x in zip(rest, xs)]
        if j + 1 < count:
            powers, kept = list(range(j + 1, count)), c[1:]
            before = max(fabs(w * (v - value(kept, powers, x))) for w, v, x in zip(ws, rest, xs))
            worst, c = exchange(xs, rest, ws, powers)
            if worst > before:
                c = kept
    return max(fabs(w * v) for w, v in zip(ws, rest)), done


if __name__ == "__main__":
    # (sin(x) - x) / x^3 in z = x^2, relative to the sine.
    sine = lambda z: (sin(sqrt(z)) - sqrt(z)) / sqrt(z)**3 if z > mpf(2)**-40 else -mpf(1) / 6
    error, coefficients = fit(sine, lambda z: z, 0, 0.6175, 4, 24)
    print(f"error 2^{float(mp.log(error, 2)):.1f}:", [float(c[0]).hex() for c in coefficients])

#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The networks of bench_nets with JAX (jax.jit) and PyTorch (its own GRU and LSTM), where this Python
has them: a line for each, milliseconds of the shortest call, and where build/bench/nets.json has
weft's time on as many threads, their time / weft's. Everything runs in processes that may use that
many CPUs. `./dev bench nets` runs it behind its own table."""

import argparse
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = {  # steps, batch, in, hidden
    "GRU forward 64x32x256->256": (64, 32, 256, 256), "GRU forward 64x16x64->256": (64, 16, 64, 256),
    "GRU forward 32x8x64->64": (32, 8, 64, 64), "GRU forward 128x1x64->128": (128, 1, 64, 128),
    "LSTM forward 64x32x256->256": (64, 32, 256, 256), "LSTM forward 32x8x64->64": (32, 8, 64, 64),
    "GRU training 64x32x256->256": (64, 32, 256, 256), "GRU training 64x16x64->256": (64, 16, 64, 256),
    "GRU training 32x8x64->64": (32, 8, 64, 64)}
DENSE = {"dense training 64x784-256-10": (64, 784, 256, 10),
         "dense training 128x784-512-10": (128, 784, 512, 10)}
CHAR_LM = {"char_lm step, float32": "float32", "char_lm step, bf16": "bfloat16"}


def shortest(call, threads, limit=1.0):
    """Milliseconds; calls return when the result is there. Of one thread its CPU time, as weft's."""
    clock = time.process_time if threads == 1 else time.perf_counter
    call()
    every = []
    while sum(every) < limit or len(every) < 5:
        start = clock()
        call()
        every.append(clock() - start)
    return min(every) * 1e3


def random_arrays(*shapes):
    import numpy
    generator = numpy.random.default_rng(1)
    return [(generator.random(s, numpy.float32) - 0.5) * (0.2 if len(s) < 3 else 1.0) for s in shapes]


def jax_nets():
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    from jax import numpy as jnp

    def gru(p, h, x):
        wi, wh, bi, bh = p
        a, c = jnp.split(x @ wi.T + bi, 3, -1), jnp.split(h @ wh.T + bh, 3, -1)
        r, z = jax.nn.sigmoid(a[0] + c[0]), jax.nn.sigmoid(a[1] + c[1])
        return (1 - z) * jnp.tanh(a[2] + r * c[2]) + z * h

    def lstm(p, state, x):
        wi, wh, bi, bh = p
        h, c = state
        i, f, g, o = jnp.split(x @ wi.T + bi + h @ wh.T + bh, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c), c

    def gru_states(p, h, xs):
        def cell(state, x):
            state = gru(p, state, x)
            return state, state
        return jax.lax.scan(cell, h, xs)[1]

    def lstm_states(p, h, xs):
        def cell(state, x):
            state = lstm(p, state, x)
            return state, state[0]
        return jax.lax.scan(cell, (h, h), xs)[1]

    def down(loss):
        def step(p, *data):
            return jax.tree.map(lambda w, g: w - 0.1 * g, p, jax.grad(loss)(p, *data))
        return step

    def gru_loss(p, h, xs, target):
        return jnp.mean((gru_states(p, h, xs) - target) ** 2)

    def dense_loss(p, x, labels):
        w1, b1, w2, b2 = p
        y = jax.nn.relu(x @ w1 + b1) @ w2 + b2
        return -jnp.mean(jax.nn.log_softmax(y)[jnp.arange(len(labels)), labels])

    def timed(function, *data):
        data = jax.device_put(data)
        compiled = jax.jit(function)
        return lambda: jax.block_until_ready(compiled(*data))

    for name, (t, b, i, n) in SIZES.items():
        gates = 4 if "LSTM" in name else 3
        *p, h, x, target = random_arrays((gates * n, i), (gates * n, n), (gates * n,), (gates * n,),
                                         (b, n), (t, b, i), (t, b, n))
        if "training" in name:
            yield name, timed(down(gru_loss), p, h, x, target)
        else:
            yield name, timed(lstm_states if gates == 4 else gru_states, p, h, x)
    for name, (b, i, n, c) in DENSE.items():
        *p, x = random_arrays((i, n), (n,), (n, c), (c,), (b, i))
        yield name, timed(down(dense_loss), p, x, [k * 7 % c for k in range(b)])
    for name, low in CHAR_LM.items():
        yield name, jax_char_lm(jax, jnp, gru, timed, low)


def jax_char_lm(jax, jnp, gru, timed, low):
    """A training step of examples/char_lm/model.hpp: dropout, Adam; products in `low`."""
    t, b, v, e, n = 64, 16, 128, 64, 256
    emb, *p, out, bias, h = random_arrays((v, e), (3 * n, e), (3 * n, n), (3 * n,), (3 * n,), (v, n),
                                          (v,), (b, n))
    symbols = jnp.arange(t * b).reshape(t, b) * 31 % v

    def loss(params, h, symbols, targets, key):
        emb, p, out, bias = jax.tree.map(lambda w: w.astype(low), params)

        def cell(state, x):
            state = gru(p, state, x)
            return state, state
        last, states = jax.lax.scan(cell, h.astype(low), emb[symbols])
        kept = jax.random.bernoulli(key, 0.9, states.shape)
        logits = (jnp.where(kept, states / 0.9, 0) @ out.T + bias).astype("float32")
        logp = jax.nn.log_softmax(logits)
        return -jnp.mean(jnp.take_along_axis(logp, targets[..., None], -1)), last

    def step(params, m, v, count, h, symbols, targets, key):
        (value, last), g = jax.value_and_grad(loss, has_aux=True)(params, h, symbols, targets, key)
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        v = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, v, g)
        scale = 1 - 0.9 ** count, 1 - 0.99 ** count
        params = jax.tree.map(
            lambda w, a, b: w - 1e-3 * (a / scale[0]) / (jnp.sqrt(b / scale[1]) + 1e-8), params, m, v)
        return params, m, v, last, value

    params = (emb, p, out, bias)
    zeros = jax.tree.map(lambda w: w * 0, params)
    return timed(step, params, zeros, zeros, 1.0, h, symbols, (symbols + 1) % v, jax.random.key(1))


def torch_nets():
    import torch
    torch.set_num_threads(len(os.sched_getaffinity(0)))

    def trained(model, loss):
        best = torch.optim.SGD(model.parameters(), lr=0.1)

        def step():
            best.zero_grad()
            loss().backward()
            best.step()
        return step

    for name, (t, b, i, n) in SIZES.items():
        x, h, target = map(torch.from_numpy, random_arrays((t, b, i), (1, b, n), (t, b, n)))
        layer = (torch.nn.LSTM if "LSTM" in name else torch.nn.GRU)(i, n)
        if "training" in name:
            yield name, trained(layer, lambda l=layer, x=x, h=h, y=target:
                                torch.nn.functional.mse_loss(l(x, h)[0], y))
            continue
        state = (h, h) if "LSTM" in name else h

        def forward(layer=layer, x=x, state=state):
            with torch.no_grad():
                layer(x, state)
        yield name, forward
    for name, (b, i, n, c) in DENSE.items():
        net = torch.nn.Sequential(torch.nn.Linear(i, n), torch.nn.ReLU(), torch.nn.Linear(n, c))
        x = torch.from_numpy(random_arrays((b, i))[0])
        labels = torch.arange(b) * 7 % c
        yield name, trained(net, lambda net=net, x=x, y=labels:
                            torch.nn.functional.cross_entropy(net(x), y))
    for name, low in CHAR_LM.items():
        yield name, torch_char_lm(torch, getattr(torch, low))


def torch_char_lm(torch, low):
    t, b, v, e, n = 64, 16, 128, 64, 256
    emb, cell, out = torch.nn.Embedding(v, e), torch.nn.GRU(e, n), torch.nn.Linear(n, v)
    every = [*emb.parameters(), *cell.parameters(), *out.parameters()]
    best = torch.optim.Adam(every, lr=1e-3, betas=(0.9, 0.99))
    symbols = torch.arange(t * b).reshape(t, b) * 31 % v
    h = torch.zeros(1, b, n)

    def step():
        best.zero_grad()
        with torch.autocast("cpu", low, enabled=low != torch.float32):
            states, _ = cell(emb(symbols), h)
            logits = out(torch.nn.functional.dropout(states, 0.1))
        torch.nn.functional.cross_entropy(logits.float().reshape(-1, v),
                                          ((symbols + 1) % v).reshape(-1)).backward()
        best.step()
    return step


SYSTEMS = {"JAX": ("jax", jax_nets), "PyTorch": ("torch", torch_nets)}


def measure(system, threads, part):
    """In this process: `name|milliseconds` lines."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    for name, call in SYSTEMS[system][1]():
        if part in name:
            print(f"{name}|{shortest(call, threads):.6g}", flush=True)


def weft_times(threads):
    try:
        with open(os.path.join(ROOT, "build/bench/nets.json"), encoding="utf-8") as file:
            rows = json.load(file)["rows"]
    except OSError:
        return {}
    return {r["name"]: r["sides"][0]["least"] * 1e3 for r in rows if r["threads"] == threads}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=0, help="this number only (1 and 2 if not given)")
    parser.add_argument("--system", choices=SYSTEMS, help=argparse.SUPPRESS)
    parser.add_argument("part", nargs="?", default="", help="nets whose names have this in them")
    options = parser.parse_args()
    if options.system:
        return measure(options.system, options.threads, options.part)
    for system, (module, _) in SYSTEMS.items():
        found = subprocess.run([sys.executable, "-c", f"import {module}"], stderr=subprocess.DEVNULL,
                               check=False)
        if found.returncode:
            print(f"{system} is not measured: {sys.executable} does not have it "
                  "(WEFT_JAX_PYTHON names a Python that does)")
            continue
        for threads in [options.threads] if options.threads else [1, 2]:
            done = subprocess.run([sys.executable, __file__, "--system", system, "--threads",
                                   str(threads), options.part], stdout=subprocess.PIPE, text=True,
                                  check=True)
            weft = weft_times(threads)
            for line in done.stdout.splitlines():
                name, time_of = line.split("|")
                ratio = f"{float(time_of) / weft[name]:8.3g}" if name in weft else ""
                print(f"{system:8}{name:34} {threads} {float(time_of):10.4g} ms{ratio}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: BSL-1.0
"""Three models in plain JAX, as functions of their weights (a dict of arrays) and one input: a GRU
over a sequence, a convolutional net, an attention block. Each has a maker of weights and input."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def normal(seed):
    """A function that makes arrays of a shape, divided by the root of their second-last extent."""
    draw = np.random.default_rng(seed)

    def make(*shape):
        depth = shape[-2] if len(shape) == 2 else np.prod(shape[:-1]) if len(shape) > 2 else 16
        return (draw.standard_normal(shape) / np.sqrt(depth)).astype(np.float32)

    return make


# ---- GRU: (steps, batch, features) -> (steps, batch, classes)
def gru(p, xs):
    def step(h, x):
        r, z, n = jnp.split(x @ p["w"] + p["b"], 3, axis=-1)
        hr, hz, hn = jnp.split(h @ p["u"] + p["c"], 3, axis=-1)
        z = jax.nn.sigmoid(z + hz)
        n = jnp.tanh(n + jax.nn.sigmoid(r + hr) * hn)
        h = (1 - z) * n + z * h
        return h, h

    hidden = p["u"].shape[0]
    _, hs = lax.scan(step, jnp.zeros((xs.shape[1], hidden), xs.dtype), xs)
    return hs @ p["out"]


def gru_data(steps, features, hidden, classes):
    make = normal(1)
    p = {"w": make(features, 3 * hidden), "b": make(3 * hidden), "u": make(hidden, 3 * hidden),
         "c": make(3 * hidden), "out": make(hidden, classes)}
    return p, 4 * make(steps, 1, features)


# ---- convolutional net: (batch, height, width, channels) -> (batch, classes)
def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def conv_net(p, x):
    for w, b in ((p["w1"], p["b1"]), (p["w2"], p["b2"])):
        x = lax.conv_general_dilated(x, w, (1, 1), "SAME",
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = pool(jax.nn.relu(x + b))
    return jax.nn.softmax(x.reshape(x.shape[0], -1) @ p["dense"] + p["bias"])


def conv_net_data(side, channels, first, second, classes):
    make = normal(2)
    p = {"w1": make(3, 3, channels, first), "b1": make(first), "w2": make(3, 3, first, second),
         "b2": make(second), "dense": make((side // 4) ** 2 * second, classes),
         "bias": make(classes)}
    return p, 4 * make(1, side, side, channels)


# ---- attention block, causal: (batch, steps, features) -> the same
def normalised(x, scale, shift):
    x = x - x.mean(-1, keepdims=True)
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale + shift


def attention(p, x):
    y = normalised(x, p["scale1"], p["shift1"])
    q, k, v = (jnp.einsum("bsf,fhd->bhsd", y, p[name]) for name in ("q", "k", "v"))
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    heads = jax.nn.softmax(jnp.where(seen, scores, -1e30)) @ v
    x = x + jnp.einsum("bhsd,hdf->bsf", heads, p["out"])
    y = normalised(x, p["scale2"], p["shift2"])
    return x + jax.nn.gelu(y @ p["up"]) @ p["down"]


def attention_data(steps, features, heads, inner):
    make = normal(3)
    size = features // heads
    p = {name: make(features, heads, size) * np.float32(np.sqrt(heads)) for name in "qkv"}
    p |= {"out": make(heads, size, features), "up": make(features, inner),
          "down": make(inner, features), "scale1": 1 + make(features), "shift1": make(features),
          "scale2": 1 + make(features), "shift2": make(features)}
    return p, 4 * make(1, steps, features)


# name: (function, weights and input as the example has them, as the benchmark has them)
MODELS = {
    "gru": (gru, lambda: gru_data(24, 16, 32, 8), lambda: gru_data(64, 64, 128, 32)),
    "conv_net": (conv_net, lambda: conv_net_data(16, 1, 8, 16, 10),
                 lambda: conv_net_data(32, 3, 32, 64, 10)),
    "attention": (attention, lambda: attention_data(16, 32, 4, 64),
                  lambda: attention_data(64, 128, 4, 512)),
}

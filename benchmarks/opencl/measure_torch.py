#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times PyTorch, and with it the vendor's libraries, at the programs of bench_opencl on its GPU: a line
for each, seconds of the shortest round by call, a blank and the program's name. float32 products keep
float32 (no TF32). bench_opencl reads them: measure_torch.py > FILE; bench_opencl "" FILE"""
import sys
import time

import torch
from torch.nn import functional

if not torch.cuda.is_available():
    sys.exit("PyTorch sees no GPU here")
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
DEVICE = torch.device("cuda")


def shortest(call):
    def a_round(times):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(times):
            call()
        torch.cuda.synchronize()
        return (time.perf_counter() - start) / times

    a_round(1)
    times = int(min(max(0.05 / a_round(1), 1), 1000))
    return min(a_round(times) for _ in range(8))


def tell(name, call):
    print(f"{shortest(call):.9f} {name}", flush=True)


def bandwidth():
    count = 1 << 27
    x, y, out = (torch.rand(count, device=DEVICE) - 0.5 for _ in range(3))
    tell("negate", lambda: torch.neg(x, out=out))
    tell("sum of all", lambda: torch.sum(x))

    @torch.compile
    def ten_ops(x, y):
        a = x * y + x
        b = torch.sqrt(torch.abs(a * a - y))
        return torch.maximum(b, x) * torch.minimum(a, y) + 0.5

    try:
        tell("ten elementwise ops", lambda: ten_ops(x, y))
    except Exception as error:  # no compiler there
        print(f"ten elementwise ops: {error}", file=sys.stderr)
    x = x.view(-1, 1024)
    scale, shift = torch.rand(1024, device=DEVICE), torch.rand(1024, device=DEVICE)
    tell("softmax of rows of 1024", lambda: torch.softmax(x, 1))
    tell("layer_norm of rows of 1024", lambda: functional.layer_norm(x, (1024,), scale, shift))
    tell("sums of rows of 1024", lambda: torch.sum(x, 1))
    tell("sums of 1024 columns", lambda: torch.sum(x, 0))


def products():
    for type_name, dtype in (("float", torch.float32), ("bf16", torch.bfloat16)):
        for side in (256, 512, 1024, 2048, 4096, 8192):
            a, b = ((torch.rand(side, side, device=DEVICE) - 0.5).to(dtype) for _ in range(2))
            out = torch.empty(side, side, device=DEVICE, dtype=dtype)
            tell(f"{type_name} product, {side}", lambda: torch.matmul(a, b, out=out))


def networks():
    batch, hidden = 64, 256
    cell = torch.nn.GRUCell(hidden, hidden, device=DEVICE)
    x = torch.rand(batch, hidden, device=DEVICE)
    with torch.no_grad():
        tell("GRU step, 64 of 256", lambda: cell(x, x))

    x = torch.rand(256, 784, device=DEVICE)
    labels = torch.arange(256, device=DEVICE) % 10
    weights = [torch.rand(shape, device=DEVICE, requires_grad=True) for shape in ((784, 512), (512,), (512, 10))]

    def step():
        w, b, v = weights
        loss = functional.cross_entropy(torch.tanh(x @ w + b) @ v, labels)
        gradients = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            for p, g in zip(weights, gradients):
                p.sub_(g, alpha=0.1)

    tell("training step, 784-512-10", step)


if __name__ == "__main__":
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}", file=sys.stderr)
    products()
    bandwidth()
    networks()

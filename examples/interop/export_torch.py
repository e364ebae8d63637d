#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Exports a small PyTorch network to StableHLO by torch.export and torchax, in the files that
export_jax.py writes: torch_net.mlir, .safetensors, _x.npy and PyTorch's own _y.npy.
usage: export_torch.py [FOLDER]     Needs: torch 2.9, torchax 0.0.13, jax (all on PyPI)."""
import os
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import numpy as np  # noqa: E402
import torch  # noqa: E402
from jax._src.interpreters.mlir import make_ir_context  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402
from torchax.export import exported_program_to_stablehlo  # noqa: E402

from arrays import named_module, save_safetensors  # noqa: E402


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.hidden = torch.nn.Linear(8 * 6 * 6, 32)
        self.out = torch.nn.Linear(32, 10)

    def forward(self, x):
        x = torch.nn.functional.max_pool2d(torch.relu(self.norm(self.conv(x))), 2)
        x = torch.nn.functional.gelu(self.hidden(x.flatten(1)))
        return torch.log_softmax(self.out(x), -1)


def argument_names(program):
    """Of weights and buffers, in the order in which torchax's function takes them."""
    signature = program.graph_signature
    return [spec.target for spec in signature.input_specs if spec.target is not None]


def main(folder):
    torch.manual_seed(4)
    net = Net().eval()
    with torch.no_grad():
        for buffer in (net.norm.running_mean, net.norm.running_var):
            buffer.copy_(0.5 + torch.rand(8))
    x = torch.randn(1, 1, 12, 12)
    program = torch.export.export(net, (x,))
    weights, exported = exported_program_to_stablehlo(program)
    # Weights that no result needs, such as the number of batches seen, are no arguments.
    named = dict(zip(argument_names(program), weights))
    kept = [name for i, name in enumerate(named) if i in exported.module_kept_var_idx]
    path = os.path.join(folder, "torch_net")
    with make_ir_context():
        module = ir.Module.parse(exported.mlir_module())
        with open(path + ".mlir", "w") as file:
            file.write(named_module(module, [*kept, "x"]))
    save_safetensors(path + ".safetensors", {name: np.asarray(named[name]) for name in kept})
    np.save(path + "_x.npy", x.numpy())
    np.save(path + "_y.npy", net(x).detach().numpy())


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "data"))

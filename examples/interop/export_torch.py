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
from torchax.export import exported_program_to_stablehlo  # noqa: E402

from arrays import named_arguments, save_safetensors  # noqa: E402


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

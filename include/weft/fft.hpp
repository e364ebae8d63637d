// SPDX-License-Identifier: BSL-1.0
// Discrete Fourier transforms: fft::fft, ifft, rfft, irfft. docs/linalg.md.
// Needs: Eigen 3.4 with its unsupported modules. Not part of weft.hpp.
#pragma once

#include <weft/fft/dft.hpp>
#include <weft/run/jit.hpp>

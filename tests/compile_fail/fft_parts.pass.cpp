// SPDX-License-Identifier: BSL-1.0
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
auto example(traced<float, 8> x, traced<float, 8> y) { return fft::fft(x, y); }

// SPDX-License-Identifier: BSL-1.0
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
auto example(traced<int, 8> x) { return fft::rfft(weft::convert<float>(x)); }

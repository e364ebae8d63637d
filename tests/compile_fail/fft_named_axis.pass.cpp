// SPDX-License-Identifier: BSL-1.0
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
inline constexpr weft::sym rows{"rows"};
auto example(traced<float, rows, 8> x) { return fft::rfft(x); }

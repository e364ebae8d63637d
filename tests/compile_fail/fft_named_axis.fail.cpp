// SPDX-License-Identifier: BSL-1.0
// expect: weft: fft: the axis has a name, and half of a name is none; give it a number, or use fft
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
inline constexpr weft::sym rows{"rows"};
auto example(traced<float, rows, 8> x) { return fft::rfft<fft::norm::backward, 0>(x); }

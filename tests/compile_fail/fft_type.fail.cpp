// SPDX-License-Identifier: BSL-1.0
// expect: weft: fft: not float or double; write convert<float>(x)
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
auto example(traced<int, 8> x) { return fft::rfft(x); }

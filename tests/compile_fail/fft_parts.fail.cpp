// SPDX-License-Identifier: BSL-1.0
// expect: weft: fft: the real and the imaginary parts differ in shape or element type
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
auto example(traced<float, 8> x, traced<float, 7> y) { return fft::fft(x, y); }

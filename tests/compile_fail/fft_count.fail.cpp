// SPDX-License-Identifier: BSL-1.0
// expect: weft: fft: irfft of n elements takes n / 2 + 1; write irfft<n>(re, im)
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
auto example(traced<float, 5> x, traced<float, 5> y) { return fft::irfft<7>(x, y); }

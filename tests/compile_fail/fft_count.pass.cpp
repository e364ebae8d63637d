// SPDX-License-Identifier: BSL-1.0
// needs: unsupported/Eigen/FFT
#include <weft/fft/dft.hpp>

namespace fft = weft::fft;
using weft::traced;
auto example(traced<float, 5> x, traced<float, 5> y) { return fft::irfft<9>(x, y); }

// SPDX-License-Identifier: BSL-1.0
// The layers that are measured and what one call of them computes: square images, filters and
// strides, float32.
#pragma once

#include <cstddef>

namespace bench {

enum class layout { nhwc, nchw };
enum class direction { forward, by_input, by_filter };

struct layer {
  int batch, size, in, out, filter, stride, pad;
  int groups = 1; // 1, or depthwise: as many as channels
  layout order = layout::nhwc;

  constexpr int places() const { return (size + 2 * pad - filter) / stride + 1; }
  constexpr std::size_t x_count() const { return count(batch, size, size, in); }
  constexpr std::size_t w_count() const { return count(filter, filter, in / groups, out); }
  constexpr std::size_t y_count() const { return count(batch, places(), places(), out); }
  // Of any direction: a multiply and an add per tap, padding included.
  constexpr double operations() const {
    return 2.0 * static_cast<double>(y_count()) * filter * filter * (in / groups);
  }

private:
  static constexpr std::size_t count(int a, int b, int c, int d) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c) *
           static_cast<std::size_t>(d);
  }
};

// x, w and the cotangent of y; a direction reads two of them and writes like the third.
struct operands {
  float const *x, *w, *y;
};
constexpr std::size_t result_count(layer const& l, direction d) {
  return d == direction::forward    ? l.y_count()
         : d == direction::by_input ? l.x_count()
                                    : l.w_count();
}

} // namespace bench

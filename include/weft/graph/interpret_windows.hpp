// SPDX-License-Identifier: BSL-1.0
// The interpreter's windows and their adjoint.
//   window       result[.., o, .., k] = x[.., o * stride + k * dilation, ..]
//   overlap_add  out[i] = +0, then, for every k, row-major: + x[.., o, .., k], where
//                o * stride + k * dilation is i for one of the places o. 16-bit floats are summed in
//                float and rounded once.
// Needs: attributes that verify accepts, shapes that are numbers. Leaves: the bits that every
// backend must give.
#pragma once

#include <weft/graph/interpret_elementwise.hpp>
#include <weft/graph/interpret_movement.hpp>
#include <weft/graph/window_list.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr dense window_dense(dense const& x, window_list const& windows) {
  int const rank = x.shape.rank;
  return read_through(x, windowed(x.shape, windows), [&](position const& p) {
    position source = x.shape;
    for (int i = 0; i < rank; ++i) source[i] = p[i];
    for (int w = 0; w < windows.count(); ++w) {
      extent& at = source[windows.axis(w)];
      at = at * windows.stride(w) + p[rank + w] * windows.dilation(w);
    }
    return source;
  });
}

// The window that has element p of the result at place k, or false: there is none.
constexpr bool find_window(window_list const& windows, extents const& of, position const& k,
                           position& p) {
  for (int w = 0; w < windows.count(); ++w) {
    extent& at = p[windows.axis(w)];
    extent const start = at - k[w] * windows.dilation(w);
    if (start < 0 || start % windows.stride(w) != 0) return false;
    at = start / windows.stride(w);
    if (at >= of[windows.axis(w)]) return false;
  }
  for (int w = 0; w < windows.count(); ++w) p.push(k[w]);
  return true;
}
// D stands for the type of x.
template <dtype D>
constexpr dense overlap_add_typed(dense const& x, extents const& shape,
                                  window_list const& windows) {
  dense result(x.type, shape);
  extents const taps = windows.sizes();
  for (int i = 0; i < result.size(); ++i) {
    scalar_of<D> sum(0);
    for (int k = 0; k < count_of(taps); ++k) {
      position p = position_of(i, shape);
      if (find_window(windows, x.shape, position_of(k, taps), p))
        sum = row<op::add>::meaning(sum, read_as<D>(x[offset_of(p, x.shape)], x.type));
    }
    result[i] = write_as<D>(sum, x.type);
  }
  return result;
}
constexpr dense overlap_add_dense(dense const& x, extents const& shape,
                                  window_list const& windows) {
  return with_widest(x.type, [&]<dtype D>() {
    if constexpr (D != dtype::boolean) return overlap_add_typed<D>(x, shape, windows);
    else return dense();
  });
}

} // namespace detail
} // namespace weft::inline v0

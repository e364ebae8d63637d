// SPDX-License-Identifier: BSL-1.0
// The interpreter's convolution: graph/convolution.hpp, word for word.
// Needs: attributes that verify accepts, shapes that are numbers. Leaves: the bits that every
// backend must give.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/graph/interpret_reduce.hpp>

namespace weft::inline v0 {
namespace detail {

class convolution_loop {
public:
  extents inner; // what one element sums over: the windows' axes of w, then the labels of x and w

  constexpr convolution_loop(convolution const& c, extents const& x, extents const& w)
      : c_(c), x_(x), w_(w) {
    for (int i = 0; i < c.windows; ++i) add(c.window[i].w);
    for (int i = 0; i < c.rank_x; ++i)
      if (c.in_w(c.x[i]) >= 0 && c.in_out(c.x[i]) < 0) add(c.x[i]);
  }
  struct factors {
    bool term = true;  // else x has no element there: it lies between two
    int x = -1, w = 0; // offsets; x beyond its ends: -1
  };
  constexpr factors at(position const& out, position const& k) const {
    factors f;
    position in_x = x_, in_w = w_;
    bool outside = false;
    for (int i = 0; i < c_.rank_x; ++i) in_x[i] = index_of(c_.x[i], out, k);
    for (int i = 0; i < c_.rank_w; ++i) in_w[i] = index_of(c_.w[i], out, k);
    for (int i = 0; i < c_.windows; ++i) {
      convolution_window const& v = c_.window[i];
      extent const place = out[c_.in_out(v.out)] * v.stride + k[i] * v.dilation - v.low;
      extent& index = in_x[c_.in_x(v.x)];
      index = place / v.spread;
      f.term = f.term && place % v.spread == 0;
      outside |= index < 0 || index >= x_[c_.in_x(v.x)];
    }
    f.w = offset_of(in_w, w_);
    if (f.term && !outside) f.x = offset_of(in_x, x_);
    return f;
  }

private:
  constexpr void add(extent label) {
    labels_[inner.rank] = label;
    inner.push(w_[c_.in_w(label)]);
  }
  constexpr extent index_of(extent label, position const& out, position const& k) const {
    if (int const at = c_.in_out(label); at >= 0) return out[at];
    int const at = contraction::find(labels_, inner.rank, label);
    return at >= 0 ? k[at] : 0; // 0: a window's axis of x
  }

  convolution const& c_;
  extents x_, w_;
  extent labels_[max_rank]{};
};

// D stands for the operands' type; bias is null where the node has none.
template <dtype D>
constexpr dense convolve_typed(convolution const& labels, dense const& x, dense const& w,
                               dense const* bias, dense result) {
  using T = scalar_of<D>;
  convolution_loop const c(labels, x.shape, w.shape);
  for (int i = 0; i < result.size(); ++i) {
    position const out = position_of(i, result.shape);
    T sum = T(0);
    for (int k = 0; k < count_of(c.inner); ++k) {
      auto const f = c.at(out, position_of(k, c.inner));
      if (!f.term) continue;
      T const factor = f.x >= 0 ? read_as<D>(x[f.x], x.type) : T(0);
      sum = multiply_add(factor, read_as<D>(w[f.w], w.type), sum);
    }
    if (bias) sum = sum + read_as<D>((*bias)[i], bias->type);
    result[i] = write_as<D>(sum, result.type);
  }
  return result;
}

} // namespace detail
} // namespace weft::inline v0

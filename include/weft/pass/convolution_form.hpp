// SPDX-License-Identifier: BSL-1.0
// The normal form of a convolution with known extents and strides: products (pass/product.hpp) over
// x as it lies, or over a copy of x with its zeros around.
// A window i * spread = o * stride + j * dilation - low is solved by residues: with
// o = r + P t, P = spread / gcd(stride, spread), and j = j0 + Q q, Q = spread / gcd(dilation, spread),
// i = first + t * (stride P / spread) + q * (dilation Q / spread), every one of which is a term. So
// each tuple of residues, one r per window, is a product without gaps: a *phase*. In its product the
// t are free axes of x, the q contracted ones, and x is read with both strides: no im2col.
// Needs: extents that are numbers. Leaves: phases whose results are disjoint and together all of
// out; each with k in the stated order (windows, then shared labels); a phase without a tap sums
// nothing: out is +0, or the bias. In product.padding, of the outermost window with several taps, the
// steps that read what is around x, unless the product's sides are exchanged.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/graph/limits.hpp>
#include <weft/pass/product.hpp>

namespace weft::inline v0 {
namespace detail {
// The greatest one; <numeric> would cost every source 0.02 s.
constexpr extent common_divisor(extent a, extent b) {
  while (b != 0) {
    extent const rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}
} // namespace detail

// One window at one residue.
struct window_phase {
  extent places = 0, taps = 0;                  // how many t and q
  extent first = 0, per_place = 0, per_tap = 0; // i = first + t * per_place + q * per_tap
  extent first_place = 0, place_step = 1;       // o
  extent first_tap = 0, tap_step = 1;           // j

  constexpr bool empty() const { return places == 0 || taps == 0; }
  // The least and the greatest i.
  constexpr extent least() const {
    extent const by_place = per_place < 0 ? (places - 1) * per_place : 0;
    return first + by_place + (per_tap < 0 ? (taps - 1) * per_tap : 0);
  }
  constexpr extent greatest() const {
    extent const by_place = per_place > 0 ? (places - 1) * per_place : 0;
    return first + by_place + (per_tap > 0 ? (taps - 1) * per_tap : 0);
  }
};

// How many residues have a place.
constexpr extent residues_of(convolution_window const& v, extent places) {
  extent const period = v.spread / detail::common_divisor(v.stride, v.spread);
  return period < places ? period : places;
}
constexpr window_phase phase_of(convolution_window const& v, extent residue, extent taps,
                                extent places) {
  window_phase p;
  p.place_step = v.spread / detail::common_divisor(v.stride, v.spread);
  p.tap_step = v.spread / detail::common_divisor(v.dilation, v.spread);
  p.first_place = residue;
  p.places = residue < places ? detail::share_count(places - residue, p.place_step) : 0;
  extent const start = residue * v.stride - v.low, most = p.tap_step < taps ? p.tap_step : taps;
  while (p.first_tap < most && (start + p.first_tap * v.dilation) % v.spread != 0) ++p.first_tap;
  if (p.first_tap == most) return p;
  p.taps = detail::share_count(taps - p.first_tap, p.tap_step);
  p.first = (start + p.first_tap * v.dilation) / v.spread;
  p.per_place = v.stride * p.place_step / v.spread;
  p.per_tap = v.dilation * p.tap_step / v.spread;
  return p;
}

// A copy of x with zeros around. Its axis k, row-major, is x's axis[k]: index n there stands for
// element first + n * step of x's, if there is one. The same for all phases.
struct padded_copy {
  bool needed = false;
  extents shape;
  int axis[max_rank]{};
  extent first[max_rank]{}, step[max_rank]{};

  constexpr extent count() const { return needed ? count_of(shape) : 0; }
};
// What is copied: along each axis of the copy so many elements, of x's from `from` on, which become
// the copy's from `to` on.
struct copied_part {
  extents shape, from, to;
};
constexpr copied_part part_of(padded_copy const& copy, extents const& x) {
  copied_part p;
  for (int k = 0; k < copy.shape.rank; ++k) {
    extent const first = copy.first[k], step = copy.step[k];
    p.to.push(first < 0 ? detail::share_count(-first, step) : 0);
    p.from.push(first + p.to[k] * step);
    extent const left = x[copy.axis[k]] - p.from[k], room = copy.shape[k] - p.to[k];
    extent const there = left <= 0 ? 0 : detail::share_count(left, step);
    p.shape.push(room <= 0 ? 0 : there < room ? there : room);
  }
  return p;
}

class convolution_form {
public:
  constexpr convolution_form() = default;
  constexpr convolution_form(convolution const& c, strided_shape const& x, strided_shape const& w,
                             strided_shape const& out, extents const& bias_strides = {})
      : c_(c), x_(x), w_(w), out_(out), bias_(bias_strides) {
    if (bias_.rank == 0) bias_ = extents{out.shape.rank, {}};
    for (int i = 0; i < c.windows; ++i) phases_ *= residues(i);
    if (count_of(out.shape) == 0 || count_of(w.shape) == 0) return;
    plan_copy();
  }

  constexpr extent phases() const { return phases_; }
  constexpr convolution const& labels() const { return c_; }
  constexpr strided_shape const& x() const { return x_; }
  constexpr strided_shape const& w() const { return w_; }
  constexpr strided_shape const& out() const { return out_; }
  constexpr extents const& bias_strides() const { return bias_; }
  constexpr padded_copy const& copy() const { return copy_; }
  constexpr bool places_fill_packs() const { return side_ >= 0; }
  constexpr int side() const { return side_; } // the window whose places do
  constexpr extent phases_of(int window) const { return residues(window); }
  // Places of a window, one of every phase a group.
  constexpr extent groups_of_places(int window) const {
    return detail::share_count(places_of(window), residues(window));
  }

  struct phase {
    window_phase window[max_rank];
    product_form product;
    places first;               // offsets of the product's arrays; a: in x, or in the copy
    extent rows_to[max_rank]{}; // rows of the axes up to a window's, it included
  };
  constexpr phase at(extent n) const {
    phase p;
    for (int i = c_.windows - 1; i >= 0; --i) {
      p.window[i] = window(i, n % residues(i));
      n /= residues(i);
    }
    make_product_of(p);
    return p;
  }

private:
  constexpr extent taps(int i) const { return w_.shape[c_.in_w(c_.window[i].w)]; }
  constexpr extent places_of(int i) const { return out_.shape[c_.in_out(c_.window[i].out)]; }
  constexpr extent residues(int i) const { return residues_of(c_.window[i], places_of(i)); }
  constexpr window_phase window(int i, extent residue) const {
    return phase_of(c_.window[i], residue, taps(i), places_of(i));
  }
  constexpr int window_at(extent label) const {
    for (int i = 0; i < c_.windows; ++i)
      if (c_.window[i].x == label) return i;
    return -1;
  }

  // More places, or places closer to each other in out.
  constexpr bool fills_better(int i, int other) const {
    extent const more = places_of(i) - places_of(other);
    auto const step = [this](int at) { return out_.strides[c_.in_out(c_.window[at].out)]; };
    return more > 0 || (more == 0 && step(i) < step(other));
  }
  // Few features fill no pack; then places do, which must be neighbours in memory: the window with
  // the most of them, if its steps are single elements. -1: features fill packs.
  constexpr int places_side_by_side() const {
    extent features = 1;
    for (int i = 0; i < w_.shape.rank; ++i)
      if (c_.in_out(c_.w[i]) >= 0 && c_.in_x(c_.w[i]) < 0) features *= w_.shape[i];
    int best = -1;
    for (int i = 0; i < c_.windows; ++i)
      if (c_.window[i].stride == detail::common_divisor(c_.window[i].stride, c_.window[i].spread) &&
          places_of(i) / residues(i) >= 16 && (best < 0 || fills_better(i, best)))
        best = i;
    return 1 < features && features <= 8 ? best : -1;
  }
  // What all phases together read along each axis; of one phase, only what lies on its grid.
  constexpr void plan_copy() {
    side_ = places_side_by_side();
    int const last = side_ < 0 ? -1 : c_.in_x(c_.window[side_].x);
    for (int i = 0; i < x_.shape.rank; ++i)
      if (i != last) plan_axis(i);
    if (last >= 0) plan_axis(last);
    if (last >= 0 && x_.strides[last] != 1) copy_.needed = true;
    if (copy_.needed && detail::elements_of(copy_.shape) < 0) detail::raise_elements(copy_.shape);
  }
  constexpr void plan_axis(int axis) {
    int const k = copy_.shape.rank, at = window_at(c_.x[axis]);
    copy_.axis[k] = axis;
    copy_.step[k] = 1;
    if (at < 0) return copy_.shape.push(x_.shape[axis]);
    extent low = 0, high = -1, grid = 0;
    for (extent r = 0; r < residues(at); ++r) {
      window_phase const v = window(at, r);
      if (v.empty()) continue;
      bool const first = high < low;
      if (first || v.least() < low) low = v.least();
      if (first || v.greatest() > high) high = v.greatest();
      grid = detail::common_divisor(v.places > 1 ? v.per_place : 0, v.taps > 1 ? v.per_tap : 0);
    }
    copy_.needed |= high >= low && (low < 0 || high >= x_.shape[axis]);
    copy_.first[k] = low;
    if (residues(at) == 1 && grid > 1) copy_.step[k] = grid;
    copy_.shape.push(high < low ? 0 : (high - low) / copy_.step[k] + 1);
  }

  // Steps of the product's a: along a label of x, or along a window's places and taps.
  struct steps {
    extent label[max_rank]{}, place[max_rank]{}, tap[max_rank]{}, first = 0;
  };
  constexpr steps steps_of(phase const& p) const {
    steps s;
    extents const dense = row_major_strides(copy_.shape);
    for (int n = 0; n < x_.shape.rank; ++n) {
      int const i = copy_.needed ? copy_.axis[n] : n, k = window_at(c_.x[i]);
      extent const step = copy_.needed ? dense[n] : x_.strides[i];
      extent const first = copy_.needed ? copy_.first[n] : 0,
                   grid = copy_.needed ? copy_.step[n] : 1;
      if (k < 0) s.label[i] = step;
      else if (!p.window[k].empty()) {
        s.place[k] = step * (p.window[k].per_place / grid);
        s.tap[k] = step * (p.window[k].per_tap / grid);
        s.first += step * ((p.window[k].first - first) / grid);
      }
    }
    return s;
  }
  // Then they are columns, whatever out's layout is: what windows overlap in is rows of x, which are
  // read where they lie.
  constexpr bool features_fill_packs(phase const& p) const {
    bool overlap = false;
    for (int i = 0; i < c_.windows; ++i) overlap |= p.window[i].taps > 1;
    return overlap && p.product.n.count() >= 16;
  }
  constexpr void make_product_of(phase& p) const {
    steps const a = steps_of(p);
    p.first.a = a.first;
    int const last = side_ < 0 ? -1 : c_.in_out(c_.window[side_].out);
    for (int i = 0; i < out_.shape.rank; ++i)
      if (i != last) push_free(p, a, i);
    if (last >= 0) push_free(p, a, last);
    for (int i = 0; i < c_.windows; ++i) {
      window_phase const& v = p.window[i];
      extent const step = w_.strides[c_.in_w(c_.window[i].w)];
      p.product.k.push({v.empty() ? 0 : v.taps, {a.tap[i], step * v.tap_step}});
      p.first.b += step * v.first_tap;
    }
    for (int i = 0; i < x_.shape.rank; ++i)
      if (int const in_w = c_.in_w(c_.x[i]); in_w >= 0 && c_.in_out(c_.x[i]) < 0)
        p.product.k.push({x_.shape[i], {a.label[i], w_.strides[in_w]}});
    if (p.product.k.count() == 0) p.first.a = p.first.b = 0; // nothing is read
    if (side_ >= 0) detail::swap_sides(p.product);
    else if (!features_fill_packs(p)) detail::choose_columns(p.product);
    if (side_ < 0 && !p.product.swapped) note_padding(p);
  }
  // Of the first window that has several taps, whose steps are the outermost.
  constexpr void note_padding(phase& p) const {
    int w = 0;
    while (w < c_.windows && p.window[w].taps == 1) ++w;
    if (w == c_.windows || p.window[w].empty() || p.product.m.count() == 0) return;
    window_phase const& v = p.window[w];
    extent const room = x_.shape[c_.in_x(c_.window[w].x)];
    if (v.least() >= 0 && v.greatest() < room) return;
    p.product.padding = {.rows_each = p.product.m.count() / p.rows_to[w],
                         .places = v.places,
                         .taps = v.taps,
                         .steps_each = p.product.k.count() / v.taps,
                         .first = v.first,
                         .per_place = v.per_place,
                         .per_tap = v.per_tap,
                         .room = room};
  }
  constexpr void push_free(phase& p, steps const& a, int axis) const {
    extent const label = c_.out[axis], out = out_.strides[axis], bias = bias_[axis];
    for (int i = 0; i < c_.windows; ++i)
      if (c_.window[i].out == label) {
        window_phase const& v = p.window[i];
        p.product.m.push({v.places, {a.place[i], 0, out * v.place_step, bias * v.place_step}});
        p.rows_to[i] = p.product.m.count();
        p.first.out += out * v.first_place;
        p.first.bias += bias * v.first_place;
        return;
      }
    int const in_x = c_.in_x(label), in_w = c_.in_w(label);
    product_axes& axes = in_x >= 0 && in_w >= 0 ? p.product.batch
                         : in_x >= 0            ? p.product.m
                                                : p.product.n;
    axes.push({out_.shape[axis],
               {in_x >= 0 ? a.label[in_x] : 0, in_w >= 0 ? w_.strides[in_w] : 0, out, bias}});
  }

  convolution c_;
  strided_shape x_, w_, out_;
  extents bias_;
  padded_copy copy_;
  int side_ = -1; // the window whose places fill packs
  extent phases_ = 1;
};

} // namespace weft::inline v0

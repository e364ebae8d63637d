// SPDX-License-Identifier: BSL-1.0
// reduce_window: pools, running sums, and any body over windows.
// Needs: import_bodies.hpp, import_shapes.hpp, graph/handle_prefix.hpp. Leaves: a reduced view of
// windows as the pools record it; windows that reach from the first element to this one, or from this
// one to the last, are a prefix scan in log2(n) levels.
#pragma once

#include <weft/graph/handle_prefix.hpp>
#include <weft/stablehlo/import_bodies.hpp>
#include <weft/stablehlo/import_products.hpp>
#include <weft/stablehlo/import_shapes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

using weft::detail::pool_axis;
using weft::detail::pool_plan;

// One entry per axis; padding as pad takes it: low…, high…, interior….
struct window_walks {
  growing<extent> size, stride, dilation, pads;

  constexpr bool is_trivial(int i) const { return size[i] == 1 && stride[i] == 1; }
  constexpr bool is_padded(int i) const {
    int const rank = size.size();
    return pads[i] != 0 || pads[rank + i] != 0 || pads[2 * rank + i] != 0;
  }
};
constexpr window_walks windows_of(importing& c, operation const& o, extents const& s) {
  window_walks w{numbers_of(c, o, "window_dimensions"),
                 numbers_or(c, o, "window_strides", s.rank, 1),
                 numbers_or(c, o, "window_dilations", s.rank, 1),
                 {}};
  growing<extent> const base = numbers_or(c, o, "base_dilations", s.rank, 1),
                        padding = pads_of(c, o, s.rank);
  if (c.ok() && w.size.size() != s.rank) c.fail(o, "window_dimensions has not every axis");
  are_steps(c, o, "window_dimensions", w.size, 1);
  are_steps(c, o, "window_strides", w.stride, 1);
  are_steps(c, o, "window_dilations", w.dilation, 1);
  are_steps(c, o, "base_dilations", base, 1);
  if (!c.ok()) return w;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < s.rank; ++i) w.pads.push(padding[2 * i + side]);
  for (int i = 0; i < s.rank; ++i) w.pads.push(base[i] - 1);
  for (int i = 0; i < s.rank; ++i)
    if (is_named(s[i]) && !w.is_trivial(i))
      c.fail(o, "windows run along numbers, not along an extent that only the run knows");
  padded_shape(c, o, s, w.pads);
  return w;
}
constexpr pool_plan plan_of(window_walks const& w, extents const& padded) {
  pool_plan p;
  p.result = padded;
  for (int i = 0; i < padded.rank; ++i) {
    if (w.is_trivial(i)) continue;
    pool_axis a;
    a.axis = i;
    a.size = w.size[i];
    a.stride = w.stride[i];
    a.dilation = w.dilation[i];
    a.places = window_walk{padded[i], a.reach(), a.stride}.places({});
    p.result[i] = a.places;
    p.at[p.count++] = a;
  }
  return p;
}
// The largest array that a step makes: the windows side by side.
constexpr bool fit_windows(importing& c, operation const& o, pool_plan const& p) {
  if (p.count > 0 && p.result.rank == max_rank)
    c.fail(o, "windows of an array of 8 axes have no room; reshape it to fewer");
  extents all = p.result;
  for (int i = 0; i < p.count && all.rank < max_rank; ++i) all.push(p.at[i].size);
  return is_buildable(c, o, all);
}

// ---- from the first element to this one (or from this one to the last)
struct prefix_walk {
  int axis = -1; // none
  bool reverse = false;
};
constexpr prefix_walk prefix_of(window_walks const& w, extents const& s) {
  prefix_walk p;
  int const rank = s.rank;
  for (int i = 0; i < rank; ++i) {
    if (w.is_trivial(i) && !w.is_padded(i)) continue;
    extent const low = w.pads[i], high = w.pads[rank + i];
    bool const runs = p.axis < 0 && w.size[i] == s[i] && w.stride[i] == 1 && w.dilation[i] == 1 &&
                      w.pads[2 * rank + i] == 0 &&
                      ((low == s[i] - 1 && high == 0) || (low == 0 && high == s[i] - 1));
    if (!runs) return {};
    p = {i, low == 0};
  }
  return p;
}
template <class Combine>
constexpr growing<handle> prefixes(importing& c, growing<handle> x, prefix_walk p,
                                   Combine const& combine) {
  extents const s = x[0].shape();
  for (extent d = 1; d < s[p.axis] && c.ok(); d *= 2) {
    growing<handle> before;
    for (handle h : x) before.push(weft::detail::half_ends(h, p.axis, d, p.reverse));
    view<handle> const first = p.reverse ? x : before, second = p.reverse ? before : x;
    growing<handle> const next = combine(first, second);
    if (!c.ok()) break;
    handle const mask = weft::detail::in_upper_half(c.r, s, p.axis, d, p.reverse);
    for (int k = 0; k < x.size(); ++k) x[k] = select(mask, next[k], x[k]);
  }
  return x;
}
constexpr handle running(importing& c, handle x, prefix_walk p, op reduction) {
  dtype const type = x.type();
  op const combining = combining_op_of(reduction);
  auto const combine = [combining](view<handle> a, view<handle> b) {
    return growing<handle>(1, binary(combining, a[0].type(), a[0], b[0]));
  };
  growing<handle> const one(1, convert(x, accumulator_of(type)));
  return convert(prefixes(c, one, p, combine)[0], type);
}

// ---- any body
constexpr handle windows_in_front(handle x, pool_axis const& a) {
  extent const list[] = {a.axis, a.size, a.stride, a.dilation};
  handle const all = window(x, {list, 4});
  return with_first(all, all.shape().rank - 1);
}
// The last axis first, so that a window's elements come in row-major order.
template <class Combine>
constexpr growing<handle> reduce_each_window(importing& c, growing<handle> x, pool_plan const& p,
                                             Combine const& combine) {
  for (int i = p.count - 1; i >= 0 && c.ok(); --i) {
    for (handle& h : x) h = windows_in_front(h, p.at[i]);
    x = reduce_leading(c, x, combine);
  }
  return x;
}

constexpr handle reduce_plain_windows(handle x, pool_plan const& p, op reduction) {
  // In steps, 16-bit floats are rounded once.
  bool const steps = x.shape().rank + p.count > max_rank && reduction != op::reduce_max &&
                     reduction != op::reduce_min;
  handle const wide = steps ? convert(x, accumulator_of(x.type())) : x;
  return convert(weft::detail::reduce_pool(reduction, wide, p), x.type());
}
// Padding counts for nothing, whatever the initial value is.
constexpr handle filler_of(op reduction, bool neutral, handle init) {
  if (neutral || reduction == op::get) return init;
  extent const bits = reduction == op::reduce_prod
                          ? bits_of(1, init.type())
                          : weft::detail::neutral_bits(reduction, init.type());
  return constant_bits(*init.where, bits, init.type(), {});
}
constexpr void give_with_init(importing& c, operation const& o, view<handle> init, view<handle> x) {
  if (!c.ok()) return;
  growing<handle> const results = combined_with_init(c, o, init, x);
  c.give_all(o, results);
}
constexpr void import_reduce_window(importing& c, operation const& o) {
  int const n = o.operand_count / 2;
  reduced_operands all = operands_of_body(c, o, n);
  if (!c.ok()) return;
  extents const s = all.x[0].shape();
  window_walks const w = windows_of(c, o, s);
  if (!c.ok()) return;
  op const reduction = n == 1 ? reduction_of(body_of(c, o, 0, 0, 1), all.x[0].type()) : op::get;
  bool const neutral = reduction != op::get && is_neutral(reduction, all.init[0]);
  auto const combine = [&](view<handle> a, view<handle> b) { return combined(c, o, a, b); };
  prefix_walk const p = prefix_of(w, s);
  if (p.axis >= 0 && neutral) return c.give(o, running(c, all.x[0], p, reduction));
  if (p.axis >= 0 && reduction == op::get) {
    growing<handle> const x = prefixes(c, all.x, p, combine);
    return give_with_init(c, o, all.init, x);
  }
  for (int k = 0; k < n; ++k)
    all.x[k] = padded_with(c, o, all.x[k], filler_of(reduction, neutral, all.init[k]), w.pads);
  pool_plan const plan = plan_of(w, all.x[0].shape());
  if (!fit_windows(c, o, plan)) return;
  if (reduction != op::get)
    return c.give(
        o, with_init(reduction, all.init[0], reduce_plain_windows(all.x[0], plan, reduction)));
  growing<handle> const x = reduce_each_window(c, all.x, plan, combine);
  give_with_init(c, o, all.init, x);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

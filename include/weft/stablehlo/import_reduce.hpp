// SPDX-License-Identifier: BSL-1.0
// reduce: sums, products, extrema; where an extremum is, as JAX writes argmax; any other body by
// halves.
// Needs: import_bodies.hpp. Leaves: one reduction, and the initial value combined with it where it is
// not the neutral one; arg_reduce.
#pragma once

#include <weft/graph/handle_gather.hpp>
#include <weft/stablehlo/import_bodies.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// The reduced axes as one, in front.
constexpr handle reduced_in_front(handle x, extent axes) {
  extents const s = x.shape();
  growing<extent> order;
  extents to;
  extent n = 1;
  for (int i = 0; i < s.rank; ++i)
    if (has_axis(axes, i)) {
      order.push(i);
      n *= s[i];
    }
  to.push(n);
  for (int i = 0; i < s.rank; ++i)
    if (!has_axis(axes, i)) {
      order.push(i);
      to.push(s[i]);
    }
  return reshape(transpose(x, order), to);
}
constexpr growing<handle> reduce_by_body(importing& c, operation const& o,
                                         reduced_operands const& all, extent axes) {
  extents const s = all.x[0].shape();
  growing<handle> x;
  extent n = 1;
  for (int i = 0; i < s.rank && c.ok(); ++i) {
    if (!has_axis(axes, i)) continue;
    if (is_named(s[i])) c.fail(o, "this body is not read over an extent that only the run knows");
    n *= s[i];
  }
  if (!c.ok()) return x;
  if (n == 0) {
    for (handle h : all.init) x.push(broadcast_to(h, without_axes(s, axes)));
    return x;
  }
  for (handle h : all.x) x.push(axes == 0 ? h : reduced_in_front(h, axes));
  auto const combine = [&](view<handle> a, view<handle> b) { return combined(c, o, a, b); };
  if (axes != 0) x = reduce_leading(c, x, combine);
  if (!c.ok()) return x;
  return combined_with_init(c, o, all.init, x);
}

// ---- where an extremum is: (x, its index), the larger of two, NaN first, then the lower index
enum class extremum : std::uint8_t { none, largest, smallest };
constexpr bool is_either(body_reader const& b, int v, code what, int& x, int& y) {
  if (!b.gives(v, what, 2)) return false;
  x = b.operand(v, 0);
  y = b.operand(v, 1);
  return true;
}
// or(x > y, x != x) of `first` and `second`
constexpr bool wins(body_reader const& b, int v, char const* how, int first, int second) {
  int x = 0, y = 0;
  if (!is_either(b, v, code::or_, x, y)) return false;
  return (b.is_compare(x, how, first, second) && b.is_compare(y, "NE", first, first)) ||
         (b.is_compare(y, how, first, second) && b.is_compare(x, "NE", first, first));
}
constexpr bool ties(body_reader const& b, int v) {
  int x = 0, y = 0;
  if (!is_either(b, v, code::and_, x, y)) return false;
  int const a0 = b.argument(0), i0 = b.argument(1), a1 = b.argument(2), i1 = b.argument(3);
  return (b.is_compare(x, "EQ", a0, a1) && b.is_compare(y, "LT", i0, i1)) ||
         (b.is_compare(y, "EQ", a0, a1) && b.is_compare(x, "LT", i0, i1));
}
constexpr bool picks(body_reader const& b, int v, int first, int second, int& by) {
  if (!b.gives(v, code::select, 3)) return false;
  by = b.operand(v, 0);
  return b.operand(v, 1) == first && b.operand(v, 2) == second;
}
constexpr extremum extremum_of(body_reader const& b) {
  if (b.arguments() != 4) return extremum::none;
  int by_value = 0, by_both = 0, x = 0, y = 0;
  if (!picks(b, b.returned(0), b.argument(0), b.argument(2), by_value) ||
      !picks(b, b.returned(1), b.argument(1), b.argument(3), by_both) ||
      !is_either(b, by_both, code::or_, x, y))
    return extremum::none;
  if (!(x == by_value && ties(b, y)) && !(y == by_value && ties(b, x))) return extremum::none;
  if (wins(b, by_value, "GT", b.argument(0), b.argument(2))) return extremum::largest;
  return wins(b, by_value, "LT", b.argument(0), b.argument(2)) ? extremum::smallest
                                                               : extremum::none;
}
// Is h the index along this axis?
constexpr bool counts_along(handle h, int axis) {
  graph const& g = h.where->result;
  node const& n = g.nodes[h.id];
  return n.code == op::iota && g.attributes[n.first_attribute] == axis;
}
constexpr bool is_zero(handle h) {
  uniform_bits const u = uniform_of(h);
  return u.known && u.bits == 0;
}
// The operands of JAX's argmax and argmin. False: something else.
constexpr bool import_extremum(importing& c, operation const& o, reduced_operands const& all,
                               view<extent> axes) {
  if (all.x.size() != 2 || axes.size() != 1) return false;
  extremum const which = extremum_of(body_reader(c, o, 0));
  if (which == extremum::none) return false;
  int const axis = static_cast<int>(axes[0]);
  op const reduction = which == extremum::largest ? op::reduce_max : op::reduce_min;
  extent const n = all.x[0].shape()[axis];
  if (n == 0 || !counts_along(all.x[1], axis) || !is_zero(all.init[1]) ||
      !is_neutral(reduction, all.init[0]))
    return false;
  extent const set = extent{1} << axis;
  c.give(o, 0, reduce(reduction, all.x[0], set));
  c.give(o, 1, convert(arg_reduce(all.x[0], set, which == extremum::smallest), all.x[1].type()));
  return true;
}

constexpr void import_reduce(importing& c, operation const& o) {
  int const n = o.operand_count / 2;
  reduced_operands const all = operands_of_body(c, o, n);
  growing<extent> const axes = numbers_of(c, o, "dimensions");
  if (!c.ok() || !check_axes(c, o, "dimensions", axes, all.x[0].shape().rank)) return;
  op const reduction = n == 1 ? reduction_of(body_of(c, o, 0, 0, 1), all.x[0].type()) : op::get;
  if (reduction != op::get)
    return c.give(o, with_init(reduction, all.init[0], reduce(reduction, all.x[0], set_of(axes))));
  if (import_extremum(c, o, all, axes)) return;
  growing<handle> const results = reduce_by_body(c, o, all, set_of(axes));
  if (c.ok()) c.give_all(o, results);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

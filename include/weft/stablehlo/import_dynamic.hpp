// SPDX-License-Identifier: BSL-1.0
// Operations whose shapes are operands.
// Needs: import_lists.hpp, import_index.hpp, import_products.hpp. Leaves: the nodes of the
// operations without `dynamic_`; a shape that is made otherwise than import_lists.hpp reads is
// refused. A shape with an extent n + k that no operand has is cropped or padded from n.
#pragma once

#include <weft/stablehlo/import_index.hpp>
#include <weft/stablehlo/import_lists.hpp>
#include <weft/stablehlo/import_products.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// The run takes names from arrays: a shape with n + k instead of n, and the padding that makes of it
// what it is. Axes of `own` have theirs from an array.
struct padded_start {
  extents shape;
  growing<extent> pads; // low, high, interior of each axis
  extent added = 0;     // the most elements

  constexpr padded_start(importing const& c, extents const& to, extent own)
      : shape(to), pads(3 * to.rank, 0) {
    for (int i = 0; i < to.rank; ++i) {
      moved_name const m = moved_of(c, to[i]);
      if (!is_named(to[i]) || has_axis(own, i)) continue;
      shape[i] = m.from;
      pads[to.rank + i] = m.by;
      added = m.by > added ? m.by : added;
    }
  }
};
constexpr handle zero_of(handle x) { return constant(*x.where, 0, x.type(), {}); }
constexpr void import_dynamic_broadcast(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  extents const to = shape_in(c, o, 1);
  growing<extent> const map = numbers_of(c, o, "broadcast_dimensions");
  handle const x = c.in(o, 0);
  extent own = 0;
  for (int i = 0; i < map.size() && i < x.shape().rank && c.ok(); ++i)
    if (x.shape()[i] != 1 && map[i] >= 0 && map[i] < to.rank) own |= extent{1} << map[i];
  padded_start start(c, to, own);
  // Only a number pads itself; another array has to have the extent.
  if (start.added > 0 && x.shape().rank > 0) start = padded_start(c, to, -1);
  handle const h = c.ok() ? spread(c, o, x, map, start.shape) : handle{};
  if (c.ok()) c.give(o, padded_with(c, o, h, x.shape().rank == 0 ? x : zero_of(x), start.pads));
}
constexpr void import_dynamic_reshape(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  extents const to = shape_in(c, o, 1);
  handle const x = c.in(o, 0);
  if (c.ok() && !may_have_same_count(x.shape(), to)) {
    message words("the elements of ");
    c.fail(o, words.add(x.shape()).add(" do not make ").add(to));
  }
  if (c.ok()) c.give(o, reshape(x, to));
}
constexpr void import_dynamic_iota(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  extents const to = shape_in(c, o, 0);
  int const axis = axis_of(c, o, "iota_dimension", to.rank);
  if (!check_element(c, o, op::iota, c.result_type(o).element)) return;
  padded_start start(c, to, 0);
  if (start.added > 0) start = padded_start(c, to, -1);
  handle const h = iota(c.r, c.result_type(o).element, start.shape, axis);
  c.give(o, padded_with(c, o, h, zero_of(h), start.pads));
}
constexpr void import_dynamic_pad(importing& c, operation const& o) {
  if (!c.takes(o, 5, 1)) return;
  handle const x = c.in(o, 0), filler = c.in(o, 1);
  growing<extent> pads;
  for (int k = 2; k < 5; ++k) {
    growing<extent> const list = list_in(c, o, k, false);
    if (c.ok() && list.size() != x.shape().rank) c.fail(o, "padding has not every axis");
    pads.append(list);
  }
  if (c.ok() && check_filler(c, o, x, filler)) c.give(o, padded_with(c, o, x, filler, pads));
}
// A name for each axis of a number of which the window has a name: whether that fits, the run checks.
constexpr handle with_names_for(importing& c, handle x, view<extent> window) {
  for (int i = 0; i < window.size() && i < x.shape().rank; ++i) {
    extents to = x.shape();
    if (!is_named(window[i]) || is_named(to[i])) continue;
    to[i] = c.name_of_made({2, {counted_kind, to[i]}});
    x = reshape(x, to);
  }
  return x;
}
// Windows of an extent that the axis has not, starting at a number: the operand without the other
// elements, of which the window is all. A window of n + k starts at -k at most, as gather clamps it.
constexpr handle cropped_for(importing& c, operation const& o, view<extent> window) {
  handle const x = c.in(o, 0), index = c.in(o, 1);
  extents const s = x.shape();
  extents part = s;
  growing<extent> pads(3 * s.rank, 0);
  growing<handle> from(s.rank, constant(c.r, 0, dtype::i32, {}));
  attribute const* const n = record_of(c, o, "dimension_numbers");
  if (n == nullptr || window.size() != s.rank) return x;
  growing<extent> const map = numbers_in_record(c, o, *n, "start_index_map");
  growing<extents> starts;
  bool known = index.shape().rank <= 1 && shape_reader(c, false).read(index.id, starts) &&
               starts.size() == map.size();
  for (extents const& e : starts) known = known && e.rank == 1;
  bool changed = false, sliced = false;
  for (int i = 0; i < s.rank; ++i) {
    if (window[i] == s[i] || !is_named(window[i])) continue;
    if (!known) return x;
    extent by = 0, first = 0;
    for (int k = 0; k < map.size(); ++k)
      if (map[k] == i && starts[k][0] > 0) first = starts[k][0];
    bool const crops = is_moved(c, s[i], window[i], by) && by <= 0;
    if (crops && first > -by) first = -by;
    if (crops) pads[i] = -first, pads[s.rank + i] = first + by;
    else from[i] = constant(c.r, static_cast<double>(first), dtype::i32, {});
    part[i] = window[i];
    changed = true;
    sliced = sliced || !crops;
  }
  if (!changed) return x;
  handle const h = padded_with(c, o, x, zero_of(x), pads);
  return c.ok() && sliced ? dynamic_slice(with_names_for(c, h, window), part, from) : h;
}
constexpr void import_dynamic_gather(importing& c, operation const& o) {
  if (!c.takes(o, 3, 1)) return;
  growing<extent> const window = list_in(c, o, 2, true);
  if (!c.ok()) return;
  handle const x = cropped_for(c, o, window);
  if (c.ok()) record_gather(c, o, x, window);
}
constexpr void import_dynamic_conv(importing& c, operation const& o) {
  if (!c.takes(o, 3, 1)) return;
  weft::detail::conv_notation n;
  if (!conv_numbers(c, o, n)) return;
  growing<extent> pads;
  handle const h = c.in(o, 2);
  // A table of pairs is read as it stands.
  graph const& g = c.r.result;
  node const table = g.nodes[h.id];
  extents const s = g.shape(h.id);
  bool const known = table.code == op::constant && s == extents{2, {n.spatial, 2}};
  for (int i = 0; i < 2 * n.spatial && known; ++i) {
    extent const at = g.attributes[table.first_attribute];
    word const w = table.attribute_count == 1 ? static_cast<word>(at)
                                              : g.constants[static_cast<int>(at) + i];
    pads.push(number_of_word(w, table.type));
  }
  if (!known) return c.fail(o, "padding is read where it is a constant");
  if (are_steps(c, o, "padding", pads, -most_step)) record_convolution(c, o, pads, n);
}
// ---- slices whose bounds are operands
// JAX writes a slice of known sizes that starts where only the run knows as
//   start = clamp(0, index, shape - sizes), limit = start + sizes
class slice_bounds {
public:
  constexpr slice_bounds(importing& c, handle start, handle limit)
      : c_(c), g_(c.r.result), start_(start) {
    node const& n = g_[limit.id];
    for (int k = 0; k < 2 && n.code == op::add; ++k)
      if (operand(n, k) == start.id && sizes_.empty() && !read(operand(n, 1 - k), sizes_))
        sizes_.clear();
  }
  // The window's extents; false: the bounds are others.
  constexpr bool window(extents& w) const {
    for (extents const& e : sizes_) w.push(e.rank == 1 ? e[0] : product_extent(e));
    return !sizes_.empty();
  }
  // dynamic_slice clamps, too.
  constexpr handle index_in(extents const& s) const {
    node const& n = g_[start_.id];
    if (n.code != op::minimum) return start_;
    node const &above = g_[operand(n, 0)], &most = g_[operand(n, 1)];
    growing<extents> zeros, whole, part;
    if (above.code != op::maximum || most.code != op::sub || !read(operand(above, 1), zeros) ||
        !read(operand(most, 0), whole) || !read(operand(most, 1), part) ||
        !(view<extents>(part) == sizes_))
      return start_;
    for (int i = 0; i < s.rank; ++i)
      if (!(zeros[i] == extents{1, {0}}) || !(whole[i] == extents{1, {s[i]}})) return start_;
    return {start_.where, operand(above, 0)};
  }

private:
  constexpr int operand(node const& n, int k) const { return g_.operands[n.first_operand + k]; }
  constexpr bool read(int id, growing<extents>& out) const {
    return shape_reader(c_, true).read(id, out) && out.size() == g_.shape(id)[0];
  }

  importing& c_;
  graph const& g_;
  handle start_;
  growing<extents> sizes_;
};
// Element i of a list; of one that is joined of single elements, as it was before.
constexpr handle element_of_list(handle list, int i) {
  graph const& g = list.where->result;
  node const& n = g[list.id];
  bool single = n.code == op::concat;
  for (int k = 0; k < n.operand_count && single; ++k)
    single = g.shape(g.operands[n.first_operand + k])[0] == 1;
  if (!single) return reshape(slice_axis(list, 0, i, 1), {});
  handle const part{list.where, g.operands[n.first_operand + i]};
  if (g[part.id].code != op::reshape) return reshape(part, {});
  handle const inside{list.where, g.operands[g[part.id].first_operand]};
  return inside.shape().rank == 0 ? inside : reshape(part, {});
}
// Bounds that are numbers, or an axis' own extent; else starts of a window whose shape is known.
constexpr void import_real_dynamic_slice(importing& c, operation const& o) {
  if (!c.takes(o, 4, 1)) return;
  handle const x = c.in(o, 0);
  extents const s = x.shape();
  growing<extents> bounds;
  bool known = true;
  for (int k = 1; k < 4; ++k) {
    handle const list = c.in(o, k);
    if (!(list.shape() == extents{1, {s.rank}})) return c.fail(o, "bounds have not every axis");
    known = known && shape_reader(c, true).read(list.id, bounds);
  }
  growing<extent> all, pads(3 * s.rank, 0);
  bool crops = known;
  for (extents const& e : bounds) all.push(e.rank == 1 ? e[0] : product_extent(e));
  for (int i = 0; i < s.rank && (known || crops); ++i) {
    extent const start = all[i], limit = all[s.rank + i], stride = all[2 * s.rank + i];
    bool const whole = takes_whole(s[i], start, limit, stride);
    bool const numbers = start >= 0 && limit >= start && stride >= 1 &&
                         (is_named(s[i]) || limit <= s[i]);
    known = known && (whole || numbers);
    // To the end, or to a number of elements before it.
    extent by = limit - s[i];
    bool const near_end = is_named(s[i]) ? is_moved(c, s[i], limit, by) : numbers;
    crops = crops && start >= 0 && stride == 1 && near_end && by <= 0;
    pads[i] = -start;
    pads[s.rank + i] = by;
  }
  if (known) return c.give(o, slice(x, all));
  if (crops) return c.give(o, padded_with(c, o, x, zero_of(x), pads));
  growing<extents> strides;
  bool single = shape_reader(c, true).read(c.in(o, 3).id, strides);
  for (extents const& e : strides) single = single && e == extents{1, {1}};
  if (!single) return c.fail(o, "bounds that only the run knows are read with strides of 1");
  slice_bounds const said(c, c.in(o, 1), c.in(o, 2));
  extents window;
  if (!said.window(window)) window = written_shape(c, o);
  if (!check_index(c, o, c.in(o, 1))) return;
  handle const whole = with_names_for(c, x, {window.d, window.rank});
  if (!fits_inside(c, o, window, whole.shape())) return;
  handle const index = said.index_in(s);
  growing<handle> starts;
  for (int i = 0; i < s.rank; ++i) starts.push(as_index(element_of_list(index, i)));
  c.give(o, dynamic_slice(whole, window, starts));
}

constexpr bool import_dynamic(importing& c, operation const& o) {
  switch (o.what) {
    case code::get_dimension_size: return import_get_dimension_size(c, o), true;
    case code::dynamic_broadcast_in_dim: return import_dynamic_broadcast(c, o), true;
    case code::dynamic_reshape: return import_dynamic_reshape(c, o), true;
    case code::dynamic_iota: return import_dynamic_iota(c, o), true;
    case code::dynamic_pad: return import_dynamic_pad(c, o), true;
    case code::dynamic_gather: return import_dynamic_gather(c, o), true;
    case code::dynamic_conv: return import_dynamic_conv(c, o), true;
    case code::real_dynamic_slice: return import_real_dynamic_slice(c, o), true;
    default: return false;
  }
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

// SPDX-License-Identifier: BSL-1.0
// The shape rules: one function per op, each `return` a numbered rule of graph/rules.hpp.
// Needs: a node whose indices, operand and attribute counts are sound (verify.hpp checks those
// first).
// Leaves: the rule that node id breaks, or none.
#pragma once

#include <weft/graph/limits.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/results.hpp>
#include <weft/graph/rules.hpp>
#include <weft/graph/sharding.hpp>
#include <weft/graph/verify_collective.hpp>
#include <weft/graph/verify_convolve.hpp>
#include <weft/graph/verify_gather.hpp>
#include <weft/graph/window_list.hpp>

namespace weft::inline v0 {
namespace detail {

// A number that int32 holds, or a name: 1 to 10 six-bit characters without a gap, or that of a
// product.
constexpr bool is_extent(extent e) {
  if (e >= 0) return e <= most_extent;
  if (e <= first_product) return !is_before_end(e);
  for (extent packed = -e; packed != 0; packed >>= 6)
    if ((packed & 63) == 0) return false;
  return true;
}
constexpr bool is_axis(extent axis, int rank) { return 0 <= axis && axis < rank; }
constexpr bool is_axis_set(extent set, int rank) { return 0 <= set && set < (extent{1} << rank); }

class shape_rules {
public:
  constexpr explicit shape_rules(graph_view g) : g_(g) {}

  constexpr rule of(int id) const {
    if (is_elementwise(g_[id].code)) return elementwise(id);
    switch (g_[id].code) {
      case op::constant: return constant(id);
      case op::iota:
        return is_axis(attribute(id, 0), shape(id).rank) ? rule::unbroken : rule::iota_1;
      case op::get: return get(id);
      case op::broadcast: return broadcast(id);
      case op::reshape:
        return may_have_same_count(operand(id, 0), shape(id)) ? rule::unbroken : rule::reshape_1;
      case op::transpose: return transpose(id);
      case op::slice: return slice(id);
      case op::reverse: return reverse(id);
      case op::window:
        return windows(id, operand(id, 0), shape(id), rule::window_1, rule::window_2);
      case op::overlap_add:
        return windows(id, shape(id), operand(id, 0), rule::overlap_add_1, rule::overlap_add_2);
      case op::shard:
        if (!is_shard_list(g_.attributes_of(id), shape(id).rank)) return rule::shard_1;
        return operand(id, 0) == shape(id) ? rule::unbroken : rule::shard_2;
      case op::pad: return pad(id);
      case op::concat: return concat(id);
      case op::dynamic_slice: return dynamic_slice(id);
      case op::dynamic_update_slice: return dynamic_update_slice(id);
      case op::reduce_sum:
      case op::reduce_max:
      case op::reduce_min:
      case op::reduce_prod: return reduce(id);
      case op::arg_reduce: return gather_rules(g_, id).arg_reduce();
      case op::arg_sort: return gather_rules(g_, id).arg_sort();
      case op::gather: return gather_rules(g_, id).gather();
      case op::scatter: return gather_rules(g_, id).scatter();
      case op::observe: return observe(id);
      case op::rank: return is_rank(id) ? rule::unbroken : rule::rank_1;
      case op::collective: return collective_rules(g_, id).broken();
      case op::custom_call: return custom_call(id);
      case op::contract: return contract(id);
      case op::convolve: return convolve_rules(g_, id).broken();
      case op::while_loop: return conditional(id, rule::while_1);
      case op::cond: return conditional(id, rule::cond_1);
      case op::scan: return scan(id);
      default: return rule::unbroken;
    }
  }

private:
  constexpr extents const& shape(int id) const { return g_.shape(id); }
  constexpr extents const& operand(int id, int k) const { return g_.shape(g_.operand(id, k)); }
  constexpr extent attribute(int id, int k) const { return g_.attribute(id, k); }
  constexpr dtype operand_type(int id, int k) const { return g_[g_.operand(id, k)].type; }

  constexpr rule elementwise(int id) const {
    for (int x : g_.operands_of(id))
      if (g_[x].shape != g_[id].shape && !(shape(x) == shape(id))) return rule::elementwise_1;
    return rule::unbroken;
  }

  constexpr rule constant(int id) const {
    node const& n = g_[id];
    if (n.attribute_count == 1)
      return fits(static_cast<word>(attribute(id, 0)), n.type) ? rule::unbroken : rule::constant_1;
    extent const first = attribute(id, 0), size = g_.constants.size();
    if (!is_static(shape(id)) || first < 0 || first > size || count_of(shape(id)) > size - first)
      return rule::constant_2;
    return rule::unbroken; // its words: verify.hpp
  }
  static constexpr bool fits(word bits, dtype d) { return bits <= storage_mask(d); }
  constexpr bool is_rank(int id) const {
    for (extent n : g_.attributes_of(id))
      if (n < 1 || n > most_ranks) return false;
    return attribute(id, 2) % (attribute(id, 0) * attribute(id, 1)) == 0 &&
           g_[id].type == dtype::u32 && shape(id).rank == 0;
  }
  constexpr rule get(int id) const {
    int const from = g_.operand(id, 0);
    if (!has_several_results(g_[from].code) || !is_axis(attribute(id, 0), result_count(g_, from)))
      return rule::get_1;
    result_info const read = result_of(g_, from, static_cast<int>(attribute(id, 0)));
    return read.type == g_[id].type && read.shape == shape(id) ? rule::unbroken : rule::get_2;
  }

  constexpr rule broadcast(int id) const {
    extents const &from = operand(id, 0), &to = shape(id);
    for (int i = 0; i < from.rank; ++i)
      if (!is_axis(attribute(id, i), to.rank) ||
          (i > 0 && attribute(id, i) <= attribute(id, i - 1)))
        return rule::broadcast_1;
    for (int i = 0; i < from.rank; ++i)
      if (from[i] != 1 && from[i] != to[static_cast<int>(attribute(id, i))])
        return rule::broadcast_2;
    return rule::unbroken;
  }
  constexpr rule transpose(int id) const {
    extents const &from = operand(id, 0), &to = shape(id);
    for (extent axis : g_.attributes_of(id))
      if (!is_axis(axis, from.rank)) return rule::transpose_1;
    if (!all_distinct(g_.attributes_of(id))) return rule::transpose_1;
    if (to.rank != from.rank) return rule::transpose_2;
    for (int i = 0; i < to.rank; ++i)
      if (to[i] != from[static_cast<int>(attribute(id, i))]) return rule::transpose_2;
    return rule::unbroken;
  }
  constexpr rule slice(int id) const {
    extents const &from = operand(id, 0), &to = shape(id);
    int const rank = from.rank;
    if (to.rank != rank) return rule::slice_2;
    for (int i = 0; i < rank; ++i) {
      extent const start = attribute(id, i), limit = attribute(id, rank + i),
                   stride = attribute(id, 2 * rank + i);
      bool const whole = takes_whole(from[i], start, limit, stride), named = is_named(from[i]);
      bool const open = named && (limit == from[i] || is_before_end(limit));
      bool const inside = start <= limit && limit <= (named ? most_extent : from[i]);
      bool const part = 0 <= start && start <= most_extent && (open || inside) && 1 <= stride &&
                        stride <= most_extent;
      if (!whole && !part) return rule::slice_1;
      bool const sized = whole  ? to[i] == from[i]
                         : open ? is_named(to[i])
                                : to[i] == elements_between(start, limit, stride);
      if (!sized) return rule::slice_2;
    }
    return rule::unbroken;
  }
  constexpr rule reverse(int id) const {
    if (!is_axis_set(attribute(id, 0), operand(id, 0).rank)) return rule::reverse_1;
    return shape(id) == operand(id, 0) ? rule::unbroken : rule::reverse_2;
  }
  // `of` as windows is `to`.
  constexpr rule windows(int id, extents const& of, extents const& to, rule lists,
                         rule shapes) const {
    window_list const all(g_.attributes_of(id));
    for (int w = 0; w < all.count(); ++w) {
      if (!is_axis(attribute(id, w), of.rank) || is_named(of[all.axis(w)])) return lists;
      for (extent n : {all.size(w), all.stride(w), all.dilation(w)})
        if (n < 1 || n > most_extent) return lists;
    }
    if (!all_distinct(g_.attributes_of(id).part(0, all.count()))) return lists;
    bool const fits = of.rank + all.count() <= max_rank && windowed(of, all) == to;
    return fits ? rule::unbroken : shapes;
  }
  constexpr rule pad(int id) const {
    extents const &from = operand(id, 0), &to = shape(id);
    int const rank = from.rank;
    if (operand(id, 1).rank != 0) return rule::pad_1;
    if (to.rank != rank) return rule::pad_3;
    for (int i = 0; i < rank; ++i) {
      extent const low = attribute(id, i), high = attribute(id, rank + i),
                   interior = attribute(id, 2 * rank + i);
      if (interior < 0 || interior > most_extent || !is_within(low, most_extent) ||
          (!is_before_end(high) && !is_within(high, most_extent)))
        return rule::pad_2;
      bool const crops = low < 0 || (high < 0 && !is_before_end(high));
      if (is_named(from[i]) && interior > 0 && crops) return rule::pad_2;
      if (from[i] > 0 && from[i] + (from[i] - 1) * interior > most_extent) return rule::pad_3;
      bool const renamed = is_named(from[i]) && (low != 0 || high != 0 || interior != 0);
      if (is_before_end(high) ? !is_named(to[i])
          : renamed           ? !is_named(to[i])
                              : to[i] != padded(from[i], low, high, interior))
        return rule::pad_3;
    }
    return rule::unbroken;
  }
  constexpr rule observe(int id) const {
    view<extent> const a = g_.attributes_of(id);
    bool right = 0 <= a[0] && a[0] <= static_cast<extent>(observation::no_nan) &&
                 3 * (a.size() - 1) <= most_label && shape(id) == operand(id, 0);
    for (int i = 1; i < a.size(); ++i) right &= 0 <= a[i] && a[i] < (1 << 24);
    return right ? rule::unbroken : rule::observe_1;
  }
  // Nothing of it is read before it is known to be there.
  constexpr rule custom_call(int id) const {
    view<extent> const a = g_.attributes_of(id);
    bool right = is_axis(a[0], g_.hosts.size()) && g_.hosts[static_cast<int>(a[0])] != nullptr &&
                 0 <= a[1] && a[1] <= max_rank && 0 <= a[2] && a[2] <= a.size() &&
                 g_[id].operand_count > 0;
    int at = custom_call_head;
    for (extent i = 0; right && i < a[2]; ++i) {
      right = at + 2 <= a.size() && is_axis(a[at], dtype_count) && 0 <= a[at + 1] &&
              a[at + 1] <= max_rank && at + 2 + a[at + 1] <= a.size();
      if (right) right = has_batch(id, a.part(at + 2, static_cast<int>(a[at + 1])));
      if (right) at += 2 + static_cast<int>(a[at + 1]);
    }
    for (int k = 0; right && k < g_[id].operand_count; ++k) {
      extents const& s = operand(id, k);
      right = has_batch(id, {s.d, s.rank});
    }
    return right && at == a.size() ? rule::unbroken : rule::custom_call_1;
  }
  // Extents that exist, and are the batch's in front.
  constexpr bool has_batch(int id, view<extent> shape) const {
    extents const& first = operand(id, 0);
    extent const batch = attribute(id, 1);
    if (first.rank < batch || shape.size() < batch) return false;
    extents own;
    for (int i = 0; i < shape.size(); ++i) {
      if (!is_extent(shape[i]) || (i < batch && shape[i] != first[i])) return false;
      own.push(shape[i]);
    }
    return elements_of(own) >= 0;
  }
  constexpr rule concat(int id) const {
    extents const& to = shape(id);
    if (g_[id].operand_count == 0 || !is_axis(attribute(id, 0), to.rank)) return rule::concat_1;
    int const axis = static_cast<int>(attribute(id, 0));
    extent sum = 0;
    bool named = false;
    for (int k = 0; k < g_[id].operand_count; ++k) {
      extents const& part = operand(id, k);
      if (part.rank != to.rank) return rule::concat_1;
      for (int i = 0; i < to.rank; ++i)
        if (i != axis && part[i] != to[i]) return rule::concat_2;
      named |= is_named(part[axis]);
      sum += is_named(part[axis]) ? 0 : part[axis];
    }
    return (named ? is_named(to[axis]) : to[axis] == sum) ? rule::unbroken : rule::concat_3;
  }

  constexpr bool has_starts(int id, int first) const {
    if (g_[id].operand_count != first + operand(id, 0).rank) return false;
    for (int k = first; k < g_[id].operand_count; ++k)
      if (operand_type(id, k) != dtype::i32 || operand(id, k).rank != 0) return false;
    return true;
  }
  static constexpr bool fits_inside(extents const& window, extents const& whole) {
    if (window.rank != whole.rank) return false;
    for (int i = 0; i < whole.rank; ++i)
      if (is_named(window[i]) ? !is_named(whole[i]) : !is_named(whole[i]) && window[i] > whole[i])
        return false;
    return true;
  }
  constexpr rule dynamic_slice(int id) const {
    if (!has_starts(id, 1)) return rule::dynamic_slice_1;
    return fits_inside(shape(id), operand(id, 0)) ? rule::unbroken : rule::dynamic_slice_2;
  }
  constexpr rule dynamic_update_slice(int id) const {
    if (!has_starts(id, 2)) return rule::dynamic_update_slice_1;
    if (!fits_inside(operand(id, 1), operand(id, 0))) return rule::dynamic_update_slice_2;
    return shape(id) == operand(id, 0) ? rule::unbroken : rule::dynamic_update_slice_3;
  }

  constexpr rule reduce(int id) const {
    extent const axes = attribute(id, 0);
    if (axes == 0 || !is_axis_set(axes, operand(id, 0).rank)) return rule::reduce_1;
    return shape(id) == without_axes(operand(id, 0), axes) ? rule::unbroken : rule::reduce_2;
  }

  constexpr bool has_labels(int id) const {
    view<extent> const a = g_.attributes_of(id);
    if (!is_axis(a[0], 2) || !is_axis(a[1], 4)) return false;
    int const rank_a = operand(id, 0).rank, rank_b = operand(id, 1).rank;
    int const extra = static_cast<int>((a[1] & 1) + (a[1] >> 1));
    return a[2] == rank_a && a[3] == rank_b && a.size() == 4 + rank_a + rank_b + shape(id).rank &&
           g_[id].operand_count == 2 + extra;
  }
  constexpr rule contract(int id) const {
    if (!has_labels(id)) return rule::contract_1;
    contraction const c = contraction_of(g_, id);
    extents const &a = operand(id, 0), &b = operand(id, 1);
    if (!all_distinct({c.a, c.rank_a}) || !all_distinct({c.b, c.rank_b}) ||
        !all_distinct({c.out, c.rank_out}))
      return rule::contract_2;
    for (extent label : g_.attributes_of(id).part(4, c.rank_a + c.rank_b + c.rank_out))
      if (label < 0 || label > most_extent) return rule::contract_9;
    for (extent label : g_.attributes_of(id).part(4, c.rank_a + c.rank_b + c.rank_out))
      if (c.in_a(label) + c.in_b(label) + c.in_out(label) < 2) return rule::contract_3;
    for (int i = 0; i < c.rank_a; ++i)
      if (c.in_b(c.a[i]) && b[contraction::find(c.b, c.rank_b, c.a[i])] != a[i])
        return rule::contract_4;
    if (!(shape(id) == shape_of(c, a, b))) return rule::contract_5;
    return contract_types(id, c);
  }
  constexpr rule contract_types(int id, contraction const& c) const {
    dtype const in = operand_type(id, 0), accumulator = accumulator_of(in);
    if (g_[id].type != in && g_[id].type != accumulator) return rule::contract_6;
    if (c.has_start && (c.order != contract_order::chain || operand_type(id, 2) != accumulator ||
                        !(operand(id, 2) == shape(id))))
      return rule::contract_7;
    if (!c.has_bias) return rule::unbroken;
    int const bias = c.has_start ? 3 : 2;
    bool const typed = operand_type(id, bias) == in || operand_type(id, bias) == accumulator;
    return typed && operand(id, bias) == shape(id) ? rule::unbroken : rule::contract_8;
  }

  constexpr bool agree(int a, int b) const {
    return g_[a].type == g_[b].type && shape(a) == shape(b);
  }
  // A derivative of the user's: results of f, then those of forward, which are alike.
  constexpr bool is_custom(int id, view<extent> counts) const {
    extent const results = counts[6];
    if (results < 1 || results > counts[0] / 2 || counts[1] != 0 || counts[2] != 0 ||
        counts[3] != 0 || g_[id].operand_count < counts[0])
      return false;
    for (int k = 0; k < results; ++k)
      if (!agree(g_.operand(id, k), g_.operand(id, k + static_cast<int>(results)))) return false;
    return true;
  }
  // What is kept is one of three; a region of checkpoint is one step over constants.
  constexpr bool keeps(view<extent> counts) const {
    extent const save = counts[7] % 4, role = counts[7] / 4;
    if (counts[7] < 1 || save > 2 || role > 2) return false;
    return role == 0 || (counts[0] == 0 && counts[1] == 0 && counts[3] == 1 && counts[4] == 0 &&
                         counts[5] == 1 && counts[6] == 0);
  }
  constexpr rule scan(int id) const {
    view<extent> const counts = g_.attributes_of(id);
    node const& n = g_[id];
    for (extent count : counts.part(0, 3))
      if (!is_axis(count, g_.size() + 1)) return rule::scan_1;
    if (!is_extent(counts[3]) || !is_axis(counts[4], 2)) return rule::scan_1;
    if (counts.size() > 5 && (counts[5] < 1 || counts[5] > most_unrolled)) return rule::scan_1;
    bool const plain = counts.size() > 7 && counts[6] == 0;
    if (counts.size() > 6 && !plain && !is_custom(id, counts)) return rule::scan_1;
    if (counts.size() > 7 && !keeps(counts)) return rule::scan_1;
    loop const l = loop_of(g_, id);
    view<int> const parameters = g_.parameters_of(n.body), outputs = g_.outputs_of(n.body);
    if (parameters.size() != n.operand_count || outputs.size() != counts[0] + counts[2] ||
        n.operand_count < counts[0] + counts[1])
      return rule::scan_2;
    for (int y : outputs.part(l.carries, l.ys))
      if (shape(y).rank == max_rank) return rule::scan_6;
    for (int k = 0; k < n.operand_count; ++k) {
      int const x = g_.operand(id, k), inner = parameters[k];
      if (k < l.carries) {
        if (!agree(x, inner) || !agree(x, outputs[k])) return rule::scan_3;
      } else if (k < l.carries + l.xs) {
        if (!is_element(x, inner, l.length)) return rule::scan_4;
      } else if (!agree(x, inner)) return rule::scan_5;
    }
    return rule::unbroken;
  }
  constexpr rule conditional(int id, rule own) const {
    if (rule const r = scan(id); r != rule::unbroken) return r;
    loop const l = loop_of(g_, id);
    bool const counts = own == rule::cond_1 ? l.length == 1 : l.length == 0 && l.xs + l.ys == 0;
    bool const flag = l.carries > 0 && operand_type(id, 0) == dtype::boolean &&
                      operand(id, 0).rank == 0;
    return counts && flag && !l.reverse ? rule::unbroken : own;
  }
  // Is `inner` an element along the leading axis of x?
  constexpr bool is_element(int x, int inner, extent length) const {
    return g_[x].type == g_[inner].type && shape(x).rank > 0 && shape(x)[0] == length &&
           shape(inner) == without_leading(shape(x));
  }

  graph_view g_;
};

} // namespace detail
} // namespace weft::inline v0

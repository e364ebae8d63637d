// SPDX-License-Identifier: BSL-1.0
// Attributes of a node whose operands and result get one more axis in front: the op table's `batch`
// column, asked for the attributes alone (hoist), and the lists that vmap's rules are made of.
// Needs: op/table.hpp. Leaves: led_attributes(op, attributes, extent of the new axis); the same
// attributes for rules that make other nodes (windows, products, loops).
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/graph/custom_call.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace detail {

// A list of axes, one per operand axis.
constexpr growing<extent> axes_led(view<extent> axes) {
  growing<extent> r(1, 0);
  for (extent axis : axes) r.push(axis + 1);
  return r;
}
// Three lists of numbers, one per axis; the new axis has these.
constexpr growing<extent> lists_led(view<extent> lists, extent first, extent second, extent third) {
  extent const front[] = {first, second, third};
  int const rank = lists.size() / 3;
  growing<extent> r;
  for (int i = 0; i < 3; ++i) {
    r.push(front[i]);
    r.append(lists.part(i * rank, rank));
  }
  return r;
}
// Attribute 0 is a set of axes; a single axis.
constexpr growing<extent> axis_set_led(view<extent> attributes) {
  growing<extent> r(attributes);
  r[0] <<= 1;
  return r;
}
constexpr growing<extent> axis_led(view<extent> attributes) {
  growing<extent> r(attributes);
  ++r[0];
  return r;
}
// Attributes 0 and 1 are axes, if the node's kind has them.
constexpr growing<extent> two_axes_led(view<extent> attributes) {
  growing<extent> r(attributes);
  collective const c = collective_of(attributes);
  if (c.has_axis()) ++r[0];
  if (c.kind == collective_kind::all_to_all) ++r[1];
  return r;
}

// Lists of a number per window, of which the first are axes (graph/window_list.hpp).
constexpr growing<extent> windows_led(view<extent> lists) {
  growing<extent> r(lists);
  for (int i = 0; i < lists.size() / 4; ++i) ++r[i];
  return r;
}

// Lists of names per axis, each behind their number (graph/sharding.hpp): none of the new axis.
constexpr growing<extent> shard_list_led(view<extent> lists) {
  growing<extent> r(1, 0);
  r.append(lists);
  return r;
}

// The `n` of a batching rule that is asked for attributes.
class attributes_of_rule {
public:
  growing<extent> result;

  constexpr attributes_of_rule(view<extent> old, extent length)
      : result(old), old_(old), length_(length) {}

  constexpr extent extent_of_batch() const { return length_; }
  constexpr void uniform() {}
  constexpr void with_axes() { result = axes_led(old_); }
  constexpr void with_lists(extent first, extent second, extent third) {
    result = lists_led(old_, first, second, third);
  }
  constexpr void with_axis_set() { result = axis_set_led(old_); }
  constexpr void with_axis() { result = axis_led(old_); }
  constexpr void with_windows() { result = windows_led(old_); }
  constexpr void with_shard_list() { result = shard_list_led(old_); }
  constexpr void with_two_axes() { result = two_axes_led(old_); }
  // Rules that make other nodes.
  constexpr void pad() {}
  constexpr void get() {}
  constexpr void dynamic_slice() {}
  constexpr void dynamic_update_slice() {}
  constexpr void observe() {}
  constexpr void custom_call() { result = custom_call_led(old_, length_); }
  constexpr void gather() {}
  constexpr void scatter() {}
  constexpr void contract() {}
  constexpr void convolve() {}
  constexpr void loop() {}

private:
  view<extent> old_;
  extent length_;
};

// The rule of every op, over a kind of `n`: elementwise ops have one for all, the others their rows'.
template <class N> class batching_table {
public:
  template <int... I>
  constexpr explicit batching_table(std::integer_sequence<int, I...>)
      : rows_{&row<static_cast<op>(elementwise_count + I)>::template batch<N>...} {}

  constexpr void apply(op code, N& n) const {
    if (is_elementwise(code)) n.uniform();
    else rows_[static_cast<int>(code) - elementwise_count](n);
  }

private:
  void (*rows_[static_cast<unsigned>(op_count - elementwise_count)])(N&);
};
template <class N>
inline constexpr batching_table<N> batching_rules{
    std::make_integer_sequence<int, op_count - elementwise_count>{}};

constexpr growing<extent> led_attributes(op code, view<extent> old, extent length) {
  attributes_of_rule n(old, length);
  batching_rules<attributes_of_rule>.apply(code, n);
  return std::move(n.result);
}

} // namespace detail
} // namespace weft::inline v0

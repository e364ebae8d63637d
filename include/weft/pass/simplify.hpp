// SPDX-License-Identifier: BSL-1.0
// simplify: the identities that keep every bit (NaN payloads aside), as rows: one rule per line,
// its equation at the end. Views of views become one view; products that sum nothing are elementwise;
// parts with zeros around that fill an axis together are one array (pass/joined_pads.hpp).
// Never here: x + 0.0 (x = -0), x * 0.0 (NaN, inf, -0), x - x, reassociation, x * (1 / c).
// bf16 obeys the same rules: what is returned was rounded already.
// Needs: a verified graph; `stop_gradients` says whether differentiation still comes.
// Leaves: the same values; nodes without users (dce takes them). Linear, one sweep; may stand
// anywhere, after fold it sees more constants.
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/op/table.hpp>
#include <weft/pass/joined_pads.hpp>
#include <weft/pass/plain_product.hpp>

namespace weft::inline v0 {

enum class stop_gradients : bool { kept, dropped };

namespace detail {

// The numbers that rules ask for. A float's zero is +0: x + (-0) = x, but x + 0 is not x for -0.
enum class number : std::uint8_t { none, zero, minus_zero, one, ones };

constexpr word one_word(dtype d) {
  if (!is_float(d)) return 1;
  return d == dtype::f64    ? 0x3ff0000000000000u
         : d == dtype::f32  ? 0x3f800000u
         : d == dtype::bf16 ? 0x3f80u
                            : 0x3c00u;
}
constexpr number number_in(extent bits, dtype d) {
  auto const w = static_cast<word>(bits);
  if (w == 0) return number::zero;
  if (is_float(d) && w == (storage_mask(d) >> 1) + 1) return number::minus_zero;
  if (w == one_word(d)) return number::one;
  if (is_integer(d) && w == storage_mask(d)) return number::ones;
  return number::none;
}

namespace simplification {
using enum number;
using enum types;

// If operand `at` is the number `is`, the node is its operand `result`.
struct with_number {
  op code;
  types of;
  int at;
  number is;
  int result;
};
inline constexpr with_number numbers_rules[] = {
    {op::mul, numbers, 1, one, 0},                      // x * 1 = x
    {op::mul, numbers, 0, one, 1},                      // 1 * x = x
    {op::mul, integers, 1, zero, 1},                    // x * 0 = 0
    {op::mul, integers, 0, zero, 0},                    // 0 * x = 0
    {op::div, numbers, 1, one, 0},                      // x / 1 = x
    {op::sub, numbers, 1, zero, 0},                     // x - (+0) = x
    {op::add, floats, 1, minus_zero, 0},                // x + (-0) = x
    {op::add, floats, 0, minus_zero, 1},                // (-0) + x = x
    {op::add, integers, 1, zero, 0},                    // x + 0 = x
    {op::add, integers, 0, zero, 1},                    // 0 + x = x
    {op::bit_or, bits, 1, zero, 0},                     // x | 0 = x
    {op::bit_or, bits, 0, zero, 1},                     // 0 | x = x
    {op::bit_or, integers, 1, ones, 1},                 // x | ~0 = ~0
    {op::bit_or, integers, 0, ones, 0},                 // ~0 | x = ~0
    {op::bit_or, booleans, 1, one, 1},                  // x | true = true
    {op::bit_or, booleans, 0, one, 0},                  // true | x = true
    {op::bit_and, bits, 1, zero, 1},                    // x & 0 = 0
    {op::bit_and, bits, 0, zero, 0},                    // 0 & x = 0
    {op::bit_and, integers, 1, ones, 0},                // x & ~0 = x
    {op::bit_and, integers, 0, ones, 1},                // ~0 & x = x
    {op::bit_and, booleans, 1, one, 0},                 // x & true = x
    {op::bit_and, booleans, 0, one, 1},                 // true & x = x
    {op::bit_xor, bits, 1, zero, 0},                    // x ^ 0 = x
    {op::bit_xor, bits, 0, zero, 1},                    // 0 ^ x = x
    {op::shift_left, integers, 1, zero, 0},             // x << 0 = x
    {op::shift_right_logical, integers, 1, zero, 0},    // x >> 0 = x
    {op::shift_right_arithmetic, integers, 1, zero, 0}, // x >> 0 = x
    {op::select, any, 0, one, 1},                       // true ? x : y = x
    {op::select, any, 0, zero, 2},                      // false ? x : y = y
};

// If operands `first` and `second` are one node, the node is that operand.
struct with_equals {
  op code;
  int first, second;
};
inline constexpr with_equals equals_rules[] = {
    {op::select, 1, 2},  // p ? x : x = x
    {op::maximum, 0, 1}, // max(x, x) = x
    {op::minimum, 0, 1}, // min(x, x) = x
    {op::bit_and, 0, 1}, // x & x = x
    {op::bit_or, 0, 1},  // x | x = x
};

// The op undoes itself.
inline constexpr op undoing_rules[] = {
    op::neg,     // --x = x
    op::bit_not, // ~~x = x
};

// convert<from>(convert<through>(x)) = x: `through` holds every value of `from`, or its bits.
constexpr bool holds(dtype from, dtype through) {
  if (from == dtype::boolean) return true; // 0 and 1 everywhere
  if (through == dtype::boolean) return false;
  if (is_integer(from) && is_integer(through)) return size_of(from) <= size_of(through);
  if (is_float(from)) return is_float(through) && size_of(from) < size_of(through);
  // An integer in a float: all of its bits are in the significand.
  int const kept = through == dtype::f64    ? 53
                   : through == dtype::f32  ? 24
                   : through == dtype::bf16 ? 8
                                            : 11;
  return 8 * size_of(from) <= kept;
}
} // namespace simplification

// The rows of numbers_rules that start at an op: one look instead of the list's length.
struct rule_range {
  int first = 0, count = 0;
};
struct rule_index {
  rule_range of[op_count];
};
inline constexpr rule_index number_rule_index = [] {
  rule_index r;
  int at = 0;
  for (auto const& rule : simplification::numbers_rules) {
    rule_range& range = r.of[static_cast<int>(rule.code)];
    if (range.count++ == 0) range.first = at;
    ++at;
  }
  return r;
}();

class simplifier {
public:
  constexpr simplifier(rewriter& w, stop_gradients s) : w_(w), stops_(s) {}

  // The new node that node i is.
  constexpr int simplified(int i) {
    node const& n = w_.from.nodes.first[i];
    op_kind kind = info_of(n.code).kind;
    if (kind == op_kind::view) return simplified_view(i);
    if (n.code == op::collective || n.code == op::rank)
      if (int const known = of_one_rank(n, i); known >= 0) return known;
    if (n.code == op::contract && stops_ == stop_gradients::dropped)
      if (int const product = plain_product(w_, i).node_id(); product >= 0) return product;
    if (n.code == op::add && stops_ == stop_gradients::dropped)
      if (int const joined = joined_pads(w_, i).node_id(); joined >= 0) return joined;
    if (kind != op_kind::elementwise) return w_.copy(i);
    int same = by_rule(n);
    return same >= 0 ? same : w_.copy(i);
  }

private:
  constexpr int in(node const& n, int k) const {
    return w_.map.data()[w_.from.operands.first[n.first_operand + k]];
  }
  // Among others that there are not: the value itself, or zeros where nobody sends any.
  constexpr int of_one_rank(node n, int i) {
    view<extent> const a = w_.from.attributes_of(i);
    if (n.code == op::rank ? a[1] != 1 : collective_of(a).world != 1) return -1;
    if (n.code == op::collective && collective_of(a).group_of(0) >= 0) return in(n, 0);
    n.code = op::constant;
    extent const zero[] = {0};
    return w_.result.add(n, {}, {zero, 1});
  }
  constexpr int by_rule(node const& n) const {
    if (n.code == op::convert) return same_after_conversion(n);
    if (n.code == op::stop_gradient) return stops_ == stop_gradients::dropped ? in(n, 0) : -1;
    int found = by_number(n);
    if (found >= 0) return found;
    if (n.operand_count >= 2)
      for (auto const& rule : simplification::equals_rules)
        if (rule.code == n.code && in(n, rule.first) == in(n, rule.second))
          return in(n, rule.first);
    if (n.operand_count == 1)
      for (op code : simplification::undoing_rules)
        if (code == n.code && w_.result[in(n, 0)].code == code)
          return w_.result.operands[w_.result[in(n, 0)].first_operand];
    return -1;
  }
  constexpr int by_number(node const& n) const {
    rule_range range = number_rule_index.of[static_cast<int>(n.code)];
    if (range.count == 0) return -1;
    number of[3]{};
    for (int k = 0; k < n.operand_count; ++k) of[k] = splat(in(n, k));
    for (int k = range.first; k < range.first + range.count; ++k) {
      auto const& rule = simplification::numbers_rules[k];
      if (of[rule.at] == rule.is && accepts(rule.of, n.type)) return in(n, rule.result);
    }
    return -1;
  }
  // The number that every element of a new node is: a constant, or views of one.
  constexpr number splat(int id) const {
    node const* n = &w_.result.nodes.data()[id];
    if (n->code != op::constant && !is_view(n->code)) return number::none;
    while (is_view(n->code)) n = &w_.result[w_.result.operands[n->first_operand]];
    if (n->code != op::constant || n->attribute_count != 1) return number::none;
    return number_in(w_.result.attributes[n->first_attribute], n->type);
  }
  constexpr int same_after_conversion(node const& n) const {
    node const& x = w_.result[in(n, 0)];
    if (x.type == n.type) return in(n, 0); // convert to its own type
    if (x.code != op::convert) return -1;
    int origin = w_.result.operands[x.first_operand];
    bool const same = w_.result[origin].type == n.type && simplification::holds(n.type, x.type);
    return same ? origin : -1;
  }

  // A view of a view of the same op is one view; a view of all, in order, is its operand.
  constexpr int simplified_view(int i) {
    node n = w_.from.nodes.first[i];
    growing<extent> attributes(w_.from.attributes_of(i));
    int x = in(n, 0);
    while (w_.result[x].code == n.code) {
      int inner = w_.result.operands[w_.result[x].first_operand];
      if (!compose(n.code, inner, x, attributes)) break;
      x = inner;
    }
    if (is_identity(n, x, attributes)) return x;
    return w_.result.add(n, {&x, 1}, attributes);
  }
  constexpr bool is_identity(node const& n, int x, view<extent> attributes) const {
    if (n.code == op::reverse) return attributes[0] == 0;
    if (n.shape != w_.result[x].shape) return false; // interned: equal shapes have one index
    if (n.code == op::slice) return takes_all(w_.result.shape(x), attributes);
    if (n.code != op::transpose) return true; // shard; reshape, broadcast of equal shape
    for (int k = 0; k < attributes.size(); ++k)
      if (attributes[k] != k) return false;
    return true;
  }
  // outer := the attributes of outer(inner(.)), `middle` being the inner view of `whole`. False:
  // they are two views.
  constexpr bool compose(op code, int whole, int middle, growing<extent>& outer) const {
    node const& m = w_.result[middle];
    view<extent> inner = graph_view(w_.result).attributes_of(middle);
    switch (code) {
      case op::reshape: return true; // row-major order of row-major order
      case op::reverse: outer[0] ^= inner[0]; return true;
      case op::transpose: // axis i of the result is axis inner[outer[i]]
        for (extent& p : outer) p = inner[static_cast<int>(p)];
        return true;
      case op::broadcast: { // axis i of the operand becomes axis outer[inner[i]]
        growing<extent> map;
        for (extent p : inner) map.push(outer[static_cast<int>(p)]);
        outer = std::move(map);
        return true;
      }
      case op::slice:
        return compose_slices(w_.result.shape(whole), w_.result.shapes[m.shape], inner, outer);
      default: return false;
    }
  }
  // start + step * (start' + step' * j) over j. Of an axis that is named between the two, at most
  // one takes a part: false otherwise.
  static constexpr bool compose_slices(extents const& whole, extents const& middle,
                                       view<extent> inner, growing<extent>& outer) {
    int rank = middle.rank;
    for (int k = 0; k < rank; ++k)
      if (is_named(middle[k]) && !takes_whole(whole, inner, k) && !takes_whole(middle, outer, k))
        return false;
    for (int k = 0; k < rank; ++k) {
      if (is_named(middle[k])) {
        if (takes_whole(middle, outer, k))
          for (int part = 0; part < 3; ++part) outer[part * rank + k] = inner[part * rank + k];
        continue;
      }
      extent step = inner[2 * rank + k], first = outer[k], last = outer[rank + k];
      bool const empty = last <= first; // then step * first may lie outside
      outer[k] = inner[k] + (empty ? 0 : step * first);
      outer[rank + k] = empty ? outer[k] : inner[k] + step * (last - 1) + 1;
      outer[2 * rank + k] *= step;
    }
    return true;
  }

  rewriter& w_;
  stop_gradients stops_;
};

} // namespace detail

constexpr graph simplify(graph_view g, stop_gradients s = stop_gradients::dropped) {
  detail::rewriter w(g);
  detail::simplifier rules(w, s);
  for (int i = 0; i < g.size(); ++i) w.map.data()[i] = rules.simplified(i);
  return w.finish();
}

} // namespace weft::inline v0

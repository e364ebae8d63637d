// SPDX-License-Identifier: BSL-1.0
// sort and chlo.top_k. A comparator that compares the same function of both elements, or several of
// them one after the other, is a list of keys: one arg_sort, and a gather per operand. Any other is
// asked about every pair, and an element's place is how many stand before it.
// Needs: import_bodies.hpp, graph/handle_gather.hpp. Leaves: stable orders, whatever the text asks.
// Total order: NaN stands last (descending: first) and -0 before +0; JAX's comparators, which know one
// zero and one NaN, are arg_sort's own order.
#pragma once

#include <weft/graph/handle_gather.hpp>
#include <weft/stablehlo/import_bodies.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

inline constexpr int most_keys = 62;
inline constexpr int most_visits = 4096; // of values while a comparator is read

// ---- reading a comparator over (a0, b0, a1, b1, ...)
struct sort_key {
  int value = -1; // of the a's
  bool descending = false, total = false;
};
class comparator_reader {
public:
  constexpr comparator_reader(importing& c, operation const& o) : c_(c), m_(c.m), body_(c, o, 0) {}

  growing<sort_key> keys; // most significant first
  constexpr bool read() {
    int v = body_.returned(0);
    int first = 0, rest = 0;
    while (keys.size() < most_keys) {
      if (body_.gives(v, code::compare, 2)) return push(v);
      if (!splits(v, first, rest)) return false;
      if (!push(first)) return false;
      v = rest;
    }
    return false;
  }
  // select(a != a, NaN, select(a == 0, 0, a)) of an operand alone, as arg_sort has one NaN, the last.
  constexpr int canonical_operand(int v) const {
    if (!body_.gives(v, code::select, 3) || !body_.gives(body_.operand(v, 2), code::select, 3))
      return -1;
    int const inner = body_.operand(v, 2), a = body_.operand(inner, 2);
    bool const nan = body_.is_compare(body_.operand(v, 0), "NE", a, a) &&
                     is_last_nan(body_.operand(v, 1));
    int const zero = body_.operand(inner, 1), by = body_.operand(inner, 0);
    bool const zeros = body_.gives(by, code::compare, 2) && body_.operand(by, 0) == a &&
                       is_constant(zero, 0) && is_constant(body_.operand(by, 1), 0) &&
                       body_.is_compare(by, "EQ", a, body_.operand(by, 1));
    return body_.is_argument(a) && nan && zeros ? (a - body_.argument(0)) / 2 : -1;
  }

private:
  constexpr attribute const* constant(int v) const {
    if (!body_.gives(v, code::constant, 0)) return nullptr;
    attribute const* const a = m_.find(*body_.owner(v), "value");
    return a != nullptr && a->kind == attribute_kind::numbers && a->count == 1 ? a : nullptr;
  }
  constexpr bool is_constant(int v, word bits) const {
    attribute const* const a = constant(v);
    return a != nullptr && m_.words[a->first] == bits;
  }
  // NaN without the sign that puts it first.
  constexpr bool is_last_nan(int v) const {
    attribute const* const a = constant(v);
    dtype const type = m_.type_of(v).element;
    if (a == nullptr || !is_float(type)) return false;
    float_layout const l = layout_of(type);
    word const infinity = ((word{1} << l.exponent) - 1) << l.mantissa;
    return m_.words[a->first] > infinity && m_.words[a->first] < sign_bit_of(type);
  }
  // or(first, and(first's equality, rest)), in any order
  constexpr bool splits(int v, int& first, int& rest) {
    if (!body_.gives(v, code::or_, 2)) return false;
    for (int k = 0; k < 2; ++k) {
      first = body_.operand(v, k);
      int const both = body_.operand(v, 1 - k);
      if (!body_.gives(first, code::compare, 2) || !body_.gives(both, code::and_, 2)) continue;
      for (int j = 0; j < 2; ++j) {
        rest = body_.operand(both, 1 - j);
        if (is_tie(first, body_.operand(both, j))) return true;
      }
    }
    return false;
  }
  constexpr bool is_tie(int first, int equality) {
    if (!body_.gives(equality, code::compare, 2)) return false;
    int const x = body_.operand(first, 0), y = body_.operand(first, 1);
    bool const total = is_total(first);
    return body_.is_compare(equality, "EQ", x, y, total) ||
           body_.is_compare(equality, "EQ", y, x, total);
  }
  constexpr bool is_total(int v) const { return is_total_order(c_, *body_.owner(v)); }
  constexpr bool push(int v) {
    int const x = body_.operand(v, 0), y = body_.operand(v, 1);
    op const how = direction_of(c_, *body_.owner(v)).code;
    if (how == op::equal || how == op::not_equal) return false;
    bool const up = how == op::less || how == op::less_equal;
    if (mirrored(x, y)) keys.push({x, !up, is_total(v)});
    else if (mirrored(y, x)) keys.push({y, up, is_total(v)});
    else return false;
    return true;
  }
  // Is y what x is, with b's for a's?
  constexpr bool mirrored(int x, int y) {
    if (++visits_ > most_visits) return false;
    if (body_.is_argument(x)) {
      int const i = x - body_.argument(0);
      return i % 2 == 0 && y == x + 1;
    }
    operation const *const p = body_.owner(x), *const q = body_.owner(y);
    if (p == nullptr || q == nullptr) return x == y && !body_.is_argument(x);
    if (p->what != q->what || p->operand_count != q->operand_count || p->region_count != 0 ||
        q->region_count != 0 || !same_attributes(*p, *q))
      return false;
    for (int k = 0; k < p->operand_count; ++k)
      if (!mirrored(m_.operand(*p, k), m_.operand(*q, k))) return false;
    return m_.values[x].type == m_.values[y].type;
  }
  constexpr bool same_attributes(operation const& p, operation const& q) const {
    if (p.attribute_count != q.attribute_count) return false;
    for (int i = 0; i < p.attribute_count; ++i)
      if (!same(m_.attributes[p.first_attribute + i], m_.attributes[q.first_attribute + i]))
        return false;
    return true;
  }
  constexpr bool same(attribute const& a, attribute const& b) const {
    if (a.kind != b.kind || !(m_.text(a.name) == m_.text(b.name))) return false;
    switch (a.kind) { // by what each kind says; the rest is how it was spelled
      case attribute_kind::unit: return true;
      case attribute_kind::boolean:
      case attribute_kind::integer:
      case attribute_kind::real: return a.integer == b.integer;
      case attribute_kind::string:
      case attribute_kind::word: return m_.text(a.text) == m_.text(b.text);
      case attribute_kind::numbers:
        return a.type == b.type &&
               m_.words.part(a.first, a.count) == m_.words.part(b.first, b.count);
      default: return false;
    }
  }

  importing& c_;
  module_ir const& m_;
  body_reader body_;
  int visits_ = 0;
};

// A value of a comparator over whole operands: only what it is made of is recorded.
class key_recorder {
public:
  constexpr key_recorder(importing& c, operation const& o, view<handle> x)
      : c_(c), body_(c.m.region_of(o, 0)), lifted_(c.lifted), lift_(c.lift) {
    growing<handle> arguments;
    for (handle h : x) {
      arguments.push(h);
      arguments.push(h);
    }
    c.lifted = true;
    c.lift = x[0].shape();
    c.bind(o, body_.first_argument, body_.argument_count, arguments, "the region is given ");
  }
  constexpr ~key_recorder() {
    c_.lifted = lifted_;
    c_.lift = lift_;
  }
  key_recorder(key_recorder const&) = delete;
  key_recorder& operator=(key_recorder const&) = delete;

  constexpr handle record(int v) {
    visit(v);
    return c_.ok() ? broadcast_to(c_.of_value(v), c_.lift) : handle{};
  }

private:
  constexpr bool is_mine(int id) const {
    for (int i = 0; i < body_.operation_count; ++i)
      if (c_.m.bodies[body_.first_operation + i] == id) return true;
    return false;
  }
  constexpr void visit(int v) {
    int const id = c_.m.values[v].owner;
    if (id < 0 || !c_.ok() || !is_mine(id)) return;
    for (int d : done_)
      if (d == id) return;
    done_.push(id);
    for (int x : c_.m.operands_of(c_.m.operations[id])) visit(x);
    if (c_.ok()) c_.step(id);
  }

  importing& c_;
  module_region const& body_;
  growing<int> done_;
  bool const lifted_;
  extents const lift_;
};
constexpr handle key_of(key_recorder& recording, comparator_reader const& reader, sort_key const& k,
                        view<handle> x) {
  int const canonical = k.total && !k.descending ? reader.canonical_operand(k.value) : -1;
  if (canonical >= 0) return x[canonical];
  handle const h = recording.record(k.value);
  return h.valid() && k.total && is_float(h.type()) ? total_order_key(h) : h;
}

// ---- every pair
constexpr handle ranks_by_pairs(importing& c, operation const& o, view<handle> x, int axis) {
  extents const s = x[0].shape();
  extent const n = s[axis];
  if (!is_static(s)) c.fail(o, "this comparator is not read over extents that only the run knows");
  extents const pairs{3, {n == 0 ? 0 : count_of(s) / n, n, n}};
  if (!is_buildable(c, o, pairs)) return {};
  growing<handle> both;
  for (handle h : x) {
    extent const order[] = {1, 0}, all[] = {0, 1, 2};
    handle const lines = transpose(reshape(with_first(h, axis), {2, {n, pairs[0]}}), {order, 2});
    both.push(broadcast(reshape(lines, {3, {pairs[0], n, 1}}), pairs, {all, 3}));
    both.push(broadcast(reshape(lines, {3, {pairs[0], 1, n}}), pairs, {all, 3}));
  }
  growing<handle> const before = c.run_lifted(o, 0, both);
  if (c.ok() && (before.size() != 1 || before[0].type() != dtype::boolean))
    c.fail(o, "the comparator does not give one i1");
  if (!c.ok()) return {};
  extent const swapped[] = {0, 2, 1};
  handle const after = transpose(before[0], {swapped, 3});
  auto const logic = [](op how, handle a, handle b) { return binary(how, dtype::boolean, a, b); };
  handle const tied = unary(op::bit_not, logic(op::bit_or, before[0], after));
  handle const earlier = less(iota(c.r, dtype::i32, pairs, 1), iota(c.r, dtype::i32, pairs, 2));
  handle const stands = logic(op::bit_or, before[0], logic(op::bit_and, tied, earlier));
  handle const rank = reduce(op::reduce_sum, convert(stands, dtype::i32), 2); // (lines, n)
  extent const order[] = {1, 0};
  extents in_front{1, {n}};
  growing<extent> back;
  for (int i = 0; i < s.rank; ++i) {
    if (i != axis) in_front.push(s[i]);
    back.push(i == axis ? 0 : i < axis ? i + 1 : i);
  }
  return transpose(reshape(transpose(rank, {order, 2}), in_front), back);
}

// ---- sorted operands
constexpr handle reordered(handle x, handle order, int axis) {
  graph const& g = x.where->result;
  node const& n = g.nodes[x.id];
  if (n.code == op::iota && g.attributes[n.first_attribute] == axis)
    return convert(order, x.type());
  return x.shape()[axis] == 0 ? x : gather(x, order, weft::detail::taking_along(x.shape(), axis));
}
constexpr handle order_of(importing& c, operation const& o, view<handle> x, int axis) {
  comparator_reader reader(c, o);
  growing<handle> keys;
  extent descending = 0;
  if (reader.read()) {
    key_recorder recording(c, o, x);
    for (sort_key const& k : reader.keys) {
      if (k.descending) descending |= extent{1} << keys.size();
      keys.push(key_of(recording, reader, k, x));
    }
  } else keys.push(ranks_by_pairs(c, o, x, axis));
  return c.ok() ? arg_sort(keys, axis, descending) : handle{};
}
constexpr void import_sort(importing& c, operation const& o) {
  int const n = o.operand_count;
  if (!c.takes(o, n, n, 1)) return;
  growing<handle> const x = c.ins(o, 0, n);
  if (n == 0) return c.fail(o, "there is no operand");
  extents const s = x[0].shape();
  for (handle h : x)
    if (!same_shapes(c, h.shape(), s)) return c.fail(o, "operands differ in shape");
  extent const axis = integer_or(c, o, "dimension", -1);
  if (c.ok() && (axis < -s.rank || axis >= s.rank)) c.fail(o, "dimension is no axis");
  if (c.ok() && c.m.region_of(o, 0).argument_count != 2 * n)
    c.fail(o, "the comparator takes another number of values");
  if (!c.ok()) return;
  int const along = plain_axis(static_cast<int>(axis), s.rank);
  handle const order = order_of(c, o, x, along);
  for (int k = 0; k < n && c.ok(); ++k) c.give(o, k, reordered(x[k], order, along));
}
// The k largest of the last axis and where they are: by total order, the first of equals first.
constexpr void give_top_k(importing& c, operation const& o, extent k) {
  if (!c.takes(o, 1, 2)) return;
  handle const x = c.in(o, 0);
  int const axis = x.shape().rank - 1;
  if (axis < 0) c.fail(o, "the operand has no axis");
  if (c.ok() && (k < 0 || is_named(x.shape()[axis]) || k > x.shape()[axis]))
    c.fail(o, message("the last axis does not have ").add(k).add(" elements"));
  if (!c.ok()) return;
  handle const key = is_float(x.type()) ? total_order_key(x) : x;
  handle const order = slice_axis(arg_sort({&key, 1}, axis, 1), axis, 0, k);
  c.give(o, 0, reordered(x, order, axis));
  c.give(o, 1, convert(order, c.result_type(o, 1).element));
}
constexpr void import_top_k(importing& c, operation const& o) {
  extent const k = integer_of(c, o, "k");
  if (c.ok()) give_top_k(c, o, k);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

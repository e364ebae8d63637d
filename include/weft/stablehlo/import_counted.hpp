// SPDX-License-Identifier: BSL-1.0
// while loops that count: the condition compares one value with a number, counter < limit, the body
// adds 1 to it, and it starts from a number. These are scans of as many steps, with a derivative, as
// fori_loop records them; values that the body hands on unchanged are constants of the loop.
// Needs: import_bodies.hpp, graph/handle_loop.hpp. Leaves: one scan whose x is the counter, with the
// bits of the while; or nothing: another loop.
#pragma once

#include <weft/graph/handle_loop.hpp>
#include <weft/stablehlo/import_bodies.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

struct counted_loop {
  int counter = -1; // which value; -1: the loop does not count
  extent first = 0, last = 0;
};
struct known_number {
  bool known = false;
  extent is = 0;
};
// A constant of the region, or of what is around it.
constexpr known_number number_of(importing const& c, body_reader const& body, int v) {
  value_type const& t = c.m.type_of(v);
  if (t.kind != type_kind::tensor || t.shape.rank != 0 || !is_signed(t.element)) return {};
  if (body.gives(v, code::constant, 0)) {
    attribute const* const a = c.m.find(*body.owner(v), "value");
    if (a == nullptr || a->kind != attribute_kind::numbers || a->count != 1) return {};
    return {true, number_of_word(c.m.words[a->first], t.element)};
  }
  return {};
}
constexpr bool adds_one(importing const& c, body_reader const& body, int k) {
  int const v = body.returned(k), argument = body.argument(k);
  if (!body.gives(v, code::add, 2)) return false;
  int const x = body.operand(v, 0), y = body.operand(v, 1);
  if (x != argument && y != argument) return false;
  known_number const one = number_of(c, body, x == argument ? y : x);
  return one.known && one.is == 1;
}
constexpr counted_loop counting_of(importing& c, operation const& o, view<handle> start) {
  body_reader const condition(c, o, 0), body(c, o, 1);
  int const v = condition.returned(0);
  bool const plain =
      condition.arguments() == start.size() && body.arguments() == start.size() &&
      condition.gives(v, code::compare, 2) && condition.is_argument(condition.operand(v, 0)) &&
      condition.is_compare(v, "LT", condition.operand(v, 0), condition.operand(v, 1)) &&
      is_compare_type(c, *condition.owner(v), c.m.type_of(condition.operand(v, 0)).element);
  if (!plain) return {};
  int const k = condition.operand(v, 0) - condition.argument(0);
  known_number const limit = number_of(c, condition, condition.operand(v, 1));
  if (start[k].shape().rank != 0 || !is_signed(start[k].type()) || !limit.known ||
      !adds_one(c, body, k))
    return {};
  uniform_bits const first = uniform_of(start[k]);
  if (!first.known) return {};
  extent const from = number_of_word(first.bits, start[k].type());
  if (!is_modest(from) || !is_modest(limit.is) || limit.is - from > weft::detail::most_extent)
    return {};
  return {k, from, limit.is > from ? limit.is : from};
}
constexpr handle integer_scalar(recorder& r, extent n, dtype type) {
  return constant_bits(r, n & static_cast<extent>(weft::detail::storage_mask(type)), type, {});
}
// The steps' numbers, as fori_loop counts them.
constexpr handle counted_steps(recorder& r, counted_loop const& l, dtype type) {
  extents const steps{1, {l.last - l.first}};
  extent const first = l.first & static_cast<extent>(weft::detail::storage_mask(type));
  return iota(r, type, steps, 0) + constant_bits(r, first, type, steps);
}
// The results of a loop that counts.
constexpr growing<handle> record_counted(importing& c, operation const& o, view<handle> start,
                                         counted_loop const& l) {
  body_reader const body(c, o, 1);
  growing<handle> results(start), operands, inner(start), outputs;
  growing<int> carried;
  dtype const type = start[l.counter].type();
  results[l.counter] = integer_scalar(c.r, l.last, type);
  for (int k = 0; k < start.size(); ++k)
    if (k != l.counter && body.returned(k) != body.argument(k)) carried.push(k);
  for (int k : carried) operands.push(start[k]);
  operands.push(counted_steps(c.r, l, type));
  for (handle& h : operands) h = c.r.localised(h);
  int const region = c.r.begin_body();
  for (int k : carried) inner[k] = c.r.parameter(start[k].type(), start[k].shape());
  inner[l.counter] = c.r.parameter(type, {});
  growing<handle> const next = c.run_region(o, 1, inner);
  if (c.ok() && next.size() != start.size()) c.fail(o, "the body gives another number of values");
  for (int k = 0; k < next.size() && c.ok(); ++k)
    if (!same_shapes(c, next[k].shape(), start[k].shape()) || next[k].type() != start[k].type())
      c.fail(o, "the body gives a value of another type or shape than it takes");
  if (!c.ok()) return {};
  for (int k : carried) outputs.push(next[k]);
  loop const counts{.carries = carried.size(), .xs = 1, .length = l.last - l.first};
  operands.append(c.r.end_body(region, outputs));
  growing<handle> const last = weft::detail::record_loop(c.r, region, counts, operands);
  for (int i = 0; i < carried.size(); ++i) results[carried[i]] = last[i];
  return results;
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

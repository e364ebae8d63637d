// SPDX-License-Identifier: BSL-1.0
// Operations that go element by element: those of the op table by its column `stablehlo`, compare,
// clamp, select, convert, and what a few ops make: chlo's predicates, square, next_after,
// reduce_precision.
// Needs: import_attributes.hpp. Leaves: elementwise nodes. On booleans add and max are `or`,
// multiply and min `and`. Total order is that of the bits: -0 < +0, and NaN, whose sign bitcast drops,
// stands last.
#pragma once

#include <weft/op/table.hpp>
#include <weft/stablehlo/import_attributes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// The op of each code; -1: none.
struct op_by_code {
  short of[code_count];
};
consteval bool is_spelled(char const* name, char const* spelling) {
  view<char> s{spelling, 0};
  while (spelling[s.length] != '\0') ++s.length;
  char const prefix[] = "stablehlo.";
  int i = 0;
  while (i < 10 && name[i] == prefix[i]) ++i;
  return s.length > 0 && (is_name(s, name) || (i == 10 && is_name(s, name + 10)));
}
consteval op_by_code find_ops() {
  op_by_code found{};
  for (int c = 0; c < code_count; ++c) {
    found.of[c] = -1;
    for (int o = 0; o < op_count; ++o)
      if (is_elementwise(static_cast<op>(o)) &&
          is_spelled(name_of(static_cast<code>(c)), info_of(static_cast<op>(o)).stablehlo))
        found.of[c] = static_cast<short>(o);
  }
  // Words of their own, and operands that say more than the op's name.
  for (code c : {code::compare, code::convert, code::bitcast_convert, code::select})
    found.of[static_cast<int>(c)] = -1;
  found.of[static_cast<int>(code::chlo_tan)] = static_cast<short>(op::tan);
  return found;
}
inline constexpr op_by_code ops_by_code = find_ops();

constexpr op logic_of(op code) {
  switch (code) {
    case op::add: return op::bit_or;
    case op::mul: return op::bit_and;
    default: return code;
  }
}
constexpr bool agree(importing& c, operation const& o, view<handle> all) {
  for (int k = 1; k < all.size() && c.ok(); ++k)
    if (!same_shapes(c, all[0].shape(), all[k].shape()) || all[k].type() != all[0].type()) {
      message words("operands differ: ");
      add_type(words, all[0].type(), all[0].shape());
      add_type(words.add(" and "), all[k].type(), all[k].shape());
      c.fail(o, words);
    }
  return c.ok();
}
constexpr bool check_element(importing& c, operation const& o, op code, dtype in) {
  if (c.ok() && !accepts(info_of(code).accepts, in))
    c.fail(o, message("there is no ").add(weft::name_of(code)).add(" of ").add(weft::name_of(in)));
  return c.ok();
}
constexpr handle recorded(importing& c, operation const& o, op code, view<handle> all) {
  if (!agree(c, o, all)) return {};
  dtype const in = all[0].type();
  if (in == dtype::boolean) code = logic_of(code);
  if (!check_element(c, o, code, in)) return {};
  dtype const out = info_of(code).result == type_rule::compare ? dtype::boolean : in;
  return emit(code, out, all[0].shape(), all);
}
// An operation that the op table spells.
constexpr bool import_by_table(importing& c, operation const& o) {
  int const code = ops_by_code.of[static_cast<int>(o.what)];
  if (code < 0) return false;
  int const arity = info_of(static_cast<op>(code)).arity;
  if (c.takes(o, arity, 1)) c.give(o, recorded(c, o, static_cast<op>(code), c.ins(o, 0, arity)));
  return true;
}

constexpr dtype integer_like(dtype d, bool with_sign) {
  switch (size_of(d)) {
    case 1: return with_sign ? dtype::i8 : dtype::u8;
    case 2: return with_sign ? dtype::i16 : dtype::u16;
    case 4: return with_sign ? dtype::i32 : dtype::u32;
    default: return with_sign ? dtype::i64 : dtype::u64;
  }
}
constexpr handle bits_like(handle like, word bits) {
  return constant_bits(*like.where, static_cast<extent>(bits), like.type(), like.shape());
}
constexpr handle number_like(handle like, double x) {
  return constant(*like.where, x, like.type(), like.shape());
}
constexpr word sign_bit_of(dtype d) { return word{1} << (8 * size_of(d) - 1); }

// Signed integers in the order of the floats' bits.
constexpr handle total_order_key(handle x) {
  dtype const type = integer_like(x.type(), true);
  handle const b = bitcast(x, type);
  word const rest = sign_bit_of(type) - 1;
  handle const flipped = binary(op::bit_xor, type, b, bits_like(b, rest));
  return select(less(b, bits_like(b, 0)), flipped, b);
}

struct direction {
  bool known = false;
  op code = op::equal;
};
constexpr direction direction_of(importing& c, operation const& o) {
  constexpr char const* names[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  constexpr op codes[] = {op::equal,   op::not_equal,  op::greater_equal,
                          op::greater, op::less_equal, op::less};
  text_span const word = text_in(c.m.find(o, "comparison_direction"));
  for (int i = 0; i < 6; ++i)
    if (c.m.is(word, names[i])) return {true, codes[i]};
  return {};
}
constexpr bool is_total_order(importing& c, operation const& o) {
  return c.m.is(text_in(c.m.find(o, "compare_type")), "TOTALORDER");
}
constexpr bool is_compare_type(importing& c, operation const& o, dtype in) {
  attribute const* const a = c.m.find(o, "compare_type");
  if (a == nullptr || c.m.is(a->text, "NOTYPE")) return true;
  if (is_float(in)) return c.m.is(a->text, "FLOAT") || c.m.is(a->text, "TOTALORDER");
  return c.m.is(a->text, is_signed(in) ? "SIGNED" : "UNSIGNED");
}
// Of booleans false < true.
constexpr handle compare_booleans(op code, handle a, handle b) {
  auto const both = [](op how, handle x, handle y) { return binary(how, dtype::boolean, x, y); };
  switch (code) {
    case op::less: return both(op::bit_and, unary(op::bit_not, a), b);
    case op::less_equal: return both(op::bit_or, unary(op::bit_not, a), b);
    case op::greater: return both(op::bit_and, a, unary(op::bit_not, b));
    case op::greater_equal: return both(op::bit_or, a, unary(op::bit_not, b));
    default: return both(code, a, b);
  }
}
constexpr void import_compare(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  growing<handle> x = c.ins(o, 0, 2);
  direction const how = direction_of(c, o);
  if (!agree(c, o, x)) return;
  if (!how.known) return c.fail(o, "comparison_direction is none of EQ NE GE GT LE LT");
  if (!is_compare_type(c, o, x[0].type()))
    return c.fail(o, message("compare_type is not that of ").add(weft::name_of(x[0].type())));
  if (x[0].type() == dtype::boolean) return c.give(o, compare_booleans(how.code, x[0], x[1]));
  if (is_float(x[0].type()) && is_total_order(c, o))
    for (handle& h : x) h = total_order_key(h);
  c.give(o, compare(how.code, x[0], x[1]));
}

// One number for all elements, or one each.
constexpr handle spread_scalar(importing& c, operation const& o, handle h, extents const& to) {
  if (h.shape().rank == 0) return broadcast_to(h, to);
  if (same_shapes(c, h.shape(), to)) return h;
  message words("operands differ in shape: ");
  c.fail(o, words.add(h.shape()).add(" and ").add(to));
  return h;
}
constexpr void import_clamp(importing& c, operation const& o) {
  if (!c.takes(o, 3, 1)) return;
  handle const x = c.in(o, 1);
  handle const all[] = {spread_scalar(c, o, c.in(o, 0), x.shape()), x,
                        spread_scalar(c, o, c.in(o, 2), x.shape())};
  if (!agree(c, o, {all, 3})) return;
  handle const above = binary(op::maximum, x.type(), x, all[0]);
  c.give(o, binary(op::minimum, x.type(), above, all[2]));
}
constexpr void import_select(importing& c, operation const& o) {
  if (!c.takes(o, 3, 1)) return;
  growing<handle> const x = c.ins(o, 1, 2);
  if (!agree(c, o, x)) return;
  handle const p = spread_scalar(c, o, c.in(o, 0), x[0].shape());
  if (c.ok() && p.type() != dtype::boolean) c.fail(o, "the predicate is not i1");
  if (c.ok()) c.give(o, select(p, x[0], x[1]));
}
constexpr void import_convert(importing& c, operation const& o) {
  if (c.takes(o, 1, 1)) c.give(o, convert(c.in(o, 0), c.result_type(o).element));
}

// ---- chlo
constexpr bool takes_floats(importing& c, operation const& o, int count) {
  if (c.takes(o, count, 1) && !is_float(c.operand_type(o, 0).element))
    c.fail(o, "operands are floats");
  return c.ok();
}
constexpr void import_square(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  handle const both[] = {c.in(o, 0), c.in(o, 0)};
  c.give(o, recorded(c, o, op::mul, {both, 2}));
}
constexpr void import_is_infinity(importing& c, operation const& o, double which) {
  if (!takes_floats(c, o, 1)) return;
  handle const x = c.in(o, 0);
  c.give(o, equal(x, number_like(x, which)));
}
// The next float from x towards y, by its bits: one more or less, away from zero or towards it.
constexpr handle next_after(handle x, handle y) {
  dtype const type = integer_like(x.type(), false);
  handle const b = bitcast(x, type), one = bits_like(b, 1), to = bitcast(y, type);
  handle const sign = bits_like(b, sign_bit_of(type)), zero = number_like(x, 0);
  handle const from_zero = binary(op::bit_or, type, binary(op::bit_and, type, to, sign), one);
  handle const away = equal(less(zero, x), less(x, y));
  handle const moved = select(equal(x, zero), from_zero, select(away, b + one, b - one));
  handle const next = bitcast(moved, x.type());
  handle const nan = select(equal(x, x), y, x);
  handle const unordered = unary(op::bit_not,
                                 binary(op::bit_and, dtype::boolean, equal(x, x), equal(y, y)));
  return select(unordered, nan, select(equal(x, y), y, next));
}
constexpr void import_next_after(importing& c, operation const& o) {
  if (!takes_floats(c, o, 2)) return;
  growing<handle> const x = c.ins(o, 0, 2);
  if (agree(c, o, x)) c.give(o, next_after(x[0], x[1]));
}

// ---- reduce_precision
struct float_layout {
  int exponent, mantissa;
};
constexpr float_layout layout_of(dtype d) {
  switch (d) {
    case dtype::f16: return {5, 10};
    case dtype::bf16: return {8, 7};
    case dtype::f32: return {8, 23};
    default: return {11, 52};
  }
}
// x rounded to a float of e and m bits, to nearest even; what is too large is infinite, what is below
// the smallest normal number is zero, and both keep the sign.
constexpr handle reduced_precision(handle x, int e, int m) {
  float_layout const from = layout_of(x.type());
  dtype const type = integer_like(x.type(), false);
  handle b = bitcast(x, type);
  word const sign = sign_bit_of(type), inf = ((word{1} << from.exponent) - 1) << from.mantissa;
  auto const with = [type](op how, handle a, handle k) { return binary(how, type, a, k); };
  handle const signs = with(op::bit_and, b, bits_like(b, sign));
  if (m < from.mantissa) {
    int const dropped = from.mantissa - m;
    word const last = word{1} << dropped;
    handle const odd = with(
        op::bit_and, with(op::shift_right_logical, b, bits_like(b, static_cast<word>(dropped))),
        bits_like(b, 1));
    b = b + odd + bits_like(b, (last >> 1) - 1);
    b = with(op::bit_and, b, bits_like(b, ~(last - 1) & weft::detail::storage_mask(type)));
  }
  if (e < from.exponent) {
    word const bias = (word{1} << (from.exponent - 1)) - 1, less_bias = (word{1} << (e - 1)) - 1;
    handle const size = with(op::bit_and, b, bits_like(b, inf));
    handle const above = greater(size, bits_like(b, (bias + less_bias) << from.mantissa));
    handle const below = compare(op::less_equal, size,
                                 bits_like(b, (bias - less_bias) << from.mantissa));
    b = select(above, with(op::bit_or, signs, bits_like(b, inf)), b);
    b = select(below, signs, b);
  }
  return select(equal(x, x), bitcast(b, x.type()), x);
}
constexpr void import_reduce_precision(importing& c, operation const& o) {
  if (!takes_floats(c, o, 1)) return;
  extent const e = integer_of(c, o, "exponent_bits"), m = integer_of(c, o, "mantissa_bits");
  if (c.ok() && (e < 1 || m < 0)) c.fail(o, "exponent_bits is at least 1, mantissa_bits 0");
  if (!c.ok()) return;
  float_layout const most = layout_of(c.in(o, 0).type());
  c.give(o, reduced_precision(c.in(o, 0), e < most.exponent ? static_cast<int>(e) : most.exponent,
                              m < most.mantissa ? static_cast<int>(m) : most.mantissa));
}

// ---- map: the body over whole arrays
constexpr void import_map(importing& c, operation const& o) {
  if (!c.takes(o, o.operand_count, 1, 1)) return;
  growing<handle> const x = c.ins(o, 0, o.operand_count);
  if (x.empty()) return c.fail(o, "there is no operand");
  for (handle h : x)
    if (!same_shapes(c, h.shape(), x[0].shape())) return c.fail(o, "operands differ in shape");
  growing<handle> const results = c.run_lifted(o, 0, x);
  if (c.ok()) c.give_all(o, results);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

// SPDX-License-Identifier: BSL-1.0
// Operands and `, key = value` of the pretty forms, as the rows of pretty_keys.hpp say.
// Leaves: the attributes of the generic form, on the stack.
#pragma once

#include <weft/stablehlo/parse_operation.hpp>

namespace weft::inline v0::stablehlo::detail {

// The record dot_dimension_numbers, in the making: its fields lie behind it on the stack.
struct dot_fields {
  attribute fields[4];
  int count = 0;
};
constexpr void parse_dot_pair(reader& r, dot_fields& dot, char const* left, char const* right) {
  for (int side = 0; side < 2; ++side) {
    attribute a;
    a.name = r.m.keep(side == 0 ? left : right);
    if (side == 1 && !r.expect_name("x")) return;
    if (!parse_integers(r, a)) return;
    if (dot.count == 4) return r.fail("dot_general has its dimensions twice; write them once");
    if (r.m.types[a.type].shape[0] > 0) dot.fields[dot.count++] = a;
  }
}
// Batching dimensions first, as StableHLO prints them: the pretty form has this order, too.
constexpr void push_dot_fields(reader& r, dot_fields const& dot) {
  attribute& a = push_attribute(r, "dot_dimension_numbers", attribute_kind::record);
  a.first = r.m.attributes.size(), a.count = dot.count;
  for (int i = 0; i < dot.count; ++i) r.m.attributes.push(dot.fields[i]);
}

constexpr void parse_precision(reader& r) {
  attribute a;
  a.name = r.m.keep("precision_config"), a.kind = attribute_kind::list;
  int const mark = r.attributes.size();
  if (!r.expect('[')) return;
  if (!r.accept(']')) {
    do {
      attribute entry;
      if (!parse_word(r, entry)) return;
      r.attributes.push(entry);
    } while (r.accept(','));
    r.expect(']');
  }
  take_attributes(r, mark, a.first, a.count);
  r.attributes.push(a);
}

constexpr void push_integer(reader& r, char const* name, std::int64_t n, dtype d) {
  int const type = scalar_type(r, d);
  attribute& a = push_attribute(r, name, attribute_kind::integer);
  a.integer = n, a.type = type;
}

// e5m10
constexpr void parse_format(reader& r) {
  view<char> const text = (r.peek(), r.name());
  std::int64_t numbers[2]{};
  int which = -1, digits = 0;
  bool wrong = false;
  for (char c : text) {
    if (is_digit(c) && which >= 0 && ++digits < 5) {
      numbers[which] = numbers[which] * 10 + (c - '0');
      continue;
    }
    wrong = wrong || which == 1 || c != (which < 0 ? 'e' : 'm') || (which == 0 && digits == 0);
    ++which, digits = 0;
    if (wrong) break;
  }
  if (wrong || which != 1 || digits == 0) return r.missing("a format as e5m10");
  push_integer(r, "exponent_bits", numbers[0], dtype::i32);
  push_integer(r, "mantissa_bits", numbers[1], dtype::i32);
}

// Behind `key =`.
constexpr void parse_key_value(reader& r, pretty_key const& k, dot_fields& dot) {
  attribute a;
  if (k.kind == key_kind::batching)
    return parse_dot_pair(r, dot, "lhs_batching_dimensions", "rhs_batching_dimensions");
  if (k.kind == key_kind::contracting)
    return parse_dot_pair(r, dot, "lhs_contracting_dimensions", "rhs_contracting_dimensions");
  if (k.kind == key_kind::precision) return parse_precision(r);
  if (k.kind == key_kind::format) return parse_format(r);
  if (std::int64_t n = 0; k.kind == key_kind::integer) {
    if (r.signed_number(n)) push_integer(r, k.name, n, dtype::i64);
    return;
  }
  a.name = r.m.keep(k.name);
  bool good = false;
  if (k.kind == key_kind::integers) good = parse_integers(r, a);
  else if (k.kind == key_kind::enumerator) good = parse_word(r, a);
  else if (k.kind == key_kind::algorithm) good = r.expect('<') && parse_record(r, '>', a);
  else good = parse_attribute(r, a);
  if (good) r.attributes.push(a);
}
constexpr pretty_key const* find_key(code what, view<char> key) {
  for (pretty_key const& k : pretty_keys)
    if (k.what == what && is_name(key, k.key)) return &k;
  return nullptr;
}
constexpr bool has_keys(code what) {
  for (pretty_key const& k : pretty_keys)
    if (k.what == what) return true;
  return false;
}
// %a, %b, key = value, ...
constexpr void parse_items(reader& r, draft const& d) {
  dot_fields dot;
  char const c = r.peek();
  if (c != '%' && !(is_letter(c) && has_keys(d.what))) return; // no operands
  do {
    if (r.peek() == '%') {
      parse_operand(r);
      continue;
    }
    char const* const at = r.at;
    view<char> const key = r.name();
    pretty_key const* const k = find_key(d.what, key);
    if (k == nullptr) {
      r.at = at;
      message m = r.start().add(name_of(d.what)).add(" has no attribute ");
      return key.empty() ? r.missing("an operand") : r.fail(at, add_text(m, key).add(" here"));
    }
    if (r.expect('=')) parse_key_value(r, *k, dot);
  } while (r.accept(','));
  if (d.what == code::dot_general) push_dot_fields(r, dot);
}

} // namespace weft::inline v0::stablehlo::detail

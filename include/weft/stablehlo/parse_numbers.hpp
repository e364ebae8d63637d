// SPDX-License-Identifier: BSL-1.0
// Elements of constants: one number of any type to its word, dense<...> with its nested lists, one
// number for all elements, or bytes in hexadecimal.
// Leaves: words as graph constants keep them; one word where all elements are the same.
// Errors: numbers that do not fit, lists that have another shape than the type.
#pragma once

#include <weft/stablehlo/decimal.hpp>
#include <weft/stablehlo/parse_types.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr float_format format_of(dtype d) {
  if (d == dtype::f64) return {11, 52};
  if (d == dtype::f16) return {5, 10};
  if (d == dtype::bf16) return {8, 7};
  return {8, 23};
}

// [digits][.digits][e[+-]digits]; fractional: it has a point or an exponent.
constexpr view<char> decimal_text(reader& r, bool& fractional) {
  char const* const first = r.at;
  fractional = false;
  while (r.at != r.end && is_digit(*r.at)) ++r.at;
  if (r.at == first) return r.missing("a number"), view<char>{};
  if (r.at != r.end && *r.at == '.') {
    fractional = true, ++r.at;
    while (r.at != r.end && is_digit(*r.at)) ++r.at;
  }
  if (r.at != r.end && (*r.at == 'e' || *r.at == 'E')) {
    char const* p = r.at + 1;
    if (p != r.end && (*p == '+' || *p == '-')) ++p;
    if (p != r.end && is_digit(*p)) {
      fractional = true;
      for (r.at = p; r.at != r.end && is_digit(*r.at);) ++r.at;
    }
  }
  return r.since(first);
}

constexpr bool at_hexadecimal(reader const& r) {
  return r.end - r.at > 2 && *r.at == '0' && r.at[1] == 'x' && hex_digit(r.at[2]) >= 0;
}

// A magnitude below 2^64, decimal or 0x...
constexpr bool parse_magnitude(reader& r, word& out) {
  char const* const first = r.at;
  bool const hexadecimal = at_hexadecimal(r);
  if (hexadecimal) r.at += 2;
  word const base = hexadecimal ? 16 : 10;
  char const* const digits = r.at;
  for (out = 0; r.at != r.end; ++r.at) {
    int const digit = hexadecimal ? hex_digit(*r.at) : is_digit(*r.at) ? *r.at - '0' : -1;
    if (digit < 0) break;
    if (out > (~word{0} - static_cast<word>(digit)) / base) {
      r.fail(first, r.start().add("a number has more than 64 bits; write a smaller one"));
      return false;
    }
    out = out * base + static_cast<word>(digit);
  }
  if (r.at == digits) return r.missing("a number"), false;
  return true;
}

constexpr void does_not_fit(reader& r, char const* first, dtype d) {
  message m = r.start().add("the number ");
  add_text(m, r.since(first));
  r.fail(first, m.add(" is not one of ").add(name_of(d)).add("; write one that fits the type"));
}

constexpr word parse_float(reader& r, dtype d, bool negative) {
  char const* const first = r.at;
  float_format const f = format_of(d);
  if (at_hexadecimal(r)) { // the bits
    word bits = 0;
    if (parse_magnitude(r, bits) && (negative || (bits & ~weft::detail::storage_mask(d)) != 0))
      does_not_fit(r, first, d);
    return bits;
  }
  bool fractional = false, infinite = false;
  view<char> const text = decimal_text(r, fractional);
  if (r.failed) return 0;
  word bits = float_bits(text, f, infinite);
  if (infinite) does_not_fit(r, first, d);
  return negative ? bits | word{1} << (f.exponent_bits + f.fraction_bits) : bits;
}

// An integer without sign may use all bits of a signless type: 255 is -1 of i8, as in MLIR.
constexpr word parse_integer(reader& r, dtype d, bool negative) {
  char const* const first = r.at;
  word magnitude = 0;
  if (!parse_magnitude(r, magnitude)) return 0;
  word const mask = weft::detail::storage_mask(d);
  bool const point = r.at != r.end && (*r.at == '.' || *r.at == 'e' || *r.at == 'E');
  bool const fits = negative ? magnitude <= mask / 2 + 1 && (!is_unsigned(d) || magnitude == 0)
                             : magnitude <= mask;
  if (!fits || point) does_not_fit(r, first, d);
  return (negative ? 0 - magnitude : magnitude) & mask;
}

// One number of type d.
constexpr word parse_element_of(reader& r, dtype d) {
  char const c = r.peek();
  if (is_letter(c)) {
    bool const is_true = r.accept_name("true");
    if (!is_true && !r.accept_name("false")) return r.missing("a number, true or false"), 0;
    if (d != dtype::boolean) r.fail(r.at, r.start().add("true and false are i1; write a number"));
    return is_true ? 1 : 0;
  }
  if (c == '(') {
    r.fail("complex numbers are not supported; write their parts as two tensors");
    return 0;
  }
  bool const negative = r.accept('-');
  if (negative && (r.at == r.end || !is_digit(*r.at))) return r.missing("a number behind '-'"), 0;
  return is_float(d) ? parse_float(r, d, negative) : parse_integer(r, d, negative);
}

// The number of elements; -1: more than 2^62, or not known.
constexpr extent element_count(value_type const& t) {
  extent n = 1;
  for (int i = 0; i < t.shape.rank; ++i)
    if (t.shape[i] == 0) return 0;
  for (int i = 0; i < t.shape.rank; ++i) {
    if (t.shape[i] < 0 || n > (extent{1} << 62) / t.shape[i]) return -1;
    n *= t.shape[i];
  }
  return n;
}

// Words of the module from `first` on are numbers of type `t`: one word if they are all the same.
constexpr void join_equal(reader& r, int first) {
  int const n = r.m.words.size() - first;
  for (int i = 1; i < n; ++i)
    if (r.m.words[first + i] != r.m.words[first]) return;
  if (n > 1) r.m.words.resize(first + 1);
}

// [[1, 2], [3, 4]] of axes `axis`...
constexpr void parse_nested(reader& r, value_type const& t, int axis) {
  if (axis == t.shape.rank) {
    r.m.words.push(parse_element_of(r, t.element));
    return;
  }
  char const* const first = (r.peek(), r.at);
  if (!r.expect('[')) return;
  extent n = 0;
  if (!r.accept(']')) {
    do parse_nested(r, t, axis + 1), ++n;
    while (r.accept(','));
    r.expect(']');
  }
  if (n != t.shape[axis] && !r.failed)
    r.fail(first, r.start()
                      .add("a list has ")
                      .add(n)
                      .add(" entries for the extent ")
                      .add(t.shape[axis])
                      .add(" of axis ")
                      .add(axis)
                      .add("; write one for each"));
}

// "0x...": little-endian bytes of all elements, or of one for all.
constexpr void parse_bytes(reader& r, value_type const& t, extent count) {
  char const* const first = (r.peek(), r.at);
  view<char> const text = r.raw_string();
  int const digits = text.size() - 2, size = size_of(t.element);
  bool const marked = digits >= 0 && text[0] == '0' && text[1] == 'x';
  extent const bytes = digits / 2;
  bool const splat = bytes == size, plain = bytes % size == 0 && bytes / size == count;
  // i1 comes as a byte an element, or eight elements in a byte, the first lowest.
  bool const packed = t.element == dtype::boolean && !plain && bytes == (count + 7) / 8;
  if (r.failed) return;
  if (!marked || digits % 2 != 0 || !(splat || plain || packed)) {
    message m = r.start().add("a text of ").add(bytes).add(" bytes for ").add(count).add(" ");
    r.fail(first, m.add(name_of(t.element)).add("; write \"0x\" and two digits a byte"));
    return;
  }
  char const* p = text.begin() + 2;
  extent const n = packed ? count : bytes / size;
  int const at = r.m.words.size();
  r.m.words.resize(at + static_cast<int>(n));
  word* out = r.m.words.data() + at;
  bool wrong = false;
  for (extent i = 0; i < (packed ? bytes : n); ++i) {
    word w = 0;
    for (int b = 0; b < size; ++b, p += 2) {
      int const high = hex_digit(p[0]), low = hex_digit(p[1]);
      wrong = wrong || (high | low) < 0;
      w |= static_cast<word>((high << 4 | low) & 0xff) << (8 * b);
    }
    if (packed)
      for (int b = 0; b < 8 && 8 * i + b < n; ++b) *out++ = w >> b & 1;
    else *out++ = t.element == dtype::boolean ? w != 0 : w;
  }
  if (wrong)
    r.fail(first, r.start().add("a byte is not two digits 0 to 9, A to F; write \"0x...\""));
}

// The literal between < and > of dense<...>, whose type is known.
constexpr void parse_dense_literal(reader& r, value_type const& t, attribute& out) {
  out.first = r.m.words.size();
  extent const count = element_count(t);
  char const c = r.peek();
  char const* const first = r.at;
  if (count < 0)
    r.fail(first, r.start().add("a constant's type has no number of elements below "
                                "2^62; write the extents it has"));
  else if (c == '>') {
    if (count != 0) r.fail(first, r.start().add("dense<> has no elements for ").add(count));
  } else if (c == '"') parse_bytes(r, t, count);
  else if (c == '[') parse_nested(r, t, 0);
  else r.m.words.push(parse_element_of(r, t.element));
  if (count == 0) r.m.words.resize(out.first);
  join_equal(r, out.first);
  out.count = r.m.words.size() - out.first;
}

// Passes over a literal to the > that ends it: only strings can have one inside.
constexpr void skip_literal(reader& r) {
  while (r.peek() != '\0' && *r.at != '>') {
    if (*r.at == '"') r.raw_string();
    else ++r.at;
  }
}

// Behind `dense`: <literal> : type. The type is read first.
constexpr bool parse_dense(reader& r, attribute& out) {
  if (!r.expect('<')) return false;
  place const literal = r.here();
  skip_literal(r);
  if (!r.expect('>') || !r.expect(':')) return false;
  char const* const type_at = (r.peek(), r.at);
  int const type = parse_type(r);
  if (r.failed) return false;
  if (r.m.types[type].kind != type_kind::tensor) {
    r.fail(type_at, r.start().add("dense<...> is a tensor; write tensor<...> behind it"));
    return false;
  }
  place const behind = r.here();
  r.go(literal);
  out.kind = attribute_kind::numbers, out.type = type;
  value_type const t = r.m.types[type];
  parse_dense_literal(r, t, out);
  if (!r.expect('>')) return false;
  r.go(behind);
  return true;
}

} // namespace weft::inline v0::stablehlo::detail

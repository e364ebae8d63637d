// SPDX-License-Identifier: BSL-1.0
// Attributes: numbers, strings, lists, records, the enumerators and structures of StableHLO,
// aliases; and the text of what nobody here reads.
// Leaves: the kinds that attribute_kind describes. Of structures, #stablehlo.gather<...>, fields
// that are empty lists are left out, as StableHLO prints them. The type of an integer or real
// attribute is a tensor without axes.
#pragma once

#include <weft/stablehlo/parse_lists.hpp>

namespace weft::inline v0::stablehlo::detail {

// What nobody reads, from `first` on: its text; `typed`: with `: type` behind it.
constexpr bool parse_other(reader& r, place first, attribute& out, bool typed = false) {
  r.go(first);
  skip_term(r);
  if (typed && r.expect(':')) skip_term(r);
  if (r.failed) return false;
  out.kind = attribute_kind::other, out.text = r.keep(r.since(first.at));
  return true;
}

// 1, -2 : i32, 0x10 : ui8, 1.5 : f32, 0x7F800000 : f32
constexpr bool parse_number_attribute(reader& r, attribute& out) {
  place const from = r.here();
  char const* const first = from.at;
  bool const negative = r.accept('-');
  bool fractional = false;
  bool const hexadecimal = at_hexadecimal(r);
  word ignored = 0;
  if (hexadecimal) parse_magnitude(r, ignored);
  else decimal_text(r, fractional);
  if (r.failed) return false;
  dtype d = fractional ? dtype::f64 : dtype::i64;
  if (r.accept(':')) {
    if (r.accept_name("index")) return parse_other(r, from, out, true);
    if (!parse_element(r, d)) return false;
  }
  char const* const behind = r.at;
  r.at = negative ? first + 1 : first;
  if (fractional && !is_float(d)) does_not_fit(r, first, d);
  word const w = is_float(d) ? parse_float(r, d, negative) : parse_integer(r, d, negative);
  if (r.failed) return false;
  r.at = behind;
  out.type = scalar_type(r, d);
  if (is_float(d)) {
    out.kind = attribute_kind::real;
    double const x = weft::detail::with_dtype(d, [&]<dtype D>() -> double {
      if constexpr (!is_float(D)) return 0;
      else if constexpr (is_half(D)) return static_cast<float>(element_of_word<storage_of<D>>(w));
      else return static_cast<double>(element_of_word<storage_of<D>>(w));
    });
    out.integer = static_cast<std::int64_t>(word_of(x));
  } else {
    out.kind = attribute_kind::integer;
    int const unused = 64 - 8 * size_of(d);
    out.integer = static_cast<std::int64_t>(w);
    if (is_signed(d) && d != dtype::boolean)
      out.integer = static_cast<std::int64_t>(w << unused) >> unused;
  }
  return true;
}

// (types) -> types: its text; first and count say where m.members has the results, integer how
// many arguments are listed before them.
constexpr bool parse_function_type(reader& r, attribute& out) {
  char const* const first = (r.peek(), r.at);
  int const mark = r.types.size();
  parse_type_list(r);
  int const arguments = r.types.size() - mark;
  if (!r.expect_arrow()) return false;
  parse_type_list(r);
  if (r.failed) return false;
  out.kind = attribute_kind::other;
  out.text = r.keep(r.since(first));
  out.integer = arguments;
  out.count = r.types.size() - mark - arguments;
  out.first = r.m.members.size() + arguments;
  r.m.members.append(r.types.part(mark, r.types.size() - mark));
  r.types.resize(mark);
  return true;
}

// [b, 0, f]x[0, i, o]->[b, 0, f] with one space behind each comma.
constexpr void parse_labels_part(reader& r) {
  if (!r.expect('[')) return;
  r.m.characters.push('[');
  if (!r.accept(']')) {
    for (;;) {
      char const c = r.peek();
      if (!is_digit(c) && !is_letter(c) && c != '?')
        return r.missing("a label: b, f, i, o or a number");
      while (r.at != r.end && (is_digit(*r.at) || is_letter(*r.at) || *r.at == '?'))
        r.m.characters.push(*r.at++);
      if (!r.accept(',')) break;
      r.m.characters.push(','), r.m.characters.push(' ');
    }
    r.expect(']');
  }
  r.m.characters.push(']');
}
constexpr bool parse_labels(reader& r, attribute& out) {
  out.kind = attribute_kind::labels;
  int const first = r.m.characters.size();
  parse_labels_part(r);
  if (!r.expect('x')) return false;
  r.m.characters.push('x');
  parse_labels_part(r);
  if (!r.expect_arrow()) return false;
  r.m.characters.push('-'), r.m.characters.push('>');
  parse_labels_part(r);
  out.text = {first, r.m.characters.size() - first};
  return !r.failed;
}

constexpr bool parse_word(reader& r, attribute& out) {
  view<char> const w = r.name();
  if (w.empty()) return r.missing("a name"), false;
  out.kind = attribute_kind::word, out.text = r.keep(w);
  return true;
}

constexpr bool parse_alias(reader& r, char const* first, view<char> name, attribute& out) {
  if (named_values const* const known = r.alias_names.find(name)) {
    text_span const kept = out.name;
    out = r.aliases[known->first], out.name = kept;
    return true;
  }
  message m = r.start().add("#");
  add_text(m, name).add(" is not defined; write #");
  r.fail(first, add_text(m, name).add(" = ... before its use"));
  return false;
}

// #...
constexpr bool parse_dialect_attribute(reader& r, attribute& out) {
  place const first = r.here();
  view<char> const name = r.sigil_name();
  bool const bracket = r.at != r.end && *r.at == '<';
  if (!bracket) {
    for (char c : name)
      if (c == '.') return parse_other(r, first, out);
    return parse_alias(r, first.at, name, out);
  }
  ++r.at;
  if (is_structure(name)) {
    out.text = r.keep(name);
    return parse_record(r, '>', out);
  }
  if (is_name(name, "stablehlo.conv")) {
    bool const raw = r.accept_name("raw");
    return !raw && parse_labels(r, out) ? r.expect('>') : !r.failed && parse_other(r, first, out);
  }
  if (is_name(name, "stablehlo")) {
    view<char> const kind = r.name();
    if (is_enumeration(kind)) {
      text_span const kept = r.keep(kind);
      out.first = kept.first, out.count = kept.count;
      return parse_word(r, out) && r.expect('>');
    }
  }
  return parse_other(r, first, out);
}

// dense<...> : tensor<...xindex> is text to us.
constexpr bool parse_dense_or_other(reader& r, place first, attribute& out) {
  place const behind = r.here();
  if (!r.expect('<')) return false;
  skip_literal(r);
  if (!r.expect('>') || !r.expect(':')) return false;
  char const* const type_at = (r.peek(), r.at);
  skip_term(r);
  view<char> const type = r.since(type_at);
  bool const index = type.size() > 6 && is_name(type.part(type.size() - 6, 6), "index>");
  if (r.failed) return false;
  if (index) return parse_other(r, first, out, true);
  r.go(behind);
  return parse_dense(r, out);
}

constexpr bool parse_attribute(reader& r, attribute& out) {
  char const c = r.peek();
  place const first = r.here();
  if (c == '"') {
    out.kind = attribute_kind::string, out.text = keep_string(r, r.raw_string());
    return !r.failed;
  }
  if (c == '@') return out.kind = attribute_kind::symbol, parse_symbol(r, out.text);
  if (c == '[') return ++r.at, parse_list(r, out);
  if (c == '{') return ++r.at, out.integer = 1, parse_record(r, '}', out);
  if (c == '#') return parse_dialect_attribute(r, out);
  if (c == '-' || is_digit(c)) return parse_number_attribute(r, out);
  if (c == '(') return parse_function_type(r, out);
  if (r.accept_name("true") || r.accept_name("false")) {
    out.kind = attribute_kind::boolean, out.integer = c == 't';
    return true;
  }
  if (r.accept_name("unit")) return true;
  if (r.accept_name("dense")) return parse_dense_or_other(r, first, out);
  if (r.accept_name("array")) return parse_array(r, out);
  if (at_type(r)) {
    out.kind = attribute_kind::type, out.type = parse_type(r);
    return !r.failed;
  }
  return parse_other(r, first, out);
}

// loc(...), if it is there, is passed over.
constexpr void skip_location(reader& r) {
  if (r.accept_name("loc")) {
    if (r.peek() == '(') r.skip_bracket();
    else r.missing("'(' behind loc");
  }
}

} // namespace weft::inline v0::stablehlo::detail

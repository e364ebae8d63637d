// SPDX-License-Identifier: BSL-1.0
// What attributes are made of: strings, symbols, records, lists, array<i64: ...>.
// Leaves: entries next to each other. Lists of integers, or of true and false, are numbers.
#pragma once

#include <weft/stablehlo/parse_numbers.hpp>

#include <initializer_list>

namespace weft::inline v0::stablehlo::detail {

constexpr bool one_of(view<char> name, std::initializer_list<char const*> names) {
  for (char const* n : names)
    if (is_name(name, n)) return true;
  return false;
}
// #stablehlo<comparison_direction LT>
constexpr bool is_enumeration(view<char> name) {
  return one_of(name, {"comparison_direction", "comparison_type", "precision", "rng_algorithm",
                       "rng_distribution", "transpose", "fft_type"});
}
// #stablehlo.gather<offset_dims = [1]>
constexpr bool is_structure(view<char> name) {
  return one_of(name, {"stablehlo.gather", "stablehlo.scatter", "stablehlo.dot",
                       "stablehlo.channel_handle", "stablehlo.dot_algorithm"});
}

// The characters of a string without their escapes.
constexpr text_span keep_string(reader& r, view<char> raw) {
  text_span s{r.m.characters.size(), 0};
  for (int i = 0; i < raw.size(); ++i) {
    char c = raw[i];
    if (c == '\\' && i + 1 < raw.size()) {
      char const next = raw[++i];
      int const high = hex_digit(next), low = i + 1 < raw.size() ? hex_digit(raw[i + 1]) : -1;
      if (next == 'n') c = '\n';
      else if (next == 't') c = '\t';
      else if (high >= 0 && low >= 0) c = static_cast<char>(high << 4 | low), ++i;
      else c = next;
    }
    r.m.characters.push(c);
  }
  s.count = r.m.characters.size() - s.first;
  return s;
}

// @name, @"any name", @outer::@inner: onto the module's characters without the first @.
constexpr bool parse_symbol(reader& r, text_span& out) {
  if (r.peek() != '@') return r.missing("a symbol, '@name'"), false;
  char const* const first = r.at + 1;
  if (r.end - r.at > 1 && r.at[1] == '"') {
    ++r.at;
    out = keep_string(r, r.raw_string());
    return !r.failed;
  }
  if (r.sigil_name().empty()) return r.missing("a name behind '@'"), false;
  while (r.end - r.at > 3 && r.at[0] == ':' && r.at[1] == ':' && r.at[2] == '@')
    r.at += 2, r.sigil_name();
  out = r.keep(r.since(first));
  return true;
}

// Moves what is on the stack above `mark` to the module.
constexpr void take_attributes(reader& r, int mark, int& first, int& count) {
  first = r.m.attributes.size(), count = r.attributes.size() - mark;
  r.m.attributes.append(r.attributes.part(mark, count));
  r.attributes.resize(mark);
}

constexpr bool same_name_above(reader const& r, int mark, text_span name) {
  int const size = r.attributes.size(); // of very long ones only the last are looked at
  for (int i = size - mark > 64 ? size - 64 : mark; i < size; ++i)
    if (r.m.text(r.attributes[i].name) == r.m.text(name)) return true;
  return false;
}

// name = value, ... up to `close`, onto the stack; a name alone is a unit.
constexpr void parse_entries(reader& r, char close, bool skip_empty, int mark) {
  nesting const level(r);
  if (r.accept(close)) return;
  do {
    r.peek();
    char const* const first = r.at;
    attribute a;
    if (r.peek() == '"') a.name = keep_string(r, r.raw_string());
    else {
      view<char> const name = r.name();
      if (name.empty()) return r.missing("the name of an attribute");
      a.name = r.keep(name);
    }
    if (same_name_above(r, mark, a.name)) {
      message m = r.start().add("the attribute ");
      add_text(m, r.m.text(a.name)).add(" is given twice; write it once");
      return r.fail(first, m);
    }
    if (r.accept('=') && !r.read_attribute(r, a)) return;
    if (!skip_empty || a.kind != attribute_kind::list || a.count > 0) r.attributes.push(a);
  } while (r.accept(','));
  r.expect(close);
}
// Behind `{` or the `<` of a structure.
constexpr bool parse_record(reader& r, char close, attribute& out) {
  int const mark = r.attributes.size();
  parse_entries(r, close, close == '>', mark);
  out.kind = attribute_kind::record;
  take_attributes(r, mark, out.first, out.count);
  return !r.failed;
}

// The attributes of a list are numbers if all are integers, or all true and false, of one type.
constexpr bool are_numbers(view<attribute> list) {
  if (list.empty()) return false;
  attribute_kind const k = list[0].kind;
  if (k != attribute_kind::integer && k != attribute_kind::boolean) return false;
  for (attribute const& a : list)
    if (a.kind != k || a.type != list[0].type) return false;
  return true;
}
constexpr int vector_type(reader& r, dtype element, int n) {
  value_type t;
  t.element = element;
  t.shape.push(n);
  return r.intern(t);
}
constexpr void numbers_from(reader& r, view<attribute> list, attribute& out) {
  bool const truths = list[0].kind == attribute_kind::boolean;
  dtype const d = truths ? dtype::boolean : r.m.types[list[0].type].element;
  out.kind = attribute_kind::numbers, out.type = vector_type(r, d, list.size());
  out.integer = 1;
  out.first = r.m.words.size();
  for (attribute const& a : list)
    r.m.words.push(static_cast<word>(a.integer) & weft::detail::storage_mask(d));
  join_equal(r, out.first);
  out.count = r.m.words.size() - out.first;
}
// Behind `[`.
constexpr bool parse_list(reader& r, attribute& out) {
  nesting const level(r);
  int const mark = r.attributes.size();
  out.kind = attribute_kind::list;
  if (!r.accept(']')) {
    do {
      attribute a;
      if (!r.read_attribute(r, a)) return false;
      r.attributes.push(a);
    } while (r.accept(','));
    if (!r.expect(']')) return false;
  }
  view<attribute> const list = r.attributes.part(mark, r.attributes.size() - mark);
  if (are_numbers(list)) {
    numbers_from(r, list, out);
    r.attributes.resize(mark);
  } else take_attributes(r, mark, out.first, out.count);
  return true;
}

// Behind `array`: <i64: 1, 2>
constexpr bool parse_array(reader& r, attribute& out) {
  dtype d{};
  if (!r.expect('<') || !parse_element(r, d)) return false;
  out.kind = attribute_kind::numbers, out.first = r.m.words.size(), out.integer = 2;
  if (r.accept(':')) do
      r.m.words.push(parse_element_of(r, d));
    while (r.accept(','));
  if (!r.expect('>')) return false;
  out.type = vector_type(r, d, r.m.words.size() - out.first);
  join_equal(r, out.first);
  out.count = r.m.words.size() - out.first;
  return true;
}

// [1, 2]: integers in pretty forms, i64 whatever is in it.
constexpr bool parse_integers(reader& r, attribute& out) {
  out.kind = attribute_kind::numbers, out.first = r.m.words.size();
  if (!r.expect('[')) return false;
  if (!r.accept(']')) {
    do r.m.words.push(parse_element_of(r, dtype::i64));
    while (r.accept(','));
    if (!r.expect(']')) return false;
  }
  out.type = vector_type(r, dtype::i64, r.m.words.size() - out.first);
  join_equal(r, out.first);
  out.count = r.m.words.size() - out.first;
  return !r.failed;
}

} // namespace weft::inline v0::stablehlo::detail

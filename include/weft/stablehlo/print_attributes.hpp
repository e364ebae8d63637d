// SPDX-License-Identifier: BSL-1.0
// Types and attributes as text. What a record or a word is called in MLIR, #stablehlo.gather<...>,
// #stablehlo<precision HIGH>, follows from the attribute's name.
#pragma once

#include <weft/stablehlo/parse_attributes.hpp>
#include <weft/stablehlo/print_numbers.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr void write_type(writer& w, module_ir const& m, int id) {
  value_type const& t = m.types[id];
  if (t.kind == type_kind::token) {
    w.add("!stablehlo.token");
    return;
  }
  if (t.kind == type_kind::tuple) {
    w.add("tuple<");
    for (int i = 0; i < t.member_count; ++i) {
      if (i > 0) w.add(", ");
      write_type(w, m, m.members[t.first_member + i]);
    }
    w.add('>');
    return;
  }
  w.add("tensor<");
  for (int i = 0; i < t.shape.rank; ++i) {
    if (t.shape[i] == dynamic_extent) w.add('?');
    else w.number(t.shape[i]);
    w.add('x');
  }
  w.add(name_of(t.element)).add('>');
}
// (a, b): always in parentheses.
constexpr void write_types(writer& w, module_ir const& m, view<int> ids) {
  w.add('(');
  for (int i = 0; i < ids.size(); ++i) {
    if (i > 0) w.add(", ");
    write_type(w, m, ids[i]);
  }
  w.add(')');
}
constexpr void write_function_type(writer& w, module_ir const& m, view<int> from, view<int> to) {
  write_types(w, m, from);
  w.add(" -> ");
  if (to.size() == 1) write_type(w, m, to[0]);
  else write_types(w, m, to);
}

constexpr void write_string(writer& w, view<char> s) {
  w.add('"');
  for (char c : s) {
    if (c == '"' || c == '\\') w.add('\\').add(c);
    else if (c >= ' ' && c <= '~') w.add(c);
    else w.add('\\').hexadecimal(static_cast<unsigned char>(c), 2);
  }
  w.add('"');
}
// Letters, digits, '_', '.' and '$', not beginning with a digit.
constexpr bool is_bare_name(view<char> s) {
  if (s.empty() || !(is_letter(s[0]) || s[0] == '_')) return false;
  for (char c : s)
    if (!is_name_character(c)) return false;
  return true;
}
// @name, @"any name", @outer::@inner
constexpr void write_symbol(writer& w, view<char> name) {
  w.add('@');
  bool bare = true;
  for (int i = 0, first = 0; i <= name.size(); ++i) {
    bool const joint = i + 2 < name.size() && name[i] == ':' && name[i + 1] == ':' &&
                       name[i + 2] == '@';
    if (i < name.size() && !joint) continue;
    bare = bare && is_bare_name(name.part(first, i - first));
    if (joint) i += 2, first = i + 1;
  }
  if (bare) w.add(name);
  else write_string(w, name);
}

struct spelled {
  char const *name, *spelling;
};
inline constexpr spelled enumerations[] = {{"comparison_direction", "comparison_direction"},
                                           {"compare_type", "comparison_type"},
                                           {"precision_config", "precision"},
                                           {"rng_algorithm", "rng_algorithm"},
                                           {"rng_distribution", "rng_distribution"},
                                           {"transpose_a", "transpose"}};
inline constexpr spelled structures[] = {{"dot_dimension_numbers", "dot"},
                                         {"dimension_numbers", "gather"},
                                         {"scatter_dimension_numbers", "scatter"},
                                         {"channel_handle", "channel_handle"},
                                         {"algorithm", "dot_algorithm"}};
template <int N> constexpr char const* spelling_of(spelled const (&rows)[N], view<char> name) {
  for (spelled const& row : rows)
    if (is_name(name, row.name)) return row.spelling;
  return nullptr;
}

// Whether attributes without a dialect's prefix are those that StableHLO defines for it.
constexpr bool has_own_attributes(code c) {
  return c != code::custom_call && c != code::composite && c != code::unknown;
}

struct attribute_writer {
  writer& w;
  module_ir const& m;
  code what = code::unknown; // the operation's; unknown: of a function or module
  bool inside = false;       // a structure, where numbers have no types

  constexpr void numbers(attribute const& a, view<char> name) {
    value_type const& t = m.types[a.type];
    bool const vector = t.shape.rank == 1, own = has_own_attributes(what);
    bool const plain = t.element == dtype::i64 || t.element == dtype::boolean;
    bool const listed = (inside && plain) || (a.integer == 1 && !own);
    bool const array = own ? !is_name(name, "value") && vector : a.integer == 2;
    if (!vector || !(listed || array)) {
      w.add("dense<");
      write_literal(w, m.words.part(a.first, a.count), t);
      w.add("> : ");
      return write_type(w, m, a.type);
    }
    if (!listed) w.add("array<").add(name_of(t.element)).add(t.shape[0] > 0 ? ": " : "");
    else w.add('[');
    for (extent i = 0; i < t.shape[0]; ++i) {
      if (i > 0) w.add(", ");
      write_element(w, m.element(a, static_cast<int>(i)), t.element);
      if (listed && !inside && t.element != dtype::i64 && t.element != dtype::boolean)
        w.add(" : ").add(name_of(t.element));
    }
    w.add(listed ? ']' : '>');
  }
  constexpr void number(attribute const& a) {
    bool const real = a.kind == attribute_kind::real;
    dtype const d = a.type >= 0 ? m.types[a.type].element : real ? dtype::f64 : dtype::i64;
    if (!real && is_unsigned(d)) w.number(static_cast<std::uint64_t>(a.integer));
    else if (!real) w.number(a.integer);
    else {
      double const x = element_of_word<double>(static_cast<word>(a.integer));
      word const bits = weft::detail::with_dtype(d, [&]<dtype D>() -> word {
        if constexpr (is_float(D)) return word_of(static_cast<storage_of<D>>(x));
        else return 0;
      });
      write_float(w, bits, d);
    }
    if (!inside || d != (real ? dtype::f64 : dtype::i64)) w.add(" : ").add(name_of(d));
  }
  constexpr void list(attribute const& a, view<char> name) {
    w.add('[');
    for (int i = 0; i < a.count; ++i) {
      if (i > 0) w.add(", ");
      value(m.attributes[a.first + i], name);
    }
    w.add(']');
  }
  constexpr void record(attribute const& a, view<char> name) {
    char const* const structure = has_own_attributes(what) ? spelling_of(structures, name)
                                                           : nullptr;
    if (structure != nullptr && !inside) {
      w.add("#stablehlo.").add(structure).add('<');
      attribute_writer{w, m, what, true}.entries(a.first, a.count);
      w.add('>');
      return;
    }
    w.add('{');
    attribute_writer{w, m, code::unknown, false}.entries(a.first, a.count);
    w.add('}');
  }
  constexpr void enumerator(attribute const& a, view<char> name) {
    char const* const kind = spelling_of(enumerations, name);
    if (a.count > 0)
      w.add("#stablehlo<").add(m.text({a.first, a.count})).add(' ').add(m.text(a.text)).add('>');
    else if (kind == nullptr) w.add(m.text(a.text));
    else w.add("#stablehlo<").add(kind).add(' ').add(m.text(a.text)).add('>');
  }
  constexpr void value(attribute const& a, view<char> name) {
    switch (a.kind) {
      case attribute_kind::unit: w.add("unit"); break;
      case attribute_kind::boolean: w.add(a.integer != 0 ? "true" : "false"); break;
      case attribute_kind::integer:
      case attribute_kind::real: number(a); break;
      case attribute_kind::string: write_string(w, m.text(a.text)); break;
      case attribute_kind::symbol: write_symbol(w, m.text(a.text)); break;
      case attribute_kind::word: enumerator(a, name); break;
      case attribute_kind::numbers: numbers(a, name); break;
      case attribute_kind::list: list(a, name); break;
      case attribute_kind::record: record(a, name); break;
      case attribute_kind::labels: w.add("#stablehlo.conv<").add(m.text(a.text)).add('>'); break;
      case attribute_kind::type: write_type(w, m, a.type); break;
      case attribute_kind::other:
        if (a.integer == 0 && a.count == 0) w.add(m.text(a.text));
        else
          write_function_type(
              w, m,
              m.members.part(a.first - static_cast<int>(a.integer), static_cast<int>(a.integer)),
              m.members.part(a.first, a.count));
        break;
    }
  }
  constexpr void entry(attribute const& a) {
    view<char> const name = m.text(a.name);
    if (is_bare_name(name)) w.add(name);
    else write_string(w, name);
    if (a.kind == attribute_kind::unit) return;
    w.add(" = ");
    value(a, name);
  }
  constexpr void entries(int first, int count) {
    for (int i = first; i < first + count; ++i) {
      if (i > first) w.add(", ");
      entry(m.attributes[i]);
    }
  }
};

} // namespace weft::inline v0::stablehlo::detail

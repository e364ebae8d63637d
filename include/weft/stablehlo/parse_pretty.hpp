// SPDX-License-Identifier: BSL-1.0
// The pretty forms: operands, `key = value` as pretty_keys.hpp lists them, the few that are like no
// other, and types of which one may stand for all.
// Leaves: the attributes of the generic form.
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

// [0:2, 1:5:2]
constexpr void parse_slice_ranges(reader& r) {
  growing<std::int64_t> numbers[3];
  if (!r.expect('[')) return;
  if (!r.accept(']')) {
    do {
      std::int64_t n[3] = {0, 0, 1};
      if (!r.signed_number(n[0]) || !r.expect(':') || !r.signed_number(n[1])) return;
      if (r.accept(':') && !r.signed_number(n[2])) return;
      for (int i = 0; i < 3; ++i) numbers[i].push(n[i]);
    } while (r.accept(','));
    r.expect(']');
  }
  char const* const names[3] = {"start_indices", "limit_indices", "strides"};
  for (int i = 0; i < 3; ++i) {
    int const first = r.m.words.size(), type = vector_type(r, dtype::i64, numbers[i].size());
    for (std::int64_t n : numbers[i]) r.m.words.push(static_cast<word>(n));
    join_equal(r, first);
    attribute& a = push_attribute(r, names[i], attribute_kind::numbers);
    a.type = type, a.first = first, a.count = r.m.words.size() - first;
  }
}

// LT, %a, %b, SIGNED
constexpr void parse_compare(reader& r) {
  attribute direction, kind;
  direction.name = r.m.keep("comparison_direction");
  if (!parse_word(r, direction)) return;
  r.attributes.push(direction);
  if (!r.expect(',')) return;
  parse_operand(r);
  if (!r.expect(',')) return;
  parse_operand(r);
  if (!r.accept(',')) return;
  kind.name = r.m.keep("compare_type");
  if (parse_word(r, kind)) r.attributes.push(kind);
}

// [[1, 1], [2, 0]], or [1, 1] or [false, true]: a value in a window.
constexpr bool parse_window_value(reader& r, bool pairs, attribute& a) {
  if (!pairs) {
    if (!parse_attribute(r, a)) return false;
    if (a.kind == attribute_kind::list && a.count == 0) {
      a.kind = attribute_kind::numbers, a.type = vector_type(r, dtype::i64, 0);
      a.first = r.m.words.size();
    }
    return true;
  }
  a.kind = attribute_kind::numbers, a.first = r.m.words.size();
  if (!r.expect('[')) return false;
  if (!r.accept(']')) {
    do {
      if (!r.expect('[')) return false;
      r.m.words.push(parse_element_of(r, dtype::i64));
      if (!r.expect(',')) return false;
      r.m.words.push(parse_element_of(r, dtype::i64));
      if (!r.expect(']')) return false;
    } while (r.accept(','));
    r.expect(']');
  }
  value_type t;
  t.element = dtype::i64;
  t.shape.push((r.m.words.size() - a.first) / 2);
  t.shape.push(2);
  a.type = r.intern(t);
  join_equal(r, a.first);
  a.count = r.m.words.size() - a.first;
  return !r.failed;
}
// (%a, %b) dim_numbers = [...]x[...]->[...], window = {stride = [1], ...}
constexpr void parse_convolution(reader& r) {
  attribute labels;
  if (!r.expect('(')) return;
  parse_operand_list(r);
  labels.name = r.m.keep("dimension_numbers");
  if (!r.expect_name("dim_numbers") || !r.expect('=') || !parse_labels(r, labels)) return;
  r.attributes.push(labels);
  if (!r.expect(',') || !r.expect_name("window") || !r.expect('=') || !r.expect('{')) return;
  if (r.accept('}')) return;
  do {
    view<char> const key = (r.peek(), r.name());
    attribute a;
    for (window_key const& k : window_keys)
      if (is_name(key, k.key)) a.name = r.m.keep(k.name);
    if (a.name.count == 0) return r.missing("stride, pad, lhs_dilate, rhs_dilate or reverse");
    if (!r.expect('=') || !parse_window_value(r, is_name(key, "pad"), a)) return;
    r.attributes.push(a);
  } while (r.accept(','));
  r.expect('}');
}

// @name(operands) or "name"(operands)
constexpr void parse_target(reader& r, char const* name, attribute_kind kind) {
  attribute a;
  a.name = r.m.keep(name), a.kind = kind;
  if (r.peek() == '"') a.text = keep_string(r, r.raw_string());
  else if (!parse_symbol(r, a.text)) return;
  r.attributes.push(a);
  if (r.expect('(')) parse_operand_list(r);
}
// "name" %a, %b
constexpr void parse_composite(reader& r, draft const& d) {
  attribute a;
  a.name = r.m.keep("name"), a.kind = attribute_kind::string;
  a.text = keep_string(r, r.raw_string());
  r.attributes.push(a);
  parse_items(r, d);
}

// dense<...> : type, which is the result's.
constexpr void parse_constant(reader& r, draft const& d) {
  parse_attribute_dictionaries(r, d);
  char const* const at = (r.peek(), r.at);
  attribute a;
  a.name = r.m.keep("value");
  if (!parse_attribute(r, a)) return;
  if (a.kind != attribute_kind::numbers)
    return r.fail(at, r.start().add("a constant is no tensor; write dense<...> : tensor<...>"));
  r.attributes.push(a);
  r.types.push(a.type);
}

// `type` for all operands and results, `types` for each, or `types -> types`.
constexpr void parse_signature(reader& r, draft const& d) {
  int const operands = r.operands.size() - d.operands, first = r.types.size();
  if (!r.accept(':')) {
    if (operands > 0 || !(is_return(d.what) || d.what == code::optimization_barrier))
      r.missing("':' and the types");
    return;
  }
  parse_type_list(r);
  while (r.accept(',')) r.types.push(parse_type(r));
  int const written = r.types.size() - first;
  if (r.failed) return;
  if (r.at_arrow()) {
    check_operand_types(r, d, first, written);
    r.types.resize(first);
    r.expect_arrow();
    return parse_type_list(r);
  }
  if (operands == 0) return; // of results
  if (is_return(d.what) || d.what == code::optimization_barrier) {
    check_operand_types(r, d, first, written);
    if (is_return(d.what)) r.types.resize(first);
  } else if (d.what == code::select && written == 2) {
    check_operand_type(r, d, 0, r.types[first]);
    for (int k = 1; k < operands; ++k) check_operand_type(r, d, k, r.types[first + 1]);
    r.types[first] = r.types[first + 1];
    r.types.pop();
  } else if (d.what == code::tuple && written == 1) {
    value_type const t = r.m.types[r.types[first]];
    if (t.kind != type_kind::tuple || t.member_count != operands)
      return r.fail(d.place, r.start().add("stablehlo.tuple: the type has not one member for each "
                                           "operand; write tuple<...> of their types"));
    for (int k = 0; k < operands; ++k) check_operand_type(r, d, k, r.m.members[t.first_member + k]);
  } else if (written == 1) {
    for (int k = 0; k < operands; ++k) check_operand_type(r, d, k, r.types[first]);
  } else check_operand_types(r, d, first, written);
}

constexpr void parse_reduce(reader& r, draft const& d);
constexpr void parse_while(reader& r, draft const& d);

constexpr void parse_pretty(reader& r, draft const& d) {
  switch (d.what) {
    case code::reduce: return parse_reduce(r, d);
    case code::while_: return parse_while(r, d);
    case code::constant:
    case code::chlo_constant: return parse_constant(r, d);
    case code::compare: parse_compare(r); break;
    case code::slice:
      parse_operand(r);
      parse_slice_ranges(r);
      break;
    case code::get_tuple_element: {
      parse_operand(r);
      std::int64_t n = 0;
      if (!r.expect('[') || !r.number(n) || !r.expect(']')) return;
      push_integer(r, "index", n, dtype::i32);
      break;
    }
    case code::convolution:
    case code::dynamic_conv: parse_convolution(r); break;
    case code::call:
    case code::func_call: parse_target(r, "callee", attribute_kind::symbol); break;
    case code::custom_call: parse_target(r, "call_target_name", attribute_kind::string); break;
    case code::composite: parse_composite(r, d); break;
    default: {
      bool const bracket = r.accept('('); // chlo.top_k(%a, k = 2), optimization_barrier ()
      parse_items(r, d);
      if (bracket && !r.expect(')')) return;
    }
  }
  parse_attribute_dictionaries(r, d);
  parse_signature(r, d);
}

} // namespace weft::inline v0::stablehlo::detail

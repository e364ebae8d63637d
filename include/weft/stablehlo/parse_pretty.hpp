// SPDX-License-Identifier: BSL-1.0
// The pretty forms: operands and keys (parse_keys.hpp), the few that are like no other, and types of
// which one may stand for all.
// Leaves: the attributes of the generic form.
#pragma once

#include <weft/stablehlo/parse_keys.hpp>

namespace weft::inline v0::stablehlo::detail {

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

// %a <@mesh, [{"x"}, {}]>
constexpr void parse_sharding_constraint(reader& r) {
  parse_operand(r);
  char const* const first = (r.peek(), r.at);
  if (r.peek() != '<') return r.missing("'<@mesh, [...]>'");
  r.skip_bracket();
  growing<char> whole(view<char>("#sdy.sharding", 13));
  whole.append(r.since(first));
  attribute& a = push_attribute(r, "sharding", attribute_kind::other);
  a.text = r.keep(whole);
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

} // namespace weft::inline v0::stablehlo::detail

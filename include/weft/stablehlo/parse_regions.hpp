// SPDX-License-Identifier: BSL-1.0
// The pretty forms with regions, reduce and while; and which form each operation has.
//   stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : types -> types
//   stablehlo.reduce(%x init: %c), (%y init: %d) across dimensions = [1] : types -> types
//     reducer(%a: type, %b: type) (%c: type, %d: type) { ... }
//   stablehlo.while(%i = %a, %j = %b) : types cond { ... } do { ... }
// Leaves: regions with arguments as the generic form has them.
#pragma once

#include <weft/stablehlo/parse_pretty.hpp>

namespace weft::inline v0::stablehlo::detail {

// (%x init: %c), ...: operands are the inputs, then the initial values.
constexpr void parse_reduced(reader& r) {
  growing<int> starts;
  do {
    if (!r.expect('(')) return;
    parse_operand(r);
    if (!r.expect_name("init") || !r.expect(':')) return;
    int const v = parse_value(r);
    if (v < 0 || !r.expect(')')) return;
    starts.push(v);
  } while (r.accept(','));
  r.operands.append(starts);
}

// A region of one operation on two scalars.
constexpr void push_applied(reader& r, draft const& inner, int type) {
  module_region region;
  int const mark = r.operations.size();
  region.first_argument = r.m.add_value(type), region.argument_count = 2;
  r.m.add_value(type);
  r.operands.push(region.first_argument), r.operands.push(region.first_argument + 1);
  r.types.push(type);
  int const result = r.m.operations[commit(r, inner, inner.types)].first_result;
  draft back = inner;
  back.what = code::stablehlo_return;
  r.operands.push(result);
  commit(r, back, r.types.size());
  region.first_operation = r.m.bodies.size(), region.operation_count = 2;
  r.m.bodies.append(r.operations.part(mark, 2));
  r.operations.resize(mark);
  r.m.regions.push(region);
  r.regions.push(r.m.regions.size() - 1);
}

// reducer(%a: type, %b: type) (%c: type, %d: type) { ... }: arguments a, c, b, d.
constexpr void parse_reducer(reader& r) {
  if (!r.expect_name("reducer")) return;
  int const arguments = r.arguments.size(), types = r.types.size();
  growing<view<char>> second;
  growing<int> second_types;
  while (r.accept('(')) {
    for (int i = 0; i < 2; ++i) {
      if (i == 1 && !r.expect(',')) return;
      if (r.peek() != '%') return r.missing("an argument, '%name: type'");
      view<char> const name = r.sigil_name();
      if (!r.expect(':')) return;
      int const type = parse_type(r);
      skip_location(r);
      (i == 0 ? r.arguments : second).push(name);
      (i == 0 ? r.types : second_types).push(type);
    }
    if (!r.expect(')')) return;
  }
  r.arguments.append(second), r.types.append(second_types);
  r.regions.push(parse_region(r, arguments, types));
  r.arguments.resize(arguments), r.types.resize(types);
}

constexpr void parse_reduce(reader& r, draft const& d) {
  parse_reduced(r);
  bool const applies = r.accept_name("applies");
  r.peek();
  draft inner(r, code::unknown, r.at);
  if (applies) {
    view<char> const name = r.peek() == '"' ? r.raw_string() : r.name();
    inner.what = code_of(name);
    if (inner.what == code::unknown) return r.missing("the name of an operation of two scalars");
  }
  attribute a;
  a.name = r.m.keep("dimensions");
  if (!r.expect_name("across") || !r.expect_name("dimensions") || !r.expect('=') ||
      !parse_integers(r, a))
    return;
  r.attributes.push(a);
  parse_attribute_dictionaries(r, d);
  parse_signature(r, d);
  skip_location(r);
  if (r.failed) return;
  if (!applies) return parse_reducer(r);
  int const start = r.m.values[r.operands.back()].type;
  inner.operands = r.operands.size(), inner.attributes = r.attributes.size();
  inner.regions = r.regions.size(), inner.types = r.types.size();
  push_applied(r, inner, start);
}

constexpr void parse_while(reader& r, draft const& d) {
  int const arguments = r.arguments.size();
  if (!r.expect('(')) return;
  if (!r.accept(')')) {
    do {
      if (r.peek() != '%') return r.missing("'%name = %value'");
      r.arguments.push(r.sigil_name());
      if (r.expect('=')) parse_operand(r);
    } while (r.accept(','));
    r.expect(')');
  }
  int const first = r.types.size();
  if (r.accept(':')) {
    do r.types.push(parse_type(r));
    while (r.accept(','));
  }
  check_operand_types(r, d, first, r.types.size() - first);
  if (r.accept_name("attributes")) parse_attribute_dictionaries(r, d);
  for (char const* word : {"cond", "do"}) {
    if (!r.expect_name(word)) return;
    r.regions.push(parse_region(r, arguments, first));
  }
  r.arguments.resize(arguments);
}

// Behind the name of an operation that is not quoted.
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
    case code::sharding_constraint: parse_sharding_constraint(r); break;
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

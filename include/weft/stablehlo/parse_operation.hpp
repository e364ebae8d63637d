// SPDX-License-Identifier: BSL-1.0
// Operations and regions, in the generic form, and what both forms share: results, operands, types,
// the dictionary of attributes, and the checks of what is used against what was defined.
// Leaves: an operation's operands, results, attributes and regions next to each other each.
#pragma once

#include <weft/stablehlo/parse_attributes.hpp>
#include <weft/stablehlo/pretty_keys.hpp>

namespace weft::inline v0::stablehlo::detail {

// An operation while it is read: where its lists begin on the stacks.
struct draft {
  code what = code::unknown;
  int line = 0, column = 0;
  char const* place = nullptr;
  int operands = 0, attributes = 0, regions = 0, types = 0, results = 0;

  constexpr draft(reader const& r, code c, char const* at)
      : what(c), line(r.line), column(r.column_of(at)), place(at), operands(r.operands.size()),
        attributes(r.attributes.size()), regions(r.regions.size()), types(r.types.size()),
        results(r.results.size()) {}
};

constexpr void undefined_value(reader& r, char const* at, view<char> name) {
  message m = r.start().add("%");
  add_text(m, name).add(" is used before it is defined, or outside its region; ");
  r.fail(at, m.add("write its definition first"));
}
// %name, %name#2
constexpr int parse_value(reader& r) {
  if (r.peek() != '%') return r.missing("a value, '%name'"), -1;
  char const* const first = r.at;
  view<char> const name = r.sigil_name();
  extent which = 0;
  bool const numbered = r.at != r.end && *r.at == '#';
  if (numbered && (++r.at, !r.number(which))) return -1;
  named_values const* const found = r.names.find(name);
  if (r.failed) return -1;
  if (found == nullptr) return undefined_value(r, first, name), -1;
  if (which >= found->count) {
    message m = r.start().add("%");
    add_text(m, name).add(" has ").add(found->count).add(" values, numbered from 0; there is no #");
    r.fail(first, m.add(which));
    return -1;
  }
  return found->first + static_cast<int>(which);
}
constexpr void parse_operand(reader& r) {
  int const v = parse_value(r);
  if (v >= 0) r.operands.push(v);
}
// Behind `(`.
constexpr void parse_operand_list(reader& r) {
  if (r.accept(')')) return;
  do parse_operand(r);
  while (r.accept(','));
  r.expect(')');
}

constexpr void define(reader& r, char const* at, view<char> name, int first, int count) {
  if (name.empty()) return r.missing("a name behind '%'");
  if (r.names.find(name) != nullptr) {
    message m = r.start().add("%");
    add_text(m, name).add(" is defined already; write another name");
    return r.fail(at, m);
  }
  r.names.add(name, first, count);
}

// Of the k-th operand, the type that stands at its use.
constexpr void check_operand_type(reader& r, draft const& d, int k, int type) {
  int const v = r.operands[d.operands + k];
  if (r.m.values[v].type == type || r.failed) return;
  message m = r.start().add(name_of(d.what)).add(": operand ").add(k).add(" is ");
  add_type(m, r.m, r.m.values[v].type).add(" where it is defined, ");
  r.fail(d.place, add_type(m, r.m, type).add(" here; write one type"));
}
// Types of operands on the stack [first, first + count).
constexpr void check_operand_types(reader& r, draft const& d, int first, int count) {
  int const operands = r.operands.size() - d.operands;
  if (r.failed) return;
  if (operands != count) {
    message m = r.start().add(name_of(d.what)).add(" has ").add(operands).add(" operands and ");
    return r.fail(d.place, m.add(count).add(" types for them; write one for each"));
  }
  for (int k = 0; k < count; ++k) check_operand_type(r, d, k, r.types[first + k]);
}

constexpr attribute& push_attribute(reader& r, char const* name, attribute_kind kind) {
  attribute a;
  a.name = r.m.keep(name), a.kind = kind;
  r.attributes.push(a);
  return r.attributes.back();
}

constexpr void drop_defaults(reader& r, draft const& d) {
  int kept = d.attributes;
  for (int i = d.attributes; i < r.attributes.size(); ++i)
    if (!is_default(r.m, d.what, r.attributes[i])) r.attributes[kept++] = r.attributes[i];
  r.attributes.resize(kept);
}

// The operation is whole: from the stacks into the module. Result types are on the stack from
// `result_types` on. Returns its number.
constexpr int commit(reader& r, draft const& d, int result_types) {
  module_ir& m = r.m;
  operation o;
  o.what = d.what == code::call      ? code::func_call
           : d.what == code::return_ ? code::func_return
                                     : d.what;
  o.line = d.line, o.column = d.column;
  drop_defaults(r, d);
  o.first_operand = m.operands.size(), o.operand_count = r.operands.size() - d.operands;
  m.operands.append(r.operands.part(d.operands, o.operand_count));
  take_attributes(r, d.attributes, o.first_attribute, o.attribute_count);
  o.first_region = m.region_lists.size(), o.region_count = r.regions.size() - d.regions;
  m.region_lists.append(r.regions.part(d.regions, o.region_count));
  int const self = m.operations.size();
  o.first_result = m.values.size(), o.result_count = r.types.size() - result_types;
  for (int i = result_types; i < r.types.size(); ++i) m.values.push({r.types[i], self});
  m.operations.push(o);
  r.operands.resize(d.operands), r.regions.resize(d.regions), r.types.resize(d.types);
  r.operations.push(self);
  return self;
}

constexpr bool is_return(code c) {
  return c == code::return_ || c == code::func_return || c == code::stablehlo_return;
}

// ^bb0(%a: type, ...): before a region's operations.
constexpr void parse_label(reader& r) {
  if (r.peek() != '^') return;
  r.sigil_name();
  if (r.accept('(') && !r.accept(')')) {
    do {
      if (r.peek() != '%') return r.missing("an argument, '%name: type'");
      char const* const at = r.at;
      view<char> const name = r.sigil_name();
      if (!r.expect(':')) return;
      int const type = parse_type(r);
      if (type < 0) return;
      define(r, at, name, r.m.add_value(type), 1);
      skip_location(r);
    } while (r.accept(','));
    r.expect(')');
  }
  r.expect(':');
}

// { operations }, with the arguments whose names and types lie on the stacks above the marks.
// Returns the region's number.
constexpr int parse_region(reader& r, int arguments, int types) {
  nesting const level(r);
  int const names = r.names.entries.size(), mark = r.operations.size();
  module_region region;
  region.first_argument = r.m.values.size();
  for (int i = arguments; i < r.arguments.size() && !r.failed; ++i)
    define(r, r.arguments[i].begin(), r.arguments[i], r.m.add_value(r.types[types + i - arguments]),
           1);
  if (!r.expect('{')) return -1;
  parse_label(r);
  region.argument_count = r.m.values.size() - region.first_argument;
  while (!r.failed && r.peek() != '}') {
    if (r.peek() == '^') r.fail("a region has more than one block; write it with case and while");
    if (r.operations.size() > mark && is_return(r.m.operations[r.operations.back()].what))
      r.fail("an operation follows the return of its region; write the return last");
    r.read_operation(r);
  }
  if (r.failed) return -1;
  if (r.operations.size() == mark || !is_return(r.m.operations[r.operations.back()].what)) {
    r.fail("a region does not end with a return; write stablehlo.return or func.return last");
    return -1;
  }
  r.expect('}');
  region.first_operation = r.m.bodies.size();
  region.operation_count = r.operations.size() - mark;
  r.m.bodies.append(r.operations.part(mark, region.operation_count));
  r.operations.resize(mark);
  r.names.forget(names);
  r.m.regions.push(region);
  return r.m.regions.size() - 1;
}

// <{...}> or {...}, any number of them, onto the stack.
constexpr void parse_attribute_dictionaries(reader& r, draft const& d) {
  for (;;) {
    if (r.peek() == '<' && r.end - r.at > 1 && r.at[1] == '{') {
      r.at += 2;
      parse_entries(r, '}', false, d.attributes);
      if (!r.expect('>')) return;
    } else if (r.accept('{')) parse_entries(r, '}', false, d.attributes);
    else return;
  }
}

// Behind the quoted name: (operands) <{attributes}> (regions) {attributes} : (types) -> types
constexpr void parse_generic(reader& r, draft const& d) {
  if (!r.expect('(')) return;
  parse_operand_list(r);
  if (r.peek() == '[') return r.fail("an operation has successors; write it with case and while");
  parse_attribute_dictionaries(r, d);
  if (r.accept('(')) {
    do r.regions.push(parse_region(r, r.arguments.size(), r.types.size()));
    while (r.accept(','));
    if (!r.expect(')')) return;
  }
  parse_attribute_dictionaries(r, d);
  if (!r.expect(':')) return;
  int const first = r.types.size();
  parse_type_list(r);
  check_operand_types(r, d, first, r.types.size() - first);
  r.types.resize(first);
  if (r.expect_arrow()) parse_type_list(r);
  if (is_return(d.what) && r.types.size() > first)
    r.fail(d.place, r.start().add("a return has results; write () behind ->"));
}

} // namespace weft::inline v0::stablehlo::detail

// SPDX-License-Identifier: BSL-1.0
// One operation with its results in front and its form told apart; and functions in both forms.
// Errors: operations weft does not know, with names like theirs.
#pragma once

#include <weft/stablehlo/parse_regions.hpp>

namespace weft::inline v0::stablehlo::detail {

// How many characters a and b differ in, as far as that is below 3.
constexpr int name_distance(view<char> a, char const* b) {
  int const n = a.size();
  int size = 0;
  while (b[size] != '\0') ++size;
  if (n > 40 || size - n > 2 || n - size > 2) return 3;
  int row[41]{};
  for (int i = 0; i <= n; ++i) row[i] = i;
  for (int j = 1; j <= size; ++j) {
    int diagonal = row[0];
    row[0] = j;
    for (int i = 1; i <= n; ++i) {
      int const replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = row[i];
      int const shorter = (row[i] < row[i - 1] ? row[i] : row[i - 1]) + 1;
      row[i] = replaced < shorter ? replaced : shorter;
    }
  }
  return row[n];
}
constexpr void unknown_operation(reader& r, char const* at, view<char> name) {
  message m = r.start().add("unknown operation ");
  add_text(m, name);
  int const limit = name.size() > 15 ? 3 : 2; // short ones resemble too many
  int shown = 0;
  for (code_row const& row : code_rows)
    if (shown < 3 && name_distance(name, row.name) < limit)
      m.add(shown++ == 0 ? "; did you mean " : ", ").add(row.name);
  bool const sharded = name.size() > 4 && is_name(name.part(0, 4), "sdy.");
  if (sharded) m.add("; write the module of one device, without shard_map");
  else if (shown == 0)
    m.add("; weft reads func, and of stablehlo and chlo what has a tensor of real "
          "numbers");
  r.fail(at, m);
}

// %a, %b:2 =
constexpr void parse_result_names(reader& r) {
  if (r.peek() != '%') return;
  do {
    if (r.peek() != '%') return r.missing("a name, '%name'");
    named_values v;
    v.name = r.sigil_name(), v.count = 1;
    extent n = 1;
    if (r.accept(':') && !r.number(n)) return;
    if (n < 1 || n > 0x7fffffff) return r.fail("a name has no values; write how many, from 1");
    v.count = static_cast<int>(n);
    r.results.push(v);
  } while (r.accept(','));
  r.expect('=');
}
constexpr void name_results(reader& r, draft const& d, operation const& o) {
  std::int64_t named = 0;
  for (int i = d.results; i < r.results.size(); ++i) named += r.results[i].count;
  if (r.results.size() > d.results && named != o.result_count) {
    message m =
        r.start().add(name_of(d.what)).add(" has ").add(o.result_count).add(" results, and ");
    r.fail(d.place, m.add(named).add(" are named; name each of them, or none"));
  }
  int v = o.first_result;
  for (int i = d.results; i < r.results.size() && !r.failed; ++i) {
    define(r, d.place, r.results[i].name, v, r.results[i].count);
    v += r.results[i].count;
  }
  r.results.resize(d.results);
}

constexpr void parse_operation(reader& r) {
  r.peek();
  draft d(r, code::unknown, r.at);
  parse_result_names(r);
  char const c = r.peek();
  char const* const at = r.at;
  view<char> const name = c == '"' ? r.raw_string() : r.name();
  if (name.empty()) return r.missing("an operation");
  d.what = code_of(name);
  if (r.failed) return;
  if (d.what == code::unknown) return unknown_operation(r, at, name);
  if (c == '"') parse_generic(r, d);
  else parse_pretty(r, d);
  skip_location(r);
  if (r.failed) return;
  int const self = commit(r, d, d.types);
  name_results(r, d, r.m.operations[self]);
}

// Records of arguments or results: a list of them, or -1 where all are empty.
constexpr int keep_records(reader& r, view<attribute> records) {
  bool any = false;
  for (attribute const& a : records) any = any || a.count > 0;
  if (!any) return -1;
  int const first = r.m.attributes.size();
  r.m.attributes.append(records);
  return first;
}
constexpr attribute parse_optional_record(reader& r) {
  attribute a;
  a.kind = attribute_kind::record;
  if (r.accept('{')) parse_record(r, '}', a);
  skip_location(r);
  return a;
}

constexpr void set_results(reader& r, function& f, int types) {
  f.first_result = r.m.members.size(), f.result_count = r.types.size() - types;
  r.m.members.append(r.types.part(types, f.result_count));
  r.types.resize(types);
}
// -> type, or -> (type {...}, ...)
constexpr void parse_function_results(reader& r, function& f) {
  int const types = r.types.size();
  growing<attribute> records;
  if (r.at_arrow()) {
    r.expect_arrow();
    bool const list = r.accept('(');
    if (!list || !r.accept(')')) {
      do {
        r.types.push(parse_type(r));
        records.push(list ? parse_optional_record(r) : attribute{});
      } while (list && r.accept(','));
      if (list) r.expect(')');
    }
  }
  if (r.failed) return;
  set_results(r, f, types);
  f.result_attributes = keep_records(r, records);
}

constexpr int return_of(module_ir const& m, function const& f) {
  module_region const& region = m.regions[f.region];
  return m.bodies[region.first_operation + region.operation_count - 1];
}
// What the return gives are the results that the function declares.
constexpr void check_function(reader& r, function const& f, char const* at) {
  if (r.failed) return;
  operation const& last = r.m.operations[return_of(r.m, f)];
  bool good = last.operand_count == f.result_count && last.what == code::func_return;
  for (int i = 0; good && i < f.result_count; ++i)
    good = r.m.type_of(r.m.operand(last, i)) == r.m.types[r.m.members[f.first_result + i]];
  if (good) return;
  message m = r.start().add("function ");
  add_text(m, r.m.text(f.name)).add(" does not return what it declares; return values of these ");
  r.fail(at, m.add(f.result_count).add(" types"));
}

// func.func public @name(%a: type {...}, ...) -> (type {...}) attributes {...} { ... }
constexpr void parse_pretty_function(reader& r, char const* at) {
  function f;
  f.line = r.line, f.column = r.column_of(at);
  if (r.accept_name("private") || r.accept_name("nested")) f.is_public = false;
  else r.accept_name("public");
  if (!parse_symbol(r, f.name) || !r.expect('(')) return;
  int const types = r.types.size();
  growing<attribute> records;
  if (!r.accept(')')) {
    do {
      if (r.peek() != '%') return r.missing("an argument, '%name: type'; a function has a body");
      r.arguments.push(r.sigil_name());
      if (!r.expect(':')) return;
      r.types.push(parse_type(r));
      records.push(parse_optional_record(r));
    } while (r.accept(','));
    r.expect(')');
  }
  f.argument_attributes = keep_records(r, records);
  parse_function_results(r, f);
  int const mark = r.attributes.size();
  if (r.accept_name("attributes") && r.expect('{')) parse_entries(r, '}', false, mark);
  take_attributes(r, mark, f.first_attribute, f.attribute_count);
  f.region = parse_region(r, 0, types);
  r.arguments.resize(0), r.types.resize(types);
  skip_location(r);
  check_function(r, f, at);
  r.m.functions.push(f);
}

constexpr int records_of(reader& r, attribute const& list, int wanted, char const* at) {
  bool good = list.kind == attribute_kind::list && list.count == wanted, any = false;
  for (int i = list.first; good && i < list.first + list.count; ++i) {
    good = r.m.attributes[i].kind == attribute_kind::record;
    any = any || r.m.attributes[i].count > 0;
  }
  if (!good && !r.failed) {
    message m = r.start();
    r.fail(at, add_text(m, r.m.text(list.name))
                   .add(" are not ")
                   .add(wanted)
                   .add(" records; write {} for each that has none"));
  }
  return good && any ? list.first : -1;
}
// Moves the attributes that a function's members say there; the rest stays on the stack.
constexpr bool read_function_attribute(reader& r, function& f, attribute const& a, char const* at) {
  auto const named = [&](char const* name) { return r.m.is(a.name, name); };
  if (named("sym_name")) f.name = a.text;
  else if (named("sym_visibility")) f.is_public = r.m.is(a.text, "public");
  else if (named("function_type") && a.kind == attribute_kind::other)
    f.first_result = a.first, f.result_count = a.count;
  else if (named("arg_attrs"))
    f.argument_attributes = records_of(r, a, r.m.regions[f.region].argument_count, at);
  else if (named("res_attrs"))
    f.result_attributes = records_of(r, a, r.m.operations[return_of(r.m, f)].operand_count, at);
  else return false;
  return true;
}
// Behind "func.func": () <{function_type = ..., sym_name = ...}> ({ ... }) : () -> ()
constexpr void parse_generic_function(reader& r, char const* at) {
  draft const d(r, code::unknown, at);
  function f;
  f.line = r.line, f.column = r.column_of(at);
  if (!r.expect('(') || !r.expect(')')) return;
  parse_attribute_dictionaries(r, d);
  if (!r.expect('(')) return;
  f.region = parse_region(r, 0, r.types.size());
  if (!r.expect(')')) return;
  parse_attribute_dictionaries(r, d);
  if (!r.expect(':') || !r.expect('(') || !r.expect(')') || !r.expect_arrow() || !r.expect('(') ||
      !r.expect(')'))
    return;
  skip_location(r);
  if (r.failed) return;
  int kept = d.attributes;
  for (int i = d.attributes; i < r.attributes.size(); ++i)
    if (!read_function_attribute(r, f, r.attributes[i], at)) r.attributes[kept++] = r.attributes[i];
  r.attributes.resize(kept);
  take_attributes(r, d.attributes, f.first_attribute, f.attribute_count);
  if (f.name.count == 0) return r.fail(at, r.start().add("a function has no name; write sym_name"));
  check_function(r, f, at);
  r.m.functions.push(f);
}

// A function; sdy.mesh, which only shardings read, is passed over.
constexpr void parse_top_level(reader& r) {
  char const c = r.peek();
  char const* const at = r.at;
  view<char> const name = c == '"' ? r.raw_string() : r.name();
  if (is_name(name, "sdy.mesh")) {
    if (c == '"') {
      draft const d(r, code::unknown, at);
      parse_generic(r, d);
      r.attributes.resize(d.attributes);
    } else if (text_span ignored; parse_symbol(r, ignored) && r.expect('=')) {
      r.skip_bracket();
      parse_optional_record(r);
    }
    return skip_location(r);
  }
  if (!is_name(name, "func.func") && !is_name(name, "func")) {
    if (name.empty()) return r.missing("a function, func.func @name");
    return unknown_operation(r, at, name);
  }
  if (c == '"') parse_generic_function(r, at);
  else parse_pretty_function(r, at);
}

} // namespace weft::inline v0::stablehlo::detail

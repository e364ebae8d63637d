// SPDX-License-Identifier: BSL-1.0
// StableHLO text to a module: the pretty form, the generic form, and any mixture of the two, as
// JAX, PyTorch/XLA and mlir-opt print them.
//   constexpr stablehlo::module_ir m = stablehlo::parse({text, length});
//   if (m.error.failed) ... m.error.line, m.error.column, m.error.text
// Needs: text of less than 2^29 characters. Time and memory are those of the text, whatever numbers
// are in it.
// Leaves: never throws; the first mistake is m.error. Both forms of a text give the same module:
// - `call` is func.call, `return` is func.return;
// - attributes have the generic form's names, and those that say what StableHLO takes where nothing
//   is said are left out (is_default in pretty_keys.hpp);
// - numbers that are all the same are one word;
// - locations, sdy.mesh and encodings of tensor types, #stablehlo.bounds<...>, are passed over.
// Every value is defined before its use, its type the one that is written there; what an operation
// asks of its operands and attributes is its importer's to check.
#pragma once

#include <weft/stablehlo/parse_function.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// #name = attribute or !name = type, before or behind the module.
constexpr void parse_alias_definition(reader& r) {
  bool const is_type = r.peek() == '!';
  char const* const at = r.at;
  view<char> const name = r.sigil_name();
  if (!r.expect('=')) return;
  if (!is_type && r.peek() == 'l' && r.accept_name("loc")) {
    r.skip_bracket();
    return;
  }
  if ((is_type ? r.type_names : r.alias_names).find(name) != nullptr) {
    message m = r.start().add("the alias ");
    return r.fail(at, add_text(m, name).add(" is defined already; write another name"));
  }
  if (is_type) {
    int const type = parse_type(r);
    return r.type_names.add(name, type, 1);
  }
  attribute a;
  if (!parse_attribute(r, a)) return;
  r.aliases.push(a);
  r.alias_names.add(name, r.aliases.size() - 1, 1);
}

// The functions of a module, up to `}` or the end.
constexpr void parse_functions(reader& r) {
  while (!r.failed && !r.finished() && *r.at != '}') {
    char const c = *r.at;
    if (c == '#' || c == '!') parse_alias_definition(r);
    else parse_top_level(r);
  }
}

// module @name attributes {...} { functions }
constexpr void parse_module(reader& r) {
  int const mark = r.attributes.size();
  if (r.peek() == '@') parse_symbol(r, r.m.name);
  if (r.accept_name("attributes") && r.expect('{')) parse_entries(r, '}', false, mark);
  take_attributes(r, mark, r.m.first_attribute, r.m.attribute_count);
  if (!r.expect('{')) return;
  parse_functions(r);
  r.expect('}');
  skip_location(r);
}
// Behind "builtin.module": () <{sym_name = ...}> ({ functions }) {attributes} : () -> ()
constexpr void parse_generic_module(reader& r) {
  draft const d(r, code::unknown, r.at);
  if (!r.expect('(') || !r.expect(')')) return;
  parse_attribute_dictionaries(r, d);
  if (!r.expect('(') || !r.expect('{')) return;
  parse_label(r);
  parse_functions(r);
  if (!r.expect('}') || !r.expect(')')) return;
  parse_attribute_dictionaries(r, d);
  if (!r.expect(':') || !r.expect('(') || !r.expect(')') || !r.expect_arrow() || !r.expect('(') ||
      !r.expect(')'))
    return;
  skip_location(r);
  int kept = d.attributes;
  for (int i = d.attributes; i < r.attributes.size(); ++i)
    if (r.m.is(r.attributes[i].name, "sym_name")) r.m.name = r.attributes[i].text;
    else r.attributes[kept++] = r.attributes[i];
  r.attributes.resize(kept);
  take_attributes(r, d.attributes, r.m.first_attribute, r.m.attribute_count);
}

constexpr void parse_text(reader& r) {
  bool module_read = false;
  while (!r.failed && !r.finished()) {
    place const first = r.here();
    if (*r.at == '#' || *r.at == '!') {
      parse_alias_definition(r);
      continue;
    }
    view<char> const name = *r.at == '"' ? r.raw_string() : r.name();
    bool const is_module = is_name(name, "module") || is_name(name, "builtin.module");
    bool const generic = *first.at == '"';
    if (is_module && (module_read || !r.m.functions.empty()))
      r.fail(first.at, r.start().add("the text has two modules; write one"));
    module_read = module_read || is_module;
    if (is_module && generic) parse_generic_module(r);
    else if (is_module) parse_module(r);
    else if (module_read) {
      r.go(first);
      r.missing("the end of the text behind the module");
    } else { // functions alone are a module without name
      r.go(first);
      parse_functions(r);
      if (r.peek() == '}') r.missing("a function");
    }
  }
}

// Line and column of a place, counted from 1.
constexpr failure failure_at(reader const& r) {
  failure f{true, 1, 1, r.text};
  for (char const* p = r.begin; p != r.mistake; ++p)
    if (*p == '\n') ++f.line, f.column = 1;
    else ++f.column;
  return f;
}

} // namespace detail

constexpr module_ir parse(view<char> text) {
  detail::reader r(text);
  r.read_operation = detail::parse_operation, r.read_attribute = detail::parse_attribute;
  if (text.size() >> 29 != 0) r.fail("the text has 2^29 characters or more; keep weights in files");
  detail::parse_text(r);
  if (!r.failed && r.m.functions.empty()) r.fail("no function in the text; write func.func @main");
  if (r.failed) r.m.error = detail::failure_at(r);
  return std::move(r.m);
}

} // namespace weft::inline v0::stablehlo

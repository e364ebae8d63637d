// SPDX-License-Identifier: BSL-1.0
// A module as text, in MLIR's generic form, which any tool of MLIR reads without knowing StableHLO,
// or in StableHLO's pretty form, which people read.
//   growing<char> const text = stablehlo::print(m);
//   growing<char> const text = stablehlo::print(m, stablehlo::text_form::pretty);
// Needs: a module without error. Leaves: the same text for the same module; values are %0, %1 ... and
// arguments %arg0, %arg1 ... of each function; parse(print(m, form)) is the same as m.
#pragma once

#include <weft/stablehlo/print_regions.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// An operation's own attributes are its properties, <{...}>; what has a dialect's prefix is not.
constexpr bool has_prefix(module_ir const& m, attribute const& a) {
  for (char c : m.text(a.name))
    if (c == '.') return true;
  return false;
}
// The attributes with or without prefix, comma between them; false: there are none.
constexpr bool write_entries(printer& p, code what, int first, int count, bool prefixed,
                             char const* open) {
  bool any = false;
  for (int i = first; i < first + count; ++i) {
    if (has_prefix(p.m, p.m.attributes[i]) != prefixed) continue;
    p.w.add(any ? ", " : open);
    attribute_writer{p.w, p.m, what}.entry(p.m.attributes[i]);
    any = true;
  }
  return any;
}

constexpr void write_generic(printer& p, operation const& o) {
  module_ir const& m = p.m;
  p.w.add('"').add(name_of(o.what)).add("\"(");
  p.operands(m.operands_of(o));
  p.w.add(')');
  if (write_entries(p, o.what, o.first_attribute, o.attribute_count, false, " <{")) p.w.add("}>");
  if (o.region_count > 0) {
    p.w.add(" (");
    for (int i = 0; i < o.region_count; ++i) {
      if (i > 0) p.w.add(", ");
      p.region(m.region_of(o, i));
    }
    p.w.add(')');
  }
  if (write_entries(p, o.what, o.first_attribute, o.attribute_count, true, " {")) p.w.add('}');
  p.w.add(" : ");
  p.signature(o);
}

constexpr void write_operation(printer& p, operation const& o) {
  p.line();
  p.results(o);
  if (p.form == text_form::generic || !write_pretty(p, o)) write_generic(p, o);
}

constexpr void write_region(printer& p, module_region const& region, bool label) {
  p.w.add('{');
  if (label && region.argument_count > 0) {
    p.line();
    p.w.add("^bb0(");
    for (int i = 0; i < region.argument_count; ++i) {
      if (i > 0) p.w.add(", ");
      p.argument(region.first_argument + i);
    }
    p.w.add("):");
  }
  ++p.depth;
  for (int i = 0; i < region.operation_count; ++i)
    write_operation(p, p.m.operations[p.m.bodies[region.first_operation + i]]);
  --p.depth;
  p.line();
  p.w.add('}');
}

constexpr growing<int> argument_types(module_ir const& m, function const& f) {
  growing<int> r;
  module_region const& region = m.regions[f.region];
  for (int i = 0; i < region.argument_count; ++i) r.push(m.values[region.first_argument + i].type);
  return r;
}
constexpr void write_record_list(printer& p, char const* name, int first, int count) {
  if (first < 0) return;
  p.w.add(name).add(" = [");
  for (int i = first; i < first + count; ++i) {
    p.w.add(i > first ? ", {" : "{");
    attribute_writer{p.w, p.m}.entries(p.m.attributes[i].first, p.m.attributes[i].count);
    p.w.add('}');
  }
  p.w.add("], ");
}
constexpr void write_generic_function(printer& p, function const& f) {
  module_ir const& m = p.m;
  growing<int> const arguments = argument_types(m, f);
  p.line();
  p.w.add("\"func.func\"() <{");
  write_record_list(p, "arg_attrs", f.argument_attributes, arguments.size());
  p.w.add("function_type = ");
  write_function_type(p.w, m, arguments, m.members.part(f.first_result, f.result_count));
  p.w.add(", ");
  write_record_list(p, "res_attrs", f.result_attributes, f.result_count);
  p.w.add("sym_name = ");
  write_string(p.w, m.text(f.name));
  p.w.add(", sym_visibility = ").add(f.is_public ? "\"public\"" : "\"private\"");
  write_entries(p, code::unknown, f.first_attribute, f.attribute_count, false, ", ");
  p.w.add("}> (");
  p.region(m.regions[f.region]);
  p.w.add(')');
  if (write_entries(p, code::unknown, f.first_attribute, f.attribute_count, true, " {"))
    p.w.add('}');
  p.w.add(" : () -> ()");
}

constexpr void write_record(printer& p, int list, int i) {
  if (list < 0 || p.m.attributes[list + i].count == 0) return;
  p.w.add(" {");
  attribute_writer{p.w, p.m}.entries(p.m.attributes[list + i].first,
                                     p.m.attributes[list + i].count);
  p.w.add('}');
}
constexpr void write_pretty_function(printer& p, function const& f) {
  module_ir const& m = p.m;
  module_region const& region = m.regions[f.region];
  p.line();
  p.w.add(f.is_public ? "func.func public " : "func.func private ");
  write_symbol(p.w, m.text(f.name));
  p.w.add('(');
  for (int i = 0; i < region.argument_count; ++i) {
    if (i > 0) p.w.add(", ");
    p.argument(region.first_argument + i);
    write_record(p, f.argument_attributes, i);
  }
  p.w.add(')');
  bool const bare = f.result_count == 1 && f.result_attributes < 0;
  if (f.result_count > 0) p.w.add(bare ? " -> " : " -> (");
  for (int i = 0; i < f.result_count; ++i) {
    if (i > 0) p.w.add(", ");
    write_type(p.w, m, m.members[f.first_result + i]);
    write_record(p, f.result_attributes, i);
  }
  if (f.result_count > 0 && !bare) p.w.add(')');
  if (f.attribute_count > 0) {
    p.w.add(" attributes {");
    attribute_writer{p.w, m}.entries(f.first_attribute, f.attribute_count);
    p.w.add('}');
  }
  p.w.add(' ');
  p.region(region, false);
}

constexpr void write_module(printer& p) {
  module_ir const& m = p.m;
  bool const pretty = p.form == text_form::pretty;
  p.w.add(pretty ? "module" : "\"builtin.module\"() ");
  if (m.name.count > 0) {
    if (pretty) write_symbol(p.w.add(' '), m.text(m.name));
    else {
      write_string(p.w.add("<{sym_name = "), m.text(m.name));
      p.w.add("}> ");
    }
  }
  if (pretty && m.attribute_count > 0) {
    p.w.add(" attributes {");
    attribute_writer{p.w, m}.entries(m.first_attribute, m.attribute_count);
    p.w.add('}');
  }
  p.w.add(pretty ? " {" : "({");
  ++p.depth;
  for (function const& f : m.functions) {
    p.next_value = p.next_argument = 0;
    if (pretty) write_pretty_function(p, f);
    else write_generic_function(p, f);
  }
  --p.depth;
  p.line();
  p.w.add(pretty ? "}" : "})");
  if (!pretty && m.attribute_count > 0) {
    p.w.add(" {");
    attribute_writer{p.w, m}.entries(m.first_attribute, m.attribute_count);
    p.w.add('}');
  }
  p.w.add(pretty ? "\n" : " : () -> ()\n");
}

} // namespace detail

constexpr growing<char> print(module_ir const& m, text_form form = text_form::generic) {
  detail::printer p{m, form};
  p.write_region = detail::write_region;
  p.number.assign(m.values.size(), -1);
  detail::write_module(p);
  return std::move(p.w.out);
}

} // namespace weft::inline v0::stablehlo

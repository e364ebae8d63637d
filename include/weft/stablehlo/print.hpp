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

// What StableHLO defines for its operations goes to their properties, <{...}>; MLIR would lose there
// what it does not define.
inline constexpr char const* property_names[] = {"algorithm",
                                                 "all_gather_dim",
                                                 "base_dilations",
                                                 "batch_dims",
                                                 "batch_group_count",
                                                 "broadcast_dimensions",
                                                 "broadcast_sizes",
                                                 "callee",
                                                 "channel_handle",
                                                 "channel_id",
                                                 "compare_type",
                                                 "comparison_direction",
                                                 "concat_dimension",
                                                 "decomposition",
                                                 "composite_attributes",
                                                 "dim",
                                                 "dimension",
                                                 "dimension_numbers",
                                                 "dimensions",
                                                 "dot_dimension_numbers",
                                                 "edge_padding_high",
                                                 "edge_padding_low",
                                                 "einsum_config",
                                                 "epsilon",
                                                 "exponent_bits",
                                                 "feature_group_count",
                                                 "feature_index",
                                                 "index",
                                                 "indices_are_sorted",
                                                 "interior_padding",
                                                 "iota_dimension",
                                                 "is_stable",
                                                 "k",
                                                 "known_expanding_dimensions",
                                                 "known_nonexpanding_dimensions",
                                                 "left_side",
                                                 "lhs_dilation",
                                                 "limit_indices",
                                                 "lower",
                                                 "mantissa_bits",
                                                 "name",
                                                 "padding",
                                                 "permutation",
                                                 "precision_config",
                                                 "replica_groups",
                                                 "result_accuracy",
                                                 "rhs_dilation",
                                                 "rng_algorithm",
                                                 "rng_distribution",
                                                 "scatter_dimension",
                                                 "scatter_dimension_numbers",
                                                 "slice_sizes",
                                                 "source_target_pairs",
                                                 "split_count",
                                                 "split_dimension",
                                                 "start_indices",
                                                 "strides",
                                                 "transpose_a",
                                                 "unique_indices",
                                                 "unit_diagonal",
                                                 "use_global_device_ids",
                                                 "value",
                                                 "version",
                                                 "window_dilations",
                                                 "window_dimensions",
                                                 "window_reversal",
                                                 "window_strides"};
inline constexpr char const* call_property_names[] = {
    "api_version",         "backend_config",         "call_target_name",
    "called_computations", "custom_call_schedule",   "has_side_effect",
    "operand_layouts",     "output_operand_aliases", "result_layouts"};
constexpr bool is_listed(view<char> name, view<char const*> list) {
  for (char const* n : list)
    if (is_name(name, n)) return true;
  return false;
}
// Of a function: all that has no dialect's prefix.
constexpr bool is_property(module_ir const& m, code what, attribute const& a) {
  view<char> const name = m.text(a.name);
  if (what == code::custom_call) return is_listed(name, {call_property_names, 9});
  if (what != code::unknown)
    return is_listed(
        name, {property_names, static_cast<int>(sizeof property_names / sizeof *property_names)});
  for (char c : name)
    if (c == '.') return false;
  return true;
}
// The properties or the other attributes, comma between them; false: there are none.
constexpr bool write_entries(printer& p, code what, int first, int count, bool properties,
                             char const* open) {
  bool any = false;
  for (int i = first; i < first + count; ++i) {
    if (is_property(p.m, what, p.m.attributes[i]) != properties) continue;
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
  if (write_entries(p, o.what, o.first_attribute, o.attribute_count, true, " <{")) p.w.add("}>");
  if (o.region_count > 0) {
    p.w.add(" (");
    for (int i = 0; i < o.region_count; ++i) {
      if (i > 0) p.w.add(", ");
      p.region(m.region_of(o, i));
    }
    p.w.add(')');
  }
  if (write_entries(p, o.what, o.first_attribute, o.attribute_count, false, " {")) p.w.add('}');
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
  write_entries(p, code::unknown, f.first_attribute, f.attribute_count, true, ", ");
  p.w.add("}> (");
  p.region(m.regions[f.region]);
  p.w.add(')');
  if (write_entries(p, code::unknown, f.first_attribute, f.attribute_count, false, " {"))
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

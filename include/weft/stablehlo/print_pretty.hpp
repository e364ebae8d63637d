// SPDX-License-Identifier: BSL-1.0
// Operations in the pretty form, as StableHLO's own printer writes them: operands, `key = value` by
// the rows of pretty_keys.hpp, the other attributes in {...}, and types.
// Leaves: what has no pretty form (pretty_fits.hpp) to the generic form.
#pragma once

#include <weft/stablehlo/pretty_fits.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr void write_dot_pair(pretty_operation& x, attribute const* dot, bool batching) {
  module_ir const& m = x.p.m;
  auto const field = [&](char const* name) {
    return dot == nullptr ? nullptr : m.find(*dot, name);
  };
  attribute const* const left = field(batching ? "lhs_batching_dimensions"
                                               : "lhs_contracting_dimensions");
  attribute const* const right = field(batching ? "rhs_batching_dimensions"
                                                : "rhs_contracting_dimensions");
  if (batching && left == nullptr && right == nullptr) return;
  x.p.w.add(batching ? ", batching_dims = " : ", contracting_dims = ");
  x.integers(left);
  x.p.w.add(" x ");
  x.integers(right);
}
constexpr void write_key(pretty_operation& x, pretty_key const& k) {
  writer& w = x.p.w;
  module_ir const& m = x.p.m;
  attribute const* const a = x.take(k.name);
  if (k.kind == key_kind::batching || k.kind == key_kind::contracting)
    return write_dot_pair(x, a, k.kind == key_kind::batching);
  if (a == nullptr) return;
  bool const first = x.o.operand_count == 0;
  w.add(first ? " " : ", ").add(k.key).add(" = ");
  switch (k.kind) {
    case key_kind::integer: w.number(a->integer); break;
    case key_kind::integers: x.integers(a); break;
    case key_kind::enumerator: w.add(m.text(a->text)); break;
    case key_kind::precision:
      w.add('[');
      for (int i = 0; i < a->count; ++i)
        w.add(i > 0 ? ", " : "").add(m.text(m.attributes[a->first + i].text));
      w.add(']');
      break;
    case key_kind::algorithm:
      w.add('<');
      attribute_writer{w, m, x.o.what, true}.entries(a->first, a->count);
      w.add('>');
      break;
    case key_kind::format:
      w.add('e').number(a->integer).add('m').number(x.take("mantissa_bits")->integer);
      break;
    default: attribute_writer{w, m, x.o.what, true}.value(*a, m.text(a->name));
  }
}

// [0:2, 1:5:2]
constexpr void write_slice(pretty_operation& x) {
  module_ir const& m = x.p.m;
  writer& w = x.p.w;
  attribute const* const parts[3] = {x.take("start_indices"), x.take("limit_indices"),
                                     x.take("strides")};
  extent const axes = m.types[parts[0]->type].shape[0];
  w.add(' ');
  x.p.operands(m.operands_of(x.o));
  w.add(" [");
  for (int i = 0; i < static_cast<int>(axes); ++i) {
    if (i > 0) w.add(", ");
    auto const at = [&](int k) { return static_cast<std::int64_t>(m.element(*parts[k], i)); };
    w.number(at(0)).add(':').number(at(1));
    if (at(2) != 1) w.add(':').number(at(2));
  }
  w.add(']');
}

constexpr void write_compare(pretty_operation& x) {
  module_ir const& m = x.p.m;
  x.p.w.add(' ').add(m.text(x.take("comparison_direction")->text)).add(", ");
  x.p.operands(m.operands_of(x.o));
  if (attribute const* const kind = x.take("compare_type")) x.p.w.add(", ").add(m.text(kind->text));
}

// [[1, 1], [2, 0]]
constexpr void write_pairs(writer& w, module_ir const& m, attribute const& a) {
  extent const n = m.types[a.type].shape[0];
  w.add('[');
  for (int i = 0; i < static_cast<int>(n); ++i) {
    w.add(i > 0 ? ", [" : "[").number(static_cast<std::int64_t>(m.element(a, 2 * i)));
    w.add(", ").number(static_cast<std::int64_t>(m.element(a, 2 * i + 1))).add(']');
  }
  w.add(']');
}
constexpr void write_convolution(pretty_operation& x) {
  module_ir const& m = x.p.m;
  writer& w = x.p.w;
  w.add('(');
  x.p.operands(m.operands_of(x.o));
  w.add(") dim_numbers = ").add(m.text(x.take("dimension_numbers")->text)).add(", window = {");
  bool any = false;
  for (window_key const& k : window_keys) {
    attribute const* const a = x.take(k.name);
    if (a == nullptr) continue;
    w.add(any ? ", " : "").add(k.key).add(" = ");
    if (is_name(m.text(a->name), "padding")) write_pairs(w, m, *a);
    else x.integers(a);
    any = true;
  }
  w.add('}');
}

// @name(%a, %b)
constexpr void write_target(pretty_operation& x, char const* name) {
  write_symbol(x.p.w.add(' '), x.p.m.text(x.take(name)->text));
  x.p.w.add('(');
  x.p.operands(x.p.m.operands_of(x.o));
  x.p.w.add(')');
}

constexpr void write_operands_and_keys(pretty_operation& x) {
  module_ir const& m = x.p.m;
  bool const bracket = x.o.what == code::top_k;
  if (bracket) x.p.w.add('(');
  else if (x.o.operand_count > 0) x.p.w.add(' ');
  x.p.operands(m.operands_of(x.o));
  for (pretty_key const& k : pretty_keys)
    if (k.what == x.o.what) write_key(x, k);
  if (bracket) x.p.w.add(')');
}
constexpr void write_middle(pretty_operation& x) {
  module_ir const& m = x.p.m;
  switch (x.o.what) {
    case code::slice: return write_slice(x);
    case code::compare: return write_compare(x);
    case code::convolution: return write_convolution(x);
    case code::custom_call: return write_target(x, "call_target_name");
    case code::func_call: return write_target(x, "callee");
    case code::composite:
      write_string(x.p.w.add(' '), m.text(x.take("name")->text));
      return write_operands_and_keys(x);
    case code::get_tuple_element:
      write_operands_and_keys(x);
      x.p.w.add('[').number(x.take("index")->integer).add(']');
      return;
    default: return write_operands_and_keys(x);
  }
}

constexpr char const* pretty_name(printer const& p, code c) {
  if (c == code::func_return) return "return";
  return c == code::func_call && p.depth == 2 ? "call" : name_of(c); // 2: not within a region
}

constexpr bool write_pretty_plain(printer& p, operation const& o) {
  type_form const form = type_form_of(o.what);
  pretty_operation x(p, o);
  if (form == type_form::none || o.region_count > 0 || !pretty_fits(x)) return false;
  p.w.add(pretty_name(p, o.what));
  write_middle(x);
  x.rest();
  if (form == type_form::of_operands && o.operand_count == 0) {
    if (o.what == code::optimization_barrier) p.w.add(" ()");
    return true;
  }
  p.w.add(" : ");
  x.types(form);
  return true;
}

} // namespace weft::inline v0::stablehlo::detail

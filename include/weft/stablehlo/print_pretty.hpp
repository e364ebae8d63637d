// SPDX-License-Identifier: BSL-1.0
// Operations in the pretty form, as StableHLO's own printer writes them: operands, `key = value` by
// the rows of pretty_keys.hpp, the other attributes in {...}, and types.
// Leaves: what has no pretty form, or lacks an attribute that it needs, to the generic form.
#pragma once

#include <weft/stablehlo/printer.hpp>

namespace weft::inline v0::stablehlo::detail {

enum class type_form : std::uint8_t {
  none,       // the operation has no pretty form
  one,        // one type where all are the same, or from -> to
  function,   // (types) -> types
  arrow,      // types -> types, of chlo
  of_operands // types, one for each operand
};
constexpr type_form type_form_of(code c) {
  switch (c) {
    case code::abs:
    case code::add:
    case code::and_:
    case code::atan2:
    case code::cbrt:
    case code::ceil:
    case code::clamp:
    case code::cosine:
    case code::count_leading_zeros:
    case code::divide:
    case code::exponential:
    case code::exponential_minus_one:
    case code::floor:
    case code::log:
    case code::log_plus_one:
    case code::logistic:
    case code::maximum:
    case code::minimum:
    case code::multiply:
    case code::negate:
    case code::not_:
    case code::or_:
    case code::popcnt:
    case code::power:
    case code::remainder:
    case code::round_nearest_afz:
    case code::round_nearest_even:
    case code::rsqrt:
    case code::shift_left:
    case code::shift_right_arithmetic:
    case code::shift_right_logical:
    case code::sign:
    case code::sine:
    case code::sqrt:
    case code::subtract:
    case code::tan:
    case code::tanh:
    case code::xor_:
    case code::reduce_precision:
    case code::reverse:
    case code::cholesky:
    case code::iota:
    case code::partition_id:
    case code::replica_id:
    case code::create_token:
    case code::select: return type_form::one;
    case code::bitcast_convert:
    case code::broadcast:
    case code::broadcast_in_dim:
    case code::compare:
    case code::composite:
    case code::concatenate:
    case code::convert:
    case code::convolution:
    case code::custom_call:
    case code::dot:
    case code::dot_general:
    case code::rng:
    case code::set_dimension_size:
    case code::dynamic_broadcast_in_dim:
    case code::dynamic_iota:
    case code::dynamic_pad:
    case code::dynamic_reshape:
    case code::dynamic_slice:
    case code::dynamic_update_slice:
    case code::einsum:
    case code::func_call:
    case code::get_dimension_size:
    case code::get_tuple_element:
    case code::is_finite:
    case code::pad:
    case code::real_dynamic_slice:
    case code::reshape:
    case code::rng_bit_generator:
    case code::slice:
    case code::transpose:
    case code::unary_einsum: return type_form::function;
    case code::acos:
    case code::acosh:
    case code::asin:
    case code::asinh:
    case code::chlo_atan:
    case code::atanh:
    case code::cosh:
    case code::digamma:
    case code::erf:
    case code::erf_inv:
    case code::erfc:
    case code::is_inf:
    case code::is_neg_inf:
    case code::is_pos_inf:
    case code::lgamma:
    case code::next_after:
    case code::polygamma:
    case code::sinh:
    case code::square:
    case code::chlo_tan:
    case code::top_k:
    case code::zeta: return type_form::arrow;
    case code::func_return:
    case code::stablehlo_return:
    case code::optimization_barrier: return type_form::of_operands;
    default: return type_form::none;
  }
}

// An operation while it is written: which of its attributes are.
struct pretty_operation {
  printer& p;
  operation const& o;
  growing<bool> written;

  constexpr pretty_operation(printer& to, operation const& what)
      : p(to), o(what), written(what.attribute_count, false) {}

  constexpr attribute const* take(char const* name) {
    for (int i = 0; i < o.attribute_count; ++i)
      if (p.m.is(p.m.attributes[o.first_attribute + i].name, name)) {
        written[i] = true;
        return &p.m.attributes[o.first_attribute + i];
      }
    return nullptr;
  }
  constexpr bool has(char const* name, attribute_kind kind) const {
    attribute const* const a = p.m.find(o, name);
    return a != nullptr && a->kind == kind;
  }
  // {...} of what is not written yet.
  constexpr void rest() {
    bool any = false;
    for (int i = 0; i < o.attribute_count; ++i) {
      if (written[i]) continue;
      p.w.add(any ? ", " : " {");
      attribute_writer{p.w, p.m, o.what}.entry(p.m.attributes[o.first_attribute + i]);
      any = true;
    }
    if (any) p.w.add('}');
  }
  // [1, 2], or [] of no attribute.
  constexpr void integers(attribute const* a) {
    if (a == nullptr) p.w.add("[]");
    else attribute_writer{p.w, p.m, o.what, true}.numbers(*a, p.m.text(a->name));
  }
  // The types behind " : ".
  constexpr void types(type_form form) {
    growing<int> const from = p.operand_types(o), to = p.result_types(o);
    bool same = to.size() == 1;
    int const skipped = o.what == code::select ? 1 : 0;
    for (int i = skipped; i < from.size(); ++i) same = same && from[i] == to[0];
    if (form == type_form::one && same) {
      if (skipped > 0) write_type(p.w, p.m, from[0]), p.w.add(", ");
      write_type(p.w, p.m, to[0]);
    } else if (form == type_form::arrow || form == type_form::of_operands) {
      for (int i = 0; i < from.size(); ++i) {
        if (i > 0) p.w.add(", ");
        write_type(p.w, p.m, from[i]);
      }
      if (form == type_form::of_operands) return;
      p.w.add(" -> ");
      if (to.size() == 1) write_type(p.w, p.m, to[0]);
      else write_types(p.w, p.m, to);
    } else write_function_type(p.w, p.m, from, to);
  }
};

// The number that a text without type has.
constexpr bool is_integer_of(module_ir const& m, attribute const* a, dtype d) {
  return a != nullptr && a->kind == attribute_kind::integer && a->integer >= 0 &&
         (a->type < 0 ? dtype::i64 : m.types[a->type].element) == d;
}
// A list of integers, of axes and so on.
constexpr bool is_vector_of(module_ir const& m, attribute const* a, dtype d) {
  return a != nullptr && a->kind == attribute_kind::numbers && m.types[a->type].element == d &&
         m.types[a->type].shape.rank == 1;
}
constexpr bool is_dot(module_ir const& m, attribute const* a) {
  if (a == nullptr || a->kind != attribute_kind::record) return false;
  for (int i = a->first; i < a->first + a->count; ++i)
    if (!one_of(m.text(m.attributes[i].name),
                {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                 "rhs_contracting_dimensions"}) ||
        !is_vector_of(m, &m.attributes[i], dtype::i64))
      return false;
  return true;
}
constexpr bool are_words(module_ir const& m, attribute const* a) {
  if (a == nullptr || a->kind != attribute_kind::list) return false;
  for (int i = a->first; i < a->first + a->count; ++i)
    if (m.attributes[i].kind != attribute_kind::word) return false;
  return true;
}
// An attribute may be away, and is as its key reads it.
constexpr bool key_fits(pretty_operation const& x, pretty_key const& k) {
  module_ir const& m = x.p.m;
  attribute const* const a = m.find(x.o, k.name);
  switch (k.kind) {
    case key_kind::integer: return is_integer_of(m, a, dtype::i64);
    case key_kind::integers: return is_vector_of(m, a, dtype::i64);
    case key_kind::enumerator: return x.has(k.name, attribute_kind::word);
    case key_kind::text: return x.has(k.name, attribute_kind::string);
    case key_kind::boolean: return a == nullptr || x.has(k.name, attribute_kind::boolean);
    case key_kind::batching:
    case key_kind::contracting: return is_dot(m, a);
    case key_kind::precision: return a == nullptr || are_words(m, a);
    case key_kind::algorithm: return a == nullptr || x.has(k.name, attribute_kind::record);
    default:
      attribute const* const mantissa = m.find(x.o, "mantissa_bits");
      return is_integer_of(m, a, dtype::i32) && is_integer_of(m, mantissa, dtype::i32) &&
             a->integer < 1000 && mantissa->integer < 1000;
  }
}
constexpr bool keys_fit(pretty_operation const& x) {
  for (pretty_key const& k : pretty_keys)
    if (k.what == x.o.what && !key_fits(x, k)) return false;
  return true;
}

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
constexpr bool slice_fits(pretty_operation const& x) {
  module_ir const& m = x.p.m;
  attribute const* const starts = m.find(x.o, "start_indices");
  for (char const* name : {"start_indices", "limit_indices", "strides"}) {
    attribute const* const a = m.find(x.o, name);
    if (!is_vector_of(m, a, dtype::i64) || a->type != starts->type) return false;
  }
  return x.o.operand_count == 1;
}
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

constexpr bool convolution_fits(pretty_operation const& x) {
  module_ir const& m = x.p.m;
  for (window_key const& k : window_keys) {
    attribute const* const a = m.find(x.o, k.name);
    if (a == nullptr) continue;
    bool const pairs = is_name(m.text(a->name), "padding"),
               flags = is_name(m.text(a->name), "window_reversal");
    if (!pairs && !is_vector_of(m, a, flags ? dtype::boolean : dtype::i64)) return false;
    if (pairs && a->kind != attribute_kind::numbers) return false;
    value_type const& t = m.types[a->type];
    if (pairs && (t.element != dtype::i64 || t.shape.rank != 2 || t.shape[1] != 2)) return false;
    if (flags && t.shape[0] == 0) return false;
  }
  return x.has("dimension_numbers", attribute_kind::labels);
}
constexpr bool compare_fits(pretty_operation const& x) {
  return x.o.operand_count == 2 && x.has("comparison_direction", attribute_kind::word) &&
         (x.p.m.find(x.o, "compare_type") == nullptr ||
          x.has("compare_type", attribute_kind::word));
}
// What is needed to write the operation so.
constexpr bool pretty_fits(pretty_operation const& x) {
  switch (x.o.what) {
    case code::slice: return slice_fits(x);
    case code::compare: return compare_fits(x);
    case code::convolution: return convolution_fits(x);
    case code::custom_call: return x.has("call_target_name", attribute_kind::string);
    case code::func_call: return x.has("callee", attribute_kind::symbol);
    case code::composite: return x.has("name", attribute_kind::string);
    case code::get_tuple_element:
      return x.o.operand_count == 1 && is_integer_of(x.p.m, x.p.m.find(x.o, "index"), dtype::i32);
    case code::select: return x.o.operand_count == 3;
    case code::optimization_barrier: {
      growing<int> const from = x.p.operand_types(x.o), to = x.p.result_types(x.o);
      return view<int>(from) == view<int>(to);
    }
    default:
      return keys_fit(x) && (type_form_of(x.o.what) != type_form::arrow || x.o.operand_count > 0);
  }
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

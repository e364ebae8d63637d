// SPDX-License-Identifier: BSL-1.0
// The pretty forms with regions, reduce and while, and constants.
// Leaves: operations of another shape than these forms have to the generic form.
#pragma once

#include <weft/stablehlo/print_pretty.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr bool is_commutative(code c) {
  return c == code::add || c == code::multiply || c == code::maximum || c == code::minimum ||
         c == code::and_ || c == code::or_ || c == code::xor_;
}
// The operation that a reduction applies to its two scalars, if its region is that and no more.
constexpr code applied_by(module_ir const& m, operation const& o) {
  module_region const& region = m.region_of(o, 0);
  if (region.argument_count != 2 || region.operation_count != 2) return code::unknown;
  operation const& f = m.operations[m.bodies[region.first_operation]];
  operation const& back = m.operations[m.bodies[region.first_operation + 1]];
  int const a = region.first_argument, type = m.values[a].type;
  bool const good = is_commutative(f.what) && f.operand_count == 2 && f.result_count == 1 &&
                    f.attribute_count == 0 && m.operand(f, 0) == a && m.operand(f, 1) == a + 1 &&
                    m.values[a + 1].type == type && m.values[f.first_result].type == type &&
                    m.values[m.operand(o, 1)].type == type && back.what == code::stablehlo_return &&
                    back.operand_count == 1 && back.attribute_count == 0 &&
                    m.operand(back, 0) == f.first_result;
  return good ? f.what : code::unknown;
}
constexpr bool reduce_fits(module_ir const& m, operation const& o) {
  if (o.region_count != 1 || o.operand_count < 2 || o.operand_count % 2 != 0) return false;
  attribute const* const axes = m.find(o, "dimensions");
  return is_vector_of(m, axes, dtype::i64) && m.region_of(o, 0).argument_count == o.operand_count;
}
constexpr bool write_reduce(printer& p, operation const& o) {
  module_ir const& m = p.m;
  if (!reduce_fits(m, o)) return false;
  pretty_operation x(p, o);
  int const n = o.operand_count / 2;
  p.w.add("stablehlo.reduce");
  for (int i = 0; i < n; ++i) {
    p.w.add(i > 0 ? ", (" : "(");
    p.value(m.operand(o, i));
    p.w.add(" init: ");
    p.value(m.operand(o, n + i));
    p.w.add(')');
  }
  code const applied = applied_by(m, o);
  if (applied != code::unknown) p.w.add(" applies ").add(name_of(applied));
  p.w.add(" across dimensions = ");
  x.integers(x.take("dimensions"));
  x.rest();
  p.w.add(" : ");
  p.signature(o);
  if (applied != code::unknown) return true;
  p.line();
  p.w.add(" reducer");
  module_region const& region = m.region_of(o, 0);
  for (int i = 0; i < n; ++i) {
    p.w.add(i > 0 ? " (" : "(");
    p.argument(region.first_argument + i);
    p.w.add(", ");
    p.argument(region.first_argument + n + i);
    p.w.add(')');
  }
  p.w.add(' ');
  p.region(region, false);
  return true;
}

// Both regions have the same arguments, which the pretty form names once.
constexpr bool write_while(printer& p, operation const& o) {
  module_ir const& m = p.m;
  if (o.region_count != 2) return false;
  module_region const &condition = m.region_of(o, 0), &body = m.region_of(o, 1);
  int const n = o.operand_count;
  if (condition.argument_count != n || body.argument_count != n || o.result_count != n)
    return false;
  for (int i = 0; i < n; ++i) {
    int const type = m.values[m.operand(o, i)].type;
    if (m.values[condition.first_argument + i].type != type ||
        m.values[body.first_argument + i].type != type || m.values[o.first_result + i].type != type)
      return false;
  }
  pretty_operation x(p, o);
  p.w.add("stablehlo.while(");
  for (int i = 0; i < n; ++i) {
    if (i > 0) p.w.add(", ");
    p.argument_name(condition.first_argument + i);
    p.number[body.first_argument + i] = p.number[condition.first_argument + i];
    p.w.add(" = ");
    p.value(m.operand(o, i));
  }
  p.w.add(')');
  if (n > 0) {
    p.w.add(" : ");
    x.types(type_form::of_operands);
  }
  if (o.attribute_count > 0) {
    p.w.add(" attributes");
    x.rest();
  }
  p.line();
  p.w.add("cond ");
  p.region(condition, false);
  p.w.add(" do ");
  p.region(body, false);
  return true;
}

constexpr bool write_constant(printer& p, operation const& o) {
  pretty_operation x(p, o);
  if (!x.has("value", attribute_kind::numbers) || o.operand_count > 0 || o.result_count != 1)
    return false;
  attribute const& value = *x.take("value");
  if (value.type != p.m.values[o.first_result].type) return false;
  p.w.add(name_of(o.what));
  x.rest();
  attribute_writer{p.w.add(' '), p.m, o.what}.numbers(value, p.m.text(value.name));
  return true;
}

// False: the operation has no pretty form, or not with these attributes.
constexpr bool write_pretty(printer& p, operation const& o) {
  switch (o.what) {
    case code::constant:
    case code::chlo_constant: return write_constant(p, o);
    case code::reduce: return write_reduce(p, o);
    case code::while_: return write_while(p, o);
    default: return write_pretty_plain(p, o);
  }
}

} // namespace weft::inline v0::stablehlo::detail

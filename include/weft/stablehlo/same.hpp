// SPDX-License-Identifier: BSL-1.0
// Whether two modules say the same: functions in their order, operations in theirs, attributes by
// their names in any order; where the flat arrays have things, and where the text had them, does
// not count, nor whether a list of numbers was written as array, dense or [...].
// Leaves: `same(a, b)`. parse(print(m, form)) is the same as m.
#pragma once

#include <weft/stablehlo/module.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

struct comparison {
  module_ir const &a, &b;
  growing<int> partner; // of a's values those of b, -1 before they are defined

  constexpr bool texts(text_span x, text_span y) const { return a.text(x) == b.text(y); }
  constexpr bool types(int x, int y) const {
    if (x < 0 || y < 0) return x == y;
    value_type const &s = a.types[x], &t = b.types[y];
    if (s.kind != t.kind || s.member_count != t.member_count) return false;
    if (s.kind == type_kind::tensor) return s.element == t.element && s.shape == t.shape;
    for (int i = 0; i < s.member_count; ++i)
      if (!types(a.members[s.first_member + i], b.members[t.first_member + i])) return false;
    return true;
  }
  constexpr bool words(attribute const& x, attribute const& y) const {
    if (x.count != y.count) return false;
    for (int i = 0; i < x.count; ++i)
      if (a.words[x.first + i] != b.words[y.first + i]) return false;
    return true;
  }
  // A number without type is i64, or f64.
  constexpr bool number_types(attribute const& x, attribute const& y) const {
    dtype const usual = x.kind == attribute_kind::real ? dtype::f64 : dtype::i64;
    return (x.type < 0 ? usual : a.types[x.type].element) ==
           (y.type < 0 ? usual : b.types[y.type].element);
  }
  constexpr bool function_types(attribute const& x, attribute const& y) const {
    if (x.integer != y.integer || x.count != y.count) return false;
    for (int i = -static_cast<int>(x.integer); i < x.count; ++i)
      if (!types(a.members[x.first + i], b.members[y.first + i])) return false;
    return true;
  }
  constexpr bool attributes(attribute const& x, attribute const& y) const {
    if (x.kind != y.kind) return false;
    switch (x.kind) {
      case attribute_kind::unit: return true;
      case attribute_kind::boolean: return x.integer == y.integer;
      case attribute_kind::integer:
      case attribute_kind::real: return x.integer == y.integer && number_types(x, y);
      case attribute_kind::numbers: return types(x.type, y.type) && words(x, y);
      case attribute_kind::type: return types(x.type, y.type);
      case attribute_kind::record: return records(x.first, x.count, y.first, y.count);
      case attribute_kind::other:
        return x.integer == 0 && x.count == 0 ? texts(x.text, y.text) : function_types(x, y);
      case attribute_kind::list:
        if (x.count != y.count) return false;
        for (int i = 0; i < x.count; ++i)
          if (!attributes(a.attributes[x.first + i], b.attributes[y.first + i])) return false;
        return true;
      default: return texts(x.text, y.text);
    }
  }
  constexpr bool records(int x, int x_count, int y, int y_count) const {
    if (x_count != y_count) return false;
    for (int i = x; i < x + x_count; ++i) {
      attribute const* found = nullptr;
      for (int k = y; k < y + y_count && found == nullptr; ++k)
        if (texts(a.attributes[i].name, b.attributes[k].name)) found = &b.attributes[k];
      if (found == nullptr || !attributes(a.attributes[i], *found)) return false;
    }
    return true;
  }
  constexpr bool bind(int x, int y, int count) {
    for (int i = 0; i < count; ++i) {
      if (!types(a.values[x + i].type, b.values[y + i].type)) return false;
      partner[x + i] = y + i;
    }
    return true;
  }
  constexpr bool operations(operation const& x, operation const& y) {
    if (x.what != y.what || x.operand_count != y.operand_count ||
        x.result_count != y.result_count || x.region_count != y.region_count)
      return false;
    for (int i = 0; i < x.operand_count; ++i)
      if (partner[a.operand(x, i)] != b.operand(y, i)) return false;
    if (!records(x.first_attribute, x.attribute_count, y.first_attribute, y.attribute_count))
      return false;
    for (int i = 0; i < x.region_count; ++i)
      if (!regions(a.region_of(x, i), b.region_of(y, i))) return false;
    return bind(x.first_result, y.first_result, x.result_count);
  }
  constexpr bool regions(module_region const& x, module_region const& y) {
    if (x.argument_count != y.argument_count || x.operation_count != y.operation_count ||
        !bind(x.first_argument, y.first_argument, x.argument_count))
      return false;
    for (int i = 0; i < x.operation_count; ++i)
      if (!operations(a.operations[a.bodies[x.first_operation + i]],
                      b.operations[b.bodies[y.first_operation + i]]))
        return false;
    return true;
  }
  // The records of arguments or results; -1: none has any.
  constexpr bool record_lists(int x, int y, int count) const {
    for (int i = 0; i < count; ++i) {
      attribute const none;
      attribute const &s = x < 0 ? none : a.attributes[x + i],
                      &t = y < 0 ? none : b.attributes[y + i];
      if (!records(s.first, s.count, t.first, t.count)) return false;
    }
    return true;
  }
  constexpr bool functions(function const& x, function const& y) {
    if (!texts(x.name, y.name) || x.is_public != y.is_public || x.result_count != y.result_count)
      return false;
    for (int i = 0; i < x.result_count; ++i)
      if (!types(a.members[x.first_result + i], b.members[y.first_result + i])) return false;
    return regions(a.regions[x.region], b.regions[y.region]) &&
           record_lists(x.argument_attributes, y.argument_attributes,
                        a.regions[x.region].argument_count) &&
           record_lists(x.result_attributes, y.result_attributes, x.result_count) &&
           records(x.first_attribute, x.attribute_count, y.first_attribute, y.attribute_count);
  }
};

} // namespace detail

constexpr bool same(module_ir const& a, module_ir const& b) {
  if (a.error.failed || b.error.failed) return false;
  if (!(a.text(a.name) == b.text(b.name)) || a.functions.size() != b.functions.size()) return false;
  detail::comparison c{a, b, growing<int>(a.values.size(), -1)};
  if (!c.records(a.first_attribute, a.attribute_count, b.first_attribute, b.attribute_count))
    return false;
  for (int i = 0; i < a.functions.size(); ++i)
    if (!c.functions(a.functions[i], b.functions[i])) return false;
  return true;
}

} // namespace weft::inline v0::stablehlo

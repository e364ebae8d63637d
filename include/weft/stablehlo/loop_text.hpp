// SPDX-License-Identifier: BSL-1.0
// What the regions of a loop's operation are made of, as import_loops.hpp asks: who makes a value,
// which values come from outside, which are constants.
// Needs: a module without error. Leaves: nothing owned.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/stablehlo/module.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

class loop_text {
public:
  constexpr loop_text(module_ir const& m, operation const& o) : m_(m), o_(o) {}

  constexpr operation const& end_of(int region) const {
    module_region const& r = m_.region_of(o_, region);
    return m_.operations[m_.bodies[r.first_operation + r.operation_count - 1]];
  }
  constexpr operation const* maker(int v) const {
    return v < 0 || m_.values[v].owner < 0 ? nullptr : &m_.operations[m_.values[v].owner];
  }
  constexpr bool is_made_by(int v, code what) const {
    return maker(v) != nullptr && maker(v)->what == what;
  }
  constexpr int argument(int region, int k) const {
    return m_.region_of(o_, region).first_argument + k;
  }
  constexpr bool is_argument(int v, int region) const {
    module_region const& r = m_.region_of(o_, region);
    return v >= r.first_argument && v < r.first_argument + r.argument_count;
  }
  // Of a value that the region can see: is it neither an argument nor made there? Those are numbered
  // from the region's first argument on.
  constexpr bool is_outer(int v, int region) const {
    return v < m_.region_of(o_, region).first_argument;
  }
  constexpr bool only_constants(int region) const {
    module_region const& r = m_.region_of(o_, region);
    for (int i = 0; i + 1 < r.operation_count; ++i)
      if (m_.operations[m_.bodies[r.first_operation + i]].what != code::constant) return false;
    return true;
  }
  // An i32 constant without axes.
  constexpr bool is_number(int v, extent& n) const {
    if (!is_made_by(v, code::constant)) return false;
    attribute const* const a = m_.find(*maker(v), "value");
    value_type const& t = m_.type_of(v);
    if (a == nullptr || a->kind != attribute_kind::numbers || a->count < 1) return false;
    n = static_cast<std::int32_t>(static_cast<std::uint32_t>(m_.words[a->first]));
    return t.element == dtype::i32 && t.shape.rank == 0;
  }
  constexpr bool is_number_of(int v, extent wanted) const {
    extent n = 0;
    return is_number(v, n) && n == wanted;
  }
  constexpr bool is_zeros(int v) const {
    attribute const* const a = is_made_by(v, code::constant) ? m_.find(*maker(v), "value")
                                                             : nullptr;
    if (a == nullptr || a->kind != attribute_kind::numbers) return false;
    return a->count == 0 || (a->count == 1 && m_.words[a->first] == 0);
  }
  // The reshape that gives v an extent 1 in front, or takes it away; and what it reads.
  constexpr operation const* stacked(int v) const {
    if (!is_made_by(v, code::reshape) || maker(v)->operand_count != 1) return nullptr;
    extents const whole = m_.type_of(v).shape, element = m_.type_of(m_.operand(*maker(v), 0)).shape;
    return whole.rank > 0 && whole[0] == 1 && without_leading(whole) == element ? maker(v)
                                                                                : nullptr;
  }
  constexpr int inside(operation const* reshape) const {
    return reshape == nullptr ? -1 : m_.operand(*reshape, 0);
  }

private:
  module_ir const& m_;
  operation const& o_;
};

} // namespace detail
} // namespace weft::inline v0::stablehlo

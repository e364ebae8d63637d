// SPDX-License-Identifier: BSL-1.0
// Composites that stand for ops of weft's own: "weft.<op>" (own_ops.hpp says how).
// Needs: import_attributes.hpp. Leaves: the node, or nothing, and the decomposition is what counts.
#pragma once

#include <weft/stablehlo/import_attributes.hpp>
#include <weft/stablehlo/own_ops.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

constexpr growing<handle> import_own(importing& c, operation const& o) {
  if (o.result_count == 0 || c.result_type(o).kind != type_kind::tensor) return {};
  own_node const own = own_node_of(c.m, o);
  if (!own.found || o.result_count != (has_several_results(own.code) ? 2 : 1)) return {};
  extents const shape = written_shape(c, o, 0);
  growing<handle> const operands = c.leaves(o);
  if (!c.ok() || operands.empty()) return {};
  return import_own_op(c.m, o, c.r, operands, c.result_type(o).element, shape);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

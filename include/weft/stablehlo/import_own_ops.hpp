// SPDX-License-Identifier: BSL-1.0
// Composites and calls that stand for ops of weft's own: "weft.<op>" (own_ops.hpp says how).
// Needs: import_attributes.hpp. Leaves: the node, or nothing, and the decomposition is what counts.
#pragma once

#include <weft/stablehlo/import_attributes.hpp>
#include <weft/stablehlo/own_ops.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// The shape of the result; false: it has names that the text does not say.
constexpr bool shape_of_own(importing& c, operation const& o, own_node const& n,
                            view<handle> operands, extents& shape) {
  if (is_static(c.result_type(o).shape)) return shape = written_shape(c, o, 0), c.ok();
  bool const like_operand = is_elementwise(n.code) || n.code == op::arg_sort ||
                            n.code == op::observe;
  if (!like_operand && n.code != op::arg_reduce) return false;
  shape = operands[0].shape();
  if (n.code == op::arg_reduce) shape = without_axes(shape, n.attributes[0]);
  return c.fits(shape, c.result_type(o).shape);
}
// What attributes [first, first + count) say of o, which else is its decomposition: nothing.
constexpr growing<handle> import_own(importing& c, operation const& o, int first, int count) {
  if (o.result_count == 0 || c.result_type(o).kind != type_kind::tensor) return {};
  own_node const own = own_node_of(c.m, first, count);
  if (!own.found || o.result_count != (has_several_results(own.code) ? 2 : 1)) return {};
  growing<handle> const operands = c.leaves(o);
  extents shape;
  if (operands.empty() || !shape_of_own(c, o, own, operands, shape)) return {};
  return import_own_op(own, c.r, operands, c.result_type(o).element, shape);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

// SPDX-License-Identifier: BSL-1.0
// What the graph tells of a value's sign: e^x of numbers that are not above 0 takes fewer operations.
//   is_never_positive(g, reads, id)   // x - maximum of x, -x^2, -|x|: below or equal 0, or NaN
// Needs: a valid graph and its accesses. Leaves: nothing; true is a proof, false none.
#pragma once

#include <weft/pass/access.hpp>

namespace weft::inline v0 {
namespace detail {

// Is element p of `most` read from the maximum of a row to which element p of `of` belongs?
constexpr bool is_row_maximum(graph_view g, accesses const& reads, int most, int of) {
  access const& spread = reads.of[most];
  if (g[spread.root].code != op::reduce_max || spread.offset != 0) return false;
  int const from = g.operand(spread.root, 0);
  if (g[from].shape != g[of].shape) return false;
  extents const& s = g.shape(of);
  if (!same_elements(reads.of[from], reads.of[of], s)) return false;
  extent const reduced = g.attribute(spread.root, 0);
  extent step = 1;
  for (int i = s.rank - 1; i >= 0; --i) {
    bool const is_reduced = has_axis(reduced, i);
    if (s[i] != 1 && spread.stride[i] != (is_reduced ? 0 : step)) return false;
    if (!is_reduced) step *= s[i];
  }
  return true;
}

} // namespace detail

constexpr bool is_never_positive(graph_view g, accesses const& reads, int id) {
  if (g[id].code == op::sub)
    return detail::is_row_maximum(g, reads, g.operand(id, 1), g.operand(id, 0));
  if (g[id].code != op::neg) return false;
  int const of = g.operand(id, 0);
  return g[of].code == op::abs || (g[of].code == op::mul && g.operand(of, 0) == g.operand(of, 1));
}

} // namespace weft::inline v0

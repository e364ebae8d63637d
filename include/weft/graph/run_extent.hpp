// SPDX-License-Identifier: BSL-1.0
// The number of elements of a shape as a node. Where every extent is an int it is a constant; a
// named extent is only known to the run, and is counted there: the sum of as many ones (exact, and
// below 2^32). There is no op for it, so every backend has it.
// Needs: graph. Leaves: a rank-0 node.
#pragma once

#include <weft/graph/handle.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr handle count_node(recorder& r, extents const& over, dtype type) {
  extents names;
  extent known = 1;
  for (int i = 0; i < over.rank; ++i) {
    if (is_named(over[i])) names.push(over[i]);
    else known *= over[i];
  }
  if (names.rank == 0) return constant(r, static_cast<double>(known), type, {});
  handle counted = sum_all(constant(r, 1, dtype::u32, names));
  if (known != 1) counted = counted * constant(r, static_cast<double>(known), dtype::u32, {});
  return convert(counted, type);
}

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// The lists of #stablehlo.gather<...> and #stablehlo.scatter<...> by their names there.
// Leaves: plain data.
#pragma once

#include <weft/core/config.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

struct gather_names {
  char const *windows, *collapsed, *batch, *index_batch, *map;
};
inline constexpr gather_names names_of_gather{"offset_dims", "collapsed_slice_dims",
                                              "operand_batching_dims",
                                              "start_indices_batching_dims", "start_index_map"},
    names_of_scatter{"update_window_dims", "inserted_window_dims", "input_batching_dims",
                     "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

} // namespace detail
} // namespace weft::inline v0::stablehlo

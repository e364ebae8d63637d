// SPDX-License-Identifier: BSL-1.0
// The product of two matrices as graphs of the tests have it.
#pragma once

#include <weft/graph/attributes.hpp>

namespace test {

// Rows by columns, ij,jk->ik; order chain.
constexpr weft::contraction matrix_product(bool has_start = false, bool has_bias = false) {
  return {.has_start = has_start,
          .has_bias = has_bias,
          .rank_a = 2,
          .rank_b = 2,
          .rank_out = 2,
          .a = {0, 1},
          .b = {1, 2},
          .out = {0, 2}};
}

} // namespace test

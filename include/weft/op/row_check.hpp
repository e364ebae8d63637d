// SPDX-License-Identifier: BSL-1.0
// checked_row<O>(): the info of O's row, and an error for a column that the row lacks. For those who
// add an op: tests/op/test_rows.cpp asks it of all. Not in op/table.hpp, where every source that
// includes weft would ask it again.
// Needs: op/table.hpp. Leaves: nothing; a `meaning` that lacks or does not fit is refused where the
// interpreter makes its table of functions (graph/interpret_elementwise.hpp).
#pragma once

#include <weft/op/table.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace detail {

struct any_node;
template <op O> consteval op_info checked_row() {
  constexpr bool described = requires { row<O>::info.policy; };
  static_assert(described, "weft: an op's row lacks its info");
  static_assert(
      requires { &row<O>::template derivative<any_node>; },
      "weft: an op's row lacks its derivative");
  if constexpr (described) {
    static_assert(
        row<O>::info.kind == op_kind::elementwise || requires {
          &row<O>::template batch<any_node>;
        }, "weft: an op's row lacks its batching rule");
    static_assert(
        row<O>::info.kind == op_kind::elementwise || std::is_base_of_v<no_derivative, row<O>> ||
            requires { &row<O>::template tangent<any_node>; },
        "weft: an op's row lacks its tangent");
    return row<O>::info;
  } else return {};
}

} // namespace detail
} // namespace weft::inline v0

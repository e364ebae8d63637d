// SPDX-License-Identifier: BSL-1.0
// expect: weft: an op's row lacks its tangent
#include <weft/op/row_check.hpp>

inline constexpr auto one_more = static_cast<weft::op>(weft::op_count);
template <> struct weft::row<one_more> {
  static constexpr weft::op_info info = weft::row<weft::op::reverse>::info;
  static constexpr void derivative(auto&) {}
  static constexpr void batch(auto&) {}
};
auto info = weft::detail::checked_row<one_more>();

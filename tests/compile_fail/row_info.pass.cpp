// SPDX-License-Identifier: BSL-1.0
#include <weft/op/row_check.hpp>

inline constexpr auto one_more = static_cast<weft::op>(weft::op_count);
template <> struct weft::row<one_more> {
  static constexpr weft::op_info info = weft::row<weft::op::exp>::info;
  static constexpr void derivative(auto&) {}
};
auto info = weft::detail::checked_row<one_more>();

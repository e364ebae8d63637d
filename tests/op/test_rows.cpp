// SPDX-License-Identifier: BSL-1.0
// Every row of the op table has its columns, and the elementwise ops come first.
#include <weft/op/row_check.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

template <int... I> consteval bool all_whole(std::integer_sequence<int, I...>) {
  return ((weft::detail::checked_row<static_cast<weft::op>(I)>().name != nullptr) && ...);
}
static_assert(all_whole(std::make_integer_sequence<int, weft::op_count>{}));

TEST(rows, elementwise_ops_come_first) {
  for (int o = 0; o < weft::op_count; ++o) {
    auto const code = static_cast<weft::op>(o);
    EXPECT_EQ(weft::is_elementwise(code), o < weft::elementwise_count) << weft::name_of(code);
  }
}
TEST(rows, names_differ) {
  for (int o = 0; o < weft::op_count; ++o)
    for (int other = 0; other < o; ++other)
      EXPECT_NE(std::string(weft::name_of(static_cast<weft::op>(o))),
                weft::name_of(static_cast<weft::op>(other)));
}

} // namespace

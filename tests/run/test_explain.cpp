// SPDX-License-Identifier: BSL-1.0
// explain: golden text of softmax; what it says of loops, products, names and shared kernels.
#include <weft/run/explain.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

constexpr sym rows{"rows"};
constexpr auto rows_softmax = [](auto x) { return softmax(x); };

TEST(explain, softmax) {
  EXPECT_EQ((explain<rows_softmax, tensor<float, 4, 100>>()), "");
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Compiled kernels against the interpreter: a fixed part of what conformance/full has for every op
// and type. Elementwise ops on every length to 130 and two longer ones, over edge values; others
// with numbers and with a name for extents; ops behind each class of producers.
#include "conformance/producers.hpp"

namespace {

using namespace test;
using enum weft::dtype;

TEST(kernels, of_elementwise_ops) {
  expect_meaning<elementwise_part<f32, 0, 20>>({4000});
  expect_meaning<elementwise_part<i8, 0, 24>>({1000});
}
TEST(kernels, of_other_ops) {
  expect_meaning<structural_part<bf16, true, 0, 30>>({300});
  for (extent offset : {0, 7, 100})
    EXPECT_TRUE((means_the_same<structural_part<i32, false, 30, 60>>(0, offset)));
}

// Other ops for each class; together some of every kind.
template <int P> void expect_after() {
  for (extent offset : {0, 11, 200})
    EXPECT_TRUE(
        (means_the_same<after_producer<static_cast<producer>(P), 8 * P, 8 * P + 4, 0>>(0, offset)));
}
TEST(kernels, behind_each_class_of_producers) {
  []<int... P>(std::integer_sequence<int, P...>) {
    (expect_after<P>(), ...);
  }(std::make_integer_sequence<int, producer_count>{});
}

} // namespace

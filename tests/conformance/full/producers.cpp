// SPDX-License-Identifier: BSL-1.0
// Every op of the table behind a producer of class CASE_CLASS, as compiled programs, of two types
// each: CMakeLists.txt makes an executable of each class. Not built by default.
#include "conformance/producers.hpp"

namespace {

using namespace test;
constexpr int part = 28; // ops of one program
constexpr int parts = (weft::op_count + part - 1) / part;

template <int I, int Turn> void expect_part() {
  for (extent offset = 0; offset < 400; offset += 37)
    EXPECT_TRUE(
        (means_the_same<after_producer<producer::CASE_CLASS, I * part, (I + 1) * part, Turn>>(
            0, offset)));
}
template <int Turn> void expect_all() {
  []<int... I>(std::integer_sequence<int, I...>) {
    (expect_part<I, Turn>(), ...);
  }(std::make_integer_sequence<int, parts>{});
}
TEST(kernels, behind_a_producer) { expect_all<0>(); }
TEST(kernels, behind_a_producer_of_another_type) { expect_all<3>(); }

} // namespace

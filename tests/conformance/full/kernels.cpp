// SPDX-License-Identifier: BSL-1.0
// Every op that takes elements of CASE_TYPE, as compiled kernels: CMakeLists.txt makes an
// executable of each type. Not built by default.
#include "conformance/producers.hpp"

namespace {

using namespace test;
constexpr dtype type = weft::dtype::CASE_TYPE;
constexpr int part = 32; // ops of one program

// Names of what passed, for tools/ops_table.py.
void record(char const* what, growing<op_case> const& cases) {
  std::string names;
  for (op_case const& c : cases)
    names += std::string(names.empty() ? "" : " ") + weft::name_of(c.code);
  testing::Test::RecordProperty(std::string(what) + "_" + weft::name_of(type), names);
}

TEST(kernels, of_elementwise_ops) {
  extent const base = static_cast<extent>(edges(type).size());
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (expect_meaning<elementwise_part<type, I * part, (I + 1) * part>>({base * base + 5, 20011}),
     ...);
  }(std::make_integer_sequence<int, (elementwise_cases(type).size() + part - 1) / part>{});
  if (!HasFailure()) record("elementwise", elementwise_cases(type));
}
template <int I> void expect_parts() {
  expect_meaning<structural_part<type, true, I * part, (I + 1) * part>>({300, 2000});
  for (extent offset = 0; offset < 20; ++offset)
    EXPECT_TRUE(
        (means_the_same<structural_part<type, false, I * part, (I + 1) * part>>(0, offset)));
}
TEST(kernels, of_other_ops) {
  []<int... I>(std::integer_sequence<int, I...>) {
    (expect_parts<I>(), ...);
  }(std::make_integer_sequence<int, (structural_cases(type).size() + part - 1) / part>{});
  if (!HasFailure()) record("structural", structural_cases(type));
}

} // namespace

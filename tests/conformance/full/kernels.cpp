// SPDX-License-Identifier: BSL-1.0
// Every op that takes elements of CASE_TYPE, as compiled kernels: CMakeLists.txt makes an
// executable of each type. Not built by default.
#include "conformance/producers.hpp"

namespace {

using namespace test;
constexpr dtype type = weft::dtype::CASE_TYPE;
constexpr int part = 32; // ops of one program

TEST(kernels, of_elementwise_ops) {
  extent const base = static_cast<extent>(edges(type).size());
  passed_kernels passed;
  auto const expect_part = [&]<class Part>(std::type_identity<Part>) {
    expect_meaning<Part>({base * base + 5, 20011});
    passed.add<Part>();
  };
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (expect_part(std::type_identity<elementwise_part<type, I * part, (I + 1) * part>>{}), ...);
  }(std::make_integer_sequence<int, (elementwise_cases(type).size() + part - 1) / part>{});
  if (!HasFailure()) passed.record("elementwise", type);
}
template <int I> void expect_parts(passed_kernels& passed) {
  using named = structural_part<type, true, I * part, (I + 1) * part>;
  using numbered = structural_part<type, false, I * part, (I + 1) * part>;
  expect_meaning<named>({300, 2000});
  for (extent offset = 0; offset < 20; ++offset) EXPECT_TRUE(means_the_same<numbered>(0, offset));
  passed.add<named>();
}
TEST(kernels, of_other_ops) {
  passed_kernels passed;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (expect_parts<I>(passed), ...);
  }(std::make_integer_sequence<int, (structural_cases(type).size() + part - 1) / part>{});
  if (!HasFailure()) passed.record("other", type);
}

} // namespace

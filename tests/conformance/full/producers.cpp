// SPDX-License-Identifier: BSL-1.0
// Every op of the table that reads, behind a producer of each of the classes CASE_CLASSES, as
// compiled programs, of two types each: CMakeLists.txt makes the executables. Not built by default.
#include "conformance/producers.hpp"

#include <array>
#include <string_view>

namespace {

using namespace test;
constexpr int part = 8; // ops of one program, of every class
constexpr int parts = (weft::op_count + part - 1) / part;
constexpr auto classes = [] {
  using enum producer;
  return std::array{CASE_CLASSES};
}();
bool seen[producer_count][weft::op_count]{};

template <class Maker> void expect_part() {
  for (extent offset = 0; offset < 400; offset += 37) EXPECT_TRUE(means_the_same<Maker>(0, offset));
  growing<op_case> const written = Maker::write().of_output;
  for (op_case const& c : written)
    for (producer p : classes)
      if (std::string_view(c.after) == name_of(p))
        seen[static_cast<int>(p)][static_cast<int>(c.code)] = true;
}
template <int Turn> void expect_all() {
  []<int... I, int... P>(std::integer_sequence<int, I...>, std::integer_sequence<int, P...>) {
    (expect_part<after_producers<I * part, (I + 1) * part, Turn, classes[P]...>>(), ...);
  }(std::make_integer_sequence<int, parts>{},
    std::make_integer_sequence<int, static_cast<int>(classes.size())>{});
}
TEST(kernels, behind_a_producer) { expect_all<0>(); }
TEST(kernels, behind_a_producer_of_another_type) { expect_all<3>(); }

// Runs last.
TEST(kernels, behind_a_producer_are_all_that_read) {
  for (producer p : classes)
    for (int o = 0; o < weft::op_count; ++o) {
      op const code = static_cast<op>(o);
      weft::op_info const& info = weft::info_of(code); // rank has no operand
      bool const reads = info.kind != weft::op_kind::source && info.arity != 0;
      EXPECT_EQ(seen[static_cast<int>(p)][o], reads) << weft::name_of(code) << " " << name_of(p);
    }
}

} // namespace

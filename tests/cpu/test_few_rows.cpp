// SPDX-License-Identifier: BSL-1.0
// build: alone
// Convolutions with few features, whose places fill packs, against the interpreter, bit for bit: of
// one to four features, and of more, which are no few rows; of every kind of element, on threads.
#include "convolution_case.hpp"
#include "support/targets.hpp"

#include <weft/cpu/pool.hpp>

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace weft;
using namespace test;

using counts = std::array<int, detail::most_few_rows + 1>;
template <class Target> void count_rows(random_convolution const& r, counts& used) {
  convolution_form const form = form_of(r);
  for (extent n = 0; n < form.phases(); ++n) {
    product_form const p = form.at(n).product;
    if (p.count() > 0 && detail::few_rows_plan::fits(p, Target::lanes))
      ++used[static_cast<unsigned>(p.m.count())];
  }
}

// Lines of places that end inside of tiles.
template <class Target, dtype D> counts expect_wide_layers(int cases) {
  cpu::serial here;
  cpu::pool three(3, 0);
  element_types const types{D, D, D};
  auto const& code = detail::convolution_by<Target, D, D, D, D>::code;
  counts used{};
  for (int seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    random_source rng(static_cast<std::uint64_t>(seed));
    random_convolution const r = wide_layer(rng);
    operand_values const v = values_of(r, types, rng);
    if (seed % 2 == 0) expect_values(r, code, types, v, here, rng);
    else expect_values(r, code, types, v, three, rng);
    if (testing::Test::HasFailure()) return used;
    count_rows<Target>(r, used);
  }
  return used;
}
TEST(cpu_few_rows, features_of_wide_layers) {
  using enum dtype;
  counts const used = expect_wide_layers<cpu::native_target, f32>(300);
  for (unsigned rows = 2; rows <= 4; ++rows) EXPECT_GT(used[rows], 20) << rows << " rows";
  expect_wide_layers<test::narrow_target, f32>(200);
  expect_wide_layers<cpu::native_target, f64>(200);
  expect_wide_layers<cpu::native_target, i32>(200);
  expect_wide_layers<cpu::native_target, u8>(100); // which are widened: no few rows
}
// The only place of one image beside a line of features.
TEST(cpu_few_rows, one_row) {
  using enum dtype;
  cpu::serial here;
  element_types const types{f32, f32, f32};
  auto const& code = detail::convolution_by<cpu::native_target, f32, f32, f32, f32>::code;
  counts used{};
  for (extent const features : {16, 17, 64, 131, 300}) {
    random_source rng(1);
    random_convolution const r = layer_case(1, 3, 7, 3, 1, 0, features);
    expect_values(r, code, types, tame_values_of(r, types, rng), here, rng, true);
    count_rows<cpu::native_target>(r, used);
  }
  EXPECT_GE(used[1], 4);
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Scans whose steps are elementwise are one launch, with the interpreter's bits; others are a loop
// of launches.
#include "opencl/launches.hpp"
#include "random/random_source.hpp"

#include <weft/lang/makers.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>
#include <weft/lang/transforms.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;
using test::device_runner, test::same_bits;

constexpr sym turns{"turns"};
constexpr sym width{"width"};

class recurrence : public testing::TestWithParam<opencl::device_traits> {
protected:
  void SetUp() override {
    if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  }
  static extent launches(graph_view g, std::uint64_t seed = 2) {
    return test::launches(g, GetParam(), seed);
  }
};
template <class... X, class F> graph recorded(F const& f) { return record<X...>(f); }

constexpr auto average = [](auto h0, auto xs) {
  return scan(
      [](auto h, auto x) {
        auto next = 0.9f * h + 0.1f * x;
        return std::pair(next, next);
      },
      h0, xs);
};
constexpr auto cell = [](auto h0, auto xs, auto w) {
  return scan(
             [&](auto h, auto x) {
               auto next = tanh(h * w + x);
               return std::pair(next, none);
             },
             h0, xs)
      .first;
};
// Two carries, one of which is the other a turn ago; a y that is an x.
constexpr auto two_back = [](auto h0, auto xs) {
  return scan(
      [](auto h, auto x) {
        auto [now, before] = h;
        return std::pair(std::tuple(now * before + x, now), std::tuple(before, x, now - before));
      },
      std::tuple(h0, h0 * h0), xs);
};
constexpr auto rates = [](auto h0, auto xs, auto rate) { // a number for every turn
  return scan(
             [](auto h, auto x) {
               auto [value, by] = x;
               return std::pair(h + by * value, none);
             },
             h0, std::tuple(xs, rate))
      .first;
};

TEST_P(recurrence, is_one_launch) {
  using start = tensor<float, 4, 25>;
  using all = tensor<float, 9, 4, 25>;
  EXPECT_EQ(1, launches(recorded<start, all>(average)));
  EXPECT_EQ(1, launches(recorded<start, all, start>(cell)));
  EXPECT_EQ(1, launches(recorded<start, all, tensor<float, 25>>(cell)));
  EXPECT_EQ(1, launches(recorded<tensor<bf16, 70>, tensor<bf16, 9, 70>>(average)));
  EXPECT_EQ(1, launches(recorded<float, tensor<float, 40>>(average)));
  EXPECT_EQ(1, launches(recorded<start, all, tensor<float, 9>>(rates)));
}
TEST_P(recurrence, keeps_several_carries_apart) {
  EXPECT_EQ(2,
            launches(recorded<tensor<float, 30>, tensor<float, 7, 30>>(two_back))); // and h0 * h0
  EXPECT_EQ(2, launches(recorded<tensor<int, 30>, tensor<int, 7, 30>>(two_back)));
}
TEST_P(recurrence, may_go_backwards_or_not_at_all) {
  constexpr auto products = [](auto h0, auto xs) {
    return scan<scan_options{.reverse = true}>([](auto h, auto x) { return std::pair(h * x, h); },
                                               h0, xs);
  };
  EXPECT_EQ(1, launches(recorded<tensor<float, 30>, tensor<float, 7, 30>>(products)));
  EXPECT_EQ(1, launches(recorded<tensor<float, 30>, tensor<float, 0, 30>>(products)));
  EXPECT_EQ(0, launches(recorded<tensor<float, 0>, tensor<float, 7, 0>>(products)));
}
TEST_P(recurrence, has_named_lengths) {
  graph const g = recorded<tensor<float, width>, tensor<float, turns, width>>(average);
  for (std::uint64_t seed = 1; seed < 12; ++seed) EXPECT_LE(launches(g, seed), 1) << seed;
}
TEST_P(recurrence, reads_a_transposed_array_once_copied) {
  constexpr auto turned = [](auto h0, auto xs) { return cell(h0, transpose(xs), h0); };
  EXPECT_EQ(2, launches(recorded<tensor<float, 30>, tensor<float, 30, 7>>(turned)));
}
// A gradient's loop is a recurrence, too; the number that it starts from is spread out before.
TEST_P(recurrence, is_each_way_of_a_gradient) {
  constexpr auto loss = [](auto h0, auto xs, auto w) { return sum(cell(h0, xs, w)); };
  using start = tensor<float, 30>;
  EXPECT_EQ(3, launches(recorded<start, tensor<float, 7, 30>, start>(grad(loss))));
}
// Carries that meet other elements, or are reduced, are a launch or more at every turn.
TEST_P(recurrence, is_a_loop_where_elements_meet) {
  constexpr auto mixing = [](auto h0, auto xs) {
    return scan([](auto h, auto x) { return std::pair(h * 0.5f + flip(h) * x, none); }, h0, xs)
        .first;
  };
  constexpr auto summing = [](auto h0, auto xs) {
    return scan([](auto h, auto x) { return std::pair(h * 0.5f + sum(h) * x, none); }, h0, xs)
        .first;
  };
  EXPECT_EQ(7, launches(recorded<tensor<float, 30>, tensor<float, 7, 30>>(mixing)));
  EXPECT_EQ(7,
            launches(recorded<tensor<float, 30>, tensor<float, 7, 30>>(summing))); // a chain each
}
// A turn of a GRU: the product with the state, and one group for its gates; before them one product
// with all inputs.
TEST_P(recurrence, is_not_a_gru) {
  constexpr auto step = [](auto p, auto h, auto x) { return gru(p, h, x); };
  constexpr auto all = [](auto p, auto h0, auto xs) {
    return scan(
               [&](auto h, auto x) {
                 auto next = gru(p, h, x);
                 return std::pair(next, none);
               },
               h0, xs)
        .first;
  };
  using weights = gru_weights<tensor, 8, 16>;
  EXPECT_EQ(3, launches(recorded<weights, tensor<float, 4, 16>, tensor<float, 4, 8>>(step)));
  EXPECT_EQ(1 + 2 * 5,
            launches(recorded<weights, tensor<float, 4, 16>, tensor<float, 5, 4, 8>>(all)));
}
INSTANTIATE_TEST_SUITE_P(, recurrence,
                         testing::Values(opencl::device_traits{true, 32 * 1024, 4096},
                                         opencl::device_traits{false, 32 * 1024, 1024}),
                         [](auto const& p) { return p.param.is_cpu ? "cpu" : "gpu"; });

} // namespace

// SPDX-License-Identifier: BSL-1.0
// build: alone
// Compiled pools, windows and their gradients have the interpreter's bits, in layouts with and
// without channels in front; memory that overlapping windows read is not written over.
#include "run/compiled.hpp"

#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr sym n{"n"};

constexpr auto channels_last = [](auto x) {
  return std::tuple(
      max_pool<"NHWC", pool_options{.size = 3, .strides = 1}>(x),
      min_pool<"NHWC", pool_options{.size = 2}>(x),
      sum_pool<"NHWC", pool_options{.size = 3, .strides = 2, .padding = pads::same}>(x),
      avg_pool<"NHWC", pool_options{
                           .size = {1, 3}, .strides = 1, .padding = 1, .count_padding = false}>(x));
};
constexpr auto channels_first = [](auto x) {
  return std::tuple(max_pool<"NCHW", pool_options{.size = 2, .strides = 1, .dilation = 2}>(x),
                    sum_pool<"NCHW", pool_options{.size = {2, 3}}>(x),
                    max_pool<"HWNC", pool_options{.size = 1, .strides = 2}>(x));
};
// Windows of 64 elements, as a sum has lanes, and of one more.
constexpr auto large_windows = [](auto x) {
  return std::tuple(sum_pool<"NHWC", pool_options{.size = 8, .strides = 1}>(x),
                    sum_pool<"NHWC", pool_options{.size = {5, 13}, .strides = 1}>(x),
                    max_pool<"NHWC", pool_options{.size = {13, 5}, .strides = 2}>(x));
};
constexpr auto integer_pools = [](auto x) {
  auto back = flip<1>(x);
  return std::tuple(max_pool<"NHWC", pool_options{.size = 2, .strides = 1, .dilation = 2}>(x),
                    min_pool<"NHWC", pool_options{.size = 3, .strides = 2, .padding = 1}>(back),
                    sum_pool<"NHWC", pool_options{.size = {2, 3}, .strides = 1}>(x),
                    max_pool<"NHWC", pool_options{.size = {4, 4}}>(back + x),
                    max_pool<"NHWC", pool_options{.size = 1}>(x));
};
constexpr auto loss = [](auto x, auto w) {
  auto y = max_pool<"NHWC", pool_options{.size = 3, .strides = 2, .padding = 1}>(x);
  auto z = avg_pool<"NHWC", pool_options{.size = 2, .strides = 1, .padding = pads::same}>(x * x);
  return sum(y * w) + sum(z * z);
};
constexpr auto slopes = [](auto x, auto w) { return grad(loss)(x, w); };
constexpr auto joined = [](auto x) {
  auto frames = sliding_window<axis_list(1), window_options{.size = 4, .strides = 2}>(x);
  return overlap_add<axis_list(1), window_options{.strides = 3}>(frames * 2);
};

TEST(pools, of_channels_behind) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    check<channels_last>(filled<float, 2, 7, 6, 5>(seed));
    check<channels_last>(filled<float, n, 5, 9, 33>(seed, 3));
    check<channels_last>(filled<bf16, 1, 6, 6, 17>(seed));
    check<channels_last>(filled<float, n, 4, 4, 3>(seed, 0));
  }
}
// Whole strips of 64 channels, and what is beside them; few places, and one.
TEST(pools, of_many_channels) {
  check<channels_last>(filled<float, 2, 7, 6, 64>(1));
  check<channels_last>(filled<float, n, 5, 6, 65>(2, 2));
  check<channels_last>(filled<float, 1, 6, 5, 130>(3));
  check<channels_last>(filled<bf16, 1, 6, 6, 64>(4));
  check<integer_pools>(filled<int, 2, 5, 6, 64>(1));
  check<integer_pools>(filled<std::int8_t, 1, 4, 4, 128>(1));
  check<integer_pools>(filled<int, n, 4, 4, 64>(1, 0));
}
TEST(pools, of_large_windows) {
  check<large_windows>(filled<float, 2, 14, 13, 5>(1));
  check<large_windows>(filled<float, n, 13, 15, 33>(2, 2));
  check<large_windows>(filled<bf16, 1, 13, 13, 70>(3));
}
TEST(pools, of_channels_in_front) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    check<channels_first>(filled<float, 2, 3, 7, 19>(seed));
    check<channels_first>(filled<std::int8_t, 3, 2, 6, 6>(seed));
  }
}
TEST(pools, have_gradients) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    check<slopes>(filled<float, 2, 7, 6, 5>(seed), filled<float, 2, 4, 3, 5>(seed + 10));
    check<slopes>(filled<f16, 2, 4, 6, 3>(seed), filled<f16, 2, 2, 3, 3>(seed + 10));
  }
}
TEST(overlap_add, of_every_type) {
  check<joined>(filled<float, n, 50>(1, 7));
  check<joined>(filled<double, 3, 21>(2));
  check<joined>(filled<bf16, 3, 21>(4));
  check<joined>(filled<f16, 5, 9>(5));
  check<joined>(filled<std::uint8_t, 5, 9>(6));
  check<joined>(filled<std::int64_t, 5, 9>(7));
}
// Rows for two threads.
constexpr auto large = [](auto x) {
  return overlap_add<axis_list(1), window_options{.strides = 1}>(
      sliding_window<axis_list(1), window_options{.size = 3}>(x));
};
TEST(overlap_add, is_shared_out) {
  check<large>(filled<float, 40, 40, 12>(1));
  check<large>(filled<bf16, 40, 40, 12>(3));
}

// Results as large as the argument, which is moved: overlapping windows of it are read late.
constexpr auto over_itself = [](auto x) {
  auto some = reshape<9>(x);
  return sliding_window<axis_list(0), window_options{.size = 3}>(at<":5">(some)) + 1;
};
constexpr auto back_again = [](auto x) {
  return overlap_add<axis_list(0), window_options{}>(
      sliding_window<axis_list(0), window_options{.size = 2}>(x));
};
template <auto F, class X> void expect_kept(X const& before) {
  X moved = before;
  auto const result = jit<F>(std::move(moved));
  EXPECT_TRUE(
      test::same_bits(test::dense_leaves(result), test::meaning_of(stages<program<F, X>>::recorded,
                                                                   test::dense_leaves(before))));
}
TEST(windows, are_not_written_over) {
  for (std::uint64_t seed = 1; seed < 6; seed += 2) {
    expect_kept<over_itself>(filled<float, 3, 3>(seed));
    expect_kept<back_again>(filled<float, 4, 4>(seed));
  }
}

} // namespace

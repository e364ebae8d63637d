// SPDX-License-Identifier: BSL-1.0
// build: alone
// Pools and windows: types and graphs, values by hand, thousands of random cases against plain
// loops on the interpreter and the block executor, gradients, vmap.
#include "pool_reference.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "recorded.hpp"
#include "support/block.hpp"
#include "support/meaning.hpp"

#include <weft/testing/check_grad.hpp>
#include <weft/transform/grad.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace weft;
using detail::position, detail::position_of;
using test::pool_case, test::random_source;

// ---- types
constexpr sym batch{"batch"};
constexpr sym channels{"channels"};
template <class X, class Y> constexpr bool same_type = std::is_same_v<X, Y>;
template <auto F, class X> using result_of_call = decltype(F(std::declval<X>()));

constexpr auto halved = [](auto x) { return max_pool<"NHWC", pool_options{.size = 2}>(x); };
static_assert(
    same_type<result_of_call<halved, traced<float, 8, 28, 28, 3>>, traced<float, 8, 14, 14, 3>>);
static_assert(same_type<result_of_call<halved, traced<bool, batch, 7, 5, channels>>,
                        traced<bool, batch, 3, 2, channels>>);
constexpr auto same3 = [](auto x) {
  return avg_pool<"NCHW", pool_options{.size = 3, .strides = {2, 1}, .padding = pads::same}>(x);
};
static_assert(same_type<result_of_call<same3, traced<float, 0, channels, 9, 8>>,
                        traced<float, 0, channels, 5, 8>>);
constexpr auto frames = [](auto x) {
  return sliding_window<axis_list(-1), window_options{.size = 4, .strides = 2}>(x);
};
static_assert(
    same_type<result_of_call<frames, traced<float, batch, 10>>, traced<float, batch, 4, 4>>);
constexpr auto joined = [](auto x) {
  return overlap_add<axis_list(1), window_options{.strides = 2}>(x);
};
static_assert(
    same_type<result_of_call<joined, traced<float, batch, 4, 4>>, traced<float, batch, 10>>);

// ---- graphs: tiles are reshaped, other windows are views.
template <class X> std::vector<op> ops_of(auto const& f) {
  graph const g = record<X>(f);
  std::vector<op> ops;
  for (node const& n : g.nodes)
    if (n.code != op::parameter) ops.push_back(n.code);
  return ops;
}
TEST(pool, of_tiles_is_a_reshape) {
  using ops = std::vector<op>;
  EXPECT_EQ((ops_of<tensor<float, 8, 28, 28, 3>>(halved)), (ops{op::reshape, op::reduce_max}));
  EXPECT_EQ((ops_of<tensor<float, 8, 29, 28, 3>>(halved)),
            (ops{op::slice, op::reshape, op::reduce_max}));
  auto const rows = [](auto x) { return sum_pool<"NW", pool_options{.size = 2}>(x); };
  EXPECT_EQ((ops_of<tensor<float, 8, 6>>(rows)), (ops{op::reshape, op::transpose, op::reduce_sum}));
  auto const overlapping = [](auto x) {
    return max_pool<"NHWC", pool_options{.size = 3, .strides = 1}>(x);
  };
  EXPECT_EQ((ops_of<tensor<float, 8, 28, 28, 3>>(overlapping)),
            (ops{op::window, op::transpose, op::reduce_max}));
}

// ---- by hand
tensor<int, 4, 4> const squares = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};

TEST(pool, of_tensors) {
  EXPECT_TRUE(
      (max_pool<"HW", pool_options{.size = 2}>(squares) == tensor<int, 2, 2>{{6, 8}, {14, 16}}));
  EXPECT_TRUE((min_pool<"HW", pool_options{.size = 3, .strides = 1}>(squares) ==
               tensor<int, 2, 2>{{1, 2}, {5, 6}}));
  EXPECT_TRUE((sum_pool<"HW", pool_options{.size = {1, 4}, .padding = {{0, 0}, {2, 2}}}>(squares) ==
               tensor<int, 4, 2>{{3, 7}, {11, 15}, {19, 23}, {27, 31}}));
  EXPECT_TRUE((max_pool<"HW", pool_options{.size = 2, .strides = 1, .dilation = 3}>(squares) ==
               tensor<int, 1, 1>{{16}}));
  tensor<int, 2, 2> const lowest =
      max_pool<"HW", pool_options{.size = 1, .padding = {{0, 0}, {1, -3}}}>(at<":2, :">(squares));
  EXPECT_EQ(lowest(0, 0), std::numeric_limits<int>::lowest());
  EXPECT_EQ(lowest(1, 1), 5);
}
TEST(pool, features_are_channels) {
  tensor<int, 1, 2, 2, 3> const x = reshape<1, 2, 2, 3>(weft::arange<int, 12>());
  EXPECT_TRUE(
      (max_pool<"NHWF", pool_options{.size = 2}>(x) == tensor<int, 1, 1, 1, 3>{{{{9, 10, 11}}}}));
}
TEST(pool, of_means) {
  tensor<float, 4> const x = {1, 2, 3, 6};
  constexpr pool_options counted{.size = 3, .strides = 1, .padding = 1};
  constexpr pool_options not_counted{.size = 3, .strides = 1, .padding = 1, .count_padding = false};
  EXPECT_TRUE((avg_pool<"W", counted>(x) == tensor<float, 4>{1, 2, 11 / 3.0f, 3}));
  EXPECT_TRUE((avg_pool<"W", not_counted>(x) == tensor<float, 4>{1.5f, 2, 11 / 3.0f, 4.5f}));
}
TEST(pool, of_four_axes) { // in two steps: an array has at most 8 axes
  tensor<int, 1, 2, 3, 2, 4, 2> const x = reshape<1, 2, 3, 2, 4, 2>(
      remainder(arange<int, 96>() * 37, 101));
  tensor<int, 1, 1, 1, 1, 1, 2> const y = max_pool<"NABDEC", pool_options{.size = {2, 3, 2, 4}}>(x);
  tensor<int, 2> const expected = max<0>(reshape<48, 2>(x));
  EXPECT_EQ(y(0, 0, 0, 0, 0, 0), expected(0));
  EXPECT_EQ(y(0, 0, 0, 0, 0, 1), expected(1));
}
TEST(sliding_window, may_be_reduced_by_anything) {
  tensor<float, 6> const x = {3, 1, 2, 9, 4, 7};
  tensor<float, 4> const middle = median<1>(
      sliding_window<axis_list(0), window_options{.size = 3}>(x));
  EXPECT_TRUE((middle == tensor<float, 4>{2, 2, 4, 7}));
  tensor<float, 2, 2> const apart =
      sliding_window<axis_list(0), window_options{.size = 2, .strides = 2, .dilation = 3}>(x);
  EXPECT_TRUE((apart == tensor<float, 2, 2>{{3, 9}, {2, 7}}));
}
TEST(overlap_add, joins_frames) {
  tensor<float, 10> const x = arange<float, 10>();
  auto const once = [](auto a) {
    return overlap_add<axis_list(0), window_options{.strides = 2}>(a);
  };
  tensor<float, 10> const twice = once(frames(x)); // the ends stand in one frame, the rest in two
  EXPECT_TRUE((twice == tensor<float, 10>{0, 1, 4, 6, 8, 10, 12, 14, 8, 9}));
  tensor<int, 2, 2, 2, 2> const tiles = ones<int, 2, 2, 2, 2>();
  tensor<int, 3, 3> const table = overlap_add<axis_list(0, 1), window_options{}>(tiles);
  EXPECT_TRUE((table == tensor<int, 3, 3>{{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}));
}

// ---- by chance, against plain loops
template <class F> graph recorded_as(dtype d, extents const& s, F const& f) {
  recorder r;
  handle const x = r.input(d, s, {0, 0, false});
  handle const y = f(x);
  r.finish({&y, 1});
  return r.result;
}
dense whole_numbers(random_source& rng, dtype d, extents const& s) {
  dense x(d, s);
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<word>(bits_of(rng.between(-7, 7), d));
  return x;
}
double value_of(dense const& x, extent i) {
  return detail::with_dtype(x.type, [&]<dtype D>() -> double {
    if constexpr (D == dtype::boolean) return x[static_cast<int>(i)] != 0;
    else
      return static_cast<double>(static_cast<std::conditional_t<is_half(D), float, storage_of<D>>>(
          element_of_word<storage_of<D>>(x[static_cast<int>(i)])));
  });
}
double lowest_of(dtype d) {
  return is_float(d) ? -std::numeric_limits<double>::infinity()
                     : double{std::numeric_limits<std::int32_t>::lowest()};
}
double highest_of(dtype d) {
  return is_float(d) ? std::numeric_limits<double>::infinity()
                     : double{std::numeric_limits<std::int32_t>::max()};
}
enum class pooling { max, min, sum, mean };
// What the pool is at one place.
double expected_at(pooling how, pool_case const& c, dense const& x, position const& place) {
  double best = how == pooling::max   ? lowest_of(x.type)
                : how == pooling::min ? highest_of(x.type)
                                      : 0;
  float inside = 0;
  c.each_tap(place, [&](extent at) {
    if (at < 0) return;
    double const v = value_of(x, at);
    ++inside;
    if (how == pooling::max) best = std::max(best, v);
    else if (how == pooling::min) best = std::min(best, v);
    else best += v;
  });
  if (how != pooling::mean) return best;
  return static_cast<float>(best) /
         (c.options.count_padding ? static_cast<float>(c.taps()) : inside);
}
handle pool_of(pooling how, handle x, pool_case const& c) {
  switch (how) {
    case pooling::max: return detail::reduce_pool(op::reduce_max, x, c.plan);
    case pooling::min: return detail::reduce_pool(op::reduce_min, x, c.plan);
    case pooling::sum: return detail::sum_of_pool(x, c.plan);
    default: return detail::mean_of_pool(x, c.plan, c.options.count_padding);
  }
}
void expect_pool(pooling how, pool_case const& c, dense const& x, dense const& y) {
  ASSERT_EQ(y.shape, c.result()) << c.describe();
  for (int i = 0; i < y.size(); ++i) {
    double const is = value_of(y, i), exact = expected_at(how, c, x, position_of(i, y.shape));
    double const wanted = y.type == dtype::bf16 ? float(bf16(static_cast<float>(exact))) : exact;
    ASSERT_TRUE(is == wanted || (std::isnan(is) && std::isnan(wanted)))
        << is << " for " << wanted << " at " << i << ", " << c.describe();
  }
}

TEST(pool, is_plain_loops) {
  cpu::serial one;
  extent elements = 0;
  int views = 0, tiles = 0;
  for (std::uint64_t seed = 0; seed < 4000 && !HasFatalFailure(); ++seed) {
    random_source rng(seed);
    pool_case const c(rng, seed % 10 == 0 ? 4 : 3);
    ASSERT_EQ(c.plan.fault, detail::pool_fault::sound);
    dtype const d = seed % 3 == 0 ? dtype::f32 : seed % 3 == 1 ? dtype::bf16 : dtype::i32;
    pooling const how = static_cast<pooling>(rng.below(is_float(d) ? 4 : 3));
    graph const g = recorded_as(d, c.shape, [&](handle x) { return pool_of(how, x, c); });
    ASSERT_FALSE(verify(g)) << print(g);
    dense const x = whole_numbers(rng, d, c.shape);
    growing<dense> const meant = test::meaning_of(g, {&x, 1});
    expect_pool(how, c, x, meant[0]);
    test::block_runner<cpu::native_target> const blocks(g);
    ASSERT_TRUE(test::same_bits(seed, g, blocks.run({&x, 1}, one), meant)) << c.describe();
    elements += meant[0].size();
    bool windows = false;
    for (node const& n : g.nodes) windows = windows || n.code == op::window;
    (windows ? views : tiles) += 1;
  }
  EXPECT_GT(elements, 50000);
  EXPECT_GT(views, 2000);
  EXPECT_GT(tiles, 400);
}

// d sum(pool(x) * w) / dx, w whole numbers.
std::vector<double> expected_gradient(pooling how, pool_case const& c, dense const& x,
                                      dense const& w) {
  std::vector<double> ct(static_cast<unsigned>(x.size()));
  for (int i = 0; i < w.size(); ++i) {
    position const place = position_of(i, w.shape);
    double const best = how == pooling::max ? expected_at(how, c, x, place) : 0;
    double equals = 0, inside = 0;
    c.each_tap(place, [&](extent at) {
      inside += at >= 0;
      equals += (at < 0 ? lowest_of(x.type) : value_of(x, at)) == best;
    });
    double const parts = how == pooling::max       ? equals
                         : how == pooling::sum     ? 1
                         : c.options.count_padding ? static_cast<double>(c.taps())
                                                   : inside;
    c.each_tap(place, [&](extent at) {
      if (at >= 0 && (how != pooling::max || value_of(x, at) == best))
        ct[static_cast<unsigned>(at)] += value_of(w, i) / parts;
    });
  }
  return ct;
}
TEST(pool, has_the_gradient_of_plain_loops) {
  cpu::serial one;
  int parts = 0;
  for (std::uint64_t seed = 0; seed < 1500 && !HasFatalFailure(); ++seed) {
    random_source rng(seed + 100000);
    pool_case const c(rng);
    pooling const how = static_cast<pooling>(rng.below(2) == 0 ? 0 : 2 + rng.below(2));
    recorder r;
    handle const x = r.input(dtype::f64, c.shape, {0, 0, false}),
                 w = r.input(dtype::f64, c.result(), {1, 0, false});
    handle const loss = sum_all(pool_of(how, x, c) * w);
    r.finish({&loss, 1});
    int const wrt[] = {0};
    graph const g = value_and_grad(r.result, {wrt, 1});
    ASSERT_FALSE(verify(g)) << print(g);
    growing<dense> inputs;
    inputs.push(whole_numbers(rng, dtype::f64, c.shape));
    inputs.push(whole_numbers(rng, dtype::f64, c.result()));
    growing<dense> const meant = test::meaning_of(g, inputs);
    std::vector<double> const exact = expected_gradient(how, c, inputs[0], inputs[1]);
    for (int i = 0; i < meant[1].size(); ++i) {
      double const wanted = exact[static_cast<unsigned>(i)];
      ASSERT_NEAR(value_of(meant[1], i), wanted, 1e-12) << c.describe();
      parts += wanted != std::floor(wanted);
    }
    test::block_runner<cpu::native_target> const blocks(g);
    ASSERT_TRUE(test::same_bits(seed, g, blocks.run(inputs, one), meant)) << c.describe();
  }
  EXPECT_GT(parts, 1000);
}

// ---- transforms
TEST(pool, derivatives_are_those_of_differences) {
  // Apart from each other, so that no step changes who is the largest.
  tensor<double, 2, 5, 4> const x = reshape<2, 5, 4>(
      convert<double>(remainder(arange<int, 40>() * 27, 41)) * 0.25);
  auto const curved = [](auto y) { return sum(y * y * y); };
  auto const largest = [=](auto a) {
    return curved(max_pool<"NHW", pool_options{.size = 3, .strides = 2, .padding = 1}>(a));
  };
  auto const means = [=](auto a) {
    return curved(
        avg_pool<"NHW",
                 pool_options{
                     .size = 2, .strides = 1, .padding = pads::same, .count_padding = false}>(a));
  };
  auto const slope = [=](auto a) { // first derivatives again, by which second ones are checked
    return curved(grad(means)(a));
  };
  for (auto const& report : {check_grad(largest, x), check_grad(means, x), check_grad(slope, x)})
    EXPECT_TRUE(report) << report.text().c_str();
  auto const windows = [=](auto a) {
    auto w = sliding_window<axis_list(1, 2), window_options{.size = {2, 3}, .strides = {2, 1}}>(a);
    return curved(overlap_add<axis_list(1, 2), window_options{.strides = {1, 2}}>(w * w));
  };
  auto const report = check_grad(windows, x);
  EXPECT_TRUE(report) << report.text().c_str();
}
constexpr pool_options halving{.size = 3, .strides = 2, .padding = 1};
constexpr auto of_one = [](auto a) { return max_pool<"HW", halving>(a); };
constexpr auto of_many = [](auto a) { return max_pool<"NHW", halving>(a); };
constexpr auto slope_of_one = [](auto a) { return grad([](auto b) { return sum(of_one(b)); })(a); };
constexpr auto slope_of_many = [](auto a) {
  return grad([](auto b) { return sum(of_many(b)); })(a);
};
TEST(pool, is_mapped) {
  tensor<float, 3, 6, 5> const x = reshape<3, 6, 5>(
      convert<float>(remainder(arange<int, 90>() * 31, 97)));
  tensor<float, 3, 3, 3> const mapped = jit<vmap(of_one)>(x), whole = of_many(x);
  EXPECT_TRUE(mapped == whole);
  tensor<float, 3, 6, 5> const slopes = jit<vmap(slope_of_one)>(x), at_once = jit<slope_of_many>(x);
  EXPECT_TRUE(slopes == at_once);
}

} // namespace

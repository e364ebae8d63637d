// SPDX-License-Identifier: BSL-1.0
// partition's typed door: functions of whole arrays, called with parts on all ranks; types of parts,
// structs, pairs, captured values, annotations, loops and draws; what explain_partition says.
#include <weft/partition.hpp>
#include <weft/testing/run_ranks.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

namespace {

using namespace weft;
using weft::testing::parts, weft::testing::run_ranks;

constexpr auto four = mesh<axis<"data", 4>>;
constexpr auto grid = mesh<axis<"data", 2>, axis<"model", 2>>;

template <auto... E> tensor<float, E...> whole_numbers(int seed) {
  tensor<float, E...> t;
  auto m = t.mutate();
  for (int i = 0; i < t.size(); ++i) m.data()[i] = static_cast<float>((i * 7 + seed) % 5 - 2);
  return t;
}
template <class T, auto... E> bool same(tensor<T, E...> const& a, tensor<T, E...> const& b) {
  for (int i = 0; i < a.size(); ++i)
    if (a.data()[i] != b.data()[i]) return false;
  return true;
}

// ---- a step of training, its parameters in a struct
template <template <class, auto...> class array> struct params {
  array<float, 6, 8> w1;
  array<float, 8> b1;
  array<float, 8, 4> w2;
};
inline constexpr auto loss = [](auto p, auto x, auto y) {
  return sum(square(einsum<"bh,ho->bo">(relu(einsum<"bi,ih->bh">(x, p.w1) + p.b1), p.w2) - y));
};
inline constexpr auto step = [](auto p, auto x, auto y) {
  auto [value, g] = value_and_grad(loss)(p, x, y);
  return std::pair(sgd(p, g, 0.5f), value);
};
inline constexpr auto step_of_rows =
    partition<four, in_parts<replicated, split_over<"data">, split_over<"data">>,
              out_parts<replicated>>(step);

TEST(partition, a_step_over_split_rows_is_the_step) {
  params<tensor> const p{whole_numbers<6, 8>(1), whole_numbers<8>(2), whole_numbers<8, 4>(3)};
  auto const x = whole_numbers<8, 6>(4);
  auto const y = whole_numbers<8, 4>(5);
  auto const [next, value] = run_ranks<step>(mesh<axis<"data", 1>>, p, x, y)[0];
  auto const all = run_ranks<step_of_rows>(four, p, parts<four, "data", 0>(x),
                                           parts<four, "data", 0>(y));
  ASSERT_EQ(all.size(), 4u);
  for (auto const& [mine, loss_of_all] : all) {
    EXPECT_EQ(loss_of_all(), value());
    EXPECT_TRUE(same(mine.w1, next.w1));
    EXPECT_TRUE(same(mine.b1, next.b1));
    EXPECT_TRUE(same(mine.w2, next.w2));
  }
}

// ---- types of parts
inline constexpr auto product = [](auto x, auto w) {
  return std::pair(einsum<"bi,io->bo">(x, w), sum<0>(x));
};
inline constexpr auto product_of_parts =
    partition<grid, in_parts<split_over<"data">, split_over<none, "model">>,
              out_parts<split_over<"data", "model">, replicated>>(product);
static_assert(std::is_same_v<decltype(product_of_parts(std::declval<traced<float, 4, 6>>(),
                                                       std::declval<traced<float, 6, 3>>())),
                             std::pair<traced<float, 4, 3>, traced<float, 6>>>);

TEST(partition, results_have_a_specification_each) {
  auto const x = whole_numbers<8, 6>(1);
  auto const w = whole_numbers<6, 6>(2);
  auto const all = run_ranks<product_of_parts>(grid, parts<grid, "data", 0>(x),
                                               parts<grid, "model", 1>(w));
  auto const [y, total] = run_ranks<product>(mesh<axis<"data", 1>>, x, w)[0];
  for (int r = 0; r < 4; ++r) {
    auto const& [mine, sums] = all[static_cast<unsigned>(r)];
    EXPECT_TRUE(same(mine, part<grid, "model", 1>(part<grid, "data", 0>(y, r), r))) << r;
    EXPECT_TRUE(same(sums, total));
  }
}

// ---- several axes in one word, annotations, a function that captures, and a call amid others
inline constexpr auto rows_and_columns = [](auto x, auto scale) {
  auto const inner =
      partition<grid, in_parts<split_over<"data*model">>, out_parts<split_over<"data*model">>>(
          [&](auto whole) { return shard<none, "model">(whole * scale) - mean(whole); });
  return inner(x + 1.0f) * 2.0f;
};
inline constexpr auto rows_and_columns_whole = [](auto x, auto scale) {
  auto whole = x + 1.0f;
  return (whole * scale - mean(whole)) * 2.0f;
};
TEST(partition, inside_of_other_functions_with_captured_values) {
  auto const x = whole_numbers<8, 4>(1);
  tensor<float> const scale = 3.0f;
  auto const y = run_ranks<rows_and_columns_whole>(mesh<axis<"data", 1>>, x, scale)[0];
  auto const rows = weft::testing::each_rank(
      grid, [&](int r) { return part<grid, "model", 0>(part<grid, "data", 0>(x, r), r); });
  auto const all = run_ranks<rows_and_columns>(grid, rows, scale);
  for (int r = 0; r < 4; ++r)
    EXPECT_TRUE(same(all[static_cast<unsigned>(r)],
                     part<grid, "model", 0>(part<grid, "data", 0>(y, r), r)));
}

// ---- on one rank it is the function; on tensors it is called at once
constexpr auto one = mesh<axis<"data", 1>>;
inline constexpr auto alone =
    partition<one, in_parts<split_over<"data">, replicated>, out_parts<split_over<"data">>>(
        [](auto x, auto w) { return shard<"data">(einsum<"bi,io->bo">(x, w)); });
TEST(partition, over_one_rank_is_the_function) {
  auto const x = whole_numbers<8, 6>(1);
  auto const w = whole_numbers<6, 3>(2);
  EXPECT_TRUE(same(alone(x, w), eval(einsum<"bi,io->bo">(x, w))));
  EXPECT_TRUE(same(shard<"data", none>(x), x));
}

// ---- rules of the user's: inside they are taken, outside they are gone
inline constexpr auto floored = custom_vjp([](auto x) { return floor(x); },
                                           [](auto x) { return std::pair(floor(x), x); },
                                           [](auto, auto ct) { return ct * 3.0f; });
inline constexpr auto floors = [](auto x) { return sum(square(floored(x * 0.5f))); };
inline constexpr auto floors_of_rows =
    partition<four, in_parts<split_over<"data">>, out_parts<replicated>>(floors);
inline constexpr auto gradients_of_rows =
    partition<four, in_parts<split_over<"data">>, out_parts<split_over<"data">>>(grad(floors));
TEST(partition, rules_of_custom_vjp_are_taken_inside) {
  auto const x = whole_numbers<8, 4>(1);
  auto const value = run_ranks<floors>(mesh<axis<"data", 1>>, x)[0];
  auto const gradient = run_ranks<grad(floors)>(mesh<axis<"data", 1>>, x)[0];
  for (auto const& each : run_ranks<floors_of_rows>(four, parts<four, "data", 0>(x)))
    EXPECT_EQ(each(), value());
  auto const all = run_ranks<gradients_of_rows>(four, parts<four, "data", 0>(x));
  for (int r = 0; r < 4; ++r)
    EXPECT_TRUE(same(all[static_cast<unsigned>(r)], part<four, "data", 0>(gradient, r))) << r;
}
TEST(partition, gradients_through_lost_rules_are_errors) {
  using rows = tensor<float, 2, 4>;
  EXPECT_EQ(record<rows>(grad(floors_of_rows)).error, trace_error::partitioned_rule);
  EXPECT_EQ(record<rows>([](auto x) { return jvp(floors_of_rows)(x, x); }).error,
            trace_error::custom_forward);
  constexpr auto in_a_loop = partition<four, in_parts<replicated>, out_parts<replicated>>(
      [](auto x) {
        return scan<scan_options{.length = 3}>(
                   [](auto h, none_t) { return std::pair(floored(h), none); }, x, none)
            .first;
      });
  EXPECT_EQ(record<rows>(grad([=](auto x) { return sum(in_a_loop(x)); })).error,
            trace_error::partitioned_rule);
  // What no gradient goes through.
  EXPECT_EQ(
      record<rows>(grad([](auto x) { return sum(x * floors_of_rows(stop_gradient(x))); })).error,
      trace_error::clean);
  EXPECT_EQ(record<rows>(floors_of_rows).error, trace_error::clean);
}

// ---- what is told
TEST(partition, explains_the_program_that_runs) {
  static constexpr auto blocks = [](auto w, auto x) {
    auto const layer = checkpoint([](auto a, auto b) { return tanh(einsum<"bi,io->bo">(a, b)); });
    auto const next = [&](auto h, none_t) { return std::pair(layer(h, w), none); };
    return scan<scan_options{.length = 4, .unroll = 2}>(next, x, none).first;
  };
  static constexpr auto shared = partition<four, in_parts<split_over<"data">, split_over<"data">>,
                                           out_parts<split_over<"data">>>(blocks);
  std::string const t = explain_partition<shared, tensor<float, 2, 8>, tensor<float, 4, 8>>();
  EXPECT_NE(t.find(", 4 times\n"), std::string::npos) << t; // one loop, not unrolled
  EXPECT_NE(t.find(", 1 times\n"), std::string::npos) << t; // the region is there still
  graph const run = record<tensor<float, 2, 8>, tensor<float, 4, 8>>(shared);
  int exchanges = 0;
  for (node const& n : run.nodes) exchanges += n.code == op::collective;
  std::string const said = " bytes in " + std::to_string(exchanges) + " collective";
  EXPECT_NE(t.find(said), std::string::npos) << t;
}
TEST(partition, says_what_is_exchanged) {
  std::string const t =
      explain_partition<step_of_rows, params<tensor>, tensor<float, 2, 6>, tensor<float, 2, 4>>();
  EXPECT_NE(t.find("mesh data=4: 4 ranks\n"), std::string::npos) << t;
  EXPECT_NE(t.find("f32(8, 6) [data, -], here (2, 6)"), std::string::npos) << t;
  EXPECT_NE(t.find("1068 bytes in 4 collectives\n"), std::string::npos) << t;
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// Meshes, and collectives at the typed door on all ranks of 1 to 8: values, types, placement.
#include <weft/mesh.hpp>
#include <weft/testing/run_ranks.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using weft::all_gather, weft::all_reduce, weft::all_to_all, weft::axis, weft::axis_index,
    weft::axis_size, weft::bf16, weft::combine, weft::mesh, weft::permute, weft::reduce_scatter,
    weft::sends, weft::sub_mesh, weft::sym, weft::tensor, weft::traced;
using weft::testing::each_rank, weft::testing::joined, weft::testing::parts,
    weft::testing::per_rank, weft::testing::run_ranks;

template <int N> inline constexpr auto line = mesh<axis<"data", N>>;
inline constexpr auto two_by_two = mesh<axis<"data", 2>, axis<"model", 2>>;
inline constexpr auto two_by_four = mesh<axis<"data", 2>, axis<"model", 4>>;

// ---- the mesh itself: row-major (rank i of [X, Y] is at i / Y, i % Y).
static_assert(two_by_four.ranks == 8 && axis_size<two_by_four> == 8);
static_assert(axis_size<two_by_four, "data"> == 2 && axis_size<two_by_four, "model", "data"> == 8);
static_assert(two_by_four.axes.d[0].divisor == 4 && two_by_four.axes.d[1].divisor == 1);
inline constexpr auto rows = sub_mesh<two_by_four, "model">;
static_assert(rows.ranks == 8 && axis_size<rows> == 4);
inline constexpr auto hosts =
    weft::split_axis<two_by_four, "model", axis<"host", 2>, axis<"local", 2>>;
static_assert(hosts.ranks == 8 && axis_size<hosts, "host", "data"> == 4);
static_assert(hosts.axes.d[1].divisor == 2 && hosts.axes.d[0].divisor == 4);
static_assert(mesh<>.ranks == 1 && axis_size<mesh<>> == 1);
static_assert(sub_mesh<two_by_four>.ranks == 8 && axis_size<sub_mesh<two_by_four>> == 1);

// ---- types of results
template <auto F, class... A> using result = typename weft::program<F, A...>::result_type;
using f32_8x3 = tensor<float, 8, 3>;
inline constexpr auto reduced = [](auto x) { return all_reduce<two_by_four, "data">(x); };
inline constexpr auto gathered = [](auto x) { return all_gather<two_by_four, "model", -1>(x); };
inline constexpr auto scattered = [](auto x) { return reduce_scatter<two_by_four, 0>(x); };
inline constexpr auto exchanged = [](auto x) { return all_to_all<two_by_four, "model", 0, 1>(x); };
inline constexpr auto turned = [](auto x) { return all_to_all<two_by_four, "model", 0, 0>(x); };
static_assert(std::is_same_v<result<reduced, f32_8x3>, f32_8x3>);
static_assert(std::is_same_v<result<gathered, f32_8x3>, tensor<float, 8, 12>>);
static_assert(std::is_same_v<result<scattered, f32_8x3>, tensor<float, 1, 3>>);
static_assert(std::is_same_v<result<exchanged, f32_8x3>, tensor<float, 2, 12>>);
static_assert(std::is_same_v<result<turned, f32_8x3>, f32_8x3>);
inline constexpr auto place = [] { return axis_index<two_by_four, "model">(); };
static_assert(std::is_same_v<result<place>, tensor<int>>);

template <class T, auto... E> std::vector<T> items(tensor<T, E...> const& x) {
  return {x.data(), x.data() + x.size()};
}
template <class T> using list = std::vector<T>;

// ---- the placement rule, on axis_index and on parts
TEST(mesh, ranks_count_row_major) {
  static constexpr auto where = [] {
    return std::tuple(axis_index<two_by_four, "data">(), axis_index<two_by_four, "model">(),
                      axis_index<two_by_four>(), axis_index<two_by_four, "model", "data">(),
                      axis_index<hosts, "local">() + 10, axis_index<rows>());
  };
  auto const of = run_ranks<where>(two_by_four);
  ASSERT_EQ(of.size(), 8u);
  for (int r = 0; r < 8; ++r) {
    auto const [data, model, all, across, local, row] = of[static_cast<unsigned>(r)];
    EXPECT_EQ(data(), r / 4);
    EXPECT_EQ(model(), r % 4);
    EXPECT_EQ(all(), r);
    EXPECT_EQ(across(), r % 4 * 2 + r / 4);
    EXPECT_EQ(local(), 10 + r % 2);
    EXPECT_EQ(row(), r % 4);
  }
}
TEST(mesh, parts_are_placed_as_ranks_are) {
  auto const x = weft::eval(weft::reshape<4, 8>(weft::arange<int, 32>()));
  auto const by_both = parts<two_by_four, "model", 1>(parts<two_by_four, "data", 0>(x));
  for (int r = 0; r < 8; ++r) {
    tensor<int, 2, 2> const& part = by_both.values[static_cast<unsigned>(r)];
    int const a = r / 4, b = r % 4;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_EQ(part(i, j), (a * 2 + i) * 8 + b * 2 + j);
  }
  auto const by_rows = parts<two_by_four, "data", 0>(x).values;
  EXPECT_EQ(items(joined<two_by_four, "data", 0>(by_rows)), items(x));
}

// ---- what other systems' tests expect of n ranks (n = 1, 2, 3, 4, 8)
template <int N> void gathers_places() {
  static constexpr auto f = [](auto x) { return all_gather<line<N>, "data", 0>(x); };
  auto const out = run_ranks<f>(line<N>,
                                each_rank(line<N>, [](int r) { return tensor<int, 1>{r}; }));
  for (tensor<int, N> const& x : out)
    for (int i = 0; i < N; ++i) EXPECT_EQ(x(i), i);
}
template <int N> void scatters_a_scaled_sum() {
  static constexpr auto f = [](auto x) {
    return std::pair(reduce_scatter<line<N>, "data", 1>(x) * (1.0f / N), all_reduce<line<N>>(x));
  };
  auto const x = each_rank(line<N>, [](int r) {
    return weft::eval(weft::uniform<float, 3, 2 * N, 4>(weft::key(static_cast<unsigned>(r) + 1)));
  });
  auto const out = run_ranks<f>(line<N>, x);
  for (int r = 0; r < N; ++r) {
    auto const& [part, sum] = out[static_cast<unsigned>(r)];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 4; ++k)
          EXPECT_EQ(part(i, j, k), sum(i, 2 * r + j, k) * (1.0f / N)) << r;
  }
}
template <int N> void exchanges_places() {
  static constexpr auto f = [](auto x) { return all_to_all<line<N>, "data", 0, 0>(x); };
  auto const x = each_rank(line<N>,
                           [](int r) { return tensor<int, 4 * N>(weft::full<int, 4 * N>(r)); });
  for (tensor<int, 4 * N> const& y : run_ranks<f>(line<N>, x))
    for (int i = 0; i < 4 * N; ++i) EXPECT_EQ(y(i), i / 4);
}
template <int N> void passes_around_a_ring() {
  static constexpr auto f = [](auto x) {
    return std::tuple(permute<line<N>, "data", 1>(x), permute<line<N>, -1>(x),
                      permute<line<N>, "data", 1 + 7 * N>(x));
  };
  auto const x = each_rank(line<N>,
                           [](int r) { return tensor<int, 100>(weft::full<int, 100>(r)); });
  auto const out = run_ranks<f>(line<N>, x);
  for (int r = 0; r < N; ++r) {
    auto const& [next, back, far] = out[static_cast<unsigned>(r)];
    EXPECT_EQ(items(next), list<int>(100, (r + N - 1) % N));
    EXPECT_EQ(items(back), list<int>(100, (r + 1) % N));
    EXPECT_EQ(items(far), items(next));
  }
}
template <int N> void sums_ones() {
  static constexpr auto f = [](auto x) {
    return std::tuple(all_reduce<line<N>>(x), all_reduce<line<N>>(x) * 0.25f,
                      all_reduce<line<N>, combine::mean>(x), reduce_scatter<line<N>, 0>(x),
                      reduce_scatter<line<N>, -1>(x));
  };
  constexpr int side = N == 3 ? 9 : 8;
  tensor<float, side, side> const ones = weft::ones<float, side, side>();
  for (auto const& [sum, scaled, mean, rows_of, columns] : run_ranks<f>(line<N>, ones)) {
    static_assert(std::remove_cvref_t<decltype(rows_of)>::shape_type::value ==
                  weft::extents{2, {side / N, side}});
    static_assert(std::remove_cvref_t<decltype(columns)>::shape_type::value ==
                  weft::extents{2, {side, side / N}});
    for (float x : items(sum)) EXPECT_EQ(x, N);
    for (float x : items(scaled)) EXPECT_EQ(x, N * 0.25f); // a scale counts for one rank, too
    for (float x : items(mean)) EXPECT_EQ(x, 1);
    for (float x : items(rows_of)) EXPECT_EQ(x, N);
    for (float x : items(columns)) EXPECT_EQ(x, N);
  }
}
template <int N> void as_other_systems_tests() {
  gathers_places<N>();
  scatters_a_scaled_sum<N>();
  exchanges_places<N>();
  passes_around_a_ring<N>();
  sums_ones<N>();
}
TEST(mesh, one_rank) { as_other_systems_tests<1>(); }
TEST(mesh, two_ranks) { as_other_systems_tests<2>(); }
TEST(mesh, three_ranks) { as_other_systems_tests<3>(); }
TEST(mesh, four_ranks) { as_other_systems_tests<4>(); }
TEST(mesh, eight_ranks) { as_other_systems_tests<8>(); }

TEST(mesh, groups_of_even_and_odd_ranks) {
  static constexpr auto m = mesh<axis<"pair", 4>, axis<"side", 2>>;
  static constexpr auto f = [](auto x) {
    return std::pair(all_gather<m, "pair", 0>(x), all_reduce<sub_mesh<m, "pair">>(x));
  };
  auto const out = run_ranks<f>(m, each_rank(m, [](int r) { return tensor<int, 1>{r}; }));
  for (int r = 0; r < 8; ++r) {
    auto const& [all, sum] = out[static_cast<unsigned>(r)];
    EXPECT_EQ(items(all), (list<int>{r % 2, r % 2 + 2, r % 2 + 4, r % 2 + 6}));
    EXPECT_EQ(sum(0), 12 + 4 * (r % 2));
  }
}
// The order of names is that of the group; hosts' axes are the model axis in two.
TEST(mesh, several_axes) {
  static constexpr auto f = [](auto x) {
    return std::tuple(all_gather<two_by_four, "data", "model", 0>(x),
                      all_gather<two_by_four, "model", "data", 0>(x),
                      all_gather<hosts, "host", "local", 0>(x), all_gather<rows, 0>(x),
                      reduce_scatter<two_by_four, "model", "data", 0>(
                          all_gather<two_by_four, 0>(x * 0 + 1) * weft::arange<int, 8>()));
  };
  auto const x = each_rank(two_by_four, [](int r) { return tensor<int, 1>{r}; });
  auto const out = run_ranks<f>(two_by_four, x);
  for (int r = 0; r < 8; ++r) {
    auto const& [row_major, turned_round, by_host, by_row, share] = out[static_cast<unsigned>(r)];
    EXPECT_EQ(items(row_major), (list<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(items(turned_round), (list<int>{0, 4, 1, 5, 2, 6, 3, 7}));
    int const first = r / 4 * 4;
    EXPECT_EQ(items(by_host), (list<int>{first, first + 1, first + 2, first + 3}));
    EXPECT_EQ(items(by_row), items(by_host));
    EXPECT_EQ(share(0), 8 * (r % 4 * 2 + r / 4));
  }
}

// ---- combinations
TEST(mesh, combines) {
  static constexpr auto f = [](auto x, auto flags) {
    return std::tuple(
        all_reduce<line<3>, combine::product>(x), all_reduce<line<3>, combine::min>(x),
        all_reduce<line<3>, combine::max>(x), all_reduce<line<3>, combine::bit_and>(x),
        all_reduce<line<3>, combine::bit_or>(x), all_reduce<line<3>, combine::bit_and>(flags),
        all_reduce<line<3>, combine::bit_or>(flags), reduce_scatter<line<3>, 0, combine::max>(x));
  };
  auto const x = each_rank(line<3>, [](int r) { return tensor<int, 3>{r + 2, 6 - r, 7}; });
  auto const flags = each_rank(line<3>, [](int r) { return tensor<bool, 2>{r < 3, r == 1}; });
  auto const out = run_ranks<f>(line<3>, x, flags);
  for (unsigned r = 0; r < 3; ++r) {
    auto const& [product, least, most, both, any, every, some, share] = out[r];
    EXPECT_EQ(items(product), (list<int>{24, 120, 343}));
    EXPECT_EQ(items(least), (list<int>{2, 4, 7}));
    EXPECT_EQ(items(most), (list<int>{4, 6, 7}));
    EXPECT_EQ(items(both), (list<int>{0, 4, 7}));
    EXPECT_EQ(items(any), (list<int>{7, 7, 7}));
    EXPECT_TRUE(every(0) && !every(1) && some(0) && some(1));
    EXPECT_EQ(share(0), most(static_cast<int>(r)));
  }
}
// The sum of two large f16 is infinite, their mean is not; 1 + 2^-8 + 2^-8 is rounded once.
TEST(mesh, a_mean_is_rounded_once) {
  static constexpr auto f = [](auto x, auto y) {
    return std::tuple(all_reduce<line<3>, combine::mean>(x), all_reduce<line<3>>(x),
                      all_reduce<line<3>, combine::mean>(y));
  };
  auto const x = each_rank(line<3>, [](int) { return tensor<weft::f16, 1>{weft::f16(40000.0f)}; });
  auto const y = each_rank(
      line<3>, [](int r) { return tensor<bf16, 1>{r == 0 ? bf16(3.0f) : bf16(3 * 0x1p-8f)}; });
  auto const [mean, sum, small] = run_ranks<f>(line<3>, x, y)[1];
  EXPECT_EQ(static_cast<float>(mean(0)), 40000.0f);
  EXPECT_TRUE(std::isinf(static_cast<float>(sum(0))));
  EXPECT_EQ(static_cast<float>(small(0)), 1 + 0x1p-7f);
}
// A mean over groups of one rank, and on one rank, is the value itself; 1/3 stays 1/3.
TEST(mesh, a_mean_of_one) {
  static constexpr auto m = mesh<axis<"data", 1>, axis<"model", 2>>;
  static constexpr auto f = [](auto x) { return all_reduce<m, "data", combine::mean>(x) * 0.5f; };
  static constexpr auto g = [](auto x) { return all_reduce<line<1>, combine::mean>(x) * 0.5f; };
  for (auto const& x : run_ranks<f>(m, tensor<float>(1.0f / 3))) EXPECT_EQ(x(), 0.5f / 3);
  EXPECT_EQ(weft::jit<g>(1.0f / 3)(), 0.5f / 3);
}

// ---- what is not read reaches nobody
TEST(mesh, nobody_elses_nan) {
  float const nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  static constexpr auto f = [](auto x) {
    return std::tuple(weft::broadcast<two_by_two, 3>(x), weft::broadcast<two_by_two, "model", 1>(x),
                      permute<two_by_two, sends{3, 0}>(x));
  };
  float const of[] = {nan, inf, -inf, 5};
  auto const out = run_ranks<f>(
      two_by_two, each_rank(two_by_two, [&](int r) { return tensor<float, 1>{of[r]}; }));
  for (unsigned r = 0; r < 4; ++r) {
    auto const& [all, row, sent] = out[r];
    EXPECT_EQ(all(0), 5);
    EXPECT_EQ(row(0), r < 2 ? inf : 5);
    EXPECT_EQ(sent(0), r == 0 ? 5 : 0);
  }
}
TEST(mesh, permutes_by_pairs) {
  static constexpr auto f = [](auto x) {
    return permute<two_by_four, "model", sends{0, 3}, sends{3, 1}>(x);
  };
  auto const out = run_ranks<f>(two_by_four,
                                each_rank(two_by_four, [](int r) { return tensor<int>(r + 1); }));
  int const expected[] = {0, 4, 0, 1, 0, 8, 0, 5};
  for (unsigned r = 0; r < 8; ++r) EXPECT_EQ(out[r](), expected[r]);
}

// ---- structs, keys, tensors
template <template <class, auto...> class array> struct params {
  array<float, 2> w;
  array<float> b;
};
TEST(mesh, structs_and_keys) {
  static constexpr auto f = [](auto p, auto k) {
    return std::tuple(all_reduce<line<2>, combine::mean>(p), weft::broadcast<line<2>, 1>(p),
                      weft::bits<2>(weft::broadcast<line<2>>(k)));
  };
  auto const p = each_rank(line<2>, [](int r) {
    return params<tensor>{{1.0f + static_cast<float>(r), 4}, static_cast<float>(r)};
  });
  auto const k = each_rank(line<2>, [](int r) { return weft::key(static_cast<unsigned>(r)); });
  auto const out = run_ranks<f>(line<2>, p, k);
  for (auto const& [mean, of_last, drawn] : out) {
    EXPECT_EQ(items(mean.w), (list<float>{1.5f, 4}));
    EXPECT_EQ(mean.b(), 0.5f);
    EXPECT_EQ(items(of_last.w), (list<float>{2, 4}));
    EXPECT_EQ(items(drawn), items(std::get<2>(out[0])));
  }
}
TEST(mesh, tensors_of_one_rank) {
  tensor<float, 4> const x = {1, 2, 3, 4};
  EXPECT_EQ(items(all_reduce<line<1>, combine::mean>(x * 2)), (list<float>{2, 4, 6, 8}));
  EXPECT_EQ(items(all_gather<line<1>, "data", 0>(x)), items(x));
  EXPECT_EQ(items(reduce_scatter<line<1>, "data", 0>(x)), items(x));
  EXPECT_EQ(items(all_to_all<line<1>, 0, 0>(x)), items(x));
  EXPECT_EQ(items(weft::broadcast<line<1>>(x)), items(x));
  EXPECT_EQ(items(permute<line<1>, 1>(x)), items(x));
  params<tensor> const p = all_reduce<line<1>>(params<tensor>{{1, 2}, 3});
  EXPECT_EQ(p.w(1), 2);
  tensor<int, 4> const here = weft::arange<int, 4>() + axis_index<line<1>>();
  EXPECT_EQ(here(3), 3);
  constexpr tensor<int, 2> constant = all_reduce<line<1>>(tensor<int, 2>{3, 4});
  static_assert(constant(1) == 4);
}

} // namespace

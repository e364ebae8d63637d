// SPDX-License-Identifier: BSL-1.0
// build: alone long
// policy::fast where a program is more than one call: on ranks, also of partitioned functions, in
// loops, again and on other threads; and what stands for it where there are graphs and no policy.
#include "run/compiled.hpp"
#include "support/block.hpp"

#include <weft/partition.hpp>
#include <weft/run/compiled.hpp>
#include <weft/run/model.hpp>
#include <weft/run/ranks.hpp>
#include <weft/testing/run_ranks.hpp>
#include <weft/weft.hpp>

#include <thread>

namespace {

using namespace weft;

// Numbers from -1 to 1.
template <class T, auto... E> tensor<T, E...> filled(unsigned seed) {
  tensor<T, E...> t;
  test::random_source rng(seed);
  for (auto m = t.mutate(); auto& e : m)
    e = static_cast<T>(static_cast<float>(rng.next() >> 40) * 0x1p-23f - 1.0f);
  return t;
}
constexpr bool has_fma = policy::fast::has_fma;
template <class Program> graph fast_graph() {
  return relax(weft::detail::checked_trace(Program::make()), has_fma);
}
template <class X>::testing::AssertionResult same_results(X const& actual, X const& expected) {
  return test::same_bits(test::dense_leaves(actual), test::dense_leaves(expected));
}

// ---- ranks

constexpr auto four = mesh<axis<"data", 4>>;
constexpr auto shares = [](auto x) {
  auto s = softmax<1>(x);
  auto t = all_reduce<four>(s) * x + s / 3.0f;
  return std::pair(t / all_reduce<four>(sum(square(t))), t - x * x);
};
using part = tensor<float, 5, 33>;
struct named_shares : program<shares, part> {};

constexpr auto loss = [](auto w, auto x) { return mean(square(einsum<"bi,io->bo">(x, w) - 0.1f)); };
constexpr auto step = [](auto w, auto x) {
  auto [value, g] = value_and_grad(loss)(w, x);
  return std::tuple(w - g / 3.0f, g / 7.0f, value / 7.0f);
};
constexpr auto step_of_rows =
    partition<four, in_parts<replicated, split_over<"data">>, out_parts<replicated>>(step);

// Every rank's results by `run` are those of the relaxed graph, and at least one element of one is not
// the reproducible one.
template <auto F, class Run, class... Args>
void expect_relaxed_ranks(Run const& run, std::vector<std::tuple<Args...>> const& of) {
  std::vector<growing<dense>> inputs, fast(of.size());
  for (auto const& args : of)
    inputs.push_back(std::apply([](auto const&... x) { return test::dense_leaves(x...); }, args));
  using program_of_f = program<F, Args...>;
  auto const meant = weft::testing::interpret_ranks(fast_graph<program_of_f>(), inputs);
  auto const plain = weft::testing::interpret_ranks(
      weft::detail::checked_trace(program_of_f::make()), inputs);
  weft::testing::on_rank_threads(static_cast<int>(of.size()), [&](rank_transport& others) {
    cpu::rank_member here(others);
    auto const r = static_cast<std::size_t>(here.rank());
    fast[r] = std::apply([&](auto const&... x) { return test::dense_leaves(run(here, x...)); },
                         of[r]);
  });
  bool differs = false;
  for (std::size_t r = 0; r < of.size(); ++r) {
    EXPECT_TRUE(test::same_bits(fast[r], meant[r])) << r;
    differs |= !test::same_bits(fast[r], plain[r]);
  }
  EXPECT_TRUE(differs);
}
std::vector<std::tuple<part>> parts_of_ranks() {
  std::vector<std::tuple<part>> all;
  for (unsigned r = 0; r < 4; ++r) all.emplace_back(filled<float, 5, 33>(2 * r + 1));
  return all;
}
TEST(policy_doors, ranks) {
  auto const by = [](auto const& run) { expect_relaxed_ranks<shares>(run, parts_of_ranks()); };
  by([](auto& here, auto const& x) { return jit<shares, policy::fast>(here, x); });
  by([](auto& here, auto const& x) {
    cpu::pool two(2, 0);
    return jit<shares, policy::fast>(here, two, x);
  });
  by([](auto& here, auto const& x) { return jit<shares, policy::fast>(here, cpu::block, x); });
  by([](auto& here, auto const& x) { return jit<named_shares, policy::fast>(here, x); });
}
TEST(policy_doors, partitioned_functions) {
  std::vector<std::tuple<tensor<float, 8, 3>, tensor<float, 6, 8>>> of;
  for (unsigned r = 0; r < 4; ++r)
    of.emplace_back(filled<float, 8, 3>(1), filled<float, 6, 8>(2 * r + 3));
  expect_relaxed_ranks<step_of_rows>(
      [](auto& here, auto const&... x) { return jit<step_of_rows, policy::fast>(here, x...); }, of);
  expect_relaxed_ranks<step_of_rows>(
      [](auto& here, auto const&... x) {
        return jit<step_of_rows, policy::fast>(here, cpu::block, x...);
      },
      of);
}

// ---- loops

constexpr auto cell = [](auto h, auto x) {
  auto next = tanh(h * x + x / 3.0f) / (norm<1, keep>(x) + 1.0f);
  return std::pair(next, sum<1>(next - h * h));
};
constexpr auto looped = [](auto h, auto xs) { return scan(cell, h, xs); };
using matrix = tensor<float, 9, 40>;
struct named_loop : program<looped, matrix, tensor<float, 6, 9, 40>> {};

// A step in a scan is relaxed as it is alone: in a compiled loop, by blocks, and step by step.
TEST(policy_doors, a_step_in_a_loop_is_the_step) {
  auto const h = filled<float, 9, 40>(1);
  auto const xs = filled<float, 6, 9, 40>(3);
  auto const meant = test::meaning_of(fast_graph<named_loop>(), test::dense_leaves(h, xs));
  auto const [last, outputs] = jit<looped, policy::fast>(h, xs);
  EXPECT_TRUE(test::same_bits(test::dense_leaves(last, outputs), meant));
  EXPECT_TRUE(same_results(jit<looped, policy::fast>(test::two_threads(), h, xs),
                           std::pair(last, outputs)));
  EXPECT_TRUE(
      same_results(jit<named_loop, policy::fast>(cpu::block, h, xs), std::pair(last, outputs)));
  EXPECT_FALSE(same_results(jit<looped>(h, xs), std::pair(last, outputs)));
  matrix state = h;
  for (int i = 0; i < 6; ++i) {
    matrix x;
    std::copy_n(xs.data() + i * x.size(), x.size(), x.mutate().data());
    auto const [next, y] = jit<cell, policy::fast>(state, x);
    for (int row = 0; row < 9; ++row) ASSERT_EQ(y(row), outputs(i, row)) << i;
    state = next;
  }
  EXPECT_TRUE(same_results(state, last));
}

// ---- the same bits in one process

constexpr auto everything = [](auto x, auto a, auto b) {
  auto p = matmul(a, b);
  return std::tuple(
      cumsum<0>(x), cumsum<1>(softmax<1>(x) * x + x), p,
      scan([](auto c, auto row) { return std::pair(c, cumsum<0>(row) + c); }, sum<0>(x), x));
};
struct named_everything
    : program<everything, tensor<float, 90, 140>, tensor<bf16, 40, 64>, tensor<bf16, 64, 48>> {};
TEST(policy_doors, same_bits_again_and_on_any_number_of_threads) {
  auto const x = filled<float, 90, 140>(1);
  auto const a = filled<bf16, 40, 64>(3);
  auto const b = filled<bf16, 64, 48>(5);
  auto const first = jit<named_everything, policy::fast>(x, a, b);
  auto const again = [&](auto const& run) { EXPECT_TRUE(same_results(run(), first)); };
  again([&] { return jit<named_everything, policy::fast>(x, a, b); });
  again([&] { return jit<everything, policy::fast>(x, a, b); });
  for (int threads : {1, 2, 3, 7}) {
    cpu::pool pool(threads, 0);
    again([&] { return jit<named_everything, policy::fast>(pool, x, a, b); });
    compiled_program<named_everything, policy::fast> own(threads);
    again([&] { return own(pool, x, a, b); });
  }
  std::thread([&] { again([&] { return jit<named_everything, policy::fast>(x, a, b); }); }).join();

  // By blocks: of products the reproducible order, so perhaps other bits, but always these.
  auto const meant = test::meaning_of(fast_graph<named_everything>(), test::dense_leaves(x, a, b));
  auto const blocks = [&](auto&... executor) {
    return test::dense_leaves(
        jit<named_everything, policy::fast>(cpu::block, executor..., x, a, b));
  };
  EXPECT_TRUE(test::same_bits(blocks(), meant));
  EXPECT_TRUE(test::same_bits(blocks(test::two_threads()), meant));
}

// ---- no policy: graphs, which are relaxed by hand, and expressions

TEST(policy_doors, a_graph_is_relaxed_by_hand) {
  using P = program<cell, matrix, matrix>;
  auto const h = filled<float, 9, 40>(1), x = filled<float, 9, 40>(3);
  auto const fast = test::dense_leaves(jit<P, policy::fast>(h, x));
  EXPECT_TRUE(test::same_bits(test::meaning_of(fast_graph<P>(), test::dense_leaves(h, x)), fast));
  model of_the_relaxed(fast_graph<P>());
  std::vector<host_array> const ys = of_the_relaxed.run({host_array(h), host_array(x)});
  growing<dense> by_model;
  by_model.append(test::dense_leaves(ys[0].as<float, 9, 40>(), ys[1].as<float, 9>()));
  EXPECT_TRUE(test::same_bits(by_model, fast));
}
TEST(policy_doors, expressions_are_reproducible) {
  auto const x = filled<float, 9, 40>(1), y = filled<float, 9, 40>(3);
  constexpr auto f = [](auto a, auto b) { return a * b + a / 3.0f; };
  EXPECT_TRUE(same_results(eval(x * y + x / 3.0f), jit<f>(x, y)));
  EXPECT_FALSE(same_results((jit<f, policy::fast>(x, y)), jit<f>(x, y)));
}

} // namespace

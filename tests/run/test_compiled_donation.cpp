// SPDX-License-Identifier: BSL-1.0
// build: alone
// Moved arguments are written over where nothing is lost by it, and never else; results that are
// kept stay as they are; a program that has warmed up takes no memory from the heap at all.
#include "run/compiled.hpp"
#include "run/counted_memory.hpp"
#include "support/meaning.hpp"

#include <weft/lang/einsum.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr sym n{"n"};
using vector = tensor<float, 1000>;
using square = tensor<float, 20, 20>;

// Are these the interpreter's results? `args` as they were before the call.
template <class Program, class Result, class... Args>
testing::AssertionResult is_right(Result const& result, Args const&... args) {
  return test::same_bits(
      test::dense_leaves(result),
      test::meaning_of(weft::stages<Program>::recorded, test::dense_leaves(args...)));
}
template <auto F, class... Args> using of = program<F, Args...>;

constexpr auto update = [](auto p, auto g) { return p - 0.1f * g; };

TEST(donation, writes_over_a_moved_argument) {
  vector p = filled<float, 1000>(2), g = filled<float, 1000>(4);
  vector const before = filled<float, 1000>(2);
  float const* memory = p.data();
  vector const q = jit<update>(std::move(p), g);
  EXPECT_EQ(q.data(), memory);
  EXPECT_TRUE((is_right<of<update, vector, vector>>(q, before, g)));
  EXPECT_EQ(p(3), 0); // as after a move: zeros
}
TEST(donation, writes_over_an_earlier_result_that_comes_back) {
  vector p = filled<float, 1000>(2), g = filled<float, 1000>(4);
  p = jit<update>(p, g); // a buffer of the program's pool
  float const* memory = p.data();
  for (int i = 0; i < 5; ++i) {
    p = jit<update>(std::move(p), g);
    EXPECT_EQ(p.data(), memory);
  }
}
TEST(donation, takes_the_second_argument_where_the_first_stays) {
  vector p = filled<float, 1000>(2), g = filled<float, 1000>(4);
  float const *stays = p.data(), *memory = g.data();
  vector const q = jit<update>(p, std::move(g));
  EXPECT_EQ(q.data(), memory);
  EXPECT_EQ(p.data(), stays);
  EXPECT_TRUE(
      (is_right<of<update, vector, vector>>(q, filled<float, 1000>(2), filled<float, 1000>(4))));
}
TEST(donation, leaves_arguments_alone_that_are_not_moved_or_not_alone) {
  vector p = filled<float, 1000>(2), g = filled<float, 1000>(4);
  vector const twin = p;
  vector const q = jit<update>(p, g), r = jit<update>(std::move(p), g);
  EXPECT_NE(q.data(), twin.data());
  EXPECT_NE(r.data(), twin.data());
  EXPECT_EQ(twin, (filled<float, 1000>(2)));
  EXPECT_EQ(q, r);
  vector h = filled<float, 1000>(6);
  auto view = h.mutate(); // promised: h's memory stays h's
  vector const s = jit<update>(g, std::move(h));
  EXPECT_NE(s.data(), view.data());
}

constexpr auto read_by_a_view = [](auto x) { return x + flip<0>(x); };
constexpr auto read_later = [](auto x) {
  auto y = x + 1;
  return std::pair(y, einsum<"ij,jk->ik">(x, y));
};
constexpr auto two_results = [](auto x) { return std::pair(x + 1, x * 2); };
constexpr auto kept_as_it_is = [](auto x) { return std::tuple(x + 1, x, transpose(x)); };
constexpr auto from_a_loop = [](auto h, auto xs) {
  return scan([](auto c, auto x) { return std::pair(c * x, c + x); }, h, xs);
};
constexpr auto columns_and_values = [](auto x) { return std::pair(x * 3, sum<0>(x)); };
constexpr auto rows_then_values = [](auto x) { return x / sum<1, keep>(x); };

template <auto F> testing::AssertionResult moved_in_is_right() {
  square x = filled<float, 20, 20>(2);
  return is_right<of<F, square>>(jit<F>(std::move(x)), filled<float, 20, 20>(2));
}
TEST(donation, loses_nothing_that_is_still_read) {
  EXPECT_TRUE(moved_in_is_right<read_by_a_view>());
  EXPECT_TRUE(moved_in_is_right<read_later>());
  EXPECT_TRUE(moved_in_is_right<two_results>());
  EXPECT_TRUE(moved_in_is_right<kept_as_it_is>());
  EXPECT_TRUE(moved_in_is_right<columns_and_values>());
  EXPECT_TRUE(moved_in_is_right<rows_then_values>());
  square h = filled<float, 20, 20>(2);
  auto xs = filled<float, 3, 20, 20>(4);
  auto const meant = jit<from_a_loop>(h, xs);
  EXPECT_EQ(jit<from_a_loop>(std::move(h), std::move(xs)), meant);
}
TEST(donation, gives_one_memory_to_one_result) {
  square x = filled<float, 20, 20>(2);
  float const* memory = x.data();
  auto const [a, b] = jit<two_results>(std::move(x));
  EXPECT_EQ((a.data() == memory) + (b.data() == memory), 1);
}
// The quotient may go over its numerator: the row sums were finished before.
TEST(donation, writes_over_what_earlier_steps_read) {
  square x = filled<float, 20, 20>(2);
  float const* memory = x.data();
  EXPECT_EQ(jit<rows_then_values>(std::move(x)).data(), memory);
}
constexpr auto with_flipped = [](auto x, auto y) { return x + flip<0>(y); };
TEST(donation, of_an_array_that_is_given_twice_does_not_happen) {
  vector x = filled<float, 1000>(2);
  vector const q = jit<with_flipped>(std::move(x), x);
  EXPECT_TRUE((is_right<of<with_flipped, vector, vector>>(q, filled<float, 1000>(2),
                                                          filled<float, 1000>(2))));
}
TEST(donation, of_named_extents) {
  for (int e : {100, 3, 0, 100, 500}) {
    auto p = filled<float, n, 20>(2, e);
    auto const g = filled<float, n, 20>(4, e);
    float const* memory = p.data();
    auto const q = jit<update>(std::move(p), g);
    EXPECT_TRUE(e == 0 || q.data() == memory);
    EXPECT_TRUE((is_right<of<update, tensor<float, n, 20>, tensor<float, n, 20>>>(
        q, filled<float, n, 20>(2, e), g)));
  }
}

TEST(results, that_are_kept_stay) {
  vector const g = filled<float, 1000>(4);
  std::vector<vector> kept, meant;
  for (unsigned i = 0; i < 12; ++i) {
    vector const p = filled<float, 1000>(2 * i);
    kept.push_back(jit<update>(p, g));
    meant.push_back(kept.back());
    auto copy = meant.back().mutate(); // of its own from here on
    copy(0) = copy(0);
  }
  for (unsigned i = 0; i < 12; ++i) {
    EXPECT_EQ(kept[i], meant[i]) << i;
    EXPECT_TRUE((is_right<of<update, vector, vector>>(kept[i], filled<float, 1000>(2 * i), g)));
  }
}
TEST(results, are_written_where_free_ones_lay) {
  vector const p = filled<float, 1000>(2), g = filled<float, 1000>(4);
  vector first = jit<update>(p, g);
  float const* memory = first.data();
  first = vector();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(jit<update>(p, g).data(), memory);
}

template <template <class, auto...> class array> using cell = gru_weights<array, 12, 20>;
constexpr auto recurrent = [](auto p, auto h0, auto xs, auto scale) {
  auto r = scan(
      [&](auto h, auto x) {
        auto next = gru(p, h, x);
        return std::pair(next, sum<1>(next));
      },
      h0, xs);
  p.hidden = p.hidden * scale;
  return std::tuple(p, r.first, softmax(r.second), mean(r.first));
};

template <class Step> void expect_no_memory(Step const& step) {
  for (int i = 0; i < 3; ++i) step();
  EXPECT_EQ(test::memory_calls_of([&] {
              for (int i = 0; i < 10; ++i) step();
            }),
            0);
}
TEST(steady_state, takes_no_memory) {
  vector p = filled<float, 1000>(2), g = filled<float, 1000>(4);
  expect_no_memory([&] { p = jit<update>(std::move(p), g); });
  expect_no_memory([&] { p = jit<update>(p, g); });
  expect_no_memory([&] { p = jit<update>(test::two_threads(), std::move(p), g); });

  cell<tensor> w{filled<float, 60, 12>(2), filled<float, 60, 20>(4), filled<float, 60>(6),
                 filled<float, 60>(8)};
  auto h = filled<float, 4, 20>(10);
  auto const xs = filled<float, 6, 4, 12>(12);
  auto const step = [&](auto& executor) {
    auto [next, last, rows, loss] = jit<recurrent>(executor, std::move(w), std::move(h), xs, 0.5f);
    w = std::move(next);
    h = std::move(last);
  };
  cpu::serial here;
  expect_no_memory([&] { step(here); });
  expect_no_memory([&] { step(test::two_threads()); });

  auto q = filled<float, n, 20>(2, 30);
  auto const r = filled<float, n, 20>(4, 30);
  expect_no_memory([&] { q = jit<update>(q, r); });
}

constexpr auto doubled = [](auto x) { return x * 2; };
TEST(donation, a_constant_is_only_read) {
  tensor<float, 100000> const x = filled<float, 100000>(1);
  float const first = x(0);
  EXPECT_EQ(jit<doubled>(std::move(x))(0), 2 * first); // NOLINT(performance-move-const-arg)
  EXPECT_EQ(x(0), first);
}

} // namespace

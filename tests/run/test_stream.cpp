// SPDX-License-Identifier: BSL-1.0
// build: alone
// stream<f, ...>: the bits of scan over the same elements, and no memory is taken by a call.
#include "compiled.hpp"
#include "counted_memory.hpp"

#include <weft/run/stream.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace {

using namespace weft;
using test::dense_leaves, test::filled, test::memory_calls_of, test::same_bits;

template <template <class, auto...> class array> struct net {
  gru_weights<array, 3, 40> cell;
  array<float, 40> out;
};
template <template <class, auto...> class array> struct lstm_state {
  array<float, 24> h, c;
  array<int> steps;
};

constexpr auto gru_step = [](auto p, auto h, auto x) {
  auto next = gru(p.cell, h, x);
  return std::pair(next, einsum<"h,h->">(next, p.out));
};
constexpr auto lstm_step = [](auto p, auto s, auto x) {
  auto [h, c] = lstm(p, s.h, s.c, x);
  s.h = h;
  s.c = c;
  s.steps = s.steps + 1;
  return std::pair(s, h);
};
// A filter with draws: state is a key beside a number, no fixed arrays.
constexpr auto noisy_step = [](auto, auto s, auto x, auto gain) {
  auto keys = split(s.second);
  auto level = s.first * 0.75f + x * gain;
  return std::pair(std::pair(level, keys[0]), level + normal<float>(keys[1]));
};

net<tensor> weights() {
  net<tensor> p;
  p.cell.input = filled<float, 120, 3>(2);
  p.cell.hidden = filled<float, 120, 40>(18) * 0.2f;
  p.cell.input_bias = filled<float, 120>(6);
  p.cell.hidden_bias = filled<float, 120>(22);
  p.out = filled<float, 40>(10);
  return p;
}
using gru_stream = stream<gru_step, net<tensor>, tensor<float, 40>, tensor<float, 3>>;
constexpr auto gru_scan = [](auto p, auto h, auto xs) {
  return scan([&](auto s, auto x) { return gru_step(p, s, x); }, h, xs);
};

TEST(stream, gives_the_bits_of_scan) {
  auto const p = weights();
  auto const xs = filled<float, 50, 3>(26);
  auto const start = filled<float, 40>(14);
  auto const [last, ys] = jit<gru_scan>(p, start, xs);
  gru_stream s(p, start);
  for (int t = 0; t < 50; ++t) {
    tensor<float, 3> x = at<"$">(xs, t);
    ASSERT_EQ(s(x)(), ys(t)) << t;
  }
  EXPECT_TRUE(same_bits(dense_leaves(s.state()), dense_leaves(last)));
}

// Products that a stream keeps matrices for, and such that it does not: by rows and by columns, parts of
// an array, of few rows, of several types, of more than 64 elements, inside a loop, computed ones.
template <template <class, auto...> class array> struct matrices {
  array<float, 40, 24> rows;
  array<float, 24, 40> columns;
  array<float, 5, 24> few;
  array<float, 24, 70> far;
  array<bf16, 24, 24> halves;
  array<double, 24, 24> doubles;
  array<int, 24, 24> counts;
  array<float, 24, 24> looped;
};
constexpr auto mixed_step = [](auto p, auto s, auto x) {
  auto h = s + at<":24">(x);
  auto a = einsum<"ij,j->i">(p.rows, h) + einsum<"j,ji->i">(h, p.columns);
  auto b = einsum<"ij,j->i">(at<"9:33">(p.rows), h) + einsum<"ij,j->i">(p.far, x);
  auto c = convert<float>(einsum<"ij,j->i">(p.halves, convert<bf16>(h)));
  auto d = convert<float>(einsum<"ij,j->i">(p.doubles, convert<double>(h)));
  auto e = convert<float>(einsum<"ij,j->i">(p.counts, convert<int>(h * 8.0f)));
  auto [last, all] = scan(
      [&](auto t, auto step) {
        auto next = tanh(einsum<"ij,j->i">(p.looped, t) + step);
        return std::pair(next, sum(next));
      },
      h, at<":7">(x));
  auto few = einsum<"ij,j->i">(p.few, h) + einsum<"ij,j->i">(p.few * 2, last);
  return std::pair(tanh(b + c + d * 0.1f + e * 0.01f + last), std::pair(a, few + sum(all)));
};
constexpr auto mixed_scan = [](auto p, auto h, auto xs) {
  return scan([&](auto s, auto x) { return mixed_step(p, s, x); }, h, xs);
};

TEST(stream, keeps_matrices_of_any_kind) {
  matrices<tensor> p;
  p.rows = filled<float, 40, 24>(32) * 0.1f;
  p.columns = filled<float, 24, 40>(34) * 0.1f;
  p.few = filled<float, 5, 24>(4);
  p.far = filled<float, 24, 70>(36) * 0.1f;
  p.halves = convert<bf16>(filled<float, 24, 24>(38) * 0.1f);
  p.doubles = convert<double>(filled<float, 24, 24>(8));
  p.counts = convert<int>(filled<float, 24, 24>(12) * 4.0f);
  p.looped = filled<float, 24, 24>(42) * 0.2f;
  auto const xs = filled<float, 20, 70>(44);
  auto const start = filled<float, 24>(46);
  auto const [last, ys] = jit<mixed_scan>(p, start, xs);
  stream<mixed_step, matrices<tensor>, tensor<float, 24>, tensor<float, 70>> s(p, start);
  for (int t = 0; t < 20; ++t) {
    tensor<float, 70> x = at<"$">(xs, t);
    auto const [wide, few] = s(x);
    for (int i = 0; i < 40; ++i) ASSERT_EQ(wide(i), ys.first(t, i)) << t << ' ' << i;
    for (int i = 0; i < 5; ++i) ASSERT_EQ(few(i), ys.second(t, i)) << t << ' ' << i;
  }
  EXPECT_TRUE(same_bits(dense_leaves(s.state()), dense_leaves(last)));
}

TEST(stream, goes_back_to_its_start_and_to_any_state) {
  auto const p = weights();
  gru_stream s(p);
  tensor<float, 3> const x = {1, -2, 0.5f};
  float const first = s(x)();
  auto const after = s.state();
  float const second = s(x)();
  EXPECT_NE(first, second);
  s.reset();
  EXPECT_EQ(s(x)(), first);
  s(x);
  s.reset(after);
  EXPECT_TRUE(same_bits(dense_leaves(s.state()), dense_leaves(after)));
  EXPECT_EQ(s(x)(), second);
}

TEST(stream, takes_no_memory_after_construction) {
  gru_stream s(weights());
  stream<lstm_step, lstm_weights<tensor, 2, 24>, lstm_state<tensor>, tensor<float, 2>> l;
  tensor<float, 3> const x = {1, 2, 3};
  tensor<float, 2> const x2 = {1, 2};
  EXPECT_EQ(memory_calls_of([&] {
              for (int i = 0; i < 100; ++i) {
                s(x);
                l(x2);
              }
              s.reset();
            }),
            0);
}

TEST(stream, keeps_what_a_caller_keeps) {
  lstm_weights<tensor, 2, 24> p;
  p.input = filled<float, 96, 2>(2);
  p.hidden = filled<float, 96, 24>(30);
  stream<lstm_step, lstm_weights<tensor, 2, 24>, lstm_state<tensor>, tensor<float, 2>> s(p);
  tensor<float, 2> x = {1, -1};
  std::vector<tensor<float, 24>> kept;
  std::vector<std::vector<float>> values;
  auto const before = s.state();
  for (int t = 0; t < 10; ++t) {
    kept.push_back(s(x));
    values.emplace_back(kept.back().data(), kept.back().data() + 24);
  }
  for (std::size_t t = 0; t < kept.size(); ++t)
    EXPECT_TRUE(std::equal(values[t].begin(), values[t].end(), kept[t].data())) << t;
  EXPECT_EQ(s.state().steps(), 10);
  EXPECT_EQ(before.steps(), 0);
  EXPECT_EQ(before.h(0), 0.0f); // a state that was handed out is the caller's
}

TEST(stream, takes_numbers_keys_and_no_fixed_arrays) {
  using state = std::pair<tensor<float>, key>;
  stream<noisy_step, none_t, state, float, float> s(none, {tensor<float>(1), key(3)});
  key k(3);
  float level = 1;
  for (int t = 0; t < 5; ++t) {
    auto const keys = split(k);
    level = level * 0.75f + 0.5f * 2.0f;
    EXPECT_EQ(s(0.5f, 2.0f)(), level + normal<float>(keys[1])());
    k = keys[0];
  }
}

// A delay line: one of its samples is written per step, the others stay where they are.
template <template <class, auto...> class array> struct line {
  array<float, 1000> samples;
  array<int> at;
};
constexpr auto delay_step = [](auto, auto s, auto x) {
  auto y = at<"$">(s.samples, s.at);
  s.samples = set<"$">(s.samples, s.at, x + 0.5f * y);
  s.at = select(s.at == 999, 0, s.at + 1);
  return std::pair(s, y);
};
TEST(stream, writes_a_delay_line_in_place) {
  stream<delay_step, none_t, line<tensor>, float> s;
  std::vector<float> expected(3000);
  for (int t = 0; t < 3000; ++t) {
    float const x = static_cast<float>(t % 17), y = t < 1000 ? 0 : expected[std::size_t(t) - 1000];
    expected[std::size_t(t)] = x + 0.5f * y;
    ASSERT_EQ(s(x)(), y) << t;
  }
  EXPECT_EQ(s.state().samples(999), expected.back());
  s.reset();
  EXPECT_EQ(s(1.0f)(), 0.0f);
  EXPECT_EQ(s.state().samples(0), 1.0f);
  EXPECT_EQ(s.state().at(), 1);
}

constexpr auto swap_step = [](auto, auto s, auto x) {
  return std::pair(std::pair(s.second, s.first + x), s.first - s.second);
};
TEST(stream, swaps_parts_of_its_state) {
  stream<swap_step, none_t, std::pair<tensor<float, 20>, tensor<float, 20>>, float> s;
  float a = 0, b = 0;
  for (int t = 1; t < 9; ++t) {
    EXPECT_EQ(s(static_cast<float>(t))(7), a - b);
    float const next = a + static_cast<float>(t);
    a = b;
    b = next;
    EXPECT_EQ(s.state().first(19), a);
    EXPECT_EQ(s.state().second(0), b);
  }
}

constexpr auto turning_step = [](auto, auto s, auto x) {
  return std::pair(s + x, at<"::-1">(x) + s);
};
template <int N> void check_that_it_takes_its_output() {
  using turning = stream<turning_step, none_t, tensor<float, N>, tensor<float, N>>;
  turning s, same_with_copies;
  tensor<float, N> x = filled<float, N>(4);
  auto const* y = &s(x);
  x = same_with_copies(x) + 0.0f; // in memory of its own
  for (int t = 0; t < 5; ++t) {
    y = &s(*y);
    x = same_with_copies(x) + 0.0f; // in memory of its own
    EXPECT_TRUE(same_bits(dense_leaves(*y), dense_leaves(x))) << t;
  }
}
TEST(stream, takes_its_output_as_the_next_input) {
  check_that_it_takes_its_output<16>(); // in the object
  check_that_it_takes_its_output<300>();
}
TEST(stream, takes_no_memory_while_one_output_is_kept) {
  stream<turning_step, none_t, tensor<float, 300>, tensor<float, 300>> s;
  tensor<float, 300> const x = filled<float, 300>(4);
  auto const kept = s(x);
  EXPECT_EQ(memory_calls_of([&] {
              for (int i = 0; i < 9; ++i) s(x);
            }),
            0);
  EXPECT_EQ(kept(0), x(299));
}

struct refusal {};
struct refuses_13 {
  static constexpr auto name = "refuses_13";
  template <class T, auto N> static tensor<T, N> result(tensor<T, N>);
  static void run(auto x, auto y) {
    for (extent i = 0; i < x.size(); ++i) y(i) = x(i) == 13 ? throw refusal() : x(i);
  }
};
constexpr auto refusing_step = [](auto, auto s, auto x) {
  auto next = s + x;
  return std::pair(next, custom_call<refuses_13>(next));
};
TEST(stream, keeps_its_state_where_a_call_throws) {
  stream<refusing_step, none_t, tensor<float, 40>, float> s;
  auto const& y = s(5.0f);
  EXPECT_THROW(s(8.0f), refusal);
  EXPECT_EQ(y(39), 5.0f);
  EXPECT_EQ(s.state()(39), 5.0f);
  EXPECT_EQ(s(2.0f)(0), 7.0f);
}

constexpr auto checked_step = [](auto, auto s, auto x) {
  auto next = s + x;
  return std::pair(next, check_finite<"next">(next));
};
TEST(stream, keeps_its_state_where_a_check_throws) {
  stream<checked_step, none_t, tensor<float, 40>, float> s;
  s(5.0f);
  EXPECT_THROW(s(std::numeric_limits<float>::infinity()), value_error);
  EXPECT_EQ(s.state()(39), 5.0f);
  EXPECT_EQ(s(2.0f)(0), 7.0f);
}

TEST(stream, lives_in_given_memory) {
  std::vector<std::byte> bytes(1 << 20);
  fixed_memory own(bytes.data(), bytes.size());
  auto const p = weights();
  gru_stream plain(p), inside(p, {}, own);
  tensor<float, 3> const x = {1, 2, 3};
  for (int t = 0; t < 3; ++t) EXPECT_EQ(plain(x)(), inside(x)());
}

} // namespace

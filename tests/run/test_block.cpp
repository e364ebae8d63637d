// SPDX-License-Identifier: BSL-1.0
// build: alone
// jit<f>(cpu::block, …) against jit<f>(…): the same bits, the same errors.
#include "../lang/recorded.hpp"
#include "compiled.hpp"
#include "support/block.hpp"
#include "support/targets.hpp"

#include <weft/run/block.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::dense_leaves, test::filled;

constexpr sym rows{"rows"};

// Both doors, twice each: the second call finds engines and buffers of the first.
template <auto F, class... Args> void expect_same(Args const&... args) {
  growing<dense> const compiled = dense_leaves(jit<F>(args...));
  for (int turn = 0; turn < 2; ++turn) {
    growing<dense> const blocks = dense_leaves(jit<F>(cpu::block, args...));
    EXPECT_TRUE(test::same_bits(blocks, compiled));
  }
  growing<dense> const narrow = dense_leaves(jit<F, test::narrow_target>(cpu::block, args...));
  EXPECT_TRUE(test::same_bits(narrow, compiled)) << "generic";
}

constexpr auto curve = [](auto x, auto y) { return tanh(x) * y - exp(-abs(x)) / 3; };
constexpr auto totals = [](auto x) { return std::tuple(sum<0>(x), max<1>(x), mean(x * x)); };
constexpr auto table = [](auto x, auto i) {
  return std::pair(at<"$, :">(x, i) * 2, where(x < 0, x, -x));
};
constexpr auto noise = [](auto k, auto x) { return dropout(k, 0.25f, x); };

struct curve_program : program<curve, tensor<float, 3, 70>, tensor<float, 3, 70>> {};

TEST(block_door, elementwise) {
  for (std::uint64_t seed = 1; seed < 3; ++seed)
    expect_same<curve>(filled<float, 7, 100>(seed), filled<float, 7, 100>(seed + 10));
  expect_same<curve>(filled<bf16, 300>(4), filled<bf16, 300>(5));
}
TEST(block_door, reductions) {
  expect_same<totals>(filled<float, 33, 130>(3));
  expect_same<totals>(filled<float, 2, 20000>(3)); // blocks of 16384 elements
}
TEST(block_door, indices_and_choices) {
  for (int i : {0, 2, -1, 9}) expect_same<table>(filled<float, 3, 70>(2), i);
}
TEST(block_door, keys) { expect_same<noise>(key(7), filled<float, 5, 60>(3)); }

TEST(block_door, named_extents) {
  for (int n : {0, 1, 6, 300}) expect_same<totals>(filled<float, rows, 3>(9, n));
}

// Forward, backward through a loop, random numbers and an update, in low precision.
constexpr int features = 12, hidden = 20;
template <template <class, auto...> class array> struct weights {
  gru_weights<array, features, hidden> cell;
  array<float, hidden, 5> out;
};
constexpr auto loss = [](auto p, auto xs, auto labels, auto k) {
  auto h0 = zeros<float, 4, hidden>();
  auto body = [&](auto h, auto x) { return std::pair(gru(p.cell, h, x), none); };
  auto h = dropout(k, 0.1f, scan(body, h0, xs).first);
  return mean(softmax_cross_entropy(einsum<"bh,ho->bo">(h, p.out), labels));
};
constexpr auto step = [](auto p, auto xs, auto labels, auto k) {
  auto [value, grads] = value_and_grad(autocast<bf16>(loss))(p, xs, labels, k);
  return std::pair(sgd(p, grads, 0.5f), value);
};

TEST(block_door, training) {
  weights<tensor> p, q;
  std::uint64_t seed = 0; // even: no special values
  for_each_leaf(p, [&seed]<auto... E>(tensor<float, E...>& leaf) {
    leaf = filled<float, E...>(seed += 2) * 0.1f;
  });
  q = p;
  auto const xs = filled<float, 6, 4, features>(102);
  tensor<int, 4> const labels{0, 4, 2, 1};
  float first = 0, last = 0;
  for (std::uint64_t turn = 0; turn < 8; ++turn) {
    auto [p_next, p_loss] = jit<step>(std::move(p), xs, labels, key(turn));
    auto [q_next, q_loss] = jit<step>(cpu::block, std::move(q), xs, labels, key(turn));
    p = p_next;
    q = q_next;
    EXPECT_TRUE(test::same_bits(dense_leaves(q, q_loss), dense_leaves(p, p_loss)))
        << "step " << turn;
    if (turn == 0) first = p_loss;
    last = p_loss;
  }
  EXPECT_LT(last, first);
}

// Recomputed on the way back: in a loop that keeps nothing, in the body of one, over an axis with a
// name, regions in a region.
constexpr auto recomputed = [](auto p, auto xs, auto y, auto k) {
  auto h0 = zeros<float, 4, hidden>();
  auto body = [&](auto h, auto x) { return std::pair(gru(p.cell, h, x), none); };
  auto h = scan<scan_options{.save = residuals::nothing}>(body, h0, xs).first;
  auto again = [&](auto c, auto x) {
    return std::pair(tanh(c + checkpoint(body)(c, x).first), none);
  };
  auto keys = split(k);
  auto mix = [](auto w, auto x, auto key) { return dropout(key, 0.5f, tanh(matmul(x, w))); };
  auto z = checkpoint<residuals::products>([&](auto w, auto x, auto a, auto b) {
    return checkpoint(mix)(transpose<1, 0>(w), checkpoint(mix)(w, x, a), b);
  })(p.out, y, keys[0], keys[1]);
  return sum(scan(again, h, xs).first) + mean(z);
};
constexpr auto recomputed_gradient = value_and_grad<0, 1, 2>(recomputed);

TEST(block_door, recomputed_on_the_way_back) {
  weights<tensor> p;
  std::uint64_t seed = 0;
  for_each_leaf(p, [&seed]<auto... E>(tensor<float, E...>& leaf) {
    leaf = filled<float, E...>(seed += 2) * 0.1f;
  });
  auto const xs = filled<float, 3, 4, features>(103);
  auto const y = filled<float, rows, hidden>(105, 5);
  test::check<recomputed_gradient>(p, xs, y, key(3));
  expect_same<recomputed_gradient>(p, xs, y, key(3));
}

// ---- what types cannot see, in the words of the static_asserts

constexpr auto twice = [](auto k) { return uniform<3>(k) + uniform<3>(k); };
constexpr auto escaping = [](auto xs) {
  traced<float> kept;
  auto body = [&kept](auto total, auto x) {
    kept = x * x;
    return std::pair(total + x, none);
  };
  auto [total, ys] = scan(body, 0.0f, xs);
  return total + kept;
};
constexpr auto shared_key = [](auto k, auto xs) {
  auto body = [&k](auto total, auto x) { return std::pair(total + x * uniform(k), none); };
  return scan(body, 0.0f, xs).first;
};

template <class Error, class F> std::string text_of(F const& f) {
  try {
    f();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing thrown";
}
TEST(block_door, refuses_what_the_compiled_door_refuses) {
  auto const xs = filled<float, 5>(2);
  EXPECT_EQ(text_of<usage_error>([&] { jit<escaping>(cpu::block, xs); }),
            "weft: a value made in the body of a loop or branch is used outside; return it");
  EXPECT_EQ(text_of<usage_error>([&] { jit<twice>(cpu::block, key(1)); }),
            "weft: key: one key is given to two draws or splits; use split(key) or fold_in");
  EXPECT_EQ(text_of<usage_error>([&] { jit<shared_key>(cpu::block, key(1), xs); }),
            "weft: key: a loop's steps share one key; give each fold_in(key, step)");
  constexpr auto dropping = [](auto k, auto x) { return dropout(k, 2, x); };
  EXPECT_EQ(text_of<value_error>([&] { jit<dropping>(cpu::block, key(1), xs); }),
            "weft: dropout: the rate is not in [0, 1]; write the probability of dropping");
  constexpr auto drawing = [](auto k) { return weft::bernoulli<3>(k, -0.5f); };
  EXPECT_EQ(text_of<value_error>([&] { jit<drawing>(cpu::block, key(1)); }),
            "weft: bernoulli: the probability is not in [0, 1]; write clip(p, 0, 1)");
  EXPECT_EQ(text_of<usage_error>([&] { jit<twice>(cpu::block, key(1)); }), // and again
            "weft: key: one key is given to two draws or splits; use split(key) or fold_in");
}

TEST(block_door, names_that_disagree) {
  constexpr auto add = [](auto x, auto y) { return x + y; };
  auto const a = filled<float, rows, 3>(2, 24), b = filled<float, rows, 3>(4, 23);
  std::string const text = "weft: argument 1 axis 0 (rows) is 23, expected 24";
  EXPECT_EQ(text_of<shape_error>([&] { jit<add>(cpu::block, a, b); }), text);
  EXPECT_EQ(text_of<shape_error>([&] { jit<add>(a, b); }), text);
  expect_same<add>(a, a);
}

TEST(block_door, results_outlive_further_calls) {
  auto const x = filled<float, 200>(2);
  constexpr auto scaled = [](auto y, auto by) { return y * by; };
  std::vector<tensor<float, 200>> kept;
  for (int i = 0; i < 9; ++i) kept.push_back(jit<scaled>(cpu::block, x, static_cast<float>(i)));
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(kept[static_cast<unsigned>(i)], eval(x * static_cast<float>(i)));
}
TEST(block_door, takes_named_programs_expressions_and_borrowed_arrays) {
  auto const x = filled<float, 3, 70>(2), y = filled<float, 3, 70>(6);
  auto const expected = jit<curve>(eval(x + y), y);
  EXPECT_EQ((jit<curve>(cpu::block, x + y, borrow<3, 70>(y.data()))), expected);
  EXPECT_EQ(jit<curve_program>(cpu::block, x + y, y), expected);
}
TEST(block_door, runs_on_threads) {
  auto const x = filled<float, 40, 900>(2), y = filled<float, 40, 900>(6);
  cpu::pool& pool = test::two_threads();
  EXPECT_EQ(jit<curve>(cpu::block, pool, x, y), jit<curve>(x, y));
  EXPECT_EQ(jit<totals>(cpu::block, pool, x), jit<totals>(x));
}
TEST(block_door, runs_named_programs_on_threads) {
  auto const x = filled<float, 3, 70>(2), y = filled<float, 3, 70>(6);
  EXPECT_EQ(jit<curve_program>(cpu::block, test::two_threads(), x, y), jit<curve>(x, y));
}

} // namespace

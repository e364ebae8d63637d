// SPDX-License-Identifier: BSL-1.0
// build: alone
// Functions of 16-bit floats that are made of several ops: float's value, rounded once; at both
// doors.
#include "recorded.hpp"

#include <weft/lang/activations.hpp>
#include <weft/lang/attention.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/lang/optimise_more.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <cmath>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::bf16, weft::convert, weft::f16, weft::tensor, weft::traced;

// f of T is f of float, rounded to T; of tensors, too.
template <class T, class F, class... X>
void expect_rounded_once(F const& f, char const* what, X const&... x) {
  auto const narrow = std::tuple(eval(convert<T>(x))...);
  auto const direct = [&](auto const&... y) { return values<T>(f, y...); };
  auto const wide = [&](auto... y) { return convert<T>(f(convert<float>(y)...)); };
  auto const is = std::apply(direct, narrow);
  auto const should = std::apply([&](auto const&... y) { return values<T>(wide, y...); }, narrow);
  EXPECT_EQ(is, should) << what;
  auto const now = std::apply([&](auto const&... y) { return eval(f(y...)); }, narrow);
  EXPECT_EQ(list<T>(now.begin(), now.end()), should) << what << ", of tensors";
}
template <class F, class... X> void expect_of_both(F const& f, char const* what, X const&... x) {
  expect_rounded_once<f16>(f, what, x...);
  expect_rounded_once<bf16>(f, what, x...);
}

tensor<float, 2, 4> const rows{{0.3f, -1.7f, 2.2f, 0.9f}, {1.1f, 0.7f, -0.4f, 5}};
tensor<float, 2, 4> const others{{0.2f, 0.9f, 0.1f, 0.7f}, {0.6f, 0.3f, 0.55f, 0.05f}};
tensor<float, 4> const scale{1.1f, 2.3f, 0.7f, -1.9f}, shift{0.1f, 1.3f, 0, 3.7f};

TEST(leaf_arithmetic, normalisations) {
  expect_of_both([](auto x, auto g, auto b) { return layer_norm(x, g, b); }, "layer_norm", rows,
                 scale, shift);
  expect_of_both([](auto x, auto g) { return rms_norm(x, g); }, "rms_norm", rows, scale);
  expect_of_both([](auto x, auto g) { return weft::group_norm<2>(x, g, 0.3f); }, "group_norm", rows,
                 scale);
  tensor<float, 4> const variance{1.3f, 0.7f, 2.2f, 0.1f};
  expect_of_both([](auto x, auto m, auto v) { return batch_norm(x, m, v, 1.7f, 0.3f); },
                 "batch_norm", rows, shift, variance);
}
TEST(leaf_arithmetic, squares_beyond_f16) {
  tensor<f16, 1, 4> const x{{f16(300.f), f16(-300.f), f16(300.f), f16(-300.f)}};
  tensor<f16, 1, 4> const signs{{f16(1.f), f16(-1.f), f16(1.f), f16(-1.f)}};
  EXPECT_TRUE(eval(layer_norm(x, 1, 0)) == signs);
  EXPECT_TRUE(eval(rms_norm(x, 1)) == signs);
  auto const moments = run([](auto a) { return batch_moments(a); },
                           tensor<f16, 2, 1>{{f16(300.f)}, {f16(-100.f)}});
  EXPECT_EQ(numbers<f16>(moments[0]), (list<f16>{f16(100.f)}));
  EXPECT_EQ(numbers<f16>(moments[1]), (list<f16>{f16(40000.f)}));
}
TEST(leaf_arithmetic, losses) {
  expect_of_both([](auto x, auto y) { return squared_error(x, y); }, "squared_error", rows, others);
  expect_of_both([](auto x, auto y) { return huber(x, y, 0.7f); }, "huber", rows, others);
  expect_of_both([](auto x, auto y) { return sigmoid_cross_entropy(x, y); }, "logistic", rows,
                 others);
  expect_of_both([](auto x, auto y) { return hinge(x, y); }, "hinge", rows, others);
  expect_of_both([](auto x, auto y) { return kl_divergence(x, y); }, "kl_divergence", rows, others);
  expect_of_both([](auto x, auto y) { return soft_cross_entropy(x, y); }, "soft_cross_entropy",
                 rows, others);
  expect_of_both([](auto x, auto y) { return cosine_similarity(x, y); }, "cosine_similarity", rows,
                 others);
}
// In f16 epsilon would be 0.
TEST(leaf_arithmetic, cosine_of_nothing) {
  tensor<f16, 2> const nothing, some{f16(1.f), f16(2.f)};
  auto const f = [](auto x, auto y) { return cosine_similarity(x, y); };
  EXPECT_EQ(values<f16>(f, nothing, some), (list<f16>{f16(0.f)}));
  EXPECT_TRUE(eval(cosine_similarity(nothing, some))() == f16(0.f));
}
TEST(leaf_arithmetic, activations) {
  expect_of_both([](auto x) { return leaky_relu(x); }, "leaky_relu", rows);
  expect_of_both([](auto x) { return elu(x, 0.7f); }, "elu", rows);
  expect_of_both([](auto x) { return celu(x, 0.7f); }, "celu", rows);
  expect_of_both([](auto x) { return selu(x); }, "selu", rows);
  expect_of_both([](auto x) { return silu(x); }, "silu", rows);
  expect_of_both([](auto x) { return mish(x); }, "mish", rows);
  expect_of_both([](auto x) { return hard_sigmoid(x); }, "hard_sigmoid", rows);
  expect_of_both([](auto x) { return hard_silu(x); }, "hard_silu", rows);
  expect_of_both([](auto x) { return soft_sign(x); }, "soft_sign", rows);
  expect_of_both([](auto x) { return log_sigmoid(x); }, "log_sigmoid", rows);
  expect_of_both([](auto x) { return gelu_tanh(x); }, "gelu_tanh", rows);
}
TEST(leaf_arithmetic, gelu_tanh_of_large_numbers) {
  tensor<f16, 3> const x{f16(-300.f), f16(256.f), f16(2000.f)};
  auto const f = [](auto a) { return gelu_tanh(a); };
  EXPECT_EQ(values<f16>(f, x), (list<f16>{f16(-0.f), f16(256.f), f16(2000.f)}));
  auto const slope = [f](auto a) { return weft::grad([f](auto b) { return sum(f(b)); })(a); };
  EXPECT_EQ(values<f16>(slope, x), (list<f16>{f16(0.f), f16(1.f), f16(1.f)}));
}
TEST(leaf_arithmetic, floats_are_as_written) {
  auto const nodes = [](auto zero) {
    using T = decltype(zero);
    return weft::record<tensor<T, 4>>([](auto x) { return gelu_tanh(x); }).size();
  };
  EXPECT_EQ(nodes(0.0f), nodes(0.0));
  EXPECT_LT(nodes(0.0f), nodes(f16(0.0f)));
}

// Scores of 64 * 32 * 32 are infinite in f16, scaled by 1 / 8 they are not.
TEST(leaf_arithmetic, attention_scores) {
  tensor<f16, 1, 64> const q = eval(weft::full<f16, 1, 64>(f16(32.f)));
  tensor<f16, 2, 64> const k = eval(weft::full<f16, 2, 64>(f16(32.f)));
  tensor<f16, 2, 2> const v{{f16(1.f), f16(2.f)}, {f16(3.f), f16(4.f)}};
  list<f16> const middle{f16(2.f), f16(3.f)};
  EXPECT_EQ(values<f16>([](auto a, auto b, auto c) { return attention(a, b, c); }, q, k, v),
            middle);
  EXPECT_EQ(values<f16>([](auto a, auto b, auto c) { return causal_attention(a, b, c); }, q, k, v),
            middle);
  EXPECT_EQ(values<f16>([](auto a, auto b, auto c, auto m) { return masked_attention(a, b, c, m); },
                        q, k, v, tensor<bool, 1, 2>{{true, true}}),
            middle);
  tensor<f16, 1, 2> const now = attention(q, k, v);
  EXPECT_EQ(list<f16>(now.begin(), now.end()), middle);
}

template <template <class, auto...> class array> struct low {
  array<bf16, 3> w;
};
template <template <class, auto...> class array> struct high {
  array<float, 3> w;
};
// A new parameter is rounded once: the same step of float parameters, rounded.
TEST(leaf_arithmetic, optimisers) {
  tensor<float, 3> const w{1.0f, -2.015625f, 3.03125f}, g{0.5f, -2, 1}, none;
  low<tensor> const p{eval(convert<bf16>(w))}, slope{eval(convert<bf16>(g))}, mean{};
  high<tensor> const wide{w}, wide_slope{g}, wide_mean{none};
  auto const lion = [](auto a, auto b, auto c) { return weft::lion(a, b, c, 0.011f, 0.37f).first; };
  auto const narrow = [](auto const& f) {
    return [f](auto a, auto b, auto c) { return convert<bf16>(f(a, b, c).w); };
  };
  EXPECT_EQ(values<bf16>(lion, p, slope, mean),
            values<bf16>(narrow(lion), wide, wide_slope, wide_mean));
  using state = weft::adam_for<low>::state<tensor>;
  auto const out = run([](auto a, auto b, auto s) { return adamw(a, b, s, 0.011f, 0.37f); }, p,
                       slope, state{});
  auto const next = numbers<bf16>(out[0]), m = numbers<bf16>(out[1]), v = numbers<bf16>(out[2]);
  for (unsigned i = 0; i < 3; ++i) {
    float const root = std::sqrt(static_cast<float>(v[i]) / 0.001f);
    bf16 const change(static_cast<float>(m[i]) / 0.1f / root);
    float const before = w(static_cast<int>(i)), small = before - 0.011f * 0.37f * before;
    EXPECT_EQ(next[i], bf16(small - 0.011f * static_cast<float>(change))) << i;
  }
}

} // namespace

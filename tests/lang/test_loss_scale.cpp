// SPDX-License-Identifier: BSL-1.0
// Dynamic loss scaling and master weights: what a step gives on the interpreter, compiled, and in a
// scan; that scaling changes no bit where nothing underflows; that skipped steps change nothing.
#include "recorded.hpp"
#include "run/compiled.hpp"

#include <weft/weft.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace weft;
using recorded::list, recorded::numbers, recorded::run;
using test::dense_leaves;

constexpr int in = 3, hidden = 2, batch = 4;

template <template <class, auto...> class array> struct half_model {
  array<f16, hidden, in> w;
  array<bf16, hidden> b;
};
template <template <class, auto...> class array> struct training {
  half_model<array> p;
  master<half_model, array> m;
  master<adam_for<half_model>::template state, array> moments;
  loss_scale<array> scale;
};
using X = tensor<f16, batch, in>;
using Y = tensor<float, batch, hidden>;

// Errors so small that their cotangents are below f16's smallest number, 2^-24, unless scaled.
constexpr float tiny = 0x1p-28f;
constexpr auto cost = [](auto p, auto x, auto y) {
  auto const h = convert<float>(einsum<"bi,hi->bh">(x, p.w)) + convert<float>(p.b);
  auto const error = h - y;
  return mean(error * error) * tiny;
};
inline constexpr loss_scale_options plan{.initial = 0x1p20, .growth_interval = 3};
constexpr auto train = [](auto t, auto x, auto y) {
  auto const [loss, grads, finite] = scaled_value_and_grad(cost)(t.scale, t.p, x, y);
  auto next = t;
  std::tie(next.m, next.moments) = adam<adam_options{.epsilon = 1e-14}>(t.m, grads, t.moments,
                                                                        0.02f);
  next.p = convert_like(t.p, next.m);
  next = select_leaves(finite, next, t);
  next.scale = next_loss_scale<plan>(t.scale, finite);
  return std::pair(next, loss);
};

X const x = [] {
  X made;
  auto m = made.mutate();
  for (int b = 0; b < batch; ++b)
    for (int i = 0; i < in; ++i) m(b, i) = f16(static_cast<float>((5 * b + 3 * i) % 7 - 3) / 4);
  return made;
}();
Y const y = [] {
  Y made;
  auto m = made.mutate();
  for (int b = 0; b < batch; ++b)
    for (int h = 0; h < hidden; ++h) m(b, h) = static_cast<float>((3 * b + 5 * h) % 5 - 2) / 2;
  return made;
}();
training<tensor> start() {
  training<tensor> t{};
  t.p.w.mutate()(0, 0) = f16(0.5f);
  t.m = master_weights(t.p);
  t.scale = initial_loss_scale<plan>();
  return t;
}

// Steps on the interpreter: the state's leaves and the loss.
class interpreted {
public:
  explicit interpreted(training<tensor> const& t) : state_(dense_leaves(t)) {}
  float step(X const& inputs) {
    growing<dense> arguments = state_;
    arguments.append(dense_leaves(inputs, y));
    growing<dense> out = test::meaning_of(graph_, arguments);
    float const loss = numbers<float>(out.back())[0];
    out.pop();
    state_ = out;
    return loss;
  }
  growing<dense> const& state() const { return state_; }
  growing<dense> weights() const { return growing<dense>(view<dense>(state_).part(0, 2)); }
  float scale() const { return numbers<float>(state_[state_.size() - 2])[0]; }
  int finite_steps() const { return numbers<int>(state_[state_.size() - 1])[0]; }

private:
  graph graph_ = record<training<tensor>, X, Y>(train);
  growing<dense> state_;
};

TEST(loss_scale, trains_where_unscaled_gradients_underflow) {
  training<tensor> const t = start();
  auto const plain = run([](auto p, auto a, auto b) { return grad(cost)(p, a, b); }, t.p, x, y);
  for (f16 g : numbers<f16>(plain[0])) EXPECT_EQ(g, f16(0.0f));
  interpreted now(t);
  float const first = now.step(x);
  float last = first;
  for (int i = 0; i < 150; ++i) last = now.step(x);
  EXPECT_LT(last, 0.05f * first) << first;
  std::printf("loss %g -> %g (in units of %g)\n", double(first / tiny), double(last / tiny),
              double(tiny));
}
// f16's largest number is 65504: gradients overflow until the scale fits.
TEST(loss_scale, overflow_halves_the_scale_and_skips_the_step) {
  training<tensor> t = start();
  t.scale.scale = tensor<float>(0x1p60f);
  t.scale.finite_steps = tensor<int>(2);
  t.moments.mean.w.mutate()(1, 1) = -0.0f;
  interpreted now(t);
  growing<dense> const before = now.state();
  int const others = before.size() - 2;
  float scale = now.scale();
  int skipped = 0;
  for (; skipped < 40; ++skipped) {
    now.step(x);
    if (now.finite_steps() > 0) break;
    EXPECT_EQ(now.scale(), scale / 2);
    scale = now.scale();
    EXPECT_TRUE(test::same_bits(view<dense>(now.state()).part(0, others),
                                view<dense>(before).part(0, others)));
  }
  EXPECT_GT(skipped, 5);
  EXPECT_LT(skipped, 30);
  EXPECT_EQ(now.scale(), scale);
  EXPECT_FALSE(test::same_bits(now.weights(), view<dense>(before).part(0, 2)));
}
TEST(loss_scale, nan_does_not_leak) {
  X bad = x;
  bad.mutate()(1, 1) = f16(std::numeric_limits<float>::quiet_NaN());
  interpreted now(start());
  growing<dense> const before = now.state();
  for (int i = 0; i < 24; ++i) EXPECT_TRUE(std::isnan(now.step(bad)));
  int const others = before.size() - 2;
  EXPECT_TRUE(test::same_bits(view<dense>(now.state()).part(0, others),
                              view<dense>(before).part(0, others)));
  EXPECT_EQ(now.scale(), 1); // and not below
}

TEST(loss_scale, grows_after_the_interval) {
  interpreted now(start());
  for (int i = 1; i <= 14; ++i) {
    now.step(x);
    EXPECT_EQ(now.scale(), std::min(0x1p20f * std::exp2(static_cast<float>(i / 3)), 0x1p24f)) << i;
    EXPECT_EQ(now.finite_steps(), i % 3);
  }
}
inline constexpr loss_scale_options steep{
    .initial = 8, .growth_factor = 4, .backoff_factor = 0.25, .growth_interval = 2, .largest = 64};
inline constexpr loss_scale_options fixed{.initial = 128, .growth_factor = 1, .backoff_factor = 1};
// Both doors; the state as a carry of a scan.
TEST(loss_scale, follows_the_gradients) {
  tensor<bool, 12> const finite = {true,  true, true, false, true, false,
                                   false, true, true, true,  true, true};
  list<float> const should = {8, 32, 32, 8, 8, 2, 1, 1, 4, 4, 16, 16};
  auto const all = [](auto s, auto flags) {
    return scan(
        [](auto state, auto flag) {
          auto const next = next_loss_scale<steep>(state, flag);
          return std::pair(next, next.scale);
        },
        s, flags);
  };
  auto const out = run(all, initial_loss_scale<steep>(), finite);
  EXPECT_EQ(numbers<float>(out[2]), should);
  auto now = initial_loss_scale<steep>();
  for (int i = 0; i < 12; ++i) {
    now = next_loss_scale<steep>(now, tensor<bool>(finite(i)));
    EXPECT_EQ(now.scale(), should[static_cast<unsigned>(i)]) << i;
  }
  EXPECT_EQ(now.finite_steps(), numbers<int>(out[1])[0]);
  for (bool flag : {false, true, true})
    EXPECT_EQ(next_loss_scale<fixed>(initial_loss_scale<fixed>(), tensor<bool>(flag)).scale(), 128);
  EXPECT_EQ(initial_loss_scale().scale(), 65536);
  loss_scale<tensor> const highest{tensor<float>(0x1p24f), tensor<int>(1999)};
  EXPECT_EQ(next_loss_scale(highest, tensor<bool>(true)).scale(), 0x1p24f);
}

// A step of the compiled program, on one thread and moved in, is the interpreter's; so is a scan of
// four.
TEST(loss_scale, compiled_is_interpreted) {
  for (float scale : {0x1p20f, 0x1p60f}) {
    training<tensor> t = start();
    t.scale.scale = tensor<float>(scale);
    interpreted now(t);
    for (int i = 0; i < 3; ++i) {
      auto [next, loss] = jit<train>(std::move(t), x, y);
      EXPECT_EQ(loss(), now.step(x));
      EXPECT_TRUE(test::same_bits(dense_leaves(next), now.state())) << scale << " step " << i;
      t = next;
    }
    EXPECT_EQ(t.scale.scale(), scale == 0x1p20f ? 0x1p21f : 0x1p57f);
  }
}
TEST(loss_scale, four_steps_in_a_scan_are_four_steps) {
  interpreted one_by_one(start());
  for (int i = 0; i < 4; ++i) one_by_one.step(x);
  auto const four = [](auto t, auto a, auto b) {
    return scan<scan_options{.length = 4}>([&](auto state, none_t) { return train(state, a, b); },
                                           t, none)
        .first;
  };
  EXPECT_TRUE(test::same_bits(run(four, start(), x, y), one_by_one.state()));
}

// ---- exactness ---------------------------------------------------------------------------------

template <template <class, auto...> class array> struct plain_model {
  array<float, hidden, in> w;
  array<double> factor;
};
// A float loss, with aux, of two arguments; products in Low.
template <class Low>
constexpr auto plain_cost = autocast<Low>([](auto p, auto a, auto b) {
  auto const error = tanh(linear<"bi,hi->bh">(a, p.w, mean<0>(b))) - b;
  return std::pair(mean(error * error) * convert<float>(p.factor), sum<0>(error));
});
// Values, aux and gradients by two arguments.
template <class Low> void expect_scaling_to_be_exact() {
  auto const w = test::filled<float, hidden, in>(3);
  plain_model<tensor> const p{w, 90.7};
  tensor<float, batch, in> const wide = convert<float>(x);
  auto const plain = [](auto q, auto a, auto b) {
    return value_and_grad<0, 2>(plain_cost<Low>)(q, a, b);
  };
  auto const expected = run(plain, p, wide, y);
  auto const scaled = [](auto s, auto q, auto a, auto b) {
    return scaled_value_and_grad<0, 2>(plain_cost<Low>)(s, q, a, b);
  };
  for (float scale : {1.0f, 2.0f, 0x1p4f, 0x1p8f}) {
    auto got = run(scaled, loss_scale<tensor>{tensor<float>(scale), 0}, p, wide, y);
    EXPECT_EQ(numbers<bool>(got.back())[0], true);
    got.pop();
    EXPECT_TRUE(test::same_bits(got, expected)) << name_of(dtype_of<Low>) << " " << scale;
  }
}
TEST(loss_scale, is_exact_where_nothing_underflows) {
  expect_scaling_to_be_exact<float>();
  expect_scaling_to_be_exact<bf16>();
  expect_scaling_to_be_exact<f16>();
}

// ---- master weights ----------------------------------------------------------------------------

// Steps of 2^-13 vanish in f16 and bf16 beside 1; their sum does not.
TEST(master_weights, keep_what_rounding_would_lose) {
  half_model<tensor> p{};
  p.w.mutate()(0, 0) = f16(1.0f);
  p.b.mutate()(1) = bf16(-1.0f);
  auto const one = [](auto q, auto m) {
    auto const ones = map_leaves([](auto const& w) { return ones_like(w); }, m);
    auto const moved = sgd(m, ones, 0x1p-13f);
    return std::pair(convert_like(q, moved), moved);
  };
  graph const g = record<half_model<tensor>, master<half_model>>(one);
  growing<dense> state = dense_leaves(p, master_weights(p));
  for (int i = 0; i < 256; ++i) state = test::meaning_of(g, state);
  EXPECT_EQ(numbers<f16>(state[0])[0], f16(1.0f - 0x1p-5f));
  EXPECT_EQ(numbers<bf16>(state[1])[1], bf16(-1.0f - 0x1p-5f));
  EXPECT_EQ(numbers<float>(state[2])[0], 1.0f - 0x1p-5f);
  half_model<tensor> const now = convert_like(p,
                                              sgd(master_weights(p), master_weights(p), 0x1p-11f));
  EXPECT_EQ(now.w(0, 0), f16(1.0f - 0x1p-11f));
  EXPECT_EQ(now.b(1), bf16(-1.0f)); // to nearest even, once
}

// ---- structures --------------------------------------------------------------------------------

TEST(select_leaves, of_every_kind_of_leaf) {
  using all = std::tuple<tensor<float, 2>, key, std::array<tensor<int>, 2>, tensor<bool>>;
  float const nan = std::numeric_limits<float>::quiet_NaN();
  all const a{{1, -0.0f}, key(1), {tensor<int>(1), tensor<int>(2)}, tensor<bool>(true)};
  all const b{{nan, nan}, key(2), {tensor<int>(3), tensor<int>(4)}, tensor<bool>(false)};
  auto const f = [](auto p, auto s, auto t) { return select_leaves(p, s, t); };
  for (bool p : {true, false}) {
    auto const should = dense_leaves(p ? a : b);
    EXPECT_TRUE(test::same_bits(run(f, tensor<bool>(p), a, b), should));
    EXPECT_TRUE(test::same_bits(dense_leaves(select_leaves(tensor<bool>(p), a, b)), should));
  }
}
TEST(all_finite, of_every_kind_of_leaf) {
  using all = std::tuple<key, tensor<int>, tensor<f16, 2>, tensor<double>>;
  auto const f = [](auto t) { return all_finite(t); };
  float const large = std::numeric_limits<float>::infinity();
  for (int bad = 0; bad < 3; ++bad) {
    all const t{key(3),
                tensor<int>(7),
                {f16(1.0f), f16(bad == 1 ? large : 2.0f)},
                tensor<double>(bad == 2 ? std::nan("") : 1e300)};
    EXPECT_EQ(recorded::values<bool>(f, t)[0], bad == 0);
    EXPECT_EQ(all_finite(t)(), bad == 0);
  }
}
// At the other door, and integer leaves.
TEST(unscale, keeps_structure_and_what_has_no_gradient) {
  using all = std::pair<tensor<f16, 2>, std::tuple<tensor<int>, tensor<double>, key>>;
  all const g{{f16(3.0f), f16(0x1p-24f)}, {tensor<int>(5), tensor<double>(1e-3), key(9)}};
  loss_scale<tensor> const s{tensor<float>(0x1p24f), 0};
  auto const now = unscale(s, g);
  static_assert(std::is_same_v<decltype(now.first), tensor<float, 2>>);
  EXPECT_EQ(now.first(0), 3 * 0x1p-24f);
  EXPECT_EQ(now.first(1), 0x1p-48f);
  EXPECT_EQ(std::get<0>(now.second)(), 5);
  EXPECT_EQ(std::get<1>(now.second)(), 1e-3 * 0x1p-24);
  EXPECT_EQ(std::get<2>(now.second), key(9));
  auto const f = [](auto a, auto b) { return unscale(a, b); };
  EXPECT_TRUE(test::same_bits(run(f, s, g), dense_leaves(now)));
  EXPECT_EQ(float(scale_loss(s, tensor<float>(0.5f))), 0x1p23f);
}

} // namespace

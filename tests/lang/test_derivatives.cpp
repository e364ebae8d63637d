// SPDX-License-Identifier: BSL-1.0
// grad, vjp, jvp, jacobian, hessian, custom_vjp at the traced door.
#include "recorded.hpp"

#include <weft/graph/print.hpp>
#include <weft/lang/associative_scan.hpp>
#include <weft/lang/at.hpp>
#include <weft/lang/custom_vjp.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/elementary.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/jacobian.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/padding.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/while.hpp>
#include <weft/pass/pipeline.hpp>

#include <limits>

namespace {

using namespace weft;
using recorded::list, recorded::numbers, recorded::run, recorded::values;

template <template <class, auto...> class array> struct layer {
  array<float, 2> w;
  array<int, 2> counts;
  array<float> b;
};
layer<tensor> some_layer() { return {{2, 3}, {7, 8}, 5.0f}; }
tensor<float, 2> const two = {10, 20};
constexpr auto loss = [](auto p, auto x) { return sum(p.w * x) * p.b; }; // (20 + 60) 5

TEST(grad, is_value_and_grad_without_the_value) {
  auto const out = run([](auto p, auto x) { return grad(loss)(p, x); }, some_layer(), two);
  ASSERT_EQ(out.size(), 3);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{50, 100}));
  EXPECT_EQ(numbers<int>(out[1]), (list<int>{0, 0}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{80}));
  auto const aux = [](auto p, auto x) { return std::pair(loss(p, x), x + 1); };
  auto const with = run([&](auto p, auto x) { return grad<1>(aux)(p, x); }, some_layer(), two);
  ASSERT_EQ(with.size(), 2);
  EXPECT_EQ(numbers<float>(with[0]), (list<float>{10, 15}));
  EXPECT_EQ(numbers<float>(with[1]), (list<float>{11, 21}));
}
TEST(grad, by_picked_leaves) {
  auto const of = [](auto const& p, auto const& x) { return std::tie(p.b, x); };
  auto const out = run([&](auto p, auto x) { return value_and_grad(loss, of)(p, x); }, some_layer(),
                       two);
  ASSERT_EQ(out.size(), 3);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{400}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{80}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{10, 15}));
  auto const twice = [](auto p, auto) { return p.w * 2; };
  auto const wrong = [&](auto p, auto x) { return grad(loss, twice)(p, x); };
  EXPECT_EQ((record<layer<tensor>, tensor<float, 2>>(wrong).error),
            trace_error::no_argument_picked);
}
TEST(vjp, pulls_a_cotangent_of_any_structure_back) {
  auto const f = [](auto p, auto x) { return std::pair(p.w * x, std::tuple(p.counts, p.b * x)); };
  auto const all = [&](auto p, auto x) {
    return vjp<0, 1>(f)(p, x, std::pair(x, std::tuple(p.counts, p.w)));
  };
  auto const out = run(all, some_layer(), two);
  ASSERT_EQ(out.size(), 7);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{20, 60}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{50, 100}));
  EXPECT_EQ(numbers<float>(out[3]), (list<float>{100, 400})); // x x
  EXPECT_EQ(numbers<int>(out[4]), (list<int>{0, 0}));
  EXPECT_EQ(numbers<float>(out[5]), (list<float>{80}));     // x w
  EXPECT_EQ(numbers<float>(out[6]), (list<float>{30, 75})); // w x + b w
}
TEST(jvp, pushes_tangents_forward) {
  auto const f = [](auto p, auto x) { return std::pair(p.w * x, p.counts); };
  auto const all = [&](auto p, auto x) { return jvp<0, 1>(f)(p, x, p, x); };
  auto const out = run(all, some_layer(), two);
  ASSERT_EQ(out.size(), 4);
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{40, 120}));
  EXPECT_EQ(numbers<int>(out[3]), (list<int>{0, 0}));
  auto const picked = [&](auto p, auto x) {
    return jvp(loss, [](auto const& q, auto const&) { return q.b; })(p, x, 3.0f).second;
  };
  EXPECT_EQ(values<float>(picked, some_layer(), two), (list<float>{240}));
}

// 2^k x, the first that is 100 or more.
constexpr auto below = [](auto s) { return s < 100; };
constexpr auto doubled = [](auto s) { return s * 2; };
constexpr auto unbounded = [](auto x) { return while_loop(below, doubled, x); };
template <int Most>
constexpr auto bounded =
    [](auto x) { return while_loop<while_options{.most = Most}>(below, doubled, x); };
TEST(while_loop, in_forward_mode_and_bounded_in_reverse) {
  auto const forward = [](auto x) { return jvp(unbounded)(x, 1.0f); };
  EXPECT_EQ(numbers<float>(run(forward, 3.0f)[1]), (list<float>{64}));
  EXPECT_EQ(values<float>(bounded<9>, 3.0f), (list<float>{192}));
  EXPECT_EQ(values<float>(bounded<6>, 3.0f), (list<float>{192}));
  EXPECT_EQ(values<float>(bounded<2>, 3.0f), (list<float>{12}));
  EXPECT_EQ(values<float>(bounded<0>, 3.0f), (list<float>{3}));
  for (float x : {3.0f, 150.0f}) {
    auto const back = [](auto a) {
      return std::pair(grad(bounded<9>)(a), jvp(bounded<9>)(a, 1.0f));
    };
    auto const out = run(back, x);
    EXPECT_EQ(numbers<float>(out[0]), (list<float>{x < 100 ? 64.0f : 1.0f}));
    EXPECT_EQ(out[0], out[2]);
  }
}

TEST(jacobian, of_arrays) {
  auto const g = [](auto w, auto x) { return einsum<"ij,j->i">(w, x); };
  auto const by_x = [&](auto w, auto x) { return jacobian<1>(g)(w, x); };
  tensor<float, 2, 3> const wide = {{1, 2, 3}, {4, 5, 6}};
  tensor<float, 3, 2> const tall = {{1, 2}, {3, 4}, {5, 6}};
  tensor<float, 3> const three = {1, 2, 3};
  list<float> const matrix = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(values<float>(by_x, wide, three), matrix); // reverse
  EXPECT_EQ(values<float>(by_x, tall, two), matrix);   // forward
  auto const by_w = [&](auto w, auto x) { return jacobian(g)(w, x); };
  EXPECT_EQ(values<float>(by_w, wide, three), (list<float>{1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 3}));
}
TEST(jacobian, of_rank_0_by_eight_axes_and_by_two_arguments) {
  auto const square = [](auto x) { return sum(x * x); };
  auto const by_eight = [&](auto x) {
    return jacobian(square)(reshape<1, 1, 1, 1, 1, 1, 1, 2>(x));
  };
  EXPECT_EQ(values<float>(by_eight, two), (list<float>{20, 40}));
  auto const wide = [](auto x) { return broadcast_to<1, 1, 1, 1, 1, 1, 1, 2>(x * x); };
  auto const of_eight = [&](auto x) { return jacobian(wide)(x); };
  EXPECT_EQ(values<float>(of_eight, 3.0f), (list<float>{6, 6}));
  auto const product = [](auto x, auto y) { return x * y; };
  auto const by_both = [&](auto x, auto y) { return jacobian<1, 0>(product)(x, y); };
  growing<dense> const out = run(by_both, two, 3.0f);
  ASSERT_EQ(out.size(), 2);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{10, 20}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{3, 0, 0, 3}));
}
// In the argument's type, whatever the result's is.
TEST(jacobian, of_another_type) {
  auto const wide = [](auto x) {
    return jacobian([](auto y) { return convert<double>(y * y); })(x);
  };
  growing<dense> const of_list = run(wide, two), of_number = run(wide, 3.0f);
  EXPECT_EQ(numbers<float>(of_list[0]), (list<float>{20, 0, 0, 40}));
  EXPECT_EQ(numbers<float>(of_number[0]), (list<float>{6}));
  auto const narrow = [](auto x) {
    return jacobian([](auto y) { return convert<bf16>(y * y); })(x);
  };
  EXPECT_EQ(numbers<float>(run(narrow, two)[0]), (list<float>{20, 0, 0, 40}));
  graph const g = record<tensor<float, 2>>(wide);
  EXPECT_EQ(graph_view(g)[graph_view(g).outputs_of(0)[0]].type, dtype::f32);
}
// 1 - y^2/6 + y^4/120, y = pi x: sums of large parts that cancel would lose these.
TEST(hessian, of_sinc_near_0) {
  auto const f = [](auto x) { return sum(sinc(x)); };
  auto const both = [&](auto x) { return std::pair(grad(f)(x), hessian(f)(x)); };
  for (float x : {0.0f, 1e-40f, 1e-5f, 1e-3f, 0.1f}) {
    growing<dense> const out = run(both, tensor<float, 1>{x});
    double const pi = 3.14159265358979323846, y = pi * static_cast<double>(x);
    double const first = pi * (-y / 3 + y * y * y / 30 - y * y * y * y * y / 840);
    double const second = pi * pi * (-1.0 / 3 + y * y / 10 - y * y * y * y / 168);
    EXPECT_NEAR(static_cast<double>(numbers<float>(out[0])[0]), first,
                1e-6 * std::abs(first) + 1e-44);
    EXPECT_NEAR(static_cast<double>(numbers<float>(out[1])[0]), second, 1e-5);
  }
}
TEST(hessian, of_powers_at_0) {
  auto const f = [](auto x) { return sum(pow(x, arange<float, 4>())); }; // 1 + x + x^2 + x^3
  auto const both = [&](auto x) { return std::pair(grad(f)(x), hessian(f)(x)); };
  growing<dense> const at_0 = run(both, 0.0f), at_2 = run(both, 2.0f);
  EXPECT_EQ(numbers<float>(at_0[0]), (list<float>{1}));
  EXPECT_EQ(numbers<float>(at_0[1]), (list<float>{2}));
  EXPECT_EQ(numbers<float>(at_2[0]), (list<float>{17}));
  EXPECT_EQ(numbers<float>(at_2[1]), (list<float>{14}));
}
// What the operand's elements get does not enter the filler's sum.
TEST(grad, of_a_filler) {
  auto const f = [](auto filler, auto x, auto w) {
    return sum(pad<padding{.low = 2, .high = 1, .interior = 1}>(x, filler) * w);
  };
  auto const by_filler = [&](auto... all) { return grad<0, 1>(f)(all...); };
  tensor<float, 6> const w = {1, 2, 3e8f, 4, std::numeric_limits<float>::infinity(), 5};
  growing<dense> const out = run(by_filler, 7.0f, two, w);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{12}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{3e8f, w(4)}));
}
// Where a formula has a case of its own its derivatives are those of the function, too.
TEST(hessian, where_factors_are_zero_or_operands_equal) {
  auto const of_prod = [](auto x) { return hessian([](auto v) { return prod(v); })(x); };
  using three = tensor<float, 3>;
  EXPECT_EQ(values<float>(of_prod, three{0, 2, 3}), (list<float>{0, 3, 2, 3, 0, 0, 2, 0, 0}));
  EXPECT_EQ(values<float>(of_prod, three{0, 0, 3}), (list<float>{0, 3, 0, 3, 0, 0, 0, 0, 0}));
  auto const scattered = [](auto u, auto x, auto i) { return sum(scatter_mul<0>(x, i, u)); };
  auto const of_factors = [&](auto... all) { return hessian(scattered)(all...); };
  EXPECT_EQ(values<float>(of_factors, tensor<float, 2>{0, 3}, two, tensor<int, 2>{0, 0}),
            (list<float>{0, 10, 10, 0}));
  auto const power = [](auto x) { return pow(at<"0">(x), at<"1">(x)); };
  auto const of_power = [&](auto x) { return hessian(power)(x); };
  auto const h = values<float>(of_power, tensor<float, 2>{2, 0});
  EXPECT_EQ((list<float>{h[0], h[1], h[2]}), (list<float>{0, 0.5f, 0.5f}));
  auto const added = [](auto x) { return logaddexp(at<"0">(x), at<"1">(x)); };
  auto const last = [](auto x) { return at<"1">(cumlogsumexp(x)); };
  auto const of_both = [&](auto x) { return std::pair(hessian(added)(x), hessian(last)(x)); };
  growing<dense> const out = run(of_both, tensor<float, 2>{1, 1});
  for (dense const& d : out)
    EXPECT_EQ(numbers<float>(d), (list<float>{0.25f, -0.25f, -0.25f, 0.25f}));
  auto const wave = [](auto x) { return sinc(x); };
  auto const of_wave = [&](auto x) { return std::pair(grad(wave)(x), hessian(wave)(x)); };
  growing<dense> const at_0 = run(of_wave, 0.0f);
  EXPECT_EQ(numbers<float>(at_0[0]), (list<float>{0}));
  EXPECT_NEAR(numbers<float>(at_0[1])[0], -3.2898681f, 1e-6f);
}
TEST(jacobian, by_a_structure_and_hessian) {
  auto const f = [](auto p, auto x) { return p.w * x * p.b; };
  auto const out = run([&](auto p, auto x) { return jacobian(f)(p, x); }, some_layer(), two);
  ASSERT_EQ(out.size(), 3);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{50, 0, 0, 100}));
  EXPECT_EQ(numbers<int>(out[1]), (list<int>{0, 0, 0, 0}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{20, 60}));
  auto const cubic = [](auto x) { return sum(x * x * x) + at<"0">(x) * at<"1">(x); };
  EXPECT_EQ(values<float>([&](auto x) { return hessian(cubic)(x); }, two),
            (list<float>{60, 1, 1, 120}));
}

// x w, with gradients that no differentiation would give.
constexpr auto twisted = custom_vjp(
    [](auto x, auto w) { return x * w; },
    [](auto x, auto w) { return std::pair(x * w, std::pair(x, w)); },
    [](auto kept, auto ct) { return std::tuple(ct * kept.second * 10, ct + kept.first); });
TEST(custom_vjp, gives_the_gradients_of_its_own) {
  auto const both = [](auto x, auto w) { return value_and_grad<0, 1>(twisted)(x, w); };
  auto const out = run(both, 2.0f, 3.0f);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{6}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{30}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{3}));
  auto const steps = [](auto x, auto w) {
    auto const power = [&w](auto c) {
      return fori_loop(
          0, 3, [&](auto, auto s) { return twisted(s, w); }, c);
    };
    return grad(power)(x);
  };
  EXPECT_EQ(values<float>(steps, 2.0f, 3.0f), (list<float>{27000}));
  auto const second = [](auto x, auto w) {
    return grad<1>([](auto a, auto b) { return grad(twisted)(a, b); })(x, w);
  };
  EXPECT_EQ(values<float>(second, 2.0f, 3.0f), (list<float>{10}));
}
// Forward draws the numbers that f draws.
// What such a function captures has a tangent: none goes through, nor back through that one.
TEST(custom_vjp, beside_the_tangent_of_what_it_captures) {
  auto const f = [](auto x, auto c) {
    auto const g = [&](auto k) {
      auto const h = custom_vjp([k](auto v) { return k * v; },
                                [k](auto v) { return std::pair(k * v, k); },
                                [](auto z, auto ct) { return z * ct; });
      return h(x) + k;
    };
    return jvp<0>(g)(c, c * 0 + 1).first;
  };
  EXPECT_EQ(values<float>([&](auto x, auto c) { return grad(f)(x, c); }, tensor<float>(5),
                          tensor<float>(3)),
            (list<float>{3}));
}
TEST(custom_vjp, of_a_function_that_draws) {
  auto const both = [](auto x, auto k) {
    auto const with_key = custom_vjp([k](auto y) { return y * uniform<float>(k); },
                                     [k](auto y) {
                                       auto const u = uniform<float>(k);
                                       return std::pair(y * u, u);
                                     },
                                     [](auto u, auto ct) { return ct * u; });
    return value_and_grad(with_key)(x);
  };
  auto const out = run(both, 1.0f, key(3));
  EXPECT_EQ(numbers<float>(out[0]), numbers<float>(out[1])); // at 1 the value is the number drawn
  auto const twice = [](auto x, auto k) { return x * uniform<float>(k) + uniform<float>(k); };
  EXPECT_EQ((record<float, key>(twice).error), trace_error::key_used_twice);
}
// At one draw: columns and rows of one function's derivatives, which keeps its numbers.
TEST(jacobian, of_a_function_that_draws) {
  auto const noisy = [](auto x, auto k) { return x * x * uniform<float, 2>(k); };
  auto const both = [&](auto x, auto k) {
    auto const J = jacobian(noisy)(x, k);
    auto const H = hessian([&](auto y) { return sum(noisy(y, k)); })(x);
    return std::pair(J, H);
  };
  EXPECT_EQ((record<tensor<float, 2>, key>(both).error), trace_error::key_used_twice);
  auto const forward = [&](auto x, auto k) { return jacobian(noisy)(x, k); };
  auto const reverse = [&](auto x, auto k) {
    return jacobian([&](auto y) { return sum(noisy(y, k)); })(x);
  };
  auto const second = [&](auto x, auto k) {
    return hessian([&](auto y) { return sum(noisy(y, k)); })(x);
  };
  auto const draw = [](auto, auto k) { return uniform<float, 2>(k); };
  tensor<float, 2> const x = {3, 5};
  list<float> const u = values<float>(draw, x, key(9));
  EXPECT_EQ(values<float>(forward, x, key(9)), (list<float>{6 * u[0], 0, 0, 10 * u[1]}));
  EXPECT_EQ(values<float>(reverse, x, key(9)), (list<float>{6 * u[0], 10 * u[1]}));
  EXPECT_EQ(values<float>(second, x, key(9)), (list<float>{2 * u[0], 0, 0, 2 * u[1]}));
  auto const steps = [](auto z, auto k) { // a loop inside still wants its own keys
    return jacobian([k](auto y) {
      return scan([k](auto c, auto e) { return std::pair(c * e * uniform<float>(k), none); },
                  sum(y), y)
          .first;
    })(z);
  };
  EXPECT_EQ((record<tensor<float, 2>, key>(steps).error), trace_error::key_shared_by_steps);
}
TEST(custom_vjp, leaves_nothing_where_no_gradient_is_taken) {
  auto const plain = [](auto x, auto w) { return x * w; };
  graph const a = record<float, float>(twisted), b = record<float, float>(plain);
  EXPECT_FALSE(verify(a));
  EXPECT_STREQ(print(optimise(a)).c_str(), print(optimise(b)).c_str());
  auto const forward = [](auto x, auto w) { return jvp(twisted)(x, w, x); };
  EXPECT_EQ((record<float, float>(forward).error), trace_error::custom_forward);
}

TEST(grad, counts_equal_maxima_in_float) {
  auto const gradient = [](auto x) { return grad([](auto y) { return max(y); })(x); };
  auto const of_bf16 = numbers<bf16>(run(gradient, tensor<bf16, 300>{})[0]);
  EXPECT_EQ(static_cast<float>(of_bf16[7]), static_cast<float>(bf16(1.0f / 300)));
  auto const of_f16 = numbers<f16>(run(gradient, tensor<f16, 70000>{})[0]);
  EXPECT_EQ(static_cast<float>(of_f16[7]), static_cast<float>(f16(1.0f / 70000)));
  auto const tangent = [](auto x) {
    return jvp<0>([](auto y) { return max(y); })(x, x + 3).second;
  };
  EXPECT_EQ(static_cast<float>(numbers<f16>(run(tangent, tensor<f16, 70000>{})[0])[0]), 3.0f);
}
TEST(grad, counts_what_scatter_max_found_equal_in_float) {
  auto const f = [](auto x, auto i, auto u) { return sum(scatter_max<0>(x, i, u)); };
  auto const gradient = [&](auto x, auto i, auto u) { return grad<0, 2>(f)(x, i, u); };
  auto const of_bf16 = run(gradient, tensor<bf16, 1>{}, tensor<int, 256>{}, tensor<bf16, 256>{});
  auto const of_f16 = run(gradient, tensor<f16, 1>{}, tensor<int, 69999>{}, tensor<f16, 69999>{});
  for (int i : {0, 1}) {
    EXPECT_EQ(numbers<bf16>(of_bf16[i])[0].bits, bf16(1.0f / 257).bits);
    EXPECT_EQ(numbers<f16>(of_f16[i])[0].bits, f16(1.0f / 70000).bits);
  }
  auto const tangent = [&](auto x, auto i, auto u) {
    return jvp<0, 2>(f)(x, i, u, x + 3, u + 3).second;
  };
  auto const of_all = run(tangent, tensor<f16, 1>{}, tensor<int, 69999>{}, tensor<f16, 69999>{});
  EXPECT_EQ(static_cast<float>(numbers<f16>(of_all[0])[0]), 3.0f);
}
// Which of the two carries the y's cotangent seeds makes no difference; it is added once.
TEST(grad, of_a_value_that_is_two_carries_and_a_y) {
  auto const f = [](auto a, auto b, auto xs) {
    auto const body = [](auto c, auto x) {
      auto n = c.first * c.first + c.second * c.second + x;
      return std::pair(std::pair(n, n), n);
    };
    return sum(scan(body, std::pair(a, b), xs).second); // n0 = a a + b b, n1 = 2 n0 n0
  };
  tensor<float> const one = 1.0f;
  auto const out = run([&](auto a, auto b, auto xs) { return grad<0, 1>(f)(a, b, xs); }, one, one,
                       tensor<float, 2>{0, 0});
  ASSERT_EQ(out.size(), 2);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{18})); // 2 a (1 + 4 n0)
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{18}));
}

} // namespace

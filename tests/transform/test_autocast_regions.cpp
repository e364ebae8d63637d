// SPDX-License-Identifier: BSL-1.0
// autocast at its door: regions in regions, closures, and the functions that run in float as a
// whole; always against casts by hand, bit for bit.
#include "lang/recorded.hpp"

#include <weft/lang/associative_scan.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/lang/products.hpp>
#include <weft/lang/scan.hpp>
#include <weft/lang/transforms.hpp>

namespace {

using weft::autocast, weft::bf16, weft::convert, weft::f16, weft::matmul, weft::tensor;
using recorded::run;

tensor<float, 3, 4> const x = {{0.3f, -1.7f, 2.2f, 0.9f}, {1.1f, 0.7f, -0.4f, 5}, {3, -2, 1, 0.1f}};
tensor<float, 4, 4> const w = {
    {0.5f, -1.2f, 0.8f, 2.1f}, {1.3f, 0.2f, -0.6f, 1}, {-0.9f, 1.9f, 0.4f, 3}, {1, 2, 0.7f, 0.3f}};

template <class F, class G> void expect_same(F const& got, G const& want, char const* what) {
  weft::growing<weft::dense> const a = run(got, x, w), b = run(want, x, w);
  ASSERT_EQ(a.size(), b.size()) << what;
  for (int i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].type, b[i].type) << what << " output " << i;
    for (int k = 0; k < a[i].size(); ++k) EXPECT_EQ(a[i][k], b[i][k]) << what << " output " << i;
  }
}
// x w in T, in float again.
template <class T> constexpr auto product_in(auto const& a, auto const& b) {
  return convert<float>(matmul(convert<T>(a), convert<T>(b)));
}
// f of a low product, in the region and behind it: f runs in float.
template <class F> void expect_full(F const& f, char const* what) {
  expect_same(
      [&f](auto a, auto b) {
        return autocast<bf16>([&f](auto c, auto d) { return f(matmul(c, d)); })(a, b);
      },
      [&f](auto a, auto b) { return f(product_in<bf16>(a, b)); }, what);
  // Declared low: rounded once, where the result leaves.
  expect_same(
      [&f](auto a, auto b) {
        return autocast<f16>(
            [&f](auto c, auto d) { return f(matmul(convert<f16>(c), convert<f16>(d))); })(a, b);
      },
      [&f](auto a, auto b) { return convert<f16>(f(product_in<f16>(a, b))); }, what);
}
constexpr auto ones = [](auto const& a) { return exp(zeros_like(a)); };

// f of float arrays in the region is f of the rounded ones: sums and inner products too.
template <class F> void expect_one_rounding(F const& f, char const* what) {
  auto const inside = [&f](auto a, auto b) { return autocast<bf16>(f)(a, b); };
  auto const by_hand = [&f](auto a, auto b) {
    return convert<float>(f(convert<bf16>(a), convert<bf16>(b)));
  };
  expect_same(inside, by_hand, what);
  // Another region around it changes nothing.
  expect_same([&](auto a, auto b) { return autocast<f16>(inside)(a, b); }, by_hand, what);
  // Products and sums that were written in another type stay.
  expect_same(
      [&](auto a, auto b) { return autocast<f16>(f)(convert<bf16>(a * 1e5f), convert<bf16>(b)); },
      [&](auto a, auto b) { return f(convert<bf16>(a * 1e5f), convert<bf16>(b)); }, what);
}
TEST(autocast_region, einsum_is_one_op) {
  using weft::einsum;
  expect_one_rounding([](auto a, auto) { return einsum<"ij->i">(a); }, "ij->i");
  expect_one_rounding([](auto a, auto) { return einsum<"ij->">(a); }, "ij->");
  expect_one_rounding([](auto, auto b) { return einsum<"ii->">(b); }, "ii->");
  expect_one_rounding([](auto a, auto b) { return einsum<"ij,jk->k">(a, b); }, "ij,jk->k");
  expect_one_rounding([](auto a, auto b) { return einsum<"ij,kl->il">(a, b); }, "ij,kl->il");
  expect_one_rounding([](auto a, auto b) { return einsum<"ij,jk,kl->il">(a, b, b); },
                      "ij,jk,kl->il");
  expect_one_rounding([](auto a, auto b) { return einsum<"ij,jk,kl,ml->im">(a, b, b, b); },
                      "ij,jk,kl,ml->im");
  expect_one_rounding(
      [](auto a, auto b) { return einsum<"ij,jk->ik">(einsum<"ij,kl->il">(a, b), b); },
      "one einsum of another");
}
// Whichever operands come from outside of the region.
TEST(autocast_region, einsum_of_captured_operands) {
  using weft::einsum;
  auto const by_hand = [](auto const& f) {
    return [f](auto a, auto b) { return convert<float>(f(convert<bf16>(a), convert<bf16>(b))); };
  };
  auto const sums = [](auto a, auto b) { return einsum<"ij,jk->k">(a, b); };
  auto const steps = [](auto a, auto b) { return einsum<"ij,jk,kl->il">(a, b, b); };
  auto const first = [](auto const& f) {
    return [f](auto a, auto b) { return autocast<bf16>([&](auto c) { return f(a, c); })(b); };
  };
  auto const second = [](auto const& f) {
    return [f](auto a, auto b) { return autocast<bf16>([&](auto c) { return f(c, b); })(a); };
  };
  expect_same(first(sums), by_hand(sums), "sums, the first one captured");
  expect_same(second(sums), by_hand(sums), "sums, the second one captured");
  expect_same(first(steps), by_hand(steps), "steps, the first one captured");
  expect_same(second(steps), by_hand(steps), "steps, the others captured");
  expect_same(
      [](auto a, auto b) {
        auto const large = convert<bf16>(a * 1e5f);
        auto const small = convert<bf16>(b);
        return autocast<f16>([&](auto c) { return einsum<"ij,jk->k">(large, c); })(small);
      },
      [](auto a, auto b) { return einsum<"ij,jk->k">(convert<bf16>(a * 1e5f), convert<bf16>(b)); },
      "another type, captured");
}
// What an einsum of one operand gives is rounded, and a product of it runs in the region's type.
TEST(autocast_region, products_of_sums_are_low) {
  auto const f = [](auto a, auto b) {
    return weft::einsum<"j,jk->k">(weft::einsum<"ij->j">(a), b);
  };
  expect_same(
      [&f](auto a, auto b) { return autocast<bf16>(f)(a, b); },
      [&f](auto a, auto b) { return convert<float>(f(convert<bf16>(a), convert<bf16>(b))); },
      "a sum, then a product");
  weft::graph const g = weft::record<tensor<float, 3, 4>, tensor<float, 4, 4>>(
      [&f](auto a, auto b) { return autocast<bf16>(f)(a, b); });
  for (weft::node const& n : g.nodes)
    if (n.code == weft::op::contract) {
      EXPECT_EQ(n.type, weft::dtype::bf16);
    }
}
TEST(autocast_region, gradients_of_einsum) {
  auto const f = [](auto a, auto b) { return sum(weft::einsum<"ij,jk,kl->il">(a, b, b)); };
  auto const inside = [&f](auto a, auto b) {
    return weft::grad([&](auto c) { return autocast<bf16>(f)(c, b); })(a);
  };
  auto const around = [&f](auto a, auto b) {
    return autocast<bf16>([&](auto c, auto d) { return weft::grad(f)(c, d); })(a, b);
  };
  weft::growing<weft::dense> const exact = run([&f](auto a, auto b) { return weft::grad(f)(a, b); },
                                               x, w);
  for (auto const& got : {run(inside, x, w), run(around, x, w)})
    for (int k = 0; k < exact[0].size(); ++k)
      EXPECT_NEAR(recorded::numbers<float>(got[0])[static_cast<std::size_t>(k)],
                  recorded::numbers<float>(exact[0])[static_cast<std::size_t>(k)], 0.3);
}

TEST(autocast_region, functions_that_run_in_float) {
  expect_full([](auto y) { return softmax(y); }, "softmax");
  expect_full([](auto y) { return weft::log_softmax<0>(y); }, "log_softmax");
  expect_full([](auto y) { return weft::logsumexp<1>(y); }, "logsumexp");
  expect_full([](auto y) { return mean(y); }, "mean");
  expect_full([](auto y) { return weft::var<0>(y); }, "var");
  expect_full([](auto y) { return weft::std<0>(y); }, "std");
  expect_full([](auto y) { return weft::norm<1>(y); }, "norm");
  expect_full([](auto y) { return weft::cumsum<1>(y); }, "cumsum");
  expect_full([](auto y) { return weft::cumprod<0>(y); }, "cumprod");
  expect_full([](auto y) { return layer_norm(y, 1, 0, 0.25); }, "layer_norm");
  expect_full([](auto y) { return rms_norm(y, 1, 0.25); }, "rms_norm");
  expect_full([](auto y) { return weft::group_norm<2>(y, 1, 0, 0.25); }, "group_norm");
  expect_full([](auto y) { return weft::batch_moments(y).second; }, "batch_moments");
}
TEST(autocast_region, losses_run_in_float) {
  expect_full([](auto y) { return weft::squared_error(y, 0); }, "squared_error");
  expect_full([](auto y) { return weft::absolute_error(y, 0); }, "absolute_error");
  expect_full([](auto y) { return weft::huber(y, ones(y)); }, "huber");
  expect_full([](auto y) { return weft::sigmoid_cross_entropy(y, ones(y)); }, "logistic");
  expect_full([](auto y) { return weft::hinge(y, ones(y)); }, "hinge");
  expect_full([](auto y) { return weft::kl_divergence(y, ones(y)); }, "kl_divergence");
  expect_full([](auto y) { return weft::soft_cross_entropy(y, ones(y)); }, "soft_cross_entropy");
  expect_full([](auto y) { return weft::cosine_similarity(y, ones(y), 0.5); }, "cosine_similarity");
}
// What follows its operand stays low: x - max(x) here, and all around softmax.
TEST(autocast_region, around_such_a_function_policies_hold) {
  expect_same(
      [](auto a, auto b) {
        return autocast<bf16>([](auto c, auto d) {
          auto y = matmul(c, d);
          return softmax(y * y) + tanh(y);
        })(a, b);
      },
      [](auto a, auto b) {
        auto y = matmul(convert<bf16>(a), convert<bf16>(b));
        return softmax(convert<float>(y * y)) + convert<float>(tanh(y));
      },
      "around softmax");
}

constexpr auto product = [](auto a, auto b) { return matmul(a, b); };

TEST(autocast_region, another_type_inside) {
  expect_same(
      [](auto a, auto b) {
        return autocast<bf16>([](auto c, auto d) {
          auto h = matmul(c, d);
          auto k = autocast<f16>([](auto e, auto f) { return tanh(matmul(e, f)); })(h, d);
          return std::tuple(h, k, matmul(k, d));
        })(a, b);
      },
      [](auto a, auto b) {
        auto h = product_in<bf16>(a, b);
        auto k = convert<float>(tanh(matmul(convert<f16>(h), convert<f16>(b))));
        return std::tuple(h, k, product_in<bf16>(k, b));
      },
      "f16 in bf16");
}
// Functions that run in float round where their region ends.
TEST(autocast_region, results_have_their_declared_types) {
  expect_same(
      [](auto a, auto b) {
        return autocast<bf16>([](auto c, auto d) {
          return tanh(autocast<f16>([](auto e, auto f) {
            return softmax(matmul(convert<f16>(e), convert<f16>(f)));
          })(c, d));
        })(a, b);
      },
      [](auto a, auto b) { return tanh(convert<f16>(softmax(product_in<f16>(a, b)))); }, "softmax");
}
// The arguments of a region without autocast have their declared types, whatever they are outside.
TEST(autocast_region, none_inside) {
  constexpr auto inner = [](auto h, auto d) {
    return exp(tanh(h) * 0.1f + matmul(h, d)) + convert<float>(exp(convert<bf16>(h)));
  };
  expect_same(
      [&](auto a, auto b) {
        return autocast<bf16>([&](auto c, auto d) {
          auto k = autocast<float>(inner)(matmul(c, d), d);
          return std::tuple(k, matmul(k, d));
        })(a, b);
      },
      [&](auto a, auto b) {
        auto k = inner(product_in<bf16>(a, b), b);
        return std::tuple(k, product_in<bf16>(k, b));
      },
      "float in bf16");
}
TEST(autocast_region, some_inside_none_inside_some) {
  expect_same(
      [](auto a, auto b) {
        return autocast<f16>([](auto c, auto d) {
          return autocast<float>(
              [](auto e, auto f) { return matmul(autocast<bf16>(product)(e, f), f); })(c, d);
        })(a, b);
      },
      [](auto a, auto b) { return matmul(product_in<bf16>(a, b), b); }, "bf16 in float in f16");
}
TEST(autocast_region, loops_in_a_region_without) {
  constexpr auto steps = [](auto h, auto d) {
    return weft::scan<weft::scan_options{.length = 3}>(
               [&](auto c, auto) { return std::pair(tanh(matmul(c, d) + h), weft::none); }, h,
               weft::none)
        .first;
  };
  expect_same(
      [&](auto a, auto b) {
        return autocast<bf16>(
            [&](auto c, auto d) { return autocast<float>(steps)(matmul(c, d), d); })(a, b);
      },
      [&](auto a, auto b) { return steps(product_in<bf16>(a, b), b); }, "scan");
}
// What a loop takes is cast before the loop's parameters, also what its region alone has in float.
TEST(autocast_region, graphs_of_loops_in_a_region_without) {
  constexpr auto f = [](auto a, auto b) {
    constexpr auto steps = [](auto start, auto each, auto fixed) {
      return weft::scan([&](auto c, auto e) { return std::pair(tanh(c + e) + fixed, e); }, start,
                        each);
    };
    auto const low = matmul(b, b);
    return autocast<float>(steps)(a, matmul(b, low), weft::at<"0">(low));
  };
  weft::graph const g = weft::record<tensor<float, 4>, tensor<float, 4, 4>>(f);
  weft::graph const low = weft::autocast(g, weft::dtype::bf16);
  EXPECT_FALSE(weft::verify(low));
}
// A closure: the product of captured values is the region's, too.
TEST(autocast_region, closures) {
  expect_same(
      [](auto a, auto b) { return autocast<bf16>([&](auto c) { return matmul(a, b) + c; })(a); },
      [](auto a, auto b) { return product_in<bf16>(a, b) + a; }, "captured");
  expect_same(
      [](auto a, auto b) {
        auto loss = [&](auto q) {
          return autocast<bf16>([&](auto c) { return sum(matmul(a, b) * matmul(c, b)); })(q);
        };
        return weft::value_and_grad(loss)(a).second;
      },
      [](auto a, auto b) {
        auto loss = [&](auto q) {
          auto low = matmul(convert<bf16>(a), convert<bf16>(b));
          return sum(convert<float>(low * matmul(convert<bf16>(q), convert<bf16>(b))));
        };
        return weft::value_and_grad(loss)(a).second;
      },
      "captured, differentiated");
}

} // namespace

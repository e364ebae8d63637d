// SPDX-License-Identifier: BSL-1.0
// vmap at the traced door: axes, structures, keys, names, nesting; and that it is the loop (`map`
// along the leading axis, a scan) bit for bit through every kind of function.
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "recorded.hpp"
#include "support/meaning.hpp"
#include "transform/examples.hpp"

#include <weft/weft.hpp>

namespace {

using namespace weft;

constexpr sym rows{"rows"};

// f's two results have the same bits. The inputs are random floats; integers 0, 1, 2, ...
template <class... Args, class F> void expect_equal_results(F const& f) {
  graph const g = record<Args...>(f);
  ASSERT_EQ(g.error, trace_error::clean);
  ASSERT_FALSE(verify(g)) << name_of(verify(g).broken) << "\n" << print(g);
  growing<dense> inputs = test::random_inputs(g, 11);
  for (dense& x : inputs)
    for (int i = 0; i < x.size(); ++i) {
      if (x.type == dtype::i32) x[i] = word_of(i);
      if (x.type == dtype::f32) x[i] = word_of(0.37f * static_cast<float>(i % 23) - 3.1f);
    }
  growing<dense> const out = test::meaning_of(g, inputs);
  int const half = out.size() / 2;
  ASSERT_EQ(out.size(), 2 * half);
  EXPECT_TRUE(
      test::same_bits(0, g, view<dense>(out).part(0, half), view<dense>(out).part(half, half)));
}
// vmap(f) is map(f, xs).
template <class X, class F> void expect_loop(F const& f) {
  expect_equal_results<X>([&f](auto xs) { return std::pair(vmap(f)(xs), map(f, xs)); });
}

TEST(vmap_door, axes_of_arguments_and_results) {
  auto const f = [](auto x, auto w, auto y) { return tanh(matmul(x, w)) * sum(y) + y; };
  using X = tensor<float, 5, 2, 3>;
  using W = tensor<float, 3, 4>;
  using Y = tensor<float, 4, 5>;
  auto const all = [&f](auto x, auto w, auto y) { return vmap<0, none, 1>(f)(x, w, y); };
  static_assert(std::is_same_v<traced_result<decltype(all), X, W, Y>, traced<float, 5, 2, 4>>);
  graph const one = record<tensor<float, 2, 3>, W, tensor<float, 4>>(f);
  graph const g = record<X, W, Y>(all);
  growing<dense> const inputs = test::random_inputs(g, 5);
  int const axes[] = {0, -1, 1};
  growing<dense> const expected = test::looped(one, {axes, 3}, inputs, 5);
  EXPECT_TRUE(test::same_bits(5, g, test::meaning_of(g, inputs), expected));

  auto const last = [&f](auto x, auto w, auto y) {
    auto const behind = vmap<vmap_options{.out = -1}, 0, none, -1>(f)(x, w, y);
    static_assert(std::is_same_v<decltype(behind), traced<float, 2, 4, 5> const>);
    return std::pair(transpose<2, 0, 1>(behind), vmap<0, none, 1>(f)(x, w, y));
  };
  expect_equal_results<X, W, Y>(last);
  expect_equal_results<X, W, Y>([&f](auto x, auto w, auto y) {
    auto const between = vmap<vmap_options{.out = 1}, 0, none, 1>(f)(x, w, y);
    return std::pair(transpose<1, 0, 2>(between), vmap<0, none, 1>(f)(x, w, y));
  });
}

template <template <class, auto...> class array> struct layer {
  array<float, 3, 4> w;
  array<float, 4> b;
};
TEST(vmap_door, structures_go_in_and_come_out) {
  auto const update = [](auto p, auto x) {
    p.b = p.b + matmul(x, p.w);
    return std::tuple(p, std::array{x, x * 2}, none);
  };
  expect_equal_results<stacked<layer, 5>, tensor<float, 5, 3>>([&](auto ps, auto xs) {
    auto const looped = scan(
        [&](none_t, auto const& px) { return std::pair(none, update(px.first, px.second)); }, none,
        std::pair(ps, xs));
    return std::pair(vmap(update)(ps, xs), looped.second);
  });
}
TEST(vmap_door, captured_arrays_are_every_examples) {
  expect_equal_results<tensor<float, 6, 3>, tensor<float, 3>>([](auto xs, auto w) {
    auto const f = [w](auto x) { return dot(x, w) + w; };
    return std::pair(vmap(f)(xs), map(f, xs));
  });
}
TEST(vmap_door, names_count_examples_and_stand_inside) {
  auto const f = [](auto x) { return x / sum(x); };
  expect_loop<tensor<float, rows, 3>>(f);
  expect_loop<tensor<float, 4, rows>>(f);
}
TEST(vmap_door, nests) {
  auto const f = [](auto x, auto y) { return sum(x * y) - x; };
  expect_equal_results<tensor<float, 4, 5, 3>, tensor<float, 5, 3>>([&](auto xs, auto ys) {
    auto const inner = [&](auto x) { return vmap(f)(x, ys); };
    return std::pair(vmap(inner)(xs), vmap<vmap_options{.out = 1}, 1, 0>([&](auto x, auto y) {
                       return vmap<0, none>(f)(x, y);
                     })(xs, ys));
  });
}
TEST(vmap_door, keys_give_each_example_its_numbers) {
  expect_equal_results<key, tensor<float, 7>>([](auto k, auto x) {
    auto const f = [x](auto own) {
      auto const two = split(own);
      return std::pair(dropout(two[0], 0.4f, x), randint<3>(two[1], 0, 10));
    };
    auto const keys = split_keys<6>(k);
    auto const same = wrap_key_data(key_data(keys));
    return std::pair(vmap(f)(keys), map(f, same));
  });
}

// ---- loops

TEST(vmap_door, while_loops_stop_example_by_example) {
  auto const steps = [](auto n) { // Collatz, from n + 1
    auto const go = while_loop([](auto const& s) { return s.first != 1; },
                               [](auto const& s) {
                                 auto const odd = (s.first & 1) == 1;
                                 return std::pair(where(odd, s.first * 3 + 1, s.first / 2),
                                                  s.second + 1);
                               },
                               std::pair(n + 1, 0));
    return go.second;
  };
  expect_loop<tensor<int, 20>>(steps);
}
// Who is done would get NaN from one more step.
TEST(vmap_door, finished_examples_keep_their_values) {
  auto const f = [](auto n) {
    auto const state = while_loop([](auto const& s) { return s.first > 0; },
                                  [](auto const& s) {
                                    return std::pair(s.first - 1,
                                                     sqrt(convert<float>(s.first - 1)) +
                                                         s.second / convert<float>(s.first));
                                  },
                                  std::pair(n, 1.0f));
    return state.second;
  };
  expect_loop<tensor<int, 9>>(f);
}
// The inner loop ends for a live example only: a done one would count forever.
TEST(vmap_door, inner_loops_do_not_wait_for_finished_examples) {
  auto const f = [](auto n) {
    auto const outer = while_loop([](auto const& s) { return s.first < 8; },
                                  [](auto const& s) {
                                    auto const up = while_loop([](auto i) { return i != 8; },
                                                               [](auto i) { return i + 1; },
                                                               s.first + 0 * s.second);
                                    return std::pair(s.first + 1 + 0 * up, s.second + up);
                                  },
                                  std::pair(n * 3, n));
    return outer;
  };
  expect_loop<tensor<int, 5>>(f); // starts 0, 3, 6, 9, 12: the last two never enter
}
TEST(vmap_door, cond_takes_each_examples_branch) {
  auto const f = [](auto n) {
    auto const p = (n & 1) == 1;
    return cond(
        p, [](auto x) { return std::pair(x * 3, convert<float>(x) * 0.5f); },
        [](auto x) {
          auto const down = while_loop([](auto i) { return i != 0; }, [](auto i) { return i - 2; },
                                       x);
          return std::pair(down + x, 1.0f / convert<float>(x));
        },
        n);
  };
  expect_loop<tensor<int, 7>>(f); // odd numbers would step over 0
}
TEST(vmap_door, scans_nest) {
  auto const f = [](auto x) {
    auto const inner = [&](auto h, auto row) {
      auto const [last, ys] = scan<scan_options{.reverse = true}>(
          [&](auto c, auto e) { return std::pair(tanh(c + e * sum(x)), c); }, h, row);
      return std::pair(last, ys);
    };
    return scan(inner, 0.25f, x);
  };
  expect_loop<tensor<float, 5, 3, 4>>(f);
}

// ---- moves at places that differ

TEST(vmap_door, indices_that_differ) {
  expect_equal_results<tensor<float, 6, 4>, tensor<int, 6>>([](auto xs, auto is) {
    auto const f = [](auto x, auto i) {
      auto const window = dynamic_slice<2>(x, i - 1);
      return std::tuple(window, set<"$">(x, i, 9.0f), take<0>(x, i), at<"$">(x, i),
                        arg_sort(x) + i);
    };
    auto const looped = scan(
        [&](none_t, auto const& p) { return std::pair(none, f(p.first, p.second)); }, none,
        std::pair(xs, is));
    return std::pair(vmap(f)(xs, is), looped.second);
  });
}

// ---- transforms

constexpr auto error_of = [](auto w, auto x, auto y) {
  auto const d = tanh(matmul(x, w)) - y;
  return sum(d * d);
};
TEST(vmap_door, gradients_per_example) {
  using W = tensor<float, 3, 4>;
  using X = tensor<float, 5, 2, 3>;
  using Y = tensor<float, 5, 2, 4>;
  auto const one = value_and_grad(error_of);
  graph const g = record<W, X, Y>(vmap<none, 0, 0>(one));
  graph const example = record<W, tensor<float, 2, 3>, tensor<float, 2, 4>>(one);
  growing<dense> const inputs = test::random_inputs(g, 8);
  int const axes[] = {-1, 0, 0};
  growing<dense> const expected = test::looped(example, {axes, 3}, inputs, 5);
  EXPECT_TRUE(test::same_bits(8, g, test::meaning_of(g, inputs), expected));
}
// The gradient of the sum over examples, by what is theirs, is each one's gradient.
TEST(vmap_door, commutes_with_the_gradient_by_what_is_mapped) {
  expect_equal_results<tensor<float, 5, 2, 3>, tensor<float, 3, 4>, tensor<float, 2, 4>>(
      [](auto xs, auto w, auto y) {
        auto const by_x = [&](auto x) { return error_of(w, x, y); };
        auto const total = [&](auto all) { return sum(vmap(by_x)(all)); };
        return std::pair(value_and_grad(total)(xs).second, vmap(value_and_grad(by_x))(xs).second);
      });
}
// A gradient by a captured array, inside.
TEST(vmap_door, gradients_by_captured_arrays) {
  expect_equal_results<tensor<float, 3, 4>, tensor<float, 5, 2, 3>, tensor<float, 2, 4>>(
      [](auto w, auto xs, auto y) {
        auto const f = [&](auto x) {
          return value_and_grad([&](auto v) { return error_of(v, x, y); })(w).second;
        };
        return std::pair(vmap(f)(xs), map(f, xs));
      });
}
// f's value and tangent of every example, as a loop gives them.
template <class X, class F> void expect_tangents(F const& f) {
  expect_equal_results<X, X>([&f](auto xs, auto ts) {
    auto const one = [&f](auto p) { return jvp(f)(p.first, p.second); };
    return std::pair(vmap(jvp(f))(xs, ts), map(one, std::pair(xs, ts)));
  });
  expect_equal_results<X, X>(
      [&f](auto xs, auto ts) { return std::pair(jvp(vmap(f))(xs, ts), vmap(jvp(f))(xs, ts)); });
}
constexpr auto below = [](auto s) { return s < 100; };
constexpr auto doubled = [](auto s) { return s * 2; };
TEST(vmap_door, tangents_per_example) {
  expect_tangents<tensor<float, 5, 3>>(
      [](auto x) { return std::tuple(x * sum(x) + max(x), sort<0>(x), at<"1:">(tanh(x))); });
  expect_tangents<tensor<float, 9>>([](auto x) { return while_loop(below, doubled, x * x + 1); });
}
TEST(vmap_door, bounded_loops_in_reverse) {
  auto const f = [](auto x) {
    return while_loop<while_options{.most = 5}>(below, doubled, x * x + 1);
  };
  expect_loop<tensor<float, 9>>(grad(f));
  expect_equal_results<tensor<float, 9>>([&f](auto xs) {
    auto const total = [&f](auto all) { return sum(vmap(f)(all)); };
    return std::pair(grad(total)(xs), vmap(grad(f))(xs));
  });
}
TEST(vmap_door, jacobians_per_example) {
  expect_loop<tensor<float, 4, 3>>(jacobian([](auto x) { return tanh(x) * sum(x); }));
  expect_loop<tensor<float, 4, 3>>(hessian([](auto x) { return sum(exp(x) * x); }));
}
// w 2, with gradients that no differentiation would give: x's is one though w 2 lacks x, and w's
// is the same for every example.
constexpr auto twisted = custom_vjp(
    [](auto, auto w) { return w * 2; }, [](auto x, auto w) { return std::pair(w * 2, x); },
    [](auto kept, auto ct) { return std::tuple(ct * kept, zeros_like(ct) + 1); });
TEST(vmap_door, gradients_of_the_users_per_example) {
  auto const loss = [](auto x, auto w) { return sum(twisted(x, w) * cos(x)); };
  expect_equal_results<tensor<float, 5, 3>, tensor<float, 3>>([&loss](auto xs, auto w) {
    auto const one = [&](auto x) { return grad<0, 1>(loss)(x, w); };
    return std::pair(vmap(one)(xs), map(one, xs));
  });
  expect_equal_results<tensor<float, 5, 3>, tensor<float, 3>>([&loss](auto xs, auto w) {
    auto const total = [&](auto all, auto v) { return sum(vmap<0, none>(loss)(all, v)); };
    auto const each = vmap<0, none>(grad<0, 1>(loss))(xs, w);
    return std::pair(grad<0, 1>(total)(xs, w),
                     std::tuple(std::get<0>(each), sum<0>(std::get<1>(each))));
  });
}
TEST(vmap_door, autocast_inside_and_outside) {
  auto const f = [](auto x) { return exp(matmul(x, x) * 0.125f); };
  expect_loop<tensor<float, 4, 3, 3>>(autocast<bf16>(f));
  expect_equal_results<tensor<float, 4, 3, 3>>(
      [&](auto xs) { return std::pair(vmap(autocast<bf16>(f))(xs), autocast<bf16>(vmap(f))(xs)); });
}

} // namespace

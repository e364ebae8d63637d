// SPDX-License-Identifier: BSL-1.0
// while_loop, fori_loop and cond of traced values, and their derivatives.
#include "recorded.hpp"
#include "support/meaning.hpp"
#include "support/text_of.hpp"

#include <weft/graph/print.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/while.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/weft.hpp>

#include <string>

namespace {

using namespace weft;
using recorded::list, recorded::numbers, recorded::values;

constexpr sym rows{"rows"};

TEST(while_loop, runs_while_the_condition_holds) {
  auto const doubled = [](auto x) {
    return while_loop([](auto s) { return s < 100; }, [](auto s) { return s * 2; }, x);
  };
  EXPECT_EQ(values<int>(doubled, 3), (list<int>{192}));
  EXPECT_EQ(values<int>(doubled, 100), (list<int>{100})); // no step
}
// Euclid, with a state of two and a captured value.
TEST(while_loop, keeps_structures_and_captures) {
  auto const gcd = [](auto a, auto b, auto scale) {
    auto const last = while_loop(
        [](auto const& s) { return s.second != 0; },
        [](auto const& s) { return std::pair(s.second, s.first - s.first / s.second * s.second); },
        std::pair(a, b));
    return while_loop([&](auto x) { return sum(x) < scale; },
                      [&](auto x) { return x + convert<float>(last.first); }, scale * 0.125f);
  };
  EXPECT_EQ(values<float>(gcd, 48, 18, 64.0f), (list<float>{68}));
}
TEST(while_loop, fori) {
  auto const constant_bounds = [](auto x) {
    return fori_loop(
        2, 5, [&](auto i, auto s) { return s * x + convert<float>(i); }, x);
  };
  EXPECT_EQ(values<float>(constant_bounds, 2.0f), (list<float>{((2 * 2 + 2) * 2 + 3) * 2 + 4}));
  auto const bound = [](auto n, auto x) {
    return fori_loop(
        1, n, [](auto i, auto s) { return s * convert<float>(i); }, x);
  };
  EXPECT_EQ(values<float>(bound, 5, 1.0f), (list<float>{24}));
  EXPECT_EQ(values<float>(bound, 0, 1.0f), (list<float>{1}));
  auto const none = [](auto x) {
    return fori_loop(
        3, 3, [](auto, auto s) { return s * 2; }, x);
  };
  EXPECT_EQ(values<int>(none, 7), (list<int>{7}));
}
// Loops that start from makers and numbers alone: what their bodies capture is traced.
TEST(loops, from_makers) {
  tensor<float, 2> const x = {1, 3}; // sum 4
  auto const steps = [](auto t) {
    return fori_loop(
        0, 3, [&](auto i, auto s) { return s + sum(t) * convert<float>(i); }, 0.5f);
  };
  EXPECT_EQ(values<float>(steps, x), (list<float>{12.5f}));
  auto const kept = [](auto t) {
    return scan<scan_options{.length = 4}>(
        [&](auto c, auto) { return std::pair(c * 0.5f + sum(t), c); }, zeros<float>(), none);
  };
  auto const both = recorded::run(kept, x);
  EXPECT_EQ(numbers<float>(both[0]), (list<float>{7.5f}));
  EXPECT_EQ(numbers<float>(both[1]), (list<float>{0, 4, 6, 7}));
  auto const grown = [](auto t) {
    return while_loop([](auto c) { return c < 100; }, [&](auto c) { return c * 2 + sum(t); }, 1.0f);
  };
  EXPECT_EQ(values<float>(grown, x), (list<float>{156})); // 1 6 16 36 76 156
  auto const until = [](auto t) {
    return while_loop([&](auto c) { return c < sum(t); }, [](auto c) { return c + 3; },
                      zeros<float>());
  };
  EXPECT_EQ(values<float>(until, x), (list<float>{6}));
  auto const rows_of = [](auto t) {
    return map([&](auto k) { return t * k; }, arange<float, 3>());
  };
  EXPECT_EQ(values<float>(rows_of, x), (list<float>{0, 0, 1, 3, 2, 6}));
  auto const chosen = [](auto t) {
    return cond(
        true, [&] { return t + 1; }, [&] { return t; });
  };
  EXPECT_EQ(values<float>(chosen, x), (list<float>{2, 4}));
  auto const slope = [steps](auto t) {
    return value_and_grad([steps](auto y) { return steps(y); })(t).second;
  };
  EXPECT_EQ(values<float>(slope, x), (list<float>{3, 3}));
}
TEST(cond, takes_one_branch) {
  auto const f = [](auto p, auto x) {
    return cond(
        p > 0, [](auto y) { return std::pair(y * 2, sum(y)); },
        [&](auto y) { return std::pair(y - convert<float>(p), zeros<float>()); }, x);
  };
  tensor<float, 2> const x = {3, 4};
  EXPECT_EQ(numbers<float>(recorded::run(f, 1, x)[0]), (list<float>{6, 8}));
  EXPECT_EQ(numbers<float>(recorded::run(f, 1, x)[1]), (list<float>{7}));
  EXPECT_EQ(numbers<float>(recorded::run(f, -1, x)[0]), (list<float>{4, 5}));
  EXPECT_EQ(numbers<float>(recorded::run(f, -1, x)[1]), (list<float>{0}));
}
TEST(cond, by_a_number_of_the_trace) {
  auto const f = [](auto x) {
    return cond(
        false, [](auto a) { return a * 2; }, [](auto a) { return a - 1; }, x);
  };
  EXPECT_EQ(values<float>(f, 3.0f), (list<float>{2}));
  EXPECT_EQ((record<float>(f).regions.size()), 1);
}
// Nothing leaves a branch; what a loop repeats leaves a while.
TEST(cond, keeps_its_work_inside) {
  auto const work = [](auto a) { return sum(exp(a)); };
  auto const f = [&](auto p, auto x) {
    return cond(
        p, work, [](auto a) { return sum(a); }, x);
  };
  graph const g = optimise(record<bool, tensor<float, 4>>(f));
  EXPECT_FALSE(verify(g));
  for (int id = 0; id < g.size(); ++id)
    EXPECT_FALSE(g[id].region == 0 && (g[id].code == op::exp || g[id].code == op::reduce_sum));
  auto const repeated = [&](auto x) {
    return while_loop([](auto s) { return s < 100; }, [&](auto s) { return s + work(x); }, sum(x));
  };
  graph const h = optimise(record<tensor<float, 4>>(repeated));
  EXPECT_FALSE(verify(h));
  for (int id = 0; id < h.size(); ++id) EXPECT_FALSE(h[id].code == op::exp && h[id].region != 0);
}
TEST(cond, a_branch_may_draw) {
  auto const f = [](auto p, auto k) {
    return cond(
        p, [](auto key) { return uniform<2>(key); }, [](auto) { return zeros<float, 2>(); }, k);
  };
  EXPECT_EQ(numbers<float>(recorded::run(f, true, key(3))[0]),
            values<float>([](auto k) { return uniform<2>(k); }, key(3)));
}

// Of both branches, of values that both use, and through a product.
TEST(grad, of_cond) {
  auto const value = [](auto x, auto y, auto p) {
    auto r = cond(
        p, [](auto a, auto b) { return a * b + a; }, [](auto a, auto) { return a * a; }, x, y);
    return sum(r * r) + sum(x);
  };
  auto const f = [&](auto x, auto y, auto p) {
    return value_and_grad<0, 1>([&](auto a, auto b) { return value(a, b, p); })(x, y);
  };
  tensor<float, 2> const x = {2, 3}, y = {5, -1};
  auto const yes = recorded::run(f, x, y, true), no = recorded::run(f, x, y, false);
  // r = x (y + 1): 2 r (y + 1) + 1, 2 r x; r = x^2: 4 x^3 + 1, 0
  EXPECT_EQ(numbers<float>(yes[0]), (list<float>{149}));
  EXPECT_EQ(numbers<float>(yes[1]), (list<float>{145, 1}));
  EXPECT_EQ(numbers<float>(yes[2]), (list<float>{48, 0}));
  EXPECT_EQ(numbers<float>(no[1]), (list<float>{33, 109}));
  EXPECT_EQ(numbers<float>(no[2]), (list<float>{0, 0}));
  graph const g = optimise(record<tensor<float, 2>, tensor<float, 2>, bool>(f));
  EXPECT_FALSE(verify(g)) << name_of(verify(g).broken) << print(g);
}
// A derivative of a derivative, and a branch inside a scan.
TEST(grad, of_cond_twice_and_in_loops) {
  auto const cube = [](auto x) {
    return cond(
        x > 0, [](auto a) { return a * a * a; }, [](auto a) { return -a; }, x);
  };
  auto const second = [&](auto x) {
    auto const slope = [&](auto y) { return value_and_grad(cube)(y).second; };
    return value_and_grad(slope)(x);
  };
  EXPECT_EQ(numbers<float>(recorded::run(second, 2.0f)[0]), (list<float>{12}));
  EXPECT_EQ(numbers<float>(recorded::run(second, 2.0f)[1]), (list<float>{12}));
  EXPECT_EQ(numbers<float>(recorded::run(second, -2.0f)[1]), (list<float>{0}));
  auto const looped = [&](auto x, auto w) {
    return value_and_grad<0, 1>([&](auto a, auto b) {
      return scan([&](auto c, auto e) { return std::pair(c + b * cube(e), none); }, zeros<float>(),
                  a)
          .first;
    })(x, w);
  };
  auto const out = recorded::run(looped, tensor<float, 3>{1, -2, 3}, 2.0f);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{60}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{6, -2, 54}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{30}));
}
// A branch, and a loop, that return what they captured as it is.
TEST(grad, of_captured_results) {
  auto const kept = [](auto x, auto p) {
    return value_and_grad([&](auto a) {
      return cond(
          p, [](auto b) { return b * b; }, [&](auto) { return a; }, a);
    })(x);
  };
  EXPECT_EQ(numbers<float>(recorded::run(kept, 3.0f, false)[1]), (list<float>{1}));
  EXPECT_EQ(numbers<float>(recorded::run(kept, 3.0f, true)[1]), (list<float>{6}));
  auto const looped = [](auto x) {
    recorder& r = *x.value.where;
    growing<handle> operands(1, r.localised(constant(r, 1, dtype::f32, {}))); // c' = x
    int const body = r.begin_body();
    r.parameter(dtype::f32, {});
    operands.append(r.end_body(body, {&x.value, 1}));
    return traced<float>{detail::record_loop(r, body, {.carries = 1, .length = 2}, operands)[0]};
  };
  graph const g = canonical(record<float>(looped)); // not hoisted
  int const first = 0;
  growing<dense> in;
  in.push(dense(dtype::f32, {}, recorded::word_of(3.0f)));
  EXPECT_EQ(numbers<float>(test::meaning_of(value_and_grad(g, {&first, 1}), in)[1]),
            (list<float>{1}));
}
TEST(grad, of_a_loop_with_constant_bounds) {
  auto const power = [](auto x) {
    return value_and_grad([](auto a) {
      return fori_loop(
          0, 4, [&](auto, auto s) { return s * a; }, a);
    })(x);
  };
  EXPECT_EQ(numbers<float>(recorded::run(power, 2.0f)[1]), (list<float>{80}));
}
TEST(grad, of_a_while_loop_is_refused) {
  auto const loop = [](auto a) {
    return while_loop([](auto s) { return s < 9; }, [](auto s) { return s * 2; }, a);
  };
  auto const refused = [&](auto x) { return value_and_grad(loop)(x); };
  EXPECT_EQ(record<float>(refused).error, trace_error::while_reversed);
  auto const counts = [&](auto x) { // nothing to derive
    return value_and_grad([&](auto a) { return a * stop_gradient(loop(a)); })(x);
  };
  EXPECT_EQ(numbers<float>(recorded::run(counts, 2.0f)[1]), (list<float>{16}));
}
TEST(while_loop, named_extents) {
  tensor<float, rows> x(3);
  for (float& e : x.mutate()) e = 1;
  auto const f = [](auto a) {
    return while_loop([](auto s) { return sum(s) < 20; }, [](auto s) { return s + s; }, a);
  };
  EXPECT_EQ(values<float>(f, x), (list<float>{8, 8, 8}));
}

TEST(while_loop, bounded_from_numbers_in_a_trace) {
  auto const f = [](auto x) {
    return while_loop<while_options{.most = 8}>([&](auto s) { return s < x; },
                                                [&](auto s) { return s + x * 0.25f; }, 0.0f);
  };
  EXPECT_EQ(values<float>(f, 4.0f), (list<float>{4}));
  auto const by_condition = [](auto x) {
    return while_loop<while_options{.most = 3}>([&](auto s) { return s < x; },
                                                [](auto s) { return s + 1; }, 0.0f) +
           x;
  };
  EXPECT_EQ(values<float>(by_condition, 9.0f), (list<float>{12}));
  auto const g = [&](auto x) { return grad(f)(x); };
  EXPECT_EQ(values<float>(g, 4.0f), (list<float>{1}));
}

// Outside of a trace names are compared when the loop runs; jit sees them in its arguments.
constexpr sym wide{"wide"};
constexpr sym twice{"twice"};
std::string two_numbers(char const* op) {
  return std::string("weft: ").append(op).append(
      ": a name has two numbers; give all arrays the same: wide is 2 and 5");
}
TEST(immediate_loops, a_name_has_one_number) {
  tensor<float, wide> const a(2), b(5);
  auto const same = [](auto s) { return s; };
  auto const stop = [](auto) { return false; };
  using test::text_of;
  EXPECT_EQ(text_of<shape_error>([&] { while_loop(stop, same, std::pair(a, b)); }),
            two_numbers("while_loop"));
  EXPECT_EQ(text_of<shape_error>([&] {
              fori_loop(
                  0, 0, [](auto, auto s) { return s; }, std::pair(a, b));
            }),
            two_numbers("fori_loop"));
  auto const first = [](auto x, auto) { return x; };
  EXPECT_EQ(text_of<shape_error>([&] { cond(true, first, first, a, b); }), two_numbers("cond"));
}
TEST(immediate_loops, a_step_keeps_the_numbers) {
  tensor<float, wide> const a(2), b(5);
  using test::text_of;
  auto const other = [&](auto, auto) { return b; };
  EXPECT_EQ(text_of<shape_error>([&] { fori_loop(0, 1, other, a); }), two_numbers("fori_loop"));
  EXPECT_EQ(text_of<shape_error>([&] {
              int steps = 0;
              while_loop([&steps](auto) { return steps++ < 1; }, [&](auto) { return b; }, a);
            }),
            two_numbers("while_loop"));
  tensor<float, twice, wide> const x(3, 2), y(3, 5);
  EXPECT_EQ(text_of<shape_error>([&] { associative_scan([&](auto, auto) { return y; }, x); }),
            two_numbers("associative_scan"));
}
TEST(immediate_loops, bounds_beyond_int) {
  auto const more = [](auto, auto s) { return s + 1; };
  constexpr std::int64_t end = std::int64_t{1} << 31;
  EXPECT_EQ((tensor<int>(fori_loop(end - 8, end, more, tensor<int>(0)))()), 8);
  EXPECT_EQ((tensor<int>(fori_loop(tensor<std::int64_t>(3), 5, more, tensor<int>(0)))()), 2);
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// scan: values of the field's test suites, structures, captures, layers, keys.
#include "recorded.hpp"
#include "support/text_of.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/weft.hpp>

namespace {

using weft::growing;
using recorded::list, recorded::numbers, recorded::run;
using weft::scan_options, weft::stacked, weft::sym, weft::tensor, weft::traced;

template <class X> X any() { return X{}; }
constexpr sym steps{"steps"};

constexpr auto add_up = [](auto c, auto x) { return std::pair(c + x, c + x); };
using up = decltype(weft::scan(add_up, any<traced<float, 2>>(), any<traced<float, 3, 2>>()));
static_assert(std::is_same_v<up, std::pair<traced<float, 2>, traced<float, 3, 2>>>);
using named = decltype(weft::scan(add_up, 0.0f, any<traced<float, steps>>()));
static_assert(std::is_same_v<named, std::pair<traced<float>, traced<float, steps>>>);

tensor<float, 3, 2> const xs = {{1, 2}, {3, 4}, {5, 6}};

TEST(scan, running_sum) {
  auto const out = run([](auto h, auto x) { return weft::scan(add_up, h, x); }, tensor<float, 2>{},
                       xs);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{9, 12}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{1, 2, 4, 6, 9, 12}));
}
TEST(scan, reverse_keeps_positions) {
  auto const out = run(
      [](auto x) { return weft::scan<scan_options{.reverse = true}>(add_up, 0.0f, x); },
      tensor<float, 6>{3, 1, 4, 1, 5, 9});
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{23}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{23, 20, 19, 15, 14, 9}));
}
// torch_xla's test_scan_tuples.
TEST(scan, structures) {
  auto const f = [](auto init, auto x) {
    return weft::scan(
        [](auto c, auto v) {
          auto c1 = c.first + sum(v.first);
          auto c2 = c.second + sum(v.second);
          return std::pair(std::pair(c1, c2),
                           std::tuple(v.first * 2 + sum(c1), v.second * 2 + sum(c2)));
        },
        init, x);
  };
  std::pair const init(tensor<float, 1>{0}, tensor<float, 2>{1, 2});
  std::pair const x(tensor<float, 2, 2>{{1, 2}, {3, 4}},
                    tensor<float, 2, 3>{{5, 6, 7}, {8, 9, 10}});
  auto const out = run(f, init, x);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{10}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{46, 47}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{5, 7, 16, 18}));
  EXPECT_EQ(numbers<float>(out[3]), (list<float>{49, 51, 53, 109, 111, 113}));
}
TEST(scan, captured_values_are_constants_of_the_loop) {
  auto const f = [](auto h, auto x, auto w) {
    auto twice = w * 2;
    return weft::scan([&](auto c, auto v) { return std::pair(c * twice + v, weft::none); }, h, x);
  };
  auto const out = run(f, tensor<float, 2>{1, 1}, xs, tensor<float>(0.5f));
  ASSERT_EQ(out.size(), 1);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{10, 13}));
}
TEST(scan, no_xs_but_a_length) {
  auto const f = [](auto start) {
    return weft::scan<scan_options{.length = 8}>([](auto c, auto) { return std::pair(c + 1, c); },
                                                 start, weft::none);
  };
  auto const out = run(f, 3);
  EXPECT_EQ(numbers<int>(out[0]), (list<int>{11}));
  EXPECT_EQ(numbers<int>(out[1]), (list<int>{3, 4, 5, 6, 7, 8, 9, 10}));
}
TEST(scan, length_zero_gives_init_and_empty_ys) {
  auto const out = run([](auto h, auto x) { return weft::scan(add_up, h, x); }, tensor<float>(5),
                       tensor<float, 0>{});
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{5}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{}));
}
// Without a call of the body.
TEST(scan, no_step_of_tensors_gives_ys_their_named_extents) {
  constexpr sym wide{"wide"};
  bool called = false;
  auto const body = [&called](auto c, auto x) {
    called = true;
    return std::pair(c + x, std::tuple(c * x, weft::sum<0>(x)));
  };
  tensor<float, wide> const h = {1, 2, 3};
  auto const [last, ys] = weft::scan(body, h, tensor<float, steps, wide>(0, 3));
  EXPECT_TRUE(last == h);
  EXPECT_EQ(std::get<0>(ys).extent(0), 0);
  EXPECT_EQ(std::get<0>(ys).extent(1), 3);
  EXPECT_EQ(std::get<1>(ys).extent(0), 0);
  EXPECT_FALSE(called);
}
// Names that carry and xs do not have: the body is asked once.
TEST(scan, no_step_of_tensors_asks_the_body_for_other_names) {
  constexpr sym wide{"wide"}, deep{"deep"}, both{"both"}, rest{"rest"};
  int calls = 0;
  tensor<float, deep> const w = {1, 2, 3, 4};
  auto const body = [&](auto c, auto x) {
    ++calls;
    return std::pair(weft::eval(c + x),
                     std::tuple(w * 2, weft::concat<0, both>(c, x), weft::at<"1:", rest>(x)));
  };
  tensor<float, wide> const h = {5, 6, 7};
  auto const [last, ys] = weft::scan(body, h, tensor<float, steps, wide>(0, 3));
  EXPECT_TRUE(last == h);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(std::get<0>(ys).shape(), (weft::extents{2, {0, 4}}));
  EXPECT_EQ(std::get<1>(ys).shape(), (weft::extents{2, {0, 6}}));
  EXPECT_EQ(std::get<2>(ys).shape(), (weft::extents{2, {0, 2}}));
}
TEST(scan, a_name_has_one_number_in_carry_and_xs) {
  constexpr sym wide{"wide"};
  auto const body = [](auto c, auto x) { return std::pair(c * 2, weft::sum<0>(x)); };
  tensor<float, wide> const h = {1, 2};
  for (int length : {0, 1, 3}) {
    tensor<float, steps, wide> const x(length, 3);
    EXPECT_EQ(test::text_of<weft::shape_error>([&] { weft::scan(body, h, x); }),
              "weft: scan: a name has two numbers; give all arrays the same: wide is 2 and 3");
  }
}
TEST(scan, keys_in_ys_of_tensors) {
  constexpr auto draw = [](auto start) {
    return weft::scan<scan_options{.length = 3}>(
        [](auto k, auto) {
          auto const [next, used] = weft::split(k);
          return std::pair(next, std::pair(used, weft::bits(weft::fold_in(used, 1))));
        },
        start, weft::none);
  };
  auto const now = draw(weft::key(7));
  auto const compiled = weft::jit<draw>(weft::key(7));
  static_assert(std::is_same_v<decltype(now), decltype(compiled) const>);
  EXPECT_TRUE(now.first == compiled.first);
  EXPECT_TRUE(now.second.first == compiled.second.first);
  EXPECT_TRUE(now.second.second == compiled.second.second);
  auto const mapped = weft::map([](auto x) { return weft::key(int(x())); }, tensor<int, 2>{3, 4});
  constexpr scan_options no_step{.length = 0}, back{.reverse = true, .length = 3};
  auto const two = [](auto k, auto) {
    auto const [next, used] = weft::split(k);
    return std::pair(next, used);
  };
  EXPECT_EQ(weft::scan<no_step>(two, weft::key(7), weft::none).second.shape(),
            (weft::extents{2, {0, 2}}));
  auto const reversed = weft::scan<back>(two, weft::key(7), weft::none).second;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(reversed(i, 1), now.second.first(2 - i, 1));
  EXPECT_TRUE(mapped == (tensor<std::uint32_t, 2, 2>{{0, 3}, {0, 4}}));
}
// What the body gives is compared, too: it would be written beside its place.
TEST(scan, a_name_has_one_number_in_what_steps_give) {
  constexpr sym wide{"wide"}, both{"both"};
  char const* const says =
      "weft: scan: a name has two numbers; give all arrays the same: wide is 2 and 5";
  tensor<float, wide> const h = {1, 2}, w(5);
  auto const text_of = [&](auto const& body, int steps_taken) {
    tensor<float, steps> const x(steps_taken);
    return test::text_of<weft::shape_error>([&] { weft::scan(body, h, x); });
  };
  for (int n : {1, 2}) {
    EXPECT_EQ(text_of([&](auto, auto x) { return std::pair(w * 2, w * x); }, n), says);
    EXPECT_EQ(text_of([&](auto c, auto x) { return std::pair(c * x, w * 2); }, n), says);
  }
  auto const grows = [&](auto c, auto x) {
    return std::pair(c, tensor<float, both>(x() > 0 ? 7 : 3));
  };
  EXPECT_EQ(test::text_of<weft::shape_error>([&] {
              weft::scan(grows, h, tensor<float, 3>{0, 0, 1});
            }),
            "weft: scan: a name has two numbers; give all arrays the same: both is 3 and 7");
}
TEST(scan, numbers_and_makers_in_init_and_results) {
  auto const f = [](auto x) {
    return weft::scan(
        [](auto c, auto v) {
          return std::pair(std::tuple(std::get<0>(c) + 1, std::get<1>(c) + v, 0.5f),
                           weft::ones<int, 2>());
        },
        std::tuple(0, weft::zeros<float, 2>(), 1.0f), x);
  };
  auto const out = run(f, xs);
  EXPECT_EQ(numbers<int>(out[0]), (list<int>{3}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{9, 12}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{0.5f}));
  EXPECT_EQ(numbers<int>(out[3]), (list<int>{1, 1, 1, 1, 1, 1}));
}
TEST(scan, nested) {
  auto const f = [](auto x, auto w) {
    return weft::scan(
        [&](auto c, auto row) {
          auto inner = weft::scan([&](auto d, auto v) { return std::pair(d + v * w, d); }, c, row);
          return std::pair(inner.first, inner.second);
        },
        0.0f, x);
  };
  auto const out = run(f, xs, tensor<float>(10));
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{210}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{0, 10, 30, 60, 100, 150}));
}
TEST(scan, named_length) {
  auto const f = [](auto x) { return weft::scan(add_up, 0.0f, x); };
  auto const out = run(f, tensor<float, steps>{{2, 3}});
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{2, 5}));
}

template <template <class, auto...> class array> struct layer {
  array<float, 2, 2> w;
  array<float, 2> b;
};
TEST(scan, layers_stacked_in_one_struct) {
  auto const f = [](auto h, auto blocks) {
    return weft::scan(
        [](auto c, auto l) {
          auto n = weft::einsum<"i,ij->j">(c, l.w) + l.b;
          return std::pair(n, l);
        },
        h, blocks);
  };
  using blocks_type = stacked<layer, 2>;
  using result = decltype(f(any<traced<float, 2>>(), any<weft::traced_type<blocks_type>>()));
  static_assert(std::is_same_v<result, std::pair<traced<float, 2>, stacked<layer, 2, traced>>>);
  blocks_type blocks{{{{1, 1}, {0, 1}}, {{2, 0}, {0, 2}}}, {{10, 20}, {1, 2}}};
  auto const out = run(f, tensor<float, 2>{1, 2}, blocks);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{23, 48}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{10, 20, 1, 2}));
}
// keys: one per step, or fold_in of the step's number.
TEST(scan, keys) {
  auto const over_keys = [](auto k) {
    return weft::scan([](auto c, auto mine) { return std::pair(c, weft::bits(mine)); }, 0,
                      weft::split_keys<3>(k))
        .second;
  };
  auto const by_hand = [](auto k) {
    auto ks = split<3>(k);
    return std::tuple(weft::bits(ks[0]), weft::bits(ks[1]), weft::bits(ks[2]));
  };
  auto const folded = [](auto k) {
    return weft::scan<scan_options{.length = 3}>(
               [&](auto i, auto) { return std::pair(i + 1, weft::bits(weft::fold_in(k, i))); },
               weft::convert<int>(weft::bits(weft::fold_in(k, 0)) & 0u), weft::none)
        .second;
  };
  auto const a = run(over_keys, weft::key(7)), b = run(by_hand, weft::key(7));
  auto const c = run(folded, weft::key(7));
  using words = list<std::uint32_t>;
  words const expected = {numbers<std::uint32_t>(b[0])[0], numbers<std::uint32_t>(b[1])[0],
                          numbers<std::uint32_t>(b[2])[0]};
  EXPECT_EQ(numbers<std::uint32_t>(a[0]), expected);
  EXPECT_EQ(numbers<std::uint32_t>(c[0]), expected); // split(k)[i] == fold_in(k, i)
}

TEST(scan, a_value_that_escapes_its_body_is_an_error) {
  auto const f = [](auto x) {
    traced<float> kept;
    weft::scan(
        [&](auto c, auto v) {
          kept = v;
          return std::pair(c + v, weft::none);
        },
        0.0f, x);
    return kept + 1;
  };
  weft::graph const g = weft::record<tensor<float, 3>>(f);
  EXPECT_EQ(g.error, weft::trace_error::escaping_value);
}
// A loop over outer values whose body uses values of a nested recorder is recorded in that one.
TEST(scan, is_recorded_by_the_running_function) {
  weft::recorder outer;
  traced<float, 3> x{outer.input(weft::dtype::f32, {1, {3}}, {0, 0, false})};
  traced<float> q{outer.input(weft::dtype::f32, {}, {1, 0, false})};
  {
    weft::recorder inner(&outer);
    traced<float> p{inner.input(weft::dtype::f32, {}, {0, 0, false})};
    auto r = weft::scan([&](auto c, auto v) { return std::pair(c * p + v * q, weft::none); }, 0.0f,
                        x);
    EXPECT_EQ(r.first.value.where, &inner);
    weft::handle const out[] = {r.first.value};
    inner.finish({out, 1});
    EXPECT_EQ(inner.result.error, weft::trace_error::clean);
    EXPECT_FALSE(weft::verify(inner.result)) << static_cast<int>(weft::verify(inner.result).broken);
    EXPECT_EQ(inner.result.inputs.size(), 3); // p, and the outer function's x and q
  }
  EXPECT_EQ(&outer.innermost(), &outer);
}

// Unrolled: the rolled loop's bits, forward and backward.
template <scan_options O> struct turns {
  constexpr auto operator()(auto h, auto x, auto w) const {
    auto const step = [w](auto c, auto v) {
      auto n = tanh(weft::einsum<"i,ij->j">(c.first, w) + v);
      return std::pair(std::pair(n, c.second * 0.75f + weft::sum(v)), std::pair(n, c.second));
    };
    auto r = weft::scan<O>(step, std::pair(h, weft::sum(h)), x);
    return std::pair(r.first, r.second);
  }
};
template <scan_options O> struct loss_of_turns {
  constexpr auto operator()(auto h, auto x, auto w) const {
    auto r = turns<O>{}(h, x, w);
    auto at_end = weft::sum(r.first.first * r.first.first) + r.first.second;
    return at_end + weft::sum(r.second.first) + weft::sum(r.second.second * 0.125f);
  }
};
template <scan_options O, class X> std::vector<growing<weft::word>> words_of_turns(X const& x) {
  tensor<float, 3> const h{0.1f, -0.7f, 0.3f};
  tensor<float, 3, 3> const w{{0.2f, -0.4f, 1.1f}, {0.9f, 0.3f, -0.6f}, {-1.2f, 0.5f, 0.8f}};
  std::vector<growing<weft::word>> all;
  for (weft::dense const& d : run(turns<O>{}, h, x, w)) all.push_back(d.words);
  auto const both = weft::value_and_grad<0, 1, 2>(loss_of_turns<O>{});
  for (weft::dense const& d : run(both, h, x, w)) all.push_back(d.words);
  return all;
}
template <bool Reverse, class X> void expect_turns(X const& x) {
  constexpr auto with = [](int unroll) {
    return scan_options{.reverse = Reverse, .unroll = unroll};
  };
  auto const rolled = words_of_turns<with(1)>(x);
  auto const same = [&rolled](std::vector<growing<weft::word>> const& is, int unroll) {
    ASSERT_EQ(is.size(), rolled.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
      ASSERT_EQ(is[i].size(), rolled[i].size());
      for (int k = 0; k < is[i].size(); ++k)
        ASSERT_EQ(is[i][k], rolled[i][k])
            << "unroll " << unroll << " output " << i << " word " << k;
    }
  };
  same(words_of_turns<with(2)>(x), 2);
  same(words_of_turns<with(3)>(x), 3);
  same(words_of_turns<with(5)>(x), 5);
  same(words_of_turns<with(9)>(x), 9);
}
template <int N> tensor<float, N, 3> some_steps() {
  tensor<float, N, 3> x;
  auto m = x.mutate();
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < 3; ++k) m(i, k) = static_cast<float>((i * 7 + k * 5) % 11 - 5) / 8;
  return x;
}
TEST(scan, unrolled_keeps_values_and_gradients) {
  expect_turns<false>(some_steps<7>());
  expect_turns<true>(some_steps<7>());
  expect_turns<false>(some_steps<0>());
}

template <int Unroll, int N> weft::graph unrolled_sum() {
  return weft::record<tensor<float, N>>(
      [](auto x) { return weft::scan<scan_options{.unroll = Unroll}>(add_up, 0.0f, x); });
}
std::vector<int> loop_lengths(weft::graph const& g) {
  EXPECT_FALSE(weft::verify(g));
  std::vector<int> lengths;
  for (int i = 0; i < g.size(); ++i)
    if (g[i].code == weft::op::scan)
      lengths.push_back(static_cast<int>(weft::loop_of(g, i).length));
  return lengths;
}
TEST(scan, unrolled_loops_have_fewer_turns) {
  EXPECT_EQ(loop_lengths(unrolled_sum<1, 12>()), (list<int>{12}));
  EXPECT_EQ(loop_lengths(unrolled_sum<4, 12>()), (list<int>{3}));
  EXPECT_EQ(loop_lengths(unrolled_sum<5, 12>()), (list<int>{2}));
  EXPECT_EQ(loop_lengths(unrolled_sum<7, 12>()), list<int>{}); // one turn, five steps behind it
  EXPECT_EQ(loop_lengths(unrolled_sum<12, 12>()), list<int>{});
  EXPECT_EQ(loop_lengths(unrolled_sum<99, 12>()), list<int>{});
  EXPECT_EQ(loop_lengths(unrolled_sum<4, 0>()), (list<int>{0}));
}
TEST(scan, unrolled_loops_nest) {
  auto const f = [](auto x) {
    auto const row = [](auto c, auto v) {
      auto r = weft::scan<scan_options{.reverse = true, .unroll = 2}>(add_up, c, v);
      return std::pair(r.first, r.second);
    };
    return weft::scan<scan_options{.unroll = 3}>(row, 0.0f, x);
  };
  auto const out = run(f, tensor<float, 4, 3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}});
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{78}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{6, 5, 3, 21, 17, 12, 45, 38, 30, 78, 68, 57}));
}
TEST(scan, unrolled_loops_of_tensors) {
  auto const r = weft::scan<scan_options{.reverse = true, .unroll = 4}>(
      add_up, 0.0f, tensor<float, 6>{3, 1, 4, 1, 5, 9});
  EXPECT_EQ(r.first(), 23.0f);
  EXPECT_EQ(r.second(0), 23.0f);
}

} // namespace

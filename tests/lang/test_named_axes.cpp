// SPDX-License-Identifier: BSL-1.0
// Movement along an axis that has a name: ranges, roll, repeat, tile, diff, pad, split, ravel,
// against definitions over lists; types, and what the run refuses.
#include "recorded.hpp"

#include "support/text_of.hpp"

#include <weft/lang/joining.hpp>
#include <weft/lang/padding.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/repetition.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <algorithm>

namespace {

using recorded::list, recorded::values;
using weft::at, weft::padding, weft::pad_mode, weft::sym, weft::tensor, weft::traced;

constexpr sym n{"n"};
constexpr sym more{"more"};
constexpr sym rest{"rest"};
constexpr sym half{"half"};
template <class X> X any() { return X{}; }

using rows = traced<float, n, 3>;
static_assert(std::is_same_v<decltype(at<"1:", rest>(any<rows>())), traced<float, rest, 3>>);
static_assert(std::is_same_v<decltype(at<":2">(any<rows>())), traced<float, 2, 3>>);
static_assert(std::is_same_v<decltype(at<"-3:-1, 0">(any<rows>())), traced<float, 2>>);
static_assert(std::is_same_v<decltype(at<"4:0:-2">(any<rows>())), traced<float, 2, 3>>);
static_assert(std::is_same_v<decltype(at<"::2, ::-1", half>(any<rows>())), traced<float, half, 3>>);
static_assert(std::is_same_v<decltype(at<"1:, :-1", rest, half>(any<traced<float, n, more>>())),
                             traced<float, rest, half>>);
static_assert(std::is_same_v<decltype(weft::roll<2, 0>(any<rows>())), rows>);
static_assert(
    std::is_same_v<decltype(weft::tile<2, 1, more>(any<rows>())), traced<float, more, 3>>);
static_assert(std::is_same_v<decltype(weft::tile<2, 1, 2>(any<rows>())), traced<float, 2, n, 6>>);
static_assert(
    std::is_same_v<decltype(weft::repeat<2, 0, more>(any<rows>())), traced<float, more, 3>>);
static_assert(std::is_same_v<decltype(weft::split<2, 0, half>(any<rows>())),
                             std::array<traced<float, half, 3>, 2>>);
static_assert(std::is_same_v<decltype(weft::reshape<more>(any<traced<float, n, half>>())),
                             traced<float, more>>);

// NumPy's a[start:stop:step], `none` where a place is left out.
constexpr int none = 1000;
list<float> ranged(list<float> const& a, int start, int stop, int step) {
  int const size = static_cast<int>(a.size());
  auto place = [&](int at, int otherwise) {
    if (at == none) return otherwise;
    int const from = at < 0 ? at + size : at;
    return step > 0 ? std::clamp(from, 0, size) : std::clamp(from, -1, size - 1);
  };
  list<float> r;
  int const first = place(start, step > 0 ? 0 : size - 1), end = place(stop, step > 0 ? size : -1);
  for (int i = first; step > 0 ? i < end : i > end; i += step)
    r.push_back(a[static_cast<unsigned>(i)]);
  return r;
}
tensor<float, n> counted(int size) {
  tensor<float, n> t(size);
  auto m = t.mutate();
  for (int i = 0; i < size; ++i) m(i) = static_cast<float>(i * i + 1);
  return t;
}
list<float> listed(tensor<float, n> const& t) { return {t.begin(), t.end()}; }
float element(list<float> const& a, int i) { return a[static_cast<unsigned>(i)]; }

TEST(named_axes, ranges) {
  for (int size : {4, 5, 9}) {
    auto const x = counted(size);
    auto const a = listed(x);
    auto same = [&](auto const& f, int start, int stop, int step) {
      EXPECT_EQ(values<float>(f, x), ranged(a, start, stop, step)) << start << stop << step;
    };
    same([](auto t) { return at<"1:", rest>(t); }, 1, none, 1);
    same([](auto t) { return at<":-1", rest>(t); }, none, -1, 1);
    same([](auto t) { return at<"2:-1", rest>(t); }, 2, -1, 1);
    same([](auto t) { return at<"::2", rest>(t); }, none, none, 2);
    same([](auto t) { return at<"1:-1:3", rest>(t); }, 1, -1, 3);
    same([](auto t) { return at<"::-2", rest>(t); }, none, none, -2);
    same([](auto t) { return at<"-2:1:-1", rest>(t); }, -2, 1, -1);
    same([](auto t) { return at<"-2::-2", rest>(t); }, -2, none, -2);
    same([](auto t) { return at<"::-1">(t); }, none, none, -1);
    same([](auto t) { return at<":3">(t); }, none, 3, 1);
    same([](auto t) { return at<"1:4:2">(t); }, 1, 4, 2);
    same([](auto t) { return at<"-3:">(t); }, -3, none, 1);
    same([](auto t) { return at<"-4:-1:2">(t); }, -4, -1, 2);
    same([](auto t) { return at<"3::-1">(t); }, 3, none, -1);
    same([](auto t) { return at<"3:0:-2">(t); }, 3, 0, -2);
    same([](auto t) { return at<":-4:-1">(t); }, none, -4, -1);
    same([](auto t) { return at<"2:1">(t); }, 2, 1, 1);
  }
  EXPECT_EQ(values<float>([](auto t) { return at<"3:", rest>(t); }, counted(2)), list<float>());
  EXPECT_EQ(values<float>([](auto t) { return at<":-3", rest>(t); }, counted(2)), list<float>());
}
TEST(named_axes, assigned_ranges) {
  for (int size : {4, 7}) {
    auto const x = counted(size);
    auto expect = [&](auto const& f, int start, int stop, int step) {
      list<float> index, wanted = listed(x);
      for (int i = 0; i < size; ++i) index.push_back(static_cast<float>(i));
      float y = 100;
      for (float i : ranged(index, start, stop, step)) wanted[static_cast<unsigned>(i)] = y++;
      EXPECT_EQ(values<float>(f, x), wanted) << start << stop << step;
    };
    expect([](auto t) { return weft::set<"1:", rest>(t, weft::arange<float, rest>() + 100); }, 1,
           none, 1);
    expect([](auto t) { return weft::set<"::-2", rest>(t, weft::arange<float, rest>() + 100); },
           none, none, -2);
    expect([](auto t) { return weft::set<"-3:">(t, weft::arange<float, 3>() + 100); }, -3, none, 1);
  }
  tensor<float, n, 3> const x(3);
  EXPECT_EQ(values<float>([](auto t, auto i) { return weft::set<"1:, $", rest>(t, i, 7); }, x, 1),
            (list<float>{0, 0, 0, 0, 7, 0, 0, 7, 0}));
  tensor<float, n, more> const y(3, 4);
  EXPECT_EQ(values<float>(
                [](auto t) {
                  return weft::set<"1:, ::2", rest, half>(t, weft::arange<float, half>() + 1);
                },
                y),
            (list<float>{0, 0, 0, 0, 1, 0, 2, 0, 1, 0, 2, 0}));
}
constexpr auto front = [](auto t) { return weft::split_sizes<0, 2, 1, rest>(t); };
constexpr auto back = [](auto t) { return weft::split_sizes<0, rest, 1, 2>(t); };
static_assert(
    std::is_same_v<decltype(back(any<rows>())),
                   std::tuple<traced<float, rest, 3>, traced<float, 1, 3>, traced<float, 2, 3>>>);
TEST(named_axes, parts_of_sizes) {
  for (int size : {3, 4, 8}) {
    tensor<float, n> const x = counted(size);
    auto const a = listed(x);
    auto same = [&](auto const& f, int start, int stop) {
      list<float> const wanted(a.begin() + start, a.begin() + stop);
      EXPECT_EQ(values<float>(f, x), wanted) << size;
      auto const now = f(x); // of tensors, at once
      EXPECT_EQ(list<float>(now.begin(), now.end()), wanted) << size;
    };
    same([](auto const& t) { return std::get<0>(front(t)); }, 0, 2);
    same([](auto const& t) { return std::get<1>(front(t)); }, 2, 3);
    same([](auto const& t) { return std::get<2>(front(t)); }, 3, size);
    same([](auto const& t) { return std::get<0>(back(t)); }, 0, size - 3);
    same([](auto const& t) { return std::get<1>(back(t)); }, size - 3, size - 2);
    same([](auto const& t) { return std::get<2>(back(t)); }, size - 2, size);
  }
  tensor<float, 2, n> y(4);
  for (int i = 0; i < 8; ++i) y.mutate()(i / 4, i % 4) = static_cast<float>(i);
  EXPECT_EQ(values<float>([](auto t) { return std::get<0>(weft::split_sizes<-1, rest, 3>(t)); }, y),
            (list<float>{0, 4}));
  EXPECT_EQ(values<float>([](auto t) { return std::get<1>(weft::split_sizes<-1, rest, 3>(t)); }, y),
            (list<float>{1, 2, 3, 5, 6, 7}));
  auto const short_of = [](auto const& f) { return test::text_of([&] { (void)f(counted(2)); }); };
  EXPECT_EQ(short_of(front), "weft: slice: the extent is 2, expected at least 3");
  EXPECT_EQ(short_of([](auto const& x) {
              return values<float>([](auto t) { return std::get<1>(front(t)); }, x);
            }),
            "weft: slice: the extent is 2, expected at least 3");
  EXPECT_EQ(short_of([](auto const& x) {
              return values<float>([](auto t) { return std::get<1>(back(t)); }, x);
            }),
            "weft: slice: the extent is 2, expected at least 3");
  // A derivative goes back to where its part was.
  auto const slopes = [](auto t) {
    return weft::grad(
        [](auto u) { return sum(std::get<0>(back(u))) * 2 + sum(std::get<2>(back(u))); })(t);
  };
  EXPECT_EQ(values<float>(slopes, counted(5)), (list<float>{2, 2, 0, 1, 1}));
}
TEST(named_axes, rolls) {
  for (int size : {0, 1, 5}) {
    auto const x = counted(size);
    auto const a = listed(x);
    auto rolled = [&](int shift) {
      list<float> r(a.size());
      for (int i = 0; i < size; ++i)
        r[static_cast<unsigned>(((i + shift) % size + size) % size)] = element(a, i);
      return r;
    };
    EXPECT_EQ(values<float>([](auto t) { return weft::roll<2, 0>(t); }, x), rolled(2));
    EXPECT_EQ(values<float>([](auto t) { return weft::roll<-7>(t); }, x), rolled(-7));
    EXPECT_EQ(values<float>([](auto t, auto i) { return weft::roll<0>(t, i); }, x, 13), rolled(13));
  }
  tensor<float, n, more> x(2, 2);
  x.mutate()(0, 1) = 1;
  EXPECT_EQ(values<float>([](auto t) { return weft::roll<1>(t); }, x), (list<float>{0, 0, 1, 0}));
}
TEST(named_axes, repetition) {
  tensor<float, n, 2> const x = {{1, 2}, {3, 4}, {5, 6}};
  EXPECT_EQ(values<float>([](auto t) { return weft::repeat<2, 0, more>(t); }, x),
            (list<float>{1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6}));
  EXPECT_EQ(values<float>([](auto t) { return weft::tile<2, 1, more>(t); }, x),
            (list<float>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<float>([](auto t) { return weft::repeat<2, more>(t); }, x),
            (list<float>{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}));
  EXPECT_EQ(values<float>([](auto t) { return weft::repeat<0, 0, more>(t); }, x), list<float>());
  EXPECT_EQ(values<float>([](auto t) { return weft::ravel<more>(t); }, x),
            (list<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(
      values<float>([](auto t) { return weft::reshape<n, 2>(weft::reshape<more>(t) * 2); }, x),
      (list<float>{2, 4, 6, 8, 10, 12}));
  auto const both = recorded::run([](auto t) { return weft::split<3, 0, half>(t); }, x);
  EXPECT_EQ(recorded::numbers<float>(both[1]), (list<float>{3, 4}));
}
TEST(named_axes, differences) {
  auto const x = counted(5); // 1 2 5 10 17
  EXPECT_EQ(values<float>([](auto t) { return weft::diff<1, 0, rest>(t); }, x),
            (list<float>{1, 3, 5, 7}));
  EXPECT_EQ(values<float>([](auto t) { return weft::diff<2, 0, rest>(t); }, x),
            (list<float>{2, 2, 2}));
  EXPECT_EQ(values<float>([](auto t) { return weft::diff<3, 0, rest>(t); }, counted(2)),
            list<float>());
  EXPECT_EQ(values<float>([](auto t) { return weft::diff<0, 0, rest>(t); }, counted(2)),
            (list<float>{1, 2}));
  EXPECT_EQ(values<bool>([](auto t) { return weft::diff<1, 0, rest>(t > 4); }, x),
            (list<bool>{false, true, false, false}));
}
template <pad_mode M> list<float> by_rule(int size) {
  return values<float>(
      [](auto t) { return weft::pad<0, padding{.low = 5, .high = 4, .mode = M}, more>(t); },
      counted(size));
}
// The static function, whose definition has its own tests, gives the wanted list.
template <int Size> void expect_rules() {
  auto padded = [](auto mode) {
    return values<float>(
        [](auto t) {
          return weft::pad<0, padding{.low = 5, .high = 4, .mode = decltype(mode)::value}>(t);
        },
        tensor<float, Size>(weft::reshape<Size>(counted(Size))));
  };
  EXPECT_EQ(by_rule<pad_mode::edge>(Size),
            padded(std::integral_constant<pad_mode, pad_mode::edge>{}));
  EXPECT_EQ(by_rule<pad_mode::wrap>(Size),
            padded(std::integral_constant<pad_mode, pad_mode::wrap>{}));
  EXPECT_EQ(by_rule<pad_mode::reflect>(Size),
            padded(std::integral_constant<pad_mode, pad_mode::reflect>{}));
  EXPECT_EQ(by_rule<pad_mode::symmetric>(Size),
            padded(std::integral_constant<pad_mode, pad_mode::symmetric>{}));
}
TEST(named_axes, paddings) {
  expect_rules<1>();
  expect_rules<2>();
  expect_rules<7>();
  auto const x = counted(3); // 1 2 5
  EXPECT_EQ(
      values<float>(
          [](auto t) { return weft::pad<0, padding{.low = 1, .interior = 1}, more>(t, 9); }, x),
      (list<float>{9, 1, 9, 2, 9, 5}));
  EXPECT_EQ(
      values<float>([](auto t) { return weft::pad<0, padding{.low = -1, .high = 1}, more>(t); }, x),
      (list<float>{2, 5, 0}));
  EXPECT_EQ(values<float>(
                [](auto t) { return weft::pad<0, padding{.low = -2, .high = -2}, more>(t); }, x),
            list<float>());
}
// d sum(f(x) * (1, 2, ...)) / dx.
template <class F> list<float> gradient(F const& f, int size) {
  auto const g = [&f](auto x) {
    return weft::value_and_grad(
        [&f](auto t) { return sum(f(t) * (weft::arange<float, rest>() + 1)); })(x);
  };
  return recorded::numbers<float>(recorded::run(g, counted(size))[1]);
}
// f is linear: its tangent is f of the tangent.
template <class F> void expect_own_tangent(F const& f) {
  auto const pushed = [&f](auto t) { return weft::jvp(f)(t, t * t).second; };
  EXPECT_EQ(values<float>(pushed, counted(6)),
            values<float>([&f](auto t) { return f(t * t); }, counted(6)));
}
TEST(named_axes, tangents) {
  expect_own_tangent([](auto t) { return at<"1:-1:2", rest>(t); });
  expect_own_tangent([](auto t) { return at<"::-2", rest>(t); });
  expect_own_tangent([](auto t) { return at<"-4:-1:2">(t); });
  expect_own_tangent([](auto t) { return weft::roll<2, 0>(t); });
  expect_own_tangent([](auto t) { return weft::diff<1, 0, rest>(t); });
  expect_own_tangent([](auto t) { return weft::tile<2, 0, rest>(t); });
  expect_own_tangent([](auto t) { return weft::pad<0, padding{.low = -1, .high = 1}, rest>(t); });
  expect_own_tangent(
      [](auto t) { return weft::pad<0, padding{.low = 1, .interior = 1}, rest>(t); });
}
TEST(named_axes, gradients) {
  EXPECT_EQ(gradient([](auto t) { return at<"1::2", rest>(t); }, 6),
            (list<float>{0, 1, 0, 2, 0, 3}));
  EXPECT_EQ(gradient([](auto t) { return at<":-2:2", rest>(t); }, 6),
            (list<float>{1, 0, 2, 0, 0, 0}));
  EXPECT_EQ(gradient([](auto t) { return weft::diff<1, 0, rest>(t); }, 3),
            (list<float>{-1, -1, 2}));
  EXPECT_EQ(gradient([](auto t) { return weft::repeat<2, 0, rest>(t); }, 2), (list<float>{3, 7}));
  EXPECT_EQ(
      gradient([](auto t) { return weft::pad<0, padding{.low = -1, .high = 1}, rest>(t); }, 3),
      (list<float>{0, 1, 2}));
  EXPECT_EQ(
      gradient([](auto t) { return weft::pad<0, padding{.low = 1, .interior = 1}, rest>(t); }, 3),
      (list<float>{2, 4, 6}));
  // Nothing reads the range itself: it stays, because the gradient has its extent.
  auto const ones = [](auto x) {
    return weft::value_and_grad([](auto t) { return sum(at<"1:", rest>(t)); })(x).second;
  };
  EXPECT_EQ(recorded::numbers<float>(recorded::run(ones, counted(3))[0]), (list<float>{0, 1, 1}));
}
template <class F> std::string text_of(F const& f) {
  try {
    f();
  } catch (weft::shape_error const& e) {
    return e.what();
  }
  return "";
}
TEST(named_axes, what_the_run_refuses) {
  auto const x = counted(3);
  EXPECT_EQ(text_of([&] { (void)values<float>([](auto t) { return at<"2:5">(t); }, x); }),
            "weft: slice: the extent is 3, expected at least 5");
  EXPECT_EQ(text_of([&] {
              (void)values<float>(
                  [](auto t) {
                    auto const first = at<"1:", rest>(t), second = at<"2:", rest>(t);
                    return first + second;
                  },
                  x);
            }),
            "weft: slice: the number of elements is 1, but rest is 2");
  EXPECT_EQ(text_of([&] {
              (void)values<float>([](auto t) { return weft::split<2, 0, half>(t)[0]; }, x);
            }),
            "weft: reshape: the elements of (3) do not make (2, half)");
  EXPECT_EQ(text_of([&] {
              (void)values<float>(
                  [](auto t) {
                    auto const first = weft::tile<2, more>(t), second = at<"1:", more>(t);
                    return first + second;
                  },
                  x);
            }),
            "weft: slice: the number of elements is 2, but more is 6");
}
// A name that a later node gives, too, is checked where it is used before.
TEST(named_axes, are_checked_in_any_order) {
  auto const joined = [](auto t, auto y) {
    auto const both = weft::concat<0, more>(weft::zeros<float, rest>() + sum(t), t);
    return both + y + sum(at<"1:", rest>(t));
  };
  EXPECT_EQ(values<float>(joined, counted(3), tensor<float, more>(5)),
            (list<float>{15, 15, 8, 9, 12}));
  EXPECT_EQ(text_of([&] { (void)values<float>(joined, counted(3), tensor<float, more>(4)); }),
            "weft: concat: the joined extents add up to 5, but more is 4");
}
// Of no elements: what both sides share says nothing.
TEST(named_axes, without_elements) {
  auto const grown = [](auto x) {
    return weft::repeat<2, 1, more>(x) + weft::zeros<float, more>();
  };
  tensor<float, n, rest> const empty(0, 3);
  EXPECT_EQ(recorded::run(grown, empty)[0].shape, (weft::extents{2, {0, 6}}));
}
// The same at the immediate door, and in place.
TEST(named_axes, immediate) {
  auto const x = counted(4); // 1 2 5 10
  tensor<float, rest> const above = at<"1:", rest>(x) - at<":-1", rest>(x);
  EXPECT_EQ(above, (tensor<float, rest>{1, 3, 5}));
  EXPECT_EQ((weft::diff<1, 0, rest>(x)), above);
  EXPECT_EQ((weft::tile<2, more>(at<"2:", half>(x))), (tensor<float, more>{5, 10, 5, 10}));
  auto t = x;
  {
    auto m = t.mutate();
    at<"::-2", half>(m) = tensor<float, half>{7, 8};
    at<":1">(m) = 0;
  }
  EXPECT_EQ(listed(t), (list<float>{0, 8, 5, 7}));
  EXPECT_EQ((weft::split<2, 0, half>(x)[1]), (tensor<float, half>{5, 10}));
  EXPECT_NE(text_of([&] { (void)weft::split<3, 0, half>(x); }), "");
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// segmented_scan, segment_sum and its like, reduce_by_key: against each segment alone and plain
// loops; no elements, one segment, ids outside, NaN, named extents, derivatives; of tensors too.
#include "recorded.hpp"
#include "support/text_of.hpp"

#include <weft/lang/segments.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace weft;
using recorded::list, recorded::numbers, recorded::values;
using how = associative_scan_options;

constexpr sym rows{"rows"};
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

constexpr auto plus = [](auto const& a, auto const& b) { return a + b; };
constexpr auto affine = [](auto const& a, auto const& b) {
  return std::pair(a.first * b.first, a.second * b.first + b.second);
};
template <how O>
constexpr auto segmented = [](auto ids, auto x) { return segmented_scan<O>(plus, ids, x); };
template <how O>
constexpr auto segmented_from =
    [](auto ids, auto x) { return segmented_scan<O>(plus, ids, x, 100.0f); };

// Numbers whose sums depend on the order.
template <auto... E, class... N> tensor<float, E...> rough(N... names) {
  tensor<float, E...> t(names...);
  int i = 0;
  for (float& x : t.mutate())
    x = std::ldexp(1.0f + static_cast<float>(i * 37 % 64) / 64, i * 11 % 25), ++i;
  return t;
}
// Each segment alone: element i becomes element i - d + element i, for d = 1, 2, 4, ...
template <bool Reverse> list<float> alone(list<int> const& lengths, float const* x) {
  list<float> all;
  for (int n : lengths) {
    auto const at = [n](int i) { return static_cast<unsigned>(Reverse ? n - 1 - i : i); };
    list<float> part(x, x + n);
    for (int d = 1; d < n; d *= 2) {
      list<float> const before = part;
      for (int i = d; i < n; ++i) part[at(i)] = before[at(i - d)] + before[at(i)];
    }
    all.insert(all.end(), part.begin(), part.end());
    x += n;
  }
  return all;
}
list<float> of(auto const& t) { return {t.begin(), t.end()}; }
template <class T, int N> tensor<T, rows> named(tensor<T, N> const& x) {
  tensor<T, rows> t(N);
  int i = 0;
  for (T& e : t.mutate()) e = x(i++);
  return t;
}

TEST(segments, scan_has_the_bits_of_each_alone) {
  list<int> const lengths = {1, 6, 2, 1, 9, 4};
  tensor<int, 23> ids;
  tensor<bool, 23> heads;
  {
    auto i = ids.mutate();
    auto h = heads.mutate();
    int at = 0, id = 5;
    for (int n : lengths) {
      for (int k = 0; k < n; ++k, ++at) i(at) = id, h(at) = k == 0;
      id = id * 7 % 11 - 3;
    }
  }
  auto const x = rough<23>();
  list<float> const forward = alone<false>(lengths, x.data()),
                    back = alone<true>(lengths, x.data());
  constexpr how up{.axis = 0}, down{.axis = 0, .reverse = true};
  EXPECT_EQ(values<float>(segmented<up>, ids, x), forward);
  EXPECT_EQ(values<float>(segmented<up>, heads, x), forward);
  EXPECT_EQ(values<float>(segmented<down>, ids, x), back);
  EXPECT_EQ(values<float>(segmented<down>, heads, x), back);
  EXPECT_EQ(values<float>(segmented<up>, named(ids), named(x)), forward);
  EXPECT_EQ(values<float>(segmented<down>, named(ids), named(x)), back);
  EXPECT_EQ(of(segmented_scan<up>(plus, ids, x)), forward);
  EXPECT_EQ(of(segmented_scan<down>(plus, heads, x)), back);
}
TEST(segments, exclusive_along_an_axis) {
  tensor<int, 4> const ids{7, 7, -1, -1};
  tensor<float, 2, 4> const x{{1, 2, 4, 8}, {16, 32, 64, 128}};
  list<float> const up = {100, 1, 100, 4, 100, 16, 100, 64},
                    down = {2, 100, 8, 100, 32, 100, 128, 100};
  EXPECT_EQ(values<float>(segmented_from<how{.axis = 1}>, ids, x), up);
  EXPECT_EQ(values<float>(segmented_from<how{.axis = -1, .reverse = true}>, ids, x), down);
  tensor<float, 2, 4> const of_tensors = segmented_scan<how{.axis = 1}>(plus, ids, x, 100.0f);
  EXPECT_EQ(list<float>(of_tensors.begin(), of_tensors.end()), up);
}
// The identity of an exclusive scan is spread over its array, at both doors.
TEST(segments, identity_that_broadcasts) {
  tensor<int, 2, 2> const x{{1, 2}, {3, 4}};
  tensor<int, 2, 1> const from{{10}, {20}};
  auto const f = [](auto y, auto i) { return associative_scan<how{.axis = 1}>(plus, y, i); };
  EXPECT_EQ(values<int>(f, x, from), (list<int>{10, 1, 20, 3}));
  tensor<int, 2, 2> const now = f(x, from);
  EXPECT_EQ(list<int>(now.begin(), now.end()), (list<int>{10, 1, 20, 3}));
  EXPECT_EQ(test::text_of([&] { return f(tensor<int, 2, rows>(3), tensor<int, rows>(2)); }),
            "weft: the identity of a scan does not broadcast to its array: (2) and (2, 3)");
}
TEST(segments, lengths_that_names_hid) {
  constexpr auto first = [](auto a, auto) { return a; };
  tensor<float, rows> const x(3), y(4);
  auto const both = std::pair(x, y);
  tensor<int, rows> const two(2);
  constexpr auto step = [](auto c, auto) { return std::pair(c, none); };
  EXPECT_EQ(test::text_of([&] { return scan(step, 0, both); }),
            "weft: scan: the arrays of xs differ in their leading extent: 3 and 4");
  EXPECT_EQ(test::text_of([&] { return associative_scan(first, both); }),
            "weft: the scanned arrays differ in their extent along the axis: 3 and 4");
  EXPECT_EQ(test::text_of([&] { return segmented_scan(first, two, x); }),
            "weft: segmented_scan: the segments are not as long as the axis: 2 and 3");
  EXPECT_EQ(test::text_of([&] { return reduce_by_key(first, two, x); }),
            "weft: reduce_by_key: there is not one key for each element: 2 and 3");
}
TEST(segments, scan_of_structures_and_of_nothing) {
  auto const f = [](auto ids, auto m, auto c) {
    return segmented_scan(affine, ids, std::pair(m, c));
  };
  auto const out = recorded::run(f, tensor<std::int8_t, 5>{1, 1, 1, 2, 2},
                                 tensor<int, 5>{2, 3, 4, 5, 6}, tensor<int, 5>{1, 1, 1, 1, 1});
  EXPECT_EQ(numbers<int>(out[0]), (list<int>{2, 6, 24, 5, 30}));
  EXPECT_EQ(numbers<int>(out[1]), (list<int>{1, 4, 17, 1, 7}));
  EXPECT_EQ(values<float>(segmented<how{}>, tensor<int, 0>{}, tensor<float, 0>{}), list<float>{});
  EXPECT_EQ(values<float>(segmented<how{}>, tensor<int, 1>{3}, tensor<float, 1>{3}),
            list<float>{3});
}

constexpr auto all_four = [](auto x, auto ids) {
  return std::tuple(segment_sum<4>(x, ids), segment_prod<4>(x, ids), segment_max<4>(x, ids),
                    segment_min<4>(x, ids));
};
TEST(segments, rows_by_their_ids) {
  tensor<float, 6, 2> const x{{1, 2}, {3, -4}, {5, 6}, {-7, 8}, {9, 10}, {11, 12}};
  tensor<int, 6> const ids{3, 0, 3, 0, -1, 4}; // the last two are dropped; nothing for 1 and 2
  auto const out = recorded::run(all_four, x, ids);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{-4, 4, 0, 0, 0, 0, 6, 8}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{-21, -32, 1, 1, 1, 1, 5, 12}));
  EXPECT_EQ(numbers<float>(out[2]), (list<float>{3, 8, -inf, -inf, -inf, -inf, 5, 6}));
  EXPECT_EQ(numbers<float>(out[3]), (list<float>{-7, -4, inf, inf, inf, inf, 1, 2}));
  auto const now = all_four(x, ids);
  EXPECT_EQ(std::get<0>(now)(0, 0), -4.0f);
  EXPECT_EQ(std::get<2>(now)(3, 1), 6.0f);
}
TEST(segments, rows_of_other_types_and_none) {
  auto const out = recorded::run(all_four, tensor<std::int8_t, 3>{100, 100, 5},
                                 tensor<int, 3>{2, 2, 9});
  EXPECT_EQ(numbers<std::int8_t>(out[0]), (list<std::int8_t>{0, 0, -56, 0}));
  EXPECT_EQ(numbers<std::int8_t>(out[2]), (list<std::int8_t>{-128, -128, 100, -128}));
  EXPECT_EQ(numbers<std::int8_t>(out[3]), (list<std::int8_t>{127, 127, 100, 127}));
  auto const none = recorded::run(all_four, tensor<float, rows>(0), tensor<int, rows>(0));
  EXPECT_EQ(numbers<float>(none[0]), (list<float>{0, 0, 0, 0}));
  EXPECT_EQ(numbers<float>(none[1]), (list<float>{1, 1, 1, 1}));
  // 256 + 1 + ... + 1 of bf16: one rounding.
  tensor<bf16, 9> ones;
  tensor<int, 9> same;
  for (bf16& x : ones.mutate()) x = bf16(1.0f);
  ones.mutate()(0) = bf16(256.0f);
  auto const sums = recorded::run([](auto x, auto i) { return segment_sum<1>(x, i); }, ones, same);
  EXPECT_EQ(static_cast<float>(numbers<bf16>(sums[0])[0]), 264.0f);
}
TEST(segments, nan_wins) {
  auto const out = recorded::run(all_four, tensor<float, 4>{1, nan, 2, 3},
                                 tensor<int, 4>{0, 0, 0, 1});
  for (dense const& d : out) {
    EXPECT_TRUE(std::isnan(numbers<float>(d)[0]));
    EXPECT_FALSE(std::isnan(numbers<float>(d)[1]));
  }
}
TEST(segments, gradients) {
  auto const loss = [](auto x, auto ids, auto w) {
    return sum(segment_sum<3>(x, ids) * w) + sum(segment_max<3>(x, ids) * w * 10);
  };
  auto const f = [loss](auto x, auto ids, auto w) {
    return value_and_grad(loss)(x, ids, w).second;
  };
  EXPECT_EQ(values<float>(f, tensor<float, 5>{1, 4, 2, 3, 9}, tensor<int, 5>{0, 1, 0, 2, 7},
                          tensor<float, 3>{2, 3, 5}),
            (list<float>{2, 33, 22, 55, 0}));
  auto const scanned = [](auto x, auto ids, auto w) {
    return value_and_grad([ids, w](auto a) { return sum(segmented_scan(plus, ids, a) * w); })(x)
        .second;
  };
  EXPECT_EQ(values<float>(scanned, tensor<float, 5>{1, 4, 2, 3, 9}, tensor<int, 5>{0, 0, 0, 2, 2},
                          tensor<float, 5>{1, 10, 100, 1000, 10000}),
            (list<float>{111, 110, 100, 11000, 10000}));
}

constexpr auto by_key = [](auto keys, auto x) { return reduce_by_key(plus, keys, x); };
TEST(segments, reduce_by_key) {
  tensor<int, 7> const keys{4, 4, 1, 1, 1, 4, 0};
  tensor<float, 7> const x{1, 2, 3, 4, 5, 6, 7};
  auto const out = recorded::run(by_key, keys, x);
  EXPECT_EQ(numbers<int>(out[0]), (list<int>{4, 1, 4, 0, 0, 0, 0}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{3, 12, 6, 7, 0, 0, 0}));
  EXPECT_EQ(numbers<int>(out[2]), (list<int>{4}));
  auto const [k, r, n] = reduce_by_key(plus, keys, x);
  EXPECT_EQ(list<int>(k.begin(), k.end()), numbers<int>(out[0]));
  EXPECT_EQ(list<float>(r.begin(), r.end()), numbers<float>(out[1]));
  EXPECT_EQ(n(), 4);
}
TEST(segments, reduce_by_key_of_rows_and_edges) {
  auto const out = recorded::run(by_key, tensor<bool, rows>(3), tensor<float, rows, 2>(3));
  EXPECT_EQ(numbers<int>(out[2]), list<int>{1});
  auto const none = recorded::run(by_key, tensor<bool, rows>(0), tensor<float, rows, 2>(0));
  EXPECT_EQ(numbers<int>(none[2]), list<int>{0});
  auto const odd = recorded::run(by_key, tensor<float, 5>{nan, nan, 0.0f, -0.0f, 2},
                                 tensor<int, 5>{1, 2, 3, 4, 5});
  EXPECT_EQ(numbers<int>(odd[1]), (list<int>{1, 2, 7, 5, 0}));
  EXPECT_FALSE(std::signbit(numbers<float>(odd[0])[2])); // a run's key is its first
  EXPECT_EQ(numbers<int>(odd[2]), list<int>{4});
  auto const now = reduce_by_key(plus, tensor<float, 5>{nan, nan, 0.0f, -0.0f, 2},
                                 tensor<int, 5>{1, 2, 3, 4, 5});
  EXPECT_EQ(std::get<1>(now)(2), 7);
  EXPECT_EQ(std::get<2>(now)(), 4);
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// Permutations, choices and categorical draws: JAX's values (0.10.2), and frequencies.
#include "random_reference.hpp"
#include "recorded.hpp"
#include "sample.hpp"

#include <weft/lang/random_order.hpp>

#include <numeric>

namespace {

using recorded::list, recorded::values;
using weft::key, weft::random_options, weft::sym, weft::tensor;

constexpr random_options halves{.partitionable = false};
constexpr sym rows{"rows"};

template <auto... E, class... N> tensor<int, E...> counted(N... names) {
  tensor<int, E...> x(names...);
  auto m = x.mutate();
  std::iota(m.data(), m.data() + x.size(), 0);
  return x;
}

TEST(random_order, permutation_as_jax) {
  auto const ten = [](auto k) { return weft::permutation<10>(k); };
  EXPECT_EQ(values<int>(ten, key(0)), (list<int>{0, 1, 8, 5, 6, 4, 3, 2, 7, 9}));
  EXPECT_EQ(values<int>(ten, key(42)), (list<int>{7, 4, 2, 5, 3, 6, 8, 9, 0, 1}));
  auto const more = [](auto k) { return weft::permutation<31>(k); };
  EXPECT_EQ(values<int>(more, key(42)),
            (list<int>{7, 4,  29, 16, 19, 2,  5,  30, 3, 22, 6,  18, 10, 11, 15, 20,
                       8, 24, 9,  25, 13, 14, 17, 23, 0, 21, 26, 1,  28, 27, 12}));
  EXPECT_EQ(values<int>([](auto k) { return weft::permutation<1>(k); }, key(0)), (list<int>{0}));
  EXPECT_EQ(values<int>([](auto k) { return weft::permutation<0>(k); }, key(0)), (list<int>{}));
}
TEST(random_order, permutation_of_an_axis) {
  auto const first = [](auto k, auto x) { return weft::permutation(k, x); };
  EXPECT_EQ(values<int>(first, key(3), counted<5, 4>()),
            (list<int>{0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15}));
  auto const last = [](auto k, auto x) { return weft::permutation<-1>(k, x); };
  EXPECT_EQ(values<int>(last, key(3), counted<2, 6>()),
            (list<int>{0, 5, 4, 2, 1, 3, 6, 11, 10, 8, 7, 9}));
}
// Rounds of stable sorts by 32 bits, in plain C++.
list<int> shuffled(key k, int n, int rounds, bool partitionable = true) {
  list<int> x(static_cast<std::size_t>(n));
  std::iota(x.begin(), x.end(), 0);
  for (; rounds > 0; --rounds) {
    key const own = reference::split(k, 1, 2, partitionable);
    k = reference::split(k, 0, 2, partitionable);
    reference::numbers const keys = reference::bits(own, x.size(), 32, partitionable);
    list<unsigned> order(x.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    list<int> next;
    for (unsigned i : order) next.push_back(x[i]);
    x = next;
  }
  return x;
}
TEST(random_order, rounds_of_a_permutation) {
  EXPECT_EQ(values<int>([](auto k) { return weft::permutation<1625>(k); }, key(5)),
            shuffled(key(5), 1625, 1));
  EXPECT_EQ(values<int>([](auto k) { return weft::permutation<1626>(k); }, key(5)),
            shuffled(key(5), 1626, 2));
  EXPECT_EQ(values<int>([](auto k) { return weft::permutation<halves, 33>(k); }, key(6)),
            shuffled(key(6), 33, 1, false));
  static_assert(weft::detail::shuffle_rounds(2642245) == 2 &&
                weft::detail::shuffle_rounds(2642246) == 3);
}
// A name's number says how many rounds.
TEST(random_order, permutation_of_a_named_axis) {
  auto const f = [](auto k, auto x) { return weft::permutation(k, x); };
  for (int n : {1, 2, 77, 1626})
    EXPECT_EQ(values<int>(f, key(7), counted<rows>(n)), shuffled(key(7), n,
                                                                 n == 1      ? 0
                                                                 : n == 1626 ? 2
                                                                             : 1))
        << n;
}
TEST(random_order, choice) {
  auto const f = [](auto k, auto x) { return weft::choice<2, 3>(k, x); };
  auto const where = reference::randint<int>(key(8), 6, 0, 7);
  EXPECT_EQ(values<int>(f, key(8), counted<7>()), where);
  EXPECT_EQ(values<int>(f, key(8), counted<rows>(7)), where);
}

template <auto... E> tensor<float, E...> logits_of(std::initializer_list<float> numbers) {
  tensor<float, E...> x;
  std::copy(numbers.begin(), numbers.end(), x.mutate().data());
  return x;
}
TEST(random_order, categorical_as_jax) {
  auto const several = [](auto k, auto x) { return weft::categorical<-1, 6>(k, x); };
  EXPECT_EQ(values<int>(several, key(0), logits_of<8>({0, 0, 0, 0, 0, 0, 0, 0})),
            (list<int>{1, 2, 5, 2, 4, 3}));
  EXPECT_EQ(values<int>(several, key(42), logits_of<8>({0, 0, 0, 0, 0, 0, 0, 0})),
            (list<int>{7, 4, 3, 5, 1, 7}));
  EXPECT_EQ(values<int>(several, key(0), logits_of<8>({2, 0, 1, .25f, -1.25f, 0, 2, 2})),
            (list<int>{0, 2, 0, 2, 6, 6}));
  auto const x = logits_of<5, 4>({-.5f,   1,     1,    2,    1.5f, -2,     .5f,
                                  -1.25f, -1,    .25f, 1.5f, .5f,  -1.75f, -.5f,
                                  -1.75f, -.75f, -2,   .25f, .75f, 1.25f});
  EXPECT_EQ(values<int>([](auto k, auto l) { return weft::categorical(k, l); }, key(42), x),
            (list<int>{3, 0, 3, 1, 3}));
  EXPECT_EQ(values<int>([](auto k, auto l) { return weft::categorical<0, 3>(k, l); }, key(42), x),
            (list<int>{1, 0, 0, 4, 1, 2, 2, 0, 1, 3, 2, 4}));
}
TEST(random_order, categorical_frequencies) {
  constexpr int many = 8192;
  auto const f = [](auto k, auto x) { return weft::categorical<-1, many>(k, x); };
  list<double> const p{0.5, 0.25, 0.125, 0.125};
  list<int> bins(4);
  for (int i : values<int>(f, key(9), logits_of<4>({2, 1.30685282f, .61370564f, .61370564f})))
    ++bins[static_cast<std::size_t>(i)];
  list<double> expected;
  for (double one : p) expected.push_back(one * many);
  EXPECT_LT(std::abs(sample::chi_square_score(bins, expected)), 4.5);
}

} // namespace

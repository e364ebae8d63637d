// SPDX-License-Identifier: BSL-1.0
// Keys and the generators below them: known answers, JAX's values (0.10.2), and both layouts of
// counters against their definition in plain integers.
#include "random_reference.hpp"
#include "recorded.hpp"

#include <weft/lang/random_blocks.hpp>
#include <weft/lang/random_keys.hpp>
#include <weft/run/evaluate.hpp>

namespace {

using recorded::list, recorded::values;
using weft::key, weft::random_options, weft::tensor, weft::trace_error;
using words = list<std::uint32_t>;

constexpr random_options halves{.partitionable = false};
constexpr std::uint32_t all = 0xffffffff;

// Seeds: of 32 bits and fewer the high word is 0, whatever the sign; of 64 both words.
static_assert(key(42) == key::of_words(0, 42) && key(-1) == key::of_words(0, all));
static_assert(key(2147483648u) == key::of_words(0, 2147483648u));
static_assert(key(std::int8_t{-2}) == key::of_words(0, 4294967294u));
static_assert(key(-1ll) == key::of_words(all, all) && key(42ll) == key::of_words(0, 42));
static_assert(key(4294967296) == key::of_words(1, 0));
static_assert(key(1099511627781u) == key::of_words(256, 5));
static_assert(!std::is_constructible_v<key, bool> && !std::is_constructible_v<key, double>);

words flat(key k) { return {k.high, k.low}; }
template <std::size_t N> words flat(std::array<key, N> const& keys) {
  words r;
  for (key k : keys) r.insert(r.end(), {k.high, k.low});
  return r;
}

TEST(random_keys, seeds_of_the_run) {
  auto const f = [](auto seed) { return key_data(weft::make_key(seed)); };
  EXPECT_EQ(values<std::uint32_t>(f, -1), (words{0, all}));
  EXPECT_EQ(values<std::uint32_t>(f, std::int64_t{-1}), (words{all, all}));
  EXPECT_EQ(values<std::uint32_t>(f, std::uint64_t{1099511627781}), (words{256, 5}));
  EXPECT_EQ(values<std::uint32_t>(f, tensor<std::uint8_t>(std::uint8_t{200})), (words{0, 200}));
}
TEST(random_keys, split_as_jax) {
  EXPECT_EQ(flat(weft::split<3>(key(0))),
            (words{1797259609, 2579123966, 928981903, 3453687069, 4146024105, 2718843009}));
  EXPECT_EQ(flat(weft::split<2, halves>(key(42))),
            (words{2465931498, 3679230171, 255383827, 267815257}));
  auto const traced = [](auto k) {
    auto keys = weft::split<2, halves>(k);
    return weft::concat<0>(key_data(keys[0]), key_data(keys[1]));
  };
  EXPECT_EQ(values<std::uint32_t>(traced, key(42)),
            (words{2465931498, 3679230171, 255383827, 267815257}));
}
template <random_options O, auto... E> void expect_split(key k) {
  words expected;
  std::size_t const n = (std::size_t{1} * ... * E);
  for (std::size_t i = 0; i < n; ++i) {
    key const one = reference::split(k, i, n, O.partitionable);
    expected.insert(expected.end(), {one.high, one.low});
  }
  EXPECT_EQ(values<std::uint32_t>([](auto x) { return key_data(weft::split_keys<O, E...>(x)); }, k),
            expected);
}
TEST(random_keys, split_to_shapes) {
  expect_split<random_options{}, 5>(key(42));
  expect_split<random_options{}, 2, 3>(key(1));
  expect_split<random_options{}, 0>(key(9));
  expect_split<halves, 1>(key(3));
  expect_split<halves, 2, 3>(key(1));
  expect_split<halves, 5>(key(-7ll));
  tensor<std::uint32_t, 2, 3, 2> const now = weft::split_keys<2, 3>(key(1));
  EXPECT_EQ(key::of_words(now(1, 0, 0), now(1, 0, 1)), reference::split(key(1), 3, 6));
}
TEST(random_keys, fold_in) {
  tensor<std::uint32_t, 2, 2> data;
  {
    auto m = data.mutate();
    m(0, 1) = 7, m(1, 0) = 1, m(1, 1) = all;
  }
  auto const f = [](auto k, auto i) { return key_data(weft::fold_in(k, i)); };
  words expected;
  for (std::uint32_t i : {0u, 7u, 1u, all}) {
    key const one = reference::split(key(0), i, 0);
    expected.insert(expected.end(), {one.high, one.low});
  }
  EXPECT_EQ(values<std::uint32_t>(f, key(0), data), expected);
  EXPECT_EQ(expected[2], 2716826189u); // fold_in(key(0), 7)
  tensor<std::uint32_t, 2, 2, 2> const now = weft::fold_in(key(0), data);
  EXPECT_EQ(now(0, 1, 0), 2716826189u);
  EXPECT_EQ(weft::fold_in(key(42), 7), key::of_words(2547012911, 1371500959));
  EXPECT_EQ(weft::fold_in(key(42), (5ll << 32) + 7), weft::fold_in(key(42), 7));
  EXPECT_EQ(weft::fold_in(key(42), std::uint8_t{7}), weft::fold_in(key(42), 7));
}
// fold_in(3), split(4)[2], fold_in(1)
TEST(random_keys, chain) {
  auto const f = [](auto k) {
    return key_data(weft::fold_in(weft::split<4>(weft::fold_in(k, 3))[2], 1));
  };
  key k = reference::split(reference::split(key(0), 3, 0), 2, 0);
  EXPECT_EQ(values<std::uint32_t>(f, key(0)), flat(reference::split(k, 1, 0)));
}
TEST(random_keys, words_are_keys) {
  auto const f = [](auto k) {
    auto keys = weft::split_keys<3>(k);
    return key_data(weft::fold_in(weft::wrap_key_data(weft::at<"1">(key_data(keys))), 5));
  };
  key const second = reference::split(key(8), 1, 0);
  EXPECT_EQ(values<std::uint32_t>(f, key(8)), flat(reference::split(second, 5, 0)));
  EXPECT_EQ(weft::wrap_key_data(weft::key_data(second)), second);
}

// Random123's known answers.
struct block {
  std::uint32_t words[10];
};
constexpr block threefry_answers[] = {
    {{0, 0, 0, 0, 0x6b200159, 0x99ba4efe}},
    {{all, all, all, all, 0x1cb996fc, 0xbb002be7}},
    {{0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0}}};
constexpr block philox_answers[] = {
    {{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{all, all, all, all, all, all, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0xa4093822, 0x299f31d0, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xd16cfe09,
      0x94fdcceb, 0x5001e420, 0x24126ea1}}};

template <int From, int N> constexpr auto part(block const (&rows)[3]) {
  tensor<std::uint32_t, 3, N> t;
  std::uint32_t* to = weft::detail::writable(t);
  for (block const& row : rows)
    for (int j = From; j < From + N; ++j) *to++ = row.words[j];
  return t;
}
template <class T> list<std::uint32_t> listed(T const& t) { return {t.begin(), t.end()}; }

static_assert(weft::threefry2x32(part<0, 2>(threefry_answers), part<2, 2>(threefry_answers)) ==
              part<4, 2>(threefry_answers));
TEST(random_keys, philox_blocks) {
  auto const f = [](auto k, auto c) { return weft::philox4x32(k, c); };
  EXPECT_EQ(values<std::uint32_t>(f, part<0, 2>(philox_answers), part<2, 4>(philox_answers)),
            listed(part<6, 4>(philox_answers)));
}

// One key for all counters, and counters by keys.
TEST(random_keys, blocks_broadcast) {
  auto const f = [](auto k, auto c) { return weft::threefry2x32(key_data(k), c); };
  tensor<std::uint32_t, 2, 3, 2> counters;
  words expected;
  {
    auto m = counters.mutate();
    for (std::uint32_t i = 0; i < 6; ++i) {
      m(static_cast<int>(i / 3), static_cast<int>(i % 3), 0) = i * 77;
      m(static_cast<int>(i / 3), static_cast<int>(i % 3), 1) = ~i;
      words const both = flat(reference::threefry(key(11), i * 77, ~i));
      expected.insert(expected.end(), both.begin(), both.end());
    }
  }
  EXPECT_EQ(values<std::uint32_t>(f, key(11), counters), expected);
}

constexpr auto error_of = [](auto f) { return weft::record<key>(f).error; };
static_assert(error_of([](auto k) {
                return std::pair(key_data(weft::split_keys<2>(k)), weft::split(k)[0]);
              }) == trace_error::key_used_twice);
static_assert(error_of([](auto k) {
                return std::pair(weft::fold_in(k, 1), key_data(weft::split_keys<2>(k)));
              }) == trace_error::clean);

} // namespace

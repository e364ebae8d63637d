// SPDX-License-Identifier: BSL-1.0
// Random numbers: JAX's, bit for bit (values of JAX 0.10.2, partitionable, x64 off).
#include "random_reference.hpp"
#include "recorded.hpp"

#include <weft/lang/random.hpp>

#include <algorithm>
#include <cmath>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::key, weft::sym, weft::tensor, weft::trace_error;
using words = list<std::uint32_t>;

constexpr sym batch{"batch"};

constexpr weft::random_options halves{.partitionable = false};

TEST(random, bits) {
  auto const f = [](auto k) { return weft::bits<4>(k); };
  EXPECT_EQ(values<std::uint32_t>(f, key(0)),
            (words{4070199207, 4202968722, 1427181096, 2012915765}));
  EXPECT_EQ(values<std::uint32_t>(f, key(42)),
            (words{2098992034, 2919706841, 2646866425, 2409546199}));
}
// Every width of every length, in both layouts, against the definition.
template <class T, int N> void expect_bits(key k) {
  constexpr int width = 8 * sizeof(T);
  std::size_t const n = N;
  auto as_words = [](list<T> const& x) { return reference::numbers(x.begin(), x.end()); };
  EXPECT_EQ(as_words(values<T>([](auto x) { return weft::bits<T, N>(x); }, k)),
            reference::bits(k, n, width));
  EXPECT_EQ(as_words(values<T>([](auto x) { return weft::bits<T, halves, N>(x); }, k)),
            reference::bits(k, n, width, false));
}
template <class T, int... N> void expect_bits(std::integer_sequence<int, N...>) {
  (expect_bits<T, N>(key(40 + N)), ...);
}
TEST(random, bits_of_every_width) {
  using lengths = std::make_integer_sequence<int, 11>;
  expect_bits<std::uint8_t>(lengths{});
  expect_bits<std::uint16_t>(lengths{});
  expect_bits<std::uint32_t>(lengths{});
  expect_bits<std::uint64_t>(lengths{});
}
// JAX's: bits8, bits16, bits64.
TEST(random, bits_as_jax) {
  EXPECT_EQ(values<std::uint8_t>([](auto k) { return weft::bits<std::uint8_t, 4>(k); }, key(0)),
            (list<std::uint8_t>{167, 146, 40, 53}));
  EXPECT_EQ(values<std::uint16_t>([](auto k) { return weft::bits<std::uint16_t, 4>(k); }, key(42)),
            (list<std::uint16_t>{5026, 12505, 63993, 49623}));
  EXPECT_EQ(values<std::uint64_t>([](auto k) { return weft::bits<std::uint64_t, 2>(k); }, key(42)),
            (list<std::uint64_t>{7871734211187709741, 276886910877598708}));
}
// More than 2^32 elements: counters of 64 bits. No test draws so many; the graph is read.
TEST(random, counters_of_64_bits) {
  auto const wide = [](auto k) { return weft::bits<65537, 65536>(k); };
  auto const word = [](auto k) { return weft::bits<65536, 65536>(k); };
  auto const has_wide_iota = [](auto f) {
    weft::graph const g = weft::record<key>(f);
    EXPECT_FALSE(weft::verify(g));
    bool found = false;
    for (int id = 0; id < g.size(); ++id)
      found |= g[id].code == weft::op::iota && g[id].type == weft::dtype::u64;
    return found;
  };
  EXPECT_TRUE(has_wide_iota(wide));
  EXPECT_FALSE(has_wide_iota(word));
}
// Element i depends on the key and i alone.
TEST(random, shapes_and_prefixes) {
  words const ten = values<std::uint32_t>([](auto k) { return weft::bits<2, 5>(k); }, key(42));
  words const all = values<std::uint32_t>([](auto k) { return weft::bits<1, 2, 3, 5>(k); },
                                          key(42));
  words const four = values<std::uint32_t>([](auto k) { return weft::bits<4>(k); }, key(42));
  words const one = values<std::uint32_t>([](auto k) { return weft::bits(k); }, key(42));
  EXPECT_TRUE(std::equal(four.begin(), four.end(), ten.begin()));
  EXPECT_TRUE(std::equal(ten.begin(), ten.end(), all.begin()));
  EXPECT_EQ(one[0], four[0]);
}
TEST(random, named_extents) {
  auto const f = [](auto k, auto x) { return (weft::bits<2, batch, 2>(k) & 0xffffffffu) + x; };
  tensor<std::uint32_t, batch, 2> const zeros(3);
  words const twelve = values<std::uint32_t>([](auto k) { return weft::bits<12>(k); }, key(5));
  EXPECT_EQ(values<std::uint32_t>(f, key(5), zeros), twelve);
  auto const g = [](auto k, auto x) { return weft::bits<std::uint8_t, halves, 3, batch>(k) + x; };
  tensor<std::uint8_t, batch> const none(5);
  auto const fifteen = values<std::uint8_t>(g, key(5), none);
  EXPECT_EQ(reference::numbers(fifteen.begin(), fifteen.end()),
            reference::bits(key(5), 15, 8, false));
}
TEST(random, uniform) {
  auto const f = [](auto k) { return weft::bitcast<std::uint32_t>(weft::uniform<4>(k)); };
  EXPECT_EQ(values<std::uint32_t>(f, key(0)),
            (words{0x3f729a4e, 0x3f7a8436, 0x3eaa221c, 0x3eeff550}));
  EXPECT_EQ(values<std::uint32_t>(f, key(42)),
            (words{0x3efa3824, 0x3f2e0730, 0x3f1dc3f8, 0x3f0f9ec0}));
  auto const ranged = [](auto k) { return weft::uniform<4>(k, -1, 3.0); };
  auto const u = values<float>([](auto k) { return weft::uniform<4>(k); }, key(1));
  auto const r = values<float>(ranged, key(1));
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(r[i], std::max(-1.0f, std::fma(u[i], 4.0f, -1.0f)));
  auto const by_arrays = [](auto k, auto a, auto b) { return weft::uniform<4>(k, a, b); };
  EXPECT_EQ(values<float>(by_arrays, key(1), -1.0f, 3.0f), r);
}
template <class T> list<float> as_floats(list<T> const& x) {
  list<float> r;
  for (T one : x) r.push_back(static_cast<float>(one));
  return r;
}
TEST(random, uniform_of_other_types) {
  using weft::bf16, weft::f16;
  auto const half = [](auto k) { return weft::uniform<f16, 4>(k); };
  EXPECT_EQ(as_floats(values<f16>(half, key(0))),
            (list<float>{.310546875f, .212890625f, .0546875f, .65625f}));
  EXPECT_EQ(as_floats(values<f16>(half, key(42))),
            (list<float>{.076171875f, .1904296875f, .9755859375f, .7568359375f}));
  auto const brain = [](auto k) { return weft::uniform<bf16, 4>(k); };
  EXPECT_EQ(as_floats(values<bf16>(brain, key(42))),
            (list<float>{.6328125f, .84375f, .96875f, .8359375f}));
  auto const wide = values<double>([](auto k) { return weft::uniform<double, halves, 3>(k); },
                                   key(6));
  reference::numbers const words64 = reference::bits(key(6), 3, 64, false);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(wide[i], static_cast<double>(words64[i] >> 12) * 0x1p-52);
  auto const between = values<double>([](auto k) { return weft::uniform<double, 2>(k, -1, 0.1); },
                                      key(6));
  double const first = static_cast<double>(reference::bits(key(6), 1, 64)[0] >> 12) * 0x1p-52;
  EXPECT_EQ(between[0], std::max(-1.0, std::fma(first, 0.1 - -1.0, -1.0)));
  auto const like = values<f16>([](auto k, auto x) { return weft::uniform_like(k, x); }, key(0),
                                tensor<f16, 2, 2>{});
  EXPECT_EQ(like, values<f16>(half, key(0)));
}
// Never 1, in any type: all bits of a draw set.
TEST(random, uniform_is_below_one) {
  auto const highest = []<class T>(std::type_identity<T>) {
    auto const f = [](auto x) {
      weft::recorder& r = *x.value.where;
      return weft::traced<T, 1>{weft::detail::unit_of(r, x.value, weft::dtype_of<T>)};
    };
    using U = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr int width = weft::detail::drawn_width(weft::dtype_of<T>);
    tensor<U, 1> all;
    all.mutate()(0) = static_cast<U>(~std::uint64_t{0} >> (64 - width));
    return static_cast<double>(
        static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(values<T>(f, all)[0]));
  };
  EXPECT_EQ(highest(std::type_identity<float>{}), 1 - 0x1p-23);
  EXPECT_EQ(highest(std::type_identity<double>{}), 1 - 0x1p-52);
  EXPECT_EQ(highest(std::type_identity<weft::f16>{}), 1 - 0x1p-10);
  EXPECT_EQ(highest(std::type_identity<weft::bf16>{}), 1 - 0x1p-7);
}
// Arrays beside the key: their shape if no extents are written, else broadcast to it.
TEST(random, arrays_beside_the_key) {
  tensor<float, 3> p;
  {
    auto m = p.mutate();
    m(1) = 0.5f, m(2) = 1.0f;
  }
  auto const u = values<float>([](auto k) { return weft::uniform<6>(k); }, key(2));
  auto const own = [](auto k, auto q) { return weft::bernoulli(k, q); };
  EXPECT_EQ(values<bool>(own, key(2), p), (list<bool>{false, u[1] < 0.5f, true}));
  auto const rows = [](auto k, auto q) { return weft::bernoulli<2, 3>(k, q); };
  EXPECT_EQ(values<bool>(rows, key(2), p),
            (list<bool>{false, u[1] < 0.5f, true, false, u[4] < 0.5f, true}));
  auto const above = values<float>([](auto k, auto a) { return weft::uniform(k, a, 2); }, key(2),
                                   p);
  for (unsigned i = 0; i < 3; ++i) {
    float const a = i == 0 ? 0.0f : i == 1 ? 0.5f : 1.0f;
    EXPECT_EQ(above[i], std::max(a, std::fma(u[i], 2.0f - a, a)));
  }
}
TEST(random, bernoulli) {
  auto const f = [](auto k) { return weft::bernoulli<8>(k, 0.3); };
  EXPECT_EQ(values<bool>(f, key(0)), (list<bool>{0, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(values<bool>(f, key(42)), (list<bool>{0, 0, 0, 0, 0, 0, 1, 0}));
}
TEST(random, dropout) {
  tensor<float, 8> x;
  {
    auto m = x.mutate();
    for (int i = 0; i < 8; ++i) m(i) = static_cast<float>(i + 1);
  }
  auto const keep = values<bool>([](auto k) { return weft::bernoulli<8>(k, 0.9); }, key(3));
  auto const y = values<float>([](auto k, auto a) { return dropout(k, 0.1f, a); }, key(3), x);
  auto const z = values<float>([](auto k, auto a, auto rate) { return dropout(k, rate, a); },
                               key(3), x, 0.1f);
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(y[i], keep[i] ? static_cast<float>(i + 1) / 0.9f : 0.0f);
  EXPECT_EQ(y, z);
  // The rate, an array of any float type, as the number that it is.
  auto const by_rate = [](auto k, auto a, auto rate) { return dropout(k, rate, a); };
  tensor<double, 8> const wide{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(values<float>(by_rate, key(3), x, tensor<double>(0.1)), y);
  EXPECT_EQ(values<double>(by_rate, key(3), wide, tensor<double>(0.1)),
            values<double>([](auto k, auto a) { return dropout(k, 0.1, a); }, key(3), wide));
  weft::f16 const low(0.1f);
  EXPECT_EQ(values<float>(by_rate, key(3), x, tensor<weft::f16>(low)),
            values<float>(by_rate, key(3), x, static_cast<float>(low)));
  auto const edge = [](auto k, auto a) {
    return std::pair(dropout(fold_in(k, 0), 0, a), dropout(fold_in(k, 1), 1.0, a));
  };
  auto const out = run(edge, key(3), x);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>(8, 0)));
}
// A draw is one threefry node whatever its size.
TEST(random, a_draw_is_elementwise) {
  constexpr auto kernels = [] {
    int n = 0;
    weft::graph const g = weft::record<key>([](auto k) { return weft::uniform<64, 64>(k); });
    for (int id = 0; id < g.size(); ++id) n += g[id].code == weft::op::threefry2x32;
    return n;
  };
  static_assert(kernels() == 1);
  SUCCEED();
}

constexpr auto error_of = [](auto f) { return weft::record<key, tensor<float, 3>>(f).error; };
static_assert(error_of([](auto k, auto) { return std::pair(weft::bits(k), weft::bits(k)); }) ==
              trace_error::key_used_twice);
static_assert(error_of([](auto k, auto) { return std::pair(split(k), weft::bits(k)); }) ==
              trace_error::key_used_twice);
static_assert(error_of([](auto k, auto) {
                return std::tuple(fold_in(k, 0), fold_in(k, 1), weft::bits(k));
              }) == trace_error::clean);
static_assert(error_of([](auto k, auto) {
                auto ks = split(k);
                return std::pair(weft::bits(ks[0]), weft::bits(ks[1]));
              }) == trace_error::clean);
static_assert(error_of([](auto k, auto) { return weft::bernoulli<3>(k, 2); }) ==
              trace_error::bernoulli_probability);
static_assert(error_of([](auto k, auto x) { return dropout(k, -0.5f, x); }) ==
              trace_error::dropout_rate);
static_assert(error_of([](auto k, auto xs) {
                return weft::map_leaves([&](auto x) { return x + weft::uniform(k); }, xs);
              }) == trace_error::clean);

} // namespace

// SPDX-License-Identifier: BSL-1.0
// Random numbers: JAX's, bit for bit (values of JAX 0.10.2, partitionable, x64 off).
#include "recorded.hpp"

#include <weft/lang/random.hpp>

#include <algorithm>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::key, weft::sym, weft::tensor, weft::trace_error;
using words = list<std::uint32_t>;

constexpr sym batch{"batch"};

static_assert(key(0x0123456789abcdefu) == key::of_words(0x01234567u, 0x89abcdefu));

words flat(weft::growing<weft::dense> const& out) {
  words r;
  for (auto const& d : out)
    for (weft::word w : d.words) r.push_back(static_cast<std::uint32_t>(w));
  return r;
}

TEST(random, split) {
  auto const f = [](auto k) { return split<3>(k); };
  EXPECT_EQ(flat(run(f, key(0))),
            (words{1797259609, 2579123966, 928981903, 3453687069, 4146024105, 2718843009}));
  EXPECT_EQ(flat(run(f, key(42))),
            (words{1832780943, 270669613, 64467757, 2916123636, 2465931498, 255383827}));
  EXPECT_EQ(values<std::uint32_t>([](auto k) { return weft::split_keys<3>(k); }, key(42)),
            (words{1832780943, 270669613, 64467757, 2916123636, 2465931498, 255383827}));
}
TEST(random, fold_in) {
  auto const f = [](auto k) { return fold_in(k, 7); };
  EXPECT_EQ(values<std::uint32_t>(f, key(0)), (words{2716826189, 292468403}));
  EXPECT_EQ(values<std::uint32_t>(f, key(42)), (words{2547012911, 1371500959}));
  EXPECT_EQ(values<std::uint32_t>([](auto k, auto i) { return fold_in(k, i); }, key(42), 7),
            (words{2547012911, 1371500959}));
}
TEST(random, bits) {
  auto const f = [](auto k) { return weft::bits<4>(k); };
  EXPECT_EQ(values<std::uint32_t>(f, key(0)),
            (words{4070199207, 4202968722, 1427181096, 2012915765}));
  EXPECT_EQ(values<std::uint32_t>(f, key(42)),
            (words{2098992034, 2919706841, 2646866425, 2409546199}));
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
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(r[i], std::max(-1.0f, __builtin_fmaf(u[i], 4.0f, -1.0f)));
  auto const by_arrays = [](auto k, auto a, auto b) { return weft::uniform<4>(k, a, b); };
  EXPECT_EQ(values<float>(by_arrays, key(1), -1.0f, 3.0f), r);
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
static_assert(error_of([](auto k, auto xs) {
                return weft::map_leaves([&](auto x) { return x + weft::uniform(k); }, xs);
              }) == trace_error::clean);

} // namespace

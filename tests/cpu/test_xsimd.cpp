// SPDX-License-Identifier: BSL-1.0
// build: alone long
// needs: xsimd/xsimd.hpp
// Packs of xsimd's instruction sets: every case of weft's own packs, and compiled programs with the
// bits of the native target.
#if defined(__GNUC__) && !defined(__clang__) // GCC 12 says it of its own intrinsics (bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <weft/weft.hpp>
#include <weft/xsimd.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using smallest = weft::cpu::xsimd_target<xsimd::sse2>;
using best = weft::cpu::xsimd_target<>;
using targets = std::conditional_t<std::is_same_v<smallest, best>, testing::Types<smallest>,
                                   testing::Types<smallest, best>>;
struct target_names {
  template <class Target> static std::string GetName(int index) {
    return index == 0 ? "sse2" : "best";
  }
};

} // namespace

#include "pack_cases.hpp"

namespace {

// Elementwise kernels, reductions with tails, a product, bf16 and 64-bit numbers.
// Maxima alone in their groups, of whole rounds and strips.
inline constexpr auto program = [](auto x, auto w, auto n, auto r) {
  auto h = tanh(weft::einsum<"ij,jk->ik">(x, w)) * 0.5f + exp(-x);
  auto counts = weft::convert<std::int64_t>(n) * 3 + 1;
  return std::tuple(weft::sum<1>(h), weft::max<0>(h), weft::convert<bf16>(h) * bf16(1.5f),
                    weft::sum(weft::convert<double>(counts) / 7.0), counts,
                    weft::mean(weft::log(weft::abs(x) + 1)), weft::max<1>(r), weft::min<0>(r));
};
template <class A> void expect_same(A const& a, A const& b) {
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}
template <class Target> auto outcome() {
  weft::tensor<float, 19, 19> const x = weft::normal<19, 19>(weft::key(1)),
                                    w = weft::normal<19, 19>(weft::key(2));
  weft::tensor<int, 37> const n = weft::randint<37>(weft::key(3), -1000, 1000);
  weft::tensor<float, 70, 64> const r = weft::normal<70, 64>(weft::key(4));
  return weft::jit<program, Target>(x, w, n, r);
}
TYPED_TEST(packs, programs_have_the_native_bits) {
  auto const is = outcome<TypeParam>(), should = outcome<cpu::native_target>();
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (expect_same(std::get<K>(is), std::get<K>(should)), ...);
  }(std::make_index_sequence<8>{});
}

} // namespace

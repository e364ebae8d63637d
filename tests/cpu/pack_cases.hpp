// SPDX-License-Identifier: BSL-1.0
// Packs of `targets` against the scalar world, bit for bit (NaN payloads aside): primitives and
// meanings on hard values, elementary functions on 2^20 floats; memory access against plain loops.
// Needs: what includes this names `targets` (testing::Types) and `target_names` before.
#pragma once

#include <weft/cpu/quick_maxima.hpp>
#include <weft/op/meaning.hpp>

#include <op/numbers.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace cpu = weft::cpu;
namespace meaning = weft::meaning;
namespace elementary = weft::elementary;
namespace scalar = weft::scalar;
using weft::bf16;

template <class Target> struct packs : testing::Test {};
TYPED_TEST_SUITE(packs, targets, target_names);

static_assert(std::is_same_v<cpu::pack_for<cpu::generic, bf16>, cpu::pack_f32<cpu::generic>>);
static_assert(std::is_same_v<cpu::pack_for<cpu::generic, bool>, cpu::pack_mask<cpu::generic>>);
static_assert(weft::world_float<cpu::pack_f32<cpu::generic>> &&
              weft::world_mask<cpu::pack_mask<cpu::generic>>);

// The storage type of a kind of value.
template <class T> auto storage() {
  if constexpr (weft::world_float<T>) return float{};
  else if constexpr (weft::world_int<T>) return std::int32_t{};
  else if constexpr (weft::world_uint<T>) return std::uint32_t{};
  else return bool{};
}
template <class T> using storage_of = decltype(storage<T>());

template <class T> bool same(T a, T b) {
  if constexpr (std::is_same_v<T, float>) return numbers::same(a, b);
  else return a == b;
}

// Draws an operand of a scalar kind: special values often, else hard ones.
template <class T> storage_of<T> draw(numbers::generator& g) {
  std::uint32_t const r = g.word();
  std::uint32_t const word = r % 3 != 0 ? g.word() >> (r % 32) : numbers::special_words[r % 14];
  if constexpr (weft::world_float<T>) {
    return r % 3 == 0   ? numbers::special_floats[g.word() % numbers::special_floats.size()]
           : r % 3 == 1 ? g.hard_float()
                        : g.any_float();
  } else if constexpr (weft::world_mask<T>) return (r & 256) != 0;
  else return static_cast<storage_of<T>>(word);
}

// function on packs, lane by lane equal to function on scalars; T: the kinds of its operands.
template <class Target, class... T, class Function, std::size_t... Index>
void compare(char const* name, Function function, std::index_sequence<Index...>, int turns) {
  constexpr int lanes = Target::lanes;
  numbers::generator g;
  for (int turn = 0; turn < turns; ++turn) {
    std::tuple<std::array<storage_of<T>, static_cast<std::size_t>(lanes)>...> in;
    for (std::size_t k = 0; k < lanes; ++k) ((std::get<Index>(in)[k] = draw<T>(g)), ...);
    auto const result = function(cpu::load<Target>(std::get<Index>(in).data())...);
    for (std::size_t k = 0; k < lanes; ++k) {
      auto const expected = function(T(std::get<Index>(in)[k])...).value;
      ASSERT_TRUE(same(lane(result, static_cast<int>(k)), expected))
          << name << ": lane " << k << ": " << lane(result, static_cast<int>(k)) << ", not "
          << expected << testing::PrintToString(in);
    }
  }
}
template <class Target, class... T, class Function>
void compare(char const* name, Function function, int turns = 20'000) {
  compare<Target, T...>(name, function, std::index_sequence_for<T...>{}, turns);
}

using f = scalar::f32;
using i = scalar::i32;
using u = scalar::u32;
using m = scalar::mask;

TYPED_TEST(packs, float_primitives_equal_scalar) {
  using t = TypeParam;
  compare<t, f, f>("+", [](auto a, auto b) { return a + b; });
  compare<t, f, f>("-", [](auto a, auto b) { return a - b; });
  compare<t, f, f>("*", [](auto a, auto b) { return a * b; });
  compare<t, f, f>("/", [](auto a, auto b) { return a / b; });
  compare<t, f, f, f>(
      "fma", [](auto a, auto b, auto c) { return fma(a, b, c); }, 200'000);
  compare<t, f, f>(
      "fma, cancelling", [](auto a, auto b) { return fma(a, b, -(a * b)); }, 200'000);
  compare<t, f, f, f>("a * b + c", [](auto a, auto b, auto c) { return a * b + c; });
  compare<t, f>("sqrt", [](auto a) { return sqrt(a); });
  compare<t, f>("unary -", [](auto a) { return -a; });
  compare<t, f>("abs", [](auto a) { return abs(a); });
  compare<t, f, f>("min", [](auto a, auto b) { return min(a, b); });
  compare<t, f, f>("max", [](auto a, auto b) { return max(a, b); });
  compare<t, f, f>("<", [](auto a, auto b) { return a < b; });
  compare<t, f, f>("<=", [](auto a, auto b) { return a <= b; });
  compare<t, f, f>("==", [](auto a, auto b) { return a == b; });
  compare<t, u>("to_float(u)", [](auto a) { return to_float(a); });
  compare<t, i>("to_float(i)", [](auto a) { return to_float(a); });
  compare<t, u>("as_float", [](auto a) { return as_float(a); });
}

TYPED_TEST(packs, integer_primitives_equal_scalar) {
  using t = TypeParam;
  auto both = [](char const* name, auto function) {
    compare<t, i, i>(name, function);
    compare<t, u, u>(name, function);
  };
  both("+", [](auto a, auto b) { return a + b; });
  both("-", [](auto a, auto b) { return a - b; });
  both("*", [](auto a, auto b) { return a * b; });
  both("<", [](auto a, auto b) { return a < b; });
  both("<=", [](auto a, auto b) { return a <= b; });
  both("==", [](auto a, auto b) { return a == b; });
  compare<t, u, u>("%", [](auto a, auto b) { return a % (b | decltype(b)(1u)); });
  compare<t, i>("%", [](auto a) { return a % decltype(a)(7); });
  compare<t, u>("~", [](auto a) { return ~a; });
  compare<t, i>("unary -", [](auto a) { return -a; });
  compare<t, u>("shl, shr", [](auto a) { return shl(a, 5) ^ shr(a, 31); });
  compare<t, u>("rotl", [](auto a) { return rotl(a, 13); });
  compare<t, i>("sar", [](auto a) { return sar(a, 7); });
}

TYPED_TEST(packs, masks_equal_scalar) {
  using t = TypeParam;
  compare<t, m, m>("&", [](auto a, auto b) { return a & b; });
  compare<t, m, m>("|", [](auto a, auto b) { return a | b; });
  compare<t, m, m>("^", [](auto a, auto b) { return a ^ b; });
  compare<t, m, m>("==", [](auto a, auto b) { return a == b; });
  compare<t, m>("!", [](auto a) { return !a; });
  compare<t, m, f, f>("select f", [](auto c, auto a, auto b) { return select(c, a, b); });
  compare<t, m, i, i>("select i", [](auto c, auto a, auto b) { return select(c, a, b); });
  compare<t, m, u, u>("select u", [](auto c, auto a, auto b) { return select(c, a, b); });
  compare<t, m, m, m>("select m", [](auto c, auto a, auto b) { return select(c, a, b); });
  compare<t, m, f>("when", [](auto c, auto a) {
    return when(
        c, [&] { return a + a; }, a);
  });
}

TYPED_TEST(packs, meanings_equal_scalar) {
  using t = TypeParam;
  auto integers = [](char const* name, auto function) {
    compare<t, i, i>(name, function);
    compare<t, u, u>(name, function);
  };
  integers("div", [](auto a, auto b) { return meaning::div(a, b); });
  integers("maximum", [](auto a, auto b) { return meaning::maximum(a, b); });
  integers("minimum", [](auto a, auto b) { return meaning::minimum(a, b); });
  integers("bit_xor", [](auto a, auto b) { return meaning::bit_xor(a, b); });
  integers("shift_left", [](auto a, auto b) { return meaning::shift_left(a, b); });
  integers("shift_right_logical",
           [](auto a, auto b) { return meaning::shift_right_logical(a, b); });
  integers("shift_right_arithmetic",
           [](auto a, auto b) { return meaning::shift_right_arithmetic(a, b); });
  compare<t, i>("abs", [](auto a) { return meaning::abs(a); });
  compare<t, u>("neg", [](auto a) { return meaning::neg(a); });
  compare<t, i>("bit_not", [](auto a) { return meaning::bit_not(a); });
  compare<t, f, f>("maximum", [](auto a, auto b) { return meaning::maximum(a, b); });
  compare<t, f, f>("minimum", [](auto a, auto b) { return meaning::minimum(a, b); });
  compare<t, f, f>("not_equal", [](auto a, auto b) { return meaning::not_equal(a, b); });
  compare<t, f, f>("greater_equal", [](auto a, auto b) { return meaning::greater_equal(a, b); });
  compare<t, f>("to int", [](auto a) { return meaning::convert_to<typename decltype(a)::i>(a); });
  compare<t, f>("to uint", [](auto a) { return meaning::convert_to<typename decltype(a)::u>(a); });
  compare<t, f>("to mask", [](auto a) { return meaning::convert_to<typename decltype(a)::m>(a); });
  compare<t, i>("to mask", [](auto a) { return meaning::convert_to<typename decltype(a)::m>(a); });
  compare<t, m>("to float", [](auto a) { return meaning::convert_to<typename decltype(a)::f>(a); });
  compare<t, f>("bitcast", [](auto a) { return meaning::bitcast_to<typename decltype(a)::i>(a); });
  compare<t, u, u, u, u>("threefry", [](auto a, auto b, auto c, auto d) {
    return meaning::threefry2x32(a, b, c, d).first;
  });
  compare<t, u, u, u, u>("threefry", [](auto a, auto b, auto c, auto d) {
    return meaning::threefry2x32(a, b, c, d).second;
  });
}

// Over the sweep of all floats.
template <class Target, class Function> void sweep(char const* name, Function function) {
  constexpr std::size_t lanes = Target::lanes;
  std::vector<float> in;
  in.reserve((1u << 20) + 64);
  numbers::for_each_float([&](float x) { in.push_back(x); });
  in.resize(in.size() / lanes * lanes + lanes, 1.0f);
  for (std::size_t k = 0; k < in.size(); k += lanes) {
    float out[lanes];
    cpu::store(out, function(cpu::load<Target>(&in[k])));
    for (std::size_t j = 0; j < lanes; ++j)
      ASSERT_TRUE(numbers::same(out[j], function(f(in[k + j])).value))
          << name << '(' << in[k + j] << ')';
  }
}
TYPED_TEST(packs, elementary_functions_equal_scalar) {
  sweep<TypeParam>("exp", [](auto x) { return elementary::exp(x); });
  sweep<TypeParam>("log", [](auto x) { return elementary::log(x); });
  sweep<TypeParam>("tanh", [](auto x) { return elementary::tanh(x); });
  sweep<TypeParam>("sigmoid", [](auto x) { return elementary::sigmoid(x); });
  sweep<TypeParam>("round_bf16", [](auto x) { return elementary::round_bf16(x); });
}

// The compiler must not see where the operands come from.
template <class Target>
WEFT_NOINLINE void multiply_then_add(float const* a, float const* b, float const* c, float* r) {
  cpu::store(r, cpu::load<Target>(a) * cpu::load<Target>(b) + cpu::load<Target>(c));
}
template <class Target>
WEFT_NOINLINE void subtract_product(float const* a, float const* b, float const* c, float* r) {
  cpu::store(r, cpu::load<Target>(c) - meaning::mul(cpu::load<Target>(a), cpu::load<Target>(b)));
}
TYPED_TEST(packs, product_and_sum_are_two_roundings) {
  numbers::generator g;
  int fused_differs = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    std::array<float, TypeParam::lanes> a, b, c, zeros = {}, r;
    for (float& x : a) x = g.hard_float();
    for (float& x : b) x = g.hard_float();
    multiply_then_add<TypeParam>(a.data(), b.data(), zeros.data(), c.data()); // c = a * b
    subtract_product<TypeParam>(a.data(), b.data(), c.data(), r.data());
    for (float x : r) EXPECT_EQ(x, 0.0f);
    for (float& x : c) x = -x;
    multiply_then_add<TypeParam>(a.data(), b.data(), c.data(), r.data());
    for (float x : r) EXPECT_EQ(x, 0.0f);
    for (std::size_t k = 0; k < a.size(); ++k)
      fused_differs += fma(f(a[k]), f(b[k]), f(c[k])).value != 0.0f;
  }
  EXPECT_GT(fused_differs, 100); // else the operands could not tell
}

template <class T> T element(int k) {
  if constexpr (std::is_same_v<T, bool>) return k % 3 == 0;
  else if constexpr (std::is_same_v<T, bf16>) return bf16(static_cast<float>(k) - 5.5f);
  else return static_cast<T>(k * 1000 + 1);
}
template <class T> auto computed(T x) {
  if constexpr (std::is_same_v<T, bf16>) return static_cast<float>(x);
  else return x;
}

// Every access form against a loop; what surrounds the elements must stay as it was.
template <class Target, class T> void check_memory() {
  constexpr int lanes = Target::lanes, size = 3 * lanes + 8;
  for (int stride : {1, 2, 3, 0, -1, -2}) {
    for (int n = 0; n <= lanes; ++n) {
      T in[size], out[size], expected[size];
      for (int k = 0; k < size; ++k)
        in[k] = element<T>(k), out[k] = expected[k] = element<T>(k + 1);
      int const first = stride < 0 ? size - 4 : 4;
      auto const x = stride == 1 ? cpu::load_first<Target>(in + first, n)
                                 : cpu::load_strided_first<Target>(in + first, stride, n);
      for (int k = 0; k < lanes; ++k)
        ASSERT_EQ(lane(x, k), k < n ? computed(in[first + k * stride]) : computed(T{}))
            << k << ' ' << n;
      if (n == lanes) {
        auto const y = stride == 1 ? cpu::load<Target>(in + first)
                                   : cpu::load_strided<Target>(in + first, stride);
        for (int k = 0; k < lanes; ++k) ASSERT_EQ(lane(x, k), lane(y, k));
      }
      if (n == lanes && stride != 1) cpu::store_strided(out + first, x, stride);
      else if (n == lanes) cpu::store(out + first, x);
      else if (stride == 1) cpu::store_first(out + first, x, n);
      else cpu::store_strided_first(out + first, x, stride, n);
      for (int k = 0; k < n; ++k) expected[first + k * stride] = in[first + k * stride];
      if (stride == 0 && n > 0) expected[first] = in[first];
      for (int k = 0; k < size; ++k)
        ASSERT_EQ(computed(out[k]), computed(expected[k])) << k << ' ' << n << ' ' << stride;
    }
  }
}
TYPED_TEST(packs, memory_access_is_exact) {
  check_memory<TypeParam, float>();
  check_memory<TypeParam, std::int32_t>();
  check_memory<TypeParam, std::uint32_t>();
  check_memory<TypeParam, bool>();
  check_memory<TypeParam, bf16>();
}

// Exactly n elements exist: reading or writing one more is an error under the address sanitizer,
// and a fault where the next page is not mapped.
TYPED_TEST(packs, tails_stay_inside_their_memory) {
  for (int n = 1; n <= TypeParam::lanes; ++n) {
    std::vector<float> in(static_cast<std::size_t>(n), 2.0f), out(in.size());
    cpu::store_first(out.data(), cpu::load_first<TypeParam>(in.data(), n), n);
    EXPECT_EQ(in, out);
  }
}

// Each of the numbers that are hard in each lane of either pack, among 1 and among -1.
template <class Target, weft::op Reduction> void expect_quick_maxima() {
  using floats = cpu::pack_f32<Target>;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (float const others : {1.0f, -1.0f})
    for (float const one : {nan, -nan, 0.0f, -0.0f, infinity, -infinity, 2.0f, -2.0f})
      for (int at = 0; at < 2 * Target::lanes; ++at) {
        float x[2 * Target::lanes];
        for (float& y : x) y = others;
        x[at] = one;
        floats const a = cpu::load<Target>(x), b = cpu::load<Target>(x + Target::lanes);
        cpu::quick_maxima<Target, Reduction> seen;
        seen.clear();
        floats const quick = seen.combined(a, b), meant = weft::row<Reduction>::meaning(a, b);
        seen.note(a, b);
        bool const is_zero = lane(meant, at % Target::lanes) == 0;
        ASSERT_EQ(seen.is_sure(quick), one == one && !is_zero) << one << " in " << at;
        if (!seen.is_sure(quick)) continue;
        for (int k = 0; k < Target::lanes; ++k) ASSERT_EQ(lane(quick, k), lane(meant, k));
      }
}
TYPED_TEST(packs, quick_maxima_are_sure_or_say_so) {
  expect_quick_maxima<TypeParam, weft::op::reduce_max>();
  expect_quick_maxima<TypeParam, weft::op::reduce_min>();
}

TYPED_TEST(packs, splat_and_first_lanes) {
  using t = TypeParam;
  EXPECT_EQ(lane(bits(cpu::splat<t>(-0.0f)), t::lanes - 1), 0x80000000u);
  EXPECT_EQ(lane(cpu::splat<t>(-7), 0), -7);
  EXPECT_EQ(lane(cpu::splat<t>(7u), 1), 7u);
  EXPECT_EQ(lane(cpu::splat<t>(bf16(1.5f)), 1), 1.5f);
  EXPECT_TRUE(lane(cpu::splat<t>(true), t::lanes - 1));
  for (int n = 0; n <= t::lanes; ++n)
    for (int k = 0; k < t::lanes; ++k) EXPECT_EQ(lane(cpu::first_lanes<t>(n), k), k < n);
  EXPECT_FALSE(any(cpu::first_lanes<t>(0)));
  EXPECT_TRUE(any(cpu::first_lanes<t>(1)));
  EXPECT_TRUE(any(!cpu::first_lanes<t>(t::lanes - 1)));
}

} // namespace

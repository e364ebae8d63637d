// SPDX-License-Identifier: BSL-1.0
// Packs of 64-bit numbers, narrow integers over packs, and 16-bit floats against the scalar world,
// bit for bit (NaN payloads aside); their memory access against plain loops.
// Needs: what includes this names `targets` (testing::Types) before.
#pragma once

#include <weft/cpu/elementwise.hpp>

#include <op/numbers.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <tuple>
#include <vector>

namespace {

using namespace weft;

template <class Target> struct pack_types : testing::Test {};
TYPED_TEST_SUITE(pack_types, targets);

static_assert(world_float<cpu::pack_f64<cpu::generic>> && world_wide<cpu::pack_f64<cpu::generic>>);
static_assert(
    std::is_same_v<cpu::pack_for<cpu::generic, std::int8_t>, cpu::pack_i32<cpu::generic>>);
static_assert(
    std::is_same_v<cpu::computed_as<dtype::i64, cpu::generic>, cpu::pack_i64<cpu::generic>>);

template <dtype D> using scalar_of = compute_type<scalar::f32, D>;

word special_word(numbers::generator& g, dtype d) {
  word const top = word{1} << (8 * size_of(d) - 1), bits = static_cast<word>(8 * size_of(d));
  word const list[] = {0,        1,       2,   7,       bits - 1, bits,
                       bits + 1, top - 1, top, top + 1, top - 2,  ~word{0}};
  return list[g.word() % 12];
}
double any_double(numbers::generator& g) {
  std::uint32_t const r = g.word();
  word const bits = word{g.word()} << 32 | g.word();
  if (r % 4 == 0) return std::bit_cast<double>(bits);
  if (r % 4 == 1) return numbers::special_floats[g.word() % numbers::special_floats.size()];
  if (r % 4 == 2) return g.hard_float();
  return std::ldexp(static_cast<double>(bits >> (r >> 8) % 12),
                    static_cast<int>(r >> 16 & 127) - 100);
}
// An element of D: what is hard to compute with.
template <dtype D> storage_of<D> draw(numbers::generator& g) {
  using T = storage_of<D>;
  if constexpr (D == dtype::boolean) return g.word() % 2 == 0;
  else if constexpr (is_float(D))
    return static_cast<T>(
        is_wide(D) ? any_double(g)
                   : static_cast<double>(
                         g.word() % 2 == 0
                             ? g.hard_float()
                             : numbers::special_floats[g.word() % numbers::special_floats.size()]));
  else {
    word const any = (word{g.word()} << 32 | g.word()) >> g.word() % 64;
    return static_cast<T>(g.word() % 2 == 0 ? any : special_word(g, D));
  }
}

template <dtype D, class Target> auto loaded(storage_of<D> const* p) {
  using T = cpu::computed_as<D, Target>;
  if constexpr (is_narrow_int<T>) return T::extended(cpu::load<Target>(p));
  else return cpu::load<Target>(p);
}
template <dtype D> auto scalar_from(storage_of<D> x) {
  if constexpr (is_half(D)) return scalar::f32(static_cast<float>(x));
  else return scalar_of<D>(x);
}
template <class T> auto lane_of(T const& x, int k) {
  if constexpr (is_narrow_int<T>) return lane(x.value, k);
  else return lane(x, k);
}
template <class T> auto number_in(T const& x) {
  if constexpr (is_narrow_int<T>) return x.value.value;
  else return x.value;
}
template <class T> bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return (std::isnan(a) && std::isnan(b)) || word_of(a) == word_of(b);
  else return a == b;
}

// function on packs, lane by lane equal to function on scalars; D: the types of its operands.
template <class Target, dtype... D, class Function>
void compare(char const* name, Function function, int turns = 4000) {
  constexpr int lanes = Target::lanes;
  numbers::generator g;
  for (int turn = 0; turn < turns; ++turn) {
    std::tuple<std::array<storage_of<D>, lanes>...> in;
    std::apply(
        [&](auto&... list) {
          for (std::size_t k = 0; k < lanes; ++k) ((list[k] = draw<D>(g)), ...);
          auto const result = function(loaded<D, Target>(list.data())...);
          for (std::size_t k = 0; k < lanes; ++k) {
            auto const expected = number_in(function(scalar_from<D>(list[k])...));
            auto const got = lane_of(result, static_cast<int>(k));
            ASSERT_TRUE(same(got, expected))
                << name << ": lane " << k << ": " << got << ", not " << expected;
          }
        },
        in);
  }
}

constexpr dtype f64 = dtype::f64, i64 = dtype::i64, u64 = dtype::u64, mask = dtype::boolean;

TYPED_TEST(pack_types, double_primitives) {
  using t = TypeParam;
  compare<t, f64, f64>("+", [](auto a, auto b) { return a + b; });
  compare<t, f64, f64>("-", [](auto a, auto b) { return a - b; });
  compare<t, f64, f64>("*", [](auto a, auto b) { return a * b; });
  compare<t, f64, f64>("/", [](auto a, auto b) { return a / b; });
  compare<t, f64, f64, f64>("fma", [](auto a, auto b, auto c) { return fma(a, b, c); });
  compare<t, f64, f64>("fma, cancelling", [](auto a, auto b) { return fma(a, b, -(a * b)); });
  compare<t, f64, f64, f64>("a * b + c", [](auto a, auto b, auto c) { return a * b + c; });
  compare<t, f64>("sqrt", [](auto a) { return sqrt(a); });
  compare<t, f64>("unary -", [](auto a) { return -a; });
  compare<t, f64>("abs", [](auto a) { return abs(a); });
  compare<t, f64, f64>("min", [](auto a, auto b) { return min(a, b); });
  compare<t, f64, f64>("max", [](auto a, auto b) { return max(a, b); });
  compare<t, f64, f64>("<", [](auto a, auto b) { return a < b; });
  compare<t, f64, f64>("<=", [](auto a, auto b) { return a <= b; });
  compare<t, f64, f64>("==", [](auto a, auto b) { return a == b; });
  compare<t, mask, f64, f64>("select", [](auto m, auto a, auto b) { return select(m, a, b); });
  compare<t, mask, f64>("when", [](auto m, auto a) {
    return when(
        m, [&] { return a + a; }, a);
  });
  compare<t, u64>("as_float", [](auto a) { return as_float(a); });
  compare<t, u64>("to_float(u)", [](auto a) { return to_float(a); });
  compare<t, i64>("to_float(i)", [](auto a) { return to_float(a); });
}

TYPED_TEST(pack_types, integer_primitives) {
  using t = TypeParam;
  auto both = [](char const* name, auto function) {
    compare<t, i64, i64>(name, function);
    compare<t, u64, u64>(name, function);
  };
  both("+", [](auto a, auto b) { return a + b; });
  both("-", [](auto a, auto b) { return a - b; });
  both("*", [](auto a, auto b) { return a * b; });
  both("<", [](auto a, auto b) { return a < b; });
  both("<=", [](auto a, auto b) { return a <= b; });
  both("==", [](auto a, auto b) { return a == b; });
  both("select", [](auto a, auto b) { return select(a < b, b, a); });
  compare<t, u64, u64>("%", [](auto a, auto b) { return a % (b | decltype(b)(1u)); });
  compare<t, i64>("%", [](auto a) { return a % decltype(a)(7); });
  compare<t, u64, u64>("bits", [](auto a, auto b) { return (~a & b) ^ (a | b); });
  compare<t, i64>("unary -", [](auto a) { return -a; });
  compare<t, u64>("shl, shr", [](auto a) { return shl(a, 5) ^ shr(a, 63); });
  compare<t, u64>("rotl", [](auto a) { return rotl(a, 37); });
  compare<t, i64>("sar", [](auto a) { return sar(a, 33); });
}

// What an op means for integers of one type, and of narrow ones.
template <class Target, dtype D> void compare_integers() {
  compare<Target, D, D>("add", [](auto a, auto b) { return meaning::add(a, b); });
  compare<Target, D, D>("mul", [](auto a, auto b) { return meaning::mul(a, b); });
  compare<Target, D, D>("div", [](auto a, auto b) { return meaning::div(a, b); });
  compare<Target, D, D>("maximum", [](auto a, auto b) { return meaning::maximum(a, b); });
  compare<Target, D, D>("bit_xor", [](auto a, auto b) { return meaning::bit_xor(a, b); });
  compare<Target, D>("bit_not", [](auto a) { return meaning::bit_not(a); });
  compare<Target, D>("abs", [](auto a) { return meaning::abs(a); });
  compare<Target, D, D>("shift_left", [](auto a, auto b) { return meaning::shift_left(a, b); });
  compare<Target, D, D>("shift_right_logical",
                        [](auto a, auto b) { return meaning::shift_right_logical(a, b); });
  compare<Target, D, D>("shift_right_arithmetic",
                        [](auto a, auto b) { return meaning::shift_right_arithmetic(a, b); });
}
TYPED_TEST(pack_types, integer_meanings) {
  compare_integers<TypeParam, dtype::i8>();
  compare_integers<TypeParam, dtype::u8>();
  compare_integers<TypeParam, dtype::i16>();
  compare_integers<TypeParam, dtype::u16>();
  compare_integers<TypeParam, i64>();
  compare_integers<TypeParam, u64>();
}

template <class Target, dtype From, dtype To> void compare_conversion() {
  compare<Target, From>(
      name_of(To), [](auto a) { return meaning::convert<From, To>(a); }, 1000);
}
template <class Target, dtype From> void compare_conversions() {
  compare_conversion<Target, From, dtype::f32>();
  compare_conversion<Target, From, dtype::f64>();
  compare_conversion<Target, From, dtype::bf16>();
  compare_conversion<Target, From, dtype::f16>();
  compare_conversion<Target, From, dtype::i8>();
  compare_conversion<Target, From, dtype::u16>();
  compare_conversion<Target, From, dtype::i32>();
  compare_conversion<Target, From, dtype::u32>();
  compare_conversion<Target, From, dtype::i64>();
  compare_conversion<Target, From, dtype::u64>();
  compare_conversion<Target, From, dtype::boolean>();
}
TYPED_TEST(pack_types, conversions) {
  compare_conversions<TypeParam, dtype::f64>();
  compare_conversions<TypeParam, dtype::f32>();
  compare_conversions<TypeParam, dtype::i64>();
  compare_conversions<TypeParam, dtype::u64>();
  compare_conversions<TypeParam, dtype::i32>();
  compare_conversions<TypeParam, dtype::u32>();
  compare_conversions<TypeParam, dtype::i16>();
  compare_conversions<TypeParam, dtype::f16>();
}

// Every access form against a loop; what surrounds the elements must stay as it was.
template <class Target, class T> void check_memory() {
  constexpr int lanes = Target::lanes, size = 3 * lanes + 8;
  auto const element = [](int k) { return static_cast<T>(k * 37 - 20); };
  auto const held = [](T x) { return static_cast<storage_of<compute_of(dtype_of<T>)>>(x); };
  for (int stride : {1, 2, 3, 0, -1, -2})
    for (int n = 0; n <= lanes; ++n) {
      T in[size], out[size], expected[size];
      for (int k = 0; k < size; ++k) in[k] = element(k), out[k] = expected[k] = element(k + 1);
      int const first = stride < 0 ? size - 4 : 4;
      auto const x = stride == 1 ? cpu::load_first<Target>(in + first, n)
                                 : cpu::load_strided_first<Target>(in + first, stride, n);
      for (int k = 0; k < lanes; ++k)
        ASSERT_EQ(lane(x, k), k < n ? held(in[first + k * stride]) : held(T{})) << k << ' ' << n;
      if (n == lanes) {
        auto const y = stride == 1 ? cpu::load<Target>(in + first)
                                   : cpu::load_strided<Target>(in + first, stride);
        for (int k = 0; k < lanes; ++k) ASSERT_EQ(lane(x, k), lane(y, k));
        if (stride == 1) cpu::store(out + first, x);
        else cpu::store_strided(out + first, x, stride);
      } else if (stride == 1) cpu::store_first(out + first, x, n);
      else cpu::store_strided_first(out + first, x, stride, n);
      for (int k = 0; k < n; ++k) expected[first + k * stride] = in[first + k * stride];
      for (int k = 0; k < size; ++k)
        ASSERT_EQ(held(out[k]), held(expected[k])) << k << ' ' << n << ' ' << stride;
    }
}
TYPED_TEST(pack_types, memory_access_is_exact) {
  check_memory<TypeParam, double>();
  check_memory<TypeParam, std::int64_t>();
  check_memory<TypeParam, std::uint64_t>();
  check_memory<TypeParam, std::int8_t>();
  check_memory<TypeParam, std::uint8_t>();
  check_memory<TypeParam, std::int16_t>();
  check_memory<TypeParam, std::uint16_t>();
  check_memory<TypeParam, f16>();
}

// All 65536 bit patterns, loaded and stored; floats between two of them, rounded.
TYPED_TEST(pack_types, every_f16) {
  constexpr int lanes = TypeParam::lanes;
  for (int first = 0; first < 65536; first += lanes) {
    f16 in[lanes], out[lanes];
    float between[lanes];
    for (int k = 0; k < lanes; ++k) {
      in[k] = f16::from_bits(static_cast<std::uint16_t>(first + k));
      f16 const next = f16::from_bits(static_cast<std::uint16_t>(first + k + 1));
      between[k] = (static_cast<float>(in[k]) + static_cast<float>(next)) / 2;
    }
    auto const x = cpu::load<TypeParam>(in);
    for (int k = 0; k < lanes; ++k)
      ASSERT_TRUE(same(lane(x, k), static_cast<float>(in[k]))) << first + k;
    cpu::store(out, cpu::load<TypeParam>(between));
    for (int k = 0; k < lanes; ++k)
      ASSERT_TRUE(same(static_cast<float>(out[k]), static_cast<float>(f16(between[k]))))
          << first + k;
  }
}

// Exactly n elements exist: an access of one more is seen by the address sanitizer.
TYPED_TEST(pack_types, tails_stay_inside_their_memory) {
  for (int n = 1; n <= TypeParam::lanes; ++n) {
    std::vector<double> in(static_cast<std::size_t>(n), 2.0), out(in.size());
    cpu::store_first(out.data(), cpu::load_first<TypeParam>(in.data(), n), n);
    EXPECT_EQ(in, out);
  }
}

// The compiler must not see where the operands come from.
template <class Target>
WEFT_NOINLINE void multiply_then_add(double const* a, double const* b, double const* c, double* r) {
  cpu::store(r, cpu::load<Target>(a) * cpu::load<Target>(b) + cpu::load<Target>(c));
}
TYPED_TEST(pack_types, product_and_sum_are_two_roundings) {
  numbers::generator g;
  int fused_differs = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    std::array<double, TypeParam::lanes> a, b, c, zeros = {}, r;
    for (double& x : a) x = 1 + g.word() * 0x1p-40;
    for (double& x : b) x = 1 + g.word() * 0x1p-40;
    multiply_then_add<TypeParam>(a.data(), b.data(), zeros.data(), c.data()); // c = a * b
    for (double& x : c) x = -x;
    multiply_then_add<TypeParam>(a.data(), b.data(), c.data(), r.data());
    for (double x : r) EXPECT_EQ(x, 0.0);
    for (std::size_t k = 0; k < a.size(); ++k) fused_differs += std::fma(a[k], b[k], c[k]) != 0.0;
  }
  EXPECT_GT(fused_differs, 100); // else the operands could not tell
}

} // namespace

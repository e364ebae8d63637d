// SPDX-License-Identifier: BSL-1.0
// What every elementwise op means, for each kind of value it accepts, in any world. The rows of
// op/table.hpp point here; the interpreter, the SIMD kernels and the OpenCL text run nothing else.
// Needs: operands of one world. Unqualified calls below are primitives: a world's own functions are
// not templates, so they win over the templates of this namespace.
// Also, one argument at most of each call writes a statement (see op/elementary.hpp).
// Leaves: no undefined case. NaN wins in maximum and minimum, and -0 < +0 there; integers wrap,
// x / 0 has all bits set, lowest / -1 = lowest; shift counts are unsigned and may be any number;
// conversion to an integer truncates and saturates, NaN gives 0.
// bf16 is storage: an executor computes on f and rounds with elementary::round_bf16.
#pragma once

#include <weft/op/elementary.hpp>
#include <weft/op/numeric.hpp>

#include <concepts>
#include <cstdint>

namespace weft::inline v0 {
namespace meaning {

// arithmetic
template <world_number T> WEFT_INLINE constexpr T add(T const& a, T const& b) { return a + b; }
template <world_number T> WEFT_INLINE constexpr T sub(T const& a, T const& b) { return a - b; }
template <world_number T> WEFT_INLINE constexpr T mul(T const& a, T const& b) { return a * b; }

template <world_float F> WEFT_INLINE constexpr F div(F const& a, F const& b) { return a / b; }
template <world_uint U> WEFT_INLINE constexpr U div(U const& a, U const& b) {
  auto const by_zero = b == U(0u);
  U const quotient = a / select(by_zero, U(1u), b);
  return select(by_zero, U(0xffffffffu), quotient);
}
template <world_int I> WEFT_INLINE constexpr I div(I const& a, I const& b) {
  auto const by_zero = b == I(0);
  auto const lowest = a == I(INT32_MIN), minus_one = b == I(-1);
  auto const replaced = by_zero | (lowest & minus_one); // lowest / 1 is what lowest / -1 gives
  I const quotient = a / select(replaced, I(1), b);
  return select(by_zero, I(-1), quotient);
}

template <world_float F> WEFT_INLINE constexpr F neg(F const& a) { return -a; }
template <world_int I> WEFT_INLINE constexpr I neg(I const& a) { return -a; }
template <world_uint U> WEFT_INLINE constexpr U neg(U const& a) { return U(0u) - a; }

template <world_float F> WEFT_INLINE constexpr F abs(F const& a) { return abs(a); }
template <world_int I> WEFT_INLINE constexpr I abs(I const& a) {
  I const negated = -a;
  return select(a < I(0), negated, a);
}
template <world_uint U> WEFT_INLINE constexpr U abs(U const& a) { return a; }

template <world_float F> WEFT_INLINE constexpr F fma(F const& a, F const& b, F const& c) {
  return fma(a, b, c);
}
template <world_float F> WEFT_INLINE constexpr F sqrt(F const& a) { return sqrt(a); }
template <world_float F> WEFT_INLINE constexpr F exp(F const& a) { return elementary::exp(a); }
template <world_float F> WEFT_INLINE constexpr F log(F const& a) { return elementary::log(a); }
template <world_float F> WEFT_INLINE constexpr F tanh(F const& a) { return elementary::tanh(a); }
template <world_float F> WEFT_INLINE constexpr F sigmoid(F const& a) {
  return elementary::sigmoid(a);
}

// maximum and minimum. Of equal floats the bits differ only in the sign of a zero: `and` of them is
// +0 if either is, `or` is -0 if either is. max and min return b when b is NaN.
template <world_float F> WEFT_INLINE constexpr F maximum(F const& a, F const& b) {
  auto const a_bits = bits(a), b_bits = bits(b);
  F const if_equal = as_float(a_bits & b_bits), if_not = max(a, b);
  F const larger = select(a == b, if_equal, if_not);
  return select(a == a, larger, a);
}
template <world_float F> WEFT_INLINE constexpr F minimum(F const& a, F const& b) {
  auto const a_bits = bits(a), b_bits = bits(b);
  F const if_equal = as_float(a_bits | b_bits), if_not = min(a, b);
  F const smaller = select(a == b, if_equal, if_not);
  return select(a == a, smaller, a);
}
template <world_integer T> WEFT_INLINE constexpr T maximum(T const& a, T const& b) {
  return select(a < b, b, a);
}
template <world_integer T> WEFT_INLINE constexpr T minimum(T const& a, T const& b) {
  return select(a < b, a, b);
}
template <world_mask M> WEFT_INLINE constexpr M maximum(M const& a, M const& b) { return a | b; }
template <world_mask M> WEFT_INLINE constexpr M minimum(M const& a, M const& b) { return a & b; }

// comparisons and choice
template <world_value T> WEFT_INLINE constexpr auto equal(T const& a, T const& b) { return a == b; }
template <world_value T> WEFT_INLINE constexpr auto not_equal(T const& a, T const& b) {
  return !(a == b);
}
template <world_number T> WEFT_INLINE constexpr auto less(T const& a, T const& b) { return a < b; }
template <world_number T> WEFT_INLINE constexpr auto less_equal(T const& a, T const& b) {
  return a <= b;
}
template <world_number T> WEFT_INLINE constexpr auto greater(T const& a, T const& b) {
  return b < a;
}
template <world_number T> WEFT_INLINE constexpr auto greater_equal(T const& a, T const& b) {
  return b <= a;
}
template <world_mask M, world_value T>
WEFT_INLINE constexpr T select(M const& m, T const& x, T const& y) {
  return select(m, x, y);
}

// bits
template <class T> concept has_bits = world_integer<T> || world_mask<T>;

template <has_bits T> WEFT_INLINE constexpr T bit_and(T const& a, T const& b) {
  if constexpr (world_int<T>) {
    auto const x = as_uint(a), y = as_uint(b);
    return as_int(x & y);
  } else return a & b;
}
template <has_bits T> WEFT_INLINE constexpr T bit_or(T const& a, T const& b) {
  if constexpr (world_int<T>) {
    auto const x = as_uint(a), y = as_uint(b);
    return as_int(x | y);
  } else return a | b;
}
template <has_bits T> WEFT_INLINE constexpr T bit_xor(T const& a, T const& b) {
  if constexpr (world_int<T>) {
    auto const x = as_uint(a), y = as_uint(b);
    return as_int(x ^ y);
  } else return a ^ b;
}
template <has_bits T> WEFT_INLINE constexpr T bit_not(T const& a) {
  if constexpr (world_int<T>) return as_int(~as_uint(a));
  else if constexpr (world_uint<T>) return ~a;
  else return !a;
}

// shifts: a count of 32 or more, read as unsigned, leaves no bit of the operand
template <world_uint U> WEFT_INLINE constexpr U shift_left(U const& a, U const& count) {
  U const shifted = shlv(a, count & U(31u));
  return select(count < U(32u), shifted, U(0u));
}
template <world_uint U> WEFT_INLINE constexpr U shift_right_logical(U const& a, U const& count) {
  U const shifted = shrv(a, count & U(31u));
  return select(count < U(32u), shifted, U(0u));
}
template <world_int I> WEFT_INLINE constexpr I shift_left(I const& a, I const& count) {
  auto const x = as_uint(a), n = as_uint(count);
  return as_int(shift_left(x, n));
}
template <world_int I> WEFT_INLINE constexpr I shift_right_logical(I const& a, I const& count) {
  auto const x = as_uint(a), n = as_uint(count);
  return as_int(shift_right_logical(x, n));
}
// Copies of the highest bit come in; a count of 32 or more leaves 32 copies.
template <world_int I> WEFT_INLINE constexpr I shift_right_arithmetic(I const& a, I const& count) {
  using U = typename I::u;
  return sarv(a, minimum(as_uint(count), U(31u)));
}
template <world_uint U> WEFT_INLINE constexpr U shift_right_arithmetic(U const& a, U const& count) {
  U const n = minimum(count, U(31u));
  return as_uint(sarv(as_int(a), n));
}

template <world_uint U>
WEFT_INLINE constexpr word_pair<U> threefry2x32(U const& k0, U const& k1, U const& c0,
                                                U const& c1) {
  return elementary::threefry2x32(k0, k1, c0, c1);
}

// The nearest int32 towards zero; saturates, NaN gives 0. 0x1.fffffep+30 is the float below 2^31.
template <world_float F> WEFT_INLINE constexpr typename F::i saturate_to_int(F const& x) {
  using I = typename F::i;
  F const in_range = max(F(-0x1p+31f), min(F(0x1.fffffep+30f), select(x == x, x, F(0.0f))));
  I const truncated = to_int(in_range);
  return select(F(0x1p+31f) <= x, I(INT32_MAX), truncated);
}
template <world_float F> WEFT_INLINE constexpr typename F::u saturate_to_uint(F const& x) {
  using U = typename F::u;
  F const in_range = min(F(0x1.fffffep+31f), select(F(0.0f) < x, x, F(0.0f)));
  U const truncated = to_uint(in_range);
  return select(F(0x1p+32f) <= x, U(0xffffffffu), truncated);
}

// convert<To>: the value. Integers wrap into each other; a mask is 0 or 1; to a mask is != 0.
template <world_value To, world_value From>
  requires std::same_as<typename To::f, typename From::f>
WEFT_INLINE constexpr To convert_to(From const& x) {
  if constexpr (std::same_as<To, From>) return x;
  else if constexpr (world_mask<From>) return select(x, To(1), To(0));
  else if constexpr (world_mask<To>) {
    if constexpr (world_float<From>) return !(x == From(0.0f));
    else return !(x == From(0));
  } else if constexpr (world_float<To>) return to_float(x);
  else if constexpr (world_float<From>) {
    if constexpr (world_int<To>) return saturate_to_int(x);
    else return saturate_to_uint(x);
  } else if constexpr (world_int<To>) return as_int(x);
  else return as_uint(x);
}

// bitcast<To>: the 32 bits. A NaN that becomes an integer is 0x7fc00000, whatever its payload was.
template <world_number To, world_number From>
  requires std::same_as<typename To::f, typename From::f>
WEFT_INLINE constexpr To bitcast_to(From const& x) {
  if constexpr (std::same_as<To, From>) return x;
  else if constexpr (world_float<From>) {
    using U = typename From::u;
    U const b = bits(x), canonical = select(x == x, b, U(0x7fc00000u));
    if constexpr (world_uint<To>) return canonical;
    else return as_int(canonical);
  } else if constexpr (world_float<To>) {
    if constexpr (world_int<From>) return as_float(as_uint(x));
    else return as_float(x);
  } else if constexpr (world_int<To>) return as_int(x);
  else return as_uint(x);
}

} // namespace meaning
} // namespace weft::inline v0

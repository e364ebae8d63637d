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

#include <weft/op/convert.hpp>
#include <weft/op/elementary_wide.hpp>
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
  return select(by_zero, highest_of<U>(), quotient);
}
template <world_int I> WEFT_INLINE constexpr I div(I const& a, I const& b) {
  auto const by_zero = b == I(0);
  auto const lowest = a == lowest_of<I>(), minus_one = b == I(-1);
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
  if constexpr (requires { ordered_max(a, b); }) return ordered_max(a, b);
  else {
    auto const a_bits = bits(a), b_bits = bits(b);
    F const if_equal = as_float(a_bits & b_bits), if_not = max(a, b);
    F const larger = select(a == b, if_equal, if_not);
    return select(a == a, larger, a);
  }
}
template <world_float F> WEFT_INLINE constexpr F minimum(F const& a, F const& b) {
  if constexpr (requires { ordered_min(a, b); }) return ordered_min(a, b);
  else {
    auto const a_bits = bits(a), b_bits = bits(b);
    F const if_equal = as_float(a_bits | b_bits), if_not = min(a, b);
    F const smaller = select(a == b, if_equal, if_not);
    return select(a == a, smaller, a);
  }
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

// shifts: a count of the width or more, read as unsigned, leaves no bit of the operand
template <world_uint U, int Less = 0> WEFT_INLINE constexpr U width_of() {
  return U(number_of<U>(bit_width_of<U> - Less));
}
template <world_uint U> WEFT_INLINE constexpr U shift_left(U const& a, U const& count) {
  U const shifted = shlv(a, count & width_of<U, 1>());
  return select(count < width_of<U>(), shifted, U(0u));
}
template <world_uint U> WEFT_INLINE constexpr U shift_right_logical(U const& a, U const& count) {
  U const shifted = shrv(a, count & width_of<U, 1>());
  return select(count < width_of<U>(), shifted, U(0u));
}
template <world_int I> WEFT_INLINE constexpr I shift_left(I const& a, I const& count) {
  auto const x = as_uint(a), n = as_uint(count);
  return as_int(shift_left(x, n));
}
template <world_int I> WEFT_INLINE constexpr I shift_right_logical(I const& a, I const& count) {
  auto const x = as_uint(a), n = as_uint(count);
  return as_int(shift_right_logical(x, n));
}
// Copies of the highest bit come in; a count of the width or more leaves nothing else.
template <world_int I> WEFT_INLINE constexpr I shift_right_arithmetic(I const& a, I const& count) {
  using U = typename I::u;
  return sarv(a, minimum(as_uint(count), width_of<U, 1>()));
}
template <world_uint U> WEFT_INLINE constexpr U shift_right_arithmetic(U const& a, U const& count) {
  U const n = minimum(count, width_of<U, 1>());
  return as_uint(sarv(as_int(a), n));
}

template <world_uint U>
WEFT_INLINE constexpr word_pair<U> threefry2x32(U const& k0, U const& k1, U const& c0,
                                                U const& c1) {
  return elementary::threefry2x32(k0, k1, c0, c1);
}

} // namespace meaning
} // namespace weft::inline v0

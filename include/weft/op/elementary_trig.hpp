// SPDX-License-Identifier: BSL-1.0
// Trigonometric functions and their inverses, for float32 and float64.
// Needs, leaves: as op/elementary_exp.hpp. Arguments of any size are reduced exactly enough: by three
// parts of pi/2 below 2^17 (2^30), else with the bits of 2/pi that matter (Payne and Hanek, 1983).
#pragma once

#include <weft/op/elementary_base.hpp>

#include <array>
#include <utility>

namespace weft::inline v0 {
namespace detail::math {

// x = quadrant pi/2 + high + low, |high| <= pi/4 and a little; quadrant modulo 4.
template <world_float F> struct reduced_angle {
  F high, low;
  typename F::u quadrant;
};

template <world_float F> WEFT_INLINE constexpr reduced_angle<F> reduce_small_angle(F const& x) {
  auto const n = nearest_integer(
      fma(x, number<F>(0x1.45f306p-1f, 0x1.45f306dc9c883p-1), rounding_constant<F>()));
  F const first = fma(n.value, number<F>(-0x1.921fb6p+0f, -0x1.921fb54442d18p+0), x); // exact
  auto const second = exact_product(n.value, number<F>(0x1.777a5cp-25f, -0x1.1a62633145c07p-54));
  auto const sum = exact_sum(first, second.high);
  F const rest = fma(n.value, number<F>(0x1.ee59dap-50f, 0x1.f1976b7ed8fbcp-110), second.low);
  auto const r = fast_sum(sum.high, sum.low + rest);
  return {r.high, r.low, n.word};
}

// The words of 2/pi, after one of zeros.
template <world_uint U> WEFT_INLINE constexpr auto two_over_pi() {
  if constexpr (is_double<typename U::f>)
    return std::array<std::uint64_t, 20>{0,
                                         0xa2f9836e4e441529ull,
                                         0xfc2757d1f534ddc0ull,
                                         0xdb6295993c439041ull,
                                         0xfe5163abdebbc561ull,
                                         0xb7246e3a424dd2e0ull,
                                         0x06492eea09d1921cull,
                                         0xfe1deb1cb129a73eull,
                                         0xe88235f52ebb4484ull,
                                         0xe99c7026b45f7e41ull,
                                         0x3991d639835339f4ull,
                                         0x9c845f8bbdf9283bull,
                                         0x1ff897ffde05980full,
                                         0xef2f118b5a0a6d1full,
                                         0x6d367ecf27cb09b7ull,
                                         0x4f463f669e5fea2dull,
                                         0x7527bac7ebe5f17bull,
                                         0x3d0739f78a5292eaull,
                                         0x6bfb5fb11f8d5d08ull,
                                         0x56033046fc7b6babull};
  else
    return std::array<std::uint32_t, 8>{0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                        0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
}
// Words index .. index + 3 of the table: it is shifted by the binary digits of the index.
template <world_uint U>
WEFT_INLINE constexpr std::array<U, 4> words_of_two_over_pi(U const& index) {
  constexpr auto words = two_over_pi<U>();
  constexpr int count = static_cast<int>(words.size()),
                last_step = is_double<typename U::f> ? 16 : 4;
  auto digit_is_set = [&](int step) WEFT_LAMBDA {
    U const digit = index & U(static_cast<unsigned>(step));
    return !(digit == U(0u));
  };
  auto const first = digit_is_set(last_step);
  auto at = [&](int k) { return words[static_cast<std::size_t>(k < count ? k : count - 1)]; };
  auto window = [&]<std::size_t... K>(std::index_sequence<K...>) WEFT_LAMBDA {
    return std::array<U, sizeof...(K)>{
        select(first, U(at(static_cast<int>(K) + last_step)), U(at(static_cast<int>(K))))...};
  }(std::make_index_sequence<static_cast<std::size_t>(last_step + 3)>{});
  for (int step = last_step / 2; step > 0; step /= 2) {
    auto const moved = digit_is_set(step);
    auto const by = static_cast<std::size_t>(step);
    for (std::size_t k = 0; k < by + 3; ++k) window[k] = select(moved, window[k + by], window[k]);
  }
  return {window[0], window[1], window[2], window[3]};
}

// |x| >= 2^8 and finite. x = m 2^e with m of 24 (53) bits; three words of 2/pi from the bit of weight
// 2^(1 - e) on, times m, are x 2/pi modulo 4 in units of 2^-94 (2^-190).
template <world_float F>
WEFT_INLINE constexpr reduced_angle<F> reduce_large_angle_steps(F const& x) {
  using U = typename F::u;
  constexpr int digits = is_double<F> ? 64 : 32, fraction = fraction_bits<F>;
  U const b = bits(x), field = shr(b & ~sign_bit_of<U>(), fraction);
  U const hidden = word_number<U>(0x800000u, 0x10000000000000u);
  U const below_hidden = hidden - U(1u), m = (b & below_hidden) | hidden;
  // The first bit wanted, counted from the zero word; e = field - bias - fraction.
  constexpr int offset = digits - 2 - exponent_bias<F> - fraction;
  U const first_bit = field - U(static_cast<unsigned>(-offset));
  U const index = shr(first_bit, is_double<F> ? 6 : 5);
  U const shift = first_bit & U(static_cast<unsigned>(digits - 1));
  U const back = U(static_cast<unsigned>(digits - 1)) - shift;
  auto const w = words_of_two_over_pi(index);
  auto window = [&](int k) WEFT_LAMBDA {
    U const upper = shlv(w[static_cast<std::size_t>(k)], shift);
    U const half = shr(w[static_cast<std::size_t>(k) + 1], 1), lower = shrv(half, back);
    return upper | lower;
  };
  U const w0 = window(0), w1 = window(1), w2 = window(2);
  U const p0 = m * w0, p1 = m * w1, p1_upper = upper_product(m, w1);
  U const middle = p1 + upper_product(m, w2);
  U const carry = select(middle < p1, U(1u), U(0u)), top = p0 + p1_upper + carry;
  // The nearest quadrant, and what remains of top and middle as a signed number.
  U const quadrant = shr(top + shl(U(1u), digits - 3), digits - 2);
  U const signed_top = top - shl(quadrant, digits - 2);
  auto const negative = sign_bit_of<U>() <= signed_top;
  U const minus_middle = U(0u) - middle, borrow = select(middle == U(0u), U(0u), U(1u));
  U const minus_top = U(0u) - signed_top - borrow;
  U const upper = select(negative, minus_top, signed_top);
  U const lower = select(negative, minus_middle, middle);
  // Three exact floats: half the digits, then a fraction's worth, then the rest.
  constexpr int half = digits / 2, second_bits = half + (is_double<F> ? 20 : 7);
  constexpr int second_shift = digits - (second_bits - half);
  U const upper_low = shl(upper & (shl(U(1u), half) - U(1u)), second_bits - half);
  U const second = upper_low | shr(lower, second_shift);
  U const third = lower & (shl(U(1u), second_shift) - U(1u));
  F const f0 = to_float(as_int(shr(upper, half))) * number<F>(0x1p-14f, 0x1p-30);
  F const f1 = to_float(as_int(second)) * number<F>(0x1p-37f, 0x1p-82);
  F const f2 = to_float(as_int(third)) * number<F>(0x1p-62f, 0x1p-126);
  auto const sum = fast_sum(f0, f1);
  auto const turns = fast_sum(sum.high, sum.low + f2);
  auto const radians = exact_product(turns.high, number<F>(0x1.921fb6p+0f, 0x1.921fb54442d18p+0));
  F const cross = fma(turns.high, number<F>(-0x1.777a5cp-25f, 0x1.1a62633145c07p-54), radians.low);
  F const low = fma(turns.low, number<F>(0x1.921fb6p+0f, 0x1.921fb54442d18p+0), cross);
  F const minus_high = -radians.high, minus_low = -low;
  U const minus_quadrant = U(0u) - quadrant;
  auto const x_negative = has_sign_bit(x), flipped = negative ^ x_negative;
  return {select(flipped, minus_high, radians.high), select(flipped, minus_low, low),
          select(x_negative, minus_quadrant, quadrant)};
}
template <world_float F> WEFT_INLINE constexpr reduced_angle<F> reduce_large_angle(F const& x) {
  return reduce_large_angle_steps(x);
}
template <scalar_float F> constexpr reduced_angle<F> reduce_large_angle(F const& x) {
  return reduce_large_angle_steps(x);
}

// sin(r + low) and cos(r + low) for |r| <= pi/4, with what their last sum lost.
template <world_float F> WEFT_INLINE constexpr pair_of<F> sin_near_zero(F const& r, F const& low) {
  F const z = r * r;
  F const p = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(z, -0x1.9f6fb04378cc5p-41, 0x1.6108b21766e05p-33, -0x1.ae642ad4c6c56p-26,
                        0x1.71de3a32a929cp-19, -0x1.a01a019ffdba4p-13, 0x1.1111111111067p-7,
                        -0x1.5555555555555p-3);
    else return polynomial(z, 0x1.7cd15cp-19f, -0x1.a05bb2p-13f, 0x1.111176p-7f, -0x1.555556p-3f);
  }();
  F const half = z * F(0.5f), minus_half = -half;
  F const bent_low = fma(minus_half, low, low);
  return fast_sum(r, fma(r * z, p, bent_low));
}
template <world_float F> WEFT_INLINE constexpr pair_of<F> cos_near_zero(F const& r, F const& low) {
  auto const square = exact_product(r, r);
  F const z = square.high;
  F const q = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(z, 0x1.9c6cadbdbb976p-45, -0x1.9371b8374ff45p-37, 0x1.1eed6d6c09dafp-29,
                        -0x1.27e4fb5889c2ep-22, 0x1.a01a019ffb918p-16, -0x1.6c16c16c16b2bp-10,
                        0x1.5555555555555p-5);
    else return polynomial(z, -0x1.371af8p-22f, 0x1.a075e0p-16f, -0x1.6c1762p-10f, 0x1.555556p-5f);
  }();
  auto const sum = fast_sum(F(1.0f), z * F(-0.5f));
  F const cross = fma(square.low, F(0.5f), r * low), fourth = z * z;
  return fast_sum(sum.high, fma(fourth, q, sum.low - cross));
}

template <world_float F, int Turn>
WEFT_INLINE constexpr F sin_of_reduced(reduced_angle<F> const& a) {
  using U = typename F::u;
  U const quadrant = a.quadrant + U(static_cast<unsigned>(Turn));
  auto const s = sin_near_zero(a.high, a.low), c = cos_near_zero(a.high, a.low);
  U const odd = quadrant & U(1u), upper = shl(quadrant & U(2u), is_double<F> ? 62 : 30);
  F const value = select(odd == U(0u), s.high, c.high);
  return as_float(bits(value) ^ upper);
}
// tan = s / c or -c / s, of pairs.
template <world_float F> WEFT_INLINE constexpr F tan_of_reduced(reduced_angle<F> const& a) {
  using U = typename F::u;
  auto const s = sin_near_zero(a.high, a.low), c = cos_near_zero(a.high, a.low);
  U const odd = a.quadrant & U(1u);
  auto const even = odd == U(0u);
  F const minus_c = -c.high, minus_c_low = -c.low;
  F const n = select(even, s.high, minus_c), n_low = select(even, s.low, minus_c_low);
  F const d = select(even, c.high, s.high), d_low = select(even, c.low, s.low);
  auto const q = quotient(n, d, d_low);
  return q.high + (q.low + n_low / d);
}
template <class Rule, world_float F>
WEFT_INLINE constexpr F of_angle(Rule const& rule, F const& x) {
  F const a = abs(x);
  F const ordinary = rule(reduce_small_angle(x));
  F const any = when(
      number<F>(0x1p+17f, 0x1p+30) <= a, [&]() WEFT_LAMBDA { return rule(reduce_large_angle(x)); },
      ordinary);
  return select(a < infinite<F>(), any, not_a_number<F>());
}

// atan(n / d) for 0 <= n <= d as a pair; 0 / 0 is 0, inf / inf 1.
template <world_float F> WEFT_INLINE constexpr pair_of<F> atan_of_ratio(F const& n, F const& d) {
  auto const infinite_n = n == infinite<F>();
  auto const ordinary = F(0.0f) < d, finite = ordinary & (d < infinite<F>());
  F const special = select(infinite_n, F(1.0f), F(0.0f));
  F const top = select(finite, n, special), bottom = select(finite, d, F(1.0f));
  F const q = top / bottom, minus = -q, z = q * q;
  F const p = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(
          z, 0x1.7e717d8ec5ebcp-18, -0x1.2aa9228735173p-14, 0x1.bc49bb6874818p-12,
          -0x1.a49912225e720p-10, 0x1.1e3f83554aa98p-8, -0x1.2cde4a4f68470p-7, 0x1.0123fb8d0cf8ep-6,
          -0x1.75650421f3223p-6, 0x1.dfef04ae609c5p-6, -0x1.1bf2df18fb280p-5, 0x1.4053752cb377fp-5,
          -0x1.61e763493d3f9p-5, 0x1.8587a10b79249p-5, -0x1.af0bbf2899f82p-5, 0x1.e1dd7256bc0bfp-5,
          -0x1.1110ce143df3ep-4, 0x1.3b13ab63b3e40p-4, -0x1.745d16e98875bp-4, 0x1.c71c71c3534f5p-4,
          -0x1.24924924864d1p-3, 0x1.9999999999731p-3, -0x1.5555555555554p-2);
    else
      return polynomial(z, 0x1.29652ep-10f, -0x1.e69de8p-8f, 0x1.752f2cp-6f, -0x1.70805ap-5f,
                        0x1.1509f0p-4f, -0x1.6953bap-4f, 0x1.c51170p-4f, -0x1.247620p-3f,
                        0x1.99981cp-3f, -0x1.555552p-2f);
  }();
  F const rest = fma(minus, bottom, top), slope = fma(bottom, z, bottom), q_low = rest / slope;
  F const cube = z * q;
  return {q, fma(cube, p, q_low)};
}

// asin(root) for root^2 = z <= 1/4: root + root^3 p(z).
template <world_float F> WEFT_INLINE constexpr F asin_polynomial(F const& z) {
  if constexpr (is_double<F>)
    return polynomial(z, 0x1.0b57d4395cf5ap-5, -0x1.583659ce359dap-6, 0x1.63c58a55d1ca7p-6,
                      0x1.e56e0e8457678p-9, 0x1.614553ecb5ad8p-7, 0x1.75840cabaf6eap-7,
                      0x1.ca1fb7f068079p-7, 0x1.1c49eed5bad5bp-6, 0x1.6e8bdef168bf6p-6,
                      0x1.f1c71a948a6cdp-6, 0x1.6db6db7212e5cp-5, 0x1.333333332e132p-4,
                      0x1.5555555555577p-3);
  else
    return polynomial(z, 0x1.33786ap-5f, 0x1.d7fd46p-7f, 0x1.04b3ccp-5f, 0x1.6ca8e4p-5f,
                      0x1.3338acp-4f, 0x1.55554cp-3f);
}
// For a = |x| <= 1: t + t_low = asin(a) (a <= 1/2), or asin(sqrt((1 - a) / 2)), half of acos(a).
template <world_float F> WEFT_INLINE constexpr pair_of<F> asin_part(F const& a) {
  F const far = fma(a, F(-0.5f), F(0.5f)), near = a * a;
  auto const is_near = a < F(0.5f);
  F const z = select(is_near, near, far);
  auto const root = square_root(max(far, F(0.0f)), F(0.0f));
  F const t = select(is_near, a, root.high), t_low = select(is_near, F(0.0f), root.low);
  F const cube = z * t;
  return {t, fma(cube, asin_polynomial(z), t_low)};
}

} // namespace detail::math

namespace elementary {

template <world_float F> WEFT_INLINE constexpr F sin(F const& argument) {
  return call(
      math::is_double<F> ? "sin_f64" : "sin",
      [](F const& x) WEFT_LAMBDA {
        F const value = math::of_angle(
            [](auto const& a) WEFT_LAMBDA { return math::sin_of_reduced<F, 0>(a); }, x);
        return select(x == F(0.0f), x, value);
      },
      argument);
}
template <world_float F> WEFT_INLINE constexpr F cos(F const& argument) {
  return call(
      math::is_double<F> ? "cos_f64" : "cos",
      [](F const& x) WEFT_LAMBDA {
        return math::of_angle(
            [](auto const& a) WEFT_LAMBDA { return math::sin_of_reduced<F, 1>(a); }, x);
      },
      argument);
}
template <world_float F> WEFT_INLINE constexpr F tan(F const& argument) {
  return call(
      math::is_double<F> ? "tan_f64" : "tan",
      [](F const& x) WEFT_LAMBDA {
        F const value = math::of_angle(
            [](auto const& a) WEFT_LAMBDA { return math::tan_of_reduced(a); }, x);
        return select(x == F(0.0f), x, value);
      },
      argument);
}

// Below 1/2 a polynomial, else pi/2 - 2 asin(sqrt((1 - a) / 2)); NaN beyond 1.
template <world_float F> WEFT_INLINE constexpr F asin(F const& argument) {
  return call(
      math::is_double<F> ? "asin_f64" : "asin",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x);
        auto const part = math::asin_part(a);
        F const near = part.high + part.low, twice = part.high + part.high;
        auto const sum = math::fast_sum(math::number<F>(0x1.921fb6p+0f, 0x1.921fb54442d18p+0),
                                        -twice);
        F const low = sum.low + math::number<F>(-0x1.777a5cp-25f, 0x1.1a62633145c07p-54);
        F const far = sum.high + fma(part.low, F(-2.0f), low);
        F const magnitude = select(a < F(0.5f), near, far);
        F const value = select(a <= F(1.0f), magnitude, math::not_a_number<F>());
        return math::copy_sign(value, x);
      },
      argument);
}
// pi/2 - asin(x) in the middle; 2 asin(sqrt((1 - x) / 2)) above, pi minus that of -x below.
template <world_float F> WEFT_INLINE constexpr F acos(F const& argument) {
  return call(
      math::is_double<F> ? "acos_f64" : "acos",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x);
        auto const part = math::asin_part(a);
        auto const near = a < F(0.5f), negative = x < F(0.0f);
        F const high = select(near, part.high, part.high + part.high);
        F const low = select(near, part.low, part.low + part.low);
        // base - sign (high + low): near: pi/2 - asin x; far: 0 or pi.
        F const far_base = select(negative, math::number<F>(0x1.921fb6p+1f, 0x1.921fb54442d18p+1),
                                  F(0.0f));
        F const far_low = select(negative, math::number<F>(-0x1.777a5cp-24f, 0x1.1a62633145c07p-53),
                                 F(0.0f));
        F const base = select(near, math::number<F>(0x1.921fb6p+0f, 0x1.921fb54442d18p+0),
                              far_base);
        F const base_low = select(near, math::number<F>(-0x1.777a5cp-25f, 0x1.1a62633145c07p-54),
                                  far_low);
        auto const subtract = near ^ negative;
        F const minus_high = -high, minus_low = -low;
        F const signed_high = select(subtract, minus_high, high);
        F const signed_low = select(subtract, minus_low, low);
        auto const sum = math::exact_sum(base, signed_high);
        F const rest = base_low + signed_low, value = sum.high + (sum.low + rest);
        return select(a <= F(1.0f), value, math::not_a_number<F>());
      },
      argument);
}

// The angle of (x, y), in [-pi, pi], -0 for y = -0; C99's values at zeros and infinities.
template <world_float F> WEFT_INLINE constexpr F atan2(F const& ordinate, F const& abscissa) {
  return call(
      math::is_double<F> ? "atan2_f64" : "atan2",
      [](F const& y, F const& x) WEFT_LAMBDA {
        F const b = abs(y), a = abs(x);
        auto const steep = a < b, left = math::has_sign_bit(x);
        F const smaller = min(b, a), larger = max(a, b);
        auto const part = math::atan_of_ratio(smaller, larger);
        F const pi = math::number<F>(0x1.921fb6p+1f, 0x1.921fb54442d18p+1);
        F const pi_low = math::number<F>(-0x1.777a5cp-24f, 0x1.1a62633145c07p-53);
        F const half = math::number<F>(0x1.921fb6p+0f, 0x1.921fb54442d18p+0);
        F const half_low = math::number<F>(-0x1.777a5cp-25f, 0x1.1a62633145c07p-54);
        F const flat = select(left, pi, F(0.0f)), flat_low = select(left, pi_low, F(0.0f));
        F const base = select(steep, half, flat), base_low = select(steep, half_low, flat_low);
        F const minus = -part.high, minus_low = -part.low;
        auto const subtract = steep ^ left;
        F const high = select(subtract, minus, part.high),
                low = select(subtract, minus_low, part.low);
        auto const sum = math::exact_sum(base, high);
        F const rest = base_low + low, magnitude = sum.high + (sum.low + rest);
        F const unordered = x + y, x_checked = select(x == x, magnitude, unordered);
        F const value = select(y == y, x_checked, unordered);
        return math::copy_sign(value, y);
      },
      ordinate, abscissa);
}
template <world_float F> WEFT_INLINE constexpr F atan(F const& x) { return atan2(x, F(1.0f)); }

} // namespace elementary
} // namespace weft::inline v0

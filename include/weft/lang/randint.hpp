// SPDX-License-Identifier: BSL-1.0
// Random integers in a trace: JAX's, bit for bit.
//   randint<8>(key, 0, 10)   randint<std::uint8_t, 16>(key, 0, 256)   randint(key, low, high)
// Two draws of T's width (8 and 16 bits: of 32) are the digits of one number, of which the remainder
// is taken: numbers differ in probability by at most span / 2^(2 width). Of spans above
// 2^(width / 2) only the lower digit counts, and it is span / 2^width.
// Needs: random.hpp.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/lang/random.hpp>

namespace weft::inline v0 {
namespace detail {

// What integers of a type are computed in here: at least 32 bits.
template <class T> using randint_signed = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;

// How many numbers there are, 0 for 2^width; `number` counts if it is known at once.
struct randint_span {
  handle node;
  bool known = false;
  word number = 0;
};
constexpr handle remainder_of(recorder& r, handle x, randint_span const& s) {
  handle const span = broadcast_to(s.node, x.shape());
  if (!s.known || (s.number & (s.number - 1)) != 0) {
    handle const quotient = x / span; // all bits set where the span is 0: x remains
    return x - quotient * span;
  }
  handle const mask = span - filled(r, 1, span);
  return binary(op::bit_and, x.type(), x, mask);
}
// 2^width modulo the span; products wrap.
constexpr word known_multiplier(word span, int width) {
  word const all = width == 64 ? ~word{0} : 0xffffffff, half = word{1} << (width / 2);
  if (span == 0) return (half * half) & all;
  word const once = half % span;
  return ((once * once) & all) % span;
}
constexpr handle multiplier_of(recorder& r, randint_span const& s, int width) {
  handle const like = s.node;
  if (s.known)
    return constant_bits(r, static_cast<extent>(known_multiplier(s.number, width)), like.type(),
                         like.shape());
  handle const half = constant_bits(r, extent{1} << (width / 2), like.type(), like.shape());
  handle const once = remainder_of(r, half, s);
  return remainder_of(r, once * once, s);
}
// Numbers below the span, one for each element of the two draws.
constexpr handle offset_of_draws(recorder& r, handle high, handle low, randint_span const& s) {
  handle const multiplier = multiplier_of(r, s, 8 * size_of(high.type()));
  handle const upper = remainder_of(r, high, s) * broadcast_to(multiplier, high.shape());
  return remainder_of(r, upper + remainder_of(r, low, s), s);
}

// A number as one of T's range, and whether it is above: then the span is one more.
template <class T, class V> constexpr T clamped(V v) {
  if (std::cmp_less(v, lowest_number<T>)) return lowest_number<T>;
  return std::cmp_greater(v, highest_number<T>) ? highest_number<T> : static_cast<T>(v);
}
template <class T, class X> constexpr bool is_beyond([[maybe_unused]] X const& x) {
  if constexpr (number_literal<X>) return std::cmp_greater(x, highest_number<T>);
  else return false;
}
template <class T> using randint_unsigned = std::make_unsigned_t<randint_signed<T>>;

template <class T, class A, class B> constexpr word known_span(A low, B high) {
  using U = randint_unsigned<T>;
  T const first = clamped<T>(low), last = clamped<T>(high);
  if (last <= first) return 1;
  return static_cast<U>(static_cast<U>(last) - static_cast<U>(first) + is_beyond<T>(high));
}
// A bound as a node of its own shape, in the type that is computed in.
template <class T, class X> constexpr handle randint_bound(recorder& r, X const& x) {
  constexpr dtype d = dtype_of<randint_signed<T>>;
  if constexpr (number_literal<X>)
    return constant_bits(r, element_bits<randint_signed<T>>(clamped<T>(x)), d, {});
  else return convert(node_of<T>(r, x, shape_of_operand<X>::value), d);
}
// `more` is 1 where the upper bound is beyond the type, else 0.
template <class T>
constexpr randint_span span_of_bounds(recorder& r, handle first, handle last, handle more) {
  constexpr dtype d = dtype_of<randint_unsigned<T>>;
  auto as_unsigned = [](handle h) { return h.type() == d ? h : bitcast(h, d); };
  extents const s = broadcast_of(first.shape(), last.shape()).shape;
  handle const from = broadcast_to(first, s), to = broadcast_to(last, s), some = less(from, to);
  handle const low = as_unsigned(from), high = as_unsigned(to);
  handle const span = high - low + broadcast_to(more, s);
  return {select(some, span, filled(r, 1, span))};
}
template <class T, class A, class B>
constexpr randint_span span_of(recorder& r, handle first, A const& a, B const& b) {
  constexpr dtype d = dtype_of<randint_unsigned<T>>;
  if constexpr (number_literal<A> && number_literal<B>) {
    word const n = known_span<T>(a, b);
    return {constant_bits(r, static_cast<extent>(n), d, {}), true, n};
  } else {
    handle const last = randint_bound<T>(r, b);
    return span_of_bounds<T>(r, first, last, constant(r, is_beyond<T>(b) ? 1 : 0, d, {}));
  }
}

// `spanned(recorder, first)` gives the span.
template <class T, class S, random_options O, class K, class A, class Spanned>
constexpr traced_of<T, S::value> draw_randint(K const& k, A const& a, Spanned const& spanned) {
  using C = randint_signed<T>;
  if constexpr (!check_key<K>() || !check_draw<S, O>()) return in_place<traced_of<T, S::value>>(k);
  else {
    recorder& r = use_up(k);
    two_words const key = words_of_key(k.value);
    auto draw = [&](int i) {
      return drawn(r, subkey(r, key, i, 2, O), S::value, 8 * sizeof(C), O);
    };
    handle const high = draw(0), low = draw(1), first = randint_bound<T>(r, a);
    handle const offset = offset_of_draws(r, high, low, spanned(r, first));
    handle const x = std::is_unsigned_v<C> ? offset : bitcast(offset, dtype_of<C>);
    return {convert(broadcast_to(first, S::value) + x, dtype_of<T>)};
  }
}
template <class T, class D, class K, class A, class B>
constexpr auto randint_between(K const& k, A const& a, B const& b) {
  using S = draw_shape<D, A, B>;
  if constexpr (!check_key<K>() || !check_beside<T, S, A, B>())
    return in_place<traced_of<T, S::value>>(k);
  else
    return draw_randint<T, S, D::options>(
        k, a, [&](recorder& r, handle first) { return span_of<T>(r, first, a, b); });
}
template <class T> concept integer_element = is_integer(dtype_of<T>);

} // namespace detail

// Shape (E...) of an integer type, int if not said, uniform in [low, high): randint<8>(key, 0, 10).
// Bounds are ints or arrays of the type. A number beyond the type's range is its end, and one past
// the last is meant where it is the upper one: 256 of uint8. Where high <= low: low.
template <auto... E, key_argument K, class A, class B>
constexpr auto randint(K const& k, A const& low, B const& high) {
  return detail::randint_between<std::int32_t, detail::draw_arguments<E...>>(k, low, high);
}
template <class T, auto... E, key_argument K, class A, class B>
constexpr auto randint(K const& k, A const& low, B const& high) {
  static_assert(detail::integer_element<T>,
                "weft: randint: not an integer type; write randint<std::int32_t, 3>(key, 0, 10)");
  using I = std::conditional_t<detail::integer_element<T>, T, std::int32_t>;
  return detail::randint_between<I, detail::draw_arguments<E...>>(k, low, high);
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Random numbers in a trace: functions of a key, as JAX's with threefry2x32, bit for bit.
//   bits<8>(key)  bits<std::uint8_t, 8>(key)  uniform<2, 3>(key)  uniform<double, 3>(key, a, b)
//   bernoulli<3>(key, p)  dropout(key, rate, x)
// Extents are template arguments, behind an element type and random_options where these are not
// the usual: uniform<random_options{.partitionable = false}, 3>(key). Arrays beside the key broadcast
// to the draw's shape; without extents the shape is theirs.
// Further draws: distributions.hpp, randint.hpp. A key is for one draw (random_keys.hpp).
// Needs: random_keys.hpp.
#pragma once

#include <weft/graph/trace_texts.hpp>
#include <weft/lang/random_keys.hpp>

namespace weft::inline v0 {
namespace detail {

template <class T> concept float_element = is_float(dtype_of<T>);
template <class T> concept unsigned_element = is_unsigned(dtype_of<T>);

// The number of random bits that make a float of a type: those of its fraction fit.
constexpr int drawn_width(dtype t) { return t == dtype::bf16 ? 8 : 8 * size_of(t); }
constexpr int fraction_bits(dtype t) {
  return t == dtype::f64 ? 52 : t == dtype::f32 ? 23 : t == dtype::f16 ? 10 : 7;
}
// In [0, 1): the highest bits of a draw below the exponent of 1, minus 1.
constexpr handle unit_of(recorder& r, handle words, dtype t) {
  bool const wide = t == dtype::f64;
  int const unused = drawn_width(t) - fraction_bits(t), up = (wide ? 52 : 23) - fraction_bits(t);
  handle fraction = shifted_right(r, words, unused);
  if (up > 0) fraction = binary(op::shift_left, fraction.type(), fraction, filled(r, up, fraction));
  handle one = constant_bits(r, wide ? 0x3ff0000000000000 : 0x3f800000, words.type(),
                             words.shape());
  handle x = bitcast(binary(op::bit_or, words.type(), fraction, one),
                     wide ? dtype::f64 : dtype::f32);
  return convert(x - filled(r, 1, x), t);
}

template <class T, class S, random_options O, class K>
constexpr traced_of<T, S::value> draw_bits(K const& k) {
  if constexpr (!check_key<K>() || !check_draw<S, O>()) return in_place<traced_of<T, S::value>>(k);
  else {
    recorder& r = use_up(k);
    return {convert(drawn(r, words_of_key(k.value), S::value, 8 * sizeof(T), O), dtype_of<T>)};
  }
}
// In [0, 1).
template <class T, class S, random_options O, class K>
constexpr traced_of<T, S::value> draw_unit(K const& k) {
  if constexpr (!check_key<K>() || !check_draw<S, O>()) return in_place<traced_of<T, S::value>>(k);
  else {
    constexpr dtype t = dtype_of<T>;
    recorder& r = use_up(k);
    return {unit_of(r, drawn(r, words_of_key(k.value), S::value, drawn_width(t), O), t)};
  }
}
// In [a, b), numbers or arrays: max(a, fma(u, b - a, a)).
template <class T, class S, random_options O, class K, class A, class B>
constexpr auto draw_between(K const& k, A const& a, B const& b) {
  auto u = draw_unit<T, S, O>(k);
  if constexpr (number_literal<A> && number_literal<B> && std::is_floating_point_v<T>) {
    T const low = static_cast<T>(a), high = static_cast<T>(b);
    return maximum(low, fma(u, high - low, low));
  } else {
    recorder& r = recorder_of(u, a, b);
    auto low = traced_of<T, shape_of_operand<A>::value>{
        node_of<T>(r, a, shape_of_operand<A>::value)};
    auto high = traced_of<T, shape_of_operand<B>::value>{
        node_of<T>(r, b, shape_of_operand<B>::value)};
    return maximum(low, fma(u, high - low, low));
  }
}
// Is a number in [0, 1]? NaN is not.
template <number_literal P> constexpr bool is_probability(P const& p) {
  auto const x = element_from<double>(p);
  return x >= 0 && x <= 1;
}
// A number that is none is the trace's error.
template <class P> constexpr void note_probability(recorder& r, P const& p, trace_error e) {
  if constexpr (number_literal<P>)
    if (!is_probability(p)) r.root().result.fail(e, -1);
}
// A float of any type as T; what is none is refused where it meets one.
template <class T, class X> constexpr auto float_as(X const& x) {
  if constexpr (float_element<element_of<X>> && !std::is_same_v<element_of<X>, T>)
    return convert<T>(x);
  else return x;
}
template <class T> consteval bool check_float_draw() {
  static_assert(float_element<T>, "weft: this draw is of floats; convert<T> its result");
  return float_element<T>;
}

// T is a float type, or there has been an error.
template <class T, class D, class K, class... Bound>
constexpr auto uniform_draw(K const& k, Bound const&... bounds) {
  using S = draw_shape<D, float, Bound...>;
  if constexpr (!float_element<T>) return in_place<traced_of<float, S::value>>(k);
  else if constexpr (sizeof...(Bound) == 0) return draw_unit<T, S, D::options>(k);
  else if constexpr (!check_key<K>() || !check_beside<T, S, Bound...>())
    return draw_unit<T, S, D::options>(k);
  else return draw_between<T, S, D::options>(k, bounds...);
}

} // namespace detail

// Shape (E...) of an unsigned integer, uint32 if not said, every bit random: bits<8>(key).
template <auto... E, key_argument K> constexpr auto bits(K const& k) {
  using D = detail::draw_arguments<E...>;
  return detail::draw_bits<std::uint32_t, typename D::shape_type, D::options>(k);
}
template <class T, auto... E, key_argument K> constexpr auto bits(K const& k) {
  using D = detail::draw_arguments<E...>;
  static_assert(detail::unsigned_element<T>,
                "weft: bits: not an unsigned integer; write bits<std::uint32_t, 3>(key)");
  using U = std::conditional_t<detail::unsigned_element<T>, T, std::uint32_t>;
  return detail::draw_bits<U, typename D::shape_type, D::options>(k);
}
// Shape (E...) of a float type, float if not said, uniform in [0, 1): multiples of 2^-23 (double
// 2^-52, f16 2^-10, bf16 2^-7).
template <auto... E, key_argument K> constexpr auto uniform(K const& k) {
  return detail::uniform_draw<float, detail::draw_arguments<E...>>(k);
}
template <class T, auto... E, key_argument K> constexpr auto uniform(K const& k) {
  static_assert(detail::float_element<T>,
                "weft: uniform: not a float type; randint draws integers");
  return detail::uniform_draw<T, detail::draw_arguments<E...>>(k);
}
// Uniform in [a, b), numbers or arrays: max(a, fma(u, b - a, a)). Where b <= a, about there.
template <auto... E, key_argument K, class A, class B>
constexpr auto uniform(K const& k, A const& a, B const& b) {
  return detail::uniform_draw<float, detail::draw_arguments<E...>>(k, a, b);
}
template <class T, auto... E, key_argument K, class A, class B>
constexpr auto uniform(K const& k, A const& a, B const& b) {
  static_assert(detail::float_element<T>,
                "weft: uniform: not a float type; randint draws integers");
  return detail::uniform_draw<T, detail::draw_arguments<E...>>(k, a, b);
}
// Of x's type and shape, in [0, 1).
template <random_options O = random_options{}, key_argument K, drawn_beside<K> X>
constexpr auto uniform_like(K const& k, [[maybe_unused]] X const& x) {
  using T = typename X::element_type;
  if constexpr (!detail::check_key<K>() || !detail::check_float_draw<T>()) return x;
  else return detail::draw_unit<T, typename X::shape_type, O>(k);
}

// Shape (E...) of bool, true with probability p, a float or an array of them: bernoulli<8>(key, 0.3).
// It is uniform < p with draws of p's type, float for 16 bits: 0 never, 1 always. A number outside
// of [0, 1] is an error; of an array's elements nothing is asked: below 0 and NaN never, above 1
// always.
template <auto... E, key_argument K, class P> constexpr auto bernoulli(K const& k, P const& p) {
  using D = detail::draw_arguments<E...>;
  using S = detail::draw_shape<D, P>;
  using T = std::conditional_t<std::is_same_v<detail::element_of<P>, double>, double, float>;
  static_assert(number_literal<P> || detail::float_element<detail::element_of<P>>,
                "weft: bernoulli: the probability is not a float; write convert<float>(p)");
  constexpr bool ok = detail::check_key<K>() &&
                      detail::check_beside<detail::element_of<P>, S, P>() &&
                      (number_literal<P> || detail::float_element<detail::element_of<P>>);
  auto u = detail::draw_unit<T, S, D::options>(k);
  if constexpr (!ok) return u < 0;
  else {
    detail::note_probability(*u.value.where, p, trace_error::bernoulli_probability);
    if constexpr (number_literal<P>) return u < static_cast<T>(p);
    else return u < convert<T>(detail::as_traced(detail::recorder_of(k, p), p));
  }
}

// where(bernoulli(key, keep), x / keep, 0), keep = 1 - rate; rate is the probability of dropping.
// A number: keep is rounded from double, 0 gives x and 1 gives zeros, outside of [0, 1] is an
// error. Else one float, of any type, of which nothing is asked: from 1 on and of NaN zeros, below 0
// x / keep.
template <random_options O = random_options{}, key_argument K, class Rate, drawn_beside<K> A>
constexpr A dropout(K const& k, Rate const& rate, A const& x) {
  using T = typename A::element_type;
  static_assert(detail::float_element<T>, "weft: dropout: not a float; write convert<float>(x)");
  if constexpr (!detail::check_key<K>() || !detail::float_element<T>) return x;
  else {
    auto u = detail::draw_unit<float, typename A::shape_type, O>(k);
    detail::note_probability(*u.value.where, rate, trace_error::dropout_rate);
    if constexpr (number_literal<Rate>) {
      double kept = 1 - static_cast<double>(rate);
      if (kept == 1) return x;
      if (kept == 0) return zeros_like(x);
      return select(u < kept, x / kept, 0);
    } else {
      using wide =
          std::conditional_t<std::is_same_v<detail::element_of<Rate>, double>, double, float>;
      auto kept = 1 - detail::float_as<wide>(rate);
      return select(u < detail::float_as<float>(kept), x / convert<T>(kept), 0);
    }
  }
}

} // namespace weft::inline v0

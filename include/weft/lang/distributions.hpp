// SPDX-License-Identifier: BSL-1.0
// Draws of floats that are a formula over uniform ones, in a trace: JAX's formulas, float if no
// type is said.
//   normal<2, 3>(key)   normal<double, 3>(key)   normal_like(key, x)   truncated_normal<8>(key, -2, 2)
//   exponential  gumbel  laplace  logistic  cauchy  rademacher  lognormal(key, s)  pareto(key, b)
//   rayleigh(key, s)
// Arguments beside the key are numbers or arrays; without extents the draw has their shape.
// Needs: random.hpp, elementary.hpp. Leaves: elementwise nodes of an iota and a key.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/lang/elementary.hpp>
#include <weft/lang/random.hpp>

namespace weft::inline v0 {
namespace detail {

// 2^exponent; exact in every type that has it.
template <class T> constexpr T two_to(int exponent) {
  double r = 1;
  for (; exponent > 0; --exponent) r *= 2;
  for (; exponent < 0; ++exponent) r /= 2;
  return element_from<T>(r);
}
template <class T> inline constexpr int fraction_digits = fraction_bits(dtype_of<T>);
// The first number above -1, the distance of 1 and the next, and the smallest normal number.
template <class T>
inline constexpr T above_minus_one = element_from<T>(two_to<double>(-1 - fraction_digits<T>) - 1);
template <class T> inline constexpr T epsilon_of = two_to<T>(-fraction_digits<T>);
template <class T>
inline constexpr T tiny_of = two_to<T>(dtype_of<T> == dtype::f64   ? -1022
                                       : dtype_of<T> == dtype::f16 ? -14
                                                                   : -126);

// The next larger number; of the largest, infinity; infinity and NaN stay.
template <class A> constexpr A next_above(A const& x) {
  using T = typename A::element_type;
  using U = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                               std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
  auto const b = weft::bitcast<U>(x);
  auto const away = b + 1, towards = b - 1;
  auto const moved = select(x == 0, U{1}, select(x < 0, towards, away));
  return select(x < infinity_f32, weft::bitcast<T>(moved), x);
}

// A formula: f.of<T, S, O>(key, arguments as arrays of T).
struct normal_formula {
  template <class T, class S, random_options O> static constexpr auto of(auto const& k) {
    auto const u = draw_between<T, S, O>(k, above_minus_one<T>, 1);
    return erfinv(u) * 1.4142135623730951;
  }
};
struct truncated_normal_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& low, auto const& high) {
    constexpr double sqrt2 = 1.4142135623730951;
    auto const a = erf(low / sqrt2);
    auto const b = erf(high / sqrt2);
    auto const x = erfinv(draw_between<T, S, O>(k, a, b)) * sqrt2;
    auto const first = next_above(stop_gradient(low)), last = -next_above(stop_gradient(-high));
    return minimum(maximum(x, first), last);
  }
};
struct exponential_formula {
  template <class T, class S, random_options O> static constexpr auto of(auto const& k) {
    return -log1p(-draw_unit<T, S, O>(k));
  }
};
struct gumbel_formula {
  template <class T, class S, random_options O> static constexpr auto of(auto const& k) {
    return -log(-log(draw_between<T, S, O>(k, tiny_of<T>, 1)));
  }
};
struct laplace_formula {
  template <class T, class S, random_options O> static constexpr auto of(auto const& k) {
    auto const u = draw_between<T, S, O>(k, above_minus_one<T>, 1);
    auto const x = log1p(-abs(u));
    return select(u < 0, -x, x);
  }
};
struct logistic_formula {
  template <class T, class S, random_options O> static constexpr auto of(auto const& k) {
    auto const u = draw_between<T, S, O>(k, epsilon_of<T>, 1);
    return log(u / (1 - u));
  }
};
struct cauchy_formula {
  template <class T, class S, random_options O> static constexpr auto of(auto const& k) {
    auto const u = draw_between<T, S, O>(k, epsilon_of<T>, 1);
    return tan((u - 0.5) * 3.141592653589793);
  }
};
struct lognormal_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& sigma) {
    return exp(normal_formula::of<T, S, O>(k) * sigma);
  }
};
struct pareto_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& b) {
    return exp(exponential_formula::of<T, S, O>(k) / b);
  }
};
struct rayleigh_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& scale) {
    return sqrt(exponential_formula::of<T, S, O>(k) * 2) * scale;
  }
};

// An argument beside a key: an array of T of its own shape.
template <class T, class X> constexpr auto argument_of_draw(recorder& r, X const& x) {
  constexpr extents s = shape_of_operand<X>::value;
  return traced_of<T, s>{node_of<T>(r, x, s)};
}
template <class F, class T, class S, random_options O, class K, class... P>
constexpr auto draw_checked(K const& k, P const&... p) {
  if constexpr (!check_float_draw<T>()) return in_place<traced_of<float, S::value>>(k);
  else if constexpr (!check_key<K>() || !check_draw<S, O>())
    return in_place<traced_of<T, S::value>>(k);
  else if constexpr (sizeof...(P) == 0) return F::template of<T, S, O>(k);
  else if constexpr (!check_beside<T, S, P...>()) return draw_unit<T, S, O>(k);
  else {
    recorder& r = k.value.where->innermost();
    return F::template of<T, S, O>(k, argument_of_draw<T>(r, p)...);
  }
}
template <class F, class T, auto... E, class K, class... P>
constexpr auto draw(K const& k, P const&... p) {
  using D = draw_arguments<E...>;
  return draw_checked<F, T, draw_shape<D, float, P...>, D::options>(k, p...);
}

} // namespace detail

// sqrt(2) erfinv(u), u in (-1, 1): mean 0, variance 1.
template <auto... E, key_argument K> constexpr auto normal(K const& k) {
  return detail::draw<detail::normal_formula, float, E...>(k);
}
template <class T, auto... E, key_argument K> constexpr auto normal(K const& k) {
  return detail::draw<detail::normal_formula, T, E...>(k);
}
// Of x's type and shape.
template <random_options O = random_options{}, key_argument K, drawn_beside<K> X>
constexpr auto normal_like(K const& k, X const&) {
  return detail::draw_checked<detail::normal_formula, typename X::element_type,
                              typename X::shape_type, O>(k);
}
// Normal between two bounds, which it never has.
template <auto... E, key_argument K, class A, class B>
constexpr auto truncated_normal(K const& k, A const& low, B const& high) {
  return detail::draw<detail::truncated_normal_formula, float, E...>(k, low, high);
}
template <class T, auto... E, key_argument K, class A, class B>
constexpr auto truncated_normal(K const& k, A const& low, B const& high) {
  return detail::draw<detail::truncated_normal_formula, T, E...>(k, low, high);
}
// -log1p(-u): mean 1.
template <auto... E, key_argument K> constexpr auto exponential(K const& k) {
  return detail::draw<detail::exponential_formula, float, E...>(k);
}
template <class T, auto... E, key_argument K> constexpr auto exponential(K const& k) {
  return detail::draw<detail::exponential_formula, T, E...>(k);
}
// -log(-log(u)).
template <auto... E, key_argument K> constexpr auto gumbel(K const& k) {
  return detail::draw<detail::gumbel_formula, float, E...>(k);
}
template <class T, auto... E, key_argument K> constexpr auto gumbel(K const& k) {
  return detail::draw<detail::gumbel_formula, T, E...>(k);
}
// sign(u) log1p(-|u|), u in (-1, 1): variance 2.
template <auto... E, key_argument K> constexpr auto laplace(K const& k) {
  return detail::draw<detail::laplace_formula, float, E...>(k);
}
template <class T, auto... E, key_argument K> constexpr auto laplace(K const& k) {
  return detail::draw<detail::laplace_formula, T, E...>(k);
}
// log(u / (1 - u)): variance pi^2 / 3.
template <auto... E, key_argument K> constexpr auto logistic(K const& k) {
  return detail::draw<detail::logistic_formula, float, E...>(k);
}
template <class T, auto... E, key_argument K> constexpr auto logistic(K const& k) {
  return detail::draw<detail::logistic_formula, T, E...>(k);
}
// tan(pi (u - 1/2)): no mean.
template <auto... E, key_argument K> constexpr auto cauchy(K const& k) {
  return detail::draw<detail::cauchy_formula, float, E...>(k);
}
template <class T, auto... E, key_argument K> constexpr auto cauchy(K const& k) {
  return detail::draw<detail::cauchy_formula, T, E...>(k);
}
// exp(sigma normal).
template <auto... E, key_argument K, class A> constexpr auto lognormal(K const& k, A const& sigma) {
  return detail::draw<detail::lognormal_formula, float, E...>(k, sigma);
}
template <class T, auto... E, key_argument K, class A>
constexpr auto lognormal(K const& k, A const& sigma) {
  return detail::draw<detail::lognormal_formula, T, E...>(k, sigma);
}
// exp(exponential / b), 1 and more.
template <auto... E, key_argument K, class A> constexpr auto pareto(K const& k, A const& b) {
  return detail::draw<detail::pareto_formula, float, E...>(k, b);
}
template <class T, auto... E, key_argument K, class A>
constexpr auto pareto(K const& k, A const& b) {
  return detail::draw<detail::pareto_formula, T, E...>(k, b);
}
// scale sqrt(2 exponential).
template <auto... E, key_argument K, class A> constexpr auto rayleigh(K const& k, A const& scale) {
  return detail::draw<detail::rayleigh_formula, float, E...>(k, scale);
}
template <class T, auto... E, key_argument K, class A>
constexpr auto rayleigh(K const& k, A const& scale) {
  return detail::draw<detail::rayleigh_formula, T, E...>(k, scale);
}
// 1 or -1, each half of the time, of any number type, int if not said.
template <class T, auto... E, key_argument K> constexpr auto rademacher(K const& k) {
  static_assert(element<T> && !std::is_same_v<T, bool> && !is_unsigned(dtype_of<T>),
                "weft: rademacher: the type has no -1");
  return weft::convert<T>(weft::bernoulli<E...>(k, 0.5f)) * 2 - 1;
}
template <auto... E, key_argument K> constexpr auto rademacher(K const& k) {
  return weft::rademacher<std::int32_t, E...>(k);
}

} // namespace weft::inline v0

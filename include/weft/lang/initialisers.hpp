// SPDX-License-Identifier: BSL-1.0
// Initial weights from a key, at both doors: variance_scaling and the rules that are special cases
// of it, as jax.nn.initializers: glorot (xavier), he (kaiming), lecun, each uniform and normal.
//   auto w = glorot_uniform<64, 10>(key);                 // (in, out)
//   auto v = he_normal<double, fan_axes{.in = axis_list(-1), .out = axis_list(-2)}, 10, 64>(key);
//   auto c = lecun_normal<fan_axes{.in = axis_list(1), .out = axis_list(0)}, 8, 3, 5, 5>(key);
// PyTorch's layers and gru have weights (out, in): write fan_axes as for `v`. Axes neither in, out nor
// batch are the receptive field; fan in = extents of `in` times it, fan out = those of `out` times
// it. Without scaling: zeros, ones, full, uniform(key, a, b), normal(key) * s,
// truncated_normal(...) * s.
// Needs: distributions.hpp, expression_distributions.hpp; extents that are numbers, float types.
// Leaves: one draw times one number. The key is used up.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_distributions.hpp>
#include <weft/lang/product_rules.hpp>

namespace weft::inline v0 {

// Which axes count into and out of a layer; -1 is the last axis. `batch`: independent layers.
struct fan_axes {
  axis_list in = axis_list(-2), out = axis_list(-1), batch = axis_list();
};
enum class fan : std::uint8_t { in, out, average };
enum class spread : std::uint8_t { uniform, normal, truncated_normal };
struct variance_options {
  double scale = 1;
  fan mode = fan::in;
  spread draw = spread::truncated_normal;
  fan_axes axes{};
};

namespace detail {

// The axes of a list as bits; -1 if one does not exist or is there twice.
constexpr int axis_bits(axis_list const& list, int rank, int taken = 0) {
  int bits = 0;
  for (int i = 0; i < list.count; ++i) {
    int const axis = list.axis[i] < 0 ? list.axis[i] + rank : list.axis[i];
    if (axis < 0 || axis >= rank || ((bits | taken) >> axis & 1) != 0) return -1;
    bits |= 1 << axis;
  }
  return bits;
}
constexpr bool fans_fit(fan_axes const& f, int rank) {
  int const in = axis_bits(f.in, rank), out = in < 0 ? -1 : axis_bits(f.out, rank, in);
  return in >= 0 && out >= 0 && axis_bits(f.batch, rank, in | out) >= 0;
}
// The extents of all axes but those in `without`.
constexpr double elements_of_a_layer(extents const& s, int without) {
  double n = 1;
  for (int i = 0; i < s.rank; ++i)
    if ((without >> i & 1) == 0) n *= static_cast<double>(s[i]);
  return n;
}
// What the variance is divided by; at least 1.
constexpr double fan_of(variance_options const& o, extents const& s) {
  int const in = axis_bits(o.axes.in, s.rank), out = axis_bits(o.axes.out, s.rank, in);
  int const batch = axis_bits(o.axes.batch, s.rank, in | out);
  double const into = elements_of_a_layer(s, out | batch),
               out_of = elements_of_a_layer(s, in | batch);
  double const n = o.mode == fan::in ? into : o.mode == fan::out ? out_of : (into + out_of) / 2;
  return n < 1 ? 1 : n;
}
// The factor of a draw, every step rounded to T: sqrt(v) of a normal, sqrt(3 v) of a uniform one in
// [-1, 1); a normal between -2 and 2 has the standard deviation 0.8796, which is taken out.
template <class T> constexpr double spread_factor(variance_options const& o, extents const& s) {
  using F = std::conditional_t<std::is_same_v<T, double>, scalar::f64, scalar::f32>;
  using real = decltype(F{}.value);
  auto rounded = [](auto x) { return F(static_cast<real>(element_from<T>(static_cast<real>(x)))); };
  F const variance = rounded(o.scale / fan_of(o, s));
  F const times = rounded(o.draw == spread::uniform ? (rounded(3) * variance).value
                                                    : variance.value);
  F const root = rounded(sqrt(times).value);
  if (o.draw != spread::truncated_normal) return static_cast<double>(root.value);
  return static_cast<double>(rounded((root / rounded(0.87962566103423978)).value).value);
}

// A class, so that errors show the options and the shape.
template <auto O, auto... E> struct weights_like {
  static constexpr extents shape = weft::shape<E...>::value;
  static constexpr bool counted = is_static(shape);
  static constexpr bool fits = fans_fit(O.axes, shape.rank);
  static constexpr bool positive = O.scale > 0;
  static constexpr bool drawable = counted && fits && positive;
};
template <class T, auto O, auto... E> struct weights_call : draw_call<T> {
  constexpr auto operator()(auto const& k) const {
    using W = weights_like<O, E...>;
    static_assert(W::counted, "weft: initialiser: a named extent has no fan; write a number");
    static_assert(W::fits, "weft: initialiser: the shape lacks an axis of the fans, or "
                           "it is named twice; write fan_axes{.in = ..., .out = ...}");
    static_assert(W::positive, "weft: initialiser: the scale is not positive");
    if constexpr (!float_element<T> || !W::drawable) return weft::uniform<T, E...>(k);
    else {
      constexpr double factor = spread_factor<T>(O, W::shape);
      if constexpr (O.draw == spread::uniform) return weft::uniform<T, E...>(k, -1, 1) * factor;
      else if constexpr (O.draw == spread::normal) return weft::normal<T, E...>(k) * factor;
      else return weft::truncated_normal<T, E...>(k, -2, 2) * factor;
    }
  }
};
template <class F, class K> constexpr auto weights(K const& k) {
  if constexpr (std::is_same_v<K, key>) return now<F>(k);
  else return F{}(k);
}

// A rule with the usual axes, or with fan_axes in front of the extents.
template <class T, variance_options O, auto... E> struct fan_rule {
  using type = weights_call<T, O, E...>;
};
template <class T, variance_options O, fan_axes Axes, auto... E> struct fan_rule<T, O, Axes, E...> {
  using type = weights_call<T, variance_options{O.scale, O.mode, O.draw, Axes}, E...>;
};
template <class T, variance_options O, auto... E>
using ruled_by = typename fan_rule<T, O, E...>::type;
inline constexpr variance_options glorot_uniform_options{1, fan::average, spread::uniform};
inline constexpr variance_options glorot_normal_options{1, fan::average};
inline constexpr variance_options he_uniform_options{2, fan::in, spread::uniform};
inline constexpr variance_options he_normal_options{2};
inline constexpr variance_options lecun_uniform_options{1, fan::in, spread::uniform};
inline constexpr variance_options lecun_normal_options{};

} // namespace detail

// A key, at either door.
template <class K>
concept any_random_key = traced_random_key<K> || std::is_same_v<std::remove_cvref_t<K>, key>;

// Mean 0 and variance O.scale / fan, drawn as O.draw says; shape (E...), float if no type is said:
// variance_scaling<variance_options{.scale = 2, .mode = fan::out}, 64, 10>(key).
template <variance_options O, auto... E, any_random_key K>
constexpr auto variance_scaling(K const& k) {
  return detail::weights<detail::weights_call<float, O, E...>>(k);
}
template <class T, variance_options O, auto... E, any_random_key K>
constexpr auto variance_scaling(K const& k) {
  return detail::weights<detail::weights_call<T, O, E...>>(k);
}
// Uniform within sqrt(6 / (fan in + fan out)), and a truncated normal of variance 2 / (their sum)
// (Glorot, Bengio 2010; also called xavier).
template <auto... E, any_random_key K> constexpr auto glorot_uniform(K const& k) {
  return detail::weights<detail::ruled_by<float, detail::glorot_uniform_options, E...>>(k);
}
template <class T, auto... E, any_random_key K> constexpr auto glorot_uniform(K const& k) {
  return detail::weights<detail::ruled_by<T, detail::glorot_uniform_options, E...>>(k);
}
template <auto... E, any_random_key K> constexpr auto glorot_normal(K const& k) {
  return detail::weights<detail::ruled_by<float, detail::glorot_normal_options, E...>>(k);
}
template <class T, auto... E, any_random_key K> constexpr auto glorot_normal(K const& k) {
  return detail::weights<detail::ruled_by<T, detail::glorot_normal_options, E...>>(k);
}
// Uniform within sqrt(6 / fan in), and a truncated normal of variance 2 / fan in (He et al. 2015;
// also called kaiming): for relu.
template <auto... E, any_random_key K> constexpr auto he_uniform(K const& k) {
  return detail::weights<detail::ruled_by<float, detail::he_uniform_options, E...>>(k);
}
template <class T, auto... E, any_random_key K> constexpr auto he_uniform(K const& k) {
  return detail::weights<detail::ruled_by<T, detail::he_uniform_options, E...>>(k);
}
template <auto... E, any_random_key K> constexpr auto he_normal(K const& k) {
  return detail::weights<detail::ruled_by<float, detail::he_normal_options, E...>>(k);
}
template <class T, auto... E, any_random_key K> constexpr auto he_normal(K const& k) {
  return detail::weights<detail::ruled_by<T, detail::he_normal_options, E...>>(k);
}
// Uniform within sqrt(3 / fan in), and a truncated normal of variance 1 / fan in (LeCun et al.
// 1998): for selu and linear layers.
template <auto... E, any_random_key K> constexpr auto lecun_uniform(K const& k) {
  return detail::weights<detail::ruled_by<float, detail::lecun_uniform_options, E...>>(k);
}
template <class T, auto... E, any_random_key K> constexpr auto lecun_uniform(K const& k) {
  return detail::weights<detail::ruled_by<T, detail::lecun_uniform_options, E...>>(k);
}
template <auto... E, any_random_key K> constexpr auto lecun_normal(K const& k) {
  return detail::weights<detail::ruled_by<float, detail::lecun_normal_options, E...>>(k);
}
template <class T, auto... E, any_random_key K> constexpr auto lecun_normal(K const& k) {
  return detail::weights<detail::ruled_by<T, detail::lecun_normal_options, E...>>(k);
}

} // namespace weft::inline v0

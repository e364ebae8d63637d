// SPDX-License-Identifier: BSL-1.0
// Normalisation over the public functions, at both doors; results have x's shape and element type.
//   auto y = layer_norm(x, scale, shift);      // over the last axis, as PyTorch's default
// mean and variance as docs/numerics.md says: sum / n, two passes; then (x - mean) rsqrt(var + eps).
// 16-bit floats are computed in float and rounded once.
// Needs: both_doors.hpp, leaf_arithmetic.hpp; float arrays; scale and shift broadcast to x. Sources: Ba et al. 2016;
// Zhang, Sennrich 2019; Ioffe, Szegedy 2015; Wu, He 2018.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/leaf_arithmetic.hpp>
#include <weft/lang/nn.hpp>

namespace weft::inline v0 {

inline constexpr double norm_epsilon = 1e-5;

namespace detail {

// x with mean 0 and variance 1 over Axes.
template <auto... Axes> constexpr auto standardised(auto const& x, auto const& epsilon) {
  full_precision const here(x);
  auto centred = x - mean<Axes..., keep>(x);
  return centred * rsqrt(mean<Axes..., keep>(centred * centred) + epsilon);
}
template <int... Axes> struct layer_norm_call : rounded_once_call {
  constexpr auto operator()(auto const& x, auto const& scale, auto const& shift,
                            auto const& epsilon) const {
    full_precision const here(x, scale, shift);
    return rounded_once([](auto const& a, auto const& factor, auto const& term,
                           auto const& e) { return standardised<Axes...>(a, e) * factor + term; },
                        x, scale, shift, epsilon);
  }
};
template <int... Axes> struct rms_norm_call : rounded_once_call {
  constexpr auto operator()(auto const& x, auto const& scale, auto const& epsilon) const {
    full_precision const here(x, scale);
    return rounded_once(
        [](auto const& a, auto const& factor, auto const& e) {
          return a * rsqrt(mean<Axes..., keep>(a * a) + e) * factor;
        },
        x, scale, epsilon);
  }
};
// All axes but the last: the statistics of one channel. Of one axis, none.
template <class S, class Sequence> struct all_but_last;
template <class S, int... A> struct all_but_last<S, std::integer_sequence<int, A...>> {
  static constexpr auto mean_of(auto const& x) {
    if constexpr (sizeof...(A) == 0) return mean<no_axes>(x);
    else return mean<A...>(x);
  }
};
template <class X>
using channel_axes =
    all_but_last<typename X::shape_type, std::make_integer_sequence<int, rank_of<X> - 1>>;
struct batch_moments_call : plain_call {
  template <class X> constexpr auto operator()(X const& x) const {
    using T = typename X::element_type;
    full_precision const here(x);
    decltype(auto) wide = number_in<rounded_once_call::wide<T>>(x);
    auto m = channel_axes<X>::mean_of(wide);
    auto centred = wide - m;
    auto variance = channel_axes<X>::mean_of(centred * centred);
    return std::pair(number_in<T>(m), number_in<T>(variance));
  }
};
struct batch_norm_call : rounded_once_call {
  constexpr auto operator()(auto const& x, auto const& mean, auto const& variance,
                            auto const& scale, auto const& shift, auto const& epsilon) const {
    full_precision const here(x, mean, variance, scale, shift);
    return rounded_once([](auto const& a, auto const& m, auto const& v, auto const& factor,
                           auto const& term,
                           auto const& e) { return (a - m) * rsqrt(v + e) * factor + term; },
                        x, mean, variance, scale, shift, epsilon);
  }
};
// (n, ..., c) -> (n, ..., groups, c / groups).
template <int Groups> constexpr extents in_groups(extents s) {
  extent const each = s[s.rank - 1] / Groups;
  s[s.rank - 1] = Groups;
  s.push(each);
  return s;
}
template <class S, int Groups>
concept divides_channels = S::rank >= 2 && S::value[S::rank - 1] > 0 &&
                           S::value[S::rank - 1] % Groups == 0;
// Every axis of (n, ..., groups, each) but n and groups.
template <class Sequence> struct group_axes;
template <int... A> struct group_axes<std::integer_sequence<int, A...>> {
  static constexpr auto standard(auto const& x, auto const& epsilon) {
    return standardised<(A + 1)..., -1>(x, epsilon);
  }
};
template <int Groups> struct group_norm_call : rounded_once_call {
  template <class X>
  constexpr auto operator()(X const& x, auto const& scale, auto const& shift,
                            auto const& epsilon) const {
    using S = typename X::shape_type;
    static_assert(divides_channels<S, Groups>,
                  "weft: group_norm: the groups do not divide the last axis evenly");
    if constexpr (divides_channels<S, Groups>) {
      full_precision const here(x, scale, shift);
      using axes = group_axes<std::make_integer_sequence<int, S::rank - 2>>;
      return rounded_once(
          [](auto const& a, auto const& factor, auto const& term, auto const& e) {
            auto parts = reshape_as(shape_of_value<in_groups<Groups>(S::value)>{}, a);
            return reshape_as(S{}, axes::standard(parts, e)) * factor + term;
          },
          x, scale, shift, epsilon);
    } else return x;
  }
};

} // namespace detail

// Over Axes (none: the last one).
template <int... Axes, any_array X, class Scale, class Shift, class Epsilon = double>
constexpr auto layer_norm(X const& x, Scale const& scale, Shift const& shift,
                          Epsilon epsilon = norm_epsilon) {
  if constexpr (sizeof...(Axes) == 0)
    return detail::now_at_door<detail::layer_norm_call<-1>>(x, scale, shift, epsilon);
  else return detail::now_at_door<detail::layer_norm_call<Axes...>>(x, scale, shift, epsilon);
}
// x rsqrt(mean(x^2) + epsilon) scale, over Axes (none: the last one).
template <int... Axes, any_array X, class Scale, class Epsilon = double>
constexpr auto rms_norm(X const& x, Scale const& scale, Epsilon epsilon = norm_epsilon) {
  if constexpr (sizeof...(Axes) == 0)
    return detail::now_at_door<detail::rms_norm_call<-1>>(x, scale, epsilon);
  else return detail::now_at_door<detail::rms_norm_call<Axes...>>(x, scale, epsilon);
}
// The pair (mean, variance) of every channel, the last axis of x, over all other axes: for
// batch_norm in training, and for running means of both.
template <any_array X> constexpr auto batch_moments(X const& x) {
  return detail::now_at_door<detail::batch_moments_call>(x);
}
// With given moments (channels): those of the batch in training, running means afterwards.
template <any_array X, class Mean, class Variance, class Scale, class Shift, class Epsilon = double>
constexpr auto batch_norm(X const& x, Mean const& mean, Variance const& variance,
                          Scale const& scale, Shift const& shift, Epsilon epsilon = norm_epsilon) {
  return detail::now_at_door<detail::batch_norm_call>(x, mean, variance, scale, shift, epsilon);
}
// x (n, ..., channels): mean 0 and variance 1 in each of n and each of Groups of channels.
template <int Groups, any_array X, class Scale, class Shift, class Epsilon = double>
constexpr auto group_norm(X const& x, Scale const& scale, Shift const& shift,
                          Epsilon epsilon = norm_epsilon) {
  return detail::now_at_door<detail::group_norm_call<Groups>>(x, scale, shift, epsilon);
}

} // namespace weft::inline v0

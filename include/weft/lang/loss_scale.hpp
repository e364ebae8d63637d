// SPDX-License-Identifier: BSL-1.0
// Mixed precision training: dynamic loss scaling (Micikevicius et al. 2018) and master weights, as
// functions of structures.
//   auto scale = initial_loss_scale();                    // a loss_scale<tensor>, part of the state
//   auto [loss, grads, finite] = scaled_value_and_grad(f)(scale, p, x, labels);
//   auto next = select_leaves(finite, sgd(p, grads, 0.1f), p);       // a step, or none
//   auto next_scale = next_loss_scale(scale, finite);
// f's loss is multiplied by the scale before it is differentiated, so that cotangents of bf16 and
// f16 do not underflow, and gradients are divided by it in float. Where one of them is not finite
// the scale was too large: the step is skipped and the scale halved; after `growth_interval` steps
// without that it is doubled. Scales are powers of two: where nothing under- or overflows the
// gradients have the bits of a program without scale.
// Master weights: parameters of bf16 or f16, and a float copy of them that the optimiser works on.
//   auto m = master_weights(p);                           // a master<params>
//   auto moved = select_leaves(finite, sgd(m, grads, 0.1f), m);
//   auto next = convert_like(p, moved);                   // each weight rounded once
// Needs: gradients.hpp, optimise.hpp. Leaves: functions of both doors; in a trace nothing is known
// of the run, so the state is data: it may be a carry, an argument, a moved one.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_elementary.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/optimise.hpp>

#include <bit>

namespace weft::inline v0 {

// The scale, and how many steps had finite gradients since it last changed.
template <template <class, auto...> class array> struct loss_scale {
  array<float> scale;
  array<int> finite_steps;
};

// Factors of 1 keep the scale that it starts with.
struct loss_scale_options {
  double initial = 65536, growth_factor = 2, backoff_factor = 0.5;
  int growth_interval = 2000;
  double smallest = 1, largest = 0x1p24;
};

namespace detail {

constexpr bool is_power_of_two(double x) {
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(x), exponent = bits >> 52;
  return (bits << 12) == 0 && exponent > 0 && exponent < 2047;
}
template <loss_scale_options O>
concept powers_of_two = is_power_of_two(O.initial) && is_power_of_two(O.growth_factor) &&
                        is_power_of_two(O.backoff_factor) && is_power_of_two(O.smallest) &&
                        is_power_of_two(O.largest);
template <loss_scale_options O>
concept scales_in_order = O.smallest >= 1 && O.smallest <= O.initial && O.initial <= O.largest &&
                          O.largest <= 0x1p126 && O.growth_factor >= 1 && O.backoff_factor <= 1 &&
                          O.growth_interval >= 1;
// False after an error.
template <loss_scale_options O> consteval bool check_loss_scale() {
  static_assert(powers_of_two<O>, "weft: loss_scale: a scale or a factor is not a power of two, so "
                                  "that scaling would round; write 2, 0.5, 65536");
  static_assert(!powers_of_two<O> || scales_in_order<O>,
                "weft: loss_scale: the options are out of order; write 1 <= smallest <= initial <= "
                "largest <= 0x1p126, growth_factor >= 1 >= backoff_factor, growth_interval >= 1");
  return powers_of_two<O> && scales_in_order<O>;
}

template <class X> inline constexpr bool is_loss_scale = false;
template <template <class, auto...> class array>
inline constexpr bool is_loss_scale<loss_scale<array>> = true;
template <class X> concept a_loss_scale = is_loss_scale<X>;

// An R whose leaves are f of x's.
template <class R, class F, class X> constexpr R made_from(F const& f, X const& x) {
  R made{};
  for_each_leaf(made, x, [&f](auto& to, auto const& from) { to = f(from); });
  return made;
}
// The leaf's values in Like's element type; what is no array of floats stays.
template <class Like, class L> constexpr decltype(auto) leaf_like(L const& leaf) {
  if constexpr (std::is_same_v<Like, L>) return (leaf);
  else return convert<typename Like::element_type>(leaf);
}
template <class L>
inline constexpr bool float_array = [] {
  if constexpr (any_array<L>) return is_float(dtype_of<typename L::element_type>);
  else return false;
}();
template <class List> struct first_array;
template <class... L> struct first_array<type_list<L...>> {
  using type = typename decltype((choice<L, any_array<L>>{} | ...))::type;
};
template <class A, class B> concept structures_alike = std::is_same_v<A, B>;

// One leaf if p, else the other.
template <class P, class L> constexpr L choose_leaf(P const& p, L const& a, L const& b) {
  if constexpr (traced_random_key<L>)
    return L{select(broadcast_to(p.value, a.value.shape()), a.value, b.value)};
  else if constexpr (any_array<L>) return L(where(p, a, b));
  else return static_cast<bool>(p) ? a : b;
}

} // namespace detail

// Where training starts: O.initial, no steps.
template <loss_scale_options O = loss_scale_options{}>
constexpr loss_scale<tensor> initial_loss_scale() {
  if constexpr (!detail::check_loss_scale<O>()) return {};
  else return {tensor<float>(static_cast<float>(O.initial)), tensor<int>(0)};
}

// loss * scale, in float (of double in double). scale_loss(s, mean(errors))
template <class S, class X> constexpr auto scale_loss(S const& s, X const& loss) {
  using T = detail::leaf_arithmetic<detail::element_of<X>>;
  return detail::number_in<T>(loss) * detail::number_in<T>(s.scale);
}
// gradients / scale: a master_of<G>, float for bf16 and f16; leaves without gradients stay. Exact
// but for results below 2^-126. unscale(s, grads)
template <class S, class G> constexpr master_of<G> unscale(S const& s, G const& grads) {
  auto const inverse = 1.0f / s.scale;
  return detail::made_from<master_of<G>>(
      [&inverse]<class L>(L const& g) {
        if constexpr (!detail::float_array<L>) return g;
        else {
          using T = detail::leaf_arithmetic<typename L::element_type>;
          return detail::number_in<T>(g) * detail::number_in<T>(inverse);
        }
      },
      grads);
}
// Is every element of every leaf finite? A rank-0 bool; integers, bool and keys always are.
template <class X> constexpr auto all_finite(X const& x) {
  auto const of_leaf = [](auto const& leaf) { return all(is_finite(leaf)); };
  using first = typename detail::first_array<leaves_of<X>>::type;
  using answer = std::remove_cvref_t<decltype(of_leaf(std::declval<first const&>()))>;
  answer result{};
  bool started = false;
  for_each_leaf(x, [&]<class L>(L const& leaf) {
    if constexpr (any_array<L>) {
      answer const one = of_leaf(leaf);
      result = started ? answer(result & one) : one;
      started = true;
    }
  });
  return result;
}
// a where p, a rank-0 bool, else b, leaf by leaf: nothing of the other one is computed with, so that
// its NaN stays away. select_leaves(finite, std::pair(next, next_state), std::pair(p, state))
template <class P, class A, class B> constexpr A select_leaves(P const& p, A const& a, B const& b) {
  constexpr bool alike = detail::structures_alike<A, B>;
  static_assert(alike, "weft: select_leaves: the structures differ; give two of one type");
  if constexpr (!alike) return a;
  else {
    A chosen = a;
    for_each_leaf(chosen, b,
                  [&p](auto& to, auto const& other) { to = detail::choose_leaf(p, to, other); });
    return chosen;
  }
}

// The next step's scale: O.backoff_factor of it if the gradients were not finite, but at least
// O.smallest; after O.growth_interval finite ones in a row O.growth_factor of it, at most
// O.largest.
template <loss_scale_options O = loss_scale_options{}, class S, class P>
constexpr S next_loss_scale(S const& s, P const& finite) {
  if constexpr (!detail::check_loss_scale<O>()) return s;
  else {
    S next = s;
    auto const steps = s.finite_steps + 1;
    auto const grows = steps >= O.growth_interval;
    auto const grown = where(grows, minimum(s.scale * O.growth_factor, O.largest), s.scale);
    next.scale = where(finite, grown, maximum(s.scale * O.backoff_factor, O.smallest));
    next.finite_steps = where(finite, where(grows, 0, steps), 0);
    return next;
  }
}

// p's values in float where they are bf16 or f16: a master_of<P>. master_weights(p)
template <class P> constexpr master_of<P> master_weights(P const& p) {
  return detail::made_from<master_of<P>>(
      []<class L>(L const& w) { return detail::leaf_like<master_of<L>>(w); }, p);
}
// x's values in the element types of `like`, a structure alike, each rounded once: parameters of
// their master weights. convert_like(p, m)
template <class P, class X> constexpr P convert_like(P const&, X const& x) {
  P made{};
  for_each_leaf(made, x, []<class L>(L& to, auto const& from) { to = detail::leaf_like<L>(from); });
  return made;
}

namespace detail {

// f with its loss scaled, and f's own result as aux.
template <class F, class S> struct scaled_loss {
  F const& f;
  S const& s;

  template <class... A> constexpr auto operator()(A const&... a) const {
    auto const result = f(a...);
    using split = split_value<std::remove_const_t<decltype(result)>>;
    if constexpr (split::has_aux) return std::pair(scale_loss(s, result.first), result);
    else return std::pair(scale_loss(s, result), result);
  }
};
template <class S>
inline constexpr auto no_triple = std::tuple(none_after_error<S>, none_after_error<S>,
                                             none_after_error<S>);
template <class F, class Of> struct scaled_derivative_of {
  using functions = type_list<F, Of>;
  F f;
  Of of;

  template <class S, class... A> constexpr auto operator()(S const& s, A const&... a) const {
    static_assert(a_loss_scale<S>, "weft: scaled_value_and_grad: the first argument is no "
                                   "loss_scale; write (scale, arguments...)");
    if constexpr (!a_loss_scale<S>) return no_triple<S>;
    else if constexpr (traced_structure<S> || (traced_structure<A> || ...)) {
      using R = decltype(asked<F, sizeof...(A)>()(std::declval<traced_type<A>>()...));
      if constexpr (!check_call<R, F, traced_type<A>...>()) return no_triple<S>;
      else if constexpr (!check_loss<traced_type<R>>()) return no_triple<S>;
      else {
        recorder& r = recorder_in(s, a...).innermost();
        return recorded(to_traced(r, s), to_traced(r, a)...);
      }
    } else return run_transformed(*this, s, a...);
  }

private:
  template <class S, class... A> constexpr auto recorded(S const& s, A const&... a) const {
    scaled_loss<F, S> const loss{f, s};
    auto const [both, grads] = derivative_of<gradient_rule, scaled_loss<F, S>, Of>{loss, of}(a...);
    auto const unscaled = unscale(s, grads);
    auto const finite = all_finite(unscaled);
    return std::tuple(both.second, unscaled, finite);
  }
};

} // namespace detail

// A function of a loss_scale and f's arguments that gives tuple(f's result, gradients, are they all
// finite?): f as for value_and_grad, its value as it is, the gradients of f, in float for bf16 and
// f16. Take autocast inside: scaled_value_and_grad(autocast<f16>(f))(scale, p, x).
template <int... Argument, class F> constexpr auto scaled_value_and_grad(F f) {
  if constexpr (sizeof...(Argument) == 0)
    return detail::scaled_derivative_of<F, detail::numbered_arguments<0>>{f, {}};
  else return detail::scaled_derivative_of<F, detail::numbered_arguments<Argument...>>{f, {}};
}
// The same by the leaves that of(arguments...) returns.
template <class F, class Of> constexpr auto scaled_value_and_grad(F f, Of of) {
  return detail::scaled_derivative_of<F, Of>{f, of};
}

} // namespace weft::inline v0

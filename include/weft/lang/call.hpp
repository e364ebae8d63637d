// SPDX-License-Identifier: BSL-1.0
// Calling a function that jit, a transform or a loop was given: asked before it is called.
//   using R = decltype(detail::asked<F, 2>()(std::declval<A>(), std::declval<B>()));
//   if constexpr (detail::check_call<R, F, A, B>()) ...      // R is not_called if F takes no A, B
// `asked` is overload resolution, not a requires expression, and is written out where it is needed:
// both compilers print a line or three for everything between a mistake in f and its caller.
// Needs: structure.hpp. Leaves: false after an error; both texts show the function and its arguments.
#pragma once

#include <weft/lang/structure.hpp>

namespace weft::inline v0 {
namespace detail {

struct not_called {};

// Has any operator(): no second one could be told from it.
struct other_call {
  void operator()();
};
template <class F> struct ambiguous_call : F, other_call {};
template <class F>
concept has_call_operator = std::is_class_v<F> && !std::is_final_v<F> &&
                            !requires { &ambiguous_call<F>::operator(); };

template <class F, int Arguments> struct asked_function { // no class: nothing of it is instantiated
  template <class... A>
    requires requires(F const& f, A... a) { f(a...); }
  auto operator()(A... a) const -> decltype(std::declval<F const&>()(a...));
  not_called operator()(...) const
    requires(Arguments > 0);
};
template <has_call_operator F, int Arguments> struct asked_function<F, Arguments> : F {
  using F::operator();
  not_called operator()(...) const;
};
template <has_call_operator F> struct asked_function<F, 0> : F {
  using F::operator();
  not_called operator()() const
    requires(!std::is_invocable_v<F const&>);
};
template <class F, int Arguments> asked_function<F, Arguments> const& asked();

// What a function may return: leaves, and structures of them.
template <class X> consteval bool is_structure();
template <class... X> consteval bool are_structures(type_list<X...>) {
  return (is_structure<X>() && ...);
}
template <class X> consteval bool is_structure() {
  if constexpr (is_leaf<X> || std::is_base_of_v<expression_base, X>) return true;
  else if constexpr (is_array<X> || is_tuple<X>) return are_structures(parts_of<X>{});
  else return std::is_class_v<X> && (has_members<X> || parameter_struct<X>);
}
template <class R> concept structure_of_arrays = is_structure<std::remove_cvref_t<R>>();
// No leaf is a tensor: of a function of traced arrays.
template <class... L> consteval bool all_enter(type_list<L...>) {
  return (enters_a_trace<L> && ...);
}
template <class R, class... A> consteval bool fits_its_door() {
  if constexpr ((traced_structure<A> || ...)) return all_enter(leaves_of<R>{});
  else return true;
}

// A struct whose arrays stay tensors in a trace: it is no template over them.
template <class A> consteval bool has_arrays_by_template() {
  using T = traced_type<A>;
  if constexpr (is_structure<T>()) return all_enter(leaves_of<T>{});
  else return true;
}
template <class... L> consteval bool any_elsewhere(type_list<L...>) {
  return (is_elsewhere<L> || ...);
}
template <class A> consteval bool is_here() {
  if constexpr (is_structure<A>()) return !any_elsewhere(leaves_of<A>{});
  else return true;
}
template <class... A> consteval bool check_arguments() {
  constexpr bool here = (is_here<A>() && ...);
  static_assert(here, "weft: jit: an array is on a device; name the device first, jit<f>(device, "
                      "...), or write to_host(x)");
  constexpr bool all = !here || (has_arrays_by_template<A>() && ...);
  static_assert(all,
                "weft: a struct holds tensors; write template <template <class, auto...> class "
                "array> struct params { array<float, 3> w; }; and pass params<tensor>");
  return here && all;
}

// R is what asked<F, sizeof...(A)>() gives for them.
template <class R, class F, class... A> consteval bool check_call() {
  constexpr bool taken = !std::is_same_v<R, not_called>;
  static_assert(taken, "weft: the function does not take these arguments; write one parameter per "
                       "argument, auto for any type");
  constexpr bool arrays = !taken || structure_of_arrays<R>;
  static_assert(arrays, "weft: the function returns no arrays; return arrays, or a struct, pair or "
                        "tuple of them");
  if constexpr (!taken || !arrays) return false;
  else {
    constexpr bool one_door = fits_its_door<R, A...>();
    static_assert(one_door, "weft: a recorded function returns a tensor or a key; write auto for "
                            "what it computes, and make what is from outside an argument");
    return one_door;
  }
}

} // namespace detail
} // namespace weft::inline v0

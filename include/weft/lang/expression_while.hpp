// SPDX-License-Identifier: BSL-1.0
// while_loop, fori_loop and cond of tensors: C++ loops and branches that call the functions with
// tensors, for debugging; the compiled loop's bits.
// Needs: while.hpp, expression_scan.hpp. Leaves: tensors, of the types that init (or the branches)
// have.
#pragma once

#include <weft/lang/expression_scan.hpp>
#include <weft/lang/while.hpp>

namespace weft::inline v0 {
namespace detail {

template <class P> constexpr bool holds(P const& p) {
  if constexpr (number_literal<P>) return p;
  else return tensor<bool>(p)();
}
template <class X> constexpr std::int32_t bound_of(X const& x) {
  if constexpr (number_literal<X>) return static_cast<std::int32_t>(x);
  else return tensor<std::int32_t>(x)();
}

} // namespace detail

template <class Cond, class Body, class C>
  requires(!traced_structure<C>)
constexpr auto while_loop(Cond const& cond, Body const& body, C const& init) {
  auto state = detail::to_tensors(init);
  using S = decltype(state);
  if constexpr (detail::check_condition<decltype(cond(state))>() &&
                detail::check_state<S, tensor_type<decltype(body(state))>>())
    while (detail::holds(cond(state))) state = detail::to_tensors(body(state));
  return state;
}
template <while_options O, class Cond, class Body, class C>
  requires(!traced_structure<C>)
constexpr auto while_loop(Cond const& cond, Body const& body, C const& init) {
  auto state = detail::to_tensors(init);
  using S = decltype(state);
  if constexpr (detail::check_most<O.most>() && detail::check_condition<decltype(cond(state))>() &&
                detail::check_state<S, tensor_type<decltype(body(state))>>())
    for (int i = 0; i < O.most && detail::holds(cond(state)); ++i)
      state = detail::to_tensors(body(state));
  return state;
}
template <class Lower, class Upper, class Body, class C>
  requires(!traced_structure<C> && !traced_structure<Lower> && !traced_structure<Upper>)
constexpr auto fori_loop(Lower const& lower, Upper const& upper, Body const& body, C const& init) {
  auto state = detail::to_tensors(init);
  using S = decltype(state);
  using R = tensor_type<decltype(body(std::declval<tensor<std::int32_t>>(), state))>;
  if constexpr (detail::check_state<S, R>())
    for (std::int32_t i = detail::bound_of(lower), end = detail::bound_of(upper); i < end; ++i)
      state = detail::to_tensors(body(tensor<std::int32_t>(i), state));
  return state;
}
template <class P, class F, class G, class... A>
  requires(!traced_structure<P> && !(traced_structure<A> || ...))
constexpr auto cond(P const& pred, F const& f, G const& g, A const&... args) {
  using R = tensor_type<decltype(f(args...))>;
  using Other = tensor_type<decltype(g(args...))>;
  if constexpr (detail::check_predicate<P>() && detail::check_branches<R, Other>())
    return detail::holds(pred) ? R(detail::to_tensors(f(args...)))
                               : R(detail::to_tensors(g(args...)));
  else return R{};
}

} // namespace weft::inline v0

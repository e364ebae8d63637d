// SPDX-License-Identifier: BSL-1.0
// while_loop, fori_loop and cond of tensors: C++ loops and branches that call the functions with
// tensors, for debugging; the compiled loop's bits.
// Needs: while.hpp, expression_scan.hpp. Leaves: tensors, of the types that init (or the branches)
// have; traced arrays where the functions use some (expression_scan.hpp says how).
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

template <class Cond, class Body, class C>
constexpr auto run_while(Cond const& cond, Body const& body, C const& init) {
  auto state = to_tensors(init);
  using S = decltype(state);
  constexpr auto name = loop_function::while_loop;
  if constexpr (check_condition<name, decltype(cond(state))>() &&
                check_state<name, S, tensor_type<decltype(body(state))>>())
    while (holds(cond(state))) state = to_tensors(body(state));
  return state;
}
template <class Lower, class Upper, class Body, class C>
constexpr auto run_steps(Lower const& lower, Upper const& upper, Body const& body, C const& init) {
  auto state = to_tensors(init);
  using S = decltype(state);
  using R = tensor_type<decltype(body(std::declval<tensor<std::int32_t>>(), state))>;
  if constexpr (check_state<loop_function::fori_loop, S, R>())
    for (std::int32_t i = bound_of(lower), end = bound_of(upper); i < end; ++i)
      state = to_tensors(body(tensor<std::int32_t>(i), state));
  return state;
}
template <class P, class F, class G, class... A>
constexpr auto run_branch(P const& pred, F const& f, G const& g, A const&... args) {
  using R = tensor_type<decltype(f(args...))>;
  using Other = tensor_type<decltype(g(args...))>;
  if constexpr (check_predicate<P>() && check_branches<R, Other>())
    return holds(pred) ? R(to_tensors(f(args...))) : R(to_tensors(g(args...)));
  else return R{};
}
// A C++ value chooses between results of which one is traced at least.
template <class P, class X, class Y>
constexpr auto choose_traced(P const& pred, X const& x, Y const& y) {
  using R = traced_type<X>;
  recorder& r = recorder_in(x, y);
  if constexpr (check_predicate<P>() && check_branches<R, traced_type<Y>>())
    return holds(pred) ? R(to_traced(r, x)) : R(to_traced(r, y));
  else return R(to_traced(r, x));
}

} // namespace detail

template <class Cond, class Body, class C>
  requires(!traced_structure<C>)
constexpr auto while_loop(Cond const& cond, Body const& body, C const& init) {
  using M = detail::maker_form<C>;
  if constexpr (detail::starts_from_makers<C> && detail::traced_inside<Body, M>)
    return weft::while_loop(cond, body,
                            detail::to_traced(detail::recorder_inside<Body, M>(body), init));
  else if constexpr (detail::starts_from_makers<C> && detail::traced_inside<Cond, M>)
    return weft::while_loop(cond, body,
                            detail::to_traced(detail::recorder_inside<Cond, M>(cond), init));
  else return detail::run_while(cond, body, init);
}
template <while_options O, class Cond, class Body, class C>
  requires(!traced_structure<C>)
constexpr auto while_loop(Cond const& cond, Body const& body, C const& init) {
  auto state = detail::to_tensors(init);
  using S = decltype(state);
  constexpr auto name = detail::loop_function::while_loop;
  if constexpr (detail::check_most<O.most>() &&
                detail::check_condition<name, decltype(cond(state))>() &&
                detail::check_state<name, S, tensor_type<decltype(body(state))>>())
    for (int i = 0; i < O.most && detail::holds(cond(state)); ++i)
      state = detail::to_tensors(body(state));
  return state;
}
template <class Lower, class Upper, class Body, class C>
  requires(!traced_structure<C> && !traced_structure<Lower> && !traced_structure<Upper>)
constexpr auto fori_loop(Lower const& lower, Upper const& upper, Body const& body, C const& init) {
  using M = detail::maker_form<C>;
  constexpr bool made_bounds = detail::from_nothing<Lower> && detail::from_nothing<Upper>;
  if constexpr (made_bounds && detail::starts_from_makers<C> &&
                detail::traced_inside<Body, made<std::int32_t>, M>) {
    recorder& r = detail::recorder_inside<Body, made<std::int32_t>, M>(body);
    return weft::fori_loop(lower, upper, body, detail::to_traced(r, init));
  } else return detail::run_steps(lower, upper, body, init);
}
template <class P, class F, class G, class... A>
  requires(!traced_structure<P> && !(traced_structure<A> || ...))
constexpr auto cond(P const& pred, F const& f, G const& g, A const&... args) {
  if constexpr (traced_structure<decltype(f(args...))> || traced_structure<decltype(g(args...))>)
    return detail::choose_traced(pred, f(args...), g(args...));
  else return detail::run_branch(pred, f, g, args...);
}

} // namespace weft::inline v0

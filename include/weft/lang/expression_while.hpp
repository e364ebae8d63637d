// SPDX-License-Identifier: BSL-1.0
// while_loop, fori_loop and cond of tensors: C++ loops and branches that call the functions with
// tensors, for debugging; the compiled loop's bits. A name has one number in all arrays of a loop,
// at every step (shape_error).
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
template <class X>
concept one_int = rank_of<operand_traits<X>> == 0 && std::is_integral_v<element_of<X>>;
template <class X> consteval bool check_bound() {
  static_assert(one_int<X>, "weft: fori_loop: a bound is not one int");
  return one_int<X>;
}
template <class X> constexpr extent bound_of(X const& x) {
  if constexpr (number_literal<X>) return static_cast<extent>(x);
  else return static_cast<extent>(tensor<element_of<X>>(x)());
}

template <class Body, class Lower, class Upper, class C>
concept steps_traced_inside = from_nothing<Lower> && from_nothing<Upper> && starts_from_makers<C> &&
                              traced_inside<Body, made<std::int32_t>, maker_form<C>>;
template <class Cond, class Body, class C>
concept while_traced_inside = loop_traced_inside<Body, C> || loop_traced_inside<Cond, C>;
// Where the body or the condition traces: init in its recorder.
template <class Cond, class Body, class C>
constexpr auto traced_start(Cond const& cond, Body const& body, C const& init) {
  using M = maker_form<C>;
  if constexpr (loop_traced_inside<Body, C>) return to_traced(recorder_inside<Body, M>(body), init);
  else return to_traced(recorder_inside<Cond, M>(cond), init);
}
// `most` bodies at most; -1: as many as the condition wants.
template <class Cond, class Body, class S>
constexpr void run_while(Cond const& cond, Body const& body, S& state, extent most = -1) {
  loop_extents named("while_loop");
  named.add(state);
  for (extent i = 0; i != most && holds(cond(state)); ++i) {
    state = to_tensors(body(state));
    named.check(state);
  }
}
// P and R are what asked<Cond, 1>() and asked<Body, 1>() give for the state S.
template <class P, class R, class S, class Cond, class Body> consteval bool check_loop() {
  if constexpr (!check_call<P, Cond, S>()) return false;
  else if constexpr (!check_call<R, Body, S>()) return false;
  else if constexpr (!check_tensors<S, P, R>()) return false;
  else if constexpr (!check_condition<loop_function::while_loop, P>()) return false;
  else return check_state<loop_function::while_loop, S, tensor_type<R>>();
}
template <class R, class I, class S, class Body, class... Bound> consteval bool check_steps() {
  if constexpr (!(check_bound<Bound>() && ...)) return false;
  else if constexpr (!check_call<R, Body, I, S>()) return false;
  else if constexpr (!check_tensors<S, R>()) return false;
  else return check_state<loop_function::fori_loop, S, tensor_type<R>>();
}
template <class P, class F, class G, class... A>
constexpr auto run_branch(P const& pred, F const& f, G const& g, A const&... args) {
  using R = tensor_type<decltype(f(args...))>;
  using Other = tensor_type<decltype(g(args...))>;
  if constexpr (check_predicate<P>() && check_branches<R, Other>()) {
    loop_extents named("cond");
    auto const add = [&named]<class X>(X const& x) {
      if constexpr (structure_of_arrays<X>) named.add(to_tensors(x));
    };
    (add(args), ...);
    return holds(pred) ? R(to_tensors(f(args...))) : R(to_tensors(g(args...)));
  } else return R{};
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
  if constexpr (detail::while_traced_inside<Cond, Body, C>)
    return weft::while_loop(cond, body, detail::traced_start(cond, body, init));
  else {
    using S = tensor_type<C>;
    using P = decltype(detail::asked<Cond, 1>()(std::declval<S&>()));
    using R = decltype(detail::asked<Body, 1>()(std::declval<S&>()));
    auto state = detail::to_tensors(init);
    if constexpr (detail::check_loop<P, R, S, Cond, Body>()) detail::run_while(cond, body, state);
    return state;
  }
}
template <while_options O, class Cond, class Body, class C>
  requires(!traced_structure<C>)
constexpr auto while_loop(Cond const& cond, Body const& body, C const& init) {
  if constexpr (detail::while_traced_inside<Cond, Body, C>)
    return weft::while_loop<O>(cond, body, detail::traced_start(cond, body, init));
  else {
    using S = tensor_type<C>;
    using P = decltype(detail::asked<Cond, 1>()(std::declval<S&>()));
    using R = decltype(detail::asked<Body, 1>()(std::declval<S&>()));
    auto state = detail::to_tensors(init);
    if constexpr (detail::check_most<O.most>() && detail::check_loop<P, R, S, Cond, Body>())
      detail::run_while(cond, body, state, O.most);
    return state;
  }
}
template <class Lower, class Upper, class Body, class C>
  requires(!traced_structure<C> && !traced_structure<Lower> && !traced_structure<Upper>)
constexpr auto fori_loop(Lower const& lower, Upper const& upper, Body const& body, C const& init) {
  using M = detail::maker_form<C>;
  if constexpr (detail::steps_traced_inside<Body, Lower, Upper, C>) {
    recorder& r = detail::recorder_inside<Body, made<std::int32_t>, M>(body);
    return weft::fori_loop(lower, upper, body, detail::to_traced(r, init));
  } else {
    using I = tensor<std::int32_t>;
    using S = tensor_type<C>;
    using R = decltype(detail::asked<Body, 2>()(std::declval<I>(), std::declval<S&>()));
    auto state = detail::to_tensors(init);
    if constexpr (detail::check_steps<R, I, S, Body, Lower, Upper>()) {
      detail::loop_extents named("fori_loop");
      named.add(state);
      for (extent i = detail::bound_of(lower), end = detail::bound_of(upper); i < end; ++i) {
        state = detail::to_tensors(body(I(static_cast<std::int32_t>(i)), state));
        named.check(state);
      }
    }
    return state;
  }
}
template <class P, class F, class G, class... A>
  requires(!traced_structure<P> && !(traced_structure<A> || ...))
constexpr auto cond(P const& pred, F const& f, G const& g, A const&... args) {
  using X = decltype(detail::asked<F, sizeof...(A)>()(std::declval<A const&>()...));
  using Y = decltype(detail::asked<G, sizeof...(A)>()(std::declval<A const&>()...));
  if constexpr (!detail::check_call<X, F, A...>()) return none;
  else if constexpr (!detail::check_call<Y, G, A...>()) return none;
  else if constexpr (traced_structure<X> || traced_structure<Y>)
    return detail::choose_traced(pred, f(args...), g(args...));
  else return detail::run_branch(pred, f, g, args...);
}

} // namespace weft::inline v0

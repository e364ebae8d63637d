// SPDX-License-Identifier: BSL-1.0
// Typed doors of the derivatives: functions of function objects that return function objects.
//   auto [value, grads] = value_and_grad(loss)(p, x, labels);      // with respect to argument 0
//   auto [v, g02] = value_and_grad<0, 2>(f)(a, b, c);              // a tuple: for a and c
//   auto g = grad(loss, [](auto p, auto...) { return std::tuple(p.w, p.b); })(p, x, labels);
//   auto [y, gx] = vjp(f)(x, w, cotangent_of_y);                   // any result, J^T cotangent
//   auto [y, dy] = jvp(f)(x, w, tangent_of_x);                     // any result, J tangent
// What the derivative is by: argument 0; the arguments that are numbered; or the leaves that a
// function of all arguments picks. Gradients and tangents have the picked values' structure and
// types; integer, bool and key leaves of a structure have none: zeros come out, and what goes in is
// not read. An argument of such leaves alone is refused.
// value_and_grad, grad: f returns a rank-0 float, or pair(that, aux); grad keeps aux:
// pair(gradients, aux). vjp: the cotangent, like f's result, is the last argument. jvp: after the
// arguments one tangent per argument that is picked (one in all where a function picks).
// Needs: transform/grad.hpp, transform/jvp.hpp; at least one traced argument; with tensors
// (run/jit.hpp) the function is compiled, if it captures nothing. Leaves: the function is recorded
// aside, differentiated, and inlined where it is called.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/lang/aside.hpp>
#include <weft/pass/dissolve.hpp>
#include <weft/pass/hoist.hpp>
#include <weft/transform/checkpoint.hpp>
#include <weft/transform/grad.hpp>
#include <weft/transform/jvp.hpp>

namespace weft::inline v0 {
namespace detail {

template <class X> struct split_value { // f's result: the value, and what else it returns
  using value = X;
  static constexpr bool has_aux = false;
};
template <class V, class Aux> struct split_value<std::pair<V, Aux>> {
  using value = V;
  static constexpr bool has_aux = true;
};
template <class V>
concept rank_0_float = traced_array<V> && V::rank == 0 &&
                       is_float(dtype_of<typename V::element_type>);

template <class L>
inline constexpr bool takes_gradient = [] {
  if constexpr (traced_array<L>) return is_float(dtype_of<typename L::element_type>);
  else return false;
}();

template <class... L> consteval bool any_takes_gradient(type_list<L...>) {
  return (takes_gradient<L> || ...);
}
template <class X> inline constexpr bool has_a_float = any_takes_gradient(leaves_of<X>{});
template <> inline constexpr bool has_a_float<none_t> = true; // after another error
template <class F>
inline constexpr auto no_pair = std::pair(none_after_error<F>, none_after_error<F>);

// Tuples of references, as std::tie makes them, hold values here.
template <class X> struct value_form {
  using type = X;
};
template <class... X> struct value_form<std::tuple<X...>> {
  using type = std::tuple<std::remove_cvref_t<X>...>;
};

// Arguments by number: one as it is, several as a tuple.
template <int Number, int Arguments> concept argument_exists = Number >= 0 && Number < Arguments;
template <int... Argument> struct numbered_arguments {
  static constexpr int count = sizeof...(Argument);

  template <class... A> constexpr auto operator()(A const&... a) const {
    constexpr bool exist = (argument_exists<Argument, sizeof...(A)> && ...);
    static_assert(exist, "weft: value_and_grad: no argument has that number; count from 0");
    auto const all = std::tie(a...);
    if constexpr (!exist) return none;
    else if constexpr (count == 1) return (std::get<Argument>(all), ...);
    else
      return std::tuple<std::remove_cvref_t<decltype(std::get<Argument>(all))>...>{
          std::get<Argument>(all)...};
  }
};
template <class Of> inline constexpr int picked_count = 1; // how many tangents jvp takes
template <class Of> inline constexpr bool is_numbered = false;
template <int... A> inline constexpr bool is_numbered<numbered_arguments<A...>> = true;
template <int... A> inline constexpr int picked_count<numbered_arguments<A...>> = sizeof...(A);

// Each value that is picked has a derivative; an argument that is a tuple is one value.
template <class Of, class Picked> inline constexpr bool is_by_floats = has_a_float<Picked>;
template <class Of, class... X>
  requires(picked_count<Of> > 1 || !is_numbered<Of>)
inline constexpr bool is_by_floats<Of, std::tuple<X...>> = (has_a_float<X> && ...);

template <int I, class... A> using nth = std::tuple_element_t<I, std::tuple<A...>>;
template <class Of, class... A>
using picked_type =
    typename value_form<decltype(std::declval<Of const&>()(std::declval<A const&>()...))>::type;

// The numbers of the picked leaves that take gradients, among the inputs of the graph aside.
template <class X> constexpr growing<int> picked_inputs(recorder& inner, X const& picked) {
  growing<int> wrt;
  for_each_leaf(picked, [&](auto const& leaf) {
    if constexpr (takes_gradient<std::remove_cvref_t<decltype(leaf)>>) {
      handle const h = leaf.value;
      bool const is_input = h.where == &inner && inner.result.nodes[h.id].code == op::parameter &&
                            inner.result.nodes[h.id].region == 0;
      if (is_input) wrt.push(h.id);
      else inner.root().result.fail(trace_error::no_argument_picked, h.id);
    }
  });
  return wrt;
}

// The derivative of f's graph by what `of` picks; f's graph itself after a mistake.
template <class Of, class Rule, class Inside>
constexpr graph derived(recorder& inner, graph_view g, Inside const& inside, Of const& of,
                        Rule const& rule) {
  auto const pick = [&of](auto const&... x) { return of(x...); };
  growing<int> const wrt = picked_inputs(inner, std::apply(pick, inside));
  recorder const& root = inner.root();
  if (root.result.error != trace_error::clean) return thaw(g);
  if (root.keeping.given) return rule(graph(with_residuals(g, root.keeping.save)), wrt);
  return rule(g, wrt);
}
// The same recorded and put into r.
template <class F, class Of, class Rule, class... A>
constexpr growing<handle> recorded_derivative(recorder& r, F const& f, Of const& of,
                                              Rule const& rule, view<handle> extra, A const&... a) {
  auto const rewrite = [&](recorder& inner, graph_view g, auto const& inside) {
    return derived(inner, g, inside, of, rule);
  };
  return recorded_aside(r, f, rewrite, extra, std::make_integer_sequence<int, sizeof...(A)>{},
                        a...);
}

// The next of `outs` as an X; of floats alone, other leaves are zeros. After a mistake in the trace
// there may be fewer.
template <class X> constexpr X take(view<handle> outs, int& next) {
  return make_like<X>([&]<class L>(std::type_identity<L>) { return L{outs[next++]}; });
}
template <class X> constexpr X take_floats(recorder& r, view<handle> outs, int& next) {
  return make_like<X>([&]<class L>(std::type_identity<L>) {
    if (takes_gradient<L> && next < outs.size()) return L{outs[next++]};
    return L{constant(r, 0, dtype_of<typename L::element_type>, L::shape_type::value)};
  });
}
// The handles of x's float leaves.
template <class X> constexpr growing<handle> float_leaves(X const& x) {
  growing<handle> all;
  for_each_leaf(x, [&all](auto const& leaf) {
    if constexpr (takes_gradient<std::remove_cvref_t<decltype(leaf)>>) all.push(leaf.value);
  });
  return all;
}

// Casts of weights and products of all steps leave loops first; but that forgets the derivatives of
// custom_vjp.
constexpr graph hoisted_for_reverse(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (is_loop(g[id].code) && loop_of(g, id).custom > 0) return thaw(g);
  return hoist(g);
}
constexpr graph ready_to_reverse(graph_view g) {
  if (has_regions(g)) return hoisted_for_reverse(merge_regions(g));
  return hoisted_for_reverse(g);
}

template <class Result> consteval bool check_loss() {
  constexpr bool scalar = rank_0_float<typename split_value<Result>::value>;
  static_assert(scalar, "weft: value_and_grad: the function must return a rank-0 float, or "
                        "pair(value, aux)");
  return scalar;
}

// Rules: what is recorded, and how its results are handed out. `Alone`: without f's value.
template <bool Alone> struct gradients_rule {
  static constexpr bool of_all_arguments = true; // derivative_of asks f

  template <class F, class Of, class... A>
  static constexpr auto record(recorder& r, F const& f, Of const& of, A const&... a) {
    using P = decltype(asked<Of, sizeof...(A)>()(std::declval<A const&>()...));
    constexpr bool called = check_call<P, Of, A...>();
    if constexpr (called) {
      constexpr bool by_floats = is_by_floats<Of, typename value_form<P>::type>;
      static_assert(
          by_floats,
          "weft: value_and_grad: an argument has integers, bools or keys alone, which have "
          "no derivative; pick others: grad<1>(f), or convert<float>(x)");
    }
    if constexpr (!called) return no_pair<F>;
    else return of_value<traced_result<F, A...>, typename value_form<P>::type>(r, f, of, a...);
  }

private:
  template <class Result, class Picked, class F, class Of, class... A>
  static constexpr auto of_value(recorder& r, F const& f, Of const& of, A const&... a) {
    if constexpr (!check_loss<Result>()) return no_pair<F>;
    else {
      auto const rule = [](auto g, view<int> wrt) { // auto: clang compiles all rules otherwise
        return weft::value_and_grad(ready_to_reverse(g), wrt);
      };
      growing<handle> const outs = recorded_derivative(r, f, of, rule, {}, a...);
      int next = 0;
      auto const first = take<Result>(outs, next);
      auto const gradients = take_floats<Picked>(r, outs, next);
      if constexpr (!Alone) return std::pair(first, gradients);
      else if constexpr (split_value<Result>::has_aux) return std::pair(gradients, first.second);
      else return gradients;
    }
  }
};
using gradient_rule = gradients_rule<false>;
using gradient_alone_rule = gradients_rule<true>;

template <class Given, class Result>
concept cotangent_is_like_the_result = std::is_same_v<Given, Result>;
template <int Given> concept has_a_cotangent = Given > 1;
// All arguments but the last, and the last: f's, and the cotangent of its result.
struct pull_back_rule {
  static constexpr bool of_all_arguments = false;

  template <class F, class Of, class... A>
  static constexpr auto record(recorder& r, F const& f, Of const& of, A const&... a) {
    constexpr int count = sizeof...(A);
    constexpr bool enough = has_a_cotangent<count>;
    static_assert(enough, "weft: vjp: the cotangent is missing; give it behind the arguments");
    if constexpr (!enough) return no_pair<F>;
    else return split(r, f, of, std::tie(a...), std::make_integer_sequence<int, count - 1>{});
  }

private:
  template <class F, class Of, class... All, int... I>
  static constexpr auto split(recorder& r, F const& f, Of const& of,
                              std::tuple<All const&...> const& all,
                              std::integer_sequence<int, I...>) {
    using R = decltype(asked<F, sizeof...(I)>()(std::declval<nth<I, All...>>()...));
    if constexpr (!check_call<R, F, nth<I, All...>...>()) return no_pair<F>;
    else return with<traced_type<R>>(r, f, of, std::get<sizeof...(I)>(all), std::get<I>(all)...);
  }
  template <class Result, class F, class Of, class Ct, class... A>
  static constexpr auto with(recorder& r, F const& f, Of const& of, Ct const& ct, A const&... a) {
    using picked = picked_type<Of, A...>;
    constexpr bool alike = cotangent_is_like_the_result<Ct, Result>,
                   by_floats = is_by_floats<Of, picked>;
    static_assert(by_floats,
                  "weft: vjp: an argument has integers, bools or keys alone, which have no "
                  "derivative; pick others: vjp<1>(f), or convert<float>(x)");
    static_assert(alike, "weft: vjp: the last argument, the cotangent, is not like the result; "
                         "give one of its structure and types");
    int next = 0;
    if constexpr (!alike)
      return std::pair(take_floats<Result>(r, {}, next), take_floats<picked>(r, {}, next));
    else {
      auto const rule = [](auto g, view<int> wrt) { return weft::vjp(ready_to_reverse(g), wrt); };
      growing<handle> const outs = recorded_derivative(r, f, of, rule, float_leaves(ct), a...);
      auto const first = take<Result>(outs, next);
      return std::pair(first, take_floats<picked>(r, outs, next));
    }
  }
};

template <class Given, class Picked>
concept tangents_are_like_the_arguments = std::is_same_v<Given, Picked>;
template <int Given, int Tangents> concept has_a_tangent_per_argument = Given > Tangents;
// f's arguments, then their tangents.
struct push_forward_rule {
  static constexpr bool of_all_arguments = false;

  template <class F, class Of, class... A>
  static constexpr auto record(recorder& r, F const& f, Of const& of, A const&... a) {
    constexpr int count = sizeof...(A), tangents = picked_count<Of>;
    constexpr bool enough = has_a_tangent_per_argument<count, tangents>;
    static_assert(enough, "weft: jvp: tangents are missing; give one per argument behind them");
    if constexpr (enough)
      return split(r, f, of, std::tie(a...), std::make_integer_sequence<int, count - tangents>{},
                   std::make_integer_sequence<int, tangents>{});
    else return no_pair<F>;
  }

private:
  template <class F, class Of, class... All, int... I, int... T>
  static constexpr auto split(recorder& r, F const& f, Of const& of,
                              std::tuple<All const&...> const& all,
                              std::integer_sequence<int, I...>, std::integer_sequence<int, T...>) {
    using R = decltype(asked<F, sizeof...(I)>()(std::declval<nth<I, All...>>()...));
    if constexpr (!check_call<R, F, nth<I, All...>...>()) return no_pair<F>;
    else {
      constexpr int first = sizeof...(I);
      numbered_arguments<(first + T)...> const last;
      auto const pick = [&last](auto const&... x) { return last(x...); };
      return with<traced_type<R>>(r, f, of, std::apply(pick, all), std::get<I>(all)...);
    }
  }
  template <class Result, class F, class Of, class T, class... A>
  static constexpr auto with(recorder& r, F const& f, Of const& of, T const& t, A const&... a) {
    using picked = picked_type<Of, A...>;
    constexpr bool alike = tangents_are_like_the_arguments<T, picked>,
                   by_floats = is_by_floats<Of, picked>;
    static_assert(by_floats,
                  "weft: jvp: an argument has integers, bools or keys alone, which have no "
                  "derivative; pick others: jvp<1>(f), or convert<float>(x)");
    static_assert(alike, "weft: jvp: the tangents, the last arguments, are not like the arguments "
                         "they belong to; give them the same structure and types");
    int next = 0;
    if constexpr (!alike)
      return std::pair(take_floats<Result>(r, {}, next), take_floats<Result>(r, {}, next));
    else {
      auto const rule = [](auto g, view<int> wrt) { return weft::jvp(g, wrt); };
      growing<handle> const outs = recorded_derivative(r, f, of, rule, float_leaves(t), a...);
      auto const first = take<Result>(outs, next);
      return std::pair(first, take_floats<Result>(r, outs, next));
    }
  }
};

// The graphs' own functions have these names, too.
template <class F> concept no_graph = !std::is_convertible_v<F const&, graph_view>;

// f differentiated by what `of` picks, as Rule says.
template <class Rule, class F, class Of> struct derivative_of {
  using functions = type_list<F, Of>; // what must capture nothing to be compiled on its own
  F f;
  Of of;

  template <class... A> constexpr auto operator()(A const&... a) const {
    if constexpr (!(traced_structure<A> || ...)) return run_transformed(*this, a...);
    else {
      recorder& r = recorder_in(a...).innermost();
      if constexpr (!Rule::of_all_arguments) return Rule::record(r, f, of, to_traced(r, a)...);
      else {
        using R = decltype(asked<F, sizeof...(A)>()(std::declval<traced_type<A>>()...));
        if constexpr (!check_call<R, F, traced_type<A>...>()) return no_pair<F>;
        else return Rule::record(r, f, of, to_traced(r, a)...);
      }
    }
  }
};
template <class Rule, int... Argument, class F> constexpr auto derivative(F const& f) {
  if constexpr (sizeof...(Argument) == 0)
    return derivative_of<Rule, F, numbered_arguments<0>>{f, {}};
  else return derivative_of<Rule, F, numbered_arguments<Argument...>>{f, {}};
}

} // namespace detail

// A function that gives pair(f's result, gradients); errors: a result that is no rank-0 float.
template <int... Argument, class F> constexpr auto value_and_grad(F f) {
  return detail::derivative<detail::gradient_rule, Argument...>(f);
}
// The same by the leaves that of(arguments...) returns: one leaf, a struct, a tuple of them.
template <detail::no_graph F, class Of> constexpr auto value_and_grad(F f, Of of) {
  return detail::derivative_of<detail::gradient_rule, F, Of>{f, of};
}
// Gradients alone; pair(gradients, aux) where f returns pair(value, aux). grad(loss)(p, x, labels)
template <int... Argument, class F> constexpr auto grad(F f) {
  return detail::derivative<detail::gradient_alone_rule, Argument...>(f);
}
template <detail::no_graph F, class Of> constexpr auto grad(F f, Of of) {
  return detail::derivative_of<detail::gradient_alone_rule, F, Of>{f, of};
}
// A function of f's arguments and of a cotangent for its result, whatever that is, that gives
// pair(f's result, gradients of the sum of their products). auto [y, gx] = vjp(f)(x, w, ct_y);
template <int... Argument, class F> constexpr auto vjp(F f) {
  return detail::derivative<detail::pull_back_rule, Argument...>(f);
}
template <detail::no_graph F, class Of> constexpr auto vjp(F f, Of of) {
  return detail::derivative_of<detail::pull_back_rule, F, Of>{f, of};
}
// A function of f's arguments and of tangents for those that are picked, that gives pair(f's
// result, its tangent), of one type. auto [y, dy] = jvp<0, 1>(f)(x, w, dx, dw);
template <int... Argument, class F> constexpr auto jvp(F f) {
  return detail::derivative<detail::push_forward_rule, Argument...>(f);
}
template <detail::no_graph F, class Of> constexpr auto jvp(F f, Of of) {
  return detail::derivative_of<detail::push_forward_rule, F, Of>{f, of};
}

} // namespace weft::inline v0

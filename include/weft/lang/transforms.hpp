// SPDX-License-Identifier: BSL-1.0
// Typed doors of the transforms: functions of function objects that return function objects.
//   auto [value, grads] = value_and_grad(loss)(p, x, labels);     // with respect to argument 0
//   auto [v, g02] = value_and_grad<0, 2>(f)(a, b, c);             // a tuple: for a and c
//   auto y = autocast<bf16>(f)(p, x);                             // products in bf16
//   auto z = autocast<float>(g)(y);                               // no autocast in here
// They nest, take closures inside a traced function, and are template arguments when nothing is
// captured: jit<value_and_grad(loss)>(p, x, labels).
// value_and_grad: f returns a rank-0 float, or pair(that, aux); gradients have the argument's
// structure and types, and integer, bool and key leaves come back as zeros. autocast: float
// parameters keep float gradients; results have the types that f declares; what f computes from
// captured values alone is cast, too.
// Needs: at least one traced argument; with tensors (run/jit.hpp) the function is compiled, if it
// captures nothing. Leaves: the function is recorded aside, rewritten, and inlined where it is
// called.
#pragma once

#include <weft/lang/record.hpp>
#include <weft/pass/hoist.hpp>
#include <weft/pass/inline_graph.hpp>
#include <weft/transform/autocast.hpp>
#include <weft/transform/grad.hpp>

namespace weft::inline v0 {
namespace detail {

// f recorded over fresh inputs that stand for `a`, rewritten, and put into `outer`.
template <class F, class Rewrite, int... I, class... A>
constexpr growing<handle> recorded_aside(recorder& outer, F const& f, Rewrite const& rewrite,
                                         std::integer_sequence<int, I...>, A const&... a) {
  recorder inner(&outer);
  std::tuple<A...> inside{inputs<A>(inner, I, leaves(a))...}; // braces keep the order
  auto result = f(std::get<I>(inside)...);
  inner.finish(leaves(to_traced(inner, result)));
  growing<handle> arguments;
  for (int i = 0; i < inner.input_count(); ++i)
    arguments.push(outer.localised(inner.origin_of_input(i)));
  graph const g = rewrite(graph_view(in_order(inner)));
  if (g.error != trace_error::clean) outer.root().result.fail(g.error, -1);
  return inline_graph(outer, g, arguments);
}

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

// Compiles and runs a stateless function object on tensors; defined by run/jit.hpp.
template <class F, class... A> auto run_transformed(F const& f, A const&... a);

template <class F, int... Argument> struct value_and_grad_of {
  F f;

  template <class... A> constexpr auto operator()(A const&... a) const {
    if constexpr ((traced_structure<A> || ...)) {
      recorder& r = recorder_in(a...).innermost();
      return traced_call_of(r, to_traced(r, a)...);
    } else return run_transformed(*this, a...);
  }

private:
  template <class... A> constexpr auto traced_call_of(recorder& r, A const&... a) const {
    using result = traced_result<F, A...>;
    using value = typename split_value<result>::value;
    static_assert(
        rank_0_float<value>,
        "weft: value_and_grad: the function must return a rank-0 float, or pair(value, aux)");
    growing<int> wrt;
    int at = 0, argument = 0;
    auto visit = [&](auto const& x) {
      bool wanted = ((argument == Argument) || ...);
      for_each_leaf(x, [&](auto const& leaf) {
        if (wanted && takes_gradient<std::remove_cvref_t<decltype(leaf)>>) wrt.push(at);
        ++at;
      });
      ++argument;
    };
    (visit(a), ...);
    growing<handle> outs = recorded_aside(
        r, f, [&wrt](graph_view g) { return weft::value_and_grad(hoist(g), wrt); },
        std::make_integer_sequence<int, sizeof...(A)>{}, a...);
    int next = 0;
    auto first = take<result>(outs, next);
    auto all = std::tie(a...);
    auto gradient = [&](auto const& x) { return gradient_of(r, x, outs, next); };
    if constexpr (sizeof...(Argument) == 1)
      return std::pair(first, gradient(std::get<Argument...>(all)));
    else return std::pair(first, std::tuple{gradient(std::get<Argument>(all))...});
  }
  template <class X> static constexpr X take(view<handle> outs, int& next) {
    return make_like<X>([&]<class L>(std::type_identity<L>) { return L{outs[next++]}; });
  }
  template <class X>
  static constexpr X gradient_of(recorder& r, X const&, view<handle> outs, int& next) {
    return make_like<X>([&]<class L>(std::type_identity<L>) {
      if constexpr (takes_gradient<L>) return L{outs[next++]};
      else return L{constant(r, 0, dtype_of<typename L::element_type>, L::shape_type::value)};
    });
  }
};

template <class Low, class F> struct autocast_of {
  F f;

  template <class... A> constexpr auto operator()(A const&... a) const {
    if constexpr ((traced_structure<A> || ...)) {
      recorder& r = recorder_in(a...).innermost();
      return traced_call_of(r, to_traced(r, a)...);
    } else return run_transformed(*this, a...);
  }

private:
  template <class... A> constexpr auto traced_call_of(recorder& r, A const&... a) const {
    auto const region = [this, &r](auto const&... x) {
      recorder& inside = r.innermost();
      inside.takes_all = true;
      auto result = f(x...);
      inside.takes_all = false;
      return result;
    };
    return from_leaves<traced_result<F, A...>>(recorded_aside(
        r, region, [](graph_view g) { return weft::autocast(g, dtype_of<Low>); },
        std::make_integer_sequence<int, sizeof...(A)>{}, a...));
  }
};

} // namespace detail

// A function that gives pair(f's result, gradients); errors: a result that is no rank-0 float.
template <int... Argument, class F> constexpr auto value_and_grad(F f) {
  if constexpr (sizeof...(Argument) == 0) return detail::value_and_grad_of<F, 0>{f};
  else return detail::value_and_grad_of<F, Argument...>{f};
}
// f with its products in Low (bf16) and the rest by the op table's policies
// (transform/autocast.hpp). Inside another one, products are in the inner Low; autocast<float>(f) is
// f as it is written, its arguments in their declared types.
template <class Low, class F> constexpr auto autocast(F f) {
  static_assert(element<Low> && is_float(dtype_of<Low>) && size_of(dtype_of<Low>) <= 4,
                "weft: autocast: not bf16, f16 or float; write autocast<bf16>(f)");
  return detail::autocast_of<Low, F>{f};
}

} // namespace weft::inline v0

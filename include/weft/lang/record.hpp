// SPDX-License-Identifier: BSL-1.0
// From a function to a graph: record<Args...>(f) calls f once with traced arguments.
//   constexpr graph g = record<params<tensor>, tensor<float, 32, 4>, key>(f);
// Arguments: tensors, structures of them, keys, and numbers (float, int, ...: rank-0 inputs).
// Inputs stand in declaration order, leaf by leaf; outputs are the leaves of the result.
// Regions of checkpoint are dissolved, and scans that ask for it unrolled, last: when no gradient is
// taken any more.
// Needs: structure.hpp. Leaves: graph.error where the trace went wrong (asserted by `program`).
#pragma once

#include <weft/lang/call.hpp>
#include <weft/lang/structure.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/pass/dissolve.hpp>
#include <weft/pass/hoist.hpp>
#include <weft/pass/unroll.hpp>

namespace weft::inline v0 {

// What a function gets for an argument of type X, and what it gives: every leaf traced.
template <class F, class... Args>
using traced_result =
    traced_type<decltype(std::declval<F const&>()(std::declval<traced_type<Args>>()...))>;

namespace detail {

// Inputs of the recorder for one argument. `origins`, if any, are the outer values they stand for.
template <class X>
constexpr traced_type<X> inputs(recorder& r, int argument, view<handle> origins = {}) {
  static_assert(
      wholly_traced<traced_type<X>>,
      "weft: a struct of arrays holds a number or a key; write array<T>, or pass it as an argument of its own");
  int leaf = 0;
  return make_like<traced_type<X>>([&]<class L>(std::type_identity<L>) {
    handle origin = origins.empty() ? handle{} : origins[leaf];
    input_info info{argument, leaf++, traced_random_key<L>};
    if constexpr (!traced_leaf<L>) return L{}; // after the error
    else return L{r.input(dtype_of<typename L::element_type>, L::shape_type::value, info, origin)};
  });
}
// What was recorded, in the order of the program's structure; after a mistake, as it stands.
constexpr graph in_order(recorder& r) {
  if (r.result.error != trace_error::clean) return std::move(r.result);
  return canonical(r.result);
}

// What was recorded, in order and without regions, unrolled where it asks for it.
constexpr graph finished(graph_view g) {
  if (asks_to_unroll(g)) return unroll(hoist(g));
  return thaw(g);
}

// (Not std::apply: it would lengthen every error inside f by thirty lines.)
template <class... Args, class F, int... I>
constexpr graph record_as(F const& f, keeping choice, std::integer_sequence<int, I...>) {
  recorder r;
  r.keeping = choice;
  // Braces keep the order of inputs.
  std::tuple<traced_type<Args>...> arguments{inputs<Args>(r, I)...};
  auto result = f(std::get<I>(arguments)...);
  r.finish(leaves(to_traced(r, result)));
  if (r.result.error != trace_error::clean) return std::move(r.result);
  if (has_regions(r.result)) return finished(dissolve_regions(canonical(r.result)));
  if (asks_to_unroll(r.result)) return finished(canonical(r.result));
  return std::move(r.result);
}

} // namespace detail

// `choice`: what every derivative keeps, whatever f says.
template <class... Args, class F> constexpr graph record(F const& f, keeping choice = {}) {
  using R = decltype(detail::asked<F, sizeof...(Args)>()(std::declval<traced_type<Args>>()...));
  if constexpr (detail::check_call<R, F, traced_type<Args>...>())
    return detail::record_as<Args...>(f, choice,
                                      std::make_integer_sequence<int, sizeof...(Args)>{});
  else return {};
}

} // namespace weft::inline v0

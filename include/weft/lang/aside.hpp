// SPDX-License-Identifier: BSL-1.0
// How transforms record: the function's graph aside, over fresh inputs that stand for its
// arguments; rewritten; and inlined where the transform is called. Values of the enclosing function
// that it uses become inputs behind the declared ones.
// Needs: at least one traced argument. Leaves: the graph's error handed to the outermost recorder.
#pragma once

#include <weft/lang/record.hpp>
#include <weft/pass/inline_graph.hpp>

namespace weft::inline v0 {
namespace detail {

// f recorded over fresh inputs that stand for `a`, rewritten, and put into `outer`: the handles of
// the results. rewrite(inner recorder, view of f's graph, inputs as f sees them); input k is node k
// of the inner recorder. `extra` are arguments for inputs that the rewriting adds behind the
// others.
template <class F, class Rewrite, int... I, class... A>
constexpr growing<handle> recorded_aside(recorder& outer, F const& f, Rewrite const& rewrite,
                                         view<handle> extra, std::integer_sequence<int, I...>,
                                         A const&... a) {
  recorder inner(&outer);
  std::tuple<A...> inside{inputs<A>(inner, I, leaves(a))...}; // braces keep the order
  auto result = f(std::get<I>(inside)...);
  inner.finish(leaves(to_traced(inner, result)));
  growing<handle> arguments;
  for (int i = 0; i < inner.input_count(); ++i)
    arguments.push(outer.localised(inner.origin_of_input(i)));
  arguments.append(extra);
  graph const recorded = in_order(inner);
  graph const g = rewrite(inner, graph_view(recorded), inside);
  if (g.error != trace_error::clean) outer.root().result.fail(g.error, -1);
  return inline_graph(outer, g, arguments);
}
// The same for rewritings that need the graph alone.
template <class F, class Rewrite, int... I, class... A>
constexpr growing<handle> recorded_aside(recorder& outer, F const& f, Rewrite const& rewrite,
                                         std::integer_sequence<int, I...> numbers, A const&... a) {
  auto const of_graph = [&](recorder&, graph_view g, auto const&) { return rewrite(g); };
  return recorded_aside(outer, f, of_graph, view<handle>{}, numbers, a...);
}

// f, of which everything is recorded inside, also what it computes from captured values alone.
template <class F> struct taking_all {
  F const& f;
  recorder& outer;

  template <class... X> constexpr auto operator()(X const&... x) const {
    recorder& inside = outer.innermost();
    inside.takes_all = true;
    auto result = f(x...);
    inside.takes_all = false;
    return result;
  }
};

// Compiles and runs a stateless function object on tensors; defined by run/jit.hpp.
template <class F, class... A> auto run_transformed(F const& f, A const&... a);

} // namespace detail
} // namespace weft::inline v0

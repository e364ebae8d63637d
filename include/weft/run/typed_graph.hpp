// SPDX-License-Identifier: BSL-1.0
// graph_program: a graph that is known at compile time as a program: its inputs and outputs as
// tensors. One result is a tensor, several a std::tuple.
// Needs: Source::graph(), a graph_view with static lifetime. Leaves: what `program` has.
#pragma once

#include <weft/run/program.hpp>

#include <tuple>

namespace weft::inline v0 {
namespace detail {

// The tensors of a graph's inputs or outputs.
template <class Source, bool Results> struct values_of_graph {
  static constexpr graph_view graph = Source::graph();
  static constexpr view<int> ids = Results ? graph.outputs_of(0) : graph.parameters_of(0);
  template <int I>
  using type = array_of<tensor, storage_of<graph[ids[I]].type>, graph.shape(ids[I])>;
  template <template <class...> class List, int... I>
  static List<type<I>...> list(std::integer_sequence<int, I...>);
  template <template <class...> class List>
  using as = decltype(list<List>(std::make_integer_sequence<int, ids.size()>{}));
};
template <class Source, bool Single> struct result_of_graph {
  using type = typename values_of_graph<Source, true>::template as<std::tuple>;
};
template <class Source> struct result_of_graph<Source, true> {
  using type = typename values_of_graph<Source, true>::template type<0>;
};

template <class Source> struct graph_program {
  using arguments = typename values_of_graph<Source, false>::template as<type_list>;
  using result_type =
      typename result_of_graph<Source, values_of_graph<Source, true>::ids.size() == 1>::type;
  using traced_result_type = rebind<result_type, traced>;

  static constexpr weft::graph make(keeping = {}) { return thaw(Source::graph()); }
};

} // namespace detail
} // namespace weft::inline v0

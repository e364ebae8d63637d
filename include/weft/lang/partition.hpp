// SPDX-License-Identifier: BSL-1.0
// partition: a function of whole arrays becomes the function that each rank of a mesh calls with its
// parts.
//   constexpr auto m = mesh<axis<"data", 4>>;
//   inline constexpr auto step = partition<m, in_parts<replicated, split_over<"data">>,
//                                          out_parts<replicated>>([](auto w, auto x) { ... });
//   w = jit<step>(job, w, my_rows);        // testing::run_ranks<step>(m, w, rows)
// f sees whole arrays, takes gradients, draws and loops as on one machine, and may say where a value
// shall be split: shard<"data", none>(x). What ranks exchange is found at compile time
// (pass/partition.hpp), explain_partition tells it (weft/partition.hpp). One specification per argument;
// of results one, or one per element of a pair or tuple.
// Shapes: an axis that is split has so many times the part's extent in f. Numbers: pass/partition.hpp.
// Structs of arrays have their extents in their types: they are replicated, or split by shard inside.
// Derivatives: inside of f; outside of it rules of custom_vjp are gone, and a gradient through one is
// an error. Errors: names, ranks and extents of specifications; a collective in f.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/lang/aside.hpp>
#include <weft/lang/partition_types.hpp>
#include <weft/pass/partition.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr trace_error trace_error_of(partition_fault const& f) {
  if (f.code == partition_error::collective) return trace_error::partitioned_collective;
  return f.what.code == sharding_error::unknown_axis ? trace_error::shard_axis
                                                     : trace_error::shard_extent;
}

template <class Spec, class M, class X> constexpr void add_shardings(growing<sharding>& to) {
  for (int i = 0; i < leaf_count<X>; ++i) to.push(sharding_on<Spec>(M::axes));
}
template <class M, class List, class... X, int... I>
constexpr void add_each(growing<sharding>& to, type_list<X...>, std::integer_sequence<int, I...>) {
  (add_shardings<spec_of<I, List>, M, X>(to), ...);
}

template <class F, class M, class In, class Out> struct partition_of {
  using functions = type_list<F>; // what must capture nothing to be compiled on its own
  F f;

  // Of f's inputs and outputs, leaf by leaf, by the types of arguments and of f's result.
  template <class... A> static constexpr growing<sharding> of_arguments() {
    growing<sharding> r;
    add_each<M, In>(r, type_list<A...>{}, std::make_integer_sequence<int, sizeof...(A)>{});
    return r;
  }
  template <class R> static constexpr growing<sharding> of_result() {
    growing<sharding> r;
    if constexpr (Out::count == 1) add_shardings<spec_of<0, Out>, M, R>(r);
    else add_each<M, Out>(r, parts_of<R>{}, std::make_integer_sequence<int, Out::count>{});
    return r;
  }
  template <int I, class A> using whole = global_type<A, M, spec_of<I, In>>;

  template <class... A> constexpr auto operator()(A const&... a) const {
    constexpr bool counted = one_spec_per_argument<In, sizeof...(A)>;
    static_assert(counted, "weft: partition: one specification per argument; write replicated for "
                           "those that every rank has");
    if constexpr (!counted) return none;
    else if constexpr ((traced_structure<A> || ...)) {
      recorder& r = recorder_in(a...).innermost();
      return of_parts(std::make_integer_sequence<int, sizeof...(A)>{}, r, to_traced(r, a)...);
    } else return run_transformed(*this, a...);
  }

private:
  template <int... I, class... A>
  constexpr auto of_parts(std::integer_sequence<int, I...> numbers, recorder& r,
                          A const&... a) const {
    if constexpr (!(check_local_parts<spec_of<I, In>, M, A>() && ...)) return none;
    else {
      using R = decltype(asked<F, sizeof...(A)>()(std::declval<whole<I, A>>()...));
      if constexpr (!check_call<R, F, whole<I, A>...>()) return none;
      else
        return into_parts<traced_type<R>>(numbers, std::make_integer_sequence<int, Out::count>{}, r,
                                          a...);
    }
  }
  template <class R, int... I, int... K, class... A>
  constexpr auto into_parts(std::integer_sequence<int, I...> numbers,
                            std::integer_sequence<int, K...>, recorder& r, A const&... a) const {
    constexpr bool counted = one_spec_per_result<Out, elements_of_result<R>>;
    static_assert(counted, "weft: partition: one specification for the result, or one per element "
                           "of the pair or tuple that the function returns");
    if constexpr (!counted) return none;
    else if constexpr (!(check_result_parts<spec_of<K, Out>, M,
                                            typename result_element<R, Out, K>::type>() &&
                         ...))
      return none;
    else {
      growing<handle> const all = recorded<R>(numbers, r, a...);
      int next = 0;
      return make_like<part_of_result<R, M, Out>>([&]<class L>(std::type_identity<L>) {
        if (all.empty()) // after a mistake
          return L{constant(r, 0, dtype_of<typename L::element_type>, L::shape_type::value)};
        return L{all[next++]};
      });
    }
  }
  template <class R, int... I, class... A>
  constexpr growing<handle> recorded(std::integer_sequence<int, I...>, recorder& outer,
                                     A const&... a) const {
    recorder inner(&outer);
    std::tuple<whole<I, A>...> inside{
        inputs<whole<I, A>>(inner, I, leaves(a))...}; // braces keep the order
    R const result = to_traced(inner, f(std::get<I>(inside)...));
    inner.finish(leaves(result));
    if (outer.root().result.error != trace_error::clean) return {};
    growing<sharding> in = of_arguments<A...>();
    growing<sharding> const out = of_result<R>();
    growing<handle> arguments;
    for (int i = 0; i < inner.input_count(); ++i) {
      if (i >= in.size()) in.push({}); // captured: every rank's
      arguments.push(outer.localised(inner.origin_of_input(i)));
    }
    graph const whole_graph = in_order(inner);
    if (whole_graph.error != trace_error::clean) return {};
    partitioned const p = weft::partition(whole_graph, M::axes, in, out);
    if (p.fault) {
      outer.root().result.fail(trace_error_of(p.fault), -1);
      return {};
    }
    growing<handle> results = inline_graph(outer, p.program, arguments);
    if (exchanges(p.program)) results[0].where->note_ranks(M::axes.ranks);
    return results;
  }
  static constexpr bool exchanges(graph_view g) {
    for (node const& n : g.nodes)
      if (n.code == op::collective || n.code == op::rank) return true;
    return false;
  }
};

} // namespace detail

template <auto Mesh, auto In, auto Out, class F> constexpr auto partition(F f) {
  using M = std::remove_cv_t<decltype(Mesh)>;
  using I = detail::type_of_value<In>;
  using O = detail::type_of_value<Out>;
  constexpr bool specs = detail::is_in_parts<I> && detail::is_out_parts<O>;
  static_assert(specs, "weft: partition: write partition<m, in_parts<split_over<\"data\">, "
                       "replicated>, out_parts<replicated>>(f)");
  if constexpr (!specs) return f;
  else if constexpr (!detail::check_mesh<M>()) return f;
  else if constexpr (!(detail::check_specs<M>(In) && detail::check_specs<M>(Out))) return f;
  else return detail::partition_of<F, M, I, O>{f};
}

} // namespace weft::inline v0

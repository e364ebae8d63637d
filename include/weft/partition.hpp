// SPDX-License-Identifier: BSL-1.0
// Functions of whole arrays, shared out over the ranks of a mesh: docs/scaling.md. Not part of weft.hpp.
//   constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
//   inline constexpr auto step = weft::partition<m, weft::in_parts<weft::replicated, weft::split_over<"data">>,
//                                                weft::out_parts<weft::replicated>>(f);
//   w = weft::jit<step>(job, w, my_rows);
//   std::puts(weft::explain_partition<step, tensor<float, 3>, tensor<float, 2, 3>>().c_str());
// Graphs, over meshes that the run chooses: checked_partition, print_partition.
#pragma once

#include <weft/lang/partition.hpp> // first: errors print the way to it

#include <weft/mesh.hpp>
#include <weft/pass/partition_text.hpp>
#include <weft/run/checked_trace.hpp>

namespace weft::inline v0 {
namespace detail {

// A: traced arrays of a rank's parts.
template <class F, class M, class In, class Out, class... A, int... I>
std::string explained(partition_of<F, M, In, Out> const& p, type_list<A...>,
                      std::integer_sequence<int, I...>) {
  using P = partition_of<F, M, In, Out>;
  using R = traced_type<decltype(p.f(std::declval<typename P::template whole<I, A>>()...))>;
  recorder r; // not `record`: the run partitions what is not yet dissolved, unrolled or hoisted
  std::tuple<typename P::template whole<I, A>...> inside{
      inputs<typename P::template whole<I, A>>(r, I)...}; // braces keep the order
  r.finish(leaves(to_traced(r, p.f(std::get<I>(inside)...))));
  graph const g = checked_trace(in_order(r));
  growing<sharding> const in = P::template of_arguments<A...>(), out = P::template of_result<R>();
  return print_partition(g, checked_partition(g, M::axes, in, out), M::axes);
}

} // namespace detail

// What ranks do, exchange and send, of partition's function for these arguments (types of parts).
template <auto Partitioned, class... Args> std::string explain_partition() {
  return detail::explained(Partitioned, type_list<traced_type<Args>...>{},
                           std::make_integer_sequence<int, sizeof...(Args)>{});
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// program<F, Args...>: a function on arrays, recorded, optimised and lowered at compile time.
//   struct train_step : weft::program<step, params<tensor>, tensor<float, 32, 4>, key> {};
// names one: kernel symbols then carry that name only.
// Needs: a constexpr function object F that takes the traced forms of Args.
// Leaves: `stages<P>` with `recorded`, `optimised` (graph_view), `plan`, `code`, and per target the
// function tables that cpu/engine.hpp runs; `well_recorded`, which doors ask before any of these.
#pragma once

#include <weft/array/tensor.hpp>
#include <weft/cpu/engine.hpp>
#include <weft/cpu/fixed_product.hpp>
#include <weft/cpu/shared_loops.hpp>
#include <weft/lang/record.hpp>
#include <weft/run/stages.hpp>

namespace weft::inline v0 {

template <trace_error E> concept values_stay_inside_their_loop = E != trace_error::escaping_value;
template <trace_error E> concept keys_are_used_once = E != trace_error::key_used_twice;
template <trace_error E> concept reverse_steps_are_known = E != trace_error::while_reversed;
template <trace_error E> concept steps_have_their_own_key = E != trace_error::key_shared_by_steps;
template <trace_error E> concept maps_elements = E != trace_error::not_elementwise;
template <trace_error E> concept numbers_fit_their_type = E != trace_error::number_beyond_type;
template <trace_error E> concept draws_by_probability = E != trace_error::bernoulli_probability;
template <trace_error E> concept drops_by_probability = E != trace_error::dropout_rate;
template <trace_error E> concept has_room_for_examples = E != trace_error::mapped_nine_axes;
template <trace_error E> concept forward_rules_are_known = E != trace_error::custom_forward;
template <trace_error E> concept host_functions_reverse = E != trace_error::host_reverse;
template <trace_error E> concept host_functions_go_forward = E != trace_error::host_forward;
template <trace_error E> concept has_one_number_of_ranks = E != trace_error::two_meshes;
template <trace_error E> concept shards_over_axes_there_are = E != trace_error::shard_axis;
template <trace_error E> concept shards_in_equal_parts = E != trace_error::shard_extent;
template <trace_error E>
concept partitions_no_collective = E != trace_error::partitioned_collective;
template <trace_error E> concept rules_are_partitioned = E != trace_error::partitioned_rule;
template <trace_error E> concept picks_arguments = E != trace_error::no_argument_picked;

// What `jit` records for an argument: tensors and structs as they are, a number as an element.
template <class X> struct argument_of {
  using type = std::remove_cvref_t<X>;
};
template <number_literal X> struct argument_of<X> {
  using type = detail::element_of<X>;
};
template <expression X> struct argument_of<X> {
  using type = array_of<tensor, typename X::element_type, X::shape_type::value>;
};
template <class T, auto... E> struct argument_of<borrowed<T, E...>> {
  using type = tensor<T, E...>;
};
template <class X> using argument_t = typename argument_of<std::remove_cvref_t<X>>::type;

namespace detail {

// What most programs fit in.
inline constexpr graph_sizes usual_sizes{.nodes = 640,
                                         .operands = 2048,
                                         .attributes = 2560,
                                         .shapes = 96,
                                         .regions = 24,
                                         .constants = 64,
                                         .inputs = 96,
                                         .hosts = 8};
// Recorded once, or, if it is larger than that, once more for its exact size.
template <class P> struct first_record {
  static constexpr roomy_graph<usual_sizes> value{P::make()};
};
template <class P> struct recorded_by {
  static constexpr auto const& first = first_record<P>::value;
  static constexpr auto choose() {
    if constexpr (first.fits) return first;
    else return freeze<first.sizes>(P::make());
  }
  static constexpr auto value = choose();
};

} // namespace detail

template <auto F, class... Args> struct program {
  using itself = program; // named so where its mistakes should be found first
  using function_type = std::remove_cv_t<decltype(F)>;
  using arguments = type_list<argument_t<Args>...>;
  using given = decltype(detail::asked<function_type, sizeof...(Args)>()(
      std::declval<traced_type<Args>>()...));
  using traced_result_type = traced_type<std::conditional_t<
      detail::check_call<given, function_type, traced_type<Args>...>(), given, none_t>>;
  using result_type = rebind<traced_result_type, tensor>;

  static constexpr graph make(keeping choice = {}) { return record<Args...>(F, choice); }
};

template <class P>
concept named_program = requires {
  typename P::traced_result_type;
  P::make();
};

// What a program (or a struct derived from one) is at every stage.
template <named_program P> struct stages {
  static constexpr graph_view recorded = detail::recorded_by<P>::value;
  static constexpr graph_view optimised = detail::optimised<P>::value;
  static constexpr schedule_view plan = detail::scheduled<P>::value;
  static constexpr lowered_view code = detail::lowered_code<P>::value;
};
namespace cpu {
template <named_program P> struct code_of<P> {
  static constexpr lowered_view value = stages<P>::code;
};
} // namespace cpu

namespace detail {

// False after the compiler's own errors in a function: what follows from them is not worth reading.
template <class P>
concept recorded_at_all = requires { typename std::bool_constant<first_record<P>::value.fits>; };
template <class P> consteval trace_error error_of() {
  if constexpr (recorded_at_all<P>) return first_record<P>::value.error;
  else return trace_error::clean;
}

// Mistakes that types cannot see, asserted once, at the door; then nothing further is instantiated.
// (The words of graph/trace_texts.hpp: static_assert takes literals only.)
template <class Program> consteval bool well_recorded() {
  constexpr trace_error error = error_of<Program>();
  static_assert(values_stay_inside_their_loop<error>,
                "weft: a value made in the body of a loop or branch is used outside; return it");
  static_assert(reverse_steps_are_known<error>,
                "weft: a loop of unknown length has no reverse derivative; use scan, or "
                "while_options{.most = n}");
  static_assert(keys_are_used_once<error>,
                "weft: key: one key is given to two draws or splits; use split(key) or fold_in");
  static_assert(steps_have_their_own_key<error>,
                "weft: key: a loop's steps share one key; give each fold_in(key, step)");
  static_assert(
      maps_elements<error>,
      "weft: map: the function is not elementwise; write it over one element, or map(f, xs)");
  static_assert(
      numbers_fit_their_type<error>,
      "weft: a number is beyond the integers of the array that it meets; convert one of them");
  static_assert(draws_by_probability<error>,
                "weft: bernoulli: the probability is not in [0, 1]; write clip(p, 0, 1)");
  static_assert(drops_by_probability<error>,
                "weft: dropout: the rate is not in [0, 1]; write the probability of dropping");
  static_assert(has_room_for_examples<error>,
                "weft: vmap: an array of the function has 8 axes, and examples need one; use scan");
  static_assert(
      picks_arguments<error>,
      "weft: grad: the picking function returns no leaf of an argument; return leaves as they are");
  static_assert(
      host_functions_reverse<error>,
      "weft: custom_call: the function has no vjp(operands..., result, cotangent), and a gradient goes through it; give "
      "it one, or write stop_gradient");
  static_assert(
      host_functions_go_forward<error>,
      "weft: custom_call: the function has no jvp(operands..., result, tangents...), and a forward derivative goes through "
      "it; give it one, or use vjp or grad");
  static_assert(
      has_one_number_of_ranks<error>,
      "weft: a function's collectives are over meshes of different numbers of ranks; use one mesh, "
      "its sub_mesh or split_axis");
  static_assert(shards_over_axes_there_are<error>,
                "weft: shard: the mesh that partitions the function has no axis of this name");
  static_assert(
      shards_in_equal_parts<error>,
      "weft: shard: an extent is no multiple of the ranks along the axes that split it, or "
      "a name; pad it, or split another axis");
  static_assert(partitions_no_collective<error>,
                "weft: partition: the function has a collective or axis_index; it is of whole "
                "arrays, and ranks exchange what that takes");
  static_assert(rules_are_partitioned<error>,
                "weft: grad: a function of custom_vjp inside of partition has lost its rules; take "
                "the gradient inside of the partitioned function");
  static_assert(forward_rules_are_known<error>,
                "weft: jvp: a function of custom_vjp has no forward derivative; use vjp or grad");
  return recorded_at_all<Program> && error == trace_error::clean;
}

// The normal form and types of a contraction of a program without names.
template <class Program, int Node> struct program_product {
  static constexpr graph_view g = stages<Program>::optimised;
  static constexpr product_form value = product_of(
      g, accesses_of(g, stages<Program>::plan.group_of), Node);
  static constexpr bool has_bias = contraction_of(g, Node).has_bias;
  template <int Operand> using of = storage_of<g[g.operand(Node, Operand)].type>;
  using a = of<0>;
  using b = of<1>;
  using out = storage_of<g[Node].type>;
  using bias = of<has_bias ? 2 : 0>;
};

constexpr bool has_batches(graph_view g, int node) {
  contraction const c = contraction_of(g, node);
  extent batches = 1;
  for (int i = 0; i < c.rank_out; ++i)
    if (c.in_a(c.out[i]) && c.in_b(c.out[i])) batches *= g.shape(node)[i];
  return batches > 1 && !c.has_start;
}
// The loops of kernel K of a program without names, as constants.
template <class Program, int K> constexpr loop_nest find_program_nest() {
  graph_view const g = stages<Program>::optimised;
  schedule_view const plan = stages<Program>::plan;
  kernel const& k = stages<Program>::code.kernels[K];
  loop_nest l = make_loop_nest(g, accesses_of(g, plan.group_of), plan, stages<Program>::code, k);
  cpu::count_in_bytes(g, l, stages<Program>::code.places_of(k));
  return l;
}
template <class Program, int K> struct program_nest {
  static constexpr cpu::nest_sizes sizes = cpu::sizes_of(find_program_nest<Program, K>());
  static constexpr cpu::fixed_nest<sizes> value{find_program_nest<Program, K>()};
};
// By the labels alone, which is cheap, then by how the arrays lie.
template <class Program, int Node> consteval bool has_many_small_products() {
  constexpr graph_view g = stages<Program>::optimised;
  if constexpr (has_names(g) || !has_batches(g, Node)) return false;
  else {
    using form = program_product<Program, Node>;
    return are_many_small_products(form::value,
                                   sizeof(typename form::a) < 4 || sizeof(typename form::b) < 4);
  }
}

// The function tables of a program for a target, which may be relaxed. Program may be a struct derived
// from `program`.
template <class Program, class Policy> struct program_functions {
  using Target = cpu::exact_target<Policy>;
  template <int K> static constexpr cpu::kernel_call kernel_at() {
    return {&cpu::region_kernel<Program, stages<Program>::code.kernels[K].canonical, Target>::run};
  }
  template <int S> static constexpr cpu::contraction_code const* contraction_at() {
    constexpr schedule_step s = stages<Program>::plan.steps[S];
    if constexpr (s.kind != step_kind::contraction) return nullptr;
    else {
      constexpr graph_view g = stages<Program>::optimised;
      constexpr dtype out = g[s.node].type;
      constexpr contraction c = contraction_of(g, s.node);
      constexpr dtype bias = c.has_bias ? g[g.operands_of(s.node).back()].type : out;
      if constexpr (has_many_small_products<Program, s.node>())
        return &fixed_contraction<program_product<Program, s.node>, Target>::code;
      else
        return &contraction_by<Policy, c.order, g[g.operand(s.node, 0)].type,
                               g[g.operand(s.node, 1)].type, out, bias>::code;
    }
  }
  template <int S> static constexpr cpu::convolution_code const* convolution_at() {
    constexpr schedule_step s = stages<Program>::plan.steps[S];
    if constexpr (s.kind != step_kind::convolution) return nullptr;
    else {
      constexpr graph_view g = stages<Program>::optimised;
      constexpr dtype out = g[s.node].type;
      constexpr dtype bias = g[s.node].operand_count > 2 ? g[g.operand(s.node, 2)].type : out;
      return &convolution_by<Target, g[g.operand(s.node, 0)].type, g[g.operand(s.node, 1)].type,
                             out, bias>::code;
    }
  }
  template <int S> static constexpr cpu::move_code const* move_at() {
    constexpr schedule_step s = stages<Program>::plan.steps[S];
    if constexpr (s.kind != step_kind::move) return nullptr;
    else if constexpr (stages<Program>::optimised[s.node].code == op::custom_call) return nullptr;
    else return &move_by<stages<Program>::optimised[s.node].code>::code;
  }
  template <int S> static constexpr cpu::prefix_code const* prefix_at() {
    constexpr int id = stages<Program>::plan.steps[S].node;
    constexpr graph_view g = stages<Program>::optimised;
    if constexpr (g[id].code != op::reshape) return nullptr;
    else {
      constexpr op combine = prefix_code_at(g, id);
      if constexpr (!has_prefix_code(combine, g[id].type)) return nullptr;
      else return &prefix_by<Target, combine, g[id].type>::code;
    }
  }
  // Entry I is at<I>(), for every I below Count.
  template <class Entry, int Count, class At> static consteval auto table_of(At at) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      exact<Entry, Count> table;
      int next = 0;
      using in_order = int[];
      (void)in_order{0, (table.items[next++] = at.template operator()<I>(), 0)...};
      return table;
    }(std::make_integer_sequence<int, Count>{});
  }
  static constexpr int steps = stages<Program>::plan.steps.size();
  static constexpr auto kernels = table_of<cpu::kernel_call, stages<Program>::code.kernels.size()>(
      []<int K>() { return kernel_at<K>(); });
  static constexpr auto contractions = table_of<cpu::contraction_code const*, steps>(
      []<int S>() { return contraction_at<S>(); });
  static constexpr auto convolutions = table_of<cpu::convolution_code const*, steps>(
      []<int S>() { return convolution_at<S>(); });
  static constexpr auto moves = table_of<cpu::move_code const*, steps>(
      []<int S>() { return move_at<S>(); });
  static constexpr auto prefixes = table_of<cpu::prefix_code const*, steps>(
      []<int S>() { return prefix_at<S>(); });
  static constexpr cpu::loop_sharing_code const* find_loop_sharing() {
    if constexpr (has_scan()) return &cpu::shared_loops::code;
    else return nullptr;
  }
  static constexpr bool has_scan() {
    for (schedule_step const& s : stages<Program>::plan.steps)
      if (stages<Program>::optimised[s.node].code == op::scan) return true;
    return false;
  }
  static constexpr cpu::program_code code{stages<Program>::optimised,
                                          stages<Program>::plan,
                                          stages<Program>::code,
                                          kernels.items,
                                          contractions.items,
                                          convolutions.items,
                                          moves.items,
                                          prefixes.items,
                                          Target::lanes,
                                          find_loop_sharing()};
};

} // namespace detail
} // namespace weft::inline v0

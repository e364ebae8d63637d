// SPDX-License-Identifier: BSL-1.0
// The constexpr forms of a program, each one variable: recorded -> optimised -> scheduled ->
// lowered.
// A stage is evaluated once, into arrays with room to spare; what an engine reads at run time is
// then copied to its exact size. (Evaluating a stage for its sizes and again for its contents took
// twice the time.) Each evaluation stands under the compiler's default limits on its own.
// Needs: a recorded graph without an error. Leaves: views with static lifetime.
#pragma once

#include <weft/graph/bind.hpp>
#include <weft/pass/lower.hpp>
#include <weft/pass/pipeline.hpp>

namespace weft::inline v0 {
namespace detail {

// An array with room for N, of which `used` are there; if more were, `fits` is false and none are.
template <class T, int N> struct roomy {
  exact<T, N> all;
  int used = 0;

  constexpr bool fill(view<T> from) {
    if (from.size() > N) return false;
    used = from.size();
    for (int i = 0; i < used; ++i) all.items[i] = from[i];
    return true;
  }
  constexpr operator view<T>() const { return {all.items, used}; }
};

template <graph_sizes Room> struct roomy_graph {
  roomy<node, Room.nodes> nodes;
  roomy<int, Room.operands> operands;
  roomy<extent, Room.attributes> attributes;
  roomy<extents, Room.shapes> shapes;
  roomy<region, Room.regions> regions;
  roomy<word, Room.constants> constants;
  roomy<input_info, Room.inputs> inputs;
  roomy<host_function const*, Room.hosts> hosts;
  graph_sizes sizes;
  trace_error error;
  bool fits;

  constexpr explicit roomy_graph(graph const& g) : sizes(sizes_of(g)), error(g.error) {
    fits = nodes.fill(g.nodes) && operands.fill(g.operands) && attributes.fill(g.attributes) &&
           shapes.fill(g.shapes) && regions.fill(g.regions) && constants.fill(g.constants) &&
           inputs.fill(g.inputs) && hosts.fill(g.hosts);
  }
  constexpr operator graph_view() const {
    return {nodes, operands, attributes, shapes, regions, constants, inputs, hosts};
  }
};
// What a pass may make of a graph: hoist alone adds nodes.
constexpr graph_sizes room_after(graph_sizes z) {
  auto more = [](int n) { return n + n / 2 + 64; };
  return {more(z.nodes),   more(z.operands),  more(z.attributes), more(z.shapes),
          more(z.regions), more(z.constants), z.inputs,           z.hosts};
}

// The stages of a program P, which says how it is recorded (run/program.hpp): every type below
// carries P alone, so that the symbols of a named program stay short.
template <class P> struct recorded_by;

// What a stage compiles of the ops' meanings: fold, the second, what it computes in this program.
template <class Before, int Stage> consteval op_set ops_for() {
  if constexpr (Stage == 1) return ops_on_splats(Before::value);
  else return {};
}

// One optimiser stage after another.
template <class P, int Stage> struct optimised_by {
  using before = std::conditional_t<Stage == 0, recorded_by<P>, optimised_by<P, Stage - 1>>;
  static constexpr graph_sizes sizes = sizes_of(before::value);
  static constexpr roomy_graph<room_after(sizes)> value{
      optimise_stage<ops_for<before, Stage>()>(Stage, before::value)};
  static_assert(value.fits, "weft: a pass made more nodes than stages.hpp leaves room for");
};
template <class P> struct optimised {
  using last = optimised_by<P, optimise_stages - 1>;
  static constexpr graph_sizes sizes = sizes_of(last::value);
  static constexpr auto value = freeze<sizes>(last::value);
};

// A graph in which names are placeholders: itself where it has none.
template <class F> constexpr auto with_numbers(graph_view g, F const& f) {
  if (!has_names(g)) return f(g);
  graph const b = bind(g, placeholders(g));
  return f(graph_view(b));
}

// A schedule in arrays of fixed size: roomy ones first, then exact ones.
struct schedule_sizes {
  int steps, members, nodes, regions;
};
template <template <class, int> class Array, schedule_sizes Z> struct stored_schedule {
  Array<schedule_step, Z.steps> steps;
  Array<int, Z.members> members;
  Array<int, Z.nodes> group_of;
  Array<bool, Z.nodes> stored;
  Array<int, Z.regions> first_step;

  constexpr explicit stored_schedule(schedule_view from) {
    steps.fill(from.steps);
    members.fill(from.members);
    group_of.fill(from.group_of);
    stored.fill(from.stored);
    first_step.fill(from.first_step);
  }
  constexpr operator schedule_view() const {
    return {steps, members, group_of, stored, first_step};
  }
};
template <class P> struct scheduled {
  static constexpr graph_sizes z = optimised<P>::sizes;
  static constexpr schedule make() {
    return with_numbers(optimised<P>::value,
                        [](graph_view g) { return make_schedule(g, accesses_of(g)); });
  }
  static constexpr schedule_sizes room{z.nodes, z.nodes, z.nodes, z.regions + 1};
  static constexpr stored_schedule<roomy, room> first{make()};
  static constexpr schedule_sizes sizes{first.steps.used, first.members.used, first.group_of.used,
                                        first.first_step.used};
  static constexpr stored_schedule<exact, sizes> value{first};
};

// Lowered code likewise.
struct lowered_sizes {
  int kernels, instructions, places, outputs, steps;
};
template <template <class, int> class Array, lowered_sizes Z> struct stored_code {
  Array<kernel, Z.kernels> kernels;
  Array<instruction, Z.instructions> instructions;
  Array<place, Z.places> places;
  Array<output, Z.outputs> outputs;
  Array<int, Z.steps> kernel_of_step;

  constexpr explicit stored_code(lowered_view from) {
    kernels.fill(from.kernels);
    instructions.fill(from.instructions);
    places.fill(from.places);
    outputs.fill(from.outputs);
    kernel_of_step.fill(from.kernel_of_step);
  }
  constexpr operator lowered_view() const {
    return {kernels, instructions, places, outputs, kernel_of_step};
  }
};
template <class P> struct lowered_code {
  static constexpr graph_sizes z = optimised<P>::sizes;
  static constexpr int steps = scheduled<P>::sizes.steps;
  static constexpr lowered make() {
    return with_numbers(optimised<P>::value,
                        [](graph_view g) { return lower(g, accesses_of(g), scheduled<P>::value); });
  }
  // A member reads its operands and writes itself; a two-word op is two instructions.
  static constexpr lowered_sizes room{steps, 2 * z.nodes + z.operands, z.nodes + z.operands,
                                      z.nodes, steps};
  static constexpr stored_code<roomy, room> first{make()};
  static constexpr lowered_sizes sizes{first.kernels.used, first.instructions.used,
                                       first.places.used, first.outputs.used,
                                       first.kernel_of_step.used};
  static constexpr stored_code<exact, sizes> value{first};
};

} // namespace detail
} // namespace weft::inline v0

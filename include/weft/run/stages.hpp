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
  roomy<std::uint32_t, Room.constants> constants;
  roomy<input_info, Room.inputs> inputs;
  graph_sizes sizes;
  trace_error error;
  bool fits;

  constexpr explicit roomy_graph(graph const& g) : sizes(sizes_of(g)), error(g.error) {
    fits = nodes.fill(g.nodes) && operands.fill(g.operands) && attributes.fill(g.attributes) &&
           shapes.fill(g.shapes) && regions.fill(g.regions) && constants.fill(g.constants) &&
           inputs.fill(g.inputs);
  }
  constexpr operator graph_view() const {
    return {nodes, operands, attributes, shapes, regions, constants, inputs};
  }
};
// What a pass may make of a graph: hoist alone adds nodes.
constexpr graph_sizes room_after(graph_sizes z) {
  auto more = [](int n) { return n + n / 2 + 64; };
  return {more(z.nodes),     more(z.operands), more(z.attributes), more(z.shapes), more(z.regions),
          more(z.constants), z.inputs};
}

// One optimiser stage after another; `Before` has a static member `value`.
template <class Before, int Stage> struct optimised_by {
  static constexpr graph_sizes before = sizes_of(Before::value);
  static constexpr roomy_graph<room_after(before)> value{optimise_stage(Stage, Before::value)};
  static_assert(value.fits, "weft: a pass made more nodes than stages.hpp leaves room for");
};
template <class Last> struct exact_graph {
  static constexpr graph_sizes sizes = sizes_of(Last::value);
  static constexpr auto value = freeze<sizes>(Last::value);
};
template <class Before, int Stage = 0> constexpr auto last_stage() {
  if constexpr (Stage == optimise_stages) return std::type_identity<exact_graph<Before>>{};
  else return last_stage<optimised_by<Before, Stage>, Stage + 1>();
}

// A graph in which names are placeholders: itself where it has none.
template <class F> constexpr auto with_numbers(graph_view g, F const& f) {
  if (!has_names(g)) return f(g);
  graph const b = bind(g, placeholders(g));
  return f(graph_view(b));
}

struct schedule_sizes {
  int steps, members, nodes, regions;
};
template <schedule_sizes Z> struct frozen_schedule {
  exact<step, Z.steps> steps;
  exact<int, Z.members> members;
  exact<int, Z.nodes> group_of;
  exact<bool, Z.nodes> stored;
  exact<int, Z.regions> first_step;

  constexpr explicit frozen_schedule(schedule_view from) {
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
template <class Graph> struct scheduled {
  static constexpr graph_sizes z = sizes_of(Graph::value);
  struct roomy_schedule {
    roomy<step, z.nodes> steps;
    roomy<int, z.nodes> members, group_of;
    roomy<bool, z.nodes> stored;
    roomy<int, z.regions + 1> first_step;

    constexpr explicit roomy_schedule(schedule const& from) {
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
  static constexpr schedule make() {
    return with_numbers(Graph::value,
                        [](graph_view g) { return make_schedule(g, accesses_of(g)); });
  }
};
// The steps of a schedule, then its exact copy.
template <class Graph> struct exact_schedule {
  static constexpr typename scheduled<Graph>::roomy_schedule roomy{scheduled<Graph>::make()};
  static constexpr schedule_sizes sizes{roomy.steps.used, roomy.members.used, roomy.group_of.used,
                                        roomy.first_step.used};
  static constexpr frozen_schedule<sizes> value{roomy};
};

struct lowered_sizes {
  int kernels, instructions, places, outputs, steps;
};
template <lowered_sizes Z> struct frozen_lowered {
  exact<kernel, Z.kernels> kernels;
  exact<instruction, Z.instructions> instructions;
  exact<place, Z.places> places;
  exact<output, Z.outputs> outputs;
  exact<int, Z.steps> kernel_of_step;

  constexpr explicit frozen_lowered(lowered_view from) {
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
template <class Graph, class Schedule> struct lowering_of {
  static constexpr graph_sizes z = sizes_of(Graph::value);
  static constexpr int steps = schedule_view(Schedule::value).steps.size();
  // A member reads its operands and writes itself; a two-word op is two instructions.
  struct roomy_code {
    roomy<kernel, steps> kernels;
    roomy<instruction, 2 * z.nodes + z.operands> instructions;
    roomy<place, z.nodes + z.operands> places;
    roomy<output, z.nodes> outputs;
    roomy<int, steps> kernel_of_step;

    constexpr explicit roomy_code(lowered const& from) {
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
  static constexpr lowered make() {
    return with_numbers(Graph::value,
                        [](graph_view g) { return lower(g, accesses_of(g), Schedule::value); });
  }
};
template <class Graph, class Schedule> struct lowered_by {
  using lowering = lowering_of<Graph, Schedule>;
  static constexpr typename lowering::roomy_code roomy{lowering::make()};
  static constexpr lowered_sizes sizes{roomy.kernels.used, roomy.instructions.used,
                                       roomy.places.used, roomy.outputs.used,
                                       roomy.kernel_of_step.used};
  static constexpr frozen_lowered<sizes> value{roomy};
};

} // namespace detail
} // namespace weft::inline v0

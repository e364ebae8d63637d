// SPDX-License-Identifier: BSL-1.0
// The constexpr forms of a program, each one variable of exact size: recorded -> optimised ->
// scheduled -> lowered. Every stage is evaluated twice, once for its sizes and once for its
// contents, under the compiler's default limits per evaluation.
// Needs: a recorded graph without an error. Leaves: views with static lifetime.
#pragma once

#include <weft/graph/bind.hpp>
#include <weft/pass/lower.hpp>
#include <weft/pass/pipeline.hpp>

namespace weft::inline v0 {
namespace detail {

// One optimiser stage after another; `Before` has a static member `value`, a frozen graph.
template <class Before, int Stage> struct optimised_by {
  static constexpr graph_sizes sizes = sizes_of(optimise_stage(Stage, Before::value));
  static constexpr auto value = freeze<sizes>(optimise_stage(Stage, Before::value));
};
template <class Before, int Stage = 0> constexpr auto last_stage() {
  if constexpr (Stage == optimise_stages) return std::type_identity<Before>{};
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
  static constexpr schedule make() {
    return with_numbers(Graph::value, [](graph_view g) { return make_schedule(g, accesses_of(g)); });
  }
  static constexpr schedule_sizes sizes = [] {
    schedule const s = make();
    return schedule_sizes{s.steps.size(), s.members.size(), s.group_of.size(), s.first_step.size()};
  }();
  static constexpr frozen_schedule<sizes> value{make()};
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
template <class Graph, class Schedule> struct lowered_by {
  static constexpr lowered make() {
    return with_numbers(Graph::value, [](graph_view g) {
      return lower(g, accesses_of(g), Schedule::value);
    });
  }
  static constexpr lowered_sizes sizes = [] {
    lowered const l = make();
    return lowered_sizes{l.kernels.size(), l.instructions.size(), l.places.size(),
                         l.outputs.size(), l.kernel_of_step.size()};
  }();
  static constexpr frozen_lowered<sizes> value{make()};
};

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// small_program: a program so small that planning at run time, which takes tens of nanoseconds a
// call, would be most of it: one function in which every address, stride and length is a constant,
// with its intermediates on the stack.
//   if constexpr (is_small<Program>) small_program<Program, Target>::run(inputs, outputs);
// Needs: a program without names, loops, moves and constant arrays, below the limits here; outputs
// overlap no input but one that may_take allows. Leaves: the bits of cpu/engine.hpp; no allocation, no
// lock, nothing kept from call to call.
#pragma once

#include <weft/pass/donation.hpp>
#include <weft/run/program.hpp>

namespace weft::inline v0 {
namespace detail {

// Elements times instructions, and multiply-adds: beyond, a plan costs little, and threads may help.
inline constexpr extent most_small_work = 1 << 15;
inline constexpr extent most_small_stack = 8 << 10;
inline constexpr int most_small_steps = 12;
inline constexpr int most_small_takes = 64;        // inputs times outputs: pairs that are asked
inline constexpr extent most_small_copy = 1 << 10; // elements of a result that is a view

// Of a step that a small program may have; -1: of any other.
constexpr extent small_step_work(graph_view g, schedule_view plan, lowered_view code, int s) {
  schedule_step const& at = plan.steps[s];
  bool const group = at.kind == step_kind::group;
  if (!group && at.kind != step_kind::contraction) return -1;
  extent const elements = count_of(group ? g.shapes[at.shape] : g.shape(at.node));
  if (elements > most_small_work) return -1; // before anything is multiplied
  if (group) return elements * code.kernels[code.kernel_of_step[s]].instruction_count;
  contraction const c = contraction_of(g, at.node);
  extent const summed = summed_count(c, g.shape(g.operand(at.node, 0)),
                                     g.shape(g.operand(at.node, 1)));
  return c.has_start || summed > most_small_work ? -1 : elements * summed;
}
// Of all steps; -1: one of them is another.
constexpr extent total_work(graph_view g, schedule_view plan, lowered_view code) {
  extent work = 0;
  for (int s = 0; s < plan.steps.size(); ++s) {
    extent const more = small_step_work(g, plan, code, s);
    if (more < 0 || more > most_small_work) return -1;
    work += more;
  }
  return work;
}
constexpr bool has_small_steps(graph_view g, schedule_view plan, lowered_view code) {
  if (has_names(g) || g.regions.size() != 1 || plan.steps.size() > most_small_steps) return false;
  if (g.inputs.size() * g.outputs_of(0).size() > most_small_takes) return false;
  for (int id = 0; id < g.size(); ++id)
    if (count_of(g.shape(id)) == 0) return false;
  extent const work = total_work(g, plan, code);
  return work >= 0 && work <= most_small_work;
}

// Where an array of a small program lies; `at`: number of the input or output, or bytes.
enum class small_home : std::uint8_t { nowhere, input, output, stack };
struct small_place {
  small_home home = small_home::nowhere;
  extent at = 0;
};
struct small_memory {
  growing<small_place> of; // per root
  growing<bool> written;   // per output: by the step that computes it; others are copied at the end
  extent bytes = 0;        // of the stack

  constexpr small_memory(graph_view g, accesses const& reads, schedule_view plan)
      : of(g.size()), written(g.outputs_of(0).size(), false) {
    view<int> const inputs = g.parameters_of(0), outputs = g.outputs_of(0);
    for (int i = 0; i < inputs.size(); ++i) of[inputs[i]] = {small_home::input, i};
    for (int k = 0; k < outputs.size(); ++k) {
      int const root = reads.of[outputs[k]].root;
      written[k] = plan.stored[root] && of[root].home == small_home::nowhere &&
                   is_whole(g, reads, outputs[k]);
      if (written[k]) of[root] = {small_home::output, k};
    }
    for (int id = 0; id < g.size(); ++id)
      if (plan.stored[id] && of[id].home == small_home::nowhere) {
        of[id] = {small_home::stack, bytes};
        bytes += aligned_bytes(bytes_of(g, id));
      }
  }
};

// Does everything that is read from memory lie in an input, an output or on the stack, and is the
// stack small?
constexpr bool is_in_reach(graph_view g, schedule_view plan, lowered_view code) {
  accesses const reads = accesses_of(g, plan.group_of);
  small_memory const memory(g, reads, plan);
  auto const lies = [&](int id) {
    return memory.of[reads.of[id].root].home != small_home::nowhere;
  };
  extent bytes = memory.bytes;
  for (place const& p : code.places)
    if (!lies(p.node) && g[reads.of[p.node].root].code != op::iota) return false;
  for (int k = 0; k < memory.written.size(); ++k) {
    int const id = g.outputs_of(0)[k];
    if (!lies(id) || (!memory.written[k] && count_of(g.shape(id)) > most_small_copy)) return false;
  }
  for (schedule_step const& s : plan.steps) {
    if (s.kind != step_kind::contraction) continue;
    for (int operand : g.operands_of(s.node))
      if (!lies(operand)) return false;
    bool const narrow = size_of(g[g.operand(s.node, 0)].type) < 4 ||
                        size_of(g[g.operand(s.node, 1)].type) < 4;
    bytes += most_fixed_product_bytes(product_of(g, reads, s.node), narrow);
  }
  return bytes <= most_small_stack;
}

// May output k be written over input i? (pass/donation.hpp; steps run in their order here.)
constexpr bool may_take(graph_view g, accesses const& reads, schedule_view plan,
                        small_memory const& memory, int i, int k) {
  int const root = g.parameters_of(0)[i], out = g.outputs_of(0)[k];
  if (!memory.written[k] || g[root].type != g[out].type || !(g.shape(root) == g.shape(out)))
    return false;
  for (int other : g.outputs_of(0))
    if (reads.of[other].root == root) return false;
  int const writer = step_computing(g, plan, reads.of[out].root);
  for (int s = writer; s < plan.steps.size(); ++s)
    if (!(s == writer && reads_in_place(g, reads, plan, s, root)) &&
        step_reads(g, reads, plan, s, root))
      return false;
  return true;
}

template <class P> inline constexpr bool is_small = false;
template <class P>
  requires(has_small_steps(stages<P>::optimised, stages<P>::plan, stages<P>::code))
inline constexpr bool is_small<P> = is_in_reach(stages<P>::optimised, stages<P>::plan,
                                                stages<P>::code);

// What the compiler keeps of a small program's plan.
template <class P> struct small_layout {
  static constexpr graph_view g = stages<P>::optimised;
  static constexpr schedule_view plan = stages<P>::plan;
  static constexpr int inputs = g.inputs.size(), outputs = g.outputs_of(0).size();
  struct tables {
    exact<small_place, g.size()> of;
    exact<int, g.size()> root;
    exact<extent, g.size()> offset; // bytes
    exact<bool, outputs> written;
    bool takes[outputs + 1][inputs + 1]{}; // may_take
    extent bytes = 0;
  };
  static constexpr tables make() {
    accesses const reads = accesses_of(g, plan.group_of);
    small_memory const memory(g, reads, plan);
    tables t;
    t.of.fill(memory.of);
    t.written.fill(memory.written);
    t.bytes = memory.bytes;
    for (int id = 0; id < g.size(); ++id) {
      t.root.items[id] = reads.of[id].root;
      t.offset.items[id] = reads.of[id].offset * size_of(g[id].type);
    }
    for (int k = 0; k < outputs; ++k)
      for (int i = 0; i < inputs; ++i) t.takes[k][i] = may_take(g, reads, plan, memory, i, k);
    return t;
  }
  static constexpr tables value = make();
};
template <class P, class Target> class small_program {
  using layout = small_layout<P>;
  static constexpr graph_view g = stages<P>::optimised;
  static constexpr schedule_view plan = stages<P>::plan;
  static constexpr lowered_view code = stages<P>::code;

  template <int K> static constexpr int find_room_bytes() {
    constexpr small_place place =
        layout::value.of.items[layout::value.root.items[g.outputs_of(0)[K]]];
    constexpr int node = layout::value.root.items[g.outputs_of(0)[K]];
    if constexpr (place.home != small_home::output || place.at != K) return 0;
    else if constexpr (plan.steps[step_computing(g, plan, node)].kind != step_kind::contraction)
      return 0;
    else return fixed_product<program_product<P, node>, Target>::room_bytes;
  }

public:
  // Output K, the only one, is stored as whole packs of so many bytes, of which the last may have
  // more elements than it; 0: as what it is.
  template <int K> static constexpr int room_bytes = find_room_bytes<K>();

  // Addresses of the inputs' and outputs' elements. A call would be a good part of the smallest; in a
  // debug build it is what the optimiser sees.
  WEFT_INLINE static void run(void const* const* in, void* const* out) {
#if defined(__OPTIMIZE__)
    constexpr extent least_called = 256;
#else
    constexpr extent least_called = 0;
#endif
    if constexpr (total_work(g, plan, code) < least_called) steps(in, out);
    else called(in, out);
  }

private:
  WEFT_FAST static void called(void const* const* in, void* const* out) { steps(in, out); }
  WEFT_INLINE static void steps(void const* const* in, void* const* out) {
    alignas(64) std::byte stack[layout::value.bytes + 1];
    memory const m{in, out, stack};
    [&]<int... S>(std::integer_sequence<int, S...>)
        WEFT_LAMBDA { (step<S>(m), ...); }(std::make_integer_sequence<int, plan.steps.size()>{});
    [&]<int... K>(std::integer_sequence<int, K...>)
        WEFT_LAMBDA { (copy<K>(m), ...); }(std::make_integer_sequence<int, layout::outputs>{});
  }
  struct memory {
    void const* const* in;
    void* const* out;
    std::byte* stack;
    // Of a value's first element; 0 where there is none.
    template <int Root> WEFT_INLINE std::intptr_t of() const {
      constexpr small_place p = layout::value.of.items[Root];
      if constexpr (p.home == small_home::input) return reinterpret_cast<std::intptr_t>(in[p.at]);
      else if constexpr (p.home == small_home::output)
        return reinterpret_cast<std::intptr_t>(out[p.at]);
      else if constexpr (p.home == small_home::stack)
        return reinterpret_cast<std::intptr_t>(stack + p.at);
      else return 0;
    }
    template <int Node> WEFT_INLINE void* at() const {
      return reinterpret_cast<void*>(of<layout::value.root.items[Node]>() +
                                     static_cast<std::intptr_t>(layout::value.offset.items[Node]));
    }
  };

  template <int S> WEFT_INLINE static void step(memory const& m) {
    if constexpr (plan.steps[S].kind == step_kind::group) group<code.kernel_of_step[S]>(m);
    else product<plan.steps[S].node>(m);
  }
  template <int K> WEFT_INLINE static void group(memory const& m) {
    using nest = program_nest<P, K>;
    constexpr int places = nest::value.sizes.places;
    std::intptr_t at[places + 1];
    [&]<int... I>(std::integer_sequence<int, I...>) WEFT_LAMBDA {
      ((at[I] = m.template of<nest::value.roots.items[I]>() +
                static_cast<std::intptr_t>(nest::value.offsets.items[I])),
       ...);
    }(std::make_integer_sequence<int, places>{});
    cpu::region_kernel<P, code.kernels[K].canonical, Target>::template all<nest>(at);
  }
  template <int Node> WEFT_INLINE static void product(memory const& m) {
    using form = program_product<P, Node>;
    using by = fixed_product<form, Target, has_room<Node>()>;
    void const *const a = m.template at<g.operand(Node, 0)>(),
                      *const b = m.template at<g.operand(Node, 1)>();
    void const* bias = nullptr;
    if constexpr (form::has_bias) bias = m.template at<g.operand(Node, 2)>();
    by::run(a, b, m.template at<Node>(), bias);
  }
  // What lies on the stack, in blocks of 64 bytes, and an only output, for which small_runner cares.
  template <int Node> static constexpr bool has_room() {
    constexpr small_home home = layout::value.of.items[Node].home;
    return home == small_home::stack || (home == small_home::output && layout::outputs == 1);
  }
  // Outputs that are views, or the same as others.
  template <int K> WEFT_INLINE static void copy(memory const& m) {
    if constexpr (!layout::value.written.items[K]) {
      constexpr int node = g.outputs_of(0)[K];
      using T = storage_of<g[node].type>;
      copy_axis<node, 0>(static_cast<T const*>(m.template at<node>()), static_cast<T*>(m.out[K]));
    }
  }
  template <int Node, int Axis, class T> WEFT_INLINE static T* copy_axis(T const* from, T* to) {
    if constexpr (Axis == g.shape(Node).rank) *to++ = *from;
    else {
      constexpr extent step = strides_at(g, accesses_of(g, plan.group_of), Node)[Axis];
      for (extent i = 0; i < g.shape(Node)[Axis]; ++i)
        to = copy_axis<Node, Axis + 1>(from + i * step, to);
    }
    return to;
  }
};

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// lower: each group of a schedule as a straight list of instructions over numbered registers, and
// the places it reads and writes. Extents and strides stay outside (they may be run-time numbers);
// what the code must know of them is how each place is read along the inner axis.
// Equal lists share one kernel: `canonical` is the first kernel of the program with the same list.
// Needs: a graph bound to numbers or placeholders, its accesses, its schedule.
// Leaves: instruction i writes register i; two-word ops write i and i + 1.
#pragma once

#include <weft/pass/never_positive.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {

enum class instruction_kind : std::uint8_t {
  load,     // the element at `place`
  affine,   // the offset at `place` itself: an iota, however it is viewed
  constant, // `bits` in every lane
  compute,  // `code` of registers; `bits`: of exp 1 where its argument is never above 0
  second,   // the second word of the instruction before
};
struct instruction {
  instruction_kind kind{};
  op code{};
  dtype type{};
  dtype from{}; // compute: type of the last operand
  int place = -1;
  int operand[4]{-1, -1, -1, -1};
  extent bits = 0;

  friend constexpr bool operator==(instruction const&, instruction const&) = default;
};

enum class inner_stride : std::uint8_t { zero, unit, any };
// One array of a group: the node as it is read or written, and its stride along the inner axis.
struct place {
  int node = -1;
  dtype type{};
  inner_stride inner{};
  friend constexpr bool same_code(place const& a, place const& b) {
    return a.type == b.type && a.inner == b.inner;
  }
};
struct output {
  int source = -1; // register
  int place = -1;
  op reduction = op::stop_gradient; // reduce_*: source is reduced; else it is stored
  dtype type{};
  friend constexpr bool operator==(output const&, output const&) = default;
};

// Where the reduced axes lie: none; the inner axis among them; the inner axis kept.
enum class loop_form : std::uint8_t { elementwise, rows, columns };

struct kernel {
  int step = -1;
  loop_form form{};
  int inner_axis = -1; // -1: one element
  int canonical = -1;
  int first_instruction = 0, instruction_count = 0;
  int work = 0; // simple instructions per element, about
  int first_place = 0, place_count = 0;
  int first_output = 0, output_count = 0;
};

struct lowered_view {
  view<kernel> kernels;
  view<instruction> instructions;
  view<place> places;
  view<output> outputs;
  view<int> kernel_of_step; // -1: not a group

  constexpr view<instruction> instructions_of(kernel const& k) const {
    return instructions.part(k.first_instruction, k.instruction_count);
  }
  constexpr view<place> places_of(kernel const& k) const {
    return places.part(k.first_place, k.place_count);
  }
  constexpr view<output> outputs_of(kernel const& k) const {
    return outputs.part(k.first_output, k.output_count);
  }
};
struct lowered {
  growing<kernel> kernels;
  growing<instruction> instructions;
  growing<place> places;
  growing<output> outputs;
  growing<int> kernel_of_step;

  constexpr operator lowered_view() const {
    return {kernels, instructions, places, outputs, kernel_of_step};
  }
};

// The last axis that is more than one element long.
constexpr int inner_axis_of(extents const& s) {
  for (int i = s.rank - 1; i >= 0; --i)
    if (s[i] != 1) return i;
  return -1;
}

namespace detail {

struct lowering {
  graph_view g;
  accesses const& reads;
  schedule_view plan;
  lowered out{};
  growing<int> register_of{}, valid_for{}; // valid_for: the step a register number belongs to
  int at = 0;                              // the step in work
  kernel k{};

  constexpr int emit(instruction i) {
    out.instructions.push(i);
    return out.instructions.size() - 1 - k.first_instruction;
  }
  constexpr int add_place(int node) {
    extent stride = k.inner_axis < 0 ? 1 : reads.of[node].stride[k.inner_axis];
    inner_stride inner = stride == 0   ? inner_stride::zero
                         : stride == 1 ? inner_stride::unit
                                       : inner_stride::any;
    out.places.push({node, g[node].type, inner});
    return out.places.size() - 1 - k.first_place;
  }
  constexpr int set_register(int node, int number) {
    valid_for[node] = at;
    return register_of[node] = number;
  }
  constexpr int register_for(int node) {
    if (valid_for[node] == at) return register_of[node];
    int root = reads.of[node].root;
    instruction i{.type = g[node].type};
    if (g[root].code == op::constant && g[root].attribute_count == 1) {
      i.kind = instruction_kind::constant;
      i.bits = g.attribute(root, 0);
    } else {
      i.kind = g[root].code == op::iota ? instruction_kind::affine : instruction_kind::load;
      i.place = add_place(node);
    }
    return set_register(node, emit(i));
  }
  constexpr void compute(int node) {
    node_type const& n = g[node];
    if (n.code == op::stop_gradient) {
      set_register(node, register_for(g.operand(node, 0)));
      return;
    }
    instruction i{.kind = instruction_kind::compute, .code = n.code, .type = n.type};
    for (int o = 0; o < n.operand_count; ++o) {
      i.operand[o] = register_for(g.operand(node, o));
      i.from = g[g.operand(node, o)].type;
    }
    if (n.code == op::exp && is_never_positive(g, reads, g.operand(node, 0))) i.bits = 1;
    set_register(node, emit(i));
    if (info_of(n.code).result == type_rule::words)
      emit({.kind = instruction_kind::second, .type = n.type});
  }
  using node_type = weft::node;

  constexpr void member(int node) {
    op code = g[node].code;
    if (is_reduction(code)) {
      int source = register_for(g.operand(node, 0));
      out.outputs.push({source, add_result(node), code, g[node].type});
      return;
    }
    if (code == op::get)
      set_register(node, register_for(g.operand(node, 0)) + static_cast<int>(g.attribute(node, 0)));
    else compute(node);
    if (plan.stored[node])
      out.outputs.push({register_of[node], add_place(node), op::stop_gradient, g[node].type});
  }
  // A polynomial is some twenty instructions, twenty rounds of threefry are a hundred.
  static constexpr int work_of(instruction const& i) {
    if (i.kind != instruction_kind::compute) return 1;
    if (i.code == op::threefry2x32) return 100;
    return info_of(i.code).ulp > 0.5 ? 20 : 1;
  }
  // Results of reductions have no inner axis in rows and a contiguous one in columns.
  constexpr int add_result(int node) {
    inner_stride inner = k.form == loop_form::columns ? inner_stride::unit : inner_stride::zero;
    out.places.push({node, g[node].type, inner});
    return out.places.size() - 1 - k.first_place;
  }

  constexpr void group(schedule_step const& s) {
    extents const& shape = g.shapes[s.shape];
    k = {.step = at, .inner_axis = inner_axis_of(shape)};
    k.form = s.reduced == 0                                          ? loop_form::elementwise
             : k.inner_axis < 0 || has_axis(s.reduced, k.inner_axis) ? loop_form::rows
                                                                     : loop_form::columns;
    k.first_instruction = out.instructions.size();
    k.first_place = out.places.size();
    k.first_output = out.outputs.size();
    for (int node : plan.members_of(s)) member(node);
    k.instruction_count = out.instructions.size() - k.first_instruction;
    for (instruction const& i : lowered_view(out).instructions_of(k)) k.work += work_of(i);
    k.place_count = out.places.size() - k.first_place;
    k.output_count = out.outputs.size() - k.first_output;
    out.kernel_of_step[at] = out.kernels.size();
    out.kernels.push(k);
  }

  constexpr bool same(kernel const& a, kernel const& b) const {
    lowered_view v = out;
    if (a.form != b.form || (a.inner_axis < 0) != (b.inner_axis < 0) ||
        a.place_count != b.place_count)
      return false;
    for (int i = 0; i < a.place_count; ++i)
      if (!same_code(v.places_of(a)[i], v.places_of(b)[i])) return false;
    return v.outputs_of(a) == v.outputs_of(b) && v.instructions_of(a) == v.instructions_of(b);
  }
  constexpr std::uint32_t hash(kernel const& a) const {
    std::uint32_t h = static_cast<std::uint32_t>(a.form);
    for (instruction const& i : lowered_view(out).instructions_of(a)) {
      h = mix(h, static_cast<std::uint64_t>(i.kind) + 8 * static_cast<std::uint64_t>(i.code) +
                     1024 * static_cast<std::uint64_t>(i.type));
      h = mix(h, static_cast<std::uint64_t>(i.operand[0] + 1) +
                     4096 * static_cast<std::uint64_t>(i.operand[1] + 1));
    }
    return h;
  }
  constexpr void share() {
    int slots = 16;
    while (slots < 2 * out.kernels.size()) slots *= 2;
    growing<int> table(slots, -1);
    for (int i = 0; i < out.kernels.size(); ++i) {
      int slot = static_cast<int>(hash(out.kernels[i])) & (slots - 1);
      while (table[slot] >= 0 && !same(out.kernels[table[slot]], out.kernels[i]))
        slot = (slot + 1) & (slots - 1);
      if (table[slot] < 0) table[slot] = i;
      out.kernels[i].canonical = table[slot];
    }
  }
};

} // namespace detail

constexpr lowered lower(graph_view g, accesses const& reads, schedule_view plan) {
  detail::lowering l{g, reads, plan};
  l.register_of.assign(g.size(), -1);
  l.valid_for.assign(g.size(), -1);
  l.out.kernel_of_step.assign(plan.steps.size(), -1);
  for (l.at = 0; l.at < plan.steps.size(); ++l.at)
    if (plan.steps[l.at].kind == step_kind::group) l.group(plan.steps[l.at]);
  l.share();
  return std::move(l.out);
}

} // namespace weft::inline v0

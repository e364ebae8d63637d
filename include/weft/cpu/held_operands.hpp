// SPDX-License-Identifier: BSL-1.0
// held_operands: which products of a program's loops read a matrix that is constant in the loop, and
// those matrices packed: by the loop's step, before its first turn, for all its turns.
//   held_operands held(source); held.find(g, reads, plan, products, contractions);
//   held.pack_for(loop_step, values, dense, on);     // dense(operand of the loop): its first element
//   if (auto const* h = held.of(step)) h->code->run(...);
// Needs: a bound graph, its accesses and schedule. Leaves: memory taken by find() alone.
#pragma once

#include <weft/cpu/small_contraction.hpp>
#include <weft/cpu/value_reader.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {
namespace cpu {

class held_operands {
public:
  struct operand {
    int step, loop_step; // the product, the loop in whose body it is
    int node, other;     // the operand that is held, and the other one
    held_code const* code;
    product_form const* form;
    std::byte* memory;
  };

  explicit held_operands(memory_source* source) : memory_(source) {}

  void find(graph_view g, accesses const& reads, schedule_view plan,
            growing<product_form> const& forms, contraction_code const* const* codes) {
    extent total = 0;
    for (int s = plan.first_step[1]; s < plan.steps.size(); ++s) {
      if (codes[s] == nullptr || codes[s]->held == nullptr) continue;
      int const id = plan.steps[s].node, b = forms[s].swapped ? 0 : 1;
      extent const bytes = codes[s]->held->bytes(forms[s]);
      if (bytes == 0 || !stays(g, reads, plan.steps[s].region, g.operand(id, b))) continue;
      if (list_.empty()) of_step_.assign(plan.steps.size(), -1);
      of_step_[s] = list_.size();
      list_.push({s, plan.group_of[g.regions[plan.steps[s].region].owner], g.operand(id, b),
                  g.operand(id, 1 - b), codes[s]->held, &forms[s], nullptr});
      total += bytes;
    }
    if (list_.empty()) return;
    std::byte* at = memory_.get(total).memory;
    for (operand& h : list_) {
      h.memory = at;
      at += h.code->bytes(*h.form);
    }
  }
  template <class Dense>
  void pack_for(int loop_step, value_reader const& values, Dense const& dense,
                executor_ref const& on) const {
    for (operand const& h : list_)
      if (h.loop_step == loop_step)
        h.code->pack(*h.form, start_of(values, h.node, dense), h.memory, on);
  }
  operand const* of(int step) const {
    return list_.empty() || of_step_[step] < 0 ? nullptr : &list_[of_step_[step]];
  }
  view<operand> all() const { return list_; }

private:
  // Of a constant of the loop, which its body does not know yet, or one in the body.
  template <class Dense>
  static std::byte* start_of(value_reader const& values, int node, Dense const& dense) {
    graph_view const g = values.g;
    access const& a = values.reads.of[node];
    if (g[a.root].code != op::parameter) return values.memory_of(node);
    int const owner = g.regions[g[a.root].region].owner;
    return dense(g.operand(owner, static_cast<int>(g.attribute(a.root, 0)))) +
           a.offset * size_of(g[node].type);
  }
  // Is the value the same at every turn of the loop whose body is region r, and are there several?
  static bool stays(graph_view g, accesses const& reads, int r, int id) {
    int const owner = g.regions[r].owner, root = reads.of[id].root;
    if (owner < 0 || (g[owner].code != op::scan && g[owner].code != op::while_loop)) return false;
    loop const l = loop_of(g, owner);
    if (l.is_region() || (g[owner].code == op::scan && l.length < 2)) return false;
    if (g[root].code == op::constant) return g[root].attribute_count > 1;
    return g[root].code == op::parameter && g[root].region == r &&
           g.attribute(root, 0) >= l.carries + l.xs;
  }

  scratch_buffer memory_;
  growing<operand> list_;
  growing<int> of_step_; // if there is one
};

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Groups that run as epilogues of products (pass/epilogue.hpp): on each block of a product as soon as
// it is finished, while it is in a cache, by the thread that computed it.
//   epilogue_steps e(g, reads, plan, code, can);   e.of(product)->group   e.product_of(group)
// Needs: can(step): does the product tell of its elements (cpu/finished_part.hpp)? Leaves: the same
// kernels on the same elements, only earlier: the same bits. Where a result lies over what the product
// reads, which memory_ranges finds at run time, the group has to wait for the whole product.
#pragma once

#include <weft/cpu/memory_ranges.hpp>
#include <weft/pass/epilogue.hpp>
#include <weft/pass/lower.hpp>

namespace weft::inline v0 {
namespace cpu {

class epilogue_steps {
public:
  struct epilogue {
    int product = -1, group = -1; // steps
    // The group's result in whose memory the product may be, as nobody else reads it; -1: none.
    int place = -1;
  };

  epilogue_steps() = default;
  template <class Can>
  epilogue_steps(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
                 Can const& can) {
    bool any = false;
    for (schedule_step const& s : plan.steps)
      any |= s.kind == step_kind::contraction || s.kind == step_kind::convolution;
    if (!any) return;
    epilogue_pairs const found = find_epilogues(g, reads, plan);
    for (int s = 0; s < plan.steps.size(); ++s) {
      int const group = found.epilogue_of[s];
      if (group < 0 || !can(s)) continue;
      if (at_.empty()) at_.assign(plan.steps.size(), -1);
      at_[s] = at_[group] = list_.size();
      list_.push({s, group, -1});
      if (!found.product_kept[s])
        list_.back().place = result_like(g, code, group, plan.steps[s].node);
    }
  }

  epilogue const* of(int product) const {
    return at_.empty() || at_[product] < 0 || list_[at_[product]].product != product
               ? nullptr
               : &list_[at_[product]];
  }
  // The product behind whose blocks a group runs, or -1.
  int product_of(int group) const {
    return at_.empty() || at_[group] < 0 || list_[at_[group]].group != group
               ? -1
               : list_[at_[group]].product;
  }
  // Per step: the one in whose place it runs, or -1; empty: each in its own.
  growing<int> runs_with() const {
    growing<int> r;
    if (at_.empty()) return r;
    r.assign(at_.size(), -1);
    for (epilogue const& e : list_) r[e.product] = r[e.group] = e.product;
    return r;
  }

private:
  // A result of the group with as many bytes as the product.
  static int result_like(graph_view g, lowered_view code, int group, int product) {
    kernel const& k = code.kernels[code.kernel_of_step[group]];
    for (output const& o : code.outputs_of(k))
      if (size_of(o.type) == size_of(g[product].type)) return code.places_of(k)[o.place].node;
    return -1;
  }
  growing<epilogue> list_;
  growing<int> at_; // per step: its number in list_; empty: there are none
};

} // namespace cpu
} // namespace weft::inline v0

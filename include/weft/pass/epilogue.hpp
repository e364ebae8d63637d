// SPDX-License-Identifier: BSL-1.0
// Which groups a product can compute as it stores its elements. Group G is the epilogue of
// contraction (or convolution) C when it is elementwise over C's shape, reads C element on element,
// and reads nothing that is computed after C: so it may run right behind C.
//   find_epilogues   pairs of a schedule's steps, convolutions' too, and through reshapes; the
//                    schedule stays
//   with_epilogues   contractions' alone, in a schedule where every epilogue stands right behind its
//                    product, which is stored if somebody else reads it
// Needs: a schedule of the graph and its accesses. Leaves: steps in an order that every step can be
// run in; the graph's values.
#pragma once

#include <weft/pass/memory_plan.hpp>

namespace weft::inline v0 {

struct epilogue_pairs {
  growing<int> epilogue_of;   // per step: the group that this product computes, or -1
  growing<int> product_of;    // per step: the product that computes this group, or -1
  growing<bool> product_kept; // per step: somebody else reads the product, too
};
struct fused_schedule : epilogue_pairs {
  schedule plan;
};

namespace detail {

class epilogue_finder {
public:
  epilogue_finder(graph_view g, accesses const& reads, schedule_view plan, bool any_product)
      : g_(g), reads_(reads), plan_(plan), any_product_(any_product),
        product_of_(plan.steps.size(), -1), epilogue_of_(plan.steps.size(), -1) {
    for (int s = 0; s < plan.steps.size(); ++s) {
      int const c = product_before(s);
      if (c < 0 || epilogue_of_[c] >= 0) continue;
      product_of_[s] = c;
      epilogue_of_[c] = s;
    }
  }

  epilogue_pairs pairs() const {
    epilogue_pairs out{epilogue_of_, product_of_, {}};
    out.product_kept.assign(plan_.steps.size(), false);
    growing<int> const reader = readers();
    for (int s = 0; s < plan_.steps.size(); ++s)
      if (int const c = product_of_[s]; c >= 0)
        out.product_kept[c] = reader[plan_.steps[c].node] != s;
    return out;
  }
  fused_schedule reordered() const {
    fused_schedule out;
    growing<int> moved(plan_.steps.size(), -1); // where a step is now
    auto const take = [&](int s) {
      moved[s] = out.plan.steps.size();
      out.plan.steps.push(plan_.steps[s]);
    };
    for (int s = 0; s < plan_.steps.size(); ++s) {
      if (product_of_[s] >= 0) continue;
      take(s);
      if (epilogue_of_[s] >= 0) take(epilogue_of_[s]);
    }
    for (int m : plan_.members) out.plan.members.push(m);
    for (int s : plan_.group_of) out.plan.group_of.push(s < 0 ? s : moved[s]);
    for (bool s : plan_.stored) out.plan.stored.push(s);
    for (int s : plan_.first_step) out.plan.first_step.push(s);
    out.epilogue_of.assign(plan_.steps.size(), -1);
    out.product_of.assign(plan_.steps.size(), -1);
    out.product_kept.assign(plan_.steps.size(), false);
    epilogue_pairs const found = pairs();
    for (int s = 0; s < plan_.steps.size(); ++s) {
      int const c = product_of_[s];
      if (c < 0) continue;
      out.epilogue_of[moved[c]] = moved[s];
      out.product_of[moved[s]] = moved[c];
      out.product_kept[moved[c]] = found.product_kept[c];
      out.plan.stored[plan_.steps[c].node] = out.product_kept[moved[c]];
    }
    return out;
  }

private:
  bool is_product(step_kind kind) const {
    return kind == step_kind::contraction || (any_product_ && kind == step_kind::convolution);
  }
  // The product that everything of group s may be computed with, or -1.
  int product_before(int s) const {
    schedule_step const& group = plan_.steps[s];
    if (group.kind != step_kind::group || group.reduced != 0) return -1;
    int last = -1;
    for (int member : plan_.members_of(group))
      for (int operand : g_.operands_of(member)) {
        int p = step_computing(g_, plan_, reads_.of[operand].root);
        if (p >= 0 && p != s && product_of_[p] >= 0) p = product_of_[p]; // it runs there
        if (p != s && p > last && plan_.steps[p].region == group.region) last = p;
      }
    if (last < 0 || !is_product(plan_.steps[last].kind)) return -1;
    int const c = plan_.steps[last].node;
    bool const alike = any_product_ || g_.shape(c) == g_.shapes[group.shape];
    return alike && reads_whole(group, c) ? last : -1;
  }
  bool reads_whole(schedule_step const& group, int c) const {
    for (int member : plan_.members_of(group))
      for (int operand : g_.operands_of(member))
        if (reads_.of[operand].root == c &&
            !(is_whole(g_, reads_, operand) && g_.shape(operand) == g_.shapes[group.shape]))
          return false;
    return true;
  }
  // Per root: the only step that reads it, or `several`, a region's output among them.
  static constexpr int nobody = -1, several = -2;
  growing<int> readers() const {
    growing<int> reader(g_.size(), nobody);
    for (int s = 0; s < plan_.steps.size(); ++s)
      for (int member : plan_.members_of(plan_.steps[s]))
        for (int operand : g_.operands_of(member)) {
          int& r = reader[reads_.of[operand].root];
          r = r == nobody || r == s ? s : several;
        }
    for (int r = 0; r < g_.regions.size(); ++r)
      for (int id : g_.outputs_of(r)) reader[reads_.of[id].root] = several;
    return reader;
  }

  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
  bool any_product_;
  growing<int> product_of_, epilogue_of_;
};

} // namespace detail

inline fused_schedule with_epilogues(graph_view g, accesses const& reads, schedule_view plan) {
  return detail::epilogue_finder(g, reads, plan, false).reordered();
}
inline epilogue_pairs find_epilogues(graph_view g, accesses const& reads, schedule_view plan) {
  return detail::epilogue_finder(g, reads, plan, true).pairs();
}

} // namespace weft::inline v0

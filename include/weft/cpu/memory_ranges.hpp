// SPDX-License-Identifier: BSL-1.0
// memory_ranges: whether results lie over arrays, in the memory that each root has now.
//   memory_ranges now(g, reads, address);   now.overlap(root, result)
// Needs: a bound graph and its accesses; address: per root. Leaves: nothing changed.
#pragma once

#include <weft/pass/lower.hpp>
#include <weft/pass/memory_plan.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

class memory_ranges {
public:
  memory_ranges(graph_view g, accesses const& reads, growing<std::intptr_t> const& address)
      : g_(g), reads_(reads), address_(address) {}

  // Of a product's operands and a kernel's results.
  bool apart(int product, view<place> places, view<output> results) const {
    for (int operand : g_.operands_of(product))
      for (output const& o : results)
        if (overlap(reads_.of[operand].root, places[o.place].node)) return false;
    return true;
  }
  // Of one result and what else its kernel reads, the product aside.
  bool apart_from_reads(int result, int product, view<place> places) const {
    for (place const& p : places) {
      int const root = reads_.of[p.node].root;
      if (root != result && root != product && overlap(root, result)) return false;
    }
    return true;
  }

  // Does root a lie where b is written?
  bool overlap(int a, int b) const {
    op const code = g_[a].code;
    if (code == op::constant || code == op::iota) return false; // nothing is written there
    return address_[a] < address_[b] + bytes_of(g_, b) &&
           address_[b] < address_[a] + bytes_of(g_, a);
  }

private:
  graph_view g_;
  accesses const& reads_;
  growing<std::intptr_t> const& address_;
};

} // namespace cpu
} // namespace weft::inline v0

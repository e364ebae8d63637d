// SPDX-License-Identifier: BSL-1.0
// The derivatives of reduce_max and reduce_min over untyped handles: all elements that equal the
// result have equal parts in it.
// Needs: handle.hpp. Leaves: nodes in the operand's recorder; counts and sums of 16-bit floats are in
// float, as 257 is no bf16.
#pragma once

#include <weft/graph/handle.hpp>

namespace weft::inline v0 {
namespace detail {

// n: the node as derivative rules see it.
template <class Node> class extremum_rules {
public:
  constexpr explicit extremum_rules(Node& n)
      : n_(n), wins_(equal(n.in(0), n.spread_over_reduced(n.out()))), none_(n.zeros_like(0)),
        count_(sum_over_winners(n.number_like(0, 1))) {}

  constexpr void add_cotangent() {
    handle const share = convert(convert(n_.ct(), count_.type()) / count_, none_.type());
    n_.add(0, select(wins_, n_.spread_over_reduced(share), none_));
  }
  // The mean of the winners' tangents.
  constexpr void set_tangent() {
    n_.set(convert(sum_over_winners(n_.t(0)) / count_, none_.type()));
  }

private:
  constexpr handle sum_over_winners(handle x) {
    return n_.sum_over_reduced(convert(select(wins_, x, none_), accumulator_of(x.type())));
  }

  Node& n_;
  handle const wins_, none_, count_;
};
template <class Node> constexpr void add_extremum_cotangent(Node& n) {
  extremum_rules<Node>(n).add_cotangent();
}
template <class Node> constexpr void set_extremum_tangent(Node& n) {
  extremum_rules<Node>(n).set_tangent();
}

} // namespace detail
} // namespace weft::inline v0

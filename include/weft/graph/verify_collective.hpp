// SPDX-License-Identifier: BSL-1.0
// The shape rules of collective (docs/ops.md).
// Needs: a node whose indices are sound, of one operand and `collective_head` attributes at least.
// Leaves: the rule that it breaks, or none.
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/graph/rules.hpp>

namespace weft::inline v0 {
namespace detail {

class collective_rules {
public:
  constexpr collective_rules(graph_view g, int id) : g_(g), id_(id), c_(collective_of(g, id)) {}

  constexpr rule broken() const {
    view<extent> const a = g_.attributes_of(id_);
    if (a[2] < 0 || a[2] >= collective_kind_count || a[3] < 0 || a[3] >= collective_combine_count ||
        c_.world < 1 || c_.world > most_ranks || c_.group < 1)
      return rule::collective_1;
    if (!has_groups()) return rule::collective_2;
    if (!has_axes()) return rule::collective_3;
    if (!(collective_shape(c_, from()) == g_.shape(id_))) return rule::collective_4;
    return c_.reduces() && !is_combined(g_[id_].type) ? rule::collective_5 : rule::unbroken;
  }

private:
  constexpr extents const& from() const { return g_.shape(g_.operand(id_, 0)); }

  // Groups of equal size that have every rank once; of broadcast, at most once; of permute, each
  // rank sends at most once and gets at most once.
  constexpr bool has_groups() const {
    bool const permutes = c_.kind == collective_kind::permute;
    int const count = c_.ranks.size(), step = permutes ? 2 : 1;
    if ((permutes && c_.group != 2) || count % c_.group != 0) return false;
    bool const all = !permutes && c_.kind != collective_kind::broadcast;
    if (all && count != c_.world) return false;
    for (extent r : c_.ranks)
      if (r < 0 || r >= c_.world) return false;
    for (int first = 0; first < step; ++first) {
      growing<bool> seen(static_cast<int>(c_.world), false);
      for (int i = first; i < count; i += step) {
        bool& here = seen[static_cast<int>(c_.ranks[i])];
        if (here) return false;
        here = true;
      }
    }
    return true;
  }
  constexpr bool is_divided(extent axis) const {
    extent const n = from()[static_cast<int>(axis)];
    return !is_named(n) && n % c_.group == 0;
  }
  constexpr bool has_axes() const {
    int const rank = from().rank;
    auto const axis = [rank](extent a) { return 0 <= a && a < rank; };
    if (!c_.has_axis()) return c_.axis == 0 && c_.to_axis == 0;
    if (!axis(c_.axis) ||
        (c_.kind == collective_kind::all_to_all ? !axis(c_.to_axis) : c_.to_axis != 0))
      return false;
    if (c_.kind == collective_kind::all_gather) return !is_named(from()[static_cast<int>(c_.axis)]);
    return is_divided(c_.axis) && !is_named(from()[static_cast<int>(c_.to_axis)]);
  }
  constexpr bool is_combined(dtype d) const {
    bool const bitwise = c_.combine == collective_combine::bit_and ||
                         c_.combine == collective_combine::bit_or;
    if (bitwise) return !is_float(d);
    bool const orders = c_.combine == collective_combine::min ||
                        c_.combine == collective_combine::max;
    return orders || d != dtype::boolean;
  }

  graph_view g_;
  int id_;
  collective c_;
};

} // namespace detail
} // namespace weft::inline v0

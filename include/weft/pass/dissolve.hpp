// SPDX-License-Identifier: BSL-1.0
// Regions of checkpoint (graph/attributes.hpp) that are no regions any more:
//   dissolve_regions  when recording ends and no derivative is taken any more: what was recorded in
//                     one stands where it was called. Regions of a way back stay
//   merge_regions     before a derivative: a scan whose body does nothing but call one region keeps
//                     what that was to keep, and is a plain scan
// Needs: a verified graph. Leaves: the same values; the results' reshapes to simplify. Linear.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace detail {

class region_dissolver {
public:
  constexpr region_dissolver(graph_view g, bool merging)
      : g_(g), merging_(merging), map_(g.size(), -1), goes_(g.regions.size(), false),
        save_(g.regions.size(), -1) {
    result_.nodes.reserve(g.size());
    result_.shapes = growing<extents>(g.shapes);
    result_.copy_tables(g);
    result_.inputs = growing<input_info>(g.inputs);
    survey();
    for (int r = 0; r < g.regions.size(); ++r) {
      int const parent = g.regions[r].parent;
      number_.push(goes_[r] ? number_[parent] : result_.add_region(r == 0 ? -1 : number_[parent]));
    }
    for (int i = 0; i < g.size(); ++i) map_.data()[i] = emit(i);
    for (int r = 0; r < g.regions.size(); ++r)
      if (!goes_[r]) close(r);
  }
  constexpr graph take() { return std::move(result_); }

private:
  constexpr void survey() {
    growing<int> regions(g_.regions.size(), 0), others(g_.regions.size(), 0);
    for (int i = 0; merging_ && i < g_.size(); ++i) {
      node const& n = g_.nodes.first[i];
      op_kind const kind = info_of(n.code).kind;
      if (n.body >= 0 && is_forward(n.body)) ++regions[n.region];
      else if (kind != op_kind::source && kind != op_kind::view) ++others[n.region];
    }
    for (int r = 1; r < g_.regions.size(); ++r) {
      int const around = g_.regions[r].parent;
      bool const alone = merging_ && regions[around] == 1 && others[around] == 0;
      if (!is_forward(r) || (merging_ && !(alone && is_steps(around)))) continue;
      goes_[r] = true;
      if (merging_) save_[around] = static_cast<int>(loop_of(g_, g_.regions[r].owner).save);
    }
  }
  constexpr bool is_forward(int r) const {
    return loop_of(g_, g_.regions[r].owner).role == region_role::forward;
  }
  constexpr bool is_steps(int r) const {
    int const owner = g_.regions[r].owner;
    if (owner < 0 || g_[owner].code != op::scan) return false;
    loop const l = loop_of(g_, owner);
    return !l.is_region() && l.custom == 0;
  }

  constexpr int emit(int i) {
    node const& n = g_.nodes.first[i];
    if (n.code == op::parameter && goes_[n.region])
      return map_[g_.operand(g_.regions[n.region].owner, static_cast<int>(g_.attribute(i, 0)))];
    if (n.body >= 0) return goes_[n.body] ? -1 : emit_loop(i);
    if (n.code == op::get)
      if (int const body = g_[g_.operand(i, 0)].body; body >= 0 && goes_[body])
        return emit_result(i, g_.outputs_of(body)[static_cast<int>(g_.attribute(i, 0))]);
    return put(n, g_.operands_of(i), g_.attributes_of(i));
  }
  constexpr int put(node n, view<int> operands, view<extent> attributes) {
    n.region = number_.data()[n.region];
    n.first_operand = result_.operands.size();
    for (int x : operands) result_.operands.push(map_.data()[x]);
    return result_.add(n, attributes);
  }
  // With the axis of the only step in front.
  constexpr int emit_result(int i, int output) {
    node n = g_[i];
    n.code = op::reshape;
    return put(n, {&output, 1}, {});
  }
  constexpr int emit_loop(int i) {
    node n = g_[i];
    growing<extent> attributes(g_.attributes_of(i));
    if (save_[n.body] >= 0) {
      loop l = loop_of(g_, i);
      l.save = static_cast<residuals>(save_[n.body]);
      attributes = encode(l);
    }
    n.body = number_[n.body];
    return put(n, g_.operands_of(i), attributes);
  }
  constexpr void close(int r) {
    growing<int> parameters, outputs;
    for (int id : g_.parameters_of(r)) parameters.push(map_[id]);
    for (int id : g_.outputs_of(r)) outputs.push(map_[id]);
    result_.set_parameters(number_[r], parameters);
    result_.set_outputs(number_[r], outputs);
    if (r > 0) result_.regions[number_[r]].owner = map_[g_.regions[r].owner];
  }

  graph_view g_;
  bool const merging_;
  growing<int> map_;
  growing<bool> goes_;  // by region
  growing<int> save_;   // by region of a loop: what it keeps from now on, or -1
  growing<int> number_; // by region: the new one that its nodes are in
  graph result_;
};

} // namespace detail

constexpr bool has_regions(graph_view g) {
  for (region const& r : g.regions)
    if (r.owner >= 0 && loop_of(g, r.owner).role == region_role::forward) return true;
  return false;
}
constexpr graph dissolve_regions(graph_view g) { return detail::region_dissolver(g, false).take(); }
constexpr graph merge_regions(graph_view g) { return detail::region_dissolver(g, true).take(); }

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// rematerialise: a sum, difference, product or the like that groups of several stages read is
// computed again in each later one (pass/schedule.hpp) instead of being stored for it, where that
// costs no more than reading it: x - mean(x), for the variance and once more for the quotient.
//   graph r = rematerialise(g);
// Needs: a verified graph. Leaves: the same values; a later stage reads one array, no larger, for the
// one that it no longer reads. Linear. Stands last: cse would merge the copies.
#pragma once

#include <weft/pass/rewriter.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {
namespace detail {

// What is computed where, as pass/schedule.hpp will have it, but for collectives: roughly, since only
// what a copy costs depends on it. Its own stages want accesses, whose strides cost a compiler more
// steps than all of this.
class rematerialiser {
public:
  constexpr explicit rematerialiser(graph_view g) : g_(g) {
    describe();
    find_stages();
    sink();
  }
  // The stage in which node i computes its operand again; -1: it reads it, as a register or stored.
  constexpr int stage_of_copy(int i, int operand) const {
    about const& a = of_.data()[operand];
    int const stage = of_.data()[i].stage;
    if (!a.cheap || a.stored || stage <= a.stage || !of_.data()[i].in_group) return -1;
    int read = -1;
    return reads_one_array(operand, read, 1) ? stage : -1;
  }
  // Does a copy of node i come with a copy of its operand?
  constexpr bool goes_along(int i, int operand) const { return !is_in_memory(i, operand); }

private:
  static constexpr int unlimited = 1 << 30;
  struct about {
    int root = -1; // what is read, through views
    int stage = 0, latest = unlimited;
    bool fusable = false, in_group = false, runs_alone = false;
    bool cheap = false, is_product = false, always_there = false;
    bool spread = false; // over what reads it: a number, or through a broadcast
    bool stored = false; // whatever is copied: an output, or read as it lies in memory
  };

  static constexpr bool is_cheap(op code) {
    return code == op::add || code == op::sub || code == op::mul || code == op::neg ||
           code == op::abs || code == op::convert;
  }
  // Raw pointers: each step counts where a compiler evaluates this.
  constexpr void describe() {
    of_.resize(g_.size());
    about* const all = of_.data();
    for (int id = 0; id < g_.size(); ++id) {
      about& a = all[id];
      node const& n = g_.nodes.first[id];
      op_kind const kind = info_of(n.code).kind;
      a.root = id;
      switch (kind) {
        case op_kind::view: {
          about const& of = all[g_.operands.first[n.first_operand]];
          a.root = of.root;
          a.spread = n.code == op::broadcast || of.spread;
          break;
        }
        case op_kind::elementwise:
          a.fusable = a.in_group = true;
          a.cheap = is_cheap(n.code);
          break;
        case op_kind::reduction: a.in_group = true; break;
        case op_kind::contraction: a.is_product = a.runs_alone = true; break;
        case op_kind::loop:
        case op_kind::move: a.runs_alone = true; break;
        default:
          a.always_there = n.code == op::parameter || n.code == op::constant || n.code == op::iota;
          a.fusable = a.in_group = is_second_word(g_, id);
          a.spread = n.code == op::iota || (n.code == op::constant && n.attribute_count == 1);
      }
      if (g_.shapes.first[n.shape].rank == 0) a.spread = true;
    }
  }
  constexpr void find_stages() {
    about* const all = of_.data();
    for (int id = 0; id < g_.size(); ++id) {
      about& a = all[id];
      if (!a.in_group && !a.runs_alone) continue;
      node const& n = g_.nodes.first[id];
      int const* const operands = g_.operands.first + n.first_operand;
      for (int k = 0; k < n.operand_count; ++k) {
        about const& operand = all[operands[k]];
        about const* from = all + operand.root;
        if (from->always_there) continue;
        if (g_.nodes.first[operand.root].code == op::get && !from->fusable)
          from = all + g_.operand(operand.root, 0);
        int const ready = from->stage + (a.in_group && operand.fusable ? 0 : 1);
        if (ready > a.stage) a.stage = ready;
      }
    }
  }
  // And what is stored.
  constexpr void sink() {
    about* const all = of_.data();
    for (int r = 0; r < g_.regions.size(); ++r)
      for (int id : g_.outputs_of(r)) all[all[id].root].stored = true;
    for (int id = g_.size() - 1; id >= 0; --id) {
      about& a = all[id];
      if (a.fusable && a.latest != unlimited && a.latest > a.stage) a.stage = a.latest;
      if (a.root != id) continue;
      node const& n = g_.nodes.first[id];
      int const* const operands = g_.operands.first + n.first_operand;
      for (int k = 0; k < n.operand_count; ++k) {
        about const& operand = all[operands[k]];
        about& root = all[operand.root];
        bool const joined = a.in_group && operand.fusable;
        if (!joined) root.stored = true;
        int const last = joined ? a.stage : a.stage - 1;
        if ((a.in_group || a.runs_alone) && last < root.latest) root.latest = last;
      }
    }
  }

  // Cheap values may be copied themselves, and are nowhere then.
  constexpr bool is_in_memory(int i, int operand) const {
    about const& a = of_.data()[operand];
    if (!a.fusable || a.stored) return true;
    return a.stage < of_.data()[i].stage && !a.cheap;
  }
  // Comes node `id` from one array at most that is as large as itself, `read`, as it lies in memory, and
  // from what is spread over it? Operands that are not in memory are cheap and come likewise.
  constexpr bool reads_one_array(int id, int& read, int levels) const {
    for (int operand : g_.operands_of(id)) {
      if (is_in_memory(id, operand)) {
        if (!may_read(id, operand, read)) return false;
      } else if (levels == 0 || !of_.data()[operand].cheap ||
                 !reads_one_array(operand, read, levels - 1)) {
        return false;
      }
    }
    return true;
  }
  constexpr bool may_read(int id, int operand, int& read) const {
    about const& a = of_.data()[operand];
    if (a.spread || read == operand) return true;
    // A product may be its epilogue's alone; an element of more bytes is more to read.
    if (read >= 0 || a.is_product || a.root != operand) return false;
    if (size_of(g_[operand].type) > size_of(g_[id].type)) return false;
    read = operand;
    return true;
  }

  graph_view g_;
  growing<about> of_{}; // each node
};

class copying_rewriter {
public:
  constexpr copying_rewriter(graph_view g, rematerialiser const& plan)
      : plan_(plan), w_(g), last_copy_(g.size(), -1) {}

  constexpr graph run() {
    graph_view const g = w_.from;
    for (int i = 0; i < g.size(); ++i) {
      node const& n = g.nodes.first[i];
      int const* const operands = g.operands.first + n.first_operand;
      bool as_it_stands = true;
      for (int k = 0; k < n.operand_count && as_it_stands; ++k)
        as_it_stands = plan_.stage_of_copy(i, operands[k]) < 0;
      int const id = as_it_stands ? w_.copy(i) : with_copies(i);
      w_.map.data()[i] = id;
    }
    return w_.finish();
  }

private:
  constexpr int with_copies(int i) {
    graph_view const g = w_.from;
    growing<int> const before = w_.mapped(g.operands_of(i));
    growing<int> after;
    for (int operand : g.operands_of(i)) {
      int const stage = plan_.stage_of_copy(i, operand);
      after.push(stage < 0 ? w_.map[operand] : copy_in(stage, operand, g[i].back));
    }
    set_operands(i, after);
    int const id = w_.copy(i);
    set_operands(i, before);
    return id;
  }
  // Node `id` once more, with what goes along. `back`: for the way back of a derivative.
  constexpr int copy_in(int stage, int id, bool back) {
    for (int c = last_copy_[id]; c >= 0; c = copies_[c].before)
      if (copies_[c].stage == stage) return copies_[c].id;
    graph_view const g = w_.from;
    if (copies_.size() > g.size() / 4) return w_.map[id]; // run/stages.hpp leaves room for some
    growing<int> const before = w_.mapped(g.operands_of(id));
    growing<int> after;
    for (int k = 0; k < before.size(); ++k) {
      int const operand = g.operand(id, k);
      after.push(plan_.goes_along(id, operand) ? copy_in(stage, operand, back) : before[k]);
    }
    set_operands(id, after);
    int const copy = w_.copy(id);
    set_operands(id, before);
    w_.result.nodes[copy].back = back;
    copies_.push({stage, copy, last_copy_[id]});
    last_copy_[id] = copies_.size() - 1;
    return copy;
  }
  constexpr void set_operands(int id, growing<int> const& to) {
    for (int k = 0; k < to.size(); ++k) w_.map[w_.from.operand(id, k)] = to[k];
  }

  struct copy_of {
    int stage, id;
    int before; // of the same node
  };
  rematerialiser const& plan_;
  rewriter w_;
  growing<copy_of> copies_{};
  growing<int> last_copy_; // of each node
};

constexpr bool has_reduction(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (is_reduction(g[id].code)) return true;
  return false;
}

} // namespace detail

// Without reductions a region's elementwise work is of one stage, or behind products.
constexpr graph rematerialise(graph_view g) {
  if (!detail::has_reduction(g)) {
    detail::rewriter w(g);
    for (int i = 0; i < g.size(); ++i) w.map[i] = w.copy(i);
    return w.finish();
  }
  return detail::copying_rewriter(g, detail::rematerialiser(g)).run();
}

} // namespace weft::inline v0

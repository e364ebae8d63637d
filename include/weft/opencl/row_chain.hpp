// SPDX-License-Identifier: BSL-1.0
// find_row_chains: which groups of a schedule are one kernel, since they walk the same rows and each
// reads what those before it computed of the same row: softmax is a maximum, a sum of exponentials
// and a quotient. A chain begins with a reduction over a row of at most 16384 elements. To it come,
// of the same or the next stage, groups over the same shape with the same or no reductions, and
// elementwise groups that do one element per row. It runs in the place of its first group.
// Values that nobody else reads are not stored: numbers of a row stay in registers; on GPUs, rows of
// at most 4096 elements stay in local memory, as do elements that several groups read.
// Needs: a graph bound to numbers, its accesses, schedule and lowered code. Leaves: what a chain
// reads is computed before its place, and of its own values only those of the same row.
#pragma once

#include <weft/op/reduction.hpp>
#include <weft/opencl/element_text.hpp>
#include <weft/opencl/step_text.hpp>
#include <weft/pass/lower.hpp>

#include <vector>

namespace weft::inline v0 {
namespace opencl {

// A row of elements kept in local memory between groups, each by the item that does it.
struct row_copy {
  access of;
  dtype type{};
  int first = 0, last = 0; // groups of the chain that have it and use it
  int slot = -1;           // of row_chain::slots; -1: there is no room
};
struct row_chain {
  extents shape;      // rows are its reduced axes
  extent reduced = 0; // axis set
  growing<int> steps; // the groups
  std::vector<row_copy> copies;
  growing<dtype> slots; // registers of a type for every element of the row

  extent length() const {
    extent n = 1;
    for (int a = 0; a < shape.rank; ++a) n *= has_axis(reduced, a) ? shape[a] : 1;
    return n;
  }
  extent rows() const {
    extent n = 1;
    for (int a = 0; a < shape.rank; ++a) n *= has_axis(reduced, a) ? 1 : shape[a];
    return n;
  }
  // Does a group of this shape walk the rows? Where rows have one element, others have the shape,
  // too: those that were lowered for one element per row, whose inner axis is not of the rows.
  bool is_walked(extents const& by, weft::kernel const& k) const {
    return by == shape && k.inner_axis >= 0 && has_axis(reduced, k.inner_axis);
  }
  // Is the element at `a` one of the row that is kept?
  row_copy const* copy_of(access const& a, dtype type) const {
    for (row_copy const& c : copies)
      if (c.slot >= 0 && c.type == type && same_elements(c.of, a, shape)) return &c;
    return nullptr;
  }
};

struct row_chains {
  std::vector<row_chain> chains;
  growing<int> runs_with; // per step: the first of its chain, or -1
  growing<bool> stored;   // per node: as in the schedule, less what only its chain reads

  row_chain const* beginning_with(int step) const {
    for (row_chain const& c : chains)
      if (c.steps[0] == step) return &c;
    return nullptr;
  }
};

} // namespace opencl

namespace detail {

class row_chain_finder {
public:
  row_chain_finder(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
                   opencl::device_traits const& on, view<int> product_of)
      : g_(g), reads_(reads), plan_(plan), code_(code), on_(on), product_of_(product_of) {}

  opencl::row_chains find() {
    chain_of_.assign(plan_.steps.size(), -1);
    for (int s = 0; s < plan_.steps.size(); ++s)
      if (plan_.steps[s].kind == step_kind::group && !is_epilogue(s) && !join(s) && begins(s))
        begin(s);
    leave_alone();
    out_.stored.assign(g_.size(), false);
    for (int id = 0; id < g_.size(); ++id) out_.stored[id] = plan_.stored[id];
    mark_outside();
    for (opencl::row_chain& c : out_.chains) {
      if (!opencl::by_items(on_)) keep_rows(c);
      forget(c);
    }
    return std::move(out_);
  }

private:
  using chain = opencl::row_chain;
  static constexpr extent longest_kept = 4096, most_local = 16 * 1024;
  static constexpr extent few_rows = 16; // if they are long, elementwise work is spread better

  weft::kernel const& kernel_of(int s) const { return code_.kernels[code_.kernel_of_step[s]]; }
  bool is_epilogue(int s) const { return !product_of_.empty() && product_of_[s] >= 0; }
  extents const& shape_of(int s) const { return g_.shapes[plan_.steps[s].shape]; }
  int place_of(int s) const { return chain_of_[s] < 0 ? s : at(chain_of_[s]).steps[0]; }
  chain& at(int c) { return out_.chains[static_cast<std::size_t>(c)]; }
  chain const& at(int c) const { return out_.chains[static_cast<std::size_t>(c)]; }
  int producer(int root) const { return step_computing(g_, plan_, root); }
  // f(place, the step that computes it) for every element that group s loads.
  template <class F> void each_load(int s, F const& f) const {
    weft::kernel const& k = kernel_of(s);
    for (instruction const& i : code_.instructions_of(k))
      if (i.kind == instruction_kind::load) {
        place const& p = code_.places_of(k)[i.place];
        f(p, producer(reads_.of[p.node].root));
      }
  }

  // Local memory for the lanes of a group's reductions, at most.
  extent lane_bytes(int s) const {
    extent bytes = 0;
    for (output const& o : code_.outputs_of(kernel_of(s)))
      if (o.reduction != op::stop_gradient) bytes += sum_lanes * 8;
    return bytes;
  }

  // ---- chains
  bool begins(int s) const {
    schedule_step const& st = plan_.steps[s];
    chain const c{shape_of(s), st.reduced, {}, {}, {}};
    weft::kernel const& k = kernel_of(s);
    return k.form == loop_form::rows && k.inner_axis >= 0 && c.rows() > 0 && c.length() > 0 &&
           c.length() <= sum_block && k.place_count <= opencl::most_buffers_on(on_) &&
           lane_bytes(s) <= on_.local_bytes;
  }
  void begin(int s) {
    chain_of_[s] = static_cast<int>(out_.chains.size());
    out_.chains.push_back({shape_of(s), plan_.steps[s].reduced, {}, {}, {}});
    out_.chains.back().steps.push(s);
  }
  // To the last of the chains that s reads, if all else that it reads is ready there.
  bool join(int s) {
    int to = -1;
    each_load(s, [&](place const&, int from) {
      if (from >= 0 && chain_of_[from] >= 0 && (to < 0 || place_of(from) > at(to).steps[0]))
        to = chain_of_[from];
    });
    if (to < 0 || !walks_rows(at(to), s)) return false;
    bool ready = true;
    each_load(s, [&](place const& p, int from) {
      if (from >= 0)
        ready = ready && (chain_of_[from] == to ? reads_own_row(at(to), s, p)
                                                : place_of(from) < at(to).steps[0]);
    });
    if (!ready) return false;
    chain_of_[s] = to;
    at(to).steps.push(s);
    return true;
  }
  bool walks_rows(chain const& c, int s) const {
    schedule_step const& st = plan_.steps[s];
    int places = kernel_of(s).place_count;
    extent lanes = lane_bytes(s);
    for (int other : c.steps) places += kernel_of(other).place_count, lanes += lane_bytes(other);
    if (st.stage > plan_.steps[c.steps.back()].stage + 1 || places > opencl::most_buffers_on(on_) ||
        lanes > on_.local_bytes)
      return false;
    if (!walks(c, s)) return st.reduced == 0 && is_per_row(c, shape_of(s));
    if (st.reduced == 0) return c.rows() >= few_rows || c.length() <= longest_kept;
    return st.reduced == c.reduced && kernel_of(s).form == loop_form::rows;
  }
  // One element per row, extents of 1 aside?
  static bool is_per_row(chain const& c, extents const& shape) {
    extents const kept = squeezed(c.shape, c.reduced);
    return squeezed(shape, 0) == kept;
  }
  static extents squeezed(extents const& shape, extent without) {
    extents r;
    for (int a = 0; a < shape.rank; ++a)
      if (shape[a] != 1 && !has_axis(without, a)) r.push(shape[a]);
    return r;
  }
  bool walks(chain const& c, int s) const { return c.is_walked(shape_of(s), kernel_of(s)); }
  // Of what the chain computes: is it an element of a row, or a row's number?
  bool is_row_element(chain const& c, int root) const {
    return !is_reduction(g_[root].code) && walks(c, producer(root));
  }
  // Does group s find at place p, which the chain computes, its own row's element or number?
  bool reads_own_row(chain const& c, int s, place const& p) const {
    access const& a = reads_.of[p.node];
    bool const in_rows = walks(c, s);
    if (is_row_element(c, a.root)) return in_rows && same_elements(a, reads_.of[a.root], c.shape);
    extents const& shape = shape_of(s);
    access const& of = reads_.of[a.root];
    bool own = a.offset == 0;
    for (int axis = 0, r = 0; axis < shape.rank; ++axis) {
      if (shape[axis] == 1) continue;
      if (in_rows && has_axis(c.reduced, axis)) own = own && a.stride[axis] == 0;
      else {
        while (g_.shape(a.root)[r] == 1) ++r;
        own = own && a.stride[axis] == of.stride[r++];
      }
    }
    return own;
  }
  void leave_alone() {
    out_.runs_with.assign(plan_.steps.size(), -1);
    std::erase_if(out_.chains, [](chain const& c) { return c.steps.size() == 1; });
    chain_of_.assign(plan_.steps.size(), -1);
    for (int c = 0; c < static_cast<int>(out_.chains.size()); ++c)
      for (int s : at(c).steps) chain_of_[s] = c, out_.runs_with[s] = at(c).steps[0];
  }

  // ---- what is stored
  int chain_computing(int root) const {
    int const s = producer(root);
    return s < 0 ? -1 : chain_of_[s];
  }
  void mark_outside() {
    outside_.assign(g_.size(), false);
    for (int id = 0; id < g_.size(); ++id)
      if (int const s = plan_.group_of[id]; s >= 0)
        for (int operand : g_.operands_of(id))
          if (int const root = reads_.of[operand].root; chain_computing(root) != chain_of_[s])
            outside_[root] = true;
    for (int r = 0; r < g_.regions.size(); ++r)
      for (int id : g_.outputs_of(r)) outside_[reads_.of[id].root] = true;
  }
  void forget(chain const& c) {
    for (int s : c.steps)
      for (int id : plan_.members_of(plan_.steps[s]))
        if (plan_.stored[id] && !outside_[id] &&
            (!is_row_element(c, id) || c.copy_of(reads_.of[id], g_[id].type) != nullptr))
          out_.stored[id] = false;
  }

  // ---- rows in local memory
  void keep_rows(chain& c) const {
    if (c.length() > longest_kept) return;
    int reductions = 0;
    for (int n = 0; n < c.steps.size(); ++n) {
      int const s = c.steps[n];
      for (int id : plan_.members_of(plan_.steps[s])) reductions += is_reduction(g_[id].code);
      if (!walks(c, s)) continue;
      each_load(s, [&](place const& p, int) { use(c, p, n); });
      for (output const& o : code_.outputs_of(kernel_of(s)))
        if (o.reduction == op::stop_gradient) use(c, code_.places_of(kernel_of(s))[o.place], n);
    }
    std::erase_if(c.copies, [](opencl::row_copy const& x) { return x.first == x.last; });
    extent const lanes = reductions * sum_lanes * 8;
    take_slots(c, on_.local_bytes - lanes < most_local ? on_.local_bytes - lanes : most_local);
  }
  void use(chain& c, place const& p, int n) const {
    access const& a = reads_.of[p.node];
    bool varies = false;
    for (int axis = 0; axis < c.shape.rank; ++axis)
      varies |= has_axis(c.reduced, axis) && c.shape[axis] != 1 && a.stride[axis] != 0;
    if (!varies) return;
    for (opencl::row_copy& x : c.copies)
      if (x.type == p.type && same_elements(x.of, a, c.shape)) {
        x.last = n;
        return;
      }
    c.copies.push_back({a, p.type, n, n, -1});
  }
  // A slot is free for the group that uses its row last: that loads before it keeps.
  static void take_slots(chain& c, extent room) {
    growing<int> busy;
    for (opencl::row_copy& x : c.copies) {
      dtype const held = opencl::held_as(x.type);
      for (int i = 0; i < busy.size() && x.slot < 0; ++i)
        if (busy[i] <= x.first && c.slots[i] == held) x.slot = i;
      extent const bytes = size_of(held) * slot_length(c);
      if (x.slot < 0 && bytes <= room) {
        room -= bytes;
        x.slot = c.slots.size();
        c.slots.push(held);
        busy.push(0);
      }
      if (x.slot >= 0) busy[x.slot] = x.last;
    }
  }

public:
  // Few distinct lengths, so that rows of other lengths are the same text.
  static extent slot_length(chain const& c) {
    extent n = sum_lanes;
    while (n < c.length()) n *= 2;
    return n;
  }

private:
  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
  lowered_view code_;
  opencl::device_traits const& on_;
  view<int> product_of_; // per step: the contraction that computes it, or -1; empty: none
  opencl::row_chains out_;
  growing<int> chain_of_; // per step
  growing<bool> outside_; // per node: somebody else reads it
};

} // namespace detail

namespace opencl {
// `product_of`: per step, the product whose epilogue it is (pass/epilogue.hpp), or -1; empty: none.
inline row_chains find_row_chains(graph_view g, accesses const& reads, schedule_view plan,
                                  lowered_view code, device_traits const& on,
                                  view<int> product_of = {}) {
  return weft::detail::row_chain_finder(g, reads, plan, code, on, product_of).find();
}
} // namespace opencl
} // namespace weft::inline v0

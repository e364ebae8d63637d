// SPDX-License-Identifier: BSL-1.0
// Loops whose rows never meet (pass/loop_rows.hpp), shared among threads by rows: each thread takes its
// rows through all turns and waits for nobody, where sharing step by step would wake and wait for
// threads at every step of every turn, for some microseconds of work. Steps in which rows meet follow,
// turn by turn.
//   loop_sharing sharing;   sharing.begin(&shared_loops::code, steps, joined, threads);
// Needs: nests in bytes; a memory plan in which the values of such bodies, and the scratch of their
// steps, lie apart, as threads are at different turns and steps. Leaves: the same kernels and products
// on the same elements: the same bits on any number of threads; run() allocates nothing.
#pragma once

#include <weft/cpu/joined_steps.hpp>
#include <weft/cpu/program_steps.hpp>
#include <weft/pass/run_loop.hpp>

namespace weft::inline v0 {
namespace cpu {

// A product of such a body: its form of each part's rows, and how far a row is in each array.
struct product_parts {
  growing<product_form> forms; // per part
  places row;                  // elements
  extent scratch_each = 0;
};
// Some rows of a loop, and where the values of its turn are.
struct loop_part {
  extent first = 0, last = 0;
  growing<extents> shapes; // the graph's, of so many rows
  growing<std::intptr_t> address, places;
  loop_state<std::byte*> state;
  extent epilogues_run = 0;
};
struct shared_loop {
  loop_rows by;
  extent work = 0;      // of all turns
  extent most_work = 0; // of a step
  growing<product_parts> products;
  growing<loop_part> parts;
  growing<int> product_of; // per step of the body, from its first one on; -1: none
  int first_step = 0;

  product_parts const& product(int s) const { return products[product_of[s - first_step]]; }
};

} // namespace cpu

namespace detail {

// The engine (pass/run_loop.hpp) of one part.
struct part_runner {
  using address = std::byte*;
  cpu::program_steps const& steps;
  cpu::shared_loop const& loop;
  cpu::loop_part& own;
  int number;             // of the part
  cpu::step_clock& clock; // stands for the first part
  cpu::executor_ref const& alone;

  address moved(address a, extent bytes) const { return a + bytes; }
  address dense(int s, int id) const { return steps.dense(s, id, values()); }
  address loop_scratch(int s) const { return steps.loop_scratch(s); }
  address of(int id) const { return reinterpret_cast<address>(own.address[id]); }
  void put(int id, address a) { own.address[id] = reinterpret_cast<std::intptr_t>(a); }
  void copy_bytes(address to, address from, extent bytes) const {
    extent const row = bytes / loop.by.rows;
    if (row > 0) std::memcpy(to + own.first * row, from + own.first * row, size(row));
  }
  void fill_zeros(address, extent) const {}     // asked by branches
  bool is_true(address) const { return false; } // and by loops with a condition
  void copy_value(int id, address to) const {
    cpu::value_reader const from = values();
    extents shape = from.g.shape(id);
    extents const step = from.strides(id), dense_step = row_major_strides(shape);
    int const axis = loop_rows_finder::outermost(shape);
    shape[axis] = own.last - own.first;
    int const bytes = size_of(from.g[id].type);
    cpu::copy(bytes, shape, from.memory_of(id) + own.first * step[axis] * bytes, step,
              to + own.first * dense_step[axis] * bytes, dense_step);
  }
  bool takes(int output) const { return !loop.by.output_in_rest[output]; }
  void run_region(int) {
    for (int s : loop.by.steps)
      if (number > 0) run_step(s);
      else clock.measure(s, [&] { run_step(s); });
  }

private:
  std::size_t size(extent row) const {
    return static_cast<std::size_t>((own.last - own.first) * row);
  }
  cpu::value_reader values() const { return {steps.g, steps.reads, own.address}; }

  void run_step(int s) {
    switch (steps.code.plan.steps[s].kind) {
      case step_kind::contraction: return run_product(s);
      case step_kind::move: return run_move(s);
      default:
        if (steps.epilogues.product_of(s) < 0) run_group(s);
    }
  }
  void run_group(int s) {
    cpu::group_call const call = steps.call_of(s, own.address, own.places);
    bool const by_lines = call.code.form == loop_form::rows;
    extent const inner = call.nest.inner.length;
    extent const row = call.nest.outer_count * (by_lines ? 1 : inner) / loop.by.rows;
    if (by_lines) call.run({own.first * row, own.last * row, 0, inner});
    else call.elements(own.first * row, own.last * row);
  }
  // Of arrays that begin with the part's first row.
  void run_move(int s) {
    int const id = steps.code.plan.steps[s].node;
    move_addresses(id, own.first);
    cpu::value_reader here = values();
    here.g.shapes = own.shapes;
    auto* const out = reinterpret_cast<std::byte*>(own.address[id]);
    if (count_of(here.g.shape(id)) > 0) steps.code.moves[s]->run(here, id, out, {}, alone);
    move_addresses(id, -own.first);
  }
  void move_addresses(int id, extent by) {
    int const axis = loop_rows_finder::outermost(steps.g.shape(id));
    own.address[id] += by * row_major_strides(steps.g.shape(id))[axis] * size_of(steps.g[id].type);
    int const count = steps.g[id].code == op::pad ? 1 : steps.g[id].operand_count;
    for (int k = 0; k < count; ++k) {
      int const x = steps.g.operand(id, k);
      access const& a = steps.reads.of[x];
      bool is_first = true; // of this root
      for (int j = 0; j < k; ++j)
        is_first = is_first && steps.reads.of[steps.g.operand(id, j)].root != a.root;
      if (is_first) own.address[a.root] += by * a.stride[axis] * size_of(steps.g[x].type);
    }
  }
  void run_product(int s) {
    cpu::epilogue_steps::epilogue const* const e = steps.epilogues.of(s);
    if (e == nullptr) return multiply(s, {});
    own.epilogues_run += steps.with_epilogue(
        *e, own.address, own.places, [&](cpu::epilogue_ref after) { multiply(s, after); },
        [&] { run_group(e->group); });
  }
  void multiply(int s, cpu::epilogue_ref after) const {
    cpu::product_parts const& p = loop.product(s);
    steps.multiply(s, p.forms[number], p.row * own.first, values(),
                   steps.scratch_of(s).part(number, p.scratch_each), alone, after);
  }
};

} // namespace detail

namespace cpu {

class shared_loops {
public:
  static loop_sharing_code const code;

private:
  WEFT_COLD shared_loops(program_steps const& steps, joined_steps const& joined, int threads)
      : steps_(steps) {
    schedule_view const plan = steps.code.plan;
    loop_rows_finder finder(steps.g, steps.reads, plan, steps.code.code, steps.products);
    for (int s = 0; s < plan.steps.size(); ++s) {
      if (plan.steps[s].kind != step_kind::loop) continue;
      int const body = steps.g[plan.steps[s].node].body;
      if (any_joined(body, joined)) continue;
      loop_rows const rows = best_rows(finder, s);
      if (rows.rows == 0) continue;
      if (of_step_.empty()) {
        of_step_.assign(plan.steps.size(), -1);
        scratch_.assign(plan.steps.size(), 0);
        apart_.assign(steps.g.regions.size(), false);
      }
      of_step_[s] = list_.size();
      apart_[body] = true;
      list_.push({});
      list_.back().by = rows;
      describe(list_.back(), s, threads);
    }
  }
  WEFT_COLD bool any_joined(int body, joined_steps const& joined) const {
    schedule_view const plan = steps_.code.plan;
    for (int s = plan.first_step[body]; s < plan.first_step[body + 1]; ++s)
      if (joined.place_of(s) >= 0) return true;
    return false;
  }
  // The rows of one of its outputs, by which most of the work goes; epilogues with their products.
  WEFT_COLD loop_rows best_rows(loop_rows_finder& finder, int s) const {
    growing<extent> tried;
    for (int out : steps_.g.outputs_of(steps_.g[steps_.code.plan.steps[s].node].body)) {
      extent const rows = loop_rows_finder::rows_in(steps_.g.shape(out));
      bool is_new = rows > 1;
      for (extent other : tried) is_new = is_new && other != rows;
      if (!is_new) continue;
      tried.push(rows);
      loop_rows found = finder.of(s, rows);
      bool without = false; // is a product not to be cut, or its epilogue not with it?
      for (int t : found.steps) {
        contraction_code const* const c = steps_.code.contractions[t];
        without = without || (c != nullptr && !c->takes_parts);
        if (epilogue_steps::epilogue const* const e = steps_.epilogues.of(t))
          for (int behind : found.rest) without = without || behind == e->group;
      }
      if (found.rows > 0 && !without && work_of(found.steps) >= 3 * work_of(found.rest))
        return found;
    }
    return {};
  }
  WEFT_COLD void describe(shared_loop& l, int s, int threads) {
    int const id = steps_.code.plan.steps[s].node;
    int places = 0;
    for (kernel const& k : steps_.code.code.kernels)
      if (k.place_count > places) places = k.place_count;
    extent const rows = l.by.rows,
                 count = rows / least_rows < threads ? rows / least_rows : threads;
    bool with_moves = false;
    for (int t : l.by.steps)
      with_moves = with_moves || steps_.code.plan.steps[t].kind == step_kind::move;
    for (extent n = 0, parts = count < 2 ? 2 : count; n < parts; ++n) {
      l.parts.push({});
      loop_part& p = l.parts.back();
      p.first = rows * n / parts;
      p.last = rows * (n + 1) / parts;
      for (extents shape : with_moves ? steps_.g.shapes : view<extents>()) {
        if (loop_rows_finder::rows_in(shape) == rows)
          shape[loop_rows_finder::outermost(shape)] = p.last - p.first;
        p.shapes.push(shape);
      }
      p.address.assign(steps_.g.size() + 1, 0);
      p.places.assign(places, 0);
      p.state = {steps_.g, id};
    }
    int const body = steps_.g[id].body;
    l.first_step = steps_.code.plan.first_step[body];
    l.product_of.assign(steps_.code.plan.first_step[body + 1] - l.first_step, -1);
    l.work = work_of(l.by.steps) * loop_of(steps_.g, id).length;
    for (int t : l.by.steps) {
      if (extent const work = work_of(t); work > l.most_work) l.most_work = work;
      if (steps_.code.plan.steps[t].kind == step_kind::contraction) add_product(l, t);
    }
  }
  extent work_of(growing<int> const& steps) const {
    extent all = 0;
    for (int t : steps) all += work_of(t);
    return all;
  }
  WEFT_COLD extent work_of(int s) const {
    schedule_step const& step = steps_.code.plan.steps[s];
    if (step.kind == step_kind::contraction) return detail::work_of(steps_.products[s]);
    if (step.kind != step_kind::group) return count_of(steps_.g.shape(step.node));
    int const index = steps_.code.code.kernel_of_step[s];
    return detail::work_of(steps_.code.code.kernels[index], steps_.nests[index]);
  }
  WEFT_COLD void add_product(shared_loop& l, int s) {
    product_form const& p = steps_.products[s];
    extent const count = count_of(steps_.g.shape(steps_.code.plan.steps[s].node));
    row_axis const rows = row_axis_of(p, count, l.by.rows);
    l.product_of[s - l.first_step] = l.products.size();
    l.products.push({});
    product_parts& r = l.products.back();
    r.row = rows.in(p).stride * rows.each;
    for (loop_part const& part : l.parts) {
      r.forms.push(p);
      product_axes& some = r.forms.back().*rows.axes = {};
      for (int i = 0; i < (p.*rows.axes).rank; ++i) {
        product_axis d = (p.*rows.axes).d[i];
        if (i == rows.axis) d.size = (part.last - part.first) * rows.each;
        some.push(d);
      }
      extent const bytes = steps_.code.contractions[s]->scratch_bytes(r.forms.back(), 1);
      if (bytes > r.scratch_each) r.scratch_each = bytes;
    }
    r.scratch_each = aligned_bytes(r.scratch_each);
    scratch_[s] = r.scratch_each * l.parts.size();
  }

  static shared_loops const& of(void const* self) {
    return *static_cast<shared_loops const*>(self);
  }
  loop_rows const* run(int s, growing<std::intptr_t> const& address, step_clock& clock,
                       extent& epilogues, executor_ref const& on) {
    if (of_step_.empty() || of_step_[s] < 0) return nullptr;
    shared_loop& l = list_[of_step_[s]];
    bool const by_steps = threads_for(on, l.most_work) > 1 && l.parts.size() < on.threads();
    if (threads_for(on, l.work) == 1 || by_steps) return nullptr;
    on.parallel_for(l.parts.size(), [&](int number, int) {
      loop_part& own = l.parts[number];
      for (int i = 0; i < address.size(); ++i) own.address[i] = address[i];
      own.epilogues_run = 0;
      serial here;
      executor_ref const alone(here, steps_.code.lanes);
      detail::part_runner runner{steps_, l, own, number, clock, alone};
      run_loop(runner, steps_.g, steps_.memory, s, steps_.code.plan.steps[s].node, own.state);
    });
    epilogues += l.parts[0].epilogues_run;
    return &l.by;
  }

  // Fewer rows take a step about as long: it waits for the matrix that they share.
  static constexpr extent least_rows = 4;
  program_steps const& steps_;
  growing<shared_loop> list_;
  growing<int> of_step_;    // per step, if there is any
  growing<extent> scratch_; // per step
  growing<bool> apart_;     // per region
};
inline constexpr loop_sharing_code shared_loops::code{
    [](program_steps const& steps, joined_steps const& joined, int threads) -> void* {
      return threads < 2 ? nullptr : new shared_loops(steps, joined, threads);
    },
    [](void* self) { delete static_cast<shared_loops*>(self); },
    [](void const* self) -> view<bool> { return of(self).apart_; },
    [](void const* self, int s) { return of(self).scratch_.empty() ? 0 : of(self).scratch_[s]; },
    [](void* self, int s, growing<std::intptr_t> const& address, step_clock& clock,
       extent& epilogues, executor_ref const& on) {
      return static_cast<shared_loops*>(self)->run(s, address, clock, epilogues, on);
    }};

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Loops whose rows never meet (pass/loop_rows.hpp), shared among threads by rows: each thread takes its
// rows through all turns and waits for nobody, where sharing step by step would wake and wait for
// threads at every step of every turn, for some microseconds of work. Steps in which rows meet follow,
// turn by turn.
//   shared_loops shared(g, reads, code, nests, products, joined, threads);
//   shared.are_apart()[region]   shared.scratch_bytes(step)
//   if (auto* l = shared.worth(loop_step, on)) shared.run(*l, steps, ...);   // then l->rest
// Needs: nests in bytes; a memory plan in which the values of such bodies, and the scratch of their
// steps, lie apart, as threads are at different turns and steps. Leaves: the same kernels and products
// on the same elements: the same bits on any number of threads; run() allocates nothing.
#pragma once

#include <weft/cpu/joined_steps.hpp>
#include <weft/cpu/program_steps.hpp>
#include <weft/pass/loop_rows.hpp>
#include <weft/pass/run_loop.hpp>

namespace weft::inline v0 {
namespace cpu {

// A product of such a body: its form of each part's rows, and how far a row is in each array.
struct row_product {
  int step = -1;
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
struct shared_loop : rows_of_loop {
  int step = -1;
  extent work = 0;      // of all turns
  extent most_work = 0; // of a step
  growing<row_product> products;
  growing<loop_part> parts;

  row_product const& product(int s) const {
    int i = 0;
    while (products[i].step != s) ++i;
    return products[i];
  }
};

} // namespace cpu

namespace detail {

// The engine (pass/run_loop.hpp) of one part. Source: dense(operand of the loop), scratch_of(step),
// loop_scratch(): memory of the engine that runs the loop.
template <class Source> struct part_runner {
  using address = std::byte*;
  cpu::program_steps const& steps;
  Source const& source;
  cpu::shared_loop const& loop;
  cpu::loop_part& own;
  int number;             // of the part
  cpu::step_clock& clock; // stands for the first part
  cpu::executor_ref const& alone;

  address moved(address a, extent bytes) const { return a + bytes; }
  address dense(int, int id) const { return source.dense(id); }
  address loop_scratch(int) const { return source.loop_scratch(); }
  address of(int id) const { return reinterpret_cast<address>(own.address[id]); }
  void put(int id, address a) { own.address[id] = reinterpret_cast<std::intptr_t>(a); }
  void copy_bytes(address to, address from, extent bytes) const {
    extent const row = bytes / loop.rows;
    if (row > 0) std::memcpy(to + own.first * row, from + own.first * row, size(row));
  }
  void fill_zeros(address to, extent bytes) const {
    extent const row = bytes / loop.rows;
    if (row > 0) std::memset(to + own.first * row, 0, size(row));
  }
  void copy_value(int id, address to) const {
    cpu::value_reader const from = values();
    extents shape = from.g.shape(id);
    extents const step = from.strides(id), dense_step = row_major_strides(shape);
    int axis = 0;
    while (shape[axis] == 1) ++axis;
    shape[axis] = own.last - own.first;
    int const bytes = size_of(from.g[id].type);
    cpu::copy(bytes, shape, from.memory_of(id) + own.first * step[axis] * bytes, step,
              to + own.first * dense_step[axis] * bytes, dense_step);
  }
  bool is_true(address) const { return false; } // asked by loops with a condition
  bool takes(int output) const { return !loop.in_rest[output]; }
  void run_region(int) {
    for (int s : loop.steps)
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
    extent const row = call.nest.outer_count * (by_lines ? 1 : inner) / loop.rows;
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
    if (own.last > own.first && count_of(here.g.shape(id)) > 0)
      steps.code.moves[s]->run(here, id, out, {}, alone);
    move_addresses(id, -own.first);
  }
  void move_addresses(int id, extent by) {
    int const axis = loop_rows::outermost(steps.g.shape(id));
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
    int const id = steps.code.plan.steps[s].node;
    cpu::row_product const& p = loop.product(s);
    bool const starts = contraction_of(steps.g, id).has_start;
    cpu::value_reader const from = values();
    steps.multiply(s, p.forms[number], p.row * own.first, from,
                   starts ? from.memory_of(steps.g.operand(id, 2)) : nullptr,
                   source.scratch_of(s).part(number, p.scratch_each), alone, after);
  }
};

} // namespace detail

namespace cpu {

class shared_loops {
public:
  shared_loops() = default;
  shared_loops(graph_view g, accesses const& reads, program_code const& code,
               growing<loop_nest> const& nests, growing<product_form> const& products,
               epilogue_steps const& epilogues, joined_steps const& joined, int threads) {
    if (threads < 2) return;
    loop_rows finder(g, reads, code.plan, code.code, products);
    for (int s = 0; s < code.plan.steps.size(); ++s) {
      if (code.plan.steps[s].kind != step_kind::loop) continue;
      int const body = g[code.plan.steps[s].node].body;
      if (any_joined(code.plan, body, joined)) continue;
      rows_of_loop const rows = best_rows(finder, g, code, nests, products, epilogues, s);
      if (rows.rows == 0) continue;
      if (of_step_.empty()) {
        of_step_.assign(code.plan.steps.size(), -1);
        scratch_.assign(code.plan.steps.size(), 0);
        apart_.assign(g.regions.size(), false);
      }
      of_step_[s] = list_.size();
      apart_[body] = true;
      list_.push({});
      static_cast<rows_of_loop&>(list_.back()) = rows;
      describe(list_.back(), g, code, nests, products, s, threads);
    }
  }

  // Per region; empty: in none. Do all its values and its steps' scratch need memory of their own?
  view<bool> are_apart() const { return apart_; }
  extent scratch_bytes(int s) const { return scratch_.empty() ? 0 : scratch_[s]; }

  view<shared_loop> all() const { return list_; }
  // The loop of step s, if its rows are to be shared among these threads.
  shared_loop* worth(int s, executor_ref const& on) {
    if (of_step_.empty() || of_step_[s] < 0) return nullptr;
    shared_loop& l = list_[of_step_[s]];
    bool const by_steps = threads_for(on, l.most_work) > 1 && l.parts.size() < on.threads();
    return threads_for(on, l.work) == 1 || by_steps ? nullptr : &l;
  }
  // Returns how many epilogues have run. `clock` is told what the first part's steps take.
  template <class Source>
  extent run(shared_loop& l, program_steps const& steps, growing<std::intptr_t> const& address,
             memory_plan const& memory, Source const& source, step_clock& clock,
             executor_ref const& on) const {
    int const id = steps.code.plan.steps[l.step].node;
    on.parallel_for(l.parts.size(), [&](int number, int) {
      loop_part& own = l.parts[number];
      for (int i = 0; i < address.size(); ++i) own.address[i] = address[i];
      own.epilogues_run = 0;
      serial here;
      executor_ref const alone(here, steps.code.lanes);
      detail::part_runner<Source> runner{steps, source, l, own, number, clock, alone};
      run_loop(runner, steps.g, memory, l.step, id, own.state);
    });
    return l.parts[0].epilogues_run;
  }

private:
  static bool any_joined(schedule_view plan, int body, joined_steps const& joined) {
    for (int s = plan.first_step[body]; s < plan.first_step[body + 1]; ++s)
      if (joined.place_of(s) >= 0) return true;
    return false;
  }
  // The rows of one of its outputs, by which most of the work goes; epilogues with their products.
  static rows_of_loop best_rows(loop_rows& finder, graph_view g, program_code const& code,
                                growing<loop_nest> const& nests,
                                growing<product_form> const& products,
                                epilogue_steps const& epilogues, int s) {
    auto const work = [&](growing<int> const& steps) {
      extent all = 0;
      for (int t : steps) all += work_of(nests, products, code, g, t);
      return all;
    };
    growing<extent> tried;
    for (int out : g.outputs_of(g[code.plan.steps[s].node].body)) {
      extent const rows = loop_rows::rows_in(g.shape(out));
      bool is_new = rows > 1;
      for (extent other : tried) is_new = is_new && other != rows;
      if (!is_new) continue;
      tried.push(rows);
      rows_of_loop found = finder.of(s, rows);
      bool apart = false; // a product and its epilogue
      for (int t : found.rest)
        apart = apart || epilogues.of(t) != nullptr || epilogues.product_of(t) >= 0;
      if (found.rows > 0 && !apart && work(found.steps) >= 3 * work(found.rest)) return found;
    }
    return {};
  }
  void describe(shared_loop& l, graph_view g, program_code const& code,
                growing<loop_nest> const& nests, growing<product_form> const& products, int s,
                int threads) {
    int const id = code.plan.steps[s].node;
    extent const rows = l.rows;
    l.step = s;
    int places = 0;
    for (kernel const& k : code.code.kernels)
      if (k.place_count > places) places = k.place_count;
    extent const count = rows / least_rows < threads ? rows / least_rows : threads;
    for (extent n = 0, parts = count < 2 ? 2 : count; n < parts; ++n) {
      l.parts.push({});
      l.parts.back().first = rows * n / parts;
      l.parts.back().last = rows * (n + 1) / parts;
      for (extents shape : g.shapes) {
        if (loop_rows::rows_in(shape) == rows)
          shape[loop_rows::outermost(shape)] = l.parts.back().last - l.parts.back().first;
        l.parts.back().shapes.push(shape);
      }
      l.parts.back().address.assign(g.size() + 1, 0);
      l.parts.back().places.assign(places, 0);
      l.parts.back().state = {g, id};
    }
    for (int t : l.steps) {
      extent const work = work_of(nests, products, code, g, t);
      l.work += work * loop_of(g, id).length;
      if (work > l.most_work) l.most_work = work;
      if (code.plan.steps[t].kind == step_kind::contraction)
        add_product(l, g, code, products[t], t);
    }
  }
  static extent work_of(growing<loop_nest> const& nests, growing<product_form> const& products,
                        program_code const& code, graph_view g, int s) {
    schedule_step const& step = code.plan.steps[s];
    if (step.kind == step_kind::contraction) return detail::work_of(products[s]);
    if (step.kind != step_kind::group) return count_of(g.shape(step.node));
    int const index = code.code.kernel_of_step[s];
    loop_nest const& l = nests[index];
    kernel const& k = code.code.kernels[index];
    bool const rows = k.form == loop_form::rows;
    return l.outer_count * l.reduced_count * (rows ? 1 : l.inner.length) * k.work;
  }
  void add_product(shared_loop& l, graph_view g, program_code const& code, product_form const& p,
                   int s) {
    product_rows const rows = product_rows_of(p, count_of(g.shape(code.plan.steps[s].node)),
                                              l.rows);
    row_product r;
    r.step = s;
    r.row = rows.in(p).stride * rows.each;
    for (loop_part const& part : l.parts) {
      r.forms.push(p);
      (r.forms.back().*rows.axes).d[rows.axis].size = (part.last - part.first) * rows.each;
      extent const bytes = code.contractions[s]->scratch_bytes(r.forms.back(), 1);
      if (bytes > r.scratch_each) r.scratch_each = bytes;
    }
    r.scratch_each = aligned_bytes(r.scratch_each);
    scratch_[s] = r.scratch_each * l.parts.size();
    l.products.push(std::move(r));
  }

  // Fewer rows take a step about as long: it waits for the matrix that they share.
  static constexpr extent least_rows = 4;
  growing<shared_loop> list_;
  growing<int> of_step_;    // per step, if there is any
  growing<extent> scratch_; // per step
  growing<bool> apart_;     // per region
};

} // namespace cpu
} // namespace weft::inline v0

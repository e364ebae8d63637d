// SPDX-License-Identifier: BSL-1.0
// program_steps: how a program's groups and products are run where given addresses say: those of an
// engine, or of one part of a loop's rows (cpu/shared_loops.hpp).
//   program_steps steps{g, reads, code, nests, products, epilogues, held, memory, base, arena};
//   steps.scratch_of(s)   steps.dense(s, operand, values)
//   steps.call_of(s, address, places).run(on);
//   steps.multiply(s, form, shift, values, scratch, on, after);
//   steps.with_epilogue(s, address, places, compute, group);   // compute(after); or compute({}), group()
// loop_sharing: an engine's loops, where they are shared by rows (cpu/shared_loops.hpp).
// Needs: nests in bytes; address: per node; places: room for those of any kernel. Leaves: nothing
// allocated.
#pragma once

#include <weft/cpu/epilogue.hpp>
#include <weft/cpu/group_call.hpp>
#include <weft/cpu/held_operands.hpp>
#include <weft/cpu/program_code.hpp>
#include <weft/cpu/value_reader.hpp>
#include <weft/pass/loop_rows.hpp>

namespace weft::inline v0 {
namespace cpu {

// What steps take, while somebody wants to know: nothing is asked of a null clock.
struct step_time {
  std::int64_t ticks = 0, runs = 0;
};
struct step_clock {
  std::int64_t (*now)() = nullptr;
  growing<step_time> times; // by step

  template <class Function> void measure(int s, Function const& f) {
    if (now == nullptr) return f();
    std::int64_t const before = now();
    f();
    times[s].ticks += now() - before;
    ++times[s].runs;
  }
};

struct program_steps {
  using addresses = growing<std::intptr_t>;
  graph_view g;
  accesses const& reads;
  program_code const& code;
  growing<loop_nest> const& nests;
  growing<product_form> const& products;
  epilogue_steps const& epilogues;
  held_operands const& held;
  memory_plan const& memory;
  growing<extent> const& base; // per region: where its part of the arena starts
  std::byte* const& arena;

  std::byte* arena_at(int region, extent offset) const { return arena + base[region] + offset; }
  scratch scratch_of(int s) const {
    step_memory const& m = memory.steps[s];
    return {arena_at(code.plan.steps[s].region, m.scratch), m.scratch_bytes};
  }
  // A loop's own, behind the arena of its body.
  std::byte* loop_scratch(int s) const {
    return scratch_of(s).memory +
           aligned_bytes(memory.region_bytes[g[code.plan.steps[s].node].body]);
  }
  // A dense operand of step s: itself, or the copy that was made of it.
  std::byte* dense(int s, int id, value_reader const& values) const {
    step_memory const& m = memory.steps[s];
    for (dense_copy const& c : memory.copies.part(m.first_copy, m.copy_count))
      if (c.node == id) return arena_at(code.plan.steps[s].region, c.offset);
    return values.memory_of(id);
  }

  group_call call_of(int s, addresses const& of_nodes, addresses& of_places) const {
    int const index = code.code.kernel_of_step[s];
    kernel const& k = code.code.kernels[index];
    loop_nest const& l = nests[index];
    int const* const roots = l.roots.data();
    extent const* const offsets = l.offsets.data();
    std::intptr_t const* const address = of_nodes.data();
    std::intptr_t* const places = of_places.data();
    WEFT_SHORT_LOOP
    for (int p = 0; p < k.place_count; ++p)
      places[p] = address[roots[p]] + static_cast<std::intptr_t>(offsets[p]);
    return {k, l, code.kernels[index], places};
  }

  // The product of step s, or the part of it that `form` is, whose first element lies `shift` elements
  // behind its arrays'.
  void multiply(int s, product_form const& form, places const& shift, value_reader const& values,
                scratch own, executor_ref const& on, epilogue_ref after) const {
    int const id = code.plan.steps[s].node;
    bool const has_start = contraction_of(g, id).has_start;
    int const at_bias = has_start ? 3 : 2;
    auto const of = [&](int k, extent elements) {
      int const x = g.operand(id, k);
      return values.memory_of(x) + elements * size_of(g[x].type);
    };
    std::byte* const bias = g[id].operand_count > at_bias ? of(at_bias, shift.bias) : nullptr;
    std::byte* const out = reinterpret_cast<std::byte*>(values.address[id]) +
                           shift.out * size_of(g[id].type);
    std::byte* start = nullptr;
    if (int const x = has_start ? g.operand(id, 2) : -1; x >= 0)
      start = dense(s, x, values) + shift.out * size_of(g[x].type);
    epilogue_ref const told = after.moved(shift.out);
    if (held_operands::operand const* const h = held.of(s)) {
      std::byte* const a = values.memory_of(h->other) + shift.a * size_of(g[h->other].type);
      return h->code->run(form, a, h->memory, out, start, bias, own, on, told);
    }
    std::byte* const a = of(0, form.swapped ? shift.b : shift.a);
    std::byte* const b = of(1, form.swapped ? shift.a : shift.b);
    code.contractions[s]->run(form, a, b, out, start, bias, own, on, told);
  }

  // A product, and its epilogue as it goes, memory permitting: if not, behind it. Returns whether it
  // did. The product may lie in a result's memory meanwhile.
  template <class Compute, class Group>
  bool with_epilogue(epilogue_steps::epilogue const& e, addresses& of_nodes, addresses& of_places,
                     Compute const& compute, Group const& group) const {
    int const id = code.plan.steps[e.product].node;
    kernel const& k = code.code.kernels[code.code.kernel_of_step[e.group]];
    view<place> const places = code.code.places_of(k);
    memory_ranges const ranges(g, reads, of_nodes);
    if (!ranges.apart(id, places, code.code.outputs_of(k))) {
      compute(epilogue_ref());
      group();
      return false;
    }
    std::intptr_t const product = of_nodes[id];
    if (e.place >= 0 && ranges.apart_from_reads(e.place, id, places))
      of_nodes[id] = of_nodes[e.place];
    group_call const call = call_of(e.group, of_nodes, of_places);
    auto const after = [&call](finished_part const& part) { call.finished(part); };
    compute(epilogue_ref(after));
    of_nodes[id] = product;
    return true;
  }
};

// What an engine asks of who runs its loops row by row (cpu/shared_loops.hpp). Pointers, and no virtual
// functions: programs without loops have none, and g++ would compile for them what it guesses to be
// called.
struct loop_sharing_code {
  void* (*make)(program_steps const&, joined_steps const&, int threads); // null: nothing is shared
  void (*drop)(void*);
  // Per region; empty: in none. Do all its values and its steps' scratch need memory of their own?
  view<bool> (*are_apart)(void const*);
  extent (*scratch_bytes)(void const*, int step);
  // The loop of a step row by row, its operands dense, and what is left to be done turn by turn. Null:
  // it is not to be shared. The clock is told what the first part's steps take, and how many epilogues
  // ran is added.
  loop_rows const* (*run)(void*, int loop_step, growing<std::intptr_t> const& address, step_clock&,
                          extent& epilogues, executor_ref const&);
};
class loop_sharing {
public:
  loop_sharing() = default;
  loop_sharing(loop_sharing const&) = delete;
  loop_sharing& operator=(loop_sharing const&) = delete;
  ~loop_sharing() {
    if (self_ != nullptr) code_->drop(self_);
  }
  // Once. `code`: null if there are no loops.
  void begin(loop_sharing_code const* code, program_steps const& steps, joined_steps const& joined,
             int threads) {
    code_ = code;
    if (code != nullptr) self_ = code->make(steps, joined, threads);
  }
  // Of loops that may be shared by rows.
  int count() const {
    int bodies = 0;
    for (bool is : are_apart()) bodies += is;
    return bodies;
  }
  view<bool> are_apart() const { return self_ != nullptr ? code_->are_apart(self_) : view<bool>(); }
  extent scratch_bytes(int step) const {
    return self_ != nullptr ? code_->scratch_bytes(self_, step) : 0;
  }
  loop_rows const* run(int loop_step, growing<std::intptr_t> const& address, step_clock& clock,
                       extent& epilogues, executor_ref const& on) {
    return self_ != nullptr ? code_->run(self_, loop_step, address, clock, epilogues, on) : nullptr;
  }

private:
  loop_sharing_code const* code_ = nullptr;
  void* self_ = nullptr;
};

} // namespace cpu
} // namespace weft::inline v0

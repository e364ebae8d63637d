// SPDX-License-Identifier: BSL-1.0
// program_steps: how a program's groups and products are run where given addresses say: those of an
// engine, or of one part of a loop's rows (cpu/shared_loops.hpp).
//   program_steps steps{g, reads, code, nests, products, epilogues, held};
//   steps.call_of(s, address, places).run(on);
//   steps.multiply(s, form, shift, values, start, scratch, on, after);
//   steps.with_epilogue(s, address, places, compute, group);   // compute(after); or compute({}), group()
// Needs: nests in bytes; address: per node; places: room for those of any kernel. Leaves: nothing
// allocated.
#pragma once

#include <weft/cpu/epilogue.hpp>
#include <weft/cpu/group_call.hpp>
#include <weft/cpu/held_operands.hpp>
#include <weft/cpu/program_code.hpp>

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
  // behind its arrays'. `start`: of the whole product, or null.
  void multiply(int s, product_form const& form, places const& shift, value_reader const& values,
                std::byte* start, scratch memory, executor_ref const& on,
                epilogue_ref after) const {
    int const id = code.plan.steps[s].node, at_bias = start != nullptr ? 3 : 2;
    auto const of = [&](int k, extent elements) {
      int const x = g.operand(id, k);
      return values.memory_of(x) + elements * size_of(g[x].type);
    };
    std::byte* const bias = g[id].operand_count > at_bias ? of(at_bias, shift.bias) : nullptr;
    std::byte* const out = reinterpret_cast<std::byte*>(values.address[id]) +
                           shift.out * size_of(g[id].type);
    if (start != nullptr) start += shift.out * size_of(g[g.operand(id, 2)].type);
    epilogue_ref const told = after.moved(shift.out);
    if (held_operands::operand const* const h = held.of(s)) {
      std::byte* const a = values.memory_of(h->other) + shift.a * size_of(g[h->other].type);
      return h->code->run(form, a, h->memory, out, start, bias, memory, on, told);
    }
    std::byte* const a = of(0, form.swapped ? shift.b : shift.a);
    std::byte* const b = of(1, form.swapped ? shift.a : shift.b);
    code.contractions[s]->run(form, a, b, out, start, bias, memory, on, told);
  }

  // A product, and its epilogue as it goes, memory permitting: if not, behind it. Returns whether it
  // did. The product may lie in a result's memory meanwhile.
  template <class Compute, class Group>
  bool with_epilogue(epilogue_steps::epilogue const& e, addresses& of_nodes, addresses& of_places,
                     Compute const& compute, Group const& group) const {
    int const id = code.plan.steps[e.product].node;
    kernel const& k = code.code.kernels[code.code.kernel_of_step[e.group]];
    view<place> const places = code.code.places_of(k);
    memory_ranges const memory(g, reads, of_nodes);
    if (!memory.apart(id, places, code.code.outputs_of(k))) {
      compute(epilogue_ref());
      group();
      return false;
    }
    std::intptr_t const own = of_nodes[id];
    if (e.place >= 0 && memory.apart_from_reads(e.place, id, places))
      of_nodes[id] = of_nodes[e.place];
    group_call const call = call_of(e.group, of_nodes, of_places);
    auto const after = [&call](finished_part const& part) { call.finished(part); };
    compute(epilogue_ref(after));
    of_nodes[id] = own;
    return true;
  }
};

} // namespace cpu
} // namespace weft::inline v0

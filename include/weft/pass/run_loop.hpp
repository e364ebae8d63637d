// SPDX-License-Identifier: BSL-1.0
// run_loop: how every engine runs the step of a loop: which memory the body's parameters and outputs
// have at each turn. The carry starts as a copy and then is wherever the body wrote it: one of two
// buffers, or the slot of the y that is the same value. xs and ys are walked; constants stay where
// they are.
// Needs: an Engine with
//   Engine::address                      a place in memory; default: none
//   address moved(address, bytes)        so many bytes further
//   address dense(step, node)            where a dense operand of the step starts
//   address loop_scratch(step)           the step's scratch, behind the body's arena
//   address of(node), void put(node, address)
//   void copy_bytes(to, from, bytes), fill_zeros(to, bytes), copy_value(node, to)
//   bool is_true(address)                the boolean there
//   void run_region(region)
//   bool takes(output)                   if it has that: does it compute this output of the body? Of
//                                        others nothing is copied
// and the bound graph and its memory plan (memory_plan.hpp). Leaves: results in the memory of the
// nodes that `get` them.
#pragma once

#include <weft/pass/memory_plan.hpp>

namespace weft::inline v0 {

// What a loop's step keeps between its turns, by output; made once, used again at every run.
template <class Address> struct loop_state {
  growing<Address> now, spare, first, second, next, stack;
  growing<extent> stack_step;
  growing<int> result; // the `get` that reads it, or -1

  loop_state() = default;
  loop_state(graph_view g, int id) {
    int const count = g.regions[g[id].body].output_count;
    for (auto* list : {&now, &spare, &first, &second, &next, &stack})
      list->assign(count, Address{});
    stack_step.assign(count, 0);
    result.assign(count, -1);
    for (int r = id + 1; r < g.size(); ++r)
      if (g[r].code == op::get && g.operand(r, 0) == id)
        result[static_cast<int>(g.attribute(r, 0))] = r;
  }
};

namespace detail {

template <class Engine> struct loop_runner {
  using address = typename Engine::address;
  Engine& engine;
  graph_view g;
  memory_plan const& memory;
  int step, id; // the loop's step and node
  loop_state<address>& state;
  loop const l = loop_of(g, id);
  int const body = g[id].body;
  view<int> const parameters = g.parameters_of(body);
  view<output_plan> const outputs = memory.outputs_of(g, body);

  void run() {
    start();
    for (int k = l.carries + l.xs; k < parameters.size(); ++k)
      engine.put(parameters[k], engine.dense(step, g.operand(id, k)));
    for (extent n = 0; goes_on(n); ++n) turn(n);
    for (int k = 0; k < l.carries; ++k)
      if (state.result[k] >= 0 && takes(k))
        engine.copy_bytes(engine.of(state.result[k]), state.now[k], bytes_of(g, outputs[k].node));
  }

private:
  bool takes(int k) const {
    if constexpr (requires { engine.takes(k); }) return engine.takes(k);
    else return true;
  }
  // Buffers of the carries, the initial carry in the first of each, and where the ys go.
  void start() {
    address at = engine.loop_scratch(step);
    for (int k = 0; k < outputs.size(); ++k) {
      extent const bytes = bytes_of(g, outputs[k].node), room = aligned_bytes(bytes);
      if (k < l.carries) {
        state.first[k] = state.now[k] = at;
        state.second[k] = state.spare[k] = engine.moved(at, room);
        if (takes(k)) engine.copy_bytes(at, engine.dense(step, g.operand(id, k)), bytes);
      } else {
        bool const read = state.result[k] >=
                          0; // else two slots in turn: a carry may point into one
        state.stack[k] = read ? engine.of(state.result[k]) : at;
        state.stack_step[k] = read ? bytes : room;
        if (g[id].code == op::cond)
          engine.fill_zeros(state.stack[k], bytes); // of a branch not taken
      }
      at = engine.moved(at, 2 * room);
    }
  }
  // Is there a turn number n?
  bool goes_on(extent n) const {
    op const code = g[id].code;
    if (code != op::while_loop && n == l.length) return false;
    return !has_condition(code) || engine.is_true(state.now[0]);
  }
  void turn(extent n) {
    extent const t = l.reverse ? l.length - 1 - n : n;
    for (int k = 0; k < l.carries + l.xs; ++k)
      engine.put(parameters[k], k < l.carries ? state.now[k]
                                              : engine.moved(engine.dense(step, g.operand(id, k)),
                                                             t * bytes_of(g, parameters[k])));
    for (int k = 0; k < outputs.size(); ++k) {
      state.next[k] = k < l.carries
                          ? state.spare[k]
                          : engine.moved(state.stack[k],
                                         (state.result[k] >= 0 ? t : n % 2) * state.stack_step[k]);
      if (outputs[k].written >= 0) engine.put(outputs[k].written, state.next[k]);
    }
    engine.run_region(body);
    for (int k = 0; k < outputs.size(); ++k)
      if (outputs[k].written < 0 && (outputs[k].same_as < 0 || k >= l.carries) && takes(k))
        engine.copy_value(outputs[k].node, state.next[k]);
    for (int k = 0; k < l.carries; ++k) advance(k);
  }
  void advance(int k) {
    if (outputs[k].same_as >= 0) {
      state.now[k] = state.next[outputs[k].same_as];
      return;
    }
    state.spare[k] = state.next[k] == state.first[k] ? state.second[k] : state.first[k];
    state.now[k] = state.next[k];
  }
};

} // namespace detail

template <class Engine>
void run_loop(Engine& engine, graph_view g, memory_plan const& memory, int step, int id,
              loop_state<typename Engine::address>& state) {
  detail::loop_runner<Engine>{engine, g, memory, step, id, state}.run();
}

} // namespace weft::inline v0

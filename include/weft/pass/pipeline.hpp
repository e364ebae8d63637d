// SPDX-License-Identifier: BSL-1.0
// The table of contents: every device-independent pass, in order, with what it leaves true.
// Before it a recorded graph is put in order (canonical.hpp); after it come, device-independent
// too, schedule.hpp (which nodes run together) and lower.hpp (groups as instructions).
// Needs: a verified graph that is not differentiated any more. Leaves: a verified graph with the
// same inputs and the same outputs, bit for bit up to NaN payloads. Each stage alone is linear
// (hoist: once per level of nested loops) and within a compiler's default limits for 4000 nodes:
// evaluate them one by one. Order: numbers first, since identities ask for them; hoist before cse,
// since two loops (forward and backward) leave equal casts outside.
#pragma once

#include <weft/pass/canonical.hpp>
#include <weft/pass/cse.hpp>
#include <weft/pass/dce.hpp>
#include <weft/pass/fold.hpp>
#include <weft/pass/hoist.hpp>
#include <weft/pass/rematerialise.hpp>
#include <weft/pass/simplify.hpp>

namespace weft::inline v0 {

struct optimise_step {
  char const* name;
  graph (*run)(graph_view);
};
inline constexpr int optimise_stages = 7;
// Templates, so that only who optimises compiles what fold computes.
template <op_set Ops = short_ops()>
inline constexpr optimise_step optimise_steps[optimise_stages] = {
    {"canonical", canonical}, // the order of nodes is the program's, whatever the compiler
    {"fold", fold<Ops>},      // numbers known now are constants, inside loops too
    {"simplify", [](graph_view g) { return simplify(g); }}, // no op that returns its operand
    {"hoist", hoist}, // no loop repeats what is constant in it; x_t W is one product
    {"cse", cse},     // no two equal nodes in a region; what left two loops is one
    {"dce", dce},     // nothing that no output needs
    {"rematerialise", rematerialise}, // nothing stored that costs as much to read as to compute
};

template <op_set Ops = short_ops()> constexpr graph optimise_stage(int stage, graph_view g) {
  return optimise_steps<Ops>[stage].run(g);
}

template <op_set Ops = short_ops()> constexpr graph optimise(graph_view g) {
  graph r = optimise_stage<Ops>(0, g);
  for (int stage = 1; stage < optimise_stages; ++stage) r = optimise_stage<Ops>(stage, r);
  return r;
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// explain: what became of a program, as text: nodes by stage, the optimised graph, and its schedule
// with the kernel each group shares, the elements each step makes, which groups run behind the blocks
// of which product (on one thread), which steps run as one prefix scan or row by row, over which steps
// messages of a collective are under way, the bytes of
// the arena, and how many of them are alive at once, which no layout can go below; of a derivative
// also what it keeps for its way back, and what it would keep if all scans and regions of checkpoint
// (without any, the function as one region) kept everything, products or nothing.
//   std::string text = explain<step, params<tensor>, tensor<float, 32, 4>>();   // or <train_step>
// Needs: nothing at run time. Leaves: deterministic text; bytes only where shapes are static.
#pragma once

#include <weft/graph/print.hpp>
#include <weft/run/program.hpp>
#include <weft/transform/checkpoint.hpp>

#include <algorithm>
#include <string>

namespace weft::inline v0 {
namespace detail {

// `on`: the engine that runs it, if there is one.
inline void add_step(std::string& text, graph_view g, schedule_view plan, lowered_view code, int s,
                     cpu::engine const* on = nullptr) {
  constexpr char const* kinds[] = {"group", "contraction", "convolution", "loop", "move"};
  schedule_step const& st = plan.steps[s];
  text += "  " + std::to_string(s) + "  region " + std::to_string(st.region) + " stage " +
          std::to_string(st.stage) + "  " + kinds[static_cast<int>(st.kind)];
  message shape;
  text += std::string(" ") + shape.add(g.shapes[st.shape]).c_str();
  if (int k = code.kernel_of_step[s]; k >= 0) {
    constexpr char const* forms[] = {"elementwise", "rows", "columns"};
    text += std::string(" ") + forms[static_cast<int>(code.kernels[k].form)] + ", kernel " +
            std::to_string(code.kernels[k].canonical);
  }
  if (int const c = on == nullptr ? -1 : on->epilogues().product_of(s); c >= 0)
    text += ", epilogue of " + std::to_string(c);
  if (int const p = on == nullptr ? -1 : on->joined().prefixes().place_of(s); p >= 0)
    text += p == s ? ", a prefix scan" : ", prefix scan of " + std::to_string(p);
  if (int const p = on == nullptr ? -1 : on->joined().rows().place_of(s); p >= 0)
    text += p == s ? ", row by row" : ", row by row with " + std::to_string(p);
  if (int const f = on == nullptr ? -1 : on->exchanges().before()[s]; f >= 0)
    text += f == s + 1
                ? ", finished at once"
                : ", under way over " + std::to_string(s + 1) + " to " + std::to_string(f - 1);
  text += " :";
  for (int id : plan.members_of(st)) {
    text += " " + std::to_string(id);
    text += std::string(":") + name_of(g[id].code) + (plan.stored[id] ? "!" : "");
  }
  text += "\n";
}

// Of one run of a step that is no loop: operands that it reads from memory (of a broadcast one what
// is there), and results that it stores, each once.
struct step_bytes {
  extent read = 0, written = 0;
};
inline step_bytes bytes_of_step(graph_view g, schedule_view plan, accesses const& reads, int s) {
  schedule_step const& st = plan.steps[s];
  step_bytes bytes;
  if (st.kind == step_kind::loop) return bytes;
  growing<int> seen;
  for (int member : plan.members_of(st)) {
    if (plan.stored[member]) bytes.written += bytes_of(g, member);
    for (int operand : g.operands_of(member)) {
      int const root = reads.of[operand].root;
      bool const splat = g[root].code == op::constant && g[root].attribute_count == 1;
      bool skip = splat || g[root].code == op::iota || is_loop(g[root].code) ||
                  plan.group_of[root] == s;
      for (int other : seen) skip |= other == operand;
      if (skip) continue;
      seen.push(operand);
      bytes.read += std::min(bytes_of(g, operand), bytes_of(g, root));
    }
  }
  return bytes;
}

// What a derivative in the program keeps for its way back, and would keep by each choice.
template <class Program> std::string kept_text(graph_view g) {
  bool any = false;
  for (node const& n : g.nodes) any |= n.back;
  if (!any) return "";
  auto const bytes = [](residuals save) {
    return std::to_string(kept_bytes(optimise(Program::make({true, save})))) + " B";
  };
  return "kept for the way back " + std::to_string(kept_bytes(g)) + " B; residuals: everything " +
         bytes(residuals::everything) + ", products " + bytes(residuals::products) + ", nothing " +
         bytes(residuals::nothing) + "\n";
}

} // namespace detail

namespace detail {
// The optimised graph and its schedule; `e` knows which groups are epilogues, or is null.
inline std::string explain_stages(int recorded, graph_view g, schedule_view plan, lowered_view code,
                                  cpu::engine const* e) {
  std::string text = "recorded " + std::to_string(recorded) + " nodes, optimised " +
                     std::to_string(g.size()) + ", steps " + std::to_string(plan.steps.size()) +
                     "\n";
  text += print(g);
  text += "schedule (! is stored)\n";
  for (int s = 0; s < plan.steps.size(); ++s) add_step(text, g, plan, code, s, e);
  return text;
}
inline std::string explain_memory(cpu::engine const& e) {
  return "arena " + std::to_string(e.arena_bytes()) + " bytes, alive at once " +
         std::to_string(e.memory().region_least[0]) + "\n";
}
} // namespace detail

template <class Program> std::string explain_program() {
  constexpr graph_view g = stages<Program>::optimised;
  auto const schedule = [](cpu::engine const* e) {
    return detail::explain_stages(stages<Program>::recorded.size(), stages<Program>::optimised,
                                  stages<Program>::plan, stages<Program>::code, e);
  };
  if constexpr (has_names(g)) return schedule(nullptr);
  else {
    using functions = detail::program_functions<Program, cpu::native_target>;
    cpu::engine e(functions::code, {}, 1);
    return schedule(&e) + detail::kept_text<Program>(g) + detail::explain_memory(e);
  }
}
template <auto F, class... Args> std::string explain() {
  return explain_program<program<F, argument_t<Args>...>>();
}

} // namespace weft::inline v0

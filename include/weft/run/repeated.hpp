// SPDX-License-Identifier: BSL-1.0
// repeated_functions: what the compiler makes of a program that runs again and again on the same
// arrays, a few elements at a time: kernels of products and groups that know their extents.
//   engine.keep(inputs, repeated_functions<Program, Target>::code)
// Needs: a program without names. Leaves: null for steps whose general functions are as good.
#pragma once

#include <weft/run/program.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Program, class Target> struct repeated_functions {
  using functions = program_functions<Program, Target>;
  static constexpr extent few = 16 * Target::lanes; // of more, the loop does not matter

  template <int S> static constexpr cpu::kernel_function group_at() {
    if constexpr (stages<Program>::plan.steps[S].kind != step_kind::group) return nullptr;
    else {
      constexpr graph_view g = stages<Program>::optimised;
      constexpr extent count = count_of(g.shapes[stages<Program>::plan.steps[S].shape]);
      if constexpr (count == 0 || count > few) return nullptr;
      else {
        constexpr int k = stages<Program>::code.kernel_of_step[S];
        return &cpu::region_kernel<Program, stages<Program>::code.kernels[k].canonical,
                                   Target>::template whole<program_nest<Program, k>>;
      }
    }
  }
  template <int S> static constexpr cpu::kept_code const* product_at() {
    constexpr schedule_step s = stages<Program>::plan.steps[S];
    if constexpr (s.kind != step_kind::contraction) return nullptr;
    else {
      constexpr graph_view g = stages<Program>::optimised;
      constexpr contraction c = contraction_of(g, s.node);
      if constexpr (c.order != contract_order::lanes) return nullptr;
      else {
        constexpr int a = g.operand(s.node, 0), b = g.operand(s.node, 1);
        constexpr dtype out = g[s.node].type;
        constexpr dtype bias = c.has_bias ? g[g.operands_of(s.node).back()].type : out;
        return kept_code_for<Target, g[a].type, g[b].type, out, bias,
                             summed_count(c, g.shape(a), g.shape(b))>();
      }
    }
  }
  static constexpr auto products =
      functions::template table_of<cpu::kept_code const*, functions::steps>(
          []<int S>() { return product_at<S>(); });
  static constexpr auto groups =
      functions::template table_of<cpu::kernel_function, functions::steps>(
          []<int S>() { return group_at<S>(); });
  static constexpr cpu::repeated_code code{products.items, groups.items};
};

} // namespace detail
} // namespace weft::inline v0

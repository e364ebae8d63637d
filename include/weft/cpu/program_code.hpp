// SPDX-License-Identifier: BSL-1.0
// program_code: a program as an engine (cpu/engine.hpp) runs it: its graph, its plan, and functions
// of one target for every kernel and step.
// Needs: what the views show outlives the engine. Leaves: plain tables.
#pragma once

#include <weft/cpu/convolution.hpp>
#include <weft/cpu/kept_product.hpp>
#include <weft/cpu/moves.hpp>
#include <weft/cpu/prefix.hpp>
#include <weft/cpu/region_kernel.hpp>

namespace weft::inline v0 {
namespace cpu {

struct loop_sharing_code; // cpu/program_steps.hpp

// A program as an engine runs it. Views: what they show must outlive the engine.
struct program_code {
  graph_view graph; // optimised, with names
  schedule_view plan;
  lowered_view code;
  kernel_call const* kernels;                  // per kernel
  contraction_code const* const* contractions; // per step
  convolution_code const* const* convolutions; // per step
  move_code const* const* moves;               // per step
  prefix_code const* const* prefixes;          // per step: of a reshape in a prefix scan, or null
  int lanes = 8;                               // its target's
  loop_sharing_code const* sharing = nullptr;  // of a program with loops
};

// What a program has besides, for engines that run it again and again: per step, or null.
struct repeated_code {
  kept_code const* const* products;
  kernel_function const* groups; // run as a whole, on the calling thread
};

} // namespace cpu
} // namespace weft::inline v0

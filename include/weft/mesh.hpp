// SPDX-License-Identifier: BSL-1.0
// Meshes of ranks, and what ranks give each other in a function: docs/scaling.md. Not part of
// weft.hpp. All ranks in one process, for tests: weft/testing/run_ranks.hpp.
//   constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
//   auto g = weft::all_reduce<m, "data", weft::combine::mean>(grads);   // in a function
#pragma once

#include <weft/lang/mesh.hpp> // first: errors print the way to it

#include <weft/lang/collectives.hpp>
#include <weft/lang/mesh_parts.hpp>
#include <weft/run/evaluate.hpp>
#include <weft/run/jit.hpp>

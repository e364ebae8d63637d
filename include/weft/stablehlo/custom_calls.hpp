// SPDX-License-Identifier: BSL-1.0
// What an import does with stablehlo.custom_call: a table of the user's, by the target's name.
//   constexpr custom_call mine[] = {{"my_gelu", [](custom_call_site const& at) { ... }}};
//   to_graph(m, {mine, 1})
// Needs: functions that record over untyped handles (graph/handle.hpp) and are constexpr where the
// import is. Leaves: their results are compared with the types of the text.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/stablehlo/module.hpp>

namespace weft::inline v0::stablehlo {

// Where a custom call stands: its operands as nodes, and the operation, whose attributes and result
// types `module` has.
struct custom_call_site {
  recorder& record;
  module_ir const& module;
  operation const& what;
  view<handle> operands;
};
struct custom_call {
  char const* target = "";
  growing<handle> (*record)(custom_call_site const&) = nullptr; // its results, in order
};

} // namespace weft::inline v0::stablehlo

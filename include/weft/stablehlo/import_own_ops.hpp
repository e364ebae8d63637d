// SPDX-License-Identifier: BSL-1.0
// Composites that stand for ops of weft's own: "weft.<op>".
// Needs: import_attributes.hpp. Leaves: the node, or nothing, and the decomposition is what counts.
#pragma once

#include <weft/stablehlo/import_attributes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

constexpr growing<handle> import_own(importing&, operation const&) { return {}; }

} // namespace detail
} // namespace weft::inline v0::stablehlo

// SPDX-License-Identifier: BSL-1.0
// Operations in the pretty form.
#pragma once

#include <weft/stablehlo/printer.hpp>

namespace weft::inline v0::stablehlo::detail {

// False: the operation has no pretty form, or not with these attributes.
constexpr bool write_pretty(printer&, operation const&) { return false; }

} // namespace weft::inline v0::stablehlo::detail

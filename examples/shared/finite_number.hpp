// SPDX-License-Identifier: BSL-1.0
// finite_number: a check of CLI11's. Its Range and PositiveNumber let nan through, as nothing
// compares with it; PositiveNumber also inf.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

namespace examples {

// What is wrong with the text of a number, or nothing; text that is none is CLI11's to refuse.
inline std::string finite_number(std::string const& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr)) ? "" : text + " is not finite";
}

} // namespace examples

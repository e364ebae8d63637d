// SPDX-License-Identifier: BSL-1.0
// finite_number: a check of CLI11's. Its Range and PositiveNumber let nan through, as nothing
// compares with it; PositiveNumber also inf.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

namespace examples {

// What is wrong with the text of a number that becomes a float, or nothing; text that is none is
// CLI11's to refuse.
inline std::string finite_number(std::string const& text) {
  float const number = std::strtof(text.c_str(), nullptr);
  if (!std::isfinite(number)) return text + " is not finite, or beyond float's range";
  bool const vanishes = number == 0 && std::strtod(text.c_str(), nullptr) != 0;
  return vanishes ? text + " is below float's range" : "";
}

} // namespace examples

// SPDX-License-Identifier: BSL-1.0
// finite: a check of CLI11's, of numbers that are floats, too: not nan, which its Range and
// PositiveNumber let through as nothing compares with it, nor beyond float's range or below it.
//   app.add_option("--rate", o.rate)->check(examples::finite(CLI::PositiveNumber));
// Needs: CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <string>

namespace examples {

// What is wrong with the text of a number that becomes a float, or nothing; text that is none is
// CLI11's to refuse.
inline std::string wrong_as_float(std::string const& text) {
  float const number = std::strtof(text.c_str(), nullptr);
  if (!std::isfinite(number)) return text + " is not finite, or beyond float's range";
  bool const vanishes = number == 0 && std::strtod(text.c_str(), nullptr) != 0;
  return vanishes ? text + " is below float's range" : "";
}
inline CLI::Validator finite(CLI::Validator const& check) {
  return {[check](std::string& text) {
            std::string const wrong = check(text);
            return wrong.empty() ? wrong_as_float(text) : wrong;
          },
          check.get_description()};
}

} // namespace examples

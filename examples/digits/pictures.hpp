// SPDX-License-Identifier: BSL-1.0
// PNG files of what was learnt and what was misread.
// Leaves: std::runtime_error, a line, for a file that cannot be written.
#pragma once

#include "model.hpp"
#include "readings.hpp"

#include <string>
#include <vector>

namespace digits {

// The filters of the first layer, eight in a row: red adds, blue subtracts, white is 0; the deepest
// colour is the largest weight of all.
void draw_filters(std::string const& path, parameters const& p);
// Scans, six in a row, under each the digit that it is (green) and the one that was read (red).
void draw_mistakes(std::string const& path, held_out_scans const& scans,
                   std::vector<reading> const& mistakes);

} // namespace digits

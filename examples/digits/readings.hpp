// SPDX-License-Identifier: BSL-1.0
// What the network reads in the held-out scans, and how that is shown: a table of digits, a line per
// mistake.
// Needs: probabilities of those scans. Leaves: scans in their order.
#pragma once

#include "model.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace digits {

struct reading {
  int scan, digit, read; // its number, what it is, what was read
  float probability;     // of what was read

  bool wrong() const { return read != digit; }
};

inline std::vector<reading> readings_of(held_out_scans const& scans, probabilities const& all) {
  std::vector<reading> found;
  for (int n = 0; n < held_out; ++n) {
    float const* const row = all.data() + n * classes;
    float const* const best = std::max_element(row, row + classes);
    found.push_back({n, scans(n, pixels), static_cast<int>(best - row), *best});
  }
  return found;
}
inline std::vector<reading> mistakes_in(std::vector<reading> all) {
  std::erase_if(all, [](reading const& r) { return !r.wrong(); });
  return all;
}

inline void show_confusion(std::vector<reading> const& all) {
  std::array<std::array<int, classes>, classes> count{};
  for (reading const& r : all)
    ++count[static_cast<unsigned>(r.digit)][static_cast<unsigned>(r.read)];
  std::printf("\nconfusion: digits down, read across\n   ");
  for (int read = 0; read < classes; ++read) std::printf("%4d", read);
  for (unsigned digit = 0; digit < classes; ++digit) {
    std::printf("\n%3u", digit);
    for (int n : count[digit]) n == 0 ? std::printf("   .") : std::printf("%4d", n);
  }
  std::printf("\n");
}

inline void show_mistakes(std::vector<reading> const& mistakes) {
  if (!mistakes.empty()) std::printf("\nmisread:\n");
  for (reading const& r : mistakes)
    std::printf("  scan %d, a %d, read as %d (%.0f %%)\n", to_learn + r.scan, r.digit, r.read,
                100 * static_cast<double>(r.probability));
}

} // namespace digits

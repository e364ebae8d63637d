// SPDX-License-Identifier: BSL-1.0
// time_of(f): seconds that a call of f takes, the best of ten calls after one that warms up.
#pragma once

#include <algorithm>
#include <chrono>

namespace examples {

template <class F> double time_of(F const& f) {
  using clock = std::chrono::steady_clock;
  f();
  double best = 1e9;
  for (int turn = 0; turn < 10; ++turn) {
    auto const start = clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(clock::now() - start).count());
  }
  return best;
}

} // namespace examples

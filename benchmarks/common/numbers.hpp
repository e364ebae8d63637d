// SPDX-License-Identifier: BSL-1.0
// Numbers for benchmarks.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace bench {

// Uniform in (-1, 1); the same for the same seed.
inline std::vector<float> uniform(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> between(-1, 1);
  std::vector<float> v(count);
  for (float& e : v) e = between(random);
  return v;
}

} // namespace bench

// SPDX-License-Identifier: BSL-1.0
// What the command line of stencil says; main.cpp fills it in.
#pragma once

#include <cstdint>
#include <string>

namespace stencil {

struct options {
  int steps = 10'000;
  float feed = 0.037f, death = 0.06f; // 0.03 and 0.062: spots
  std::uint64_t seed = 1;
  std::string device = "cpu";
  int threads = 0;     // of the CPU; 0: as many as the machine has
  std::string picture; // empty: none is drawn
  bool compare = true;
};

} // namespace stencil

// SPDX-License-Identifier: BSL-1.0
// What the command line of digits says; main.cpp fills it in.
#pragma once

#include <cstdint>
#include <string>

namespace digits {

struct options {
  std::string data = "examples/data/digits/digits.npy";
  int epochs = 80;
  float rate = 2e-3f; // the first learning rate; it falls to 0 in a straight line
  std::uint64_t seed = 1;
  std::string device = "cpu";
  int threads = 0;               // of the CPU; 0: as many as the machine has
  std::string precision = "f32"; // of products: f32 or bf16
  std::string pictures;          // folder; empty: none are drawn
};

} // namespace digits

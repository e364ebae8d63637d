// SPDX-License-Identifier: BSL-1.0
// What the command line of char_lm says; main.cpp fills it in.
#pragma once

#include <cstdint>
#include <string>

namespace char_lm {

struct options {
  std::string text; // empty: the snapshot
  std::string snapshot = "examples/data/weft_text";
  int steps = 2400;
  float rate = 4e-3f; // the highest learning rate
  std::uint64_t seed = 1;
  std::string device = "cpu";
  int threads = 0;                // of the CPU; 0: as many as the machine has
  std::string precision = "bf16"; // of products: f32 or bf16
  int sample = 600;               // characters
  float temperature = 0.6f;
  std::string checkpoint; // empty: none is written
  int checkpoint_every = 100;
  std::string curve; // empty: none is drawn
  int curve_every = 100;
  std::string resume;  // empty: from the start
  std::string mesh;    // of processes, "data=4,model=2"; empty: one process
  bool losses = false; // one line per step
  double limit = 300;  // seconds that one waits for another
};

} // namespace char_lm

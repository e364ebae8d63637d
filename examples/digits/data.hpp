// SPDX-License-Identifier: BSL-1.0
// The scans of an .npy file, (1797, 65) bytes: pixels 0..16 row by row, then the digit.
// Leaves: weft::io_error or std::runtime_error, a line, for a file that is no such thing.
#pragma once

#include "model.hpp"

#include <weft/io.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace digits {

struct data {
  training_scans training;
  held_out_scans last; // held out
};

inline data read_data(std::string const& path) {
  auto const all = weft::load_npy<std::uint8_t, to_learn + held_out, pixels + 1>(path);
  for (int n = 0; n < to_learn + held_out; ++n)
    if (all(n, pixels) >= classes)
      throw std::runtime_error(path + ": the digit of scan " + std::to_string(n) + " is " +
                               std::to_string(all(n, pixels)));
  data d;
  auto training = d.training.mutate();
  auto last = d.last.mutate();
  std::copy_n(all.data(), training.size(), training.data());
  std::copy_n(all.data() + training.size(), last.size(), last.data());
  return d;
}

} // namespace digits

// SPDX-License-Identifier: BSL-1.0
// The scans of examples/data/digits: read_scans(path) gives (1797, 65) bytes, the pixels 0..16 of 8x8
// row by row and then the digit. In a recorded function images_of(rows) is (n, 64) in [0, 1],
// digits_of(rows) (n).
// Leaves: weft::io_error or std::runtime_error, a line, for a file that is no such thing.
#pragma once

#include <weft/io/npy.hpp>
#include <weft/weft.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace examples {

inline constexpr int scan_count = 1797, scan_pixels = 64, scan_classes = 10;
using scans = weft::tensor<std::uint8_t, scan_count, scan_pixels + 1>;

inline scans read_scans(std::string const& path) {
  scans const all = weft::load_npy<std::uint8_t, scan_count, scan_pixels + 1>(path);
  for (int n = 0; n < scan_count; ++n)
    if (all(n, scan_pixels) >= scan_classes)
      throw std::runtime_error(path + ": the digit of scan " + std::to_string(n) + " is " +
                               std::to_string(all(n, scan_pixels)));
  return all;
}

inline constexpr auto images_of = [](auto rows) { return convert<float>(at<":, :64">(rows)) / 16; };
inline constexpr auto digits_of = [](auto rows) { return convert<int>(at<":, 64">(rows)); };

} // namespace examples

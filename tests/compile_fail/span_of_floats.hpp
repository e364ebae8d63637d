// SPDX-License-Identifier: BSL-1.0
// What the mdspan cases map: the members of std::mdspan, which C++20 has not.
#pragma once

#include <array>
#include <cstddef>

struct span_of_floats { // a matrix of three columns, with what std::mdspan has
  using element_type = float;
  using rank_type = unsigned;
  using index_type = int;
  struct extents_type {
    explicit extents_type(std::array<int, 2>) {}
  };
  struct mapping_type {
    explicit mapping_type(extents_type) {}
  };
  span_of_floats() = default;
  span_of_floats(float const*, mapping_type) {}
  static constexpr rank_type rank() { return 2; }
  static constexpr std::size_t static_extent(rank_type axis) {
    return axis == 0 ? static_cast<std::size_t>(-1) : 3;
  }
  int extent(rank_type) const { return 3; }
  int stride(rank_type axis) const { return axis == 0 ? 3 : 1; }
  bool is_strided() const { return true; }
  float const* data_handle() const { return nullptr; }
};

// SPDX-License-Identifier: BSL-1.0
// An array in memory with any strides, its type known at run time; and a walk over some of its
// axes, with a place in several arrays at once.
// Needs: strides in elements. Leaves: nothing owned.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/core/extents.hpp>

#include <cstddef>

namespace weft::inline v0 {
namespace cpu {

struct strided_array {
  dtype type{};
  std::byte* first = nullptr;
  extents shape, strides;

  extent element_bytes() const { return size_of(type); }
};

// Indices over `shape`, row-major, and for N arrays the offset in elements at the index.
template <int N> class walk {
public:
  walk(extents const& shape, extents const (&steps)[N]) : shape_(shape) {
    for (int i = 0; i < N; ++i) steps_[i] = steps[i];
  }
  // To the index with this row-major number.
  void seek(extent number) {
    for (extent& o : offset) o = 0;
    for (int a = shape_.rank - 1; a >= 0; --a) {
      index[a] = shape_[a] == 0 ? 0 : number % shape_[a];
      number = shape_[a] == 0 ? 0 : number / shape_[a];
      for (int i = 0; i < N; ++i) offset[i] += index[a] * steps_[i][a];
    }
  }
  void next() {
    for (int a = shape_.rank - 1; a >= 0; --a) {
      ++index[a];
      for (int i = 0; i < N; ++i) offset[i] += steps_[i][a];
      if (index[a] < shape_[a]) return;
      for (int i = 0; i < N; ++i) offset[i] -= index[a] * steps_[i][a];
      index[a] = 0;
    }
  }

  extent index[max_rank]{};
  extent offset[N]{};

private:
  extents shape_, steps_[N];
};

} // namespace cpu
} // namespace weft::inline v0

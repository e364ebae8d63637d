// SPDX-License-Identifier: BSL-1.0
// value_reader: the values of a run in memory, as strided arrays.
// Needs: a bound graph, its accesses, and the address of each root.
#pragma once

#include <weft/cpu/move.hpp>
#include <weft/cpu/strided.hpp>
#include <weft/pass/access.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

struct value_reader {
  graph_view g;
  accesses const& reads;
  growing<std::intptr_t> const& address; // per root: its first element

  // Where a value's access starts, and how it steps, in elements.
  std::byte* memory_of(int id) const {
    access const& a = reads.of[id];
    std::intptr_t const root =
        address[a.root]; // 0 where there is no element: no pointer arithmetic
    return reinterpret_cast<std::byte*>(root +
                                        static_cast<std::intptr_t>(a.offset) * size_of(g[id].type));
  }
  extents strides(int id) const { return strides_of(reads.of[id], g.shape(id).rank); }

  void copy_value(int id, void* to) const {
    copy(size_of(g[id].type), g.shape(id), memory_of(id), strides(id), to,
         row_major_strides(g.shape(id)));
  }
  strided_array array(int id) const {
    return {g[id].type, memory_of(id), g.shape(id), strides(id)};
  }

private:
  static extents strides_of(access const& a, int rank) {
    extents s;
    for (int i = 0; i < rank; ++i) s.push(a.stride[i]);
    return s;
  }
};

} // namespace cpu
} // namespace weft::inline v0

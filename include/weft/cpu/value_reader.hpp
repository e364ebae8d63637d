// SPDX-License-Identifier: BSL-1.0
// value_reader: the values of a run in memory, as strided arrays.
// Needs: a bound graph, its accesses, and the address of each root.
#pragma once

#include <weft/cpu/move.hpp>
#include <weft/cpu/rank_group.hpp>
#include <weft/cpu/strided.hpp>
#include <weft/pass/access.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

// An array without elements may come without an address; kernels step from it all the same, which a
// null pointer does not allow.
inline std::intptr_t address_or_nowhere(void const* p) {
  alignas(64) static std::byte nowhere[64]{};
  return reinterpret_cast<std::intptr_t>(p == nullptr ? nowhere : p);
}

struct value_reader {
  graph_view g;
  accesses const& reads;
  growing<std::intptr_t> const& address; // per root: its first element
  rank_group* others = nullptr;          // null: this rank is alone

  // Where a value's access starts, and how it steps, in elements.
  std::byte* memory_of(int id) const {
    access const& a = reads.of[id];
    std::intptr_t const root =
        address[a.root]; // 0 where there is no element: no pointer arithmetic
    return reinterpret_cast<std::byte*>(root +
                                        static_cast<std::intptr_t>(a.offset) * size_of(g[id].type));
  }
  extents strides(int id) const { return strides_at(g, reads, id); }

  void copy_value(int id, void* to) const {
    copy(size_of(g[id].type), g.shape(id), memory_of(id), strides(id), to,
         row_major_strides(g.shape(id)));
  }
  strided_array array(int id) const {
    return {g[id].type, memory_of(id), g.shape(id), strides(id)};
  }
};

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Constants and iotas as bytes, for steps that read them from memory (a group has them as numbers).
// Needs: a bound graph. Leaves: constant_bytes(g, id), 0 for any other node; write_constant, so many
// bytes: an iota along its axis, a splat once, other constants in row-major order; all of a graph, each
// at a multiple of 64 bytes: constants_bytes, write_constants.
#pragma once

#include <weft/core/memory_source.hpp>
#include <weft/graph/attributes.hpp>
#include <weft/graph/handle.hpp>

#include <cstddef>
#include <cstring>

namespace weft::inline v0 {

inline extent constant_bytes(graph_view g, int id) {
  node const& n = g[id];
  if (n.code == op::iota)
    return g.shape(id)[static_cast<int>(g.attribute(id, 0))] * size_of(n.type);
  if (n.code != op::constant) return 0;
  return (n.attribute_count == 1 ? 1 : count_of(g.shape(id))) * size_of(n.type);
}

// Narrower elements take the low part of each word.
inline void write_constant(graph_view g, int id, std::byte* to) {
  node const& n = g[id];
  int const size = size_of(n.type);
  extent const count = constant_bytes(g, id) / size;
  for (extent i = 0; i < count; ++i) {
    auto const index = static_cast<std::int32_t>(i); // of integers, the low part: they wrap
    word bits = 0;
    if (n.code == op::iota)
      bits = is_integer(n.type) ? static_cast<word>(extent{index})
                                : static_cast<word>(bits_of(index, n.type));
    else if (n.attribute_count == 1) bits = static_cast<word>(g.attribute(id, 0));
    else bits = g.constants[static_cast<int>(g.attribute(id, 0) + i)];
    std::memcpy(to + i * size, &bits, static_cast<std::size_t>(size));
  }
}

inline extent constants_bytes(graph_view g) {
  extent total = 0;
  for (int id = 0; id < g.size(); ++id) total += aligned_bytes(constant_bytes(g, id));
  return total;
}
// placed(id, offset) for each, from `to` on.
template <class F> void write_constants(graph_view g, std::byte* to, F const& placed) {
  extent at = 0;
  for (int id = 0; id < g.size(); ++id) {
    extent const bytes = constant_bytes(g, id);
    if (bytes == 0) continue;
    placed(id, at);
    write_constant(g, id, to + at);
    at += aligned_bytes(bytes);
  }
}

} // namespace weft::inline v0

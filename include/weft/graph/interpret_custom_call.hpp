// SPDX-License-Identifier: BSL-1.0
// The definition of custom_call: the host function, called for one item after the other.
// Needs: a bound graph. Leaves: its results. No constant evaluation, which the call ends.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/graph/host_items.hpp>

#include <cstring>
#include <new>

namespace weft::inline v0 {
namespace detail {

// Zeros, aligned as arrays are everywhere.
class host_memory {
public:
  explicit host_memory(extent bytes)
      : bytes_(static_cast<std::byte*>(
            ::operator new(static_cast<std::size_t>(bytes) + 1, alignment))) {
    std::memset(bytes_, 0, static_cast<std::size_t>(bytes) + 1);
  }
  host_memory(host_memory const&) = delete;
  host_memory& operator=(host_memory const&) = delete;
  ~host_memory() { ::operator delete(bytes_, alignment); }
  std::byte* at(extent offset) const { return bytes_ + offset; }

private:
  static constexpr auto alignment = std::align_val_t{memory_alignment};
  std::byte* bytes_;
};

// Little-endian: an element is the low bytes of its word.
inline void elements_to_bytes(dense const& x, std::byte* to) {
  std::size_t const size = static_cast<std::size_t>(size_of(x.type));
  for (word const w : x.words) {
    std::memcpy(to, &w, size);
    to += size;
  }
}
inline void bytes_to_elements(dense& x, std::byte const* from) {
  std::size_t const size = static_cast<std::size_t>(size_of(x.type));
  for (word& w : x.words) {
    std::memcpy(&w, from, size);
    from += size;
  }
}

WEFT_NOINLINE inline growing<dense> custom_call_dense(graph_view g, int id, view<dense> operands) {
  view<extent> const a = g.attributes_of(id);
  int const axes = batch_axes_of(a);
  growing<dense> made;
  growing<extent> offset;
  extent bytes = 0;
  auto const reserve = [&](dense const& x) {
    offset.push(bytes);
    bytes += aligned_bytes(x.size() * size_of(x.type));
  };
  for (int k = 0; k < custom_result_count(a); ++k) {
    result_info const r = custom_result(a, k);
    made.push(dense(r.type, r.shape));
    reserve(made.back());
  }
  for (dense const& x : operands) reserve(x);
  host_memory const memory(bytes);
  growing<batched_operand> in;
  growing<std::byte*> out;
  for (int k = 0; k < made.size(); ++k) out.push(memory.at(offset[k]));
  for (int k = 0; k < operands.size(); ++k) {
    std::byte* const to = memory.at(offset[made.size() + k]);
    elements_to_bytes(operands[k], to);
    extents step = row_major_strides(operands[k].shape);
    step.rank = axes;
    in.push({to, step});
  }
  run_items(g, id, in, out, nullptr);
  for (int k = 0; k < made.size(); ++k) bytes_to_elements(made[k], out[k]);
  return made;
}

} // namespace detail
} // namespace weft::inline v0

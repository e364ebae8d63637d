// SPDX-License-Identifier: BSL-1.0
// Memory that kernels borrow while they run: `scratch`, what a kernel is given, and
// `scratch_buffer`, an owner that grows.
// Needs: kernels state their bytes before they are called. Leaves: memory aligned to 64 bytes; a
// kernel allocates nothing and leaves nothing behind that a later call may read.
#pragma once

#include <weft/core/extents.hpp>

#include <cstddef>
#include <new>

namespace weft::inline v0 {
namespace cpu {

inline constexpr extent scratch_alignment = 64;

constexpr extent aligned_bytes(extent bytes) {
  return (bytes + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
}

struct scratch {
  std::byte* memory = nullptr; // aligned to scratch_alignment
  extent bytes = 0;

  // The part of one worker when all are given `bytes_each`, a multiple of scratch_alignment.
  scratch part(int worker, extent bytes_each) const {
    return {memory + worker * bytes_each, bytes_each};
  }
};

class scratch_buffer {
public:
  scratch_buffer() = default;
  scratch_buffer(scratch_buffer const&) = delete;
  scratch_buffer& operator=(scratch_buffer const&) = delete;
  ~scratch_buffer() { release(); }

  // At least `bytes` bytes; what an earlier call returned is no longer valid.
  scratch get(extent bytes) {
    if (bytes > bytes_) {
      release();
      memory_ = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), align));
      bytes_ = bytes;
    }
    return {memory_, bytes_};
  }

private:
  static constexpr std::align_val_t align{scratch_alignment};
  void release() {
    ::operator delete(memory_, align);
    memory_ = nullptr;
    bytes_ = 0;
  }
  std::byte* memory_ = nullptr; // not a unique_ptr: <memory> costs more than all of this folder
  extent bytes_ = 0;
};

} // namespace cpu
} // namespace weft::inline v0

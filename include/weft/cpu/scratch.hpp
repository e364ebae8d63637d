// SPDX-License-Identifier: BSL-1.0
// Memory that kernels borrow while they run: `scratch`, what a kernel is given, and
// `scratch_buffer`, an owner that grows.
// Needs: kernels state their bytes before they are called. Leaves: memory aligned to 64 bytes; a
// kernel allocates nothing and leaves nothing behind that a later call may read.
#pragma once

#include <weft/core/memory_source.hpp>

namespace weft::inline v0 {
namespace cpu {

struct scratch {
  std::byte* memory = nullptr; // aligned to memory_alignment
  extent bytes = 0;

  // The part of one worker when all are given `bytes_each`, a multiple of memory_alignment.
  scratch part(int worker, extent bytes_each) const {
    return {memory + worker * bytes_each, bytes_each};
  }
};

class scratch_buffer {
public:
  // Null: what is in use when it grows.
  explicit scratch_buffer(memory_source* source = nullptr) : from_(source) {}
  scratch_buffer(scratch_buffer const&) = delete;
  scratch_buffer& operator=(scratch_buffer const&) = delete;
  ~scratch_buffer() { release(); }

  // At least `bytes` bytes; what an earlier call returned is no longer valid.
  scratch get(extent bytes) {
    if (bytes > bytes_) {
      release();
      source_ = &detail::memory_from(from_);
      auto const size = static_cast<std::size_t>(bytes);
      memory_ = static_cast<std::byte*>(source_->allocate(size, memory_alignment));
      bytes_ = bytes;
    }
    return {memory_, bytes_};
  }

private:
  void release() {
    if (memory_ == nullptr) return;
    source_->release(memory_, static_cast<std::size_t>(bytes_), memory_alignment);
    memory_ = nullptr;
    bytes_ = 0;
  }
  memory_source* from_;
  memory_source* source_ = nullptr;
  std::byte* memory_ = nullptr;
  extent bytes_ = 0;
};

} // namespace cpu
} // namespace weft::inline v0

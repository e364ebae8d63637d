// SPDX-License-Identifier: BSL-1.0
// buffer<T>: elements in shared memory, 64-byte aligned, with an intrusive atomic count; a
// pointer and a length wide. pin<T>: what a live mutable view holds of a buffer.
// Needs: run-time memory, or a constant evaluation, in which every copy is deep.
// Leaves: a copy shares, except of a pinned buffer, which it clones, so whoever was promised a
// private buffer keeps it private. Elements of a new buffer are unspecified at run time.
#pragma once

#include <weft/core/memory_source.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace weft::inline v0 {
namespace detail {

inline constexpr int buffer_alignment = 64;
// The compilers' own atomics: <atomic> costs 0.3 s of every translation unit, more than all of
// array together (g++ 12: its wait and notify).
inline std::int64_t atomic_load(std::int64_t const& x) {
  return __atomic_load_n(&x, __ATOMIC_ACQUIRE);
}
inline void atomic_increment(std::int64_t& x) { __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED); }
inline std::int64_t atomic_decrement(std::int64_t& x) {
  return __atomic_sub_fetch(&x, 1, __ATOMIC_ACQ_REL);
}

inline std::int64_t allocations = 0;
// Blocks of element memory taken from the heap by this process so far: tests of "no allocation"
// take the difference of two readings.
inline std::int64_t allocation_count() { return atomic_load(allocations); }

// Lies in the 64 bytes before the elements. `writers` counts pins and is plain on purpose: it
// changes only while one tensor owns the buffer, and that tensor is as thread-safe as an int.
struct buffer_header {
  memory_source* source;
  std::uint64_t bytes; // of the block, this header included
  std::int64_t owners = 1;
  std::int64_t writers = 0;
};
static_assert(sizeof(buffer_header) <= buffer_alignment);

inline void* new_block(std::uint64_t bytes, memory_source& source = current_memory()) {
  atomic_increment(allocations);
  void* block = source.allocate(bytes + buffer_alignment, buffer_alignment);
  ::new (block) buffer_header{&source, bytes + buffer_alignment};
  return static_cast<char*>(block) + buffer_alignment;
}
inline buffer_header& header_of(void* elements) {
  void* block = static_cast<char*>(elements) - buffer_alignment;
  return *std::launder(static_cast<buffer_header*>(block));
}
WEFT_NOINLINE inline void release_block(void* elements) {
  buffer_header& header = header_of(elements);
  if (atomic_decrement(header.owners) > 0) return;
  header.source->release(&header, header.bytes, buffer_alignment);
}

template <class T> class buffer {
public:
  constexpr buffer() = default;
  constexpr explicit buffer(extent count) : data_(allocate(count)), count_(count) {}
  constexpr buffer(buffer const& other)
      : data_(other.must_clone() ? other.copied() : other.shared()), count_(other.count_) {}
  constexpr buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  constexpr buffer& operator=(buffer other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  constexpr ~buffer() {
    if (data_ == nullptr) return;
    if (std::is_constant_evaluated()) delete[] data_;
    else release_block(data_);
  }

  // A handle that takes over one owner of a block from new_block.
  static buffer of_block(void* elements, extent count) {
    return buffer(static_cast<T*>(elements), count);
  }
  // The block, whose owner is then the caller; null where there is none.
  static void* to_block(buffer b) {
    b.count_ = 0;
    return std::exchange(b.data_, nullptr);
  }
  static constexpr buffer zeros(extent count) {
    buffer b(count);
    for (extent i = 0; i < count; ++i) b.data_[i] = T{};
    return b;
  }
  constexpr buffer clone() const { return buffer(copied(), count_); }

  // This handle sees the first `count` elements only.
  constexpr void truncate(extent count) { count_ = count; }

  constexpr bool empty() const { return data_ == nullptr; }
  constexpr extent count() const { return count_; }
  // Writing through it is for the holder of a unique() or pinned buffer.
  constexpr T* data() const { return data_; }
  // One handle and no live view: the holder may write, reuse or donate the memory.
  constexpr bool unique() const { return std::is_constant_evaluated() || owners() == 1; }
  // One handle apart from live views: a further view may be made.
  constexpr bool private_to_views() const {
    return std::is_constant_evaluated() || owners() == 1 + header_of(data_).writers;
  }

private:
  template <class> friend class pin;

  std::int64_t owners() const { return atomic_load(header_of(data_).owners); }
  constexpr bool must_clone() const {
    if (data_ == nullptr) return false;
    return std::is_constant_evaluated() || header_of(data_).writers != 0;
  }
  constexpr buffer(T* data, extent count) : data_(data), count_(count) {}

  static constexpr T* allocate(extent count) {
    auto length = static_cast<std::uint64_t>(count);
    if (std::is_constant_evaluated()) return new T[length]{};
    std::uint64_t const most = UINT64_MAX / 2 / sizeof(T); // beyond it, what no source has
    return static_cast<T*>(new_block(length > most ? UINT64_MAX / 2 : length * sizeof(T)));
  }
  constexpr T* copied() const {
    if (data_ == nullptr) return nullptr;
    T* copy = allocate(count_);
    for (extent i = 0; i < count_; ++i) copy[i] = data_[i];
    return copy;
  }
  constexpr T* shared() const {
    if (data_ != nullptr) atomic_increment(header_of(data_).owners);
    return data_;
  }

  T* data_ = nullptr;
  extent count_ = 0;
};

// Keeps a buffer alive and unshareable from construction to destruction.
template <class T> class pin {
public:
  constexpr explicit pin(buffer<T> const& b) {
    if (std::is_constant_evaluated() || b.empty()) return;
    kept_ = buffer<T>(b.shared(), b.count());
    ++header_of(kept_.data()).writers;
  }
  pin(pin const&) = delete;
  pin& operator=(pin const&) = delete;
  constexpr ~pin() {
    if (!kept_.empty()) --header_of(kept_.data()).writers;
  }

private:
  buffer<T> kept_;
};

// Zeros that nobody wrote: one block per type and length, made when first read and never freed.
// calloc, because the system's zero pages cost no memory until they are touched.
inline void* new_zero_block(std::uint64_t bytes) {
  atomic_increment(allocations);
  void* block = std::calloc(bytes + buffer_alignment, 1);
  if (block == nullptr)
    raise<usage_error>("weft: tensor: no memory for zeros; assign the tensor first");
  auto address = reinterpret_cast<std::uintptr_t>(block);
  return static_cast<char*>(block) + (buffer_alignment - address % buffer_alignment);
}
template <class T, extent Count> T const* zeros_of() {
  static T const* const block = static_cast<T*>(new_zero_block(Count * sizeof(T)));
  return block;
}

} // namespace detail
} // namespace weft::inline v0

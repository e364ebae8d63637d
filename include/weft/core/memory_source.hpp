// SPDX-License-Identifier: BSL-1.0
// memory_source: where weft takes element memory from: tensors, and results, intermediates and
// scratch of programs. The heap unless a program says otherwise.
//   alignas(64) std::byte memory[1 << 20];
//   fixed_memory own(memory, sizeof memory);
//   compiled<f, tensor<float, 64>> g(1, own);             // all that g's calls touch lies in there
//   memory_source& before = use_memory(my_source);        // every block from now on, process-wide
// Needs: a source that outlives its blocks; each block goes back where it came from. Leaves: what
// plans programs (tables of nodes and steps) is not element memory and comes from operator new.
#pragma once

#include <weft/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace weft::inline v0 {

// Of every block of elements, in bytes: a cache line, and the widest pack.
inline constexpr extent memory_alignment = 64;
constexpr extent aligned_bytes(extent bytes) {
  return (bytes + memory_alignment - 1) / memory_alignment * memory_alignment;
}

class memory_source {
public:
  // At least `bytes` bytes at a multiple of `alignment`, a power of two; throws when there are none.
  virtual void* allocate(std::size_t bytes, std::size_t alignment) = 0;
  // What allocate gave for these numbers.
  virtual void release(void* memory, std::size_t bytes, std::size_t alignment) noexcept = 0;

protected:
  memory_source() = default;
  memory_source(memory_source const&) = default;
  memory_source& operator=(memory_source const&) = default;
  ~memory_source() = default;
};

namespace detail {

class heap_source final : public memory_source {
public:
  void* allocate(std::size_t bytes, std::size_t alignment) override {
#if WEFT_EXCEPTIONS // no object is larger, and under a sanitizer asking for it ends the program
    if (bytes > PTRDIFF_MAX) throw std::bad_alloc();
#endif
    return ::operator new(bytes, std::align_val_t{alignment});
  }
  void release(void* memory, std::size_t, std::size_t alignment) noexcept override {
    ::operator delete(memory, std::align_val_t{alignment});
  }
};
inline heap_source heap;
inline memory_source* memory_in_use = &heap;

inline memory_source& current_memory() {
  return *__atomic_load_n(&memory_in_use, __ATOMIC_ACQUIRE);
}
// `given`, or what is in use now.
inline memory_source& memory_from(memory_source* given) {
  return given != nullptr ? *given : current_memory();
}

} // namespace detail

// operator new and delete.
inline memory_source& heap_memory() { return detail::heap; }

// Blocks come from `source` from now on, on every thread; those that exist go back where they came
// from. Comes back: what was used before. Programs keep memory for each thread that ran them until
// the thread ends: `source` must outlive these threads, and serve several at a time.
inline memory_source& use_memory(memory_source& source) {
  return *__atomic_exchange_n(&detail::memory_in_use, &source, __ATOMIC_ACQ_REL);
}

// A source over memory of the caller's. Blocks lie one behind the other; the last one's place is
// free again when it is released, all when none is left. For one thread at a time.
// Errors: memory_error when it is full.
class fixed_memory final : public memory_source {
public:
  fixed_memory(void* memory, std::size_t bytes) : begin_(address(memory)), end_(begin_ + bytes) {}
  fixed_memory(fixed_memory const&) = delete;
  fixed_memory& operator=(fixed_memory const&) = delete;

  void* allocate(std::size_t bytes, std::size_t alignment) override {
    std::uintptr_t const at = (next_ + alignment - 1) / alignment * alignment;
    if (at > end_ || bytes > end_ - at)
      raise<memory_error>(message("weft: fixed_memory: no room for a block; give it more memory (")
                              .add(static_cast<extent>(bytes))
                              .add(" bytes wanted, ")
                              .add(static_cast<extent>(at > end_ ? 0 : end_ - at))
                              .add(" left)"));
    next_ = at + bytes;
    if (next_ - begin_ > most_) most_ = next_ - begin_;
    ++blocks_;
    return reinterpret_cast<void*>(at);
  }
  void release(void* memory, std::size_t bytes, std::size_t) noexcept override {
    if (address(memory) + bytes == next_) next_ = address(memory);
    if (--blocks_ == 0) next_ = begin_;
  }
  std::size_t used() const { return next_ - begin_; }
  std::size_t most_used() const { return most_; } // since it was made

private:
  static std::uintptr_t address(void* p) { return reinterpret_cast<std::uintptr_t>(p); }
  std::uintptr_t begin_, end_, next_ = begin_;
  std::size_t most_ = 0;
  std::int64_t blocks_ = 0;
};

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// memory_calls_of(f): how often f takes or gives back memory. Every operator new and delete of the
// program is counted, so a test that includes this is built alone.
#pragma once

#include <weft/array/tensor.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

namespace test {

inline std::atomic<long> memory_calls = 0;

inline void* counted_new(std::size_t bytes, std::size_t alignment) {
  ++memory_calls;
  std::size_t const rounded = (bytes + alignment - 1) / alignment * alignment;
  if (void* p = std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment)) return p;
  throw std::bad_alloc();
}
inline void counted_delete(void* p) {
  memory_calls += p != nullptr;
  std::free(p);
}

} // namespace test

// The other forms of the standard library call these.
void* operator new(std::size_t bytes) {
  return test::counted_new(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t a) {
  return test::counted_new(bytes, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { test::counted_delete(p); }
void operator delete(void* p, std::size_t) noexcept { test::counted_delete(p); }
void operator delete(void* p, std::align_val_t) noexcept { test::counted_delete(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { test::counted_delete(p); }

namespace test {

// How often memory is taken or given back by f.
template <class F> long memory_calls_of(F const& f) {
  long const before = memory_calls;
  std::int64_t const elements = weft::detail::allocation_count();
  f();
  return memory_calls - before + static_cast<long>(weft::detail::allocation_count() - elements);
}

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// Where a tensor's elements live: in the tensor when they are at most 64 bytes (captured by value
// as cheaply as by reference; more costs, measured), else in a shared buffer, copied on write.
// Leaves: data() is aligned to the bytes of all elements, rounded up to a power of two and at most 64;
// writable(n) points to elements nobody else can see.
#pragma once

#include <weft/array/bound_shape.hpp>
#include <weft/array/buffer.hpp>
#include <weft/core/bits.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr extent inline_bytes = 64;

template <class T, extent Count> struct inline_storage {
  struct pin_type {};

  // Three floats take 16 bytes and are aligned to them: a copy is one register's.
  static constexpr std::uint64_t room = bit_ceil(std::uint64_t{Count});
  alignas(room * sizeof(T)) T elements[room]{}; // those beyond Count are anything

  constexpr T const* data() const { return elements; }
  constexpr T* writable(extent) { return elements; }
  constexpr pin_type pinned() const { return {}; }
  constexpr bool unique() const { return true; }
};

// Count is -1 when the run decides. No buffer means: zeros (static extents) or no elements.
template <class T, extent Count> struct shared_storage {
  using pin_type = pin<T>;

  buffer<T> elements;

  // A constant evaluation cannot read zeros_of.
  constexpr shared_storage() {
    if constexpr (Count > 0)
      if (std::is_constant_evaluated()) elements = buffer<T>(Count);
  }
  constexpr explicit shared_storage(buffer<T> b) : elements(std::move(b)) {}

  constexpr T const* data() const {
    if constexpr (Count > 0)
      if (elements.empty()) return zeros_of<T, Count>();
    return elements.data();
  }
  constexpr T* writable(extent count) {
    if (elements.empty()) {
      if (count > 0) elements = buffer<T>::zeros(count);
    } else if (!elements.private_to_views()) elements = elements.clone();
    return elements.data();
  }
  constexpr pin_type pinned() const { return pin_type(elements); }
  constexpr bool unique() const { return !elements.empty() && elements.unique(); }
};

template <class T, class Shape> constexpr bool fits_inline() {
  if constexpr (!Shape::is_static) return false;
  else return count_of(Shape::pattern) * static_cast<extent>(sizeof(T)) <= inline_bytes;
}
template <class T, class Shape> constexpr auto choose_storage() {
  if constexpr (!Shape::is_static) return std::type_identity<shared_storage<T, -1>>{};
  else if constexpr (fits_inline<T, Shape>())
    return std::type_identity<inline_storage<T, count_of(Shape::pattern)>>{};
  else return std::type_identity<shared_storage<T, count_of(Shape::pattern)>>{};
}
template <class T, auto... E>
using storage_for = typename decltype(choose_storage<T, bound_shape<E...>>())::type;

} // namespace detail
} // namespace weft::inline v0

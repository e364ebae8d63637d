// SPDX-License-Identifier: BSL-1.0
// Packs (cpu/pack_types.hpp) from and to memory. A pointer to float, int32_t, uint32_t, bool or
// bf16 says what is there: bool is a mask, bf16 widens to float and is rounded to nearest even when
// stored.
//   load<Target>(p)                               store(p, x)                 consecutive elements
//   load_first<Target>(p, n)                      store_first(p, x, n)        only the first n
//   load_strided<Target>(p, stride)               store_strided(p, x, stride) p[k * stride]
//   load_strided_first<Target>(p, stride, n)      store_strided_first(p, x, stride, n)
//   lane_numbers<Target>()                        0, 1, 2, ...
//   first_lanes<Target>(n)                        the mask of the first n lanes
// Needs: 0 <= n <= lanes; no alignment; a stride counts elements and may be zero or negative.
// Leaves: memory beyond the first n elements untouched; lanes beyond the first n zero.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/dtype.hpp>
#include <weft/cpu/pack_types.hpp>
#include <weft/cpu/vector.hpp>
#include <weft/op/elementary.hpp>

#include <cstddef>
#include <type_traits>

namespace weft::inline v0 {
namespace cpu {

template <class Target, element T> WEFT_INLINE pack_for<Target, T> load(T const* p) {
  using pack = pack_for<Target, T>;
  using vectors = detail::vectors<Target::lanes>;
  if constexpr (std::is_same_v<T, bf16>) {
    typename vectors::halves h;
    __builtin_memcpy(&h, p, sizeof h);
    using words = pack_u32<Target>;
    return elementary::from_bf16_bits(words(__builtin_convertvector(h, typename words::vector)));
  } else if constexpr (std::is_same_v<T, bool>) {
    typename vectors::bytes b;
    __builtin_memcpy(&b, p, sizeof b);
    return pack(-__builtin_convertvector(b, typename pack::vector));
  } else {
    typename pack::vector v;
    __builtin_memcpy(&v, p, sizeof v);
    return pack(v);
  }
}

template <element T, class Pack> WEFT_INLINE void store(T* p, Pack const& x) {
  using vectors = detail::vectors<Pack::lanes>;
  if constexpr (std::is_same_v<T, bf16>) {
    auto const h = __builtin_convertvector(elementary::bf16_bits(x).value,
                                           typename vectors::halves);
    __builtin_memcpy(static_cast<void*>(p), &h, sizeof h);
  } else if constexpr (std::is_same_v<T, bool>) {
    auto const b = __builtin_convertvector(-x.value, typename vectors::bytes);
    __builtin_memcpy(p, &b, sizeof b);
  } else {
    static_assert(sizeof(x.value) == sizeof(T) * Pack::lanes);
    __builtin_memcpy(p, &x.value, sizeof x.value);
  }
}

template <class Target, element T> WEFT_INLINE pack_for<Target, T> load_first(T const* p, int n) {
  using pack = pack_for<Target, T>;
  if constexpr (sizeof(T) == 4) {
    return pack(typename pack::vector(detail::instructions<Target>::load_first(p, n)));
  } else {
    T buffer[Target::lanes] = {};
    for (int k = 0; k < n; ++k) buffer[k] = p[k];
    return load<Target>(buffer);
  }
}

template <element T, class Pack> WEFT_INLINE void store_first(T* p, Pack const& x, int n) {
  T buffer[Pack::lanes];
  store(buffer, x);
  for (int k = 0; k < n; ++k) p[k] = buffer[k];
}

template <class Target, element T>
WEFT_INLINE pack_for<Target, T> load_strided(T const* p, std::ptrdiff_t stride) {
  using pack = pack_for<Target, T>;
  if constexpr (sizeof(T) == 4) {
    typename pack::vector v{};
    for (int k = 0; k < Target::lanes; ++k) v[k] = p[k * stride];
    return pack(v);
  } else {
    T buffer[Target::lanes];
    for (int k = 0; k < Target::lanes; ++k) buffer[k] = p[k * stride];
    return load<Target>(buffer);
  }
}

template <class Target, element T>
WEFT_INLINE pack_for<Target, T> load_strided_first(T const* p, std::ptrdiff_t stride, int n) {
  T buffer[Target::lanes] = {};
  for (int k = 0; k < n; ++k) buffer[k] = p[k * stride];
  return load<Target>(buffer);
}

template <element T, class Pack>
WEFT_INLINE void store_strided_first(T* p, Pack const& x, std::ptrdiff_t stride, int n) {
  T buffer[Pack::lanes];
  store(buffer, x);
  for (int k = 0; k < n; ++k) p[k * stride] = buffer[k];
}

template <element T, class Pack>
WEFT_INLINE void store_strided(T* p, Pack const& x, std::ptrdiff_t stride) {
  store_strided_first(p, x, stride, Pack::lanes);
}

template <class Target> WEFT_INLINE pack_i32<Target> lane_numbers() {
  typename pack_i32<Target>::vector index{};
  for (int k = 0; k < Target::lanes; ++k) index[k] = k;
  return pack_i32<Target>(index);
}
template <class Target> WEFT_INLINE pack_mask<Target> first_lanes(int n) {
  return lane_numbers<Target>() < pack_i32<Target>(n);
}

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Packs (cpu/pack_types.hpp) from and to memory. A pointer says what is there: bool is a mask, bf16
// and f16 widen to float and are rounded to nearest even when stored, integers of 8 and 16 bits are
// extended to 32 and their low bits stored.
//   load<Target>(p)                               store(p, x)                 consecutive elements
//   load_first<Target>(p, n)                      store_first(p, x, n)        only the first n
//   load_part<Target, N>(p)                       store_part<N>(p, x)         a number of them
//   load_strided<Target>(p, stride)               store_strided(p, x, stride) p[k * stride]
//   load_strided_first<Target>(p, stride, n)      store_strided_first(p, x, stride, n)
//   lane_numbers<Target>()                        0, 1, 2, ...
//   first_lanes<Target>(n)                        the mask of the first n lanes
//   hold(x)                                       in a register, from here on; a pointer, too
//   fetch_line(p, bytes)                          soon read: the line so far behind p, if it is any's
// Needs: 0 <= n <= lanes; no alignment; a stride counts elements and may be zero or negative.
// Leaves: memory beyond the first n elements untouched; lanes beyond the first n zero.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/core/config.hpp>
#include <weft/core/dtype.hpp>
#include <weft/core/extents.hpp>
#include <weft/cpu/pack_types.hpp>
#include <weft/cpu/vector.hpp>
#include <weft/op/elementary.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace weft::inline v0 {
namespace cpu {} // namespace cpu

namespace detail {

// Count elements of 32 bits in the shortest vector that holds them, zeros behind.
template <class T, int Count> struct short_vector {
  typedef T type __attribute__((vector_size(Count * sizeof(T))));
  typedef T anywhere __attribute__((vector_size(Count * sizeof(T)), aligned(4), may_alias));
};
// Zeros behind; doubled until it fits, as g++ 12 goes through memory otherwise.
template <int Lanes, class V> WEFT_INLINE auto widened_to(V const& x) {
  constexpr int count = static_cast<int>(sizeof(V) / sizeof(x[0]));
  if constexpr (count == Lanes) return x;
  else {
    auto const twice = [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
      return __builtin_shufflevector(x, V{}, K...);
    }(std::make_integer_sequence<int, 2 * count>{});
    return widened_to<Lanes>(twice);
  }
}
template <int Count, class T> WEFT_INLINE auto exactly(T const* p) {
  using four = typename short_vector<T, 4>::type;
  if constexpr (Count == 1) return four{p[0]};
  else if constexpr (Count == 3) return four{p[0], p[1], p[2]};
  else if constexpr (4 < Count && Count < 8)
    return __builtin_shufflevector(exactly<4>(p), widened_to<4>(exactly<Count - 4>(p + 4)), 0, 1, 2,
                                   3, 4, 5, 6, 7);
  else {
    using from = short_vector<T, Count>;
    return typename from::type(*reinterpret_cast<typename from::anywhere const*>(p));
  }
}

template <int First, int Count, class T, class V> WEFT_INLINE void store_lanes(T* p, V const& x) {
  auto const some = [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
    return __builtin_shufflevector(x, x, (First + K)...);
  }(std::make_integer_sequence<int, Count>{});
  std::memcpy(p, &some, sizeof some);
}

// Count elements of 64 bits in a vector V, zeros behind.
template <int Count, class V, class T> WEFT_INLINE V exactly_wide(T const* p) {
  return [p]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
    auto const one = [p](int k) WEFT_LAMBDA { return k < Count ? p[k] : T{}; };
    return V{one(K)...};
  }(std::make_integer_sequence<int, static_cast<int>(sizeof(V) / sizeof(T))>{});
}
// By two stores at most, where what is left of the largest power of two is one, too.
template <int Count, class T, class V> WEFT_INLINE void store_first_lanes(T* p, V const& x) {
  constexpr int low = static_cast<int>(bit_floor(static_cast<unsigned>(Count)));
  store_lanes<0, low>(p, x);
  if constexpr (Count > low) store_lanes<low, Count - low>(p + low, x);
}

// Elements of 8 or 16 bits as a vector; bool and the 16-bit floats as their bits.
template <int Lanes, element T> constexpr auto find_small_vector() {
  using v = vectors<Lanes>;
  constexpr bool is_signed = weft::is_signed(dtype_of<T>);
  if constexpr (sizeof(T) == 1) {
    if constexpr (is_signed) return typename v::signed_bytes{};
    else return typename v::bytes{};
  } else if constexpr (is_signed) return typename v::signed_halves{};
  else return typename v::halves{};
}
template <int Lanes, element T> using small_vector = decltype(find_small_vector<Lanes, T>());

// What is made of them, and back.
template <class Target, class To, class Small> WEFT_INLINE auto extended(Small const& x) {
  using machine = instructions<Target>;
  if constexpr (requires { machine::extend(x); }) return To(machine::extend(x));
  else return __builtin_convertvector(x, To);
}
template <class Target, dtype D, class Small> WEFT_INLINE auto from_small(Small const& x) {
  using machine = instructions<Target>;
  using u = cpu::pack_u32<Target>;
  using pack = cpu::pack_for<Target, storage_of<D>>;
  using vector = typename pack::vector;
  if constexpr (D == dtype::f16 && requires { machine::from_halves(x); })
    return pack(machine::from_halves(x));
  else if constexpr (is_half(D))
    return elementary::from_half_bits<D>(u(extended<Target, typename u::vector>(x)));
  else if constexpr (D == dtype::boolean) return pack(-extended<Target, vector>(x));
  else return pack(extended<Target, vector>(x));
}
template <class Target, class Small, class Vector> WEFT_INLINE Small low_part(Vector const& x) {
  using machine = instructions<Target>;
  using i = typename machine::i;
  if constexpr (sizeof(Small) == Target::lanes && requires { machine::low_bytes(i(x)); })
    return Small(machine::low_bytes(i(x)));
  else if constexpr (sizeof(Small) == 2 * Target::lanes && requires { machine::low_halves(i(x)); })
    return Small(machine::low_halves(i(x)));
  else return __builtin_convertvector(x, Small);
}
template <class Target, dtype D, class Pack> WEFT_INLINE auto to_small(Pack const& x) {
  using machine = instructions<Target>;
  using small = small_vector<Target::lanes, storage_of<D>>;
  if constexpr (D == dtype::f16 && requires { machine::to_halves(x.value); })
    return machine::to_halves(x.value);
  else if constexpr (is_half(D)) return low_part<Target, small>(elementary::half_bits<D>(x).value);
  else if constexpr (D == dtype::boolean) return low_part<Target, small>(-x.value);
  else return low_part<Target, small>(x.value);
}

} // namespace detail

namespace cpu {

// g++ 12 and 13, tuned for one machine (-march=native), read a pack from memory again in every
// instruction that it is part of; needed until they do not.
template <class Pack> WEFT_INLINE void hold([[maybe_unused]] Pack& x) {
#if defined(__x86_64__)
  if constexpr (requires { x.low; }) asm("" : "+v"(x.low), "+v"(x.high));
  else asm("" : "+v"(x.value));
#endif
}
// g++ 12 and 13 keep an address for each step of an unrolled walk, in registers that are then too few;
// needed until they do not.
template <class T> WEFT_INLINE void hold(T const*& p) { asm("" : "+r"(p)); }
template <class T> WEFT_INLINE void fetch_line(T const* p, extent bytes) {
  __builtin_prefetch(reinterpret_cast<void const*>(reinterpret_cast<std::uintptr_t>(p) +
                                                   static_cast<std::uintptr_t>(bytes)));
}

template <class Target, element T> WEFT_INLINE pack_for<Target, T> load(T const* p) {
  using pack = pack_for<Target, T>;
  if constexpr (sizeof(T) < 4) {
    detail::small_vector<Target::lanes, T> v;
    __builtin_memcpy(&v, p, sizeof v);
    return detail::from_small<Target, dtype_of<T>>(v);
  } else if constexpr (sizeof(T) == 8) {
    typename pack::vector low, high;
    __builtin_memcpy(&low, p, sizeof low);
    __builtin_memcpy(&high, p + Target::lanes / 2, sizeof high);
    return pack(low, high);
  } else {
    typename pack::vector v;
    __builtin_memcpy(&v, p, sizeof v);
    return pack(v);
  }
}

template <element T, class Pack> WEFT_INLINE void store(T* p, Pack const& x) {
  if constexpr (sizeof(T) < 4) {
    auto const v = detail::to_small<typename Pack::target, dtype_of<T>>(x);
    __builtin_memcpy(static_cast<void*>(p), &v, sizeof v);
  } else if constexpr (sizeof(T) == 8) {
    static_assert(sizeof(x) == sizeof(T) * Pack::lanes);
    __builtin_memcpy(p, &x.low, sizeof x.low);
    __builtin_memcpy(p + Pack::lanes / 2, &x.high, sizeof x.high);
  } else {
    static_assert(sizeof(x.value) == sizeof(T) * Pack::lanes);
    __builtin_memcpy(p, &x.value, sizeof x.value);
  }
}

template <class Target, element T> WEFT_INLINE pack_for<Target, T> load_first(T const* p, int n) {
  using pack = pack_for<Target, T>;
  using machine = detail::instructions<Target>;
  constexpr int lanes = Target::lanes;
  if constexpr (sizeof(T) == 4) {
    return pack(typename pack::vector(machine::load_first(p, n)));
  } else if constexpr (sizeof(T) == 8) {
    using vector = typename pack::vector;
    int const words = 2 * n, over = words > lanes ? words - lanes : 0;
    return pack(vector(machine::load_first(p, words - over)),
                vector(machine::load_first(over > 0 ? p + lanes / 2 : p, over)));
  } else {
    T buffer[Target::lanes] = {};
    for (int k = 0; k < n; ++k) buffer[k] = p[k];
    return load<Target>(buffer);
  }
}

// The first Count elements, a number that the compiler knows: of few, without the mask or loop of
// load_first, and from memory that was written a moment ago without waiting for it.
template <class Target, int Count, element T>
WEFT_INLINE pack_for<Target, T> load_part(T const* p) {
  using pack = pack_for<Target, T>;
  if constexpr (Count == Target::lanes) return load<Target>(p);
  else if constexpr (sizeof(T) == 4 && Count <= 8)
    return pack(
        typename pack::vector(detail::widened_to<Target::lanes>(detail::exactly<Count>(p))));
  else if constexpr (sizeof(T) == 8 && Target::lanes <= 8) {
    using vector = typename pack::vector;
    constexpr int half = Target::lanes / 2, low = Count < half ? Count : half;
    return pack(detail::exactly_wide<low, vector>(p),
                detail::exactly_wide<Count - low, vector>(p + low));
  } else return load_first<Target>(p, Count);
}

template <element T, class Pack> WEFT_INLINE void store_first(T* p, Pack const& x, int n) {
  using machine = detail::instructions<typename Pack::target>;
  using word = decltype(machine::load_first(p, n));
  constexpr int lanes = Pack::lanes;
  if constexpr (sizeof(T) == 4) machine::store_first(p, word(x.value), n);
  else if constexpr (sizeof(T) == 8) {
    int const words = 2 * n, over = words > lanes ? words - lanes : 0;
    machine::store_first(p, word(x.low), words - over);
    machine::store_first(over > 0 ? p + lanes / 2 : p, word(x.high), over);
  } else {
    T buffer[lanes];
    store(buffer, x);
    for (int k = 0; k < n; ++k) p[k] = buffer[k];
  }
}

// The first Count lanes.
template <int Count, element T, class Pack> WEFT_INLINE void store_part(T* p, Pack const& x) {
  constexpr int low = static_cast<int>(detail::bit_floor(static_cast<unsigned>(Count)));
  constexpr int rest = Count - low;
  if constexpr (Count == Pack::lanes) store(p, x);
  else if constexpr (sizeof(T) == 4 && (rest & (rest - 1)) == 0)
    detail::store_first_lanes<Count>(p, x.value);
  else if constexpr (sizeof(T) == 8 && Pack::lanes <= 8) {
    constexpr int half = Pack::lanes / 2, below = Count < half ? Count : half;
    detail::store_first_lanes<below>(p, x.low);
    if constexpr (Count > half) detail::store_first_lanes<Count - half>(p + half, x.high);
  } else store_first(p, x, Count);
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

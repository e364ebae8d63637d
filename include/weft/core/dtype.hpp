// SPDX-License-Identifier: BSL-1.0
// Element types: the run-time tag `dtype`, the storage type bf16, and the map from C++ types.
// Leaves: `dtype_of<T>` exists for exactly the element types of weft; everything else fails.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {

// bfloat16: storage only. Conversions round to nearest even, keep subnormals and quiet NaNs;
// arithmetic is float arithmetic followed by one conversion (docs/numerics.md).
struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  constexpr explicit bf16(float x) : bits(round(std::bit_cast<std::uint32_t>(x))) {}
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  static constexpr bf16 from_bits(std::uint16_t b) {
    bf16 r;
    r.bits = b;
    return r;
  }
  friend constexpr bool operator==(bf16 a, bf16 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }

private:
  static constexpr std::uint16_t round(std::uint32_t b) {
    bool nan = (b & 0x7fffffffu) > 0x7f800000u;
    return static_cast<std::uint16_t>(nan ? (b >> 16) | 0x40u
                                          : (b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
  }
};

enum class dtype : std::uint8_t { f32, i32, u32, boolean, bf16 };
inline constexpr int dtype_count = 5;

namespace detail {
template <class T> inline constexpr bool no_dtype = false;
template <class T> constexpr dtype find_dtype() {
  if constexpr (std::is_same_v<T, float>) return dtype::f32;
  else if constexpr (std::is_same_v<T, std::int32_t>) return dtype::i32;
  else if constexpr (std::is_same_v<T, std::uint32_t>) return dtype::u32;
  else if constexpr (std::is_same_v<T, bool>) return dtype::boolean;
  else if constexpr (std::is_same_v<T, bf16>) return dtype::bf16;
  else
    static_assert(no_dtype<T>, "weft: not an element type; use float, int, unsigned, bool or bf16");
}
template <dtype D> constexpr auto storage() {
  if constexpr (D == dtype::f32) return float{};
  else if constexpr (D == dtype::i32) return std::int32_t{};
  else if constexpr (D == dtype::u32) return std::uint32_t{};
  else if constexpr (D == dtype::boolean) return bool{};
  else return bf16{};
}
} // namespace detail

template <class T>
concept element = std::is_same_v<T, float> || std::is_same_v<T, std::int32_t> ||
                  std::is_same_v<T, std::uint32_t> || std::is_same_v<T, bool> ||
                  std::is_same_v<T, bf16>;

template <class T> inline constexpr dtype dtype_of = detail::find_dtype<T>();
// The C++ type that stores an element: storage_of<dtype::f32> is float.
template <dtype D> using storage_of = decltype(detail::storage<D>());

constexpr int size_of(dtype d) {
  constexpr int bytes[dtype_count] = {4, 4, 4, 1, 2};
  return bytes[static_cast<int>(d)];
}
constexpr bool is_float(dtype d) { return d == dtype::f32 || d == dtype::bf16; }
constexpr bool is_integer(dtype d) { return d == dtype::i32 || d == dtype::u32; }
// The type in which sums and products of d are accumulated: float for the 16-bit formats.
constexpr dtype accumulator_of(dtype d) { return d == dtype::bf16 ? dtype::f32 : d; }

// StableHLO's spelling, used by every printer: f32, i32, ui32, i1, bf16.
constexpr char const* name_of(dtype d) {
  constexpr char const* names[dtype_count] = {"f32", "i32", "ui32", "i1", "bf16"};
  return names[static_cast<int>(d)];
}

} // namespace weft::inline v0

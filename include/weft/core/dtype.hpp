// SPDX-License-Identifier: BSL-1.0
// Element types: the run-time tag `dtype`, what is known of each, and the map from C++ types.
// Leaves: `dtype_of<T>` exists for exactly the element types of weft; everything else fails.
#pragma once

#include <weft/core/half.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace weft::inline v0 {

enum class dtype : std::uint8_t {
  f32,
  i32,
  u32,
  boolean,
  bf16,
  f16,
  f64,
  i8,
  i16,
  i64,
  u8,
  u16,
  u64
};
inline constexpr int dtype_count = 13;

namespace detail {

enum class number_kind : std::uint8_t { floating, signed_integer, unsigned_integer, boolean };

// `compute` is what arithmetic happens in; `accumulator`, what sums and products add up in.
struct dtype_info {
  int size;
  number_kind kind;
  dtype compute, accumulator;
  char const* name;
};
inline constexpr dtype_info dtype_table[dtype_count] = {
    {4, number_kind::floating, dtype::f32, dtype::f32, "f32"},
    {4, number_kind::signed_integer, dtype::i32, dtype::i32, "i32"},
    {4, number_kind::unsigned_integer, dtype::u32, dtype::u32, "ui32"},
    {1, number_kind::boolean, dtype::boolean, dtype::boolean, "i1"},
    {2, number_kind::floating, dtype::f32, dtype::f32, "bf16"},
    {2, number_kind::floating, dtype::f32, dtype::f32, "f16"},
    {8, number_kind::floating, dtype::f64, dtype::f64, "f64"},
    {1, number_kind::signed_integer, dtype::i32, dtype::i8, "i8"},
    {2, number_kind::signed_integer, dtype::i32, dtype::i16, "i16"},
    {8, number_kind::signed_integer, dtype::i64, dtype::i64, "i64"},
    {1, number_kind::unsigned_integer, dtype::u32, dtype::u8, "ui8"},
    {2, number_kind::unsigned_integer, dtype::u32, dtype::u16, "ui16"},
    {8, number_kind::unsigned_integer, dtype::u64, dtype::u64, "ui64"},
};
constexpr dtype_info const& facts_of(dtype d) { return dtype_table[static_cast<int>(d)]; }

// The C++ type of each dtype, in its order.
template <class...> struct element_list {};
using storage_types =
    element_list<float, std::int32_t, std::uint32_t, bool, bf16, f16, double, std::int8_t,
                 std::int16_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint64_t>;
template <dtype D, class T> struct storage_case {};
template <class Places, class Types> struct storage_map;
template <int... I, class... T>
struct storage_map<std::integer_sequence<int, I...>, element_list<T...>>
    : storage_case<static_cast<dtype>(I), T>... {};
template <dtype D, class T> T find_storage(storage_case<D, T> const*);
using all_storage = storage_map<std::make_integer_sequence<int, dtype_count>, storage_types>;
// The place of T in the table; -1 for other types (a pointer converts to a base before it converts
// to void const*).
template <class T, dtype D> constexpr int find_place(storage_case<D, T> const*) {
  return static_cast<int>(D);
}
template <class T> constexpr int find_place(void const*) { return -1; }
template <class T>
inline constexpr int dtype_place = find_place<T>(static_cast<all_storage*>(nullptr));

template <class T> constexpr dtype find_dtype() {
  static_assert(dtype_place<T> >= 0, "weft: not an element type; use float, double, bf16, "
                                     "f16, bool or an integer of <cstdint>");
  return static_cast<dtype>(dtype_place<T>);
}

} // namespace detail

template <class T> concept element = detail::dtype_place<T> >= 0;

template <class T> inline constexpr dtype dtype_of = detail::find_dtype<T>();
// The C++ type that stores an element: storage_of<dtype::f32> is float.
template <dtype D>
using storage_of = decltype(detail::find_storage<D>(static_cast<detail::all_storage*>(nullptr)));

constexpr int size_of(dtype d) { return detail::facts_of(d).size; }
constexpr bool is_float(dtype d) {
  return detail::facts_of(d).kind == detail::number_kind::floating;
}
constexpr bool is_signed(dtype d) {
  return detail::facts_of(d).kind == detail::number_kind::signed_integer;
}
constexpr bool is_unsigned(dtype d) {
  return detail::facts_of(d).kind == detail::number_kind::unsigned_integer;
}
constexpr bool is_integer(dtype d) { return is_signed(d) || is_unsigned(d); }

// The type in which sums and products of d are accumulated: float for the 16-bit formats.
constexpr dtype accumulator_of(dtype d) { return detail::facts_of(d).accumulator; }
// The type in which one operation on d happens before its result becomes a d again: float for the
// 16-bit formats, 32 bits for the narrow integers.
constexpr dtype compute_of(dtype d) { return detail::facts_of(d).compute; }
constexpr bool is_wide(dtype d) { return size_of(d) == 8; }
// bf16 and f16: a float that is rounded after every operation.
constexpr bool is_half(dtype d) { return is_float(d) && size_of(d) == 2; }

// The bits of an element of any type, zero-extended: 0 or 1 for bool. Constants keep these.
using word = std::uint64_t;

namespace detail {
// The bits of a word that an element of type d may have.
constexpr word storage_mask(dtype d) {
  return d == dtype::boolean ? 1 : ~word{0} >> (64 - 8 * size_of(d));
}
} // namespace detail

template <element T> constexpr word word_of(T x) {
  constexpr dtype type = dtype_of<T>;
  if constexpr (type == dtype::boolean) return x ? 1 : 0;
  else if constexpr (type == dtype::f64) return std::bit_cast<std::uint64_t>(x);
  else if constexpr (type == dtype::f32) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (is_half(type)) return x.bits;
  else return static_cast<word>(x) & detail::storage_mask(type);
}
template <element T> constexpr T element_of_word(word w) {
  constexpr dtype type = dtype_of<T>;
  if constexpr (type == dtype::boolean) return w != 0;
  else if constexpr (type == dtype::f64) return std::bit_cast<double>(w);
  else if constexpr (type == dtype::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(w));
  else if constexpr (is_half(type)) return T::from_bits(static_cast<std::uint16_t>(w));
  else return static_cast<T>(w);
}

// StableHLO's spelling, used by every printer.
constexpr char const* name_of(dtype d) { return detail::facts_of(d).name; }

namespace detail {
// Calls f.operator()<D>() for the dtype D that is d.
template <class Function> constexpr auto with_dtype(dtype d, Function const& f) {
  switch (d) {
    case dtype::f32: return f.template operator()<dtype::f32>();
    case dtype::i32: return f.template operator()<dtype::i32>();
    case dtype::u32: return f.template operator()<dtype::u32>();
    case dtype::boolean: return f.template operator()<dtype::boolean>();
    case dtype::bf16: return f.template operator()<dtype::bf16>();
    case dtype::f16: return f.template operator()<dtype::f16>();
    case dtype::f64: return f.template operator()<dtype::f64>();
    case dtype::i8: return f.template operator()<dtype::i8>();
    case dtype::i16: return f.template operator()<dtype::i16>();
    case dtype::i64: return f.template operator()<dtype::i64>();
    case dtype::u8: return f.template operator()<dtype::u8>();
    case dtype::u16: return f.template operator()<dtype::u16>();
    default: return f.template operator()<dtype::u64>();
  }
}
} // namespace detail

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// arg_sort on strided arrays. An element becomes a number of 64 bits that orders as the element does
// (-0 = +0, NaN at an end), so one merge sort serves all types.
// Several keys are sorted from the last to the first, each pass stable.
// Needs: keys of one shape; sort_bytes of scratch per worker; a row-major result.
// Leaves: the interpreter's bits; lines are shared out among threads. Templates, so that only who
// sorts compiles a loop per type.
#pragma once

#include <weft/core/config.hpp>
#include <weft/cpu/executor_ref.hpp>
#include <weft/cpu/scratch.hpp>
#include <weft/cpu/strided.hpp>
#include <weft/cpu/target.hpp>
#include <weft/graph/attributes.hpp>
#include <weft/graph/dense.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace weft::inline v0 {
namespace detail {

inline constexpr std::uint64_t last_key = ~std::uint64_t{0};

// Ascending, NaN last; floats fill less than the whole range, so no number is last_key.
template <class T> WEFT_INLINE std::uint64_t order_key(T x) {
  if constexpr (std::is_same_v<T, bool>) return x ? 1 : 0;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::uint64_t>(x) ^ (std::is_signed_v<T> ? std::uint64_t{1} << 63 : 0);
  else if constexpr (sizeof(T) == 2) return order_key(static_cast<float>(x));
  else {
    using bits_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr bits_type sign = bits_type{1} << (8 * sizeof(T) - 1);
    if (x != x) return last_key;
    auto const bits = std::bit_cast<bits_type>(x);
    if (bits == sign) return sign; // -0 is +0
    return (bits & sign) != 0 ? static_cast<bits_type>(~bits) : bits | sign;
  }
}
template <class T> WEFT_INLINE bool is_nan_key(std::uint64_t key) {
  return !std::is_integral_v<T> && key == last_key;
}
// Among the descending: the opposite order, but for NaN.
template <class T> WEFT_INLINE std::uint64_t order_key(T x, bool descending) {
  std::uint64_t const key = order_key(x);
  return !descending || is_nan_key<T>(key) ? key : ~key;
}
template <class T> WEFT_INLINE T load_element(std::byte const* at) {
  T x;
  std::memcpy(&x, at, sizeof x);
  return x;
}

struct keyed {
  std::uint64_t key;
  std::int32_t index;
};
inline constexpr extent insertion_run = 16;

inline void sort_run(keyed* x, extent n) {
  for (extent i = 1; i < n; ++i) {
    keyed const one = x[i];
    extent j = i;
    for (; j > 0 && one.key < x[j - 1].key; --j) x[j] = x[j - 1];
    x[j] = one;
  }
}
inline void merge_runs(keyed const* a, keyed const* a_end, keyed const* b_end, keyed* out) {
  keyed const* b = a_end;
  while (a != a_end && b != b_end) {
    bool const right = b->key < a->key;
    *out++ = right ? *b : *a;
    b += right;
    a += !right;
  }
  while (a != a_end) *out++ = *a++;
  while (b != b_end) *out++ = *b++;
}
// Stable; returns where the sorted elements are: x or other, n elements each.
inline keyed* merge_sort(keyed* x, keyed* other, extent n) {
  for (extent i = 0; i < n; i += insertion_run)
    sort_run(x + i, n - i < insertion_run ? n - i : insertion_run);
  for (extent run = insertion_run; run < n; run *= 2) {
    for (extent i = 0; i < n; i += 2 * run) {
      extent const middle = i + run < n ? i + run : n, end = middle + run < n ? middle + run : n;
      merge_runs(x + i, x + middle, x + end, other + i);
    }
    keyed* const done = other;
    other = x;
    x = done;
  }
  return x;
}

// The keys of a line of n elements, in the order in which they stand now.
template <class = void>
void load_keys(dtype type, std::byte const* first, extent step, bool descending, keyed* x,
               extent n) {
  with_dtype(type, [&]<dtype D>() {
    using T = storage_of<D>;
    for (extent i = 0; i < n; ++i)
      x[i].key = order_key(load_element<T>(first + x[i].index * step * size_of(D)), descending);
  });
}

// f(line, worker) for each of `lines` lines, all of them together so much work.
template <class F>
void share_lines(extent lines, extent work, cpu::executor_ref const& on, F const& f) {
  cpu::share_ranges(lines, work, on, [&](extent begin, extent end, int worker) {
    for (extent l = begin; l < end; ++l) f(l, worker);
  });
}

} // namespace detail

namespace cpu {

inline extent sort_bytes(extent length) {
  return aligned_bytes(2 * length * static_cast<extent>(sizeof(detail::keyed)));
}

template <class = void>
void arg_sort(view<strided_array> keys, int axis, extent descending, std::byte* out, scratch memory,
              executor_ref const& on) {
  extents const &shape = keys[0].shape, lines = without_axes(shape, extent{1} << axis);
  extent const n = shape[axis], each = sort_bytes(n);
  extents const to = row_major_strides(shape);
  extent const work = on.by_elements(64 * keys.size() *
                                     count_of(shape)); // ten or so at each of the levels
  detail::share_lines(count_of(lines), work, on, [&](extent line, int worker) {
    auto* x = reinterpret_cast<detail::keyed*>(memory.part(worker, each).memory);
    detail::keyed* other = x + n;
    for (extent i = 0; i < n; ++i) x[i].index = static_cast<std::int32_t>(i);
    for (int k = keys.size() - 1; k >= 0; --k) {
      strided_array const& key = keys[k];
      extents const steps[1] = {without_axes(key.strides, extent{1} << axis)};
      walk<1> at(lines, steps);
      at.seek(line);
      detail::load_keys(key.type, key.first + at.offset[0] * key.element_bytes(), key.strides[axis],
                        has_axis(descending, k), x, n);
      detail::keyed* const sorted = detail::merge_sort(x, other, n);
      if (sorted != x) other = x;
      x = sorted;
    }
    extents const steps[1] = {without_axes(to, extent{1} << axis)};
    walk<1> at(lines, steps);
    at.seek(line);
    for (extent i = 0; i < n; ++i)
      std::memcpy(out + (at.offset[0] + i * to[axis]) * 4, &x[i].index, 4);
  });
}

} // namespace cpu
} // namespace weft::inline v0

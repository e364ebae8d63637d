// SPDX-License-Identifier: BSL-1.0
// arg_sort and arg_reduce on strided arrays. An element becomes a number of 64 bits that orders as
// the element does (-0 = +0, NaN at an end), so one merge sort and one loop serve all types.
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

template <class T>
std::int32_t find_extreme(std::byte const* first, cpu::walk<1> at, extent count, bool smallest) {
  std::int32_t best = 0;
  std::uint64_t best_key = 0;
  at.seek(0);
  for (extent k = 0; k < count; ++k, at.next()) {
    T const x = load_element<T>(first + at.offset[0] * static_cast<extent>(sizeof(T)));
    std::uint64_t const key = order_key(x, smallest); // NaN is the largest in both
    if (k > 0 && key <= best_key) continue;
    best = static_cast<std::int32_t>(k);
    best_key = key;
  }
  return best;
}

// Signed keys of the elements' own width, as many as a register has: they order as order_key's do.
// As vectors by hand: loops of 16 become packs at some levels of optimisation only, and vectors of
// more than a register are compared one by one.
template <class T> using lane_key = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
template <class T, int Lanes> struct lane_vectors {
  using element = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t,
                                     std::conditional_t<std::is_integral_v<T>, T, std::uint16_t>>;
  typedef element narrow __attribute__((vector_size(Lanes * sizeof(element))));
  typedef lane_key<T> keys __attribute__((vector_size(Lanes * sizeof(lane_key<T>))));
  typedef std::conditional_t<sizeof(T) == 8, double, float> floats
      __attribute__((vector_size(Lanes * sizeof(lane_key<T>))));
};
template <class T, bool Smallest, int Lanes>
WEFT_INLINE void load_lane_keys(std::byte const* x, typename lane_vectors<T, Lanes>::keys& k) {
  using floats = typename lane_vectors<T, Lanes>::floats;
  using key = lane_key<T>;
  constexpr key most = static_cast<key>(~std::make_unsigned_t<key>{0} >> 1);
  if constexpr (std::is_integral_v<T>) {
    if constexpr (sizeof(T) >= 4) std::memcpy(&k, x, sizeof k);
    else {
      typename lane_vectors<T, Lanes>::narrow n;
      std::memcpy(&n, x, sizeof n);
      k = __builtin_convertvector(n, typename lane_vectors<T, Lanes>::keys);
    }
    if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) k ^= ~most;
    if constexpr (Smallest) k = ~k;
  } else {
    floats f{};
    if constexpr (std::is_same_v<T, bf16>) {
      typename lane_vectors<T, Lanes>::narrow n;
      std::memcpy(&n, x, sizeof n);
      k = __builtin_convertvector(n, typename lane_vectors<T, Lanes>::keys) << 16;
      std::memcpy(&f, &k, sizeof f);
    } else if constexpr (sizeof(T) == 2)
      for (int l = 0; l < Lanes; ++l) f[l] = static_cast<float>(load_element<T>(x + l * 2));
    else std::memcpy(&f, x, sizeof f);
    floats const plain = f + 0; // -0 is +0
    std::memcpy(&k, &plain, sizeof k);
    k ^= (k >> (8 * sizeof(key) - 1)) & most;
    if constexpr (Smallest) k = ~k;
    k = f != f ? most - typename lane_vectors<T, Lanes>::keys{} : k;
  }
}
constexpr bool is_a_row(extents const& shape, extents const& strides) {
  extents const dense = row_major_strides(shape);
  for (int i = 0; i < shape.rank; ++i)
    if (shape[i] != 1 && strides[i] != dense[i]) return false;
  return true;
}
// Of elements one behind the other, 16 at a time: each lane keeps its first largest. Lanes: of float.
template <class T, bool Smallest, int Lanes>
std::int32_t find_extreme_in_row(std::byte const* first, extent count) {
  constexpr int lanes = sizeof(T) == 8 ? Lanes / 2 : Lanes, turn = 16, parts = turn / lanes;
  using keys = typename lane_vectors<T, lanes>::keys;
  constexpr auto turn_bytes = static_cast<extent>(turn * sizeof(T)),
                 part_bytes = turn_bytes / parts;
  extent most = -1;
  lane_key<T> most_key{};
  auto const meet = [&](extent i, lane_key<T> k) {
    if (most >= 0 && (k < most_key || (k == most_key && i > most))) return;
    most = i;
    most_key = k;
  };
  extent const turns = count / turn;
  if (turns > 0) {
    keys best[parts], found_in[parts];
    for (int p = 0; p < parts; ++p) {
      load_lane_keys<T, Smallest, lanes>(first + p * part_bytes, best[p]);
      found_in[p] = keys{};
    }
    for (extent t = 1; t < turns; ++t) {
      keys const number = keys{} + static_cast<lane_key<T>>(t);
#pragma GCC unroll 8
      for (int p = 0; p < parts; ++p) {
        keys k{};
        load_lane_keys<T, Smallest, lanes>(first + t * turn_bytes + p * part_bytes, k);
        auto const more = k > best[p];
        best[p] = more ? k : best[p];
        found_in[p] = more ? number : found_in[p];
      }
    }
    for (int p = 0; p < parts; ++p)
      for (int l = 0; l < lanes; ++l)
        meet(static_cast<extent>(found_in[p][l]) * turn + p * lanes + l, best[p][l]);
  }
  extent const done = turns * turn;
  if (done < count) {
    std::byte padded[turn_bytes]{};
    std::memcpy(padded, first + turns * turn_bytes,
                static_cast<std::size_t>(count - done) * sizeof(T));
    for (int p = 0; p < parts; ++p) {
      keys rest{};
      load_lane_keys<T, Smallest, lanes>(padded + p * part_bytes, rest);
      for (int l = 0; l < lanes && done + p * lanes + l < count; ++l)
        meet(done + p * lanes + l, rest[l]);
    }
  }
  return static_cast<std::int32_t>(most);
}
template <class T, int Lanes = cpu::native_target::lanes>
std::int32_t find_extreme_in_row(std::byte const* first, extent count, bool smallest) {
  return smallest ? find_extreme_in_row<T, true, Lanes>(first, count)
                  : find_extreme_in_row<T, false, Lanes>(first, count);
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
  extent const work = 64 * keys.size() * count_of(shape); // ten or so at each of the levels
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

template <class = void>
void arg_reduce(strided_array const& x, extent axes, bool smallest, std::byte* out,
                executor_ref const& on) {
  extents const kept = without_axes(x.shape, axes), gone = without_axes(x.shape, ~axes);
  extents const kept_steps[1] = {without_axes(x.strides, axes)};
  extents const gone_steps[1] = {without_axes(x.strides, ~axes)};
  extent const count = count_of(gone);
  bool const dense = detail::is_a_row(gone, gone_steps[0]);
  detail::with_dtype(x.type, [&]<dtype D>() {
    extent const work = (dense ? 1 : 16) * count_of(x.shape);
    detail::share_lines(count_of(kept), work, on, [&](extent line, int) {
      walk<1> at(kept, kept_steps);
      at.seek(line);
      using element = storage_of<D>;
      std::byte const* const first = x.first + at.offset[0] * size_of(D);
      std::int32_t const best = dense ? detail::find_extreme_in_row<element>(first, count, smallest)
                                      : detail::find_extreme<element>(
                                            first, walk<1>(gone, gone_steps), count, smallest);
      std::memcpy(out + line * 4, &best, 4);
    });
  });
}

} // namespace cpu
} // namespace weft::inline v0

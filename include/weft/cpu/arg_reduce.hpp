// SPDX-License-Identifier: BSL-1.0
// arg_reduce on strided arrays: the place of the first of the largest or smallest elements, or of the
// first NaN. Elements that lie one behind the other go by packs of keys that order as they do; floats,
// where a row has 64 and more, by their values (float_extremes): first without places, and then only
// the 64 that have it are searched.
// Needs: as cpu/sort.hpp. Leaves: the interpreter's bits; lines are shared out among threads.
// Templates, so that only who asks compiles a loop per type.
#pragma once

#include <weft/cpu/lane_shifts.hpp>
#include <weft/cpu/quick_maxima.hpp>
#include <weft/cpu/reduce.hpp>
#include <weft/cpu/sort.hpp>

namespace weft::inline v0 {
namespace detail {

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

// Of floats, at least 64. Of every 64 the value alone is found, and in each lane the first of them that
// has the extreme one; these are searched. A block that has a NaN, or ends in a zero, goes by keys.
template <class Target, bool Smallest> class float_extremes {
  using pack = cpu::pack_f32<Target>;
  using numbers = cpu::pack_i32<Target>;
  static constexpr op reduction = Smallest ? op::reduce_min : op::reduce_max;
  using extremes = cpu::quick_maxima<Target, reduction>;
  using turn_lanes = typename cpu::row_accumulator<Target, reduction, float>::held_lanes;
  static constexpr extent turn = sum_lanes, block = 2048;
  static constexpr int lanes = Target::lanes, packs = sum_lanes / lanes;

public:
  static constexpr extent least = turn; // elements

  static std::int32_t find(std::byte const* row, extent count) {
    float_extremes best(reinterpret_cast<float const*>(row));
    for (extent i = 0; i < count; i += block) best.meet(i, count - i < block ? count - i : block);
    return static_cast<std::int32_t>(best.place());
  }

private:
  float const* const row_;
  std::uint64_t key_ = 0;
  float value_ = 0;
  extent begin_ = 0;
  bool is_place_ = false; // begin_ is; else the first of value_ from there on

  explicit float_extremes(float const* row) : row_(row) {}

  // The elements i … i + count - 1. What is left of whole turns is the end of one that begins before:
  // elements that were met already are not larger.
  void meet(extent i, extent count) {
    extent const whole = count / turn, last = i + count - turn;
    extremes seen;
    seen.clear();
    pack best = extreme_of_turn(whole > 0 ? i : last, seen);
    numbers first(0);
    auto const meet_turn = [&](extent number, extent begin) {
      pack const x = extreme_of_turn(begin, seen);
      first = select(Smallest ? x < best : best < x, numbers(static_cast<std::int32_t>(number)),
                     first);
      best = seen.combined(best, x);
    };
    for (extent t = 1; t < whole; ++t) meet_turn(t, i + t * turn);
    if (whole > 0 && count % turn != 0) meet_turn(whole, last);
    pack const met = met_lanes<Target, lanes / 2>(best, extremes::combined);
    if (!seen.is_sure(met)) return meet_by_keys(i, count);
    float const value = lane(met, 0);
    if (count <= turn) return take(value, last, false);
    extent number = whole;
    for (int k = 0; k < lanes; ++k)
      if (lane(best, k) == value && lane(first, k) < number) number = lane(first, k);
    take(value, number < whole ? i + number * turn : last, false);
  }
  WEFT_INLINE pack extreme_of_turn(extent i, extremes& seen) const {
    turn_lanes x;
#pragma GCC unroll 16
    for (int p = 0; p < packs; ++p) x.of[p] = cpu::load<Target>(row_ + i + p * lanes);
#pragma GCC unroll 8
    for (int p = 0; p < packs; p += 2) seen.note(x.of[p], x.of[p + 1]);
    return x.rest(extremes::combined);
  }
  void meet_by_keys(extent i, extent count) {
    auto const* const first = reinterpret_cast<std::byte const*>(row_ + i);
    extent const place = i + find_extreme_in_row<float, Smallest, lanes>(first, count);
    take(row_[place], place, true);
  }
  // Of equals the first.
  void take(float value, extent begin, bool is_place) {
    std::uint64_t const key = order_key(value, Smallest);
    if (key <= key_) return; // no number's key is 0
    key_ = key;
    value_ = value;
    begin_ = begin;
    is_place_ = is_place;
  }
  extent place() const {
    if (is_place_) return begin_;
    extent i = begin_;
    pack const value(value_);
    for (int p = 1; p < packs && !any(cpu::load<Target>(row_ + i) == value); ++p) i += lanes;
    while (row_[i] != value_) ++i;
    return i;
  }
};

// Of `count` elements one behind the other.
template <class T>
std::int32_t find_extreme_of_dense(std::byte const* first, extent count, bool smallest) {
  using target = cpu::native_target;
  if constexpr (std::is_same_v<T, float>)
    if (count >= float_extremes<target, true>::least)
      return smallest ? float_extremes<target, true>::find(first, count)
                      : float_extremes<target, false>::find(first, count);
  return find_extreme_in_row<T>(first, count, smallest);
}

} // namespace detail

namespace cpu {

template <class = void>
void arg_reduce(strided_array const& x, extent axes, bool smallest, std::byte* out,
                executor_ref const& on) {
  extents const kept = without_axes(x.shape, axes), gone = without_axes(x.shape, ~axes);
  extents const kept_steps[1] = {without_axes(x.strides, axes)};
  extents const gone_steps[1] = {without_axes(x.strides, ~axes)};
  extent const count = count_of(gone);
  bool const dense = detail::is_a_row(gone, gone_steps[0]);
  detail::with_dtype(x.type, [&]<dtype D>() {
    extent const total = count_of(x.shape);
    extent const work = dense ? total : on.by_elements(16 * total);
    share_ranges(count_of(kept), work, on, [&](extent begin, extent end, int) {
      using element = storage_of<D>;
      walk<1> const elements(gone, gone_steps);
      walk<1> at(kept, kept_steps);
      at.seek(begin);
      for (extent line = begin; line < end; ++line, at.next()) {
        std::byte const* const first = x.first + at.offset[0] * size_of(D);
        std::int32_t const best =
            dense ? detail::find_extreme_of_dense<element>(first, count, smallest)
                  : detail::find_extreme<element>(first, elements, count, smallest);
        std::memcpy(out + line * 4, &best, 4);
      }
    });
  });
}

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// fixed_vector: a small matrix times a vector, in lanes order, whose normal form the compiler knows: a
// lane has one product or none, and an element of out is a tree of them.
//   if constexpr (fixed_vector<form, Target>::fits) fixed_vector<form, Target>::run(call);
// Needs: form as of cpu/fixed_product.hpp. HasRoom: out may be written for room_bytes (0: as it is).
// Leaves: the bits of cpu/lanes.hpp. Lanes without an element are +0 there, which shows only as -0
// becoming +0: it is added at the end.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/cpu/fixed_form.hpp>
#include <weft/cpu/lane_sums.hpp>

#include <bit>
#include <cstring>

namespace weft::inline v0 {
namespace detail {

template <class Form, class Target, bool HasRoom = false> class fixed_vector : fixed_form<Form> {
  using form = fixed_form<Form>;
  using typename form::call, typename form::sum, typename form::Out;
  using form::p, form::m, form::k;
  static constexpr places row_step = p.m.inner().stride, along = p.k.inner().stride;
  static constexpr bool by_rows = k == 1 || along.a == 1;
  static constexpr bool by_columns = !by_rows && (m == 1 || row_step.a == 1);
  using machine =
      std::conditional_t<sizeof(sum) == 4, machine_of_line<Target, by_rows ? k : m>, Target>;
  using pack = cpu::pack_for<machine, sum>;
  static constexpr int lanes = pack::lanes;
  static constexpr int block = by_rows ? lane_sum_rows<machine, sum> : lanes; // rows at a time
  static constexpr bool stores_packs = sizeof(sum) == 4 && !Form::has_bias &&
                                       (m == 1 || row_step.out == 1);

public:
  static constexpr bool fits = p.order == contract_order::lanes && form::alike && p.m.rank <= 1 &&
                               p.k.rank <= 1 && k <= lane_count && (by_rows || by_columns) &&
                               form::span(p.m, p.k, &places::a) > 0;
  static constexpr int room_bytes = fits && p.batch.count() == 1 && stores_packs && (m > 1) &&
                                            m * 4 <= form::most_room &&
                                            !form::is_one_store(m % block)
                                        ? (m + block - 1) / block * block * 4
                                        : 0;

  WEFT_INLINE static void run(call const& c) {
    constexpr int whole = m / block * block, left = m - whole;
    if constexpr (is_two_by_two) finish<2>(c, two_by_two(c), 0);
    else if constexpr (by_columns) {
      for (int i = 0; i < whole; i += block) finish<block>(c, columns<block, 1, 0>(c, i), i);
      if constexpr (left > 0) finish<left>(c, columns<left, 1, 0>(c, whole), whole);
    } else {
      row_packs const x = vector(c.b, all_packs{});
      for (int i = 0; i < whole; i += block) finish<block>(c, rows<block>(c, x, i), i);
      if constexpr (left > 0) finish<left>(c, rows<left>(c, x, whole), whole);
    }
  }

private:
  static constexpr int used = static_cast<int>(bit_ceil(k));    // lanes: those beyond are +0, all
  static constexpr int packs = used < lanes ? 1 : used / lanes; // of a row
  static constexpr extent span_a = form::span(p.m, p.k, &places::a);

  // All of a in one pack, which one product and one addition take.
  static constexpr bool is_two_by_two = lanes == 4 && sizeof(sum) == 4 && by_rows && m == 2 &&
                                        k == 2 && row_step.a == 2 && along.b == 1;
  WEFT_INLINE static auto two_by_two(call const& c) {
    auto const b = detail::exactly<2>(c.b);
    auto const x = multiply_add_packs(cpu::load<machine>(c.a),
                                      pack(__builtin_shufflevector(b, b, 0, 1, 0, 1)), pack(sum{}))
                       .value;
    return __builtin_shufflevector(x, x, 0, 2, 0, 2) + __builtin_shufflevector(x, x, 1, 3, 1, 3);
  }

  // Count elements at `place` of a that lie together, 0 behind them; whole packs where a goes on.
  template <int Count, int... L>
  WEFT_INLINE static pack part(sum const* a, extent place, std::integer_sequence<int, L...>) {
    if constexpr (sizeof(sum) == 4 && Count < lanes && !form::is_power_of_two(Count))
      if (place + lanes <= span_a) {
        auto const v = cpu::load<machine>(a + place).value;
        return pack(typename pack::vector(
            __builtin_shufflevector(v, decltype(v){}, (L < Count ? L : lanes)...)));
      }
    return cpu::load_part<machine, Count>(a + place);
  }

  // Rows that lie along k: products of packs, whose trees end together ---------------------------
  struct row_packs {
    pack of[packs];
  };
  using all_packs = std::make_integer_sequence<int, packs>;
  using all_lanes = std::make_integer_sequence<int, lanes>;
  static constexpr int count_in(int pack_number) {
    return k - pack_number * lanes < lanes ? k - pack_number * lanes : lanes;
  }

  template <int V> WEFT_INLINE static pack piece_of_vector(sum const* b) {
    if constexpr (count_in(V) <= 0) return pack(sum{});
    else if constexpr (k == 1 || along.b == 1)
      return cpu::load_part<machine, count_in(V)>(b + V * lanes);
    else {
      sum values[lanes]{};
      for (int l = 0; l < count_in(V); ++l) values[l] = b[(V * lanes + l) * along.b];
      return cpu::load<machine>(values);
    }
  }
  template <int... V>
  WEFT_INLINE static row_packs vector(sum const* b, std::integer_sequence<int, V...>) {
    return {{piece_of_vector<V>(b)...}};
  }
  template <int V> WEFT_INLINE static pack product(call const& c, int i, pack const& x) {
    if constexpr (count_in(V) <= 0) return x; // +0
    else {
      pack const a = part<count_in(V)>(c.a, row_step.a * i + V * lanes, all_lanes{});
      return multiply_add_packs(a, x, pack(sum{}));
    }
  }
  template <int... V>
  WEFT_INLINE static pack row(call const& c, int i, row_packs const& x,
                              std::integer_sequence<int, V...>) {
    row_packs s{{product<V>(c, i, x.of[V])...}};
#pragma GCC unroll 8
    for (int stride = packs / 2; stride > 0; stride /= 2)
#pragma GCC unroll 8
      for (int v = 0; v < stride; ++v) s.of[v] = s.of[v] + s.of[v + stride];
    return s.of[0];
  }
  // Count rows from i on.
  template <int Count> WEFT_INLINE static auto rows(call const& c, row_packs const& x, int i) {
    return [&]<int... R>(std::integer_sequence<int, R...>) WEFT_LAMBDA {
      pack const met[] = {row(c, i + R, x, all_packs{})...};
      return lane_sums<machine>(met);
    }(std::make_integer_sequence<int, Count>{});
  }

  // Columns that are neighbours in a: a pack has a lane of each ----------------------------------
  // Count of them from i on; of the tree the lanes Lane, Lane + Stride, ...
  template <int Count, int Stride, int Lane> WEFT_INLINE static pack columns(call const& c, int i) {
    if constexpr (Stride == used) {
      extent const place = along.a * Lane + row_step.a * i;
      return multiply_add_packs(part<Count>(c.a, place, all_lanes{}), pack(c.b[along.b * Lane]),
                                pack(sum{}));
    } else {
      pack s = columns<Count, 2 * Stride, Lane>(c, i);
      if constexpr (Lane + Stride < k) s = s + columns<Count, 2 * Stride, Lane + Stride>(c, i);
      return s;
    }
  }

  // The first Count lanes of the trees in v, a pack or its vector, are out's elements from i on; +0 of
  // lanes without an element is still to be added.
  template <int Count, class V> WEFT_INLINE static void finish(call const& c, V v, int i) {
    if constexpr (k < lane_count) v = v + V{};
    if constexpr (stores_packs) {
      Out* const to = c.out + row_step.out * i;
      if constexpr (HasRoom && room_bytes > 0) cpu::store(to, std::bit_cast<pack>(v));
      else cpu::store_part<Count>(to, std::bit_cast<pack>(v));
    } else {
      sum values[lanes];
      std::memcpy(values, &v, sizeof v);
      for (int r = 0; r < Count; ++r) {
        places const here = row_step * (i + r);
        c.finish(values[r], here.out, here.bias);
      }
    }
  }
};

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// The canonical reduction (docs/numerics.md): element i of a block goes to lane i mod 64, lanes add
// in sequence and are combined by a halving tree; blocks of 16384 elements are reduced so, their
// results again, and theirs above 2^28 elements. One accumulator keeps `Columns` packs of
// independent sums (column reductions), or one sum whose lanes lie side by side in packs (rows).
// Needs: pack_types.hpp. Leaves: the bits of graph/interpret.hpp at every width.
#pragma once

#include <weft/cpu/lane_shifts.hpp>
#include <weft/cpu/lane_sums.hpp>
#include <weft/cpu/pack.hpp>
#include <weft/op/compute_type.hpp>
#include <weft/op/reduction.hpp>

#include <utility>

namespace weft::inline v0 {
namespace cpu {

// The column groups, a pack each, that hold so many columns.
template <class Target> constexpr int column_groups(int columns) {
  return (columns + Target::lanes - 1) / Target::lanes;
}

// Lanes in the order of their tree, in which as few as can be wait for what they meet: the bits of
// their place in it, reversed. Of 2^n lanes, each shifted right by 6 - n.
inline constexpr unsigned char tree_lanes[sum_lanes]{
    0,  32, 16, 48, 8,  40, 24, 56, 4,  36, 20, 52, 12, 44, 28, 60, 2,  34, 18, 50, 10, 42,
    26, 58, 6,  38, 22, 54, 14, 46, 30, 62, 1,  33, 17, 49, 9,  41, 25, 57, 5,  37, 21, 53,
    13, 45, 29, 61, 3,  35, 19, 51, 11, 43, 27, 59, 7,  39, 23, 55, 15, 47, 31, 63};

// Lanes of packs: element e of every column goes to lane e mod 64. Lanes that no element reaches are
// left out, in the tree too, where they would change no bit: sums of few elements (windows of a
// pool) cost what their elements cost. Nothing is set before the first elements are: they come in
// order from 0, each for every column group that is finished.
template <class Target, op Reduction, element T, int Columns> class column_accumulator {
  using element_type = accumulated<T>;
  using pack = pack_for<Target, element_type>;

public:
  // `value`: the pack of column group c of element e. is_first: e is below 64, as the caller may know;
  // such elements are their lanes, whose start changes no value, the others are added to theirs.
  WEFT_INLINE void add(extent e, int c, pack const& value, bool is_first) {
    pack& lane = lanes_[e % sum_lanes][c];
    lane = is_first ? value : row<Reduction>::meaning(lane, value);
  }
  // The lane of element e of column group c, for who adds several elements at a time.
  WEFT_INLINE pack& lane(extent e, int c) { return lanes_[e % sum_lanes][c]; }
  // After element e has been added everywhere: a full block becomes one element of the next level.
  WEFT_INLINE void close_block(extent e, int columns) {
    if ((e + 1) % sum_block == 0) [[unlikely]]
      fold_block(columns);
  }
  // After all `count` elements: the results of the first `columns` groups.
  WEFT_INLINE void finish(extent count, int columns) {
    if (count == 0)
      for (int c = 0; c < columns; ++c) lanes_[0][c] = splat<Target>(empty_result<Reduction, T>());
    else if (count < sum_lanes) combine(lanes_, columns, static_cast<int>(count));
    else finish_long(count, columns);
  }
  WEFT_INLINE pack const& result(int c) const { return lanes_[0][c]; }

private:
  using table = pack[sum_lanes][Columns];
  static void clear(table& lanes, int columns) {
    for (auto& lane : lanes)
      for (int c = 0; c < columns; ++c) lane[c] = splat<Target>(lane_start<Reduction, T>());
  }
  // The tree of the first `held` lanes, all columns abreast; its root is lane 0.
  WEFT_INLINE static void combine(table& lanes, int columns, int held) {
    int s = 1;
    while (2 * s < held) s *= 2;
    for (; s > 0; held = s, s /= 2)
      for (int j = 0; j + s < held; ++j)
        for (int c = 0; c < columns; ++c)
          lanes[j][c] = row<Reduction>::meaning(lanes[j][c], lanes[j + s][c]);
  }
  WEFT_NOINLINE WEFT_FAST void finish_long(extent count, int columns) {
    if (block_ == 0) return combine(lanes_, columns, sum_lanes);
    if (count % sum_block != 0) fold_block(columns);
    if (block_ >= sum_block && block_ % sum_block != 0) fold_large(block_ / sum_block, columns);
    table& last = block_ < sum_block ? blocks_ : large_;
    combine(last, columns, sum_lanes);
    for (int c = 0; c < columns; ++c) lanes_[0][c] = last[0][c];
  }
  // The lanes of a block become element number `at` of the next level.
  WEFT_INLINE void fold(table& lanes, table& next, extent at, int columns) const {
    if (at == 0) clear(next, columns);
    combine(lanes, columns, sum_lanes);
    for (int c = 0; c < columns; ++c) {
      pack& lane = next[at % sum_lanes][c];
      lane = row<Reduction>::meaning(lane, lanes[0][c]);
    }
    clear(lanes, columns);
  }
  WEFT_NOINLINE WEFT_FAST void fold_block(int columns) {
    fold(lanes_, blocks_, block_++, columns);
    if (block_ % sum_block == 0) fold_large(block_ / sum_block - 1, columns);
  }
  WEFT_NOINLINE WEFT_FAST void fold_large(extent at, int columns) {
    fold(blocks_, large_, at, columns);
  }

  alignas(64) table lanes_;
  alignas(64) table blocks_;
  alignas(64) table large_; // of 2^28 elements each, at most 2^14: an array has 2^42 (graph_6)
  extent block_ = 0;
};

// Rows whose ends go abreast.
inline constexpr int rows_abreast = 4;

// One sum; its 64 lanes are packs side by side.
template <class Target, op Reduction, element T> class row_accumulator {
  static constexpr int width = Target::lanes;
  static constexpr int packs = sum_lanes / width;

public:
  using element_type = accumulated<T>;
  using pack = pack_for<Target, element_type>;
  row_accumulator() { clear(); }
  // Nothing was added.
  void reset() {
    clear();
    block_ = 0;
  }

  // Elements e … e + width - 1; e is a multiple of the width.
  WEFT_INLINE void add(extent e, pack const& values) {
    pack& lane = lanes_[(e / width) % packs];
    lane = row<Reduction>::meaning(lane, values);
  }
  // Elements e … e + count - 1 anywhere in a block.
  WEFT_INLINE void add_some(extent e, int count, pack const& values) {
    if (e % width == 0) {
      pack& lane = lanes_[(e / width) % packs];
      lane = select(first_lanes<Target>(count), row<Reduction>::meaning(lane, values), lane);
    } else add_apart(e, count, values);
  }
  struct combined {
    WEFT_INLINE pack operator()(pack const& a, pack const& b) const {
      return row<Reduction>::meaning(a, b);
    }
  };
  // The lanes of one block while whole rounds of 64 elements are added to them, in registers: every
  // index is a constant.
  struct held_lanes {
    pack of[packs];

    WEFT_INLINE void clear() {
      [this]<int... P>(std::integer_sequence<int, P...>)
          WEFT_LAMBDA { ((of[P] = start()), ...); }(std::make_integer_sequence<int, packs>{});
    }
    // A round of values in memory.
    WEFT_INLINE void add(element_type const* values) { take_rounds<false>(of, values, 1); }
    // The tree's last pack.
    WEFT_INLINE pack rest() const { return rest(combined{}); }
    template <class Combine> WEFT_INLINE pack rest(Combine const& combine) const {
      return met<0, packs>(of, combine);
    }
    WEFT_INLINE element_type total() const { return row_accumulator::total(of); }
  };
  // Of a combination free of order: the pack in which all lanes have met.
  struct met_lanes {
    row_accumulator::pack pack;

    WEFT_INLINE void clear() { pack = start(); }
    WEFT_INLINE void add(element_type const* values) {
      pack = combined{}(pack, lanes_of(values, 1).rest());
    }
    WEFT_INLINE auto const& rest() const { return pack; }
    WEFT_INLINE element_type total() const { return of_pack(pack); }
  };
  // The lanes of a sum of nothing.
  WEFT_INLINE static pack start() { return splat<Target>(lane_start<Reduction, T>()); }
  // The tree of lanes in Count packs.
  template <int Count> WEFT_INLINE static element_type total(pack const (&of)[Count]) {
    return of_pack(met<0, Count>(of, combined{}));
  }
  // The rest of such trees: lane r is the total of ends[r].
  template <int Count, class Combine>
  WEFT_INLINE static pack totals(pack const (&ends)[Count], Combine const& combine) {
    return pack(detail::lane_trees<Target>(ends, [&](auto const& a, auto const& b) WEFT_LAMBDA {
      return combine(pack(a), pack(b)).value;
    }));
  }
  // An empty accumulator, or one whose block was closed, with these lanes.
  WEFT_INLINE void begin_with(held_lanes const& held) {
    [&]<int... P>(std::integer_sequence<int, P...>)
        WEFT_LAMBDA { ((lanes_[P] = held.of[P]), ...); }(std::make_integer_sequence<int, packs>{});
  }
  WEFT_INLINE void begin_with(met_lanes const& held) { lanes_[0] = held.pack; }
  // Rounds of 64 elements each, in memory, to the lanes of one block.
  WEFT_NOINLINE WEFT_FAST void add_rounds(element_type const* values, int rounds) {
    take_rounds<false>(lanes_, values, rounds);
  }
  // The totals of rows that lie one behind the other, of so many rounds each; at least one.
  WEFT_NOINLINE WEFT_FAST static void totals_of(element_type const* values, int rounds, int rows,
                                                element_type* to) {
    extent const step = extent{rounds} * sum_lanes;
    if constexpr (width >= rows_abreast && one_word<pack>)
      for (; rows >= rows_abreast; rows -= rows_abreast, to += rows_abreast) {
        pack ends[rows_abreast];
#pragma GCC unroll 4
        for (int r = 0; r < rows_abreast; ++r, values += step)
          ends[r] = lanes_of(values, rounds).rest();
        pack const all = totals(ends, combined{});
        for (int r = 0; r < rows_abreast; ++r) to[r] = static_cast<element_type>(lane(all, r));
      }
    for (; rows > 0; --rows, values += step) *to++ = lanes_of(values, rounds).total();
  }

  void close_block(extent e_after) {
    if (e_after % sum_block == 0) [[unlikely]]
      fold_block();
  }
  element_type finish(extent count) {
    if (count == 0) return empty_result<Reduction, T>();
    if (block_ == 0) return tree();
    if (count % sum_block != 0) fold_block();
    if (block_ < sum_block) return scalar_tree(blocks_);
    if (block_ % sum_block != 0) fold_large(block_ / sum_block);
    return scalar_tree(large_);
  }

private:
  void clear() {
    for (pack& lane : lanes_) lane = start();
  }
  // As many lanes at a time as registers hold.
  static constexpr int at_a_time = packs < 8 ? packs : one_word<pack> ? 8 : 4;
  template <bool AreFirst>
  WEFT_INLINE static void take_rounds(pack (&lanes)[packs], element_type const* values,
                                      int rounds) {
    for (int g = 0; g < packs; g += at_a_time) {
      element_type const* from = values + g * width;
      pack some[at_a_time];
#pragma GCC unroll 8
      for (int k = 0; k < at_a_time; ++k)
        some[k] = AreFirst ? load<Target>(from + k * width) : lanes[g + k];
      for (int n = AreFirst ? 1 : 0; n < rounds; ++n) {
        element_type const* const next = from + n * sum_lanes;
#pragma GCC unroll 8
        for (int k = 0; k < at_a_time; ++k)
          some[k] = row<Reduction>::meaning(some[k], load<Target>(next + k * width));
      }
#pragma GCC unroll 8
      for (int k = 0; k < at_a_time; ++k) lanes[g + k] = some[k];
    }
  }
  WEFT_INLINE static held_lanes lanes_of(element_type const* values, int rounds) {
    held_lanes lanes;
    take_rounds<true>(lanes.of, values, rounds);
    return lanes;
  }
  // The tree of packs First, First + All / Count, ...
  template <int First, int Count, int All, class Combine>
  WEFT_INLINE static pack met(pack const (&of)[All], Combine const& combine) {
    if constexpr (Count == 1) return of[First];
    else
      return combine(met<First, Count / 2>(of, combine),
                     met<First + All / Count, Count / 2>(of, combine));
  }
  static element_type combine(element_type a, element_type b) {
    using value = compute_type<scalar::f32, dtype_of<element_type>>;
    return row<Reduction>::meaning(value(a), value(b)).value;
  }
  static element_type scalar_tree(element_type (&lanes)[sum_lanes]) {
    for (int s = sum_lanes / 2; s > 0; s /= 2)
      for (int j = 0; j < s; ++j) lanes[j] = combine(lanes[j], lanes[j + s]);
    return lanes[0];
  }
  element_type tree() {
    for (int s = packs / 2; s > 0; s /= 2)
      for (int j = 0; j < s; ++j) lanes_[j] = row<Reduction>::meaning(lanes_[j], lanes_[j + s]);
    return of_pack(lanes_[0]);
  }
  // The rest of the tree, from the pack in which all lanes have met.
  WEFT_INLINE static element_type of_pack(pack const& x) {
    return static_cast<element_type>(lane(detail::met_lanes<Target, width / 2>(x, combined{}), 0));
  }
  WEFT_NOINLINE WEFT_FAST void add_apart(extent e, int count, pack const& values) {
    element_type lanes[sum_lanes], some[width];
    for (int j = 0; j < packs; ++j) store(lanes + j * width, lanes_[j]);
    store(some, values);
    for (int j = 0; j < count; ++j) {
      element_type& lane = lanes[(e + j) % sum_lanes];
      lane = combine(lane, some[j]);
    }
    for (int j = 0; j < packs; ++j) lanes_[j] = load<Target>(lanes + j * width);
  }
  using scalars = element_type[sum_lanes];
  static void put(scalars& lanes, extent at, element_type value) {
    if (at == 0)
      for (element_type& lane : lanes) lane = lane_start<Reduction, T>();
    element_type& lane = lanes[at % sum_lanes];
    lane = combine(lane, value);
  }
  WEFT_NOINLINE WEFT_FAST void fold_block() {
    put(blocks_, block_++, tree());
    clear();
    if (block_ % sum_block == 0) fold_large(block_ / sum_block - 1);
  }
  // The blocks so far become element number `at` of the level above.
  WEFT_NOINLINE WEFT_FAST void fold_large(extent at) {
    put(large_, at, scalar_tree(blocks_));
    for (element_type& lane : blocks_) lane = lane_start<Reduction, T>();
  }

  alignas(64) pack lanes_[packs];
  scalars blocks_, large_; // as in column_accumulator
  extent block_ = 0;
};

} // namespace cpu
} // namespace weft::inline v0

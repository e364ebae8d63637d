// SPDX-License-Identifier: BSL-1.0
// The accumulators of kernels against the interpreter's reduction: every count around a pack, the
// 64 lanes and a block, taken in whole packs, in tails, and from places between lanes.
#include <weft/cpu/reduce.hpp>
#include <weft/cpu/target.hpp>
#include <weft/graph/interpret_reduce.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace weft;
using target = cpu::native_target;
constexpr int width = target::lanes;

std::vector<float> some_numbers(extent count) {
  std::vector<float> x;
  std::uint32_t state = 12345;
  for (extent i = 0; i < count + width; ++i) {
    state = state * 1664525u + 1013904223u;
    x.push_back(static_cast<float>(static_cast<int>(state >> 8) - (1 << 23)) / 65536.0f);
  }
  return x;
}
template <op O> float meant(std::vector<float> const& x, extent count) {
  dense d(dtype::f32, {1, {count}});
  for (int i = 0; i < count; ++i) d[i] = word_of(x[static_cast<unsigned>(i)]);
  return element_of_word<float>(detail::reduce_dense<O>(d, 1)[0]);
}
// Whole packs while they fit below `count` and the end of a block, then a tail; `first` elements
// are taken alone, so that what follows lies between lanes.
template <op O> float by_rows(std::vector<float> const& x, extent count, int first) {
  cpu::row_accumulator<target, O, float> sum;
  extent e = 0;
  auto const take = [&](extent n) {
    auto const values = cpu::load<target>(x.data() + e);
    if (n == width && e % width == 0) sum.add(e, values);
    else sum.add_some(e, static_cast<int>(n), values);
    e += n;
    sum.close_block(e);
  };
  if (first > 0 && first <= count) take(first);
  while (e < count) {
    extent const left = count - e, to_block = weft::sum_block - e % weft::sum_block;
    extent const most = left < to_block ? left : to_block;
    take(most < width ? most : width);
  }
  return sum.finish(count);
}
// Element e of column group c, whichever way it goes in.
template <class Sums, class Pack> void take_column(Sums& sums, extent e, int c, Pack const& value) {
  if (e < weft::sum_lanes) sums.set(e, c, value);
  else sums.add(e, c, value);
}
template <op O> float by_columns(std::vector<float> const& x, extent count, int column) {
  cpu::column_accumulator<target, O, float, 2> sums;
  for (extent e = 0; e < count; ++e) {
    for (int c = 0; c < 2; ++c)
      take_column(sums, e, c,
                  cpu::splat<target>(x[static_cast<unsigned>(e)] * static_cast<float>(c + 1)));
    sums.close_block(e);
  }
  sums.finish(count, 2);
  float out[2][width];
  for (int c = 0; c < 2; ++c) cpu::store(out[c], sums.result(c));
  EXPECT_EQ(word_of(out[column][0]), word_of(out[column][width - 1]));
  return out[column][0];
}

constexpr extent counts[] = {0,  1,  2,   7,   8,     9,     16,    31,    63,    64,
                             65, 97, 128, 200, 16383, 16384, 16385, 16449, 32768, 50000};

TEST(reduce, rows_are_canonical_wherever_they_start) {
  auto const x = some_numbers(50000);
  for (extent count : counts)
    for (int first : {0, 1, 3}) {
      if (first > width) continue;
      EXPECT_EQ(word_of(by_rows<op::reduce_sum>(x, count, first)),
                word_of(meant<op::reduce_sum>(x, count)))
          << count << " from " << first;
      EXPECT_EQ(by_rows<op::reduce_max>(x, count, first), meant<op::reduce_max>(x, count));
    }
}
TEST(reduce, columns_are_canonical) {
  auto const x = some_numbers(50000);
  auto doubled = x;
  for (float& v : doubled) v *= 2;
  for (extent count : counts) {
    EXPECT_EQ(word_of(by_columns<op::reduce_sum>(x, count, 0)),
              word_of(meant<op::reduce_sum>(x, count)))
        << count;
    EXPECT_EQ(word_of(by_columns<op::reduce_sum>(x, count, 1)),
              word_of(meant<op::reduce_sum>(doubled, count)));
    EXPECT_EQ(by_columns<op::reduce_max>(x, count, 0), meant<op::reduce_max>(x, count));
  }
}

// A NaN that signals, alone or beside others: quiet where the interpreter's is.
template <op O> void check_signalling() {
  for (extent count : {1, 2, 3, 63, 64, 65, 129})
    for (extent at : {extent{0}, count / 2, count - 1}) {
      auto x = some_numbers(count);
      x[static_cast<unsigned>(at)] = element_of_word<float>(word{0x7fa00001u});
      EXPECT_EQ(word_of(by_columns<O>(x, count, 0)), word_of(meant<O>(x, count)))
          << name_of(O) << ' ' << count << " at " << at;
      EXPECT_EQ(word_of(by_rows<O>(x, count, 0)), word_of(meant<O>(x, count)));
    }
}
TEST(reduce, signalling_nans) {
  check_signalling<op::reduce_sum>();
  check_signalling<op::reduce_prod>();
  check_signalling<op::reduce_max>();
  check_signalling<op::reduce_min>();
}

// The other element types, in rows and columns, wrapped or rounded once at the end.
template <class T, op O> void check_type() {
  std::uint64_t state = 12345;
  for (extent count : {0, 1, 7, 64, 97, 200, 16384, 16449}) {
    std::vector<T> x(static_cast<unsigned>(count + width), T{});
    dense d(dtype_of<T>, {1, {count}});
    for (int i = 0; i < count; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      auto const r = static_cast<std::int64_t>(state) >> 20;
      if constexpr (is_half(dtype_of<T>)) x[static_cast<unsigned>(i)] = T(float(r % 1000) / 64);
      else x[static_cast<unsigned>(i)] = static_cast<T>(r);
      d[i] = word_of(x[static_cast<unsigned>(i)]);
    }
    cpu::row_accumulator<target, O, T> row;
    cpu::column_accumulator<target, O, T, 1> column;
    for (extent e = 0; e < count; e += width) {
      extent const left = count - e, n = left < width ? left : width;
      row.add_some(e, static_cast<int>(n), cpu::load<target>(x.data() + e));
      row.close_block(e + n);
    }
    for (extent e = 0; e < count; ++e) {
      take_column(column, e, 0, cpu::splat<target>(x[static_cast<unsigned>(e)]));
      column.close_block(e);
    }
    T of_columns[width];
    column.finish(count, 1);
    cpu::store(of_columns, column.result(0));
    word const expected = detail::reduce_dense<O>(d, 1)[0];
    EXPECT_EQ(word_of(static_cast<T>(row.finish(count))), expected) << name_of(dtype_of<T>);
    EXPECT_EQ(word_of(of_columns[width - 1]), expected) << name_of(dtype_of<T>) << ' ' << count;
  }
}
TEST(reduce, every_type) {
  check_type<double, op::reduce_sum>();
  check_type<double, op::reduce_max>();
  check_type<f16, op::reduce_sum>();
  check_type<std::int8_t, op::reduce_sum>();
  check_type<std::int8_t, op::reduce_max>();
  check_type<std::uint16_t, op::reduce_sum>();
  check_type<std::int64_t, op::reduce_sum>();
  check_type<std::int64_t, op::reduce_max>();
  check_type<std::uint64_t, op::reduce_max>();
}

// Above 2^28 elements blocks of blocks are reduced, too. A block's one element is its result.
template <op O> void check_blocks(int blocks) {
  constexpr extent size = weft::sum_block;
  auto const x = some_numbers(blocks);
  cpu::row_accumulator<target, O, float> row;
  cpu::column_accumulator<target, O, float, 2> column;
  for (int b = 0; b < blocks; ++b) {
    float const value = x[static_cast<unsigned>(b)];
    row.add_some(b * size, 1, cpu::splat<target>(value));
    if (b == 0) // its lanes are the first elements, or nobody's
      for (int lane = 1; lane < weft::sum_lanes; ++lane)
        for (int c : {0, 1}) column.set(lane, c, cpu::splat<target>(weft::lane_start<O, float>()));
    take_column(column, b * size, 0, cpu::splat<target>(value));
    take_column(column, b * size, 1, cpu::splat<target>(-value));
    if (b + 1 == blocks) break; // the last is a block of one element
    row.close_block((b + 1) * size);
    column.close_block((b + 1) * size - 1);
  }
  extent const count = (blocks - 1) * size + 1;
  float first[width], second[width];
  column.finish(count, 2);
  cpu::store(first, column.result(0));
  cpu::store(second, column.result(1));
  auto negated = x;
  for (float& value : negated) value = -value;
  EXPECT_EQ(word_of(row.finish(count)), word_of(meant<O>(x, blocks))) << blocks;
  EXPECT_EQ(word_of(first[0]), word_of(meant<O>(x, blocks))) << blocks;
  EXPECT_EQ(word_of(second[width - 1]), word_of(meant<O>(negated, blocks))) << blocks;
}
TEST(reduce, blocks_of_blocks_are_canonical) {
  for (int blocks : {16383, 16384, 16385, 16500, 32768, 32769, 70000}) {
    check_blocks<op::reduce_sum>(blocks);
    check_blocks<op::reduce_min>(blocks);
  }
}

// Canonical is not any order: a different one would be seen.
TEST(reduce, order_shows) {
  auto const x = some_numbers(1000);
  float in_sequence = 0;
  for (unsigned i = 0; i < 1000; ++i) in_sequence += x[i];
  EXPECT_NE(in_sequence, meant<op::reduce_sum>(x, 1000));
  std::vector<float> const minus_zeros(100, -0.0f);
  EXPECT_EQ(word_of(by_rows<op::reduce_sum>(minus_zeros, 3, 0)), 0x80000000u);
  EXPECT_EQ(word_of(by_rows<op::reduce_sum>(minus_zeros, 0, 0)), 0u);
}

} // namespace

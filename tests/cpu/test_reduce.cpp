// SPDX-License-Identifier: BSL-1.0
// The accumulators of kernels against the interpreter's reduction: every count around a pack, the
// 64 lanes and a block, taken in whole packs, in tails, and from places between lanes.
#include <weft/cpu/reduce.hpp>
#include <weft/cpu/target.hpp>
#include <weft/graph/interpret_reduce.hpp>

#include <gtest/gtest.h>

#include <cstring>
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
// Accumulators of columns begin with nothing set: they lie in memory that is all ones here, NaN to
// floats, so that a lane read too early shows.
template <class Sums> class column_sums {
public:
  column_sums() {
    std::memset(memory_, 0xff, sizeof memory_);
    sums_ = ::new (static_cast<void*>(memory_)) Sums;
  }
  template <class Pack> void take(extent e, int c, Pack const& value) {
    sums_->add(e, c, value, e < weft::sum_lanes);
  }
  Sums* operator->() { return sums_; }

private:
  alignas(Sums) unsigned char memory_[sizeof(Sums)];
  Sums* sums_;
};
template <op O> float by_columns(std::vector<float> const& x, extent count, int column) {
  column_sums<cpu::column_accumulator<target, O, float, 2>> sums;
  for (extent e = 0; e < count; ++e) {
    for (int c = 0; c < 2; ++c)
      sums.take(e, c, cpu::splat<target>(x[static_cast<unsigned>(e)] * static_cast<float>(c + 1)));
    sums->close_block(e, 2);
  }
  sums->finish(count, 2);
  float out[2][width];
  for (int c = 0; c < 2; ++c) cpu::store(out[c], sums->result(c));
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

// The other element types, in rows and columns, wrapped or rounded once at the end. Column j is the
// numbers from the j-th on; of three column groups two are there.
template <class T, op O> T some_number(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  auto const r = static_cast<std::int64_t>(state) >> 20;
  if constexpr (!is_float(dtype_of<T>)) return static_cast<T>(r);
  else if constexpr (O == op::reduce_prod) return T(0.9f + static_cast<float>(r & 15) / 64);
  else if constexpr (is_half(dtype_of<T>)) return T(static_cast<float>(r % 1000) / 64);
  else return static_cast<T>(r);
}
template <class T, op O> word meant_of(std::vector<T> const& x, extent first, extent count) {
  dense d(dtype_of<T>, {1, {count}});
  for (int i = 0; i < count; ++i) d[i] = word_of(x[static_cast<unsigned>(first + i)]);
  return detail::reduce_dense<O>(d, 1)[0];
}
template <class T, op O> void check_type() {
  constexpr int groups = 2;
  std::uint64_t state = 12345;
  for (extent count : {0, 1, 2, 3, 7, 33, 63, 64, 65, 97, 200, 16384, 16385, 16449}) {
    std::vector<T> x;
    for (int i = 0; i < count + groups * width; ++i) x.push_back(some_number<T, O>(state));
    cpu::row_accumulator<target, O, T> row;
    for (extent e = 0; e < count; e += width) {
      extent const left = count - e, n = left < width ? left : width;
      row.add_some(e, static_cast<int>(n), cpu::load<target>(x.data() + e));
      row.close_block(e + n);
    }
    EXPECT_EQ(word_of(static_cast<T>(row.finish(count))), (meant_of<T, O>(x, 0, count)))
        << name_of(dtype_of<T>) << ' ' << name_of(O) << ' ' << count;
    column_sums<cpu::column_accumulator<target, O, T, groups + 1>> columns;
    for (extent e = 0; e < count; ++e) {
      for (int c = 0; c < groups; ++c)
        columns.take(e, c, cpu::load<target>(x.data() + e + c * width));
      columns->close_block(e, groups);
    }
    columns->finish(count, groups);
    for (int c = 0; c < groups; ++c) {
      T found[width];
      cpu::store(found, columns->result(c));
      int const step = count > 1000 ? width - 1 : 1;
      for (int j = 0; j < width; j += step)
        EXPECT_EQ(word_of(found[j]), (meant_of<T, O>(x, c * width + j, count)))
            << name_of(dtype_of<T>) << ' ' << name_of(O) << ' ' << count << " column "
            << c * width + j;
    }
  }
}
template <class T> void check_ops() {
  check_type<T, op::reduce_sum>();
  check_type<T, op::reduce_prod>();
  check_type<T, op::reduce_max>();
  check_type<T, op::reduce_min>();
}
TEST(reduce, every_type) {
  check_ops<float>();
  check_ops<double>();
  check_ops<f16>();
  check_ops<bf16>();
  check_ops<std::int8_t>();
  check_ops<std::uint16_t>();
  check_ops<std::int32_t>();
  check_ops<std::int64_t>();
  check_ops<std::uint64_t>();
}

// Above 2^28 elements blocks of blocks are reduced, too. A block's one element is its result.
template <op O> void check_blocks(int blocks) {
  constexpr extent size = weft::sum_block;
  auto const x = some_numbers(blocks);
  cpu::row_accumulator<target, O, float> row;
  column_sums<cpu::column_accumulator<target, O, float, 2>> column;
  for (int b = 0; b < blocks; ++b) {
    float const value = x[static_cast<unsigned>(b)];
    row.add_some(b * size, 1, cpu::splat<target>(value));
    if (b == 0) // the first block's other lanes are empty
      for (int lane = 1; lane < weft::sum_lanes; ++lane)
        for (int c : {0, 1}) column.take(lane, c, cpu::splat<target>(weft::lane_start<O, float>()));
    column.take(b * size, 0, cpu::splat<target>(value));
    column.take(b * size, 1, cpu::splat<target>(-value));
    if (b + 1 == blocks) break; // the last is a block of one element
    row.close_block((b + 1) * size);
    column->close_block((b + 1) * size - 1, 2);
  }
  extent const count = (blocks - 1) * size + 1;
  float first[width], second[width];
  column->finish(count, 2);
  cpu::store(first, column->result(0));
  cpu::store(second, column->result(1));
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

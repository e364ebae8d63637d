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
  for (int i = 0; i < count; ++i) d[i] = std::bit_cast<word>(x[static_cast<unsigned>(i)]);
  return std::bit_cast<float>(detail::reduce_dense<O>(d, 1)[0]);
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
    extent const left = count - e, to_block = cpu::sum_block - e % cpu::sum_block;
    extent const most = left < to_block ? left : to_block;
    take(most < width ? most : width);
  }
  return sum.finish(count);
}
template <op O> float by_columns(std::vector<float> const& x, extent count, int column) {
  cpu::column_accumulator<target, O, float, 2> sums;
  for (extent e = 0; e < count; ++e) {
    for (int c = 0; c < 2; ++c)
      sums.add(e, c, cpu::splat<target>(x[static_cast<unsigned>(e)] * static_cast<float>(c + 1)));
    sums.close_block(e);
  }
  auto const first = sums.finish(count, 0), second = sums.finish(count, 1);
  float out[2][width];
  cpu::store(out[0], first);
  cpu::store(out[1], second);
  EXPECT_EQ(std::bit_cast<word>(out[column][0]), std::bit_cast<word>(out[column][width - 1]));
  return out[column][0];
}

constexpr extent counts[] = {0,  1,  2,   7,   8,     9,     16,    31,    63,    64,
                             65, 97, 128, 200, 16383, 16384, 16385, 16449, 32768, 50000};

TEST(reduce, rows_are_canonical_wherever_they_start) {
  auto const x = some_numbers(50000);
  for (extent count : counts)
    for (int first : {0, 1, 3}) {
      if (first > width) continue;
      EXPECT_EQ(std::bit_cast<word>(by_rows<op::reduce_sum>(x, count, first)),
                std::bit_cast<word>(meant<op::reduce_sum>(x, count)))
          << count << " from " << first;
      EXPECT_EQ(by_rows<op::reduce_max>(x, count, first), meant<op::reduce_max>(x, count));
    }
}
TEST(reduce, columns_are_canonical) {
  auto const x = some_numbers(50000);
  auto doubled = x;
  for (float& v : doubled) v *= 2;
  for (extent count : counts) {
    EXPECT_EQ(std::bit_cast<word>(by_columns<op::reduce_sum>(x, count, 0)),
              std::bit_cast<word>(meant<op::reduce_sum>(x, count)))
        << count;
    EXPECT_EQ(std::bit_cast<word>(by_columns<op::reduce_sum>(x, count, 1)),
              std::bit_cast<word>(meant<op::reduce_sum>(doubled, count)));
    EXPECT_EQ(by_columns<op::reduce_max>(x, count, 0), meant<op::reduce_max>(x, count));
  }
}
// Canonical is not any order: a different one would be seen.
TEST(reduce, order_shows) {
  auto const x = some_numbers(1000);
  float in_sequence = 0;
  for (unsigned i = 0; i < 1000; ++i) in_sequence += x[i];
  EXPECT_NE(in_sequence, meant<op::reduce_sum>(x, 1000));
  std::vector<float> const minus_zeros(100, -0.0f);
  EXPECT_EQ(std::bit_cast<word>(by_rows<op::reduce_sum>(minus_zeros, 3, 0)), 0x80000000u);
  EXPECT_EQ(std::bit_cast<word>(by_rows<op::reduce_sum>(minus_zeros, 0, 0)), 0u);
}

} // namespace

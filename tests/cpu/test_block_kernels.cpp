// SPDX-License-Identifier: BSL-1.0
// build: alone
// A block program's kernels have an owner: those made before one that throws are destroyed.
#include <weft/cpu/block.hpp>

#include <gtest/gtest.h>

namespace {
struct counting_target {};
int alive = 0;
} // namespace

template <> class weft::cpu::block_kernel<counting_target> {
public:
  block_kernel(weft::lowered_view, weft::kernel const&) {
    if (alive == 2) throw 3;
    ++alive;
  }
  block_kernel(block_kernel const&) = delete;
  ~block_kernel() { --alive; }
};

namespace {

void make(int most) {
  weft::cpu::block_kernels<counting_target> all;
  all.reserve(most);
  weft::lowered const code;
  for (int i = 0; i < most; ++i) all.add(code, weft::kernel{});
}
TEST(block_kernels, none_is_left) {
  make(0);
  make(2);
  EXPECT_EQ(alive, 0);
  EXPECT_THROW(make(3), int);
  EXPECT_EQ(alive, 0);
}

} // namespace

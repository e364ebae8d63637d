// SPDX-License-Identifier: BSL-1.0
// Shardings as values and as text, and the parts of arrays that ranks have of them.
#include "testing/ranks_reference.hpp"

#include <weft/graph/array_part.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace weft;

constexpr mesh_axes mesh = mesh_of("data=2, model=3, host=1");
constexpr sharding both = sharding_of("[-, model*data]", mesh);
static_assert(both.depth(1) == 2 && both.split_by(1, 0) == 1 && both.split_by(1, 1) == 0);
static_assert(both == sharding{}.with(1, 1).with(0, 1));
static_assert(!(both == sharding_of("[-, data*model]", mesh)));
static_assert(both.without(0) == sharding_of("-, model", mesh));
static_assert(sharding_of("[host]", mesh).whole()); // of size 1: splits nothing
static_assert(local_shape({2, {4, 12}}, both, mesh) == extents{2, {4, 2}});
static_assert(fault_of(both, {2, {4, 9}}, mesh).code == sharding_error::uneven);
static_assert(fault_of(both, {1, {6}}, mesh).code == sharding_error::rank);
static_assert(part_of({2, {4, 12}}, both, mesh, 4).start == extents{2, {0, 6}}); // (1, 1): part 3

TEST(sharding, is_written_as_it_is_read) {
  for (char const* t :
       {"[-, -]", "[data, -]", "[-, data*model]", "[model*data, -]", "[model, data]"})
    EXPECT_EQ(std::string(print_sharding(sharding_of(t, mesh), 2, mesh).c_str()), t);
  growing<extent> lists;
  lists.push(2);
  detail::push_axis_name(lists, {"data", 4});
  detail::push_axis_name(lists, {"a_name_of_15_ch", 15});
  lists.push(0);
  EXPECT_TRUE(detail::is_shard_list(lists, 2));
  EXPECT_EQ(std::string(print_sharding(lists).c_str()), "[data*a_name_of_15_ch, -]");
  EXPECT_EQ(sharding_of(lists, mesh).fault.code, sharding_error::unknown_axis);
}
TEST(sharding, parts_are_copied_out_and_back) {
  for (char const* t :
       {"-", "data", "-,model", "data,model", "-,model*data", "-,-,data", "data*model"}) {
    dense whole(dtype::u32, {3, {6, 12, 2}});
    for (int i = 0; i < whole.size(); ++i) whole[i] = static_cast<word>(i);
    std::vector<std::uint32_t> all(144), again(144, 0);
    for (unsigned i = 0; i < 144; ++i) all[i] = i;
    sharding const s = sharding_of(t, mesh);
    for (extent rank = 0; rank < mesh.ranks; ++rank) {
      dense const meant = test::part_of_rank(whole, s, mesh, rank);
      array_part const p = part_of(whole.shape, s, mesh, rank);
      ASSERT_TRUE(p.shape == meant.shape);
      std::vector<std::uint32_t> mine(static_cast<unsigned>(meant.size()));
      copy_out(p, whole.shape, 4, all.data(), mine.data());
      for (int i = 0; i < meant.size(); ++i)
        ASSERT_EQ(mine[static_cast<unsigned>(i)], meant[i]) << t;
      copy_back(p, whole.shape, 4, mine.data(), again.data());
    }
    EXPECT_EQ(again, all) << t;
  }
  float const one = 3;
  float to = 0;
  copy_out(part_of({}, {}, mesh, 1), {}, 4, &one, &to);
  EXPECT_EQ(to, one);
}

} // namespace

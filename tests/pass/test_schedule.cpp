// SPDX-License-Identifier: BSL-1.0
// Where a backend limits the buffers of a kernel, groups stay within it; elsewhere they are whole.
#include "sample.hpp"

#include <weft/graph/bind.hpp>
#include <weft/pass/lower.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace weft;

// Places of the group that has most of them, and groups.
struct found {
  int most = 0, groups = 0;
};
found places_of_groups(graph const& g, int most_buffers) {
  accesses const reads = accesses_of(g);
  schedule const plan = make_schedule(g, reads, most_buffers);
  lowered const code = lower(g, reads, plan);
  found f;
  for (kernel const& k : code.kernels) {
    int places = 0;
    for (place const& p : lowered_view(code).places_of(k))
      places += g[reads.of[p.node].root].code != op::iota;
    f.most = std::max(f.most, places);
    ++f.groups;
  }
  return f;
}

std::vector<handle> inputs(recorder& r, int count) {
  std::vector<handle> all;
  for (int i = 0; i < count; ++i)
    all.push_back(r.input(dtype::f32, test::four_by_four, {i, 0, false}));
  return all;
}
graph finished(recorder& r, std::vector<handle> const& outputs) {
  r.finish({outputs.data(), static_cast<int>(outputs.size())});
  return std::move(r.result);
}
// p - g for many p and g.
graph differences(int count) {
  recorder r;
  std::vector<handle> const p = inputs(r, 2 * count);
  std::vector<handle> all;
  for (int i = 0; i < count; ++i)
    all.push_back(p[static_cast<std::size_t>(i)] - p[static_cast<std::size_t>(count + i)]);
  return finished(r, all);
}
// ((a + b) + c) + ...
graph sum_of_many(int count) {
  recorder r;
  std::vector<handle> const p = inputs(r, count);
  handle all = p[0];
  for (int i = 1; i < count; ++i) all = all + p[static_cast<std::size_t>(i)];
  return finished(r, {all});
}

TEST(schedule, groups_stay_within_the_buffers_of_a_kernel) {
  for (graph const& g : {differences(40), sum_of_many(90)}) {
    found const whole = places_of_groups(g, detail::fuser::unlimited);
    EXPECT_GT(whole.most, 80);
    EXPECT_EQ(whole.groups, 1);
    for (int most : {48, 20}) {
      found const parts = places_of_groups(g, most);
      EXPECT_LE(parts.most, most + 1);
      EXPECT_LE(parts.groups, whole.most / (most - 4) + 1);
    }
  }
  EXPECT_EQ(places_of_groups(differences(16), 48).groups, 1); // 48 of them
  EXPECT_EQ(places_of_groups(differences(17), 48).groups, 2);
}

} // namespace

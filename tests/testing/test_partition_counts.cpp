// SPDX-License-Identifier: BSL-1.0
// Counts of split axes: every rank begins where its part does, in types that are too small for it too.
#include "testing/partitioned_on_ranks.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace weft;

// x + 0, 1, 2, … along axis 0.
constexpr graph counted(dtype d, extent length) {
  recorder r;
  handle const x = r.input(d, {2, {length, 2}}, {0, 0, false});
  handle const y = x + iota(r, d, x.shape(), 0);
  r.finish({&y, 1});
  return canonical(r.result);
}
// The compiler is stricter than the run about numbers that do not fit.
consteval bool is_partitioned(dtype d, extent length) {
  graph const g = counted(d, length);
  mesh_axes const mesh = mesh_of("data=2");
  sharding const rows = sharding{}.with(0, 0);
  partitioned const p = partition(g, mesh, {&rows, 1}, {&rows, 1});
  return !p.fault && p.moves.empty();
}
static_assert(is_partitioned(dtype::i8, 256) && is_partitioned(dtype::i8, 600) &&
              is_partitioned(dtype::u8, 600) && is_partitioned(dtype::i16, 1 << 17));

TEST(partitioned, counts_are_those_of_one_machine_in_every_type) {
  for (dtype d : {dtype::i8, dtype::u8, dtype::i16, dtype::u16, dtype::i32, dtype::u32, dtype::i64,
                  dtype::u64, dtype::f16, dtype::bf16, dtype::f32, dtype::f64})
    for (extent length : {256, 600}) {
      graph const counts = counted(d, length);
      graph_view const g = counts;
      growing<dense> inputs;
      inputs.push(dense(d, g.shape(0), static_cast<word>(bits_of(1, d))));
      for (auto [mesh, x] : {std::pair("data=2", "data"), std::pair("data=2,model=4", "model*data"),
                             std::pair("data=4", "data")}) {
        test::on_ranks const r(g, mesh, {x}, {x}, inputs);
        EXPECT_EQ(r.differing(), 0) << name_of(d) << " of " << length << " on " << mesh;
        EXPECT_EQ(r.bytes(), 0);
      }
    }
}

} // namespace

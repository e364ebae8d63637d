// SPDX-License-Identifier: BSL-1.0
// Numbers in the place of names, for what is planned before the run binds them.
#include "dense_values.hpp"

#include <weft/graph/bind.hpp>
#include <weft/pass/access.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

// One input with these extents.
graph with_shapes(std::initializer_list<extents> shapes) {
  recorder r;
  growing<handle> inputs;
  for (extents const& s : shapes) inputs.push(r.input(dtype::f32, s, {inputs.size(), 0, false}));
  r.finish(inputs);
  return std::move(r.result);
}

TEST(placeholders, are_primes_that_divide_no_extent) {
  extent const n = pack_name("n"), m = pack_name("m");
  growing<binding> const usual = placeholders(with_shapes({dims({n, 0, 4}), dims({m, 1})}));
  ASSERT_EQ(usual.size(), 2);
  EXPECT_EQ(usual[0].name, n);
  EXPECT_EQ(usual[0].number, 5987);
  EXPECT_EQ(usual[1].number, 6007);
  growing<binding> const other = placeholders(
      with_shapes({dims({n, 5987}), dims({3 * 6011, m}), dims({6007, 1})}));
  ASSERT_EQ(other.size(), 2);
  EXPECT_EQ(other[0].number, 6029);
  EXPECT_EQ(other[1].number, 6037);
}

// Strides express this reshape for one number of the name alone.
TEST(placeholders, do_not_make_a_view_of_a_reshape_that_has_to_copy) {
  extent const n = pack_name("n");
  for (extent others : {4, 5987, 2 * 5987}) {
    recorder r;
    handle const x = r.input(dtype::f32, dims({n, others}), {0, 0, false});
    extent const turned[] = {1, 0};
    handle const y = reshape(transpose(x, {turned, 2}), dims({n, others}));
    r.finish({&y, 1});
    graph const g = std::move(r.result);
    EXPECT_TRUE(accesses_of(bind(g, placeholders(g))).copied[y.id]) << others;
  }
}

} // namespace

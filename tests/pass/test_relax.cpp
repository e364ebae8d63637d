// SPDX-License-Identifier: BSL-1.0
// What policy::fast makes of a graph: quotients by what is broadcast become products, a product that
// is added becomes an fma where the target has one; whatever else stays as it is.
#include "sample.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/pass/relax.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

constexpr handle spread(handle v) {
  extent const map[] = {0};
  return broadcast(v, four_by_four, {map, 1});
}
constexpr handle row_sums(handle x) { return reduce(op::reduce_sum, x, 2); }
constexpr graph relaxed(unary_function f, dtype d = dtype::f32) { return relax(recorded(f, d)); }

// ---- quotients

constexpr handle over_rows(recorder&, handle x) { return x / spread(row_sums(x)); }
static_assert(count(relaxed(over_rows), op::div) == 0);
static_assert(count(relaxed(over_rows), op::reciprocal) == 1);
static_assert(count(relaxed(over_rows), op::mul) == 1);
static_assert(count(relaxed(over_rows, dtype::f64), op::div) == 0);
// One reciprocal, of four elements, for both.
constexpr handle twice_over_rows(recorder&, handle x) {
  handle const sums = spread(row_sums(x));
  return (x / sums) - ((-x) / sums);
}
static_assert(count(relaxed(twice_over_rows), op::reciprocal) == 1);
static_assert([] {
  graph const g = relaxed(twice_over_rows);
  return count_of(g.shape(find(g, op::reciprocal))) == 4;
}());
constexpr handle over_three(recorder& r, handle x) {
  return x / constant(r, 3.0, x.type(), four_by_four);
}
static_assert(count(relaxed(over_three), op::div) == 0);
static_assert(count(optimise(relaxed(over_three)), op::reciprocal) == 0); // a number
// Not these: as many quotients as divisors; integers and 16 bits.
constexpr extent exchanged[] = {1, 0};
constexpr handle over_itself(recorder&, handle x) { return x / transpose(x, {exchanged, 2}); }
constexpr handle over_more(recorder&, handle x) { return x / (x + x); }
static_assert(count(relaxed(over_more), op::div) == 1);
static_assert(count(relaxed(over_itself), op::div) == 1);
static_assert(count(relaxed(over_rows, dtype::i32), op::div) == 1);
static_assert(count(relaxed(over_rows, dtype::bf16), op::div) == 1);
// Nor these: a broadcast that repeats nothing, or of which as much is left as there was.
constexpr extent both_axes[] = {0, 1};
constexpr handle over_the_same(recorder&, handle x) {
  return x / broadcast(-x, four_by_four, {both_axes, 2});
}
constexpr handle over_a_column(recorder&, handle x) {
  return slice_axis(x, 1, 0, 1) / slice_axis(spread(row_sums(x)), 1, 2, 1);
}
static_assert(count(relaxed(over_the_same), op::div) == 1);
static_assert(count(relaxed(over_a_column), op::div) == 1);
// The reciprocals of what is broadcast, not of all that it was taken from; of the fewest.
constexpr handle over_some(recorder&, handle x) {
  extent const all[] = {16};
  handle const numbers = reshape(x, {1, {all[0]}});
  return x / spread(slice_axis(numbers, 0, 3, 4));
}
constexpr handle over_one_of_them(recorder&, handle x) {
  handle const one = slice_axis(row_sums(x), 0, 1, 1);
  return x / spread(broadcast(reshape(one, {}), {1, {4}}, {}));
}
constexpr extent reciprocals(unary_function f) {
  graph const g = relaxed(f);
  return count(g, op::reciprocal) == 1 ? count_of(g.shape(find(g, op::reciprocal))) : -1;
}
static_assert(reciprocals(over_some) == 4 && reciprocals(over_one_of_them) == 1);
// With names: n x 1 and n x m.
constexpr graph over_names(extent columns) {
  recorder r;
  extent const n = extent_value<sym("n")>(), m = extent_value<sym("m")>();
  handle const x = r.input(dtype::f32, {2, {n, m}}, {0, 0, false});
  handle const v = r.input(dtype::f32, {2, {n, columns < 0 ? m : columns}}, {1, 0, false});
  handle const y = x / broadcast(v, x.shape(), {both_axes, 2});
  r.finish({&y, 1});
  return relax(r.result);
}
static_assert(count(over_names(1), op::div) == 0 && count(over_names(-1), op::div) == 1);

// ---- products that are added

constexpr handle added(recorder&, handle x) { return x * x + (-x); }
constexpr handle added_last(recorder&, handle x) { return (-x) + x * x; }
constexpr handle less_another(recorder&, handle x) { return x * x - (-x); }
constexpr handle another_less(recorder&, handle x) { return (-x) - x * x; }
constexpr handle of_two(recorder&, handle x) { return x * x + x * (-x); }
constexpr bool fuses(unary_function f, dtype d = dtype::f32) {
  graph const g = optimise(relaxed(f, d));
  return count(g, op::fma) == 1 && count(g, op::add) == 0 && count(g, op::sub) == 0;
}
static_assert(fuses(added) && fuses(added_last) && fuses(less_another) && fuses(another_less));
static_assert(fuses(of_two) && fuses(added, dtype::f64));
static_assert(!fuses(added, dtype::i32) && !fuses(added, dtype::f16));
static_assert(count(optimise(relaxed(added)), op::mul) == 0);
static_assert(count(optimise(relaxed(of_two)), op::mul) == 1);

// A target without the instruction: quotients alone.
constexpr graph unfused(unary_function f) { return relax(recorded(f), false); }
static_assert(count(unfused(added), op::fma) == 0 && count(unfused(added), op::mul) == 1);
static_assert(count(unfused(another_less), op::fma) == 0);
static_assert(count(unfused(over_rows), op::reciprocal) == 1);

// A product outside of a loop stays there; one inside is fused.
constexpr graph looped(bool inside) {
  recorder r;
  handle const xs = r.input(dtype::f32, {3, {5, 4, 4}}, {0, 0, false});
  handle const h = r.input(dtype::f32, four_by_four, {1, 0, false});
  handle const y = fold_steps(
      r, h * h, xs, [&](handle carry, handle x) { return inside ? carry * x + x : carry + x; });
  r.finish({&y, 1});
  return relax(r.result);
}
static_assert(count(looped(true), op::fma) == 1 && count(looped(false), op::fma) == 0);
// Quotients in a body: by what the body broadcasts, one reciprocal in the body.
constexpr graph quotients_in_a_loop() {
  recorder r;
  handle const xs = r.input(dtype::f32, {3, {5, 4, 4}}, {0, 0, false});
  handle const h = r.input(dtype::f32, four_by_four, {1, 0, false});
  handle const y = fold_steps(r, h, xs, [&](handle carry, handle x) {
    handle const sums = spread(row_sums(x));
    return x / sums + carry / sums;
  });
  r.finish({&y, 1});
  return relax(r.result);
}
static_assert(count(quotients_in_a_loop(), op::div) == 0);
static_assert(count(quotients_in_a_loop(), op::reciprocal, 1) == 1);

TEST(relax, leaves_verified_graphs) {
  for (unary_function f :
       {over_rows, twice_over_rows, over_three, over_itself, over_the_same, over_a_column,
        over_some, over_one_of_them, added, added_last, less_another, another_less, of_two})
    for (dtype d : {dtype::f32, dtype::f64, dtype::bf16, dtype::i32}) {
      graph const g = relaxed(f, d);
      EXPECT_FALSE(verify(g));
      EXPECT_FALSE(verify(optimise(g)));
    }
  EXPECT_FALSE(verify(looped(true)));
  EXPECT_FALSE(verify(quotients_in_a_loop()));
  EXPECT_FALSE(verify(over_names(1)));
}

} // namespace

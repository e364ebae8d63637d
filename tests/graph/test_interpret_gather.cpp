// SPDX-License-Identifier: BSL-1.0
// gather, scatter, arg_sort and arg_reduce: by hand, against plain loops, printed, differentiated.
#include "dense_values.hpp"
#include "transform/grad_support.hpp"

#include <weft/graph/handle_gather.hpp>
#include <weft/graph/print.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using namespace test;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Rows of a matrix of `columns` columns.
constexpr gather_dims rows(int columns, bool drop = false,
                           scatter_combine how = scatter_combine::set) {
  gather_dims d;
  d.drop = drop;
  d.combine = how;
  d.window_axes = 0b10;
  d.collapsed = 0b01;
  d.index_axis = 1;
  d.mapped = 1;
  d.rank = 2;
  d.window[0] = 1;
  d.window[1] = columns;
  return d;
}
// Single elements of a vector.
constexpr gather_dims elements(bool drop, scatter_combine how = scatter_combine::set) {
  gather_dims d;
  d.drop = drop;
  d.combine = how;
  d.collapsed = d.mapped = d.index_axis = d.rank = 1;
  d.window[0] = 1;
  return d;
}
constexpr dense gathered(dense const& x, dense const& indices, gather_dims const& d) {
  return value_of({x, indices}, [&](recorder&, view<handle> h) { return gather(h[0], h[1], d); });
}
constexpr dense scattered(dense const& x, dense const& u, dense const& i, gather_dims const& d) {
  return value_of({x, u, i},
                  [&](recorder&, view<handle> h) { return scatter(h[0], h[1], h[2], d); });
}

static_assert(gathered(array<int>({3, 2}, {1, 2, 3, 4, 5, 6}), vector({2, 0, -5, 7}), rows(2)) ==
              array<int>({4, 2}, {5, 6, 1, 2, 1, 2, 5, 6}));
static_assert(gathered(vector({7, 8, 9}), vector({2, -1, 3}), elements(true)) == vector({9, 0, 0}));
static_assert(scattered(vector({1, 2, 3}), vector({10, 20, 30, 40}), vector({2, 0, 2, 5}),
                        elements(true)) == vector({20, 2, 30})); // the last stays, 5 is outside
static_assert(scattered(vector({1, 2, 3}), vector({10, 20, 30, 40}), vector({2, 0, 2, 5}),
                        elements(true, scatter_combine::add)) == vector({21, 2, 43}));
static_assert(scattered(vector({1, 2, 3}), vector({10, 20, 30, 40}), vector({2, 0, 2, 5}),
                        elements(false, scatter_combine::add)) == vector({21, 2, 83}));
static_assert(scattered(vector({1.0f, 2.0f}), vector({nan, -3.0f}), vector({1, 0}),
                        elements(true, scatter_combine::min))[0] == word_of(-3.0f));
static_assert(scattered(vector({true, false}), vector({true}), vector({1}),
                        elements(true, scatter_combine::max)) == vector({true, true}));

// Three terms whose order shows: (1e8 + 1) - 1e8 is 0, (1e8 - 1e8) + 1 is 1.
static_assert(scattered(vector({1e8f}), vector({1.0f, -1e8f}), vector({0, 0}),
                        elements(true, scatter_combine::add)) == vector({0.0f}));
static_assert(scattered(vector({1e8f}), vector({-1e8f, 1.0f}), vector({0, 0}),
                        elements(true, scatter_combine::add)) == vector({1.0f}));
// bf16: 256 + 1 + 1 in float; each addition alone would round to 256.
static_assert(scattered(vector({bf16(256)}), vector({bf16(1), bf16(1)}), vector({0, 0}),
                        elements(true, scatter_combine::add)) == vector({bf16(258)}));

constexpr dense order(dense const& x, int axis = 0, bool descending = false) {
  return value_of({x}, [&](recorder&, view<handle> h) { return arg_sort(h, axis, descending); });
}
static_assert(order(vector({3, 1, 2, 1})) == vector({1, 3, 2, 0}));
static_assert(order(vector({3, 1, 2, 1}), 0, true) == vector({0, 2, 1, 3}));
static_assert(order(vector({nan, 0.0f, -0.0f, -inf, nan, inf})) == vector({3, 1, 2, 5, 0, 4}));
static_assert(order(vector({nan, 0.0f, -0.0f, -inf, nan, inf}), 0, true) ==
              vector({5, 1, 2, 3, 0, 4}));
static_assert(order(array<unsigned>({2, 3}, {5, 0xffffffffu, 0, 5, 0, 1}), 1) ==
              array<int>({2, 3}, {2, 0, 1, 1, 2, 0}));
static_assert(order(vector({true, false, true})) == vector({1, 0, 2}));
// By a flag, then by descending value.
static_assert(value_of({vector({true, false, true, false}), vector({1, 2, 3, 4})},
                       [](recorder&, view<handle> h) { return arg_sort(h, 0, 0b10); }) ==
              vector({3, 1, 2, 0}));

constexpr dense place_of_extreme(dense const& x, bool smallest = false, extent axes = 1) {
  return value_of({x}, [&](recorder&, view<handle> h) { return arg_reduce(h[0], axes, smallest); });
}
static_assert(place_of_extreme(vector({1, 5, 5, 0})) == scalar_value(1));
static_assert(place_of_extreme(vector({1, 5, 0, 0}), true) == scalar_value(2));
static_assert(place_of_extreme(vector({1.0f, nan, inf, nan})) == scalar_value(1));
static_assert(place_of_extreme(vector({1.0f, nan, -inf}), true) == scalar_value(1));
static_assert(place_of_extreme(vector({-0.0f, 0.0f})) == scalar_value(0));
static_assert(place_of_extreme(array<int>({2, 2}, {1, 4, 9, 3}), false, 0b11) == scalar_value(2));
static_assert(place_of_extreme(vector({false, true})) == scalar_value(1));

// Batches, windows of several axes, components along the first axis: every place by hand.
TEST(interpret_gather, general_form) {
  dense x(dtype::i32, dims({3, 4, 5, 2})), indices(dtype::i32, dims({2, 6, 3}));
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<word>(i);
  for (int i = 0; i < indices.size(); ++i) indices[i] = static_cast<word>(i * 7 % 11 - 3);
  gather_dims d; // x: batch, start 1, start 0, whole
  d.window_axes = 0b0101;
  d.rank = 4;
  d.mapped = 2;
  d.map[0] = 2, d.map[1] = 1;
  d.batches = 1;
  d.index_batch[0] = 2;
  d.collapsed = 0b0010;
  extent const window[] = {1, 1, 3, 2};
  for (int i = 0; i < 4; ++i) d.window[i] = window[i];
  dense const y = gathered(x, indices, d);
  ASSERT_EQ(y.shape, dims({3, 6, 2, 3}));
  auto clamped = [](int v, int most) { return v < 0 ? 0 : v > most ? most : v; };
  for (int w = 0; w < 3; ++w)
    for (int i = 0; i < 6; ++i)
      for (int v = 0; v < 2; ++v)
        for (int b = 0; b < 3; ++b) {
          int const s2 = clamped(static_cast<int>(indices[(0 * 6 + i) * 3 + b]), 2);
          int const s1 = clamped(static_cast<int>(indices[(1 * 6 + i) * 3 + b]), 3);
          EXPECT_EQ(y[((w * 6 + i) * 2 + v) * 3 + b], x[((b * 4 + s1) * 5 + s2 + w) * 2 + v]);
        }
}
TEST(interpret_gather, long_orders_are_stable) {
  std::vector<int> expected(2000);
  dense x(dtype::i32, dims({2000}));
  for (int i = 0; i < 2000; ++i) x[i] = static_cast<word>(i * 7919 % 64 - 32);
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](int a, int b) { return static_cast<int>(x[a]) < static_cast<int>(x[b]); });
  dense const y = order(x);
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(static_cast<int>(y[i]), expected[static_cast<unsigned>(i)]);
}
TEST(interpret_gather, what_names_hid) {
  recorder r;
  extents const n{1, {pack_name("n")}};
  handle x = r.input(dtype::f32, n, {0, 0, false}), i = r.input(dtype::i32, {}, {1, 0, false});
  gather_dims one = elements(false);
  one.index_axis = 0;
  growing<handle> out;
  out.push(gather(x, i, one));
  out.push(arg_reduce(x, 1, false));
  for (int k : {0, 1}) {
    r.finish({&out[k], 1});
    EXPECT_THROW(interpret(r.result, arrays(dense(dtype::f32, dims({0})), scalar_value(0))),
                 shape_error);
    EXPECT_NO_THROW(interpret(r.result, arrays(vector({1.0f}), scalar_value(0))));
  }
}

TEST(print, windows_and_orders) {
  recorder r;
  handle x = r.input(dtype::f32, dims({5, 3}), {0, 0, false});
  handle i = r.input(dtype::i32, dims({6}), {1, 0, false});
  handle const y = gather(x, i, rows(3));
  handle const z = scatter(x, y, i, rows(3, true, scatter_combine::add));
  handle const keys[] = {z, x};
  handle const s = arg_sort({keys, 2}, 1, 0b10);
  handle out = arg_reduce(s, 0b11, true);
  r.finish({&out, 1});
  EXPECT_EQ(print(r.result), R"(%0 = parameter {0} : f32(5, 3)
%1 = parameter {1} : i32(6)
%2 = gather %0 %1 {window (1, 3) at axes 1, collapsed 0, starts along 0, index axis 1} : f32(6, 3)
%3 = scatter %0 %2 %1 {add, window (1, 3) at axes 1, collapsed 0, starts along 0, index axis 1, dropped} : f32(5, 3)
%4 = arg_sort %3 %0 {axis 1, descending 1} : i32(5, 3)
%5 = arg_reduce %4 {smallest, axes 0 1} : i32()
return %5
)");
}

// Updates of a gradient test: rows 2, 0, 2, 4 of which the last is outside a (4, 3).
template <class F> graph of_rows(bool updates, F const& f) {
  auto specs = grad_support::list({grad_support::f32({4, 3})});
  if (updates) specs.push(grad_support::f32({4, 3}));
  return grad_support::record(specs, [&](recorder& r, view<handle> in) {
    for (word w : {2u, 0u, 2u, 4u}) r.result.constants.push(w);
    extent const table[] = {0, 0};
    handle const at = r.emit(op::constant, dtype::i32, dims({4}), {}, {table, 2});
    return grad_support::list({grad_support::probe(f(in, at))});
  });
}
TEST(grad, of_gather) {
  for (bool drop : {false, true})
    grad_support::expect_derivative(of_rows(
        false, [&](view<handle> in, handle at) { return gather(in[0], at, rows(3, drop)); }));
}
TEST(grad, of_scatter) {
  for (bool drop : {false, true})
    for (int how = 0; how < scatter_combine_count; ++how) {
      gather_dims const d = rows(3, drop, static_cast<scatter_combine>(how));
      SCOPED_TRACE(how);
      grad_support::expect_derivative(
          of_rows(true, [&](view<handle> in, handle at) { return scatter(in[0], in[1], at, d); }),
          3e-3, 1.0f / 512);
    }
}
// Of products with zeros: target 0 has factors 2 and 0, target 2 has 3, 0, 0.
TEST(grad, of_scattered_products_with_zeros) {
  recorder r;
  growing<dense> in;
  in.push(vector({2.0f, 5.0f, 3.0f}));
  in.push(vector({0.0f, 0.0f, 0.0f}));
  in.push(vector({2, 0, 2}));
  growing<handle> const h = inputs_for(r, in);
  handle out = sum_all(scatter(h[0], h[1], h[2], elements(true, scatter_combine::mul)));
  r.finish({&out, 1});
  int const wrt[] = {0, 1};
  growing<dense> const all = interpret(value_and_grad(r.result, {wrt, 2}), in);
  EXPECT_EQ(all[1], vector({0.0f, 1.0f, 0.0f}));
  EXPECT_EQ(all[2], vector({0.0f, 2.0f, 0.0f}));
}

} // namespace

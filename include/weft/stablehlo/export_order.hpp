// SPDX-License-Identifier: BSL-1.0
// Decompositions of arg_sort and arg_reduce.
//   arg_sort     one stable sort of the keys and an iota; the comparator goes through the keys, NaN
//                last, -0 = +0, and the permuted iota is the result
//   arg_reduce   one reduce of the elements and their row-major numbers: a NaN is before numbers,
//                then the extremum, of equals the lower number
// Needs: shapes of numbers, but for arg_sort's. Leaves: the value that the function returns.
#pragma once

#include <weft/stablehlo/export_shapes.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr int is_nan(module_writer& w, int x) { return compare(w, "NE", x, x); }
constexpr int is_not(module_writer& w, int x) { return unary(w, code::not_, x); }

// Does scalar a stand before b by one key?
constexpr int stands_before(module_writer& w, int a, int b, bool descending) {
  int const less = compare(w, descending ? "GT" : "LT", a, b);
  if (!is_float(w.element(a))) return less;
  int const a_number = is_not(w, is_nan(w, a));
  int const number_first = binary(w, code::and_, a_number, is_nan(w, b));
  return binary(w, code::or_, less, number_first);
}
constexpr int arg_sort_body(module_writer& w, view<int> keys, view<extent> node) {
  int const axis = static_cast<int>(node[0]), count = keys.size();
  extents const shape = w.shape(keys[0]);
  growing<int> all(keys);
  all.push(iota(w, dtype::i32, shape, axis));
  growing<typed_shape> results;
  for (int x : all) results.push({w.element(x), shape});
  w.open_region();
  growing<int> a, b;
  for (int x : all) {
    a.push(w.argument(w.element(x), {}));
    b.push(w.argument(w.element(x), {}));
  }
  int before = stands_before(w, a[count - 1], b[count - 1], has_axis(node[1], count - 1));
  for (int k = count - 2; k >= 0; --k) {
    int const first = stands_before(w, a[k], b[k], has_axis(node[1], k));
    int const behind = stands_before(w, b[k], a[k], has_axis(node[1], k));
    before = binary(w, code::or_, first, binary(w, code::and_, is_not(w, behind), before));
  }
  w.end(code::stablehlo_return, {&before, 1});
  int const comparator = w.close_region();
  attribute const how[] = {w.integer("dimension", axis), w.boolean("is_stable", true)};
  return w.emit(code::sort, all, results, {how, 2}, {&comparator, 1}) + count;
}

// The row-major number of each element over the reduced axes.
constexpr int element_numbers(module_writer& w, extents const& s, extent axes) {
  int sum = -1;
  extent step = 1;
  for (int i = s.rank - 1; i >= 0; --i) {
    if (!has_axis(axes, i)) continue;
    int part = iota(w, dtype::i32, s, i);
    if (step != 1)
      part = binary(w, code::multiply, part,
                    splat(w, dtype::i32, s, static_cast<std::uint32_t>(step)));
    sum = sum < 0 ? part : binary(w, code::add, sum, part);
    step *= s[i];
  }
  return sum;
}
constexpr int arg_reduce_region(module_writer& w, dtype d, bool smallest) {
  w.open_region();
  int const x = w.argument(d, {}), i = w.argument(dtype::i32, {}), y = w.argument(d, {}),
            j = w.argument(dtype::i32, {});
  int wins = compare(w, smallest ? "LT" : "GT", x, y), same = compare(w, "EQ", x, y);
  if (is_float(d)) {
    int const x_nan = is_nan(w, x), y_nan = is_nan(w, y);
    wins = binary(w, code::or_, wins, binary(w, code::and_, x_nan, is_not(w, y_nan)));
    same = binary(w, code::or_, same, binary(w, code::and_, x_nan, y_nan));
  }
  int const first = binary(w, code::and_, same, compare(w, "LT", i, j));
  int const take = binary(w, code::or_, wins, first);
  int const results[] = {select(w, take, x, y), select(w, take, i, j)};
  w.end(code::stablehlo_return, {results, 2});
  return w.close_region();
}
constexpr int arg_reduce_body(module_writer& w, int x, view<extent> node, extents const& to) {
  dtype const d = w.element(x);
  bool const smallest = node[1] != 0;
  int const body = arg_reduce_region(w, d, smallest);
  int const all[] = {x, element_numbers(w, w.shape(x), node[0]),
                     scalar(w, d, smallest ? highest_bits(d) : lowest_bits(d)),
                     scalar_i32(w, 0x7fffffff)};
  typed_shape const results[] = {{d, to}, {dtype::i32, to}};
  attribute const over = w.integers("dimensions", axes_of(node[0]));
  return w.emit(code::reduce, {all, 4}, {results, 2}, {&over, 1}, {&body, 1}) + 1;
}

} // namespace weft::inline v0::stablehlo::detail

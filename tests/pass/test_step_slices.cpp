// SPDX-License-Identifier: BSL-1.0
// Loops that take slice i, or put it somewhere, in step i are scans over slices, with the same bits;
// what only looks like one stays as it is.
#include "support/meaning.hpp"

#include <weft/graph/handle_loop.hpp>
#include <weft/graph/verify.hpp>
#include <weft/pass/dce.hpp>
#include <weft/pass/step_slices.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

// for i in 0 ... length - 1: h = h * 3 + a[at(i)]; out[to(i)] = h, as a while that counts is
// recorded. Integers, so that any slip shows.
struct counted {
  extent length = 5, rows = 5, sign = 1, offset = 0; // at(i) = sign * i + offset
  extent first = 0;                                  // what i starts at
  bool reads_out = false;                            // h takes out[0], too
  bool gives_y = false;                              // each h is a y, too

  constexpr handle place(recorder& r, handle i) const {
    auto const number = [&](extent n) {
      return constant(r, static_cast<double>(n), dtype::i32, {});
    };
    if (sign > 0) return offset == 0 ? i : i + number(offset);
    return (number(offset + 1) - i) - number(1);
  }
  constexpr graph make() const {
    recorder r;
    extents const whole{2, {rows, 2}}, line{1, {2}}, slice{2, {1, 2}};
    handle const a = r.input(dtype::i32, whole, {0, 0, false});
    handle const filled = r.input(dtype::i32, whole, {1, 0, false});
    handle const zero = constant(r, 0, dtype::i32, {}), start = constant(r, 1, dtype::i32, line);
    handle const steps = iota(r, dtype::i32, {1, {length}}, 0) +
                         constant(r, static_cast<double>(first), dtype::i32, {1, {length}});
    growing<handle> operands;
    for (handle h : {start, filled, steps}) operands.push(r.localised(h));
    int const body = r.begin_body();
    handle const h = r.parameter(dtype::i32, line), out = r.parameter(dtype::i32, whole);
    handle const i = r.parameter(dtype::i32, {}), at = place(r, i);
    handle const from[] = {at, zero}, none[] = {zero, zero};
    handle next = h * constant(r, 3, dtype::i32, line) +
                  reshape(dynamic_slice(a, slice, {from, 2}), line);
    if (reads_out) next = next + reshape(dynamic_slice(out, slice, {none, 2}), line);
    handle const outputs[] = {next, dynamic_update_slice(out, reshape(next, slice), {from, 2}),
                              next};
    operands.append(r.end_body(body, {outputs, gives_y ? 3 : 2}));
    loop const l{.carries = 2, .xs = 1, .ys = gives_y ? 1 : 0, .length = length};
    r.finish(weft::detail::record_loop(r, body, l, operands));
    return dce(r.result);
  }
};
constexpr loop only_loop(graph_view g) {
  for (int i = 0; i < g.size(); ++i)
    if (g[i].code == op::scan) return loop_of(g, i);
  return {};
}
constexpr bool is_over_slices(counted const& c, bool reverse) {
  graph const g = dce(step_slices(c.make()));
  loop const l = only_loop(g);
  return !verify(g) && l.carries == 1 && l.xs == 1 && l.ys == 1 && l.reverse == reverse;
}
constexpr bool is_as_it_was(counted const& c) {
  graph const g = dce(step_slices(c.make()));
  loop const l = only_loop(g);
  return !verify(g) && l.carries == 2 && l.xs == 1 && l.ys == 0 && !l.reverse;
}

static_assert(is_over_slices({}, false));
static_assert(is_over_slices({.sign = -1, .offset = 4}, true));
static_assert(is_over_slices({.offset = -2, .first = 2}, false));
static_assert(is_as_it_was({.length = 4}));             // a row is left
static_assert(is_as_it_was({.rows = 4}));               // the last step is clamped
static_assert(is_as_it_was({.offset = 1}));             // one late, and clamped
static_assert(is_as_it_was({.sign = -1, .offset = 3})); // one early
static_assert(is_as_it_was({.first = 1}));              // counts from 1
// The array that is read stays a carry; what is read besides is an x.
static_assert([] {
  loop const l = only_loop(dce(step_slices(counted{.reads_out = true}.make())));
  return l.carries == 2 && l.xs == 2 && l.ys == 0;
}());

// What it gave already stays in its order.
static_assert([] {
  loop const l = only_loop(
      dce(step_slices(counted{.sign = -1, .offset = 4, .gives_y = true}.make())));
  return l.carries == 1 && l.xs == 1 && l.ys == 2 && l.reverse;
}());

void check_bits(counted const& c) {
  graph const g = c.make();
  growing<dense> inputs;
  for (int k = 0; k < 2; ++k) {
    dense x(dtype::i32, {2, {c.rows, 2}});
    for (int i = 0; i < 2 * c.rows; ++i) x[i] = static_cast<word>(7 * i * i + 100 * k + 1);
    inputs.push(x);
  }
  auto const expected = test::meaning_of(g, inputs);
  auto const found = test::meaning_of(dce(step_slices(g)), inputs);
  ASSERT_EQ(found.size(), c.gives_y ? 3 : 2);
  for (int k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k].size(), expected[k].size());
    for (int i = 0; i < found[k].size(); ++i) EXPECT_EQ(found[k][i], expected[k][i]) << k << i;
  }
}
TEST(step_slices, leaves_the_bits) {
  for (extent const first : {0, 1, 2})
    for (extent const rows : {4, 5, 6})
      for (extent const offset : {-2, -1, 0, 1, 3, 4, 5})
        for (extent const sign : {1, -1})
          for (int const how : {0, 1, 2, 3})
            check_bits({.rows = rows,
                        .sign = sign,
                        .offset = offset,
                        .first = first,
                        .reads_out = how % 2 != 0,
                        .gives_y = how / 2 != 0});
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// Depthwise convolutions and their derivatives (pass/depthwise_form.hpp), x read where it lies: by
// lines of results where steps are few (cpu/depthwise_lines.hpp), by taps where steps are lines of
// places, maybe of some images (cpu/depthwise_taps.hpp), else by rows (cpu/depthwise_rows.hpp).
// Needs: elements of the type of the sums; arrays as of the form's phase, a at x's first element.
// Leaves: the bits of graph/convolution.hpp; nothing outside of the arrays is read. No scratch.
#pragma once

#include <weft/cpu/depthwise_lines.hpp>
#include <weft/cpu/depthwise_rows.hpp>
#include <weft/cpu/depthwise_taps.hpp>
#include <weft/cpu/executor.hpp>

namespace weft::inline v0 {
namespace detail {

// The whole phase: tasks are blocks of rows, of whole lines where these are enough, or of packs
// where there are few rows.
template <class Target, class Sum, class Out, class Bias, class Executor>
void convolve_depthwise(depthwise_form const& form, product_call<Sum, Sum, Out, Bias> const& arrays,
                        Executor& executor) {
  using by_row_kernel = depthwise_rows<Target, Sum, Out, Bias>;
  using by_tap_kernel = depthwise_taps<Target, Sum, Out, Bias>;
  using by_line_kernel = depthwise_lines<Target, Sum, Out, Bias>;
  product_axes outer = form.channels;
  --outer.rank;
  extent const n = form.channels.inner().size, m = form.rows.count(), others = outer.count();
  line_groups const groups(form);
  bool const by_taps = !groups.fit() && by_tap_kernel::fits(form);
  extent const sums = others * n * m * form.steps.count();
  // By taps threads read the same lines, each a part: of little work that takes longer.
  bool const alone = executor.threads() == 1 || sums < 1 << 16 ||
                     (by_taps && cpu::threads_for(executor, sums) == 1);
  extent const parts = alone ? 1 : 4 * executor.threads();
  extent const blocks = share_count(m, by_row_kernel::most_rows),
               packs = share_count(n, by_row_kernel::lanes);
  extent const line = form.rows.inner().size * (groups.together.count > 0 ? 2 : 1),
               whole = groups.fit() && m >= parts * line ? line : 1;
  extent const by_rows = blocks < parts ? blocks : parts;
  extent const by_packs = by_rows >= parts / 2 ? 1 : packs < parts ? packs : parts;
  executor.parallel_for(static_cast<int>(others * by_rows * by_packs), [&](int task, int) {
    extent const row = task % by_rows, pack = task / by_rows % by_packs,
                 other = task / (by_rows * by_packs);
    auto const border = [&](extent r) {
      return r == by_rows ? m : m / whole * r / by_rows * whole;
    };
    extent const i = border(row), j = packs * pack / by_packs * by_row_kernel::lanes,
                 j_end = packs * (pack + 1) / by_packs * by_row_kernel::lanes;
    extent const rows = border(row + 1) - i, channels = (j_end < n ? j_end : n) - j;
    auto const at = arrays.at(outer.at(other));
    if (groups.fit()) by_line_kernel(form, groups, at).run(i, rows, j, channels);
    else if (by_taps) by_tap_kernel(form, at).run(i, rows, j, channels);
    else by_row_kernel(form, at).run(i, rows, j, channels);
  });
}

} // namespace detail
} // namespace weft::inline v0

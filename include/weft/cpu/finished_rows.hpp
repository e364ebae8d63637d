// SPDX-License-Identifier: BSL-1.0
// What a kernel of depthwise convolutions tells of its results: rows of the channels in hand, all of
// whose steps are summed, some thousand elements at a time.
//   finished_rows finished(form, after, i, m, j, n);  finished.add(rows)     // in the order of rows
// Needs: rows [i, i + m) of channels [j, j + n), one block at a time; `after` of the arrays that the
// kernel has. Leaves: each element told once, by the worker that wrote it, in as few parts as out's
// strides allow.
#pragma once

#include <weft/cpu/finished_part.hpp>
#include <weft/pass/depthwise_form.hpp>

namespace weft::inline v0 {
namespace detail {

class finished_rows {
public:
  finished_rows(depthwise_form const& form, cpu::epilogue_ref const& after, extent i, extent m,
                extent j, extent n)
      : after_(after), row_(form.rows, i), step_(form.rows.inner().stride.out), left_(m),
        channel_(j), channels_(n) {}

  // The next ones are finished.
  void add(extent rows) {
    if (!after_) return;
    waiting_ += rows;
    left_ -= rows;
    if (waiting_ * channels_ >= least_part || left_ == 0) tell();
  }

private:
  WEFT_NOINLINE void tell() {
    cpu::finished_part part{first(), channels_, 0, step_};
    for (extent run; waiting_ > 0; waiting_ -= run) {
      run = row_.run(waiting_);
      if (first() != part.first + part.lines * step_) {
        after_(part);
        part = {first(), channels_, 0, step_};
      }
      part.lines += run;
      row_.advance(run);
    }
    if (part.lines > 0) after_(part);
  }
  extent first() const { return row_.place().at.out + channel_; }

  cpu::epilogue_ref const& after_;
  windowed_walk row_; // the first that nobody was told of
  extent step_, left_, waiting_ = 0, channel_, channels_;
};

// Is each row worth a call, or do rows follow each other?
inline bool has_long_rows(depthwise_form const& form) {
  extent const row = form.channels.inner().size;
  return row >= worth_a_call || (form.rows.rank > 0 && form.rows.inner().stride.out == row);
}

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// In which order a line of a depthwise convolution's results (cpu/depthwise_lines.hpp) reads x. Taps
// next to each other read the same elements (where a window moves by one): a group of up to three
// loads each once. Two neighbouring lines that read the same lines of x do so together.
//   line_groups groups(form);     groups.fit()     groups.together   // what two lines read
// Leaves: for each of the lines, its groups in the order of the chain.
#pragma once

#include <weft/pass/depthwise_form.hpp>

namespace weft::inline v0 {
namespace detail {

// So many consecutive steps, each of which reads one place further than the one before.
struct step_group {
  int taps;
  windowed_place place;
};
// The groups of the first line and of the second that read one place of x; or -1.
struct line_step {
  int first, second;
};

struct line_groups {
  static constexpr int most = 64, most_taps = 3;
  static constexpr extent least_line = 4; // shorter ones leave tiles empty
  int count = 0;
  bool mirrored = false; // places in the descending order, in which taps go
  extent tap_stride = 0; // of w, within a group
  step_group group[most];
  struct {
    int count = 0; // none if two lines have too little in common
    line_step step[2 * most];
  } together;
  bool later_first = false; // the first of two lines is the later one

  explicit line_groups(depthwise_form const& form) {
    windowed_axis const line = form.rows.inner(), taps = form.steps.inner();
    bool const slides = line.window >= 0 && line.window == taps.window;
    mirrored = slides && taps.step == -line.step;
    extent const run_limit = slides && (taps.step == line.step || mirrored) ? most_taps : 1;
    extent const steps = form.steps.count();
    fits_ = line.size >= least_line;
    tap_stride = taps.stride.b;
    windowed_walk walk(form.steps, 0);
    for (extent k = 0, run; k < steps && fits_; k += run) {
      run = walk.run(run_limit);
      fits_ = count < most;
      if (fits_) group[count++] = {static_cast<int>(run), walk.place()};
      walk.advance(run);
    }
    if (fits_ && form.rows.rank > 1) find_pairs(form.rows.d[form.rows.rank - 2]);
  }
  bool fit() const { return fits_; }

private:
  void find_pairs(windowed_axis const& next) {
    for (bool const later : {false, true}) {
      later_first = later;
      to_second_ = later ? windowed_axis{next.size, next.stride * -1, next.window, -next.step}
                         : next;
      int behind = 1; // groups that the second line is behind the first
      while (behind < count && !same(behind, 0)) ++behind;
      if (behind < count && shared(behind) * 2 >= count) return;
    }
    together.count = 0;
  }
  // Of each line its groups in order; returns how many pairs read one place.
  int shared(int behind) {
    int i = 0, j = 0, pairs = 0;
    together.count = 0;
    while (i < count || j < count) {
      line_step& s = together.step[together.count++];
      bool const both = i < count && j < count && same(i, j);
      bool const first = both || (i < count && (i - j < behind || j == count));
      s = {first ? i++ : -1, both || !first ? j++ : -1};
      pairs += both ? 1 : 0;
    }
    return pairs;
  }
  // Does group i of the first line read what group j of the second does?
  bool same(int i, int j) const {
    windowed_place const &a = group[i].place, &b = group[j].place;
    bool equal = group[i].taps == group[j].taps && a.at.a == b.at.a + to_second_.stride.a;
    for (int v = 0; v < max_rank; ++v)
      equal &= a.in[v] == b.in[v] + (v == to_second_.window ? to_second_.step : 0);
    return equal;
  }

  bool fits_ = false;
  windowed_axis to_second_; // from the first of two lines to the second
};

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// exchanges_under_way: which collectives of a run are started and not finished, and where they are.
// Needs: where they may be (pass/overlap.hpp). Leaves: every collective finished before the first
// step that reads it, and before the end of its region; all of them finished or given up when a run
// ends. Runs inside of a run, by functions of the host's, may finish some of its.
// Errors: usage_error where such a run gave them up, and its error did not end this one.
#pragma once

#include <weft/cpu/rank_group.hpp>
#include <weft/pass/overlap.hpp>

namespace weft::inline v0 {
namespace cpu {

class exchanges_under_way {
public:
  exchanges_under_way() = default;
  exchanges_under_way(graph_view g, schedule_view plan, growing<int> before)
      : before_(std::move(before)) {
    for (int s = 0; s < before_.size(); ++s) any_ = any_ || before_[s] >= 0;
    if (!any_) return;
    number_.assign(before_.size(), 0);
    due_.assign(before_.size(), -1);
    due_at_end_.assign(g.regions.size(), -1);
    for (int s = 0; s < before_.size(); ++s) {
      if (before_[s] < 0) continue;
      int const region = plan.steps[s].region;
      (before_[s] == plan.first_step[region + 1] ? due_at_end_[region] : due_[before_[s]]) = s;
    }
  }
  // Has the program any?
  bool any() const { return any_; }
  view<int> before() const { return before_; }

  // Step s has run.
  void has_started(int s, rank_group* others) {
    if (before_[s] < 0) return;
    expect_kept(others);
    number_[s] = started_ = others->started();
  }
  // Step s is about to run.
  void expect_read_by(int s, rank_group* others) {
    if (due_[s] >= 0) finish(number_[due_[s]], others);
    if (finished_ < started_) others->progress();
  }
  void expect_end_of(int region, rank_group* others) {
    if (region == 0) finish(started_, others);
    else if (due_at_end_[region] >= 0) finish(number_[due_at_end_[region]], others);
  }
  // A run: what is under way when it ends with an exception is given up.
  class scope {
  public:
    scope(exchanges_under_way& of, rank_group* others) : of_(of), others_(others) {
      // Another group than that of the run before counts for itself.
      if (of.any_ && others != nullptr) of.finished_ = of.started_ = others->started();
    }
    scope(scope const&) = delete;
    scope& operator=(scope const&) = delete;
    ~scope() {
      if (of_.finished_ < of_.started_ && others_ != nullptr) others_->abandon();
      of_.finished_ = of_.started_;
    }

  private:
    exchanges_under_way& of_;
    rank_group* others_;
  };

private:
  // What is given up is all that is under way, of every run: numbers grow, so what was given up
  // before this run is below what it has started.
  void expect_kept(rank_group* others) const {
    if (finished_ < started_ && others->given_up() >= started_)
      raise<usage_error>(
          "weft: a run inside of this one ended with an error, and gave up what this "
          "one had exchanged with other ranks; let the error end this run, too");
  }
  // This one, and all that were started before.
  void finish(std::int64_t number, rank_group* others) {
    if (finished_ >= number) return;
    expect_kept(others);
    others->finish(number);
    finished_ = number;
  }

  bool any_ = false;
  growing<int> before_;
  growing<int> due_;             // per step: the last of the collectives that it waits for, or -1
  growing<int> due_at_end_;      // the same per region
  growing<std::int64_t> number_; // per step: of its last start
  std::int64_t started_ = 0, finished_ = 0; // the last of this program's, by the group's numbers
};

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// interpret_ranks: all ranks of a program in one process, each a thread that interprets the graph;
// they meet at its collectives.
//   auto outputs = testing::interpret_ranks(g, inputs); // inputs[r], outputs[r]: rank r's
// Needs: a graph that verify accepts. Leaves: what each rank computes.
// Errors: what interpret raises, from the first rank that raised it; usage_error where ranks come to
// different collectives, or one ends while others wait; shape_error where their arrays differ.
#pragma once

#include <weft/graph/interpret.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::inline v0::testing {
namespace detail {

// Where the ranks of one run exchange values, all of them at each collective.
class rank_meeting {
public:
  explicit rank_meeting(int ranks) : values_(static_cast<unsigned>(ranks)) {}

  growing<dense> all(int rank, collective const& c, dense const& mine) {
    std::unique_lock lock(mutex_);
    growing<extent> const meaning = encode(c);
    if (arrived_ == 0) {
      meaning_ = meaning;
      shape_ = mine.shape;
    }
    if (gone_ > 0 || !(view<extent>(meaning_) == view<extent>(meaning))) broken_ = true;
    else if (!broken_ && !(shape_ == mine.shape)) {
      broken_ = shapes_differ_ = true;
      other_shape_ = mine.shape;
    }
    values_[static_cast<unsigned>(rank)] = mine;
    long const round = round_;
    if (++arrived_ == static_cast<int>(values_.size())) open();
    changed_.wait(lock, [&] { return round_ != round || broken_; });
    if (round_ == round && shapes_differ_) raise_shapes(c);
    if (round_ == round) raise_apart();
    growing<dense> result;
    for (dense const& x : round % 2 == 0 ? even_ : odd_) result.push(x);
    return result;
  }
  // This rank comes to no further collective.
  void leave(bool failed) {
    std::lock_guard const lock(mutex_);
    if (failed || arrived_ > 0) broken_ = true;
    ++gone_;
    changed_.notify_all();
  }

private:
  void open() {
    if (broken_) return changed_.notify_all();
    (round_ % 2 == 0 ? even_ : odd_) = values_; // who is late reads the round before
    arrived_ = 0;
    ++round_;
    changed_.notify_all();
  }
  [[noreturn]] static void raise_apart() {
    raise<usage_error>("weft: ranks come to different collectives, or not all of them to this one; "
                       "let conditions of loops and branches agree");
  }

  [[noreturn]] void raise_shapes(collective const& c) const {
    raise<shape_error>(message("weft: ")
                           .add(name_of(c.kind))
                           .add(": ranks give arrays of ")
                           .add(shape_)
                           .add(" and of ")
                           .add(other_shape_)
                           .add("; a name has one extent on all ranks"));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<dense> values_, even_, odd_;
  growing<extent> meaning_;
  extents shape_, other_shape_;
  int arrived_ = 0, gone_ = 0;
  long round_ = 0;
  bool broken_ = false, shapes_differ_ = false;
};

class rank_place final : public rank_exchange {
public:
  rank_place(rank_meeting& where, int rank, int world)
      : where_(where), rank_(rank), world_(world) {}
  extent rank() const override { return rank_; }
  extent world() const override { return world_; }
  growing<dense> all(collective const& c, dense const& mine) override {
    return where_.all(rank_, c, mine);
  }

private:
  rank_meeting& where_;
  int rank_, world_;
};

} // namespace detail

inline std::vector<growing<dense>> interpret_ranks(graph_view g,
                                                   std::vector<growing<dense>> const& inputs) {
  int const world = static_cast<int>(inputs.size());
  detail::rank_meeting meeting(world);
  std::vector<growing<dense>> outputs(inputs.size());
  std::exception_ptr first;
  [[maybe_unused]] std::mutex only_one; // used where exceptions are on
  std::vector<std::thread> threads;
  threads.reserve(inputs.size());
  for (int r = 0; r < world; ++r)
    threads.emplace_back([&, r] {
      detail::rank_place place(meeting, r, world);
      auto const at = static_cast<unsigned>(r);
#if WEFT_EXCEPTIONS
      try {
        outputs[at] = interpret(g, inputs[at], &place);
        meeting.leave(false);
      } catch (...) {
        {
          std::lock_guard const lock(only_one);
          if (!first) first = std::current_exception();
        }
        meeting.leave(true);
      }
#else // raise ends the process
      outputs[at] = interpret(g, inputs[at], &place);
      meeting.leave(false);
#endif
    });
  for (std::thread& t : threads) t.join();
#if WEFT_EXCEPTIONS
  if (first) std::rethrow_exception(first);
#endif
  return outputs;
}

} // namespace weft::inline v0::testing

// SPDX-License-Identifier: BSL-1.0
// rank_threads: ranks that are threads of this process, each with a rank_transport to the others.
//   on_rank_threads(4, [&](rank_transport& others) { results[others.rank()] = ...; });
// Leaves: every rank's function has returned. Errors: what a function threw, from the first rank that
// threw; usage_error where ranks come to different collectives, or one ends while others wait for it;
// shape_error where their arrays differ.
#pragma once

#include <weft/graph/rank_transport.hpp>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::inline v0::testing {
namespace detail {

// Where the ranks of one run meet: a line per pair of ranks and round for the bytes on their way.
// Nothing is read or written but when its receiver finishes.
class rank_meeting {
public:
  explicit rank_meeting(extent ranks)
      : ranks_(static_cast<std::size_t>(ranks)), lines_(2 * ranks_ * ranks_), at_(ranks_),
        under_way_(ranks_) {}

  int start(extent rank, rank_call const& call, view<given_bytes> gives, view<taken_bytes> takes) {
    std::lock_guard const lock(mutex_);
    std::vector<exchange>& mine = under_way_[index(rank)];
    mine.push_back(
        {call.what, call.type, call.shape, call.round, {}, {takes.begin(), takes.end()}});
    for (given_bytes const& g : gives) {
      line& l = line_of(rank, g.to_rank, call.round);
      l.parcels.push_back({g.memory, g.bytes, encode(call.what), call.type, call.shape});
      mine.back().gives.push_back({g.to_rank, ++l.given});
    }
    changed_.notify_all();
    return static_cast<int>(mine.size()) - 1;
  }
  void finish(extent rank, int number) {
    std::unique_lock lock(mutex_);
    exchange const e = under_way_[index(rank)][static_cast<std::size_t>(number)];
    growing<extent> const meaning = encode(e.what);
    for (taken_bytes const& t : e.takes) {
      line& l = line_of(t.from_rank, rank, e.round);
      wait(lock, rank, {t.from_rank, &l.given, l.taken + 1});
      expect_same(rank, t, l.parcels.front(), meaning, e);
      parcel const& p = l.parcels.front();
      if (p.bytes > 0) std::memcpy(t.memory, p.memory, static_cast<std::size_t>(p.bytes));
      l.parcels.pop_front();
      ++l.taken;
      changed_.notify_all();
    }
    for (given const& g : e.gives)
      wait(lock, rank, {g.to_rank, &line_of(rank, g.to_rank, e.round).taken, g.number});
    std::vector<exchange>& mine = under_way_[index(rank)];
    mine[static_cast<std::size_t>(number)].done = true;
    while (!mine.empty() && mine.back().done) mine.pop_back();
  }
  // What this rank has given is about to go.
  void abandon(extent rank) {
    std::lock_guard const lock(mutex_);
    if (!under_way_[index(rank)].empty()) {
      broken_ = true;
      has_thrown(rank);
    }
    under_way_[index(rank)].clear();
    changed_.notify_all();
  }
  // This rank's function throws. The first that does is the one to blame: others throw because of it.
  void throws(extent rank) {
    std::lock_guard const lock(mutex_);
    has_thrown(rank);
  }
  extent first_to_throw() const { return first_to_throw_; } // of ranks that have ended; -1: none
  // This rank comes to no further collective.
  void leave(extent rank) {
    std::lock_guard const lock(mutex_);
    at_[index(rank)].state = gone;
    if (stuck()) broken_ = true;
    changed_.notify_all();
  }

private:
  struct parcel {
    void const* memory = nullptr;
    extent bytes = 0;
    growing<extent> meaning;
    dtype type{};
    extents shape;
  };
  struct line {
    std::deque<parcel> parcels;
    extent given = 0, taken = 0; // so far
  };
  struct given {
    extent to_rank;
    extent number; // in its line
  };
  struct exchange {
    collective what;
    dtype type;
    extents shape;
    int round;
    std::vector<given> gives;
    std::vector<taken_bytes> takes;
    bool done = false;
  };
  // What a rank waits for: that the other has come to this number.
  struct awaited {
    extent other = 0;
    extent const* count = nullptr;
    extent number = 0;

    bool is_there() const { return *count >= number; }
  };
  enum rank_state { runs, waits, gone };
  struct rank_stand {
    rank_state state = runs;
    awaited what; // while it waits
  };
  static std::size_t index(extent rank) { return static_cast<std::size_t>(rank); }
  void has_thrown(extent rank) {
    if (first_to_throw_ < 0) first_to_throw_ = rank;
  }
  line& line_of(extent from, extent to, int round) {
    return lines_[(index(from) * ranks_ + index(to)) * 2 + static_cast<std::size_t>(round)];
  }

  void wait(std::unique_lock<std::mutex>& lock, extent rank, awaited const& what) {
    at_[index(rank)] = {waits, what};
    if (stuck()) broken_ = true, changed_.notify_all();
    changed_.wait(
        lock, [&] { return what.is_there() || broken_ || at_[index(what.other)].state == gone; });
    at_[index(rank)].state = runs;
    if (!broken_ && what.is_there()) return;
    broken_ = true; // what this rank gives is about to go
    changed_.notify_all();
    if (shapes_differ_.size() > 0) raise<shape_error>(shapes_differ_);
    raise_apart();
  }
  // Does every rank that is there wait for what nobody will do?
  bool stuck() const {
    bool any = false;
    for (rank_stand const& s : at_) {
      if (s.state == runs || (s.state == waits && s.what.is_there())) return false;
      any = any || s.state == waits;
    }
    return any;
  }
  void expect_same(extent rank, taken_bytes const& t, parcel const& p,
                   growing<extent> const& meaning, exchange const& e) {
    bool const same = view<extent>(p.meaning) == view<extent>(meaning) && p.type == e.type;
    if (same && p.shape == e.shape && p.bytes == t.bytes) return;
    broken_ = true;
    changed_.notify_all();
    if (!same || p.shape == e.shape) raise_apart();
    shapes_differ_ = message("weft: ")
                         .add(name_of(e.what.kind))
                         .add(": ranks give arrays of ")
                         .add(rank < t.from_rank ? e.shape : p.shape)
                         .add(" and of ")
                         .add(rank < t.from_rank ? p.shape : e.shape)
                         .add("; a name has one extent on all ranks");
    raise<shape_error>(shapes_differ_);
  }
  [[noreturn]] static void raise_apart() {
    raise<usage_error>("weft: ranks come to different collectives, or not all of them to this one; "
                       "let conditions of loops and branches agree");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t ranks_;
  std::vector<line> lines_; // by sender, receiver and round
  std::vector<rank_stand> at_;
  std::vector<std::vector<exchange>> under_way_; // by rank
  bool broken_ = false;
  message shapes_differ_; // where they do: what all who wait are told, wherever they are
  extent first_to_throw_ = -1;
};

class rank_thread final : public rank_transport {
public:
  rank_thread(rank_meeting& where, extent rank, extent world)
      : where_(where), rank_(rank), world_(world) {}
  extent rank() const override { return rank_; }
  extent world() const override { return world_; }
  int start(rank_call const& at, view<given_bytes> gives, view<taken_bytes> takes) override {
    return where_.start(rank_, at, gives, takes);
  }
  void finish(int number) override { where_.finish(rank_, number); }
  void abandon() noexcept override { where_.abandon(rank_); }

private:
  rank_meeting& where_;
  extent rank_, world_;
};

} // namespace detail

template <class F> void on_rank_threads(int world, F const& f) {
  detail::rank_meeting meeting(world);
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(world));
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(world));
  for (int r = 0; r < world; ++r)
    threads.emplace_back([&, r] {
      detail::rank_thread here(meeting, r, world);
#if WEFT_EXCEPTIONS
      try {
        f(here);
      } catch (...) {
        thrown[static_cast<std::size_t>(r)] = std::current_exception();
        meeting.throws(r);
      }
#else // raise ends the process
      f(here);
#endif
      meeting.leave(r);
    });
  for (std::thread& t : threads) t.join();
#if WEFT_EXCEPTIONS
  // The first to blame may have caught its own.
  if (extent const r = meeting.first_to_throw(); r >= 0 && thrown[static_cast<std::size_t>(r)])
    std::rethrow_exception(thrown[static_cast<std::size_t>(r)]);
  for (std::exception_ptr const& e : thrown)
    if (e) std::rethrow_exception(e);
#endif
}

} // namespace weft::inline v0::testing

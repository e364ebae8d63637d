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
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::inline v0::testing {
namespace detail {

// Where the ranks of one run meet: a place per pair of ranks for the bytes on their way.
class rank_meeting {
public:
  explicit rank_meeting(extent ranks)
      : ranks_(static_cast<std::size_t>(ranks)), places_(ranks_ * ranks_), at_(ranks_) {}

  void exchange(extent rank, rank_call const& call, view<given_bytes> gives,
                view<taken_bytes> takes) {
    std::unique_lock lock(mutex_);
    growing<extent> const meaning = encode(call.what);
    for (given_bytes const& g : gives) {
      parcel& p = place(rank, g.to_rank);
      p = {g.memory, g.bytes, meaning, call.type, call.shape, true};
    }
    changed_.notify_all();
    for (taken_bytes const& t : takes) {
      parcel& p = place(t.from_rank, rank);
      wait(lock, rank, t.from_rank, p, true, call);
      expect_same(rank, t, p, meaning, call);
      if (p.bytes > 0) std::memcpy(t.memory, p.memory, static_cast<std::size_t>(p.bytes));
      p.full = false;
      changed_.notify_all();
    }
    for (given_bytes const& g : gives)
      wait(lock, rank, g.to_rank, place(rank, g.to_rank), false, call);
  }
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
    bool full = false;
  };
  enum rank_state { runs, waits, gone };
  struct rank_stand {
    rank_state state = runs;
    extent other = 0;             // while it waits: for whom,
    parcel const* what = nullptr; // for what,
    bool full = false;            // to be full or empty
  };
  static std::size_t index(extent rank) { return static_cast<std::size_t>(rank); }
  parcel& place(extent from, extent to) { return places_[index(from) * ranks_ + index(to)]; }

  void wait(std::unique_lock<std::mutex>& lock, extent rank, extent other, parcel const& p,
            bool full, rank_call const& call) {
    at_[index(rank)] = {waits, other, &p, full};
    if (stuck()) broken_ = true, changed_.notify_all();
    changed_.wait(lock,
                  [&] { return p.full == full || broken_ || at_[index(other)].state == gone; });
    at_[index(rank)].state = runs;
    if (!broken_ && p.full == full) return;
    broken_ = true; // what this rank gives is about to go
    changed_.notify_all();
    if (shapes_differ_) raise_shapes(call);
    raise_apart();
  }
  // Does every rank that is there wait for what nobody will do?
  bool stuck() const {
    bool any = false;
    for (rank_stand const& s : at_) {
      if (s.state == runs || (s.state == waits && s.what->full == s.full)) return false;
      any = any || s.state == waits;
    }
    return any;
  }
  void expect_same(extent rank, taken_bytes const& t, parcel const& p,
                   growing<extent> const& meaning, rank_call const& call) {
    bool const same = view<extent>(p.meaning) == view<extent>(meaning) && p.type == call.type;
    if (same && p.shape == call.shape && p.bytes == t.bytes) return;
    broken_ = true;
    changed_.notify_all();
    if (!same || p.shape == call.shape) raise_apart();
    shapes_differ_ = true;
    shapes_[0] = rank < t.from_rank ? call.shape : p.shape;
    shapes_[1] = rank < t.from_rank ? p.shape : call.shape;
    raise_shapes(call);
  }
  [[noreturn]] static void raise_apart() {
    raise<usage_error>("weft: ranks come to different collectives, or not all of them to this one; "
                       "let conditions of loops and branches agree");
  }
  [[noreturn]] void raise_shapes(rank_call const& call) const {
    raise<shape_error>(message("weft: ")
                           .add(name_of(call.what.kind))
                           .add(": ranks give arrays of ")
                           .add(shapes_[0])
                           .add(" and of ")
                           .add(shapes_[1])
                           .add("; a name has one extent on all ranks"));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t ranks_;
  std::vector<parcel> places_; // from * ranks + to
  std::vector<rank_stand> at_;
  extents shapes_[2];
  bool broken_ = false, shapes_differ_ = false;
};

class rank_thread final : public rank_transport {
public:
  rank_thread(rank_meeting& where, extent rank, extent world)
      : where_(where), rank_(rank), world_(world) {}
  extent rank() const override { return rank_; }
  extent world() const override { return world_; }
  void exchange(rank_call const& at, view<given_bytes> gives, view<taken_bytes> takes) override {
    where_.exchange(rank_, at, gives, takes);
  }

private:
  rank_meeting& where_;
  extent rank_, world_;
};

} // namespace detail

template <class F> void on_rank_threads(int world, F const& f) {
  detail::rank_meeting meeting(world);
  std::exception_ptr first;
  [[maybe_unused]] std::mutex only_one; // used where exceptions are on
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(world));
  for (int r = 0; r < world; ++r)
    threads.emplace_back([&, r] {
      detail::rank_thread here(meeting, r, world);
#if WEFT_EXCEPTIONS
      try {
        f(here);
      } catch (...) {
        std::lock_guard const lock(only_one);
        if (!first) first = std::current_exception();
      }
#else // raise ends the process
      f(here);
#endif
      meeting.leave(r);
    });
  for (std::thread& t : threads) t.join();
#if WEFT_EXCEPTIONS
  if (first) std::rethrow_exception(first);
#endif
}

} // namespace weft::inline v0::testing

// SPDX-License-Identifier: BSL-1.0
// rank_transport: how one rank of a program gives bytes to the others and gets theirs. Threads of one
// process (testing/rank_threads.hpp) and processes under MPI (mpi/transport.hpp) are two of them; the
// interpreter and the CPU engine make every collective out of exchanges, which are started and
// finished: several may be under way.
// Leaves: which ranks give to which, `each_giver` and `each_getter`, the same for all of them.
#pragma once

#include <weft/graph/collective.hpp>

namespace weft::inline v0 {

// What a rank came to, for texts and for the others to compare: ranks that exchange bytes are at the
// same collective, with arrays of one type and shape.
struct rank_call {
  collective const& what;
  dtype type{};
  extents shape;
  int node = -1; // of the program that runs; -1: not known
  int round = 0; // of the collective's exchanges: 0 or 1
};
struct given_bytes {
  extent to_rank = 0;
  void const* memory = nullptr;
  extent bytes = 0;
};
struct taken_bytes {
  extent from_rank = 0;
  void* memory = nullptr;
  extent bytes = 0;
};

class rank_transport {
public:
  virtual ~rank_transport() = default;
  virtual extent rank() const = 0;
  virtual extent world() const = 0;
  // Begins to give and take, at most one of each per other rank, and returns its number. Until that
  // is finished nobody writes what is given or uses what is taken, and at.what is there.
  virtual int start(rank_call const& at, view<given_bytes> gives, view<taken_bytes> takes) = 0;
  // Returns when all of it is done. Exchanges of one round are started in one order by all ranks,
  // and finished in that order; those of a second round may come between them anywhere.
  // Errors: where another rank is at another call, has ended, or does not come.
  virtual void finish(int number) = 0;
  // This rank gives up what it has started: its memory may go.
  virtual void abandon() noexcept = 0;
  // Moves on what is under way, without waiting.
  virtual void progress() {}

  void exchange(rank_call const& at, view<given_bytes> gives, view<taken_bytes> takes) {
    finish(start(at, gives, takes));
  }
};

namespace detail {

// f(r) for every other rank whose value `rank` gets.
template <class F> constexpr void each_giver(collective const& c, extent rank, F const& f) {
  int const first = c.group_of(rank);
  if (first < 0) return;
  bool const one = c.kind == collective_kind::permute || c.kind == collective_kind::broadcast;
  for (int i = 0; i < (one ? 1 : static_cast<int>(c.group)); ++i)
    if (c.ranks[first + i] != rank) f(c.ranks[first + i]);
}
// f(r) for every other rank that gets the value of `rank`.
template <class F> constexpr void each_getter(collective const& c, extent rank, F const& f) {
  if (c.kind == collective_kind::permute) {
    for (int i = 0; i + 1 < c.ranks.size(); i += 2)
      if (c.ranks[i] == rank && c.ranks[i + 1] != rank) f(c.ranks[i + 1]);
    return;
  }
  int const first = c.group_of(rank);
  if (first < 0 || (c.kind == collective_kind::broadcast && c.ranks[first] != rank)) return;
  for (int i = 0; i < c.group; ++i)
    if (c.ranks[first + i] != rank) f(c.ranks[first + i]);
}

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// failure_notices: what ranks tell each other of runs that failed. A run that failed on all ranks is
// each rank's own to handle; one that failed here and not there ends the session there: by the notice,
// or by the number of failures, which stands in every message (mpi/call_stamp.hpp).
#pragma once

#include <weft/core/error.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace weft::inline v0::mpi::detail {

struct failure_notice {
  std::int64_t call = 0; // that failed
  int rank = -1;         // whose
  message why;
};

class failure_notices {
public:
  explicit failure_notices(boost::mpi::communicator const& world)
      : world_(world, boost::mpi::comm_duplicate),
        sent_(static_cast<std::size_t>(world.size()), MPI_REQUEST_NULL) {
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    failed_.reserve(64);
    heard_.reserve(64);
  }
  // Of this rank's runs.
  std::int64_t count() const { return static_cast<std::int64_t>(failed_.size()); }

  // This rank's run has failed by itself.
  void tell(std::int64_t call, char const* why) {
    failed_.push_back(call);
    if (on_their_way_) return; // the last ones were taken by nobody
    mine_ = {call, world_.rank(), message(why)};
    for (int r = 0; r < world_.size(); ++r)
      if (r != world_.rank())
        MPI_Isend(&mine_, sizeof mine_, MPI_BYTE, r, tag, world_,
                  &sent_[static_cast<std::size_t>(r)]);
    on_their_way_ = true;
    auto const start = clock::now();
    while (on_their_way_ && clock::now() - start < std::chrono::seconds(1)) {
      int done = 0;
      MPI_Testall(world_.size(), sent_.data(), &done, MPI_STATUSES_IGNORE);
      on_their_way_ = done == 0;
    }
  }
  // Allocates nothing.
  void listen() {
    while (true) {
      if (heard_.size() == heard_.capacity()) drop_shared();
      if (heard_.size() == heard_.capacity()) return;
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, tag, world_, &there, &status);
      if (there == 0) return;
      failure_notice theirs;
      MPI_Recv(&theirs, sizeof theirs, MPI_BYTE, status.MPI_SOURCE, tag, world_, MPI_STATUS_IGNORE);
      heard_.push_back(theirs);
    }
  }
  // Another's failure up to this call, where this rank's run was right; null: none.
  failure_notice const* until(std::int64_t call) const {
    for (failure_notice const& theirs : heard_)
      if (theirs.call <= call && !is_shared(theirs)) return &theirs;
    return nullptr;
  }

private:
  using clock = std::chrono::steady_clock;
  static constexpr int tag = 7;

  bool is_shared(failure_notice const& theirs) const {
    return std::find(failed_.begin(), failed_.end(), theirs.call) != failed_.end();
  }
  void drop_shared() {
    heard_.erase(std::remove_if(heard_.begin(), heard_.end(),
                                [this](failure_notice const& n) { return is_shared(n); }),
                 heard_.end());
  }

  boost::mpi::communicator world_;
  failure_notice mine_; // sent
  std::vector<MPI_Request> sent_;
  bool on_their_way_ = false;
  std::vector<std::int64_t> failed_; // calls
  std::vector<failure_notice> heard_;
};

} // namespace weft::inline v0::mpi::detail

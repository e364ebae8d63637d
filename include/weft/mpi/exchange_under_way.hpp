// SPDX-License-Identifier: BSL-1.0
// exchange_under_way: the messages of one exchange of a rank, from their start until all are done.
// Leaves: what stands before the bytes, and what MPI calls need, in memory that stays where it is.
#pragma once

#include <weft/mpi/call_stamp.hpp>

#include <boost/mpi/config.hpp>

#include <vector>

namespace weft::inline v0::mpi::detail {

struct exchange_under_way {
  struct one_peer {
    int rank;
    extent bytes;
    std::int64_t turn; // of messages that way in this call
    bool done;
  };
  // Messages taken, then messages given.
  call_stamp at;
  collective const* what = nullptr;
  std::vector<call_stamp> stamps;
  std::vector<MPI_Request> requests;
  std::vector<MPI_Datatype> types;
  std::vector<one_peer> peers;
  int takes = 0, left = 0;
  bool in_use = false;

  exchange_under_way() = default;
  exchange_under_way(exchange_under_way const&) = delete;
  exchange_under_way& operator=(exchange_under_way const&) = delete;
  ~exchange_under_way() { free_types(); }

  bool is_taken(std::size_t i) const { return static_cast<int>(i) < takes; }
  // All that allocates.
  void reserve(call_stamp const& of, int taken, int given) {
    free_types();
    at = of;
    takes = taken;
    left = taken + given;
    auto const all = static_cast<std::size_t>(left);
    stamps.assign(all, at);
    requests.assign(all, MPI_REQUEST_NULL);
    types.assign(all, MPI_DATATYPE_NULL);
    peers.clear();
    peers.reserve(all);
  }
  // Null where the message has been started: those of one whose start threw.
  void free_types() {
    for (MPI_Datatype& type : types)
      if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  }
  void add_missing(message& m) const {
    int named = 0;
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (peers[i].done) continue;
      bool before = false;
      for (std::size_t k = 0; k < i; ++k)
        before = before || (!peers[k].done && peers[k].rank == peers[i].rank);
      if (before) continue;
      if (named++ == 8) return void(m.add(" ..."));
      m.add(" ").add(peers[i].rank);
    }
  }
  void cancel_taken() {
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (is_taken(i) && requests[i] != MPI_REQUEST_NULL) MPI_Cancel(&requests[i]);
  }
  // Is MPI done with all of it, with errors or without?
  bool is_over() {
    int done = 0;
    int const all = static_cast<int>(requests.size());
    if (MPI_Testall(all, requests.data(), &done, MPI_STATUSES_IGNORE) == MPI_SUCCESS)
      return done != 0;
    for (MPI_Request r : requests) // of those that ended with an error
      if (r != MPI_REQUEST_NULL) return false;
    return true;
  }
};

} // namespace weft::inline v0::mpi::detail

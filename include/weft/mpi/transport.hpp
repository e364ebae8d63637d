// SPDX-License-Identifier: BSL-1.0
// mpi::transport: a rank_transport between processes under MPI. Every exchange is one message per
// pair of ranks, non-blocking both ways, straight from and into the caller's memory; before the
// bytes stands where the sender is (mpi/call_stamp.hpp).
//   mpi::transport others(boost::mpi::communicator(), {.limit = 60});
// Needs: MPI initialised; one thread at a time. Leaves: no reduction is MPI's own, no result
// depends on its algorithms.
// Errors: a rank that is elsewhere, that said it has failed, or from which nothing comes for
// `limit` seconds: one line that names it and the call, then the job is ended (MPI_Abort); with
// end_job = false rank_error, then and at every later exchange; ended all the same where MPI still
// reads or writes the caller's memory a second later, which an exception would free.
#pragma once

#include <weft/mpi/call_stamp.hpp>
#include <weft/mpi/failure_notices.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/exception.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace weft::inline v0::mpi {

struct transport_options {
  double limit = 300;  // seconds in which something must come from a rank that is waited for
  bool end_job = true; // false: throw
};

class transport final : public rank_transport {
public:
  explicit transport(boost::mpi::communicator const& world, transport_options options = {},
                     view<named_axis> axes = {})
      : options_(options), axes_(axes), data_(world, boost::mpi::comm_duplicate), failures_(world) {
    MPI_Comm_set_errhandler(data_, MPI_ERRORS_RETURN);
    reset_turns();
  }
  transport(transport const&) = delete;
  transport& operator=(transport const&) = delete;

  extent rank() const override { return data_.rank(); }
  extent world() const override { return data_.size(); }
  void exchange(rank_call const& at, view<given_bytes> gives, view<taken_bytes> takes) override {
    what_ = &at.what;
    transfer(detail::stamp_of(at), gives, takes);
    what_ = nullptr;
  }
  // A run starts, of the program of this fingerprint.
  void next_call(std::uint64_t program = 0) {
    ++call_;
    reset_turns();
    program_ = program;
    in_call_ = true;
  }
  void of_program(std::uint64_t program) { program_ = program; }
  void between_calls() { in_call_ = false; }

  // All ranks give a text of theirs and get everybody's, by rank.
  std::vector<message> texts_of_all(message const& mine,
                                    detail::stamp_place where = detail::stamp_place::texts) {
    std::vector<message> all(static_cast<std::size_t>(world()));
    growing<given_bytes> gives;
    growing<taken_bytes> takes;
    for (extent r = 0; r < world(); ++r) {
      auto& theirs = all[static_cast<std::size_t>(r)];
      if (r == rank()) theirs = mine;
      else {
        gives.push({r, &mine, static_cast<extent>(sizeof mine)});
        takes.push({r, &theirs, static_cast<extent>(sizeof theirs)});
      }
    }
    transfer({.place = where}, gives, takes);
    return all;
  }
  // No call follows. Who is left in a call that wants this rank learns that it waits in vain; this
  // rank waits for the others' ends as long as they take.
  void close() {
    next_call();
    growing<given_bytes> gives;
    growing<taken_bytes> takes;
    for (extent r = 0; r < world(); ++r)
      if (r != rank()) gives.push({r, nullptr, 0}), takes.push({r, nullptr, 0});
    transfer({.place = detail::stamp_place::end}, gives, takes);
  }

  // This rank's run has failed by itself: who waits for it is told why.
  void tell_others(char const* why) {
    if (ended_) return;
    if (!in_call_) ++call_; // it failed before it began: a call all the same
    in_call_ = false;
    failures_.tell(call_, why);
  }
  bool has_ended() const { return ended_; }
  // Ends the job, or throws.
  [[noreturn]] void end(message const& text) {
    waiting_ = false;
    ended_ = true;
    if (options_.end_job) end_job(text);
    if (!drop_requests())
      end_job(message(text).add("; MPI still uses this rank's memory, so the job ends"));
    raise<rank_error>(text);
  }
  // The same for what all ranks know: the first of them says it for all.
  [[noreturn]] void end_all(message const& text) {
    if (options_.end_job && data_.rank() != 0) {
      ended_ = true;
      std::this_thread::sleep_for(std::chrono::seconds(5)); // until rank 0 has ended the job
      MPI_Abort(data_, 1);
    }
    end(text);
  }

  // Where this rank waits, and for whom; empty if it does not. Allocates nothing, and reads nothing
  // that changes while it waits but flags: a signal handler may ask.
  message waits_where() const {
    message m;
    if (!waiting_) return m;
    m.add("weft: mpi: rank ").add(data_.rank()).add(" waits for rank");
    add_missing(m);
    m.add(" in ");
    detail::add_place(m, at_);
    if (what_ != nullptr) detail::add_axes(m, *what_, axes_);
    return m;
  }

private:
  using clock = std::chrono::steady_clock;
  static constexpr int tag = 7;
  struct one_peer {
    int rank;
    extent bytes;
    std::int64_t turn; // of messages that way in this call
    bool done;
  };

  static double seconds_since(clock::time_point t) {
    return std::chrono::duration<double>(clock::now() - t).count();
  }
  // peer: -1 for all.
  void expect(char const* call, int code, int peer) {
    if (code == MPI_SUCCESS) return;
    message m("weft: mpi: rank ");
    m.add(data_.rank()).add(" in ");
    detail::add_place(m, at_);
    if (peer >= 0) m.add(", with rank ").add(peer);
    end(m.add(": ").add(boost::mpi::exception(call, code).what()));
  }
  [[noreturn]] void end_job(message const& text) {
    std::fprintf(stderr, "rank %d: %s\n", data_.rank(), text.c_str());
    std::fflush(stderr);
    MPI_Abort(data_, 1);
    std::_Exit(1);
  }
  void reset_turns() {
    given_.assign(static_cast<std::size_t>(data_.size()), 0);
    taken_.assign(static_cast<std::size_t>(data_.size()), 0);
  }

  // One message: the stamp, then the bytes, where they are.
  MPI_Datatype message_type(detail::call_stamp const& stamp, void const* memory, extent bytes,
                            int peer) {
    constexpr extent most = 1 << 30; // MPI counts in int
    std::vector<int> lengths{static_cast<int>(sizeof stamp)};
    std::vector<MPI_Aint> places(1);
    MPI_Get_address(&stamp, &places[0]);
    for (extent at = 0; at < bytes; at += most) {
      lengths.push_back(static_cast<int>(bytes - at < most ? bytes - at : most));
      places.emplace_back();
      MPI_Get_address(static_cast<std::byte const*>(memory) + at, &places.back());
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    expect("MPI_Type_create_hindexed",
           MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(),
                                    MPI_BYTE, &type),
           peer);
    expect("MPI_Type_commit", MPI_Type_commit(&type), peer);
    return type;
  }

  void transfer(detail::call_stamp at, view<given_bytes> gives, view<taken_bytes> takes) {
    if (ended_)
      raise<rank_error>("weft: mpi: another rank has failed, and the job is ending; save what is "
                        "this rank's own, and end it");
    at.mark = detail::stamp_mark;
    at.call = call_;
    at.failures = failures_.count();
    at.program = program_;
    at_ = at;
    prepare(gives, takes);
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      one_peer const& p = peers_[i];
      if (is_taken(i))
        expect("MPI_Irecv", MPI_Irecv(MPI_BOTTOM, 1, types_[i], p.rank, tag, data_, &requests_[i]),
               p.rank);
      else
        expect("MPI_Isend", MPI_Isend(MPI_BOTTOM, 1, types_[i], p.rank, tag, data_, &requests_[i]),
               p.rank);
      MPI_Type_free(&types_[i]);
    }
    waiting_ = true;
    finish();
    waiting_ = false;
  }
  bool is_taken(std::size_t i) const { return static_cast<int>(i) < takes_; }
  // All that allocates, before the first message is under way: what is thrown then leaves none.
  void prepare(view<given_bytes> gives, view<taken_bytes> takes) {
    takes_ = takes.size();
    left_ = takes.size() + gives.size();
    auto const all = static_cast<std::size_t>(left_);
    stamps_.assign(all, at_);
    requests_.assign(all, MPI_REQUEST_NULL);
    types_.assign(all, MPI_DATATYPE_NULL);
    indices_.resize(all);
    statuses_.resize(all);
    peers_.clear();
    peers_.reserve(all);
    for (taken_bytes const& t : takes) {
      detail::call_stamp& s = stamps_[peers_.size()];
      s.mark = 0;
      add_peer(t.from_rank, ++taken_[static_cast<std::size_t>(t.from_rank)], s, t.memory, t.bytes);
    }
    for (given_bytes const& g : gives) {
      detail::call_stamp& s = stamps_[peers_.size()];
      s.bytes = g.bytes;
      s.turn = ++given_[static_cast<std::size_t>(g.to_rank)];
      add_peer(g.to_rank, s.turn, s, g.memory, g.bytes);
    }
  }
  void add_peer(extent rank, std::int64_t turn, detail::call_stamp const& stamp, void const* memory,
                extent bytes) {
    int const r = static_cast<int>(rank);
    types_[peers_.size()] = message_type(stamp, memory, bytes, r);
    peers_.push_back({r, bytes, turn, false});
  }
  void finish() {
    auto last = clock::now();
    for (int idle = 0; left_ > 0;) {
      int done = 0;
      int const code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &done,
                                    indices_.data(), statuses_.data());
      if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) expect("MPI_Testsome", code, -1);
      for (int k = 0; k < done; ++k) {
        auto const at = static_cast<std::size_t>(k);
        --left_;
        settle(static_cast<std::size_t>(indices_[at]),
               code == MPI_SUCCESS ? MPI_SUCCESS : statuses_[at].MPI_ERROR);
      }
      if (done > 0) {
        last = clock::now();
        idle = 0;
      } else if (++idle % 64 == 0) pause(last);
      else if (idle > 8) std::this_thread::yield(); // to ranks that share this core
    }
  }
  // Nothing has come yet: others may have failed, or it takes too long, or they want this CPU.
  void pause(clock::time_point last) {
    expect_no_failure();
    double const seconds = seconds_since(last);
    if (seconds > options_.limit && at_.place != detail::stamp_place::end) {
      auto const rounded = static_cast<extent>(seconds + 0.5);
      end(waits_where()
              .add(", and nothing has come for ")
              .add(rounded)
              .add(
                  " s: it hangs, has ended, or does other work; mpi::session_options has the limit"));
    }
    if (seconds < 0.01) std::this_thread::yield();
    else std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  // Of others' runs, up to this one.
  void expect_no_failure() {
    failures_.listen();
    if (detail::failure_notice const* const theirs = failures_.until(call_))
      end(waits_where()
              .add("; rank ")
              .add(theirs->rank)
              .add(" has failed: ")
              .add(theirs->why.c_str()));
  }
  // Request i is done.
  void settle(std::size_t i, int code) {
    one_peer& p = peers_[i];
    p.done = true;
    bool const received = is_taken(i);
    if (received && stamps_[i].mark == detail::stamp_mark) {
      detail::call_stamp wanted = at_;
      wanted.bytes = p.bytes;
      wanted.turn = p.turn;
      if (!detail::same_place(stamps_[i], wanted)) raise_apart(p, stamps_[i]);
    }
    expect(received ? "MPI_Irecv" : "MPI_Isend", code, p.rank);
    if (received && stamps_[i].mark != detail::stamp_mark)
      end(message("weft: mpi: what rank ")
              .add(p.rank)
              .add(" sent is no message of weft's; start one program, of one version, on all "
                   "ranks"));
  }
  [[noreturn]] void raise_apart(one_peer& p, detail::call_stamp const& theirs) {
    p.done = false; // nothing of this call has come from there
    // Who failed said so before it went on.
    auto const start = clock::now();
    do expect_no_failure();
    while (theirs.failures != at_.failures && seconds_since(start) < 1);
    detail::call_stamp mine = at_;
    mine.turn = p.turn;
    message m("weft: mpi: ranks come to different collectives: rank ");
    m.add(data_.rank()).add(" to ");
    detail::add_place(m, mine);
    m.add(", rank ").add(p.rank).add(" to ");
    detail::add_place(m, theirs);
    if (theirs.program != mine.program) m.add(" of another program");
    else if (theirs.turn != mine.turn)
      m.add(", their messages ").add(mine.turn).add(" and ").add(theirs.turn).add(" of it");
    end(m.add("; let conditions of loops and branches, and extents, agree"));
  }
  void add_missing(message& m) const {
    int named = 0;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      if (peers_[i].done) continue;
      bool before = false;
      for (std::size_t k = 0; k < i; ++k)
        before = before || (!peers_[k].done && peers_[k].rank == peers_[i].rank);
      if (before) continue;
      if (named++ == 8) return void(m.add(" ..."));
      m.add(" ").add(peers_[i].rank);
    }
  }
  // Does MPI let go of the caller's memory? What has begun to move can be finished, not taken back.
  bool drop_requests() {
    left_ = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i)
      if (is_taken(i) && requests_[i] != MPI_REQUEST_NULL) MPI_Cancel(&requests_[i]);
    auto const start = clock::now();
    int done = 0;
    while (done == 0 && seconds_since(start) < 1) {
      int const all = static_cast<int>(requests_.size());
      if (MPI_Testall(all, requests_.data(), &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        done = all_dropped(); // of those that ended with an error
      if (done == 0) std::this_thread::yield();
    }
    return done != 0;
  }
  bool all_dropped() const {
    for (MPI_Request r : requests_)
      if (r != MPI_REQUEST_NULL) return false;
    return true;
  }

  transport_options options_;
  growing<named_axis> axes_;
  boost::mpi::communicator data_;
  detail::failure_notices failures_;
  std::int64_t call_ = 0;
  std::uint64_t program_ = 0;
  std::vector<std::int64_t> given_, taken_; // messages of this call, by rank
  bool ended_ = false, in_call_ = false;
  // Of the exchange that runs: messages taken, then messages given.
  detail::call_stamp at_;
  collective const* what_ = nullptr;
  std::vector<detail::call_stamp> stamps_;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Datatype> types_;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
  std::vector<one_peer> peers_;
  int takes_ = 0, left_ = 0;
  std::atomic<bool> waiting_ = false; // for these; only then a signal handler reads them
  static_assert(std::atomic<bool>::is_always_lock_free);
};

} // namespace weft::inline v0::mpi

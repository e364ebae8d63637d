// SPDX-License-Identifier: BSL-1.0
// mpi::transport: a rank_transport between processes under MPI. Every exchange is one message per
// pair of ranks, non-blocking both ways, straight from and into the caller's memory; before the
// bytes stands where the sender is (mpi/call_stamp.hpp). Several exchanges may be under way; messages
// of one round come in the order in which they were started, and have a tag of their own.
//   mpi::transport others(boost::mpi::communicator(), {.limit = 60});
// Needs: MPI initialised; one thread at a time. Leaves: no reduction is MPI's own, no result
// depends on its algorithms.
// Errors: a rank that is elsewhere, that said it has failed, or from which nothing comes for
// `limit` seconds while it is waited for: one line that names it and the call, then the job is
// ended (MPI_Abort); with end_job = false rank_error, then and at every later exchange; ended all
// the same where MPI still reads or writes the caller's memory a second later, which an exception
// would free.
#pragma once

#include <weft/mpi/exchange_under_way.hpp>
#include <weft/mpi/failure_notices.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/exception.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
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
  int start(rank_call const& at, view<given_bytes> gives, view<taken_bytes> takes) override {
    return post(detail::stamp_of(at), &at.what, at.round, gives, takes);
  }
  void finish(int number) override { wait_for(*exchanges_[index(number)]); }
  // What was started on all ranks is taken by all, so that none of it meets a later call; what is not
  // ends the session.
  void abandon() noexcept override {
    auto last = clock::now() + std::chrono::duration_cast<clock::duration>(
                                   std::chrono::duration<double>(options_.limit));
    bool told = false; // by one that failed, too: what it had started is still on its way
    while (!ended_ && !are_over()) {
      failures_.listen();
      if (!told && failures_.until(call_) != nullptr) {
        told = true;
        last = clock::now() + std::chrono::seconds(1);
      }
      if (clock::now() > last) {
        ended_ = true;
        if (!drop_requests())
          end_job(message("weft: mpi: a run ends with an error while MPI uses its memory, and "
                          "others do not take what is there; so the job ends"));
      }
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
  void progress() override { failures_.listen(); } // MPI moves all on when it is asked anything
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
    wait_for(*exchanges_[index(post({.place = where}, nullptr, 0, gives, takes))]);
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
    int const n = post({.place = detail::stamp_place::end}, nullptr, 0, gives, takes);
    wait_for(*exchanges_[index(n)]);
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
    waiting_ = nullptr;
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
    under_way const* const e = waiting_;
    if (e == nullptr) return m;
    m.add("weft: mpi: rank ").add(data_.rank()).add(" waits for rank");
    e->add_missing(m);
    m.add(" in ");
    detail::add_place(m, e->at);
    if (e->what != nullptr) detail::add_axes(m, *e->what, axes_);
    return m;
  }

private:
  using clock = std::chrono::steady_clock;
  using under_way = detail::exchange_under_way;
  using one_peer = under_way::one_peer;
  static constexpr int tag = 7; // of the first round
  static std::size_t index(extent n) { return static_cast<std::size_t>(n); }

  static double seconds_since(clock::time_point t) {
    return std::chrono::duration<double>(clock::now() - t).count();
  }
  // peer: -1 for all.
  void expect(char const* call, int code, under_way const& e, int peer) {
    if (code == MPI_SUCCESS) return;
    message m("weft: mpi: rank ");
    m.add(data_.rank()).add(" in ");
    detail::add_place(m, e.at);
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
    for (int round = 0; round < 2; ++round) {
      given_[round].assign(index(data_.size()), 0);
      taken_[round].assign(index(data_.size()), 0);
    }
  }

  // One message: the stamp, then the bytes, where they are.
  MPI_Datatype message_type(under_way const& e, detail::call_stamp const& stamp, void const* memory,
                            extent bytes, int peer) {
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
           e, peer);
    expect("MPI_Type_commit", MPI_Type_commit(&type), e, peer);
    return type;
  }

  // Starts an exchange, and returns its number.
  int post(detail::call_stamp at, collective const* what, int round, view<given_bytes> gives,
           view<taken_bytes> takes) {
    if (ended_)
      raise<rank_error>("weft: mpi: another rank has failed, and the job is ending; save what is "
                        "this rank's own, and end it");
    at.mark = detail::stamp_mark;
    at.call = call_;
    at.failures = failures_.count();
    at.program = program_;
    int const number = unused();
    under_way& e = *exchanges_[index(number)];
    e.what = what;
    prepare(e, at, round, gives, takes);
    e.in_use = true;
    int const with = tag + round;
    for (std::size_t i = 0; i < e.peers.size(); ++i) {
      int const peer = e.peers[i].rank;
      MPI_Request* const request = &e.requests[i];
      if (e.is_taken(i))
        expect("MPI_Irecv", MPI_Irecv(MPI_BOTTOM, 1, e.types[i], peer, with, data_, request), e,
               peer);
      else
        expect("MPI_Isend", MPI_Isend(MPI_BOTTOM, 1, e.types[i], peer, with, data_, request), e,
               peer);
      MPI_Type_free(&e.types[i]);
    }
    return number;
  }
  int unused() {
    std::size_t n = 0;
    while (n < exchanges_.size() && exchanges_[n]->in_use) ++n;
    if (n == exchanges_.size()) exchanges_.push_back(std::make_unique<under_way>());
    return static_cast<int>(n);
  }
  // All that allocates, before the first message is under way: what is thrown then leaves none.
  void prepare(under_way& e, detail::call_stamp const& at, int round, view<given_bytes> gives,
               view<taken_bytes> takes) {
    e.reserve(at, takes.size(), gives.size());
    if (indices_.size() < e.requests.size()) {
      indices_.resize(e.requests.size());
      statuses_.resize(e.requests.size());
    }
    for (taken_bytes const& t : takes) {
      detail::call_stamp& s = e.stamps[e.peers.size()];
      s.mark = 0;
      add_peer(e, t.from_rank, ++taken_[round][index(t.from_rank)], s, t.memory, t.bytes);
    }
    for (given_bytes const& g : gives) {
      detail::call_stamp& s = e.stamps[e.peers.size()];
      s.bytes = g.bytes;
      s.turn = ++given_[round][index(g.to_rank)];
      add_peer(e, g.to_rank, s.turn, s, g.memory, g.bytes);
    }
  }
  void add_peer(under_way& e, extent rank, std::int64_t turn, detail::call_stamp const& stamp,
                void const* memory, extent bytes) {
    int const r = static_cast<int>(rank);
    e.types[e.peers.size()] = message_type(e, stamp, memory, bytes, r);
    e.peers.push_back({r, bytes, turn, false});
  }
  void wait_for(under_way& e) {
    waiting_ = &e;
    auto last = clock::now();
    for (int idle = 0; e.left > 0;) {
      int done = 0;
      int const code = MPI_Testsome(static_cast<int>(e.requests.size()), e.requests.data(), &done,
                                    indices_.data(), statuses_.data());
      if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) expect("MPI_Testsome", code, e, -1);
      for (int k = 0; k < done; ++k) {
        std::size_t const at = index(k);
        --e.left;
        settle(e, index(indices_[at]), code == MPI_SUCCESS ? MPI_SUCCESS : statuses_[at].MPI_ERROR);
      }
      if (done > 0) {
        last = clock::now();
        idle = 0;
      } else if (++idle % 64 == 0) pause(e, last);
      else if (idle > 8) std::this_thread::yield(); // to ranks that share this core
    }
    waiting_ = nullptr;
    e.in_use = false;
  }
  // Nothing has come yet: others may have failed, or it takes too long, or they want this CPU.
  void pause(under_way const& e, clock::time_point last) {
    expect_no_failure();
    double const seconds = seconds_since(last);
    if (seconds > options_.limit && e.at.place != detail::stamp_place::end) {
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
  void settle(under_way& e, std::size_t i, int code) {
    one_peer& p = e.peers[i];
    p.done = true;
    bool const received = e.is_taken(i);
    if (received && e.stamps[i].mark == detail::stamp_mark) {
      detail::call_stamp wanted = e.at;
      wanted.bytes = p.bytes;
      wanted.turn = p.turn;
      if (!detail::same_place(e.stamps[i], wanted)) raise_apart(e.at, p, e.stamps[i]);
    }
    expect(received ? "MPI_Irecv" : "MPI_Isend", code, e, p.rank);
    if (received && e.stamps[i].mark != detail::stamp_mark)
      end(message("weft: mpi: what rank ")
              .add(p.rank)
              .add(" sent is no message of weft's; start one program, of one version, on all "
                   "ranks"));
  }
  [[noreturn]] void raise_apart(detail::call_stamp mine, one_peer& p,
                                detail::call_stamp const& theirs) {
    p.done = false; // nothing of this call has come from there
    // Who failed said so before it went on.
    auto const start = clock::now();
    do expect_no_failure();
    while (theirs.failures != mine.failures && seconds_since(start) < 1);
    mine.turn = p.turn;
    message m("weft: mpi: ranks come to different collectives: rank ");
    m.add(data_.rank()).add(" to ");
    detail::add_place(m, mine);
    m.add(", rank ").add(p.rank).add(" to ");
    detail::add_place(m, theirs);
    bool const both = theirs.place == detail::stamp_place::collective && theirs.place == mine.place;
    if (both && theirs.program != mine.program) m.add(" of another program");
    else if (both && theirs.turn != mine.turn)
      m.add(", their messages ").add(mine.turn).add(" and ").add(theirs.turn).add(" of it");
    end(m.add("; let conditions of loops and branches, and extents, agree"));
  }
  // Does MPI let go of the caller's memory? What has begun to move can be finished, not taken back.
  bool drop_requests() {
    for (auto const& e : exchanges_)
      if (e->in_use) e->cancel_taken();
    auto const start = clock::now();
    while (!are_over() && seconds_since(start) < 1) std::this_thread::yield();
    return are_over();
  }
  // Is MPI done with all that is under way?
  bool are_over() {
    bool all = true;
    for (auto const& e : exchanges_) {
      if (e->in_use && e->is_over()) e->in_use = false;
      all = all && !e->in_use;
    }
    return all;
  }

  transport_options options_;
  growing<named_axis> axes_;
  boost::mpi::communicator data_;
  detail::failure_notices failures_;
  std::int64_t call_ = 0;
  std::uint64_t program_ = 0;
  std::vector<std::int64_t> given_[2], taken_[2]; // messages of this call, by round and rank
  bool ended_ = false, in_call_ = false;
  std::vector<std::unique_ptr<under_way>> exchanges_; // by number
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
  std::atomic<under_way const*> waiting_ = nullptr; // only then a signal handler reads it
  static_assert(std::atomic<under_way const*>::is_always_lock_free);
};

} // namespace weft::inline v0::mpi

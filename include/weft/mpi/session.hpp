// SPDX-License-Identifier: BSL-1.0
// mpi::session: this process as one rank of a program under MPI: from its constructor, which starts
// MPI, to its destructor, which ends it. A cpu::rank_group, so jit<f>(job, args...) runs f among
// all ranks, each with its own arguments.
//   constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
//   int main(int argc, char** argv) {
//     weft::mpi::session job(m, argc, argv);                 // mpirun -n 4 ./app
//     auto [next, loss] = weft::jit<step>(job, w, x, y);     // x, y: this rank's
//     if (job.rank() == 0) std::printf("%g\n", loss());
//   }
//   model f = stablehlo::load("step.mlir"); f.join(&job); auto ys = f.run(xs);
// The first run of each program with collectives compares it among all ranks: weft's version, the
// program, types and shapes. Each later one compares calls and shapes message by message.
// The destructor waits until all ranks have come to theirs; a rank that ends while others are in a
// call that wants it is named by them, and the job ended.
// Needs: Boost.MPI over Open MPI; one thread that makes calls. Leaves: the bits of
// testing::run_ranks, NaN payloads aside.
// Errors: usage_error for another number of processes than ranks; of the others
// mpi/transport.hpp's: by default the job ends with one line; session_options{.throws = true}:
// rank_error, and the job ends with the session. SIGTERM while it waits (mpirun sends it when a
// rank was killed): a line that says in which call, for whom.
#pragma once

#include <weft/graph/fingerprint.hpp>
#include <weft/lang/mesh.hpp>
#include <weft/mpi/last_words.hpp>
#include <weft/mpi/transport.hpp>
#include <weft/run/ranks.hpp>

#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string_view>

namespace weft::inline v0::mpi {

struct session_options {
  double limit = 300;  // seconds to wait for another rank
  bool throws = false; // rank_error where another rank fails; else the job is ended
};

class session final : public cpu::rank_group {
public:
  template <mesh_like M>
  session(M, int& argc, char**& argv, session_options options = {})
      : session(&argc, &argv, M::ranks, named_axes(M::axes), options) {}
  template <mesh_like M>
  explicit session(M, session_options options = {})
      : session(nullptr, nullptr, M::ranks, named_axes(M::axes), options) {}
  // A mesh that only the run knows: mesh_of("data=2, model=2").
  session(mesh_axes const& mesh, int& argc, char**& argv, session_options options = {})
      : session(&argc, &argv, static_cast<int>(mesh.ranks), named_axes(mesh), options) {}
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session() override {
    bool const left = std::uncaught_exceptions() > exceptions_;
    others_->between_calls();
    if (left) others_->tell_others("an exception left its session");
    else if (!others_->has_ended()) close();
    if (!left && !others_->has_ended()) return;
    // MPI's own end waits for all ranks, which end the job; mpirun does that when this process is
    // gone. Until then whoever catches the exception can say so.
    [[maybe_unused]] auto* const open = environment_.release();
    [[maybe_unused]] auto* const still = others_.release();
  }

  extent rank() const override { return others_->rank(); }
  extent world() const override { return others_->world(); }
  boost::mpi::communicator const& communicator() const { return world_; }

  // All ranks give a text of theirs and get everybody's, by rank: what they must agree on outside
  // of programs, as the writers of one file do (io/safetensors_slices.hpp). A call as any other.
  std::vector<message> texts_of_all(message const& mine) {
    return cpu::telling(this, [&] {
      others_->next_call();
      std::vector<message> all = others_->texts_of_all(mine);
      others_->between_calls();
      return all;
    });
  }

  void begin(graph_view bound, std::uint64_t& program) override {
    others_->next_call(program);
    if (program == 0) program = agreed(bound);
    others_->of_program(program);
  }
  void failed(char const* why) override { others_->tell_others(why); }
  void enters() override { others_->between_calls(); }
  void start(collective const& c, int id, cpu::strided_array const& x, std::byte* out,
             cpu::scratch memory) override {
    member_.start(c, id, x, out, memory);
  }
  std::int64_t started() const override { return member_.started(); }
  void finish(std::int64_t number) override { member_.finish(number); }
  void abandon() noexcept override { member_.abandon(); }
  std::int64_t given_up() const override { return member_.given_up(); }
  void progress() override { member_.progress(); }

private:
  // The others may be in a call that waits for this rank. A destructor throws nothing.
  void close() {
#if WEFT_EXCEPTIONS
    try {
      others_->close();
    } catch (rank_error const& e) {
      std::fprintf(stderr, "rank %d: %s\n", static_cast<int>(rank()), e.what());
    }
#else // raise ends the process
    others_->close();
#endif
  }
  session(int* argc, char*** argv, int ranks, growing<named_axis> const& axes,
          session_options options)
      : exceptions_(std::uncaught_exceptions()), environment_(start_mpi(argc, argv)),
        others_(std::make_unique<transport>(
            world_, transport_options{options.limit, !options.throws}, axes)),
        member_(*others_), last_words_(*others_) {
    if (world_.size() == ranks) return;
    message text("weft: mpi: the mesh has ");
    text.add(ranks).add(ranks == 1 ? " rank, and " : " ranks, and ").add(world_.size());
    text.add(world_.size() == 1 ? " process runs" : " processes run").add("; write mpirun -n ");
    raise<usage_error>(text.add(ranks));
  }
  static std::unique_ptr<boost::mpi::environment> start_mpi(int* argc, char*** argv) {
    auto const level = boost::mpi::threading::funneled;
    if (argc == nullptr) return std::make_unique<boost::mpi::environment>(level, false);
    return std::make_unique<boost::mpi::environment>(*argc, *argv, level, false);
  }
  static growing<named_axis> named_axes(mesh_axes const& mesh) {
    growing<named_axis> axes;
    for (int i = 0; i < mesh.count; ++i) {
      mesh_axis const& a = mesh.d[i];
      named_axis named{.size = a.size, .divisor = a.divisor};
      for (int k = 0; k < a.length; ++k) named.name[k] = a.name[k];
      axes.push(named);
    }
    return axes;
  }

  // The program's fingerprint, once all ranks have the same. Kept here and not by engines, which
  // each rank makes and drops for itself.
  std::uint64_t agreed(graph_view bound) {
    std::uint64_t const program = fingerprint(bound);
    if (std::find(agreed_.begin(), agreed_.end(), program) == agreed_.end()) {
      expect_one_program(bound, program);
      agreed_.push_back(program);
    }
    return program;
  }
  static message described(graph_view bound, std::uint64_t program) {
    message m;
    m.add("weft " WEFT_VERSION ", program ");
    add_hex(m, program);
    m.add(" of ").add(bound.size()).add(" nodes, arguments");
    for (int id : bound.parameters_of(0)) {
      message next;
      next.add(" ").add(name_of(bound[id].type)).add(" ").add(bound.shape(id));
      if (m.size() + next.size() > 190) return m.add(" ..."); // two of them are one message
      m.add(next.c_str());
    }
    return m;
  }
  static std::string_view arguments_in(message const& described) {
    std::string_view const all = described.c_str();
    return all.substr(std::min(all.find(", arguments"), all.size()));
  }
  static void add_hex(message& m, std::uint64_t n) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      char const digit[] = {"0123456789abcdef"[n >> shift & 15], '\0'};
      m.add(digit);
    }
  }
  void expect_one_program(graph_view bound, std::uint64_t program) {
    std::vector<message> const all = others_->texts_of_all(described(bound, program),
                                                           detail::stamp_place::start);
    for (std::size_t r = 1; r < all.size(); ++r)
      if (std::string_view(all[r].c_str()) != all[0].c_str())
        others_->end_all(message(arguments_in(all[r]) == arguments_in(all[0])
                                     ? "weft: mpi: ranks start different programs: rank 0: "
                                     : "weft: mpi: ranks start programs of different arguments: "
                                       "rank 0: ")
                             .add(all[0].c_str())
                             .add("; rank ")
                             .add(static_cast<extent>(r))
                             .add(": ")
                             .add(all[r].c_str()));
  }

  int exceptions_; // on their way when the session was made
  std::unique_ptr<boost::mpi::environment> environment_;
  boost::mpi::communicator world_;
  std::unique_ptr<transport> others_;
  cpu::rank_member member_; // over them
  last_words last_words_;
  std::vector<std::uint64_t> agreed_; // programs that all ranks run
};

} // namespace weft::inline v0::mpi

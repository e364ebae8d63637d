// SPDX-License-Identifier: BSL-1.0
// The tests' executable is also what they start under mpirun: `test_mpi --rank NAME` is one rank of the
// program that is registered under the name. A rank says what is wrong on stdout and exits with 1.
//   rank_program const sums("sums", [](int& argc, char**& argv) { ...; check(a == b, "a sum"); });
//   EXPECT_EQ(start_ranks(4, "sums").code, 0);
#pragma once

#include <weft/mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace test {

class rank_program {
public:
  using function = void (*)(int& argc, char**& argv);
  rank_program(char const* name, function f) : name_(name), run_(f), next_(first()) {
    first() = this;
  }
  static rank_program const* find(std::string const& name) {
    for (rank_program const* p = first(); p != nullptr; p = p->next_)
      if (name == p->name_) return p;
    return nullptr;
  }
  void run(int& argc, char**& argv) const { run_(argc, argv); }

private:
  static rank_program*& first() {
    static rank_program* programs = nullptr;
    return programs;
  }
  char const* name_;
  function run_;
  rank_program* next_;
};

inline int rank_failures = 0;
inline void check(bool holds, std::string const& what) {
  if (holds) return;
  if (++rank_failures <= 5) std::printf("wrong: %s\n", what.c_str());
}

// As many as mpirun started.
inline int started_ranks() {
  char const* const n = std::getenv("OMPI_COMM_WORLD_SIZE");
  return n == nullptr ? 1 : std::atoi(n);
}
// f(session) on a mesh of one axis, of as many ranks as there are: 1, 2, 3, 4 or 8.
template <class F> void with_session(int& argc, char**& argv, F const& f) {
  auto const on = [&]<int N>() {
    weft::mpi::session job(weft::mesh<weft::axis<"data", N>>, argc, argv);
    f(job);
  };
  switch (started_ranks()) {
    case 1: return on.template operator()<1>();
    case 2: return on.template operator()<2>();
    case 3: return on.template operator()<3>();
    case 4: return on.template operator()<4>();
    default: return on.template operator()<8>();
  }
}

struct ranks_ended {
  int code = -1; // of mpirun; 124: it took too long
  std::string output;
  double seconds = 0;
};
// `set`: variables of its environment, NAME=VALUE.
ranks_ended start_ranks(int ranks, std::string const& name, std::string const& set = "");
bool has_mpirun();

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks that hang, are killed, throw, run something else or have other extents; test_mpi.cpp expects
// what the others say.
#include "rank_programs.hpp"
#include "support/block.hpp"
#include "support/host_functions.hpp"

#include <weft/lang/custom_call.hpp>
#include <weft/lang/while.hpp>
#include <weft/run/block.hpp>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

// MPI's profiling interface: a function of the program's stands before MPI's.
static int types_freed = 0;
extern "C" int MPI_Type_free(MPI_Datatype* type) {
  ++types_freed;
  return PMPI_Type_free(type);
}

namespace {

using namespace weft;
using namespace std::chrono_literals;
using rows = tensor<float, 3>;

template <int N> inline constexpr auto m = mesh<axis<"data", N>>;
template <int N> inline constexpr auto total = [](auto x) { return all_reduce<m<N>, "data">(x); };
rows ones() { return rows{1, 1, 1}; }

template <int N> void in_another_number(int& argc, char**& argv) {
  try {
    mpi::session job(m<N>, argc, argv);
    test::check(false, "a session of another number of ranks");
  } catch (usage_error const& e) {
    std::printf("%s\n", e.what());
    test::rank_failures = 1;
  }
}
test::rank_program const four_ranks("four_ranks", &in_another_number<4>);
test::rank_program const one_rank("one_rank", &in_another_number<1>);

template <class Then>
void in_the_second_call(int& argc, char**& argv, double limit, Then const& of_rank_1) {
  mpi::session job(m<3>, argc, argv, {.limit = limit});
  rows const sum = jit<total<3>>(job, cpu::block, ones());
  test::check(sum(0) == 3, "the first sum");
  if (job.rank() == 1) of_rank_1();
  jit<total<3>>(job, cpu::block, ones());
}
test::rank_program const hangs("hangs", [](int& argc, char**& argv) {
  in_the_second_call(argc, argv, 6, [] { std::this_thread::sleep_for(200s); });
});
test::rank_program const killed("killed", [](int& argc, char**& argv) {
  in_the_second_call(argc, argv, 200, [] {
    std::this_thread::sleep_for(2s); // the others wait by then
    std::raise(SIGKILL);
  });
});

inline constexpr auto checked_total = [](auto x) {
  return all_reduce<m<2>, "data">(custom_call<test::refusing>(x));
};
// Rank 1 fails by itself. Its error is its own to handle; the others are told.
template <class Rank0> void fail_on_rank_1(mpi::session& job, Rank0 const& of_rank_0) {
  rows x = ones();
  if (job.rank() == 1) x = rows{1, -1, 1};
  try {
    jit<checked_total>(job, cpu::block, x);
    test::check(false, "no error");
  } catch (value_error const&) {
    test::check(job.rank() == 1, "rank 0 has an error of its own");
  } catch (rank_error const& e) {
    of_rank_0(e);
  }
}
test::rank_program const throws("throws", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv);
  fail_on_rank_1(job, [](rank_error const&) { test::check(false, "thrown"); });
});
test::rank_program const catches("catches", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv, {.throws = true});
  fail_on_rank_1(job, [&job](rank_error const& e) {
    std::printf("rank 0 saved: %s\n", e.what());
    try {
      jit<checked_total>(job, cpu::block, ones());
    } catch (rank_error const& again) {
      std::printf("and again: %s\n", again.what());
    }
    std::fflush(stdout);
    test::rank_failures = 1;
  });
});

inline constexpr auto doubled_total = [](auto x) { return all_reduce<m<3>, "data">(x) * 2.0f; };
test::rank_program const disagree("disagree", [](int& argc, char**& argv) {
  mpi::session job(m<3>, argc, argv);
  if (job.rank() == 2) jit<doubled_total>(job, cpu::block, ones());
  else jit<total<3>>(job, cpu::block, ones());
});

inline constexpr sym n{"n"};
test::rank_program const other_extents("extents", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv);
  tensor<float, n, 2> const x(3 + static_cast<int>(job.rank()));
  jit<total<2>>(job, cpu::block, x);
});

// Mistakes that all ranks make, and tell each other of, are each rank's to handle; then they go on.
inline constexpr sym share{"share"};
inline constexpr auto scattered = [](auto x) { return reduce_scatter<m<2>, 0, share>(x); };
test::rank_program const uneven("uneven", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv);
  for (int turn = 0; turn < 2; ++turn) {
    std::string said = "nothing";
    try {
      jit<scattered>(job, cpu::block, tensor<float, n, 2>(5));
    } catch (shape_error const& e) {
      said = e.what();
    }
    test::check(said == "weft: the extent is no multiple of the ranks along the mesh's axes; pad "
                        "the array, or choose other axes: (5, 2) and 2",
                said);
    auto const part = jit<scattered>(job, cpu::block, tensor<float, n, 2>(6));
    test::check(part.shape()[0] == 3, "no half of six");
    test::check(jit<total<2>>(job, cpu::block, ones())(2) == 2, "no sum of two");
  }
  if (job.rank() == 0 && test::rank_failures == 0) std::printf("right\n");
});

// Errors while a sum is under way, in one round and in two.
template <int N>
inline constexpr auto checked_meanwhile = [](auto x, auto y) {
  return std::pair(all_reduce<m<N>, "data">(x), custom_call<test::refusing>(y));
};
template <int Count> void fail_on_all(mpi::session& job) {
  auto const run = [&job](rows const& y) {
    return jit<checked_meanwhile<3>>(job, cpu::block, eval(full<float, Count>(1.0f)), y);
  };
  for (int turn = 0; turn < 2; ++turn) {
    bool refused = false;
    try {
      run(rows{1, -1, 1});
    } catch (value_error const&) {
      refused = true;
    }
    test::check(refused, "no error");
    test::check(run(ones()).first(Count - 1) == 3, "no sum of three");
  }
}
test::rank_program const fail_meanwhile("fail_meanwhile", [](int& argc, char**& argv) {
  mpi::session job(m<3>, argc, argv);
  fail_on_all<8>(job);
  fail_on_all<100000>(job);
  if (job.rank() == 0 && test::rank_failures == 0) std::printf("right\n");
});
test::rank_program const throws_meanwhile("throws_meanwhile", [](int& argc, char**& argv) {
  mpi::session job(m<3>, argc, argv);
  rows y = ones();
  if (job.rank() == 1) y = rows{1, -1, 1};
  try {
    jit<checked_meanwhile<3>>(job, cpu::block, eval(full<float, 100000>(1.0f)), y);
    test::check(false, "no error");
  } catch (value_error const&) {
    test::check(job.rank() == 1, "an error of its own");
  }
});

test::rank_program const freed_types("types", [](int& argc, char**& argv) {
  mpi::session job(m<1>, argc, argv);
  int const before = types_freed;
  {
    mpi::detail::exchange_under_way e;
    for (int turn = 0; turn < 2; ++turn) {
      e.reserve({}, 1, 0);
      MPI_Type_contiguous(4, MPI_BYTE, &e.types[0]);
    }
    test::check(types_freed - before == 1, "a type is left by the next");
  }
  test::check(types_freed - before == 2, "a type is left by the last");
  if (test::rank_failures == 0) std::printf("right\n");
});

// A function of the host's that catches the error of a run inside of the one that calls it.
struct sums_inside {
  static constexpr auto name = "sums_inside";
  static inline mpi::session* job = nullptr;
  template <class T, auto... E> static tensor<T, E...> result(tensor<T, E...>);
  static void run(auto x, auto y) {
    try {
      jit<checked_meanwhile<3>>(*job, cpu::block, ones(), rows{x(0), x(1), x(2)});
    } catch (value_error const&) {
    }
    for (extent i = 0; i < 3; ++i) y(i) = x(i);
  }
};
inline constexpr auto with_runs_inside = [](auto x, auto y) {
  return std::pair(total<3>(x), total<3>(custom_call<sums_inside>(y)) * 2.0f);
};
// What it gave up is not read as if it were a sum, though the next one is; then all go on.
test::rank_program const fail_inside("fail_inside", [](int& argc, char**& argv) {
  mpi::session job(m<3>, argc, argv);
  sums_inside::job = &job;
  for (float each : {1.0f, -1.0f, 1.0f}) {
    std::string said = "right";
    try {
      auto [sum, next] = jit<with_runs_inside>(job, cpu::block, ones(), rows{1, each, 1});
      test::check(sum(1) == 3 && next(1) == 6, "no sums of three");
    } catch (usage_error const& e) {
      said = e.what();
    }
    test::check(said == (each > 0 ? "right"
                                  : "weft: a run inside of this one ended with an error, and gave "
                                    "up what this one had exchanged with other ranks; let the "
                                    "error end this run, too"),
                said);
  }
  if (job.rank() == 0 && test::rank_failures == 0) std::printf("right\n");
});

// A loop that goes on for longer on rank 1, and a sum of another type behind it.
inline constexpr auto parting = [](auto steps) {
  auto const next = [](auto k) { return maximum(k - 1, all_reduce<m<2>, combine::min>(k) - 100); };
  auto const left = while_loop([](auto k) { return k > 0; }, next, steps);
  return all_reduce<m<2>>(convert<float>(left));
};
// The same kind, type and shape behind it, in a program of its own: no sum of the two.
inline constexpr auto parting_alike = [](auto steps) {
  auto const next = [](auto k) { return maximum(k - 1, all_reduce<m<2>>(k) - 100); };
  return all_reduce<m<2>>(while_loop([](auto k) { return k > 0; }, next, steps));
};
test::rank_program const parts_alike("parts_alike", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv);
  jit<parting_alike>(job, cpu::block, tensor<int>(2 + static_cast<int>(job.rank())));
  test::check(false, "combined");
});
// Two programs that all know, in the other order on one rank.
test::rank_program const swapped("swapped", [](int& argc, char**& argv) {
  mpi::session job(m<3>, argc, argv);
  auto const both = [&](bool other_way) {
    for (bool doubled : {other_way, !other_way})
      if (doubled) jit<doubled_total>(job, cpu::block, ones());
      else jit<total<3>>(job, cpu::block, ones());
  };
  both(false);
  both(job.rank() == 1);
  test::check(false, "combined");
});

// A rank fails alone in a program of its own, and goes on with what it has in common.
inline constexpr auto checked = [](auto x) { return custom_call<test::refusing>(x); };
test::rank_program const alone("alone", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv);
  for (int turn = 0; turn < 3; ++turn) {
    if (job.rank() == turn % 2) try {
        jit<checked>(job, cpu::block, rows{1, -1, 1});
        test::check(false, "no error");
      } catch (value_error const&) {
      }
    test::check(jit<total<2>>(job, cpu::block, ones())(2) == 2, "no sum of two");
  }
  if (job.rank() == 0 && test::rank_failures == 0) std::printf("right\n");
});
// It fails alone before anything of the program runs, and tries again; the others never failed.
test::rank_program const tries_again("tries_again", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv);
  if (job.rank() == 1) try {
      jit<scattered>(job, cpu::block, tensor<float, n, 2>(5));
    } catch (shape_error const&) {
    }
  jit<scattered>(job, cpu::block, tensor<float, n, 2>(6));
  jit<total<2>>(job, cpu::block, ones());
  test::check(false, "went on");
});
test::rank_program const leaves("leaves", [](int& argc, char**& argv) {
  mpi::session job(m<3>, argc, argv);
  jit<total<3>>(job, cpu::block, ones());
  if (job.rank() == 1) return;
  jit<total<3>>(job, cpu::block, ones());
});
// Its process is stopped while large arrays move: MPI cannot take them back.
test::rank_program const stops("stops", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv, {.limit = 4, .throws = true});
  tensor<float, 2000, 1000> const x;
  jit<total<2>>(job, cpu::block, x);
  std::thread stop;
  if (job.rank() == 1)
    stop = std::thread([] {
      std::this_thread::sleep_for(1s);
      std::raise(SIGSTOP);
    });
  else std::this_thread::sleep_for(3s);
  try {
    jit<total<2>>(job, cpu::block, x);
  } catch (rank_error const&) {
    test::check(false, "the memory of a message is freed");
  }
  if (stop.joinable()) stop.join();
});
test::rank_program const parts("parts", [](int& argc, char**& argv) {
  mpi::session job(m<2>, argc, argv);
  jit<parting>(job, cpu::block, tensor<int>(2 + static_cast<int>(job.rank())));
});

} // namespace

// SPDX-License-Identifier: BSL-1.0
// A table's rows: one piece of work done by several sides in one process, in turns. Sides are
// compared first and must agree; a row says what weft takes, which share of the machine's limit
// that is, how long it takes under policy::fast (below 1: less) and how the other sides' times relate
// to it (above 1: weft is faster).
//   int main(int argc, char** argv) { return bench::compete("product", argc, argv, contests()); }
// One thread is measured by its CPU time, more by wall time; a repetition is the mean of 20 ms, the
// table has the shortest of 9 and the median. Limits are sides as well and run in the same turns.
// A row of two threads says how many times as fast as on one thread weft is, and the best peer at
// that, by wall time.
#pragma once

#include "numbers.hpp"

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

struct side {
  std::string name;
  std::function<void()> run;
  std::function<std::vector<double>()> result; // of the last run; none: a limit, not compared
  bool ours = false;                           // weft's first side under policy::fast: no peer
};

// What one run does. The rate in the table is of operations, or of bytes where there are none.
struct work {
  double operations = 0, bytes = 0;
  int times = 1; // a run does it as often: for work of nanoseconds
};

struct contest {
  std::string name;
  work amount;
  double
      tolerance; // of results: greatest difference / greatest value, with the reason where it is set
  std::function<std::vector<side>(int threads)> sides; // weft first, then limits and peers
  int most_threads = 2;
};

// Runs what the command line asks for: [--threads N] [--figures FOLDER] [--list] [part of a name].
// Comes back: 0, or 1 where sides disagree.
int compete(char const* family, int argc, char** argv, std::vector<contest> const& contests);

template <class Numbers> std::vector<double> as_doubles(Numbers const& x) {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(x.size()));
  for (auto const& e : x)
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(e)>>)
      all.push_back(static_cast<double>(e));
    else all.push_back(static_cast<double>(static_cast<float>(e)));
  return all;
}

} // namespace bench

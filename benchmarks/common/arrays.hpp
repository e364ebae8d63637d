// SPDX-License-Identifier: BSL-1.0
// Arrays of a contest: the same numbers for all sides, and a place for a peer's result.
#pragma once

#include "contest.hpp"

#include <memory>

namespace bench {

struct arrays {
  using block = std::shared_ptr<std::vector<float>>;
  std::vector<block> in;
  block out;

  arrays(std::vector<std::size_t> const& sizes, std::size_t result)
      : out(std::make_shared<std::vector<float>>(result)) {
    unsigned seed = 1;
    for (std::size_t const n : sizes)
      in.push_back(std::make_shared<std::vector<float>>(uniform(n, seed++)));
  }
  float const* operator[](std::size_t i) const { return in[i]->data(); }
  float* result() const { return out->data(); }

  // A peer that reads these and writes into result(); they live as long as it does.
  template <class Run> side peer(std::string name, Run run) const {
    return {std::move(name), [run, kept = *this]() mutable { run(); },
            [to = out] { return as_doubles(*to); }};
  }
};

// A hand-written loop over rows [from, to) of `rows`, on OpenMP's threads.
template <class Rows> void on_rows(int threads, int rows, Rows const& part) {
  if (threads == 1) return part(0, rows);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int i = 0; i < threads; ++i)
    part(static_cast<int>(static_cast<long>(rows) * i / threads),
         static_cast<int>(static_cast<long>(rows) * (i + 1) / threads));
}

} // namespace bench

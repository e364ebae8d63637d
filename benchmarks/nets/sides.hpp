// SPDX-License-Identifier: BSL-1.0
// What the networks' contests share: their numbers, and products of float matrices by OpenBLAS as
// whoever writes a network by hand calls them.
#pragma once

#include "../common/arrays.hpp"
#include "../common/blas.hpp"
#include "../common/eigen.hpp"
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"

#include <cmath>
#include <cstddef>

namespace bench {

std::vector<contest> cells();            // bench_cells.cpp
std::vector<contest> cell_training();    // bench_cell_training.cpp
std::vector<contest> small_networks();   // bench_networks.cpp
std::vector<contest> transformers();     // bench_transformer.cpp
std::vector<contest> character_models(); // bench_char_lm.cpp

using numbers = std::vector<float>;
template <class... N> constexpr std::size_t count_of(N... n) {
  return (static_cast<std::size_t>(n) * ...);
}
inline numbers scaled(std::size_t count, unsigned seed, float factor) {
  numbers x = uniform(count, seed);
  for (float& e : x) e *= factor;
  return x;
}

// out[m, n] = a[m, k] b[k, n] + beta out, row-major; an operand that is stored transposed says so.
struct hand_product {
  blas const& library;
  void operator()(int m, int n, int k, float const* a, bool a_turned, float const* b, bool b_turned,
                  float* out, float beta = 0) const {
    library.sgemm(row_major, a_turned ? transposed : plain, b_turned ? transposed : plain, m, n, k,
                  1, a, a_turned ? m : k, b, b_turned ? k : n, beta, out, n);
  }
};
// The faster one of Debian's on this machine.
inline blas const* hand_blas() {
  auto const& all = blas_libraries();
  return all.empty() ? nullptr : &all.back();
}

// A network written by hand: Network(data, library) has run() and result(). One per contest; the
// threads are the library's.
template <class Network, class Data>
void add_by_hand(std::vector<side>& all, Data const& data, int threads) {
  blas const* const library = hand_blas();
  if (library == nullptr) return;
  auto const network = std::make_shared<Network>(data, *library);
  all.push_back({"hand, " + library->name,
                 [network, threads, library] {
                   library->set_threads(threads);
                   network->run();
                 },
                 [network] { return network->result(); }});
}

} // namespace bench

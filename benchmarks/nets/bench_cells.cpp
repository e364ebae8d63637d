// SPDX-License-Identifier: BSL-1.0
// Recurrent layers forward: all states of a batch of sequences.
#include "onednn_cells.hpp"

namespace bench {
namespace {

template <int Steps, int Batch, int In, int Hidden, int Gates>
std::vector<side> sides_of(int threads) {
  cell_sizes const sizes{Steps, Batch, In, Hidden, Gates};
  cell_numbers const n(sizes);
  auto const x = tensor_of<float, Steps, Batch, In>(n.x);
  auto const h = tensor_of<float, Batch, Hidden>(n.h);
  std::vector<side> all;
  if constexpr (Gates == 3)
    all.push_back(
        weft_side<gru_states>(threads, weights_of<weft::gru_weights, Gates, In, Hidden>(n), h, x));
  else
    all.push_back(weft_side<lstm_states>(threads,
                                         weights_of<weft::lstm_weights, Gates, In, Hidden>(n), h,
                                         tensor_of<float, Batch, Hidden>(n.c), x));
  all.push_back(arithmetic_limit(arithmetic::f32, sizes.forward_operations(), threads));
#ifdef WEFT_HAS_DNNL
  add_onednn<onednn_cell>(all, n, threads, false);
#endif
#ifdef WEFT_HAS_EIGEN
  add_by_hand<cell_by_hand>(all, n, threads);
#endif
  return all;
}

// Sigmoid and tanh of all sides are a few places apart, and states carry that on.
template <int Steps, int Batch, int In, int Hidden, int Gates> contest forward() {
  std::string const sizes = std::to_string(Steps) + "x" + std::to_string(Batch) + "x" +
                            std::to_string(In) + "->" + std::to_string(Hidden);
  return {(Gates == 3 ? "GRU forward " : "LSTM forward ") + sizes,
          {cell_sizes{Steps, Batch, In, Hidden, Gates}.forward_operations()},
          2e-5,
          sides_of<Steps, Batch, In, Hidden, Gates>};
}

} // namespace

std::vector<contest> cells() {
  return {forward<64, 32, 256, 256, 3>(), forward<64, 16, 64, 256, 3>(),
          forward<32, 8, 64, 64, 3>(),    forward<128, 1, 64, 128, 3>(),
          forward<64, 32, 256, 256, 4>(), forward<32, 8, 64, 64, 4>()};
}

} // namespace bench

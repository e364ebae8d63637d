// SPDX-License-Identifier: BSL-1.0
// JAX's GRU as part of this program: weft_add_model makes <gru.hpp> of data/gru.mlir, and jit fuses
// and compiles it as it does weft's own functions. A wrong shape is a compile error.
//   interop_compiled examples/interop/data
#include <weft/io.hpp>

#include <gru.hpp>

#include <cmath>
#include <cstdio>

namespace {

using weft::tensor;

void run(std::string const& folder) {
  weft::safetensors_file const file(folder + "/gru.safetensors");
  auto const x = weft::load_npy<float, 24, 1, 16>(folder + "/gru_x.npy");
  auto const expected = weft::load_npy<float, 24, 1, 8>(folder + "/gru_y.npy");
  tensor<float, 24, 1, 8> const y = weft::jit<gru>(
      file.load<float, 96>("b"), file.load<float, 96>("c"), file.load<float, 32, 8>("out"),
      file.load<float, 32, 96>("u"), file.load<float, 16, 96>("w"), x);
  double largest = 0;
  for (int i = 0; i < y.size(); ++i) {
    double const d = std::abs(static_cast<double>(y.data()[i]) - expected.data()[i]);
    if (!(d <= largest)) largest = d; // a NaN stays
  }
  std::printf("weft %.7g, theirs %.7g\nlargest difference: %.2g\n", static_cast<double>(y(0, 0, 0)),
              static_cast<double>(expected(0, 0, 0)), largest);
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: interop_compiled FOLDER\n", stderr), 2;
  try {
    run(arguments[1]);
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "interop_compiled: %s\n", e.what());
    return 1;
  }
}

// SPDX-License-Identifier: BSL-1.0
// Runs a model that another system exported: NAME.mlir, the module; NAME.safetensors, its weights by
// the names of its arguments; NAME_x.npy, an input; and compares with what that system computed,
// NAME_y.npy. Nothing here knows the model.
//   interop_run examples/interop/data/gru
#include <weft/io/host_arrays.hpp>
#include <weft/stablehlo.hpp>

#include <cmath>
#include <cstdio>

namespace {

using weft::host_array;

float const* elements(host_array const& x) {
  if (x.type() != weft::dtype::f32) weft::raise<weft::usage_error>("interop_run: f32 alone");
  return reinterpret_cast<float const*>(x.data());
}
void print(char const* what, host_array const& x) {
  std::printf("%s %s:", what, weft::message().add(x.shape()).c_str());
  for (int i = 0; i < x.size() && i < 4; ++i)
    std::printf(" %.7g", static_cast<double>(elements(x)[i]));
  std::printf("%s\n", x.size() > 4 ? " ..." : "");
}
double largest_difference(host_array const& x, host_array const& y) {
  if (!(x.shape() == y.shape())) weft::raise<weft::shape_error>("interop_run: the shapes differ");
  double largest = 0;
  for (int i = 0; i < x.size(); ++i) {
    double const d = std::abs(static_cast<double>(elements(x)[i]) - elements(y)[i]);
    if (!(d <= largest)) largest = d; // a NaN stays
  }
  return largest;
}

void run(std::string const& name) {
  weft::model m = weft::stablehlo::load(name + ".mlir");
  weft::safetensors_file const weights(name + ".safetensors");
  std::vector<host_array> inputs;
  for (int i = 0; i < m.inputs(); ++i) {
    std::string const argument = m.input(i).name;
    inputs.push_back(weights.contains(argument)
                         ? weights.load_any(argument)
                         : weft::load_npy_any(name + "_" + argument + ".npy"));
  }
  host_array const y = m.run(inputs)[0], expected = weft::load_npy_any(name + "_y.npy");
  print("weft", y);
  print("theirs", expected);
  std::printf("largest difference: %.2g\n", largest_difference(y, expected));
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: interop_run FOLDER/NAME\n", stderr), 2;
  try {
    run(arguments[1]);
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "interop_run: %s\n", e.what());
    return 1;
  }
}

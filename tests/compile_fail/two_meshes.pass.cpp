// SPDX-License-Identifier: BSL-1.0
#include <weft/mesh.hpp>

using weft::tensor;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;
constexpr auto two = weft::sub_mesh<four, "data">;
inline constexpr auto f = [](auto x) { return weft::all_reduce<two>(weft::all_reduce<four>(x)); };
auto example(tensor<float, 3> x) { return weft::jit<f>(x); }

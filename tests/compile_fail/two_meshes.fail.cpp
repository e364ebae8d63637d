// SPDX-License-Identifier: BSL-1.0
// expect: weft: a function's collectives are over meshes of different numbers of ranks; use one mesh, its sub_mesh or split_axis
#include <weft/mesh.hpp>

using weft::tensor;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;
constexpr auto two = weft::mesh<weft::axis<"model", 2>>;
inline constexpr auto f = [](auto x) { return weft::all_reduce<two>(weft::all_reduce<four>(x)); };
auto example(tensor<float, 3> x) { return weft::jit<f>(x); }

// SPDX-License-Identifier: BSL-1.0
// expect: weft: grad: a function of custom_vjp inside of partition has lost its rules; take the gradient inside of the partitioned function
#include <weft/partition.hpp>
#include <weft/weft.hpp>

using weft::in_parts, weft::out_parts, weft::replicated, weft::tensor;

constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
constexpr auto rounded = weft::custom_vjp([](auto x) { return weft::floor(x); },
                                          [](auto x) { return std::pair(weft::floor(x), x); },
                                          [](auto, auto ct) { return ct; });
inline constexpr auto f = [](auto x) { return weft::sum(rounded(x)); };
inline constexpr auto part = weft::partition<m, in_parts<replicated>, out_parts<replicated>>(f);
auto example(tensor<float, 6> const& x) { return weft::jit<weft::grad(part)>(x); }

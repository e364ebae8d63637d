// SPDX-License-Identifier: BSL-1.0
#include "timing.hpp"

#include <weft/weft.hpp>

namespace {
using namespace debug_bench;

template <int... E> weft::tensor<float, E...> array_of(unsigned seed) {
  weft::tensor<float, E...> x;
  auto const from = some_numbers((static_cast<std::size_t>(E) * ...), seed);
  auto view = x.mutate();
  float* const to = view.begin();
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
  return x;
}
constexpr auto chain = [](auto a, auto b) { return (a * 2.0f + b) * (a - b) + 1.0f; };
constexpr auto exponential = [](auto a) { return exp(a); };
constexpr auto softmax = [](auto a) { return weft::softmax(a); };
constexpr auto product = [](auto a, auto b) { return weft::einsum<"ik,kj->ij">(a, b); };
constexpr auto total = [](auto a) { return sum(a); };

} // namespace

int main() {
  auto const a = array_of<length>(1), b = array_of<length>(2);
  measure("elementwise chain", [&] { return weft::jit<chain>(a, b)(7); });
  measure("exp", [&] { return weft::jit<exponential>(a)(7); });
  measure("sum", [&] { return weft::jit<total>(a)(); });
  auto const m = array_of<rows, columns>(3);
  measure("softmax of rows", [&] { return weft::jit<softmax>(m)(7, 7); });
  auto const p = array_of<side, side>(4), q = array_of<side, side>(5);
  measure("product 128", [&] { return weft::jit<product>(p, q)(7, 7); });
  auto const s = array_of<small, small>(6), t = array_of<small, small>(7);
  measure("product 4", [&] { return weft::jit<product>(s, t)(2, 2); });
  weft::tensor<float, small, small> r;
  measure("expression of 4x4", [&] {
    r = s * 2.0f + t;
    return r(2, 2);
  });
  measure("reading each of 1e5", [&] {
    float x = 0;
    for (int i = 0; i < length; ++i) x += a(i);
    return x;
  });
}

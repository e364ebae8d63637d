// SPDX-License-Identifier: BSL-1.0
#include "timing.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace {
using namespace debug_bench;

xt::xtensor<float, 1> array_of(int count, unsigned seed) {
  return xt::adapt(some_numbers(static_cast<std::size_t>(count), seed));
}
xt::xtensor<float, 2> matrix_of(int m, int n, unsigned seed) {
  return xt::adapt(
      some_numbers(static_cast<std::size_t>(m * n), seed),
      std::vector<std::size_t>{static_cast<std::size_t>(m), static_cast<std::size_t>(n)});
}

} // namespace

int main() {
  auto const a = array_of(length, 1), b = array_of(length, 2);
  xt::xtensor<float, 1> to = a;
  measure("elementwise chain", [&] {
    xt::noalias(to) = (a * 2.0f + b) * (a - b) + 1.0f;
    return to(7);
  });
  measure("exp", [&] {
    xt::noalias(to) = xt::exp(a);
    return to(7);
  });
  measure("sum", [&] { return xt::sum(a)(); });
  auto const m = matrix_of(rows, columns, 3);
  xt::xtensor<float, 2> soft = m;
  measure("softmax of rows", [&] {
    xt::xtensor<float, 2> const e = xt::exp(m -
                                            xt::view(xt::amax(m, {1}), xt::all(), xt::newaxis()));
    xt::noalias(soft) = e / xt::view(xt::sum(e, {1}), xt::all(), xt::newaxis());
    return soft(7, 7);
  });
  auto const s = matrix_of(small, small, 6), t = matrix_of(small, small, 7);
  xt::xtensor<float, 2> r = s;
  measure("expression of 4x4", [&] {
    xt::noalias(r) = s * 2.0f + t;
    return r(2, 2);
  });
  measure("reading each of 1e5", [&] {
    float x = 0;
    for (int i = 0; i < length; ++i) x += a(i);
    return x;
  });
}

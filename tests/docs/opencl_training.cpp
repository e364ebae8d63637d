// SPDX-License-Identifier: BSL-1.0
// Around the examples of docs/opencl.md, which train: the same bits as on the host.
// link: tests/support/opencl.cpp
#include <weft/weft.hpp>

#include <cstdio>

extern template struct weft::opencl::engine_code<>; // support/opencl.cpp

template <template <class, auto...> class array> struct layer {
  array<float, 3, 2> w;
  array<float, 2> b;
};
constexpr auto loss_of = [](auto p, auto x, auto y, auto k) {
  auto const noise = weft::normal<float, 4, 2>(k) * 0.01f;
  return weft::mean(weft::square(weft::linear<"bi,io->bo">(x, p.w, p.b) + noise - y));
};
constexpr auto step = [](auto p, auto x, auto y, auto k) {
  auto [value, grad] = weft::value_and_grad(loss_of)(p, x, y, k);
  return std::pair(weft::sgd(p, grad, 0.1f), value);
};

int main() {
  if (weft::opencl::devices().empty()) return std::puts("no OpenCL device") < 0;
  layer<weft::tensor> params, expected;
  weft::tensor<float, 4, 3> const images = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  weft::tensor<float, 4, 2> const labels = {{1, 2}, {2, 1}, {3, 0}, {6, 3}};
  int const steps = 3;
  // example
  for (int i = 0; i < steps; ++i)
    expected = weft::jit<step>(expected, images, labels, weft::key(i)).first;
  for (int j = 0; j < 2; ++j) {
    if (params.b(j) != expected.b(j)) return 1;
    for (int i = 0; i < 3; ++i)
      if (params.w(i, j) != expected.w(i, j)) return 1;
  }
}

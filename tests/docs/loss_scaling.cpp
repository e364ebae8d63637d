// SPDX-License-Identifier: BSL-1.0
// Around the fragment of docs/transforms.md: a training step over parameters in bf16.
#include <weft/weft.hpp>

#include <cstdio>

using namespace weft;

template <template <class, auto...> class array> struct params {
  array<bf16, 3> w;
};
constexpr auto f = [](auto p, auto x, auto labels) {
  return mean(square(convert<float>(einsum<"bi,i->b">(x, p.w)) - labels));
};
template <template <class, auto...> class array> struct training {
  params<array> p;
  master<params, array> m;
  loss_scale<array> scale;
};
constexpr auto train = [](auto t, auto x, auto labels) {
  // example
  auto result = t;
  std::tie(result.p, result.m) = next;
  result.scale = scale;
  return std::pair(result, loss);
};

int main() {
  training<tensor> t;
  t.m = master_weights(t.p);
  t.scale = initial_loss_scale();
  tensor<bf16, 4, 3> const x = convert<bf16>(
      tensor<float, 4, 3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}});
  tensor<float, 4> const labels = {1, 2, 3, 6};
  float first = 0, last = 0;
  for (int i = 0; i < 50; ++i) {
    auto [next, loss] = jit<train>(t, x, labels);
    t = next;
    last = loss();
    if (i == 0) first = last;
  }
  if (!(last < 0.01f * first)) return 1;
}

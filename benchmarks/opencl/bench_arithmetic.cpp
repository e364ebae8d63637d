// SPDX-License-Identifier: BSL-1.0
// Programs that arithmetic bounds: square products of float and bf16, larger ones until one takes
// the device more than a second; a GRU's step; a network's training step.
#include "beside.hpp"

#include <weft/lang/einsum.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/optimise.hpp>
#include <weft/lang/reductions.hpp>

namespace {
using namespace weft;

constexpr sym n{"n"};
constexpr int batch = 64, hidden = 256;
constexpr int images = 256, pixels = 784, features = 512, classes = 10;

constexpr auto product = [](auto a, auto b) { return einsum<"ik,kj->ij">(a, b); };
constexpr auto gru_step = [](auto p, auto h, auto x) { return gru(p, h, x); };

template <template <class, auto...> class array> struct mlp {
  array<float, pixels, features> w;
  array<float, features> b;
  array<float, features, classes> v;
};
constexpr auto mlp_loss = [](auto p, auto x, auto labels) {
  auto h = tanh(linear<"bi,ih->bh">(x, p.w, p.b));
  return mean(softmax_cross_entropy(einsum<"bh,ho->bo">(h, p.v), labels));
};
constexpr auto mlp_step = [](auto p, auto x, auto labels) {
  auto [value, grads] = value_and_grad(mlp_loss)(p, x, labels);
  return std::pair(sgd(p, grads, 0.1f), value);
};

template <class T> void run_products(bench::runs& r, char const* type) {
  for (int side : {256, 512, 1024, 2048, 4096, 8192}) {
    auto const a = bench::numbers<T, n, n>(side), b = bench::numbers<T, n, n>(side);
    double const operations = 2.0 * side * side * side;
    std::string const name = type + (" product, " + std::to_string(side));
    if (r.program<product>(name, {.operations = operations}, a, b) > 1) return;
  }
}
void run_gru(bench::runs& r) {
  gru_weights<tensor, hidden, hidden> const p{
      bench::numbers<float, 3 * hidden, hidden>(), bench::numbers<float, 3 * hidden, hidden>(),
      bench::numbers<float, 3 * hidden>(), bench::numbers<float, 3 * hidden>()};
  auto const x = bench::numbers<float, batch, hidden>();
  double const operations = 2.0 * batch * 3 * hidden * (hidden + hidden);
  r.program<gru_step>("GRU step, 64 of 256", {.operations = operations}, p, x, x);
}
// Forward one product by layer; backward one more for the first, two for the second.
void run_mlp(bench::runs& r) {
  mlp<tensor> const p{bench::numbers<float, pixels, features>(), bench::numbers<float, features>(),
                      bench::numbers<float, features, classes>()};
  auto const x = bench::numbers<float, images, pixels>();
  tensor<int, images> labels;
  for (int i = 0; i < images; ++i) labels.mutate()(i) = i % classes;
  double const operations = 2.0 * images * features * (2.0 * pixels + 3.0 * classes);
  r.program<mlp_step>("training step, 784-512-10", {.operations = operations}, p, x, labels);
}

} // namespace

void bench::run_arithmetic(runs& r) {
  run_products<float>(r, "float");
  run_products<bf16>(r, "bf16");
  run_gru(r);
  run_mlp(r);
}

// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Training on a device ends in the CPU's weights, bit for bit: a network with dropout and Adam, and
// a GRU in time with SGD. A step copies no array, builds nothing and waits for nothing.
#include "run/device.hpp"

#include <weft/lang/einsum.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/optimise.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>

namespace {

using namespace weft;
using test::expect_same, test::expect_steady, test::ramp, test::no_device;

template <template <class, auto...> class array> struct mlp {
  array<float, 5, 19> w;
  array<float, 19> b;
  array<float, 19, 3> v;
};
using moments = adam_for<mlp>::state<tensor>;

constexpr auto mlp_loss = [](auto p, auto x, auto labels, auto k) {
  auto h = dropout(k, 0.2f, tanh(linear<"bi,ih->bh">(x, p.w, p.b)));
  return mean(softmax_cross_entropy(einsum<"bh,ho->bo">(h, p.v), labels));
};
constexpr auto mlp_step = [](auto p, auto m, auto x, auto labels, auto k) {
  auto keys = split(k);
  auto [value, grads] = value_and_grad(mlp_loss)(p, x, labels, keys[0]);
  auto [next, next_m] = adam(p, grads, m, 0.01f);
  return std::tuple(next, next_m, value, keys[1]);
};
struct train_mlp
    : program<mlp_step, mlp<tensor>, moments, tensor<float, 11, 5>, tensor<int, 11>, key> {};

TEST(device_training, of_a_network_with_dropout_and_adam) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  std::tuple state(
      mlp<tensor>{ramp<float, 5, 19>(0.03), ramp<float, 19>(0.1), ramp<float, 19, 3>(0.07)},
      moments{}, tensor<float>(0.0f), key(42));
  auto there = to_device(gpu, state);
  auto const x = ramp<float, 11, 5>(0.13);
  tensor<int, 11> labels;
  for (int i = 0; i < 11; ++i) labels.mutate()(i) = i % 3;
  auto const x_there = to_device(gpu, x);
  auto const labels_there = to_device(gpu, labels);
  opencl::counts before{};
  for (int i = 0; i < 12; ++i) {
    if (i == 4) before = gpu.counted();
    state = jit<train_mlp>(std::get<0>(state), std::get<1>(state), x, labels, std::get<3>(state));
    there = jit<train_mlp>(gpu, std::move(std::get<0>(there)), std::move(std::get<1>(there)),
                           x_there, labels_there, std::get<3>(there));
  }
  opencl::counts const after = gpu.counted();
  expect_steady(before, after);
  EXPECT_EQ(before.bytes_written, after.bytes_written);
  EXPECT_EQ(before.buffers_alive, after.buffers_alive);
  expect_same(state, there);
}

template <template <class, auto...> class array> struct recurrent {
  gru_weights<array, 4, 6> cell;
  array<float, 6> out;
};
constexpr auto gru_step = [](auto p, auto h0, auto xs, auto ys, auto rate) {
  auto loss = [](auto q, auto h, auto x, auto y) {
    auto [last, hs] = scan(
        [&](auto c, auto xt) {
          auto next = gru(q.cell, c, xt);
          return std::pair(next, next);
        },
        h, x);
    auto error = einsum<"tbh,h->tb">(hs, q.out) - y;
    return std::pair(mean(error * error), last);
  };
  auto [result, grads] = value_and_grad(loss)(p, h0, xs, ys);
  return std::tuple(sgd(p, grads, rate), result.second, result.first);
};

TEST(device_training, of_a_gru_in_time) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  std::tuple state(recurrent<tensor>{{ramp<float, 18, 4>(0.03), ramp<float, 18, 6>(0.07),
                                      ramp<float, 18>(0.11), ramp<float, 18>(0.2)},
                                     ramp<float, 6>(0.3)},
                   tensor<float, 3, 6>{}, tensor<float>(0.0f));
  auto there = to_device(gpu, state);
  auto const xs = ramp<float, 7, 3, 4>(0.013);
  auto const ys = ramp<float, 7, 3>(0.05);
  auto const xs_there = to_device(gpu, xs);
  opencl::counts before{};
  for (int i = 0; i < 6; ++i) {
    if (i == 4) before = gpu.counted();
    float const rate = 0.1f / static_cast<float>(i + 1);
    auto& [p, h, loss] = there;
    state = jit<gru_step>(std::get<0>(state), std::get<1>(state), xs, ys, rate);
    there = jit<gru_step>(gpu, std::move(p), h, xs_there, ys, rate); // ys is copied at every step
  }
  expect_steady(before, gpu.counted());
  expect_same(state, there);
}

} // namespace

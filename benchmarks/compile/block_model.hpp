// SPDX-License-Identifier: BSL-1.0
// A pre-norm block (softmax gate, two products) and a training step over twelve of them, written
// unrolled and as a scan: what a compiler has to swallow for a model of ordinary depth.
#pragma once

#include <weft/weft.hpp>

namespace block_model {

inline constexpr int rows = 32, width = 64, inner = 128, layers = 12;

template <template <class, auto...> class array> struct block {
  array<float, width> scale, shift;
  array<float, width, inner> w1;
  array<float, inner> b1;
  array<float, inner, width> w2;
  array<float, width> b2;
};

inline constexpr auto normalised = [](auto x, auto scale, auto shift) {
  using weft::mean, weft::sqrt, weft::keep;
  auto centred = x - mean<1, keep>(x);
  return centred / sqrt(mean<1, keep>(centred * centred) + 1e-5f) * scale + shift;
};
inline constexpr auto apply = [](auto h, auto p) {
  using weft::einsum, weft::softmax, weft::tanh;
  auto x = normalised(h, p.scale, p.shift);
  auto y = tanh(einsum<"bi,ih->bh">(x, p.w1) + p.b1);
  auto gate = softmax<1>(y);
  return h + einsum<"bh,hi->bi">(y * gate, p.w2) + p.b2;
};

template <template <class, auto...> class array> struct unrolled_model {
  std::array<block<array>, layers> blocks;
};
template <template <class, auto...> class array> struct scanned_model {
  weft::stacked<block, layers, array> blocks;
};

inline constexpr auto unrolled_loss = [](auto p, auto x, auto target) {
  auto h = x;
  for (auto const& b : p.blocks) h = apply(h, b);
  auto error = h - target;
  return mean(error * error);
};
inline constexpr auto scanned_loss = [](auto p, auto x, auto target) {
  auto body = [](auto h, auto b) { return std::pair(apply(h, b), weft::none); };
  auto error = scan(body, x, p.blocks).first - target;
  return mean(error * error);
};

template <auto Loss>
inline constexpr auto step = [](auto p, auto x, auto target) {
  auto [value, grads] = weft::value_and_grad(Loss)(p, x, target);
  return std::pair(sgd(p, grads, 0.1f), value);
};

using data = weft::tensor<float, rows, width>;
struct unrolled_step
    : weft::program<step<unrolled_loss>, unrolled_model<weft::tensor>, data, data> {};
struct scanned_step : weft::program<step<scanned_loss>, scanned_model<weft::tensor>, data, data> {};

} // namespace block_model

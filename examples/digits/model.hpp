// SPDX-License-Identifier: BSL-1.0
// The network and how it learns, as functions of arrays: an 8x8 scan -> two convolutions -> the
// largest of every 2x2 -> a convolution -> one number per digit.
// Shapes: scans (n, 65), the pixels 0..16 row by row and then the digit; images (n, 8, 8, 1) in
// [0, 1]; logits (n, 10).
// Leaves: pure functions; what a step draws depends on the key and on Adam's count of steps alone.
#pragma once

#include <weft/weft.hpp>

#include <cstdint>
#include <tuple>
#include <utility>

namespace digits {

using weft::tensor;

inline constexpr int side = 8, pixels = side * side, classes = 10;
inline constexpr int to_learn = 1437, held_out = 360; // scans
inline constexpr int batch = 32, batches = to_learn / batch;
inline constexpr int narrow = 32, wide = 64; // channels
inline constexpr float dropped = 0.3f;

template <template <class, auto...> class array> struct params {
  array<float, 3, 3, 1, narrow> first;
  array<float, narrow> first_bias;
  array<float, 3, 3, narrow, narrow> second;
  array<float, narrow> second_bias;
  array<float, 3, 3, narrow, wide> third;
  array<float, wide> third_bias;
  array<float, classes, side / 2, side / 2, wide> output;
  array<float, classes> output_bias;
};
template <template <class, auto...> class array>
using moments = typename weft::adam_for<params>::template state<array>;

// ---- data
inline constexpr auto images_of = [](auto scans) {
  return reshape<-1, side, side, 1>(convert<float>(at<":, :64">(scans))) / 16;
};
inline constexpr auto labels_of = [](auto scans) { return convert<int>(at<":, 64">(scans)); };

// The share of source pixel k in a pixel that is read at `place`, between pixels: (..., k).
inline constexpr auto shares_at = [](auto place) {
  return maximum(1 - abs(at<"..., new">(place) - weft::arange<float, side>()), 0);
};
// Every image moved by up to a pixel, stretched and slanted by a little. Outside there is paper.
inline constexpr auto moved = [](auto key, auto images) {
  auto keys = weft::split<3>(key);
  auto shift = weft::uniform<batch, 2>(keys[0], -1.0f, 1.0f);
  auto stretch = weft::uniform<batch, 2>(keys[1], 0.85f, 1.15f);
  auto slant = weft::uniform<batch, 1>(keys[2], -0.25f, 0.25f);
  constexpr float middle = (side - 1) / 2.0f;
  auto from_middle = weft::arange<float, side>() - middle;
  auto along = at<"..., new">(stretch) * from_middle + at<"..., new">(shift) + middle; // (n, 2, 8)
  auto columns = at<":, 1, new, :">(along) + at<"..., new">(slant * from_middle);      // (n, 8, 8)
  auto by_rows = einsum<"nik,nkjc->nijc">(shares_at(at<":, 0">(along)), images);
  return einsum<"nijk,nikc->nijc">(shares_at(columns), by_rows);
};
inline constexpr auto augment = [](auto key, auto images) {
  auto [for_place, for_noise] = weft::split<2>(key);
  return moved(for_place, images) + 0.05f * weft::normal<batch, side, side, 1>(for_noise);
};

// ---- network
inline constexpr auto layer = [](auto x, auto filter, auto bias) {
  return relu(
      conv<"NHWC,HWIO->NHWC", weft::conv_options{.padding = weft::pads::same}>(x, filter, bias));
};
inline constexpr auto features_of = [](auto p, auto images) {
  auto x = layer(layer(images, p.first, p.first_bias), p.second, p.second_bias);
  auto pooled = max<2, 4>(reshape<-1, side / 2, 2, side / 2, 2, narrow>(x));
  return layer(pooled, p.third, p.third_bias);
};
inline constexpr auto logits_of = [](auto p, auto features) {
  return linear<"nhwc,khwc->nk">(features, p.output, p.output_bias);
};
inline constexpr auto loss = [](auto p, auto images, auto labels, auto key) {
  auto logits = logits_of(p, dropout(key, dropped, features_of(p, images)));
  return mean(softmax_cross_entropy(logits, labels));
};

// ---- training
inline constexpr auto full_batches = [](auto order) {
  static_assert(batches * batch == 1408);
  return reshape<batches, batch>(at<":1408">(order));
};
// Every scan once, in an order of the key's, but for those that do not fill a batch. Gives
// (parameters, moments, mean nats).
template <auto Loss>
inline constexpr auto train_epoch =
    [](auto before, auto adam_before, auto scans, auto key, auto rate) {
      auto keys = weft::split<2>(key); // no structured binding: clang 16 captures none here
      auto order = weft::permutation<to_learn>(keys[0]);
      auto step = [&](auto state, auto rows) {
        auto [p, m] = state;
        auto [for_augment, for_loss] = weft::split<2>(fold_in(keys[1], m.step));
        auto chosen = take<0>(scans, rows);
        auto [nats, grads] = weft::value_and_grad(Loss)(p, augment(for_augment, images_of(chosen)),
                                                        labels_of(chosen), for_loss);
        return std::pair(adam(p, grads, m, rate), nats);
      };
      auto [last, nats] = scan(step, std::pair(before, adam_before), full_batches(order));
      return std::tuple(last.first, last.second, mean(nats));
    };
// Probabilities of the ten digits.
inline constexpr auto predict = [](auto p, auto scans) {
  return softmax(logits_of(p, features_of(p, images_of(scans))));
};

using parameters = params<tensor>;
using training_scans = tensor<std::uint8_t, to_learn, pixels + 1>;
using held_out_scans = tensor<std::uint8_t, held_out, pixels + 1>;
using probabilities = tensor<float, held_out, classes>;

parameters starting_point(weft::key key);

struct train_f32 : weft::program<train_epoch<loss>, parameters, moments<tensor>, training_scans,
                                 weft::key, float> {};
struct train_bf16 : weft::program<train_epoch<weft::autocast<weft::bf16>(loss)>, parameters,
                                  moments<tensor>, training_scans, weft::key, float> {};
struct predict_held_out : weft::program<predict, parameters, held_out_scans> {};

} // namespace digits

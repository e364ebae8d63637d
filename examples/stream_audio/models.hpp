// SPDX-License-Identifier: BSL-1.0
// Three networks that take a sample of sound and give one: their parameters, their states, and one
// step of each, (parameters, state, sample) -> pair(next state, sample). The sample itself is added to
// what the network says, so that an untrained one colours the sound and does not destroy it.
#pragma once

#include <weft/weft.hpp>

#include <array>
#include <tuple>
#include <utility>

namespace stream_audio {

using weft::at, weft::einsum, weft::key, weft::set, weft::tensor;

inline constexpr int hidden = 24;

template <template <class, auto...> class array> struct gru_net {
  weft::gru_weights<array, 1, hidden> cell;
  array<float, hidden> out;
};
template <template <class, auto...> class array> struct lstm_net {
  weft::lstm_weights<array, 1, hidden> cell;
  array<float, hidden> out;
};
template <template <class, auto...> class array> struct lstm_state {
  array<float, hidden> h, c;
};

inline constexpr auto gru_step = [](auto p, auto h, auto x) {
  auto next = weft::gru(p.cell, h, weft::reshape<1>(x));
  return std::pair(next, x + einsum<"h,h->">(next, p.out));
};
inline constexpr auto lstm_step = [](auto p, auto s, auto x) {
  auto [h, c] = weft::lstm(p.cell, s.h, s.c, weft::reshape<1>(x));
  s.h = h;
  s.c = c;
  return std::pair(s, x + einsum<"h,h->">(h, p.out));
};

// Dilated causal convolutions of two taps: layer n sees the present and 2^n samples back, all ten of
// them 1,024 samples. What a layer will need again stands in a ring; a step writes one row of it.
inline constexpr int channels = 8, layers = 10;

template <template <class, auto...> class array> struct conv_layer {
  array<float, channels, channels> then, now;
  array<float, channels> bias;
};
template <template <class, auto...> class array> struct conv_net {
  array<float, channels> in, out;
  std::array<conv_layer<array>, layers> layer;
};

// The number of steps so far, and a ring per layer: (2^n, channels).
template <int... Layer> auto make_rings(std::integer_sequence<int, Layer...>) {
  return std::tuple<tensor<int>, tensor<float, (1 << Layer), channels>...>{};
}
using conv_state = decltype(make_rings(std::make_integer_sequence<int, layers>{}));

template <int Layer, class Params, class State, class X, class Sum>
constexpr auto convolve(Params const& p, State& state, X const& x, Sum const& sum) {
  if constexpr (Layer == layers) return sum;
  else {
    auto const& mine = std::get<Layer>(p.layer);
    auto& ring = std::get<Layer + 1>(state);
    auto const place = std::get<0>(state) % (1 << Layer);
    auto const then = at<"$">(ring, place);
    ring = set<"$">(ring, place, x);
    auto const y = tanh(einsum<"c,cd->d">(then, mine.then) +
                        weft::linear<"c,cd->d">(x, mine.now, mine.bias));
    return convolve<Layer + 1>(p, state, x + y, sum + y);
  }
}
inline constexpr auto conv_step = [](auto p, auto s, auto x) {
  auto const first = x * p.in;
  auto const sum = convolve<0>(p, s, first, first);
  std::get<0>(s) = std::get<0>(s) + 1;
  return std::pair(s, x + einsum<"c,c->">(sum, p.out));
};

// Weights drawn from a key.
inline gru_net<tensor> drawn_gru(key seed) {
  auto const keys = weft::split<3>(seed);
  gru_net<tensor> p;
  p.cell.input = weft::glorot_uniform<3 * hidden, 1>(keys[0]);
  p.cell.hidden = weft::glorot_uniform<3 * hidden, hidden>(keys[1]);
  p.out = weft::normal<float, hidden>(keys[2]) * 0.1f;
  return p;
}
inline lstm_net<tensor> drawn_lstm(key seed) {
  auto const keys = weft::split<3>(seed);
  lstm_net<tensor> p;
  p.cell.input = weft::glorot_uniform<4 * hidden, 1>(keys[0]);
  p.cell.hidden = weft::glorot_uniform<4 * hidden, hidden>(keys[1]);
  p.out = weft::normal<float, hidden>(keys[2]) * 0.1f;
  return p;
}
inline conv_net<tensor> drawn_conv(key seed) {
  auto const keys = weft::split<layers + 2>(seed);
  conv_net<tensor> p;
  p.in = weft::normal<float, channels>(keys[layers]) * 0.5f;
  p.out = weft::normal<float, channels>(keys[layers + 1]) * 0.02f;
  for (std::size_t n = 0; n < layers; ++n) {
    auto const both = weft::split<2>(keys[n]);
    auto& layer = p.layer[n];
    layer.then = weft::glorot_uniform<channels, channels>(both[0]);
    layer.now = weft::glorot_uniform<channels, channels>(both[1]);
  }
  return p;
}

} // namespace stream_audio

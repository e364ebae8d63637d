// SPDX-License-Identifier: BSL-1.0
// A layer as a user of weft writes it: conv in a compiled program, and its gradients by vjp.
// Leaves: programs of one convolve node (`--explain` prints them).
#pragma once

#include "layer.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/lang/conv.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/run/compiled.hpp>
#include <weft/run/explain.hpp>

#include <algorithm>

namespace bench {

template <layer L, layout Order = L.order> struct arrays_of { // NHWC
  using x = weft::tensor<float, L.batch, L.size, L.size, L.in>;
  using w = weft::tensor<float, L.filter, L.filter, L.in / L.groups, L.out>;
  using y = weft::tensor<float, L.batch, L.places(), L.places(), L.out>;
};
template <layer L> struct arrays_of<L, layout::nchw> {
  using x = weft::tensor<float, L.batch, L.in, L.size, L.size>;
  using w = weft::tensor<float, L.out, L.in / L.groups, L.filter, L.filter>;
  using y = weft::tensor<float, L.batch, L.out, L.places(), L.places()>;
};

template <layer L> struct weft_layer {
  using x_type = typename arrays_of<L>::x;
  using w_type = typename arrays_of<L>::w;
  using y_type = typename arrays_of<L>::y;
  static constexpr weft::conv_options options{
      .strides = L.stride, .padding = L.pad, .feature_groups = L.groups};

  static constexpr auto forward = [](auto const& x, auto const& w) {
    if constexpr (L.order == layout::nhwc) return weft::conv<"NHWC,HWIO->NHWC", options>(x, w);
    else return weft::conv<"NCHW,OIHW->NCHW", options>(x, w);
  };
  static constexpr auto by_input = [](auto const& x, auto const& w, auto const& cotangent) {
    return weft::vjp<0>(forward)(x, w, cotangent).second;
  };
  static constexpr auto by_filter = [](auto const& x, auto const& w, auto const& cotangent) {
    return weft::vjp<1>(forward)(x, w, cotangent).second;
  };
};

template <class Tensor> Tensor tensor_of(float const* from) {
  Tensor t;
  auto m = t.mutate();
  std::copy_n(from, t.size(), m.data());
  return t;
}

template <layer L, direction D> class weft_side {
  using in = weft_layer<L>;
  static auto program_for() {
    using x = typename in::x_type;
    using w = typename in::w_type;
    using y = typename in::y_type;
    if constexpr (D == direction::forward)
      return std::type_identity<weft::compiled<in::forward, x, w>>{};
    else if constexpr (D == direction::by_input)
      return std::type_identity<weft::compiled<in::by_input, x, w, y>>{};
    else return std::type_identity<weft::compiled<in::by_filter, x, w, y>>{};
  }
  using program = typename decltype(program_for())::type;

public:
  weft_side(operands const& from, int threads)
      : x_(tensor_of<typename in::x_type>(from.x)), w_(tensor_of<typename in::w_type>(from.w)),
        y_(tensor_of<typename in::y_type>(from.y)), pool_(threads), program_(threads) {}

  void run() {
    if constexpr (D == direction::forward) result_ = program_(pool_, x_, w_).data();
    else result_ = program_(pool_, x_, w_, y_).data();
  }
  float const* result() const { return result_; }

  static std::string explain() {
    if constexpr (D == direction::forward)
      return weft::explain<in::forward, typename in::x_type, typename in::w_type>();
    else if constexpr (D == direction::by_input)
      return weft::explain<in::by_input, typename in::x_type, typename in::w_type,
                           typename in::y_type>();
    else
      return weft::explain<in::by_filter, typename in::x_type, typename in::w_type,
                           typename in::y_type>();
  }

private:
  typename in::x_type x_;
  typename in::w_type w_;
  typename in::y_type y_;
  weft::cpu::pool pool_;
  program program_;
  float const* result_ = nullptr;
};

} // namespace bench

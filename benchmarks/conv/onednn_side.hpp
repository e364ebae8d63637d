// SPDX-License-Identifier: BSL-1.0
// A layer by oneDNN: with formats of its own choice for all arrays (reordered outside of the
// timing), for the filter alone, or with the layouts that the layer has.
// Needs: -fopenmp, and the number of threads set before (omp_set_num_threads).
#pragma once

#include "layer.hpp"

#include <oneapi/dnnl/dnnl.hpp>

#include <string>
#include <unordered_map>
#include <vector>

namespace bench {

enum class formats { own, own_filter, plain };

class onednn_side {
  using memory = dnnl::memory;
  using desc = memory::desc;
  using tag = memory::format_tag;

public:
  onednn_side(layer const& l, direction d, formats f, operands const& from)
      : layer_(l), direction_(d), formats_(f), engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_) {
    prepare_forward(d);
    if (d == direction::by_input) prepare_by_input();
    if (d == direction::by_filter) prepare_by_filter();
    for (auto const& [which, md, data] :
         {part{DNNL_ARG_SRC, plain_x(), from.x}, part{DNNL_ARG_WEIGHTS, plain_w(), from.w},
          part{DNNL_ARG_DIFF_DST, plain_y(), from.y}})
      if (inputs_.count(which) != 0) fill(which, md, data);
  }
  void run() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }
  // In the layer's layout.
  std::vector<float> result() {
    desc const plain = output_ == DNNL_ARG_DST        ? plain_y()
                       : output_ == DNNL_ARG_DIFF_SRC ? plain_x()
                                                      : plain_w();
    std::vector<float> out(result_count(layer_, direction_));
    memory to(plain, engine_, out.data());
    memory from = arguments_.at(output_);
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
    return out;
  }
  std::string const& kernel() const { return kernel_; }

private:
  struct part {
    int which;
    desc plain;
    float const* data;
  };

  desc described(memory::dims const& dims, tag t) const {
    return {dims, memory::data_type::f32, t};
  }
  memory::dims x_dims() const { return {layer_.batch, layer_.in, layer_.size, layer_.size}; }
  memory::dims y_dims() const {
    return {layer_.batch, layer_.out, layer_.places(), layer_.places()};
  }
  memory::dims w_dims() const {
    int const k = layer_.filter, g = layer_.groups;
    if (g == 1) return {layer_.out, layer_.in, k, k};
    return {g, layer_.out / g, layer_.in / g, k, k};
  }
  tag activations() const { return layer_.order == layout::nhwc ? tag::nhwc : tag::nchw; }
  tag filters() const {
    if (layer_.groups != 1) return layer_.order == layout::nhwc ? tag::hwigo : tag::goihw;
    return layer_.order == layout::nhwc ? tag::hwio : tag::oihw;
  }
  desc plain_x() const { return described(x_dims(), activations()); }
  desc plain_y() const { return described(y_dims(), activations()); }
  desc plain_w() const { return described(w_dims(), filters()); }
  tag asked(tag plain, bool filter) const {
    return formats_ == formats::own || (formats_ == formats::own_filter && filter) ? tag::any
                                                                                   : plain;
  }
  desc asked_x() const { return described(x_dims(), asked(activations(), false)); }
  desc asked_y() const { return described(y_dims(), asked(activations(), false)); }
  desc asked_w() const { return described(w_dims(), asked(filters(), true)); }

  memory::dims strides() const { return {layer_.stride, layer_.stride}; }
  memory::dims pads() const { return {layer_.pad, layer_.pad}; }
  memory::dims pads_high() const { // what the last window needs
    int const high = (layer_.places() - 1) * layer_.stride + layer_.filter - layer_.size -
                     layer_.pad;
    return {high, high};
  }
  static constexpr auto how = dnnl::algorithm::convolution_direct;

  void prepare_forward(direction d) {
    auto const kind = d == direction::forward ? dnnl::prop_kind::forward_inference
                                              : dnnl::prop_kind::forward_training;
    forward_ = {{kind, how, asked_x(), asked_w(), asked_y(), strides(), pads(), pads_high()},
                engine_};
    if (d != direction::forward) return;
    take(forward_, dnnl::convolution_forward(forward_), DNNL_ARG_DST, forward_.dst_desc());
    give(DNNL_ARG_SRC, forward_.src_desc());
    give(DNNL_ARG_WEIGHTS, forward_.weights_desc());
  }
  void prepare_by_input() {
    dnnl::convolution_backward_data::primitive_desc const p(
        {how, asked_x(), asked_w(), asked_y(), strides(), pads(), pads_high()}, engine_, forward_);
    take(p, dnnl::convolution_backward_data(p), DNNL_ARG_DIFF_SRC, p.diff_src_desc());
    give(DNNL_ARG_WEIGHTS, p.weights_desc());
    give(DNNL_ARG_DIFF_DST, p.diff_dst_desc());
  }
  void prepare_by_filter() {
    dnnl::convolution_backward_weights::primitive_desc const p(
        {how, asked_x(), asked_w(), asked_y(), strides(), pads(), pads_high()}, engine_, forward_);
    take(p, dnnl::convolution_backward_weights(p), DNNL_ARG_DIFF_WEIGHTS, p.diff_weights_desc());
    give(DNNL_ARG_SRC, p.src_desc());
    give(DNNL_ARG_DIFF_DST, p.diff_dst_desc());
  }
  template <class Description>
  void take(Description const& p, dnnl::primitive const& primitive, int output, desc const& md) {
    primitive_ = primitive;
    kernel_ = p.impl_info_str();
    output_ = output;
    arguments_.emplace(output, memory(md, engine_));
  }
  void give(int which, desc const& md) {
    arguments_.emplace(which, memory(md, engine_));
    inputs_.emplace(which, md);
  }
  void fill(int which, desc const& plain, float const* data) {
    memory from(plain, engine_, const_cast<float*>(data));
    memory to = arguments_.at(which);
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  }

  layer layer_;
  direction direction_;
  formats formats_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::convolution_forward::primitive_desc forward_;
  dnnl::primitive primitive_;
  std::unordered_map<int, memory> arguments_;
  std::unordered_map<int, desc> inputs_;
  int output_ = 0;
  std::string kernel_;
};

} // namespace bench

// SPDX-License-Identifier: BSL-1.0
// oneDNN's pooling of one picture, NHWC, over memory of the caller's; no pads.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <unordered_map>

namespace bench {

class onednn_pool {
  using memory = dnnl::memory;

public:
  struct shape {
    int size, channels, window, stride;
  };

  onednn_pool(shape const& s, bool max, float const* in, float* out)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    int const places = (s.size - s.window) / s.stride + 1;
    auto const picture = [&](int size) {
      return memory::desc({1, s.channels, size, size}, memory::data_type::f32,
                          memory::format_tag::nhwc);
    };
    dnnl::pooling_v2_forward::primitive_desc const p(
        {dnnl::prop_kind::forward_inference,
         max ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg_exclude_padding,
         picture(s.size),
         picture(places),
         {s.stride, s.stride},
         {s.window, s.window},
         {0, 0},
         {0, 0},
         {0, 0}},
        engine_);
    pool_ = dnnl::pooling_v2_forward(p);
    arguments_ = {{DNNL_ARG_SRC, memory(picture(s.size), engine_, const_cast<float*>(in))},
                  {DNNL_ARG_DST, memory(picture(places), engine_, out)}};
  }
  void run() {
    pool_.execute(stream_, arguments_);
    stream_.wait();
  }

private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::pooling_v2_forward pool_;
  std::unordered_map<int, memory> arguments_;
};

} // namespace bench

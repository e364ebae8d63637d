// SPDX-License-Identifier: BSL-1.0
// oneDNN's matmul over memory of the caller's: plain (any strides), or with b in a format of its own
// choice, reordered outside of the timing.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <unordered_map>

namespace bench {

class onednn_product {
  using memory = dnnl::memory;

public:
  using type = memory::data_type;
  struct array {
    memory::dims shape, strides;
    void* data;
  };

  onednn_product(type t, array const& a, array const& b, array const& out, bool own_b)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    memory::desc const b_plain(b.shape, t, b.strides),
        b_wanted = own_b ? memory::desc(b.shape, t, memory::format_tag::any) : b_plain;
    memory::desc const a_plain(a.shape, t, a.strides), out_plain(out.shape, t, out.strides);
    dnnl::matmul::primitive_desc const p({a_plain, b_wanted, out_plain}, engine_);
    product_ = dnnl::matmul(p);
    memory from(b_plain, engine_, b.data);
    memory const to = own_b ? memory(p.weights_desc(), engine_) : from;
    if (own_b) {
      memory target = to;
      dnnl::reorder(from, target).execute(stream_, from, target);
      stream_.wait();
    }
    arguments_ = {{DNNL_ARG_SRC, memory(a_plain, engine_, a.data)},
                  {DNNL_ARG_WEIGHTS, to},
                  {DNNL_ARG_DST, memory(out_plain, engine_, out.data)}};
  }
  void run() {
    product_.execute(stream_, arguments_);
    stream_.wait();
  }

private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul product_;
  std::unordered_map<int, memory> arguments_;
};

} // namespace bench

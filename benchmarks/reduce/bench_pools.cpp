// SPDX-License-Identifier: BSL-1.0
// Pools of one picture, NHWC: the matrix has a row for every place and a column for every channel.
#include "sides.hpp"

#ifdef WEFT_HAS_DNNL
#include <oneapi/dnnl/dnnl.hpp>
#endif

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace bench {
namespace {

struct pooling {
  int size, channels, window, stride;

  constexpr int places() const { return (size - window) / stride + 1; }
};
template <pooling P> constexpr weft::pool_options options{.size = P.window, .strides = P.stride};
template <pooling P>
constexpr auto most = [](auto const& a) {
  return weft::max_pool<"NHWC", options<P>>(weft::reshape<1, P.size, P.size, P.channels>(a));
};
template <pooling P>
constexpr auto mean = [](auto const& a) {
  return weft::avg_pool<"NHWC", options<P>>(weft::reshape<1, P.size, P.size, P.channels>(a));
};

#ifdef WEFT_HAS_DNNL
class onednn_pool {
  using memory = dnnl::memory;

public:
  onednn_pool(pooling const& p, bool max, float const* in, float* out)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    auto const picture = [&](int size) {
      return memory::desc({1, p.channels, size, size}, memory::data_type::f32,
                          memory::format_tag::nhwc);
    };
    auto const how = max ? dnnl::algorithm::pooling_max
                         : dnnl::algorithm::pooling_avg_exclude_padding;
    memory::dims const strides{p.stride, p.stride}, window{p.window, p.window}, pads{0, 0};
    pool_ = dnnl::pooling_forward({{dnnl::prop_kind::forward_inference, how, picture(p.size),
                                    picture(p.places()), strides, window, pads, pads},
                                   engine_});
    arguments_ = {{DNNL_ARG_SRC, memory(picture(p.size), engine_, const_cast<float*>(in))},
                  {DNNL_ARG_DST, memory(picture(p.places()), engine_, out)}};
  }
  void run() {
    pool_.execute(stream_, arguments_);
    stream_.wait();
  }

private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::pooling_forward pool_;
  std::unordered_map<int, memory> arguments_;
};
#endif

// `first`: what a window begins with; `add`: takes one more element.
template <pooling P, class Add, class Finish>
void by_loop(float const* in, float* out, float first, Add add, Finish finish) {
  for (int i = 0; i < P.places(); ++i)
    for (int j = 0; j < P.places(); ++j, out += P.channels) {
      std::fill_n(out, P.channels, first);
      for (int p = 0; p < P.window; ++p)
        for (int q = 0; q < P.window; ++q) {
          int const place = (i * P.stride + p) * P.size + j * P.stride + q;
          for (int c = 0; c < P.channels; ++c) out[c] = add(out[c], in[place * P.channels + c]);
        }
      for (int c = 0; c < P.channels; ++c) out[c] = finish(out[c]);
    }
}

template <pooling P, auto F, bool Max, class Add, class Finish>
contest of_pool(double tolerance, float first, Add add, Finish finish) {
  std::string const name = std::string(Max ? "max" : "mean") + " pool " + std::to_string(P.window) +
                           "x" + std::to_string(P.window) + "/" + std::to_string(P.stride) + ", " +
                           std::to_string(P.size) + "x" + std::to_string(P.size) + "x" +
                           std::to_string(P.channels);
  constexpr int rows = P.size * P.size, results = P.places() * P.places() * P.channels;
  return {name, {0, 4.0 * rows * P.channels}, tolerance, [=](int threads) {
            return of_matrix<F, rows, P.channels>(
                threads, results, [=](auto& all, arrays const& x, matrix a) {
                  if (a.threads == 1)
                    all.push_back(
                        x.peer("loop", [=] { by_loop<P>(a.in, a.out, first, add, finish); }));
#ifdef WEFT_HAS_DNNL
                  auto const pool = std::make_shared<onednn_pool>(P, Max, a.in, a.out);
                  all.push_back(x.peer("oneDNN", [=] { pool->run(); }));
#endif
                });
          }};
}
template <pooling P> contest max_pools() {
  return of_pool<P, most<P>, true>(
      0, -std::numeric_limits<float>::infinity(), [](float x, float y) { return y > x ? y : x; },
      [](float x) { return x; });
}
template <pooling P> contest mean_pools() {
  return of_pool<P, mean<P>, false>(
      1e-6, 0, [](float x, float y) { return x + y; },
      [](float x) { return x / static_cast<float>(P.window * P.window); });
}

} // namespace

std::vector<contest> pools() {
  return {max_pools<pooling{32, 32, 2, 2}>(), max_pools<pooling{112, 64, 2, 2}>(),
          max_pools<pooling{56, 64, 3, 1}>(), mean_pools<pooling{112, 64, 2, 2}>(),
          mean_pools<pooling{7, 512, 7, 7}>()};
}

} // namespace bench

// SPDX-License-Identifier: BSL-1.0
// build: alone
// Convolutions with few features by strips (cpu/convolution_strips.hpp), against the interpreter, bit
// for bit, on one thread and on two.
#include "convolution_case.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/graph/handle_convolve.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;
using namespace test;

// By strips whose copies have so few bytes that every convolution with places in its packs is cut.
struct in_strips {
  static constexpr extent most = 256;
  using whole =
      detail::convolution_by<cpu::native_target, dtype::f32, dtype::f32, dtype::f32, dtype::f32>;
  static inline int cut = 0;

  static extent bytes(convolution_form const& form, int threads) {
    detail::convolution_strips const strips(form, sizeof(float), most);
    extent result = 0;
    for (extent n = 0; n < strips.count(); ++n) {
      extent const each = whole::bytes(strips.at(n).form, threads);
      result = each > result ? each : result;
    }
    return result;
  }
  static void run(convolution_form const& form, void const* x, void const* w, void* out,
                  void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                  cpu::epilogue_ref after) {
    detail::convolution_strips const strips(form, sizeof(float), most);
    cut += strips.count() > 1 ? 1 : 0;
    for (extent n = strips.count() - 1; n >= 0; --n) {
      auto const strip = strips.at(n);
      whole::run(strip.form, static_cast<float const*>(x) + strip.first.a, w,
                 static_cast<float*>(out) + strip.first.out,
                 bias == nullptr ? nullptr : static_cast<float const*>(bias) + strip.first.bias,
                 memory, on, after.moved(strip.first.out));
    }
  }
  static constexpr cpu::convolution_code code{&bytes, &run, nullptr};
};

TEST(cpu_convolution_strips, strips_are_convolutions) {
  using enum dtype;
  cpu::serial here;
  element_types const types{f32, f32, f32};
  for (int seed = 0; seed < 700; ++seed) {
    SCOPED_TRACE(seed);
    random_source rng(static_cast<std::uint64_t>(seed));
    random_convolution const r = wide_layer(rng);
    expect_values(r, in_strips::code, types, values_of(r, types, rng), here, rng);
    if (HasFailure()) return;
  }
  EXPECT_GT(in_strips::cut, 150);
}
// By x of layers with few channels: long copies in strips by rows, by rows of several pictures, by
// several pictures; and told of, where there is one phase.
TEST(cpu_convolution_strips, strips_on_threads) {
  using enum dtype;
  cpu::pool two(2, 0);
  element_types const types{f32, f32, f32};
  auto const& code = detail::convolution_by<cpu::native_target, f32, f32, f32, f32>::code;
  struct layer {
    extent pictures, image, taps, stride, channels;
  };
  for (layer const& l : {layer{1, 60, 3, 2, 200}, layer{1, 70, 3, 1, 40}, layer{3, 40, 3, 1, 60},
                         layer{40, 20, 3, 1, 8}}) {
    random_convolution const forward = layer_case(l.pictures, l.image, 3, l.taps, l.stride, 1,
                                                  l.channels);
    random_source rng(5);
    random_convolution const r = derivative(forward, 1);
    convolution_form const form = form_of(r);
    EXPECT_GT(detail::convolution_strips(form, sizeof(float)).count(), 8);
    EXPECT_LT(code.scratch_bytes(form, 1), form.copy().count() * 4);
    expect_values(r, code, types, tame_values_of(r, types, rng), two, rng, true);
  }
}

} // namespace

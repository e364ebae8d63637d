// SPDX-License-Identifier: BSL-1.0
// build: alone
// Convolutions with few features, whose places fill packs, against the interpreter, bit for bit: by
// strips, on threads, of every kind of element.
#include "convolution_case.hpp"
#include "support/targets.hpp"

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
// Wide pictures, few features: random strides, dilations, spreads, zeros and batches.
random_convolution wide_layer(random_source& rng) {
  convolution c = layer_of(1, 0);
  extents x{4, {rng.chance(5) ? 40 : 1 + rng.below(3), 0, 0, 1 + rng.below(3)}},
      w{4, {0, 0, x[3], 2 + rng.below(7)}}, out{4, {x[0], 0, 0, w[3]}};
  for (int i = 0; i < 2; ++i) {
    convolution_window& v = c.window[i];
    v.stride = 1 + rng.below(2), v.dilation = 1 + rng.below(2), v.spread = 1 + rng.below(3);
    v.low = rng.below(6) - 1;
    if (rng.chance(20)) v.stride = -v.stride, v.low -= 30;
    x[i + 1] = i == 0 ? 1 + rng.below(12) : 20 + rng.below(40);
    w[i] = 1 + rng.below(4);
    out[i + 1] = i == 0 ? 1 + rng.below(14) : 16 + rng.below(60);
  }
  c.has_bias = rng.chance(40);
  return {c, x, w, out};
}
TEST(cpu_wide_convolution, strips_are_convolutions) {
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
// Lines of places that end inside of tiles, one to four features and more.
template <class Target, dtype D> void expect_wide_layers(int cases) {
  cpu::serial here;
  cpu::pool three(3, 0);
  element_types const types{D, D, D};
  auto const& code = detail::convolution_by<Target, D, D, D, D>::code;
  for (int seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    random_source rng(static_cast<std::uint64_t>(seed));
    random_convolution const r = wide_layer(rng);
    operand_values const v = values_of(r, types, rng);
    if (seed % 2 == 0) expect_values(r, code, types, v, here, rng);
    else expect_values(r, code, types, v, three, rng);
    if (testing::Test::HasFailure()) return;
  }
}
TEST(cpu_wide_convolution, few_features_of_wide_layers) {
  using enum dtype;
  expect_wide_layers<cpu::native_target, f32>(200);
  expect_wide_layers<test::narrow_target, f32>(200);
  expect_wide_layers<cpu::native_target, f64>(200);
  expect_wide_layers<cpu::native_target, i32>(200);
  expect_wide_layers<cpu::native_target, u8>(100);
}
// By x of layers with few channels: long copies in strips by rows, by rows of several pictures, by
// several pictures; and told of, where there is one phase.
TEST(cpu_wide_convolution, strips_on_threads) {
  using enum dtype;
  cpu::pool two(2, 0);
  element_types const types{f32, f32, f32};
  auto const& code = detail::convolution_by<cpu::native_target, f32, f32, f32, f32>::code;
  struct layer {
    extent pictures, image, taps, stride, channels;
  };
  for (layer const& l : {layer{1, 60, 3, 2, 200}, layer{1, 70, 3, 1, 40}, layer{3, 40, 3, 1, 60},
                         layer{40, 20, 3, 1, 8}}) {
    convolution const c = layer_of(l.stride, 1);
    extent const places = (l.image - 1) / l.stride + 1;
    random_convolution const forward{c,
                                     {4, {l.pictures, l.image, l.image, 3}},
                                     {4, {l.taps, l.taps, 3, l.channels}},
                                     {4, {l.pictures, places, places, l.channels}}};
    random_source rng(5);
    random_convolution const r = derivative(forward, 1);
    auto const where = [](extents const& s) { return strided_shape{s, row_major_strides(s)}; };
    convolution_form const form(r.c, where(r.x), where(r.w), where(r.out));
    EXPECT_GT(detail::convolution_strips(form, sizeof(float)).count(), 8);
    EXPECT_LT(code.scratch_bytes(form, 1), form.copy().count() * 4);
    expect_values(r, code, types, tame_values_of(r, types, rng), two, rng, true);
  }
}

} // namespace

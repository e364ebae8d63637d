// SPDX-License-Identifier: BSL-1.0
// One convolution on the CPU beside the interpreter, bit for bit: arrays in memory of exactly their
// size, so that sanitizers see what is read beside them; and layers as models have them.
#pragma once

#include <random/random_convolution.hpp>
#include <random/same_bits.hpp>

#include <weft/cpu/small_convolution.hpp>
#include <weft/graph/interpret_convolve.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace test {

using namespace weft;

// A dense value in memory of its own size, its axes in a random order, some backwards.
class placed_array {
public:
  placed_array(random_source& rng, dtype type, extents const& shape, bool always_plain = false)
      : type_(type), shape_(shape),
        bytes_(static_cast<std::size_t>(count_of(shape) * size_of(type))) {
    int order[max_rank]{};
    for (int i = 0; i < shape.rank; ++i) order[i] = i;
    bool const plain = always_plain || rng.chance(50);
    for (int i = shape.rank - 1; i > 0 && !plain; --i) std::swap(order[i], order[rng.below(i + 1)]);
    extent step = 1;
    strides_.rank = shape.rank;
    for (int i = shape.rank - 1; i >= 0; --i) {
      int const axis = order[i];
      bool const backwards = !plain && rng.chance(20) && shape[axis] > 0;
      strides_[axis] = backwards ? -step : step;
      if (backwards) first_ += step * (shape[axis] - 1);
      step *= shape[axis];
    }
  }
  explicit placed_array(extents const& shape) // int32, row-major
      : type_(dtype::i32), shape_(shape), strides_(row_major_strides(shape)),
        bytes_(static_cast<std::size_t>(count_of(shape) * size_of(dtype::i32))) {}
  strided_shape where() const { return {shape_, strides_}; }
  void* data() { // an engine gives empty arrays an address, too
    static std::byte nowhere;
    return bytes_.empty() ? &nowhere : bytes_.data() + first_ * size_of(type_);
  }
  void put(dense const& x) {
    for_each([&](int i, std::byte* at) {
      std::memcpy(at, &x.words[i], static_cast<std::size_t>(size_of(type_)));
    });
  }
  dense value() {
    dense x(type_, shape_);
    for_each([&](int i, std::byte* at) {
      std::memcpy(&x.words[i], at, static_cast<std::size_t>(size_of(type_)));
    });
    return x;
  }

private:
  template <class F> void for_each(F const& f) {
    extent const count = count_of(shape_);
    cpu::walk<1> at(shape_, {strides_});
    for (extent i = 0; i < count; ++i, at.next())
      f(static_cast<int>(i), bytes_.data() + (first_ + at.offset[0]) * size_of(type_));
  }
  dtype type_;
  extents shape_, strides_;
  extent first_ = 0;
  std::vector<std::byte> bytes_;
};

struct element_types {
  dtype in, out, bias;
};

inline dense meant(random_convolution const& r, dense const& x, dense const& w, dense const* bias,
                   dtype out) {
  return detail::with_widest(x.type, [&]<dtype D>() {
    if constexpr (D == dtype::boolean) return dense();
    else return detail::convolve_typed<D>(r.c, x, w, bias, dense(out, r.out));
  });
}

// The same arrays in the roles that a derivative gives them.
inline random_convolution derivative(random_convolution const& r, int which) {
  if (which == 0) return r;
  if (which == 1) return {by_input(r.c), r.out, r.w, r.x};
  return {by_filter(r.c), r.x, r.out, r.w};
}

// NHWC, HWIO -> NHWC.
inline convolution layer_of(extent stride, extent low) {
  convolution c;
  c.rank_x = c.rank_w = c.rank_out = 4;
  for (int i = 0; i < 4; ++i) c.x[i] = i, c.w[i] = i + 4, c.out[i] = i + 8;
  c.out[0] = c.x[0];
  c.w[2] = c.x[3];
  c.w[3] = c.out[3];
  for (int i = 0; i < 2; ++i)
    c.window[c.windows++] = {
        .x = c.x[i + 1], .w = c.w[i], .out = c.out[i + 1], .stride = stride, .low = low};
  return c;
}

// Square images and filters, `low` zeros around.
inline random_convolution layer_case(extent images, extent image, extent channels, extent taps,
                                     extent stride, extent low, extent features) {
  extent const places = (image + 2 * low - taps) / stride + 1;
  return {layer_of(stride, low),
          {4, {images, image, image, channels}},
          {4, {taps, taps, channels, features}},
          {4, {images, places, places, features}}};
}
inline strided_shape row_major(extents const& s) { return {s, row_major_strides(s)}; }
inline convolution_form form_of(random_convolution const& r) {
  return {r.c, row_major(r.x), row_major(r.w), row_major(r.out)};
}

struct operand_values {
  dense x, w, bias;
};
inline operand_values values_of(random_convolution const& r, element_types const& types,
                                random_source& rng) {
  return {random_dense(rng, types.in, r.x), random_dense(rng, types.in, r.w),
          random_dense(rng, types.bias, r.out)};
}
// Wide pictures, few features: random strides, dilations, spreads, zeros and batches.
inline random_convolution wide_layer(random_source& rng) {
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
// For sums of hundreds of products, which would all be NaN of the others.
inline operand_values tame_values_of(random_convolution const& r, element_types const& types,
                                     random_source& rng) {
  return {random_dense(rng, types.in, r.x, true), random_dense(rng, types.in, r.w, true),
          random_dense(rng, types.bias, r.out, true)};
}

// Computed by `code`, of arrays in any order of axes, or row-major. `flips`: the lowest bit of what the
// code tells of is changed: what it writes, or tells of, a second time is as it was before.
template <class Executor>
dense computed(random_convolution const& r, cpu::convolution_code const& code,
               element_types const& types, operand_values const& v, Executor& executor,
               random_source& rng, bool plain, bool flips) {
  placed_array x(rng, types.in, r.x, plain), w(rng, types.in, r.w, plain),
      b(rng, types.bias, r.out, plain), out(rng, types.out, r.out, plain);
  x.put(v.x), w.put(v.w), b.put(v.bias);
  convolution_form const form(r.c, x.where(), w.where(), out.where(), b.where().strides);
  cpu::executor_ref const on(executor);
  cpu::scratch_buffer memory;
  auto* const first = static_cast<std::byte*>(out.data());
  auto const flip = [&](cpu::finished_part const& part) {
    for (extent l = 0; l < part.lines; ++l)
      for (extent i = 0; i < part.length; ++i)
        first[(part.first + l * part.step + i) * size_of(types.out)] ^= std::byte{1};
  };
  code.run(form, x.data(), w.data(), out.data(), r.c.has_bias ? b.data() : nullptr,
           memory.get(code.scratch_bytes(form, on.threads())), on,
           flips ? cpu::epilogue_ref(flip) : cpu::epilogue_ref());
  return out.value();
}
template <class Executor>
void expect_values(random_convolution const& r, cpu::convolution_code const& code,
                   element_types const& types, operand_values const& v, Executor& executor,
                   random_source& rng, bool plain = false) {
  dense const expected[] = {meant(r, v.x, v.w, r.c.has_bias ? &v.bias : nullptr, types.out)};
  dense const got[] = {computed(r, code, types, v, executor, rng, plain, false)};
  ASSERT_TRUE(same_bits({got, 1}, {expected, 1}));
  if (code.tells == nullptr) return;
  dense flipped[] = {expected[0]};
  for (word& e : flipped[0].words) e ^= 1;
  dense const told[] = {computed(r, code, types, v, executor, rng, plain, true)};
  ASSERT_TRUE(same_bits({told, 1}, {flipped, 1})) << "each element told once, and then left alone";
}

} // namespace test

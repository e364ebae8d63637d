// SPDX-License-Identifier: BSL-1.0
// build: alone
// Convolutions on the CPU against the interpreter, bit for bit: random equations, every kind of
// element, operands and results in any order of axes and backwards, one to three threads, packs of
// several widths; nothing is read outside an array (sanitizers look), no im2col is kept.
#include "convolution_case.hpp"
#include "support/targets.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/graph/handle_convolve.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace {

using namespace weft;
using namespace test;

template <class Executor>
void expect_meaning(int seed, cpu::convolution_code const& code, element_types const& types,
                    Executor& executor) {
  SCOPED_TRACE(seed);
  random_source rng(static_cast<std::uint64_t>(seed));
  random_convolution r = convolution_writer(rng).write();
  r.c.has_bias = rng.chance(40);
  expect_values(r, code, types, values_of(r, types, rng), executor, rng);
}

template <class Target, dtype In, dtype Out, dtype Bias> void expect_meanings(int cases) {
  cpu::serial here;
  cpu::pool three(3, 0);
  for (int seed = 0; seed < cases; ++seed) {
    auto const& code = detail::convolution_by<Target, In, In, Out, Bias>::code;
    if (seed % 2 == 0) expect_meaning(seed, code, {In, Out, Bias}, here);
    else expect_meaning(seed, code, {In, Out, Bias}, three);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(cpu_convolution, floats) {
  using enum dtype;
  expect_meanings<cpu::native_target, f32, f32, f32>(3000);
  expect_meanings<test::narrow_target, f32, f32, f32>(1000);
}
TEST(cpu_convolution, doubles_and_integers) {
  using enum dtype;
  expect_meanings<cpu::native_target, f64, f64, f64>(500);
  expect_meanings<cpu::native_target, i32, i32, i32>(500);
  expect_meanings<cpu::native_target, u8, u8, u8>(500);
}
TEST(cpu_convolution, halves_are_rounded_once) {
  using enum dtype;
  expect_meanings<cpu::native_target, bf16, bf16, bf16>(500);
  expect_meanings<cpu::native_target, bf16, f32, bf16>(500);
  expect_meanings<cpu::native_target, f16, f16, f32>(500);
}
TEST(cpu_convolution, small_elements_of_the_block_executor) {
  using enum dtype;
  cpu::serial here;
  for (int seed = 0; seed < 500; ++seed) {
    using target = cpu::native_target;
    expect_meaning(seed, detail::small_convolution<target, bf16, bf16, f32>::code,
                   {bf16, bf16, f32}, here);
    expect_meaning(seed, detail::small_convolution<target, f16, f32, f16>::code, {f16, f32, f16},
                   here);
    expect_meaning(seed, detail::small_convolution<target, u16, u16, u16>::code, {u16, u16, u16},
                   here);
  }
}

// Every order of the axes of x, filter and result of a 2-D convolution, forward and both derivatives,
// in whole numbers: 13,824 layouts, each with strides, dilations, groups and padding of its own.
random_convolution layout(int number, random_source& rng) {
  random_convolution r;
  bool const grouped = number % 4 == 0, batched = number % 3 != 0;
  extent const group = 0, n = 1, c = 2, o = 3;
  struct axis {
    extent label, size;
  };
  std::vector<axis> x{{c, 2}}, w{{c, 2}, {o, 2}}, out{{o, 2}};
  if (batched) x.push_back({n, 2}), out.push_back({n, 2});
  if (grouped)
    for (auto* list : {&x, &w, &out}) list->push_back({group, 2});
  for (extent k = 0; k < 2; ++k) {
    extent const from = 4 + rng.below(2), taps = 1 + rng.below(3);
    int const stride = 1 + rng.below(3), dilation = 1 + rng.below(2), low = rng.below(4) - 1,
              high = rng.below(4) - 1;
    extent const reach = (taps - 1) * dilation + 1, room = from + low + high - reach;
    extent const label = 10 + 3 * k;
    x.push_back({label, from});
    w.push_back({label + 1, taps});
    out.push_back({label + 2, room < 0 ? 0 : room / stride + 1});
    r.c.window[r.c.windows++] = {label, label + 1, label + 2, stride, dilation, 1, low};
  }
  // The order of the last four axes by number; groups anywhere.
  int orders = number;
  auto const place = [&](std::vector<axis>& list, extent(&labels)[max_rank], int& rank,
                         extents& shape) {
    int order = orders % 24;
    orders /= 24;
    while (!list.empty()) {
      auto const at = order % static_cast<int>(list.size());
      order /= static_cast<int>(list.size());
      labels[rank++] = list[static_cast<unsigned>(at)].label;
      shape.push(list[static_cast<unsigned>(at)].size);
      list.erase(list.begin() + at);
    }
  };
  place(x, r.c.x, r.c.rank_x, r.x);
  place(w, r.c.w, r.c.rank_w, r.w);
  place(out, r.c.out, r.c.rank_out, r.out);
  return r;
}
TEST(cpu_convolution, every_layout_forward_and_backward) {
  using enum dtype;
  auto const& code = detail::convolution_by<cpu::native_target, i32, i32, i32, i32>::code;
  cpu::serial here;
  cpu::executor_ref const on(here);
  cpu::scratch_buffer memory;
  long elements = 0;
  for (int number = 0; number < 24 * 24 * 24; ++number) {
    random_source rng(static_cast<std::uint64_t>(number));
    random_convolution const forward = layout(number, rng);
    for (int which = 0; which < 3; ++which) {
      random_convolution const r = derivative(forward, which);
      placed_array x(r.x), w(r.w), out(r.out);
      dense const dx = random_dense(rng, i32, r.x), dw = random_dense(rng, i32, r.w);
      x.put(dx), w.put(dw);
      convolution_form const form(r.c, x.where(), w.where(), out.where());
      code.run(form, x.data(), w.data(), out.data(), nullptr,
               memory.get(code.scratch_bytes(form, 1)), on, {});
      dense const expected[] = {meant(r, dx, dw, nullptr, i32)}, got[] = {out.value()};
      ASSERT_TRUE(same_bits({got, 1}, {expected, 1})) << "layout " << number << ", " << which;
      elements += expected[0].size();
    }
  }
  EXPECT_GT(elements, 24 * 24 * 24 * 20);
}
// More rows, columns and steps than one block of each, in every form that kernels have.
TEST(cpu_convolution, large_ones) {
  using enum dtype;
  cpu::pool two(2, 0);
  struct layer {
    extent image, channels, taps, stride, features;
  };
  for (layer const& l : {layer{19, 45, 3, 1, 9}, layer{37, 3, 7, 2, 5}, layer{21, 130, 1, 1, 3},
                         layer{34, 2, 3, 2, 40}, layer{13, 64, 3, 1, 72}}) {
    random_convolution const forward = layer_case(1, l.image, l.channels, l.taps, l.stride,
                                                  (l.taps - 1) / 2, l.features);
    for (int which = 0; which < 3; ++which) {
      random_source rng(5);
      auto const& code = detail::convolution_by<cpu::native_target, f32, f32, f32, f32>::code;
      random_convolution const r = derivative(forward, which);
      element_types const types{f32, f32, f32};
      for (bool const plain : {false, true})
        expect_values(r, code, types, tame_values_of(r, types, rng), two, rng, plain);
    }
  }
}

// Features of two labels, one of them outermost in the result: columns of b in lines that end inside
// of tiles, of so many rows that b is read where it lies or packed.
template <class Target, dtype D> void expect_lines_of_features() {
  convolution c;
  c.rank_x = 3, c.rank_w = 5, c.rank_out = 4;
  extent const x[] = {10, 20, 1}, w[] = {11, 21, 1, 2, 3}, out[] = {2, 12, 22, 3};
  std::copy(x, x + 3, c.x), std::copy(w, w + 5, c.w), std::copy(out, out + 4, c.out);
  for (extent k = 0; k < 2; ++k)
    c.window[c.windows++] = {.x = 10 + 10 * k, .w = 11 + 10 * k, .out = 12 + 10 * k};
  cpu::serial here;
  random_source rng(7);
  element_types const types{D, D, D};
  auto const& code = detail::convolution_by<Target, D, D, D, D>::code;
  for (extent const height : {4, 8, 10})
    for (extent const line : {13, 15, 30, 36, 64}) {
      random_convolution const r{
          c, {3, {height + 2, 22, 5}}, {5, {3, 3, 5, 2, line}}, {4, {2, height, 20, line}}};
      SCOPED_TRACE(testing::Message() << height << " lines, " << line << " features");
      expect_values(r, code, types, tame_values_of(r, types, rng), here, rng, true);
    }
}
TEST(cpu_convolution, features_in_lines) {
  using enum dtype;
  expect_lines_of_features<cpu::native_target, f32>();
  expect_lines_of_features<cpu::native_target, f64>();
  expect_lines_of_features<test::narrow_target, f32>();
}
// What is summed has a label of no elements between others.
TEST(cpu_convolution, of_nothing_are_zeros) {
  convolution c;
  c.rank_x = 3, c.rank_w = 4, c.rank_out = 2;
  extent const x[] = {1, 10, 2}, w[] = {11, 1, 2, 3}, out[] = {12, 3};
  std::copy(x, x + 3, c.x), std::copy(w, w + 4, c.w), std::copy(out, out + 2, c.out);
  c.window[c.windows++] = {.x = 10, .w = 11, .out = 12};
  cpu::serial here;
  random_source rng(7);
  element_types const types{dtype::f64, dtype::f64, dtype::f64};
  using enum dtype;
  auto const& code = detail::convolution_by<cpu::native_target, f64, f64, f64, f64>::code;
  for (extents const& of_x : {extents{3, {0, 8, 4}}, extents{3, {4, 8, 0}}}) {
    random_convolution const r{c, of_x, {4, {3, of_x[0], of_x[2], 32}}, {2, {6, 32}}};
    expect_values(r, code, types, tame_values_of(r, types, rng), here, rng, true);
  }
}

// The layer of the title: 224 x 224 x 3 in, 64 filters of 7 x 7, every second place, 3 zeros around.
convolution_form first_layer() { return form_of(layer_case(1, 224, 3, 7, 2, 3, 64)); }
TEST(cpu_convolution, keeps_no_im2col) {
  using enum dtype;
  auto const& code = detail::convolution_by<cpu::native_target, f32, f32, f32, f32>::code;
  extent const im2col = extent{112} * 112 * 7 * 7 * 3 * 4, copied = extent{229} * 229 * 3 * 4;
  extent const bytes = code.scratch_bytes(first_layer(), 1);
  EXPECT_EQ(first_layer().copy().count() * 4, copied);
  EXPECT_LT(bytes, copied + 65'536); // and the packed panels
  EXPECT_LT(bytes, im2col / 5);
  std::printf("  224x224x3 -> 64, 7x7/2: %lld bytes of scratch; im2col would be %lld\n",
              static_cast<long long>(bytes), static_cast<long long>(im2col));
}

} // namespace

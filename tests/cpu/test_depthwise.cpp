// SPDX-License-Identifier: BSL-1.0
// build: alone
// Depthwise convolutions and their derivatives against the interpreter, bit for bit: x is read where
// it lies, and what is beyond it is a zero that is multiplied (infinite and NaN weights show it), in
// every place that a border can be; every kind of sums, with a bias, on threads; no scratch; whoever
// waits for results is told of each once.
#include "convolution_case.hpp"
#include "support/targets.hpp"

#include <weft/cpu/pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace {

using namespace weft;
using namespace test;

// Channels innermost in all arrays, the other axes in any order; one to three windows.
class depthwise_writer {
public:
  explicit depthwise_writer(random_source& rng) : rng_(rng) {}

  random_convolution write(int windows) {
    made_ = {};
    if (rng_.chance(25)) made_.add(1 + rng_.below(3), true, true, true); // groups outside
    if (rng_.chance(40))
      made_.add(1 + rng_.below(rng_.chance(30) ? 12 : 3), true, false, true); // images
    if (rng_.chance(15)) made_.add(1 + rng_.below(3), true, true, false);     // summed besides
    if (rng_.chance(15)) made_.add(1, false, true, true);                     // one feature each
    for (int v = 0; v < windows; ++v) window(windows);
    made_.shuffle(rng_);
    if (rng_.chance(20)) { // two axes that lie like one
      made_.add(2, true, true, true);
      made_.add(4 + rng_.below(10), true, true, true);
    } else made_.add(rng_.chance(8) ? 250 + rng_.below(40) : 8 + rng_.below(40), true, true, true);
    return made_;
  }

private:
  // Short and long lines, windows longer than x, paddings longer than windows, crops, no elements.
  void window(int windows) {
    convolution_window& v = made_.c.window[made_.c.windows++];
    v.x = made_.next_label, v.w = v.x + 1, v.out = v.x + 2;
    int const most = windows == 1 ? 70 : windows == 2 ? 20 : 6;
    made_.add(rng_.chance(2) ? 0 : 1 + rng_.below(most), true, false, false);
    made_.add(rng_.chance(2) ? 0 : rng_.chance(60) ? 3 : 1 + rng_.below(8), false, true, false);
    made_.add(rng_.chance(2) ? 0 : 1 + rng_.below(most), false, false, true);
    bool const plain = rng_.chance(50);
    v.stride = plain ? 1 : (1 + rng_.below(3)) * (rng_.chance(15) ? -1 : 1);
    v.dilation = plain ? 1 : (1 + rng_.below(3)) * (rng_.chance(30) ? -1 : 1);
    v.spread = plain || rng_.chance(60) ? 1 : 2 + rng_.below(2);
    v.low = rng_.chance(60) ? rng_.below(3) : rng_.below(20) - 6;
    if (v.stride < 0) v.low -= most;
  }

  random_source& rng_;
  random_convolution made_;
};

// Numbers, and here and there what tells whether a zero was multiplied, and with which sign.
dense with_specials(random_source& rng, dtype type, extents const& shape, int percent) {
  dense d(type, shape);
  for (word& x : d.words) x = random_word(rng, type, true);
  if (type == dtype::f32)
    for (word& x : d.words)
      if (rng.chance(percent)) {
        constexpr word special[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x80000000,
                                    0x80000001, 0x00000001, 0x80000001, 0x00800000};
        x = special[rng.below(8)];
      }
  return d;
}

struct kernels_used {
  int lines = 0, pairs = 0, taps = 0, images = 0, columns = 0, rows = 0, others = 0;
};
template <class Target> void count_kernels(random_convolution const& r, kernels_used& used) {
  using taps = detail::depthwise_taps<Target, float, float, float>;
  convolution_form const form = form_of(r);
  if (!depthwise_form::fits(form, Target::lanes)) return void(++used.others);
  for (extent n = 0; n < form.phases(); ++n) {
    depthwise_form const phase(form, form.at(n));
    detail::line_groups const groups(phase);
    if (groups.fit()) ++(groups.together.count > 0 ? used.pairs : used.lines);
    else if (taps::fits(phase)) {
      ++used.taps;
      used.images += phase.steps.inner().window < 0 ? 1 : 0;
      used.columns += taps::by_columns(phase) ? 1 : 0;
    } else ++used.rows;
  }
}

template <class Target, dtype D> kernels_used expect_meanings(int cases) {
  auto const& code = detail::convolution_by<Target, D, D, D, D>::code;
  cpu::serial here;
  cpu::pool three(3, 0);
  kernels_used used;
  for (int seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    random_source rng(static_cast<std::uint64_t>(seed));
    random_convolution const forward = depthwise_writer(rng).write(1 + seed % 3);
    random_convolution r = derivative(forward, rng.below(3));
    if (count_of(r.out) * count_of(r.w) > 40'000'000) continue;
    r.c.has_bias = rng.chance(20);
    int const percent = rng.chance(50) ? 0 : 2;
    operand_values const v{with_specials(rng, D, r.x, percent / 2),
                           with_specials(rng, D, r.w, percent), random_dense(rng, D, r.out)};
    element_types const types{D, D, D};
    if (seed % 4 != 0) expect_values(r, code, types, v, here, rng, true);
    else expect_values(r, code, types, v, three, rng, true);
    if (testing::Test::HasFailure()) return used;
    count_kernels<Target>(r, used);
  }
  return used;
}

TEST(cpu_depthwise, floats_with_borders) {
  kernels_used const used = expect_meanings<cpu::native_target, dtype::f32>(2500);
  EXPECT_GT(used.lines, 500);
  EXPECT_GT(used.pairs, 100);
  EXPECT_GT(used.taps, 100);
  EXPECT_GT(used.images, 30);
  EXPECT_GT(used.columns, 15);
  EXPECT_GT(used.rows, 500);
  std::printf("  %d by lines, %d by pairs of lines, %d by taps, %d of them of images, %d of "
              "these by columns, %d by rows, %d otherwise\n",
              used.lines, used.pairs, used.taps, used.images, used.columns, used.rows, used.others);
}
TEST(cpu_depthwise, packs_of_four) {
  kernels_used const used = expect_meanings<test::narrow_target, dtype::f32>(400);
  EXPECT_GT(used.lines, 50);
  EXPECT_GT(used.rows, 50);
}
TEST(cpu_depthwise, doubles_and_integers) {
  EXPECT_GT((expect_meanings<cpu::native_target, dtype::f64>(500).lines), 50);
  EXPECT_GT((expect_meanings<cpu::native_target, dtype::i32>(500).rows), 50);
  EXPECT_GT((expect_meanings<cpu::native_target, dtype::i64>(300).lines), 50);
}

// NHWC, HWIO of one input channel each.
random_convolution layer(extent image, extent channels, extent taps, extent stride, extent low,
                         extent images = 2) {
  random_convolution r;
  r.x = {4, {images, image, image, channels}};
  r.w = {3, {taps, taps, channels}};
  extent const places = (image + 2 * low - taps) / stride + 1;
  r.out = {4, {images, places, places, channels}};
  r.c.rank_x = r.c.rank_out = 4, r.c.rank_w = 3;
  for (int i = 0; i < 4; ++i) r.c.x[i] = i, r.c.out[i] = i + 8;
  r.c.out[0] = r.c.x[0], r.c.out[3] = r.c.w[2] = r.c.x[3];
  for (int i = 0; i < 2; ++i) {
    r.c.w[i] = i + 4;
    r.c.window[r.c.windows++] = {
        .x = r.c.x[i + 1], .w = r.c.w[i], .out = r.c.out[i + 1], .stride = stride, .low = low};
  }
  return r;
}
// Layers as models have them, with every weight of one corner of the filter infinite in turn: where
// that corner reaches beyond x, 0 * infinity is NaN, and only there.
TEST(cpu_depthwise, zeros_around_are_terms) {
  auto const& code = detail::convolution_by<cpu::native_target, dtype::f32, dtype::f32, dtype::f32,
                                            dtype::f32>::code;
  cpu::pool two(2, 0);
  for (extent const taps : {3, 5, 9})
    for (extent const stride : {1, 2})
      for (int corner = 0; corner < 4; ++corner) {
        random_convolution const r = layer(17, 32, taps, stride, taps / 2);
        random_source rng(1);
        operand_values v{with_specials(rng, dtype::f32, r.x, 0),
                         with_specials(rng, dtype::f32, r.w, 0), dense(dtype::f32, r.out)};
        extent const row = corner / 2 * (taps - 1), column = corner % 2 * (taps - 1);
        for (extent c = 0; c < 32; ++c)
          v.w.words[static_cast<int>((row * taps + column) * 32 + c)] = 0x7f800000;
        expect_values(r, code, {dtype::f32, dtype::f32, dtype::f32}, v, two, rng, true);
        dense const expected = meant(r, v.x, v.w, nullptr, dtype::f32);
        int nans = 0;
        for (word const x : expected.words) nans += is_nan(x, dtype::f32) ? 1 : 0;
        EXPECT_GT(nans, 0);
      }
}
// In parts of some thousand elements, of lines that are longer, too; and of how many layers at all.
TEST(cpu_depthwise, tells_as_it_goes) {
  auto const& code = detail::convolution_by<cpu::native_target, dtype::f32, dtype::f32, dtype::f32,
                                            dtype::f32>::code;
  cpu::serial here;
  cpu::pool three(3, 0);
  struct {
    extent image, channels, taps;
    bool tells, by_lines;
  } const layers[] = {
      {40, 32, 3, true, true},    {300, 64, 3, true, true}, {40, 32, 16, true, false},
      {40, 700, 16, true, false}, {11, 16, 3, false, true}, // few results
  };
  for (auto const& l : layers) {
    random_convolution const r = layer(l.image, l.channels, l.taps, 1, l.taps / 2);
    convolution_form const form = form_of(r);
    EXPECT_EQ(detail::line_groups(depthwise_form(form, form.at(0))).fit(), l.by_lines);
    EXPECT_EQ(code.tells(form, 1), l.tells);
    random_source rng(1);
    std::vector<float> const x(static_cast<std::size_t>(count_of(r.x)), 1.0f),
        w(static_cast<std::size_t>(count_of(r.w)), 1.0f);
    std::vector<float> out(static_cast<std::size_t>(count_of(r.out)));
    std::vector<int> told(out.size());
    std::atomic<int> parts = 0;
    auto const count = [&](cpu::finished_part const& part) {
      ++parts;
      for (extent k = 0; k < part.lines; ++k)
        for (extent i = 0; i < part.length; ++i)
          ++told[static_cast<std::size_t>(part.first + k * part.step + i)];
    };
    auto const run = [&](auto& executor) {
      parts = 0;
      told.assign(told.size(), 0);
      code.run(form, x.data(), w.data(), out.data(), nullptr, {}, cpu::executor_ref(executor),
               cpu::epilogue_ref(count));
      EXPECT_EQ(std::count(told.begin(), told.end(), 1), count_of(r.out));
      if (l.tells) {
        EXPECT_GE(parts, count_of(r.out) / 40'000);
      }
    };
    run(here);
    run(three);
  }
}
// By the filter, batches of up to 32 images go column by column, one image more does not. Where
// channels are 9, some elements are infinite or NaN, which zeros around x must not hide.
TEST(cpu_depthwise, batches_by_columns) {
  auto const& code = detail::convolution_by<cpu::native_target, dtype::f32, dtype::f32, dtype::f32,
                                            dtype::f32>::code;
  using taps = detail::depthwise_taps<cpu::native_target, float, float, float>;
  cpu::serial here;
  int columns = 0;
  for (extent const images : {2, 5, 32, 33})
    for (extent const filter : {3, 7})
      for (extent const channels : {9, 72}) {
        SCOPED_TRACE(testing::Message() << images << " " << filter << " " << channels);
        random_convolution const r = derivative(
            layer(filter + 8, channels, filter, 1, channels % 3, images), 2);
        convolution_form const form = form_of(r);
        depthwise_form const phase(form, form.at(0));
        EXPECT_EQ(taps::fits(phase), images <= 32);
        columns += taps::fits(phase) && taps::by_columns(phase) ? 1 : 0;
        random_source rng(static_cast<std::uint64_t>(images * filter + channels));
        int const percent = channels % 4 == 0 ? 0 : 1;
        operand_values const v{with_specials(rng, dtype::f32, r.x, percent),
                               with_specials(rng, dtype::f32, r.w, percent),
                               dense(dtype::f32, r.out)};
        expect_values(r, code, {dtype::f32, dtype::f32, dtype::f32}, v, here, rng, true);
        if (HasFailure()) return;
      }
  EXPECT_EQ(columns, 3 * 2 * 2);
}
TEST(cpu_depthwise, needs_no_scratch) {
  auto const& code = detail::convolution_by<cpu::native_target, dtype::f32, dtype::f32, dtype::f32,
                                            dtype::f32>::code;
  for (int which = 0; which < 3; ++which) {
    convolution_form const form = form_of(derivative(layer(56, 128, 3, 1, 1), which));
    EXPECT_EQ(code.scratch_bytes(form, 2), 0) << which;
  }
}

} // namespace

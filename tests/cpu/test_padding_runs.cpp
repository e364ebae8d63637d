// SPDX-License-Identifier: BSL-1.0
// build: alone
// Steps of dense convolutions that multiply zeros around x: which they are, which runs of them a tile
// leaves out, and that nobody can tell: not beside factors that are infinite or NaN, nor where they
// make +0 of -0.
#include "convolution_case.hpp"
#include "support/targets.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/graph/handle_convolve.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <limits>

namespace {

using namespace weft;
using namespace test;

// 3 taps of 10 steps over 14 elements with one zero around: forward, and backwards.
constexpr padding_steps forward{14, 14, 3, 10, -1, 1, 1, 14}, backward{14, 14, 3, 10, 1, 1, -1, 14};
constexpr bool are(padding_steps::range const& r, extent first, extent last) {
  return r.first == first && r.last == last;
}
static_assert(are(forward.steps_of(0), 10, 30) && are(forward.steps_of(5), 0, 30));
static_assert(are(forward.steps_of(13), 0, 20));
static_assert(are(backward.steps_of(0), 0, 20) && are(backward.steps_of(13), 10, 30));
static_assert(are(padding_steps{1, 4, 3, 10, -1, 1, 1, 0}.steps_of(2), 0, 0)); // nothing is read
static_assert(forward.are_in(0, 14) && !forward.are_in(14, 168) && forward.are_in(181, 2));
static_assert(forward.are_in(14 * 14 + 3, 1)); // of the second image

struct taken {
  int first, last;
  extent before, until;
  friend constexpr bool operator==(taken const&, taken const&) = default;
};
constexpr taken runs_of(padding_steps const& p, extent row, extent rows, extent begin) {
  detail::step_run const runs[] = {{0, 10, 1}, {100, 10, 1}, {200, 10, 1}};
  detail::padding_runs r;
  r.narrow(p, row, rows, runs, 3, begin);
  return {r.first, r.last, r.before, r.until};
}
static_assert(runs_of(forward, 0, 14, 0) == taken{1, 3, 10, 30});
static_assert(runs_of(forward, 0, 15, 0) == taken{0, 3, 0, 30}); // the second line takes all
static_assert(runs_of(forward, 182, 14, 0) == taken{0, 2, 0, 20});
static_assert(runs_of(forward, 182, 14, 20) ==
              taken{0, 0, 0, 0}); // a block of steps left out whole
static_assert(runs_of({14, 14, 6, 10, -3, 1, 1, 14}, 0, 14, 0) ==
              taken{3, 3, 30, 30}); // so are these
static_assert(runs_of(padding_steps{1, 4, 3, 10, -1, 1, 1, 0}, 0, 4, 0) == taken{0, 0, 0, 0});

padding_steps padding_of(random_convolution const& r) { return form_of(r).at(0).product.padding; }
TEST(cpu_padding_runs, are_stated) {
  padding_steps const p = padding_of(layer_case(2, 14, 6, 3, 1, 1, 40));
  EXPECT_EQ(p.rows_each, 14);
  EXPECT_EQ(p.places, 14);
  EXPECT_EQ(p.taps, 3);
  EXPECT_EQ(p.steps_each, 18);
  EXPECT_EQ(padding_of(layer_case(2, 14, 6, 3, 1, 0, 40)).taps, 0); // no zeros around
  random_convolution inside = layer_case(3, 14, 6, 3, 1, 1, 40);    // images inside of lines
  auto const move_images = [](extent(&labels)[max_rank], extents& shape) {
    std::swap(labels[0], labels[1]), std::swap(labels[1], labels[2]);
    shape = {4, {shape[1], shape[2], shape[0], shape[3]}};
  };
  move_images(inside.c.x, inside.x), move_images(inside.c.out, inside.out);
  EXPECT_EQ(padding_of(inside).rows_each, 14 * 3);
}

template <dtype D> word bits_of(double value) {
  if constexpr (D == dtype::f64) return std::bit_cast<std::uint64_t>(value);
  else return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}
template <class Target, dtype D> class beside_meaning {
public:
  explicit beside_meaning(random_convolution const& r)
      : r_(r), plain_(tame_values_of(r, types, rng_)) {}

  void plain_values() { expect(plain_); }
  // Of the first tap, or of the last.
  void special_factors() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (bool const last : {false, true})
      for (double const special : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        operand_values v = plain_;
        int const features = static_cast<int>(r_.w[3]);
        v.w.words[(last ? v.w.size() - features : 0) + features / 2] = bits_of<D>(special);
        expect(v);
      }
  }
  // Products that vanish leave zeros of both signs, which the last taps may change or not.
  void vanishing_products() {
    constexpr double tiny = D == dtype::f64 ? 1e-300 : 1e-30;
    operand_values v = plain_;
    for (word& x : v.x.words) x = bits_of<D>(rng_.chance(50) ? tiny : -tiny);
    int const features = static_cast<int>(r_.w[3]),
              last_row = v.w.size() - v.w.size() / static_cast<int>(r_.w[0]);
    for (int i = 0; i < v.w.size(); ++i) {
      bool const negative = (i >= last_row) == (i % features % 2 == 0);
      v.w.words[i] = bits_of<D>(negative || i % features % 5 == 0 ? -tiny : tiny);
    }
    expect(v);
    v.x.words[static_cast<unsigned>(v.x.size()) / 3] = bits_of<D>(
        std::numeric_limits<double>::infinity());
    expect(v);
  }

private:
  static constexpr element_types types{D, D, D};
  void expect(operand_values const& v) {
    expect_values(r_, detail::convolution_by<Target, D, D, D, D>::code, types, v, two_, rng_, true);
  }
  random_source rng_{3};
  cpu::pool two_{2, 0};
  random_convolution r_;
  operand_values plain_;
};
template <class Target, dtype D>
void expect_terms(std::initializer_list<random_convolution> const& layers) {
  for (random_convolution const& layer : layers)
    for (int const which : {0, 1}) {
      beside_meaning<Target, D> by(derivative(layer, which));
      by.plain_values();
      if constexpr (D != dtype::i32) {
        by.special_factors();
        by.vanishing_products();
      }
    }
}
TEST(cpu_padding_runs, are_terms) {
  using enum dtype;
  auto const square = layer_case(2, 14, 6, 3, 1, 1, 40),
             strided = layer_case(1, 13, 3, 5, 2, 2, 33);
  expect_terms<cpu::native_target, f32>(
      {square, strided, layer_case(2, 12, 58, 3, 1, 1, 33), layer_case(1, 22, 3, 7, 2, 3, 33),
       layer_case(2, 5, 9, 3, 1, 3, 17), layer_case(1, 28, 2, 3, 1, 1, 32)});
  expect_terms<test::narrow_target, f32>({square, strided});
  expect_terms<cpu::native_target, f64>({square, strided});
  expect_terms<cpu::native_target, i32>({square, strided});
}

} // namespace

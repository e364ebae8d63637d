// SPDX-License-Identifier: BSL-1.0
// build: alone
// convolve: the layout that a filter's labels say (IREE's issue 20473), values and derivatives
// against a plain sum over pairs of elements for thousands of random equations, and what print says.
#include "dense_values.hpp"
#include <random/random_convolution.hpp>

#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>
#include <weft/transform/grad.hpp>
#include <weft/transform/jvp.hpp>
#include <weft/transform/vmap.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace test;

// x of labels (h, c), w of the three, y of (h, f): h is walked by k.
constexpr convolution rows(std::string_view filter) {
  convolution c;
  c.rank_x = c.rank_out = 2;
  c.x[0] = 'h', c.x[1] = 'c';
  c.out[0] = 'y', c.out[1] = 'f';
  for (char letter : filter) c.w[c.rank_w++] = letter == 'h' ? 'k' : letter;
  c.window[c.windows++] = {.x = 'h', .w = 'k', .out = 'y'};
  return c;
}
constexpr dense convolved(convolution const& c, dense const& x, dense const& w,
                          extents const& shape) {
  return value_of(
      {x, w}, [&](recorder&, view<handle> in) { return convolve(in[0], in[1], c, shape, x.type); });
}
constexpr dense first_row(std::string_view filter, bool reversed) {
  convolution c = rows(filter);
  if (reversed) c.window[0].dilation = -1, c.window[0].low = -1;
  dense const x = array<float>({3, 2}, {0, 1, 0, 0, 0, 0});
  dense const w = array<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  return convolved(c, x, w, dims({2, 2}));
}
constexpr bool gives(std::string_view filter, bool reversed, float a, float b) {
  return first_row(filter, reversed) == array<float>({2, 2}, {a, b, 0, 0});
}
// The same bytes read as each of the six layouts: twelve different claims.
static_assert(gives("chf", false, 5, 6) && gives("chf", true, 7, 8));
static_assert(gives("cfh", false, 5, 7) && gives("cfh", true, 6, 8));
static_assert(gives("hcf", false, 3, 4) && gives("hcf", true, 7, 8));
static_assert(gives("hfc", false, 2, 4) && gives("hfc", true, 6, 8));
static_assert(gives("fch", false, 3, 7) && gives("fch", true, 4, 8));
static_assert(gives("fhc", false, 2, 6) && gives("fhc", true, 4, 8));

dense small_numbers(random_source& rng, dtype type, extents const& shape) {
  dense x(type, shape);
  for (word& element : x.words) {
    int const n = rng.below(9) - 4;
    element = type == dtype::f32 ? word_of(static_cast<float>(n))
                                 : word_of(n) & weft::detail::storage_mask(type);
  }
  return x;
}
long number(dense const& x, int i) {
  return x.type == dtype::f32 ? static_cast<long>(element_of_word<float>(x[i]))
                              : static_cast<long>(static_cast<std::int32_t>(x[i]));
}

// Every pair of an element of x and one of w goes to the o that solves the equation, if there is
// one: another walk than the interpreter's. Calls f(position in x, in w, in out) for it.
template <class F> void for_each_term(random_convolution const& r, F const& f) {
  convolution const& c = r.c;
  for (int i = 0; i < count_of(r.x); ++i)
    for (int j = 0; j < count_of(r.w); ++j) {
      detail::position const in_x = detail::position_of(i, r.x), in_w = detail::position_of(j, r.w);
      detail::position out = r.out;
      bool term = true;
      for (int a = 0; a < c.rank_x; ++a)
        if (int const b = c.in_w(c.x[a]); b >= 0) term = term && in_x[a] == in_w[b];
      for (int a = 0; a < c.rank_out; ++a) {
        if (int const b = c.in_x(c.out[a]); b >= 0) out[a] = in_x[b];
        if (int const b = c.in_w(c.out[a]); b >= 0) out[a] = in_w[b];
      }
      for (int v = 0; v < c.windows; ++v) {
        convolution_window const& e = c.window[v];
        extent const rest = in_x[c.in_x(e.x)] * e.spread - in_w[c.in_w(e.w)] * e.dilation + e.low;
        extent& o = out[c.in_out(e.out)];
        o = rest / e.stride;
        term = term && rest % e.stride == 0 && o >= 0 && o < r.out[c.in_out(e.out)];
      }
      if (term) f(i, j, detail::offset_of(out, r.out));
    }
}

constexpr int cases = 3000;

TEST(convolve, is_the_sum_over_pairs_of_elements) {
  int with_terms = 0;
  for (int seed = 0; seed < cases; ++seed) {
    random_source rng(static_cast<std::uint64_t>(seed));
    random_convolution const r = convolution_writer(rng).write();
    dtype const type = seed % 2 == 0 ? dtype::f32 : dtype::i32;
    dense const x = small_numbers(rng, type, r.x), w = small_numbers(rng, type, r.w);
    std::vector<long> expected(static_cast<std::size_t>(count_of(r.out)));
    for_each_term(r, [&](int i, int j, int o) {
      expected[static_cast<std::size_t>(o)] += number(x, i) * number(w, j);
      ++with_terms;
    });
    dense const y = convolved(r.c, x, w, r.out);
    for (int o = 0; o < y.size(); ++o)
      ASSERT_EQ(number(y, o), expected[static_cast<std::size_t>(o)]) << "seed " << seed;
  }
  EXPECT_GT(with_terms, 50 * cases);
}

// y of x and w.
graph forward(random_convolution const& r) {
  recorder rec;
  handle const x = rec.input(dtype::f32, r.x, {0, 0, false}),
               w = rec.input(dtype::f32, r.w, {1, 0, false});
  handle const y = convolve(x, w, r.c, r.out, dtype::f32);
  rec.finish({&y, 1});
  return rec.result;
}

TEST(convolve, derivatives_are_the_sums_over_the_same_pairs) {
  for (int seed = 0; seed < cases / 2; ++seed) {
    random_source rng(static_cast<std::uint64_t>(seed) + 7000);
    random_convolution const r = convolution_writer(rng).write();
    dense const x = small_numbers(rng, dtype::f32, r.x), w = small_numbers(rng, dtype::f32, r.w),
                g = small_numbers(rng, dtype::f32, r.out);
    std::vector<long> dx(static_cast<std::size_t>(x.size())),
        dw(static_cast<std::size_t>(w.size()));
    for_each_term(r, [&](int i, int j, int o) {
      dx[static_cast<std::size_t>(i)] += number(w, j) * number(g, o);
      dw[static_cast<std::size_t>(j)] += number(x, i) * number(g, o);
    });
    int const wrt[] = {0, 1};
    graph const d = vjp(forward(r), {wrt, 2});
    ASSERT_EQ(verify(d).broken, rule::unbroken) << "seed " << seed;
    for (node const& n : d.nodes)
      ASSERT_NE(n.code, op::transpose) << "a derivative is a convolve node over what there is";
    growing<dense> const out = interpret(d, arrays(x, w, g));
    ASSERT_EQ(out.size(), 3);
    for (int i = 0; i < x.size(); ++i)
      ASSERT_EQ(number(out[1], i), dx[static_cast<std::size_t>(i)]) << "seed " << seed;
    for (int j = 0; j < w.size(); ++j)
      ASSERT_EQ(number(out[2], j), dw[static_cast<std::size_t>(j)]) << "seed " << seed;
  }
}
TEST(convolve, a_derivative_has_derivatives) {
  for (int seed = 0; seed < 300; ++seed) {
    random_source rng(static_cast<std::uint64_t>(seed) + 20000);
    random_convolution const r = convolution_writer(rng).write();
    dense const w = small_numbers(rng, dtype::f32, r.w), g = small_numbers(rng, dtype::f32, r.out),
                u = small_numbers(rng, dtype::f32, r.x);
    std::vector<long> dw(static_cast<std::size_t>(w.size()));
    for_each_term(r, [&](int i, int j, int o) {
      dw[static_cast<std::size_t>(j)] += number(u, i) * number(g, o);
    });
    recorder rec; // dx of g and w, and its derivative by w where the cotangent is u
    handle const hg = rec.input(dtype::f32, r.out, {0, 0, false}),
                 hw = rec.input(dtype::f32, r.w, {1, 0, false});
    handle const dx = convolve(hg, hw, by_input(r.c), r.x, dtype::f32);
    rec.finish({&dx, 1});
    int const by_w[] = {1};
    graph const d = vjp(rec.result, {by_w, 1});
    ASSERT_EQ(verify(d).broken, rule::unbroken);
    dense const got = interpret(d, arrays(g, w, u))[1];
    for (int j = 0; j < w.size(); ++j)
      ASSERT_EQ(number(got, j), dw[static_cast<std::size_t>(j)]) << "seed " << seed;
  }
}
TEST(convolve, examples_of_a_batch_are_computed_as_alone) {
  for (int seed = 0; seed < 400; ++seed) {
    random_source rng(static_cast<std::uint64_t>(seed) + 30000);
    random_convolution const r = convolution_writer(rng).write();
    bool const x_differs = seed % 3 != 0, w_differs = seed % 3 != 1;
    dense const x = small_numbers(rng, dtype::f32, x_differs ? with_leading(3, r.x) : r.x),
                w = small_numbers(rng, dtype::f32, w_differs ? with_leading(3, r.w) : r.w);
    recorder rec;
    handle const hx = rec.input(dtype::f32, r.x, {0, 0, false}),
                 hw = rec.input(dtype::f32, r.w, {1, 0, false});
    handle const y = convolve(hx, hw, r.c, r.out, dtype::f32);
    rec.finish({&y, 1});
    bool const mapped[] = {x_differs, w_differs};
    graph const all = vmap(rec.result, {mapped, 2}, 3);
    ASSERT_EQ(verify(all).broken, rule::unbroken);
    dense const got = interpret(all, arrays(x, w))[0];
    for (int e = 0; e < 3; ++e) {
      auto const example = [&](dense const& of, extents const& shape, bool differs) {
        dense one(of.type, shape);
        for (int i = 0; i < one.size(); ++i) one[i] = of[differs ? e * one.size() + i : i];
        return one;
      };
      dense const alone = interpret(
          rec.result, arrays(example(x, r.x, x_differs), example(w, r.w, w_differs)))[0];
      EXPECT_EQ(example(got, r.out, true), alone) << "seed " << seed;
    }
  }
}

TEST(convolve, zeros_around_are_terms_and_gaps_are_none) {
  float const inf = std::numeric_limits<float>::infinity();
  convolution c;
  c.rank_x = c.rank_w = c.rank_out = 1;
  c.x[0] = 0, c.w[0] = 1, c.out[0] = 2;
  c.window[c.windows++] = {.x = 0, .w = 1, .out = 2, .low = 1};
  dense const y = convolved(c, vector<float>({1, 2}), vector<float>({inf, 1}), dims({2}));
  EXPECT_TRUE(std::isnan(element_of_word<float>(y[0]))); // 0 * inf
  EXPECT_EQ(y[1], word_of(inf));
  c.window[0] = {.x = 0, .w = 1, .out = 2, .spread = 2}; // 1 . 2
  dense const z = convolved(c, vector<float>({1, 2}), vector<float>({1, inf}), dims({2}));
  EXPECT_EQ(z[0], word_of(1.0f));
  EXPECT_EQ(z[1], word_of(inf));
}
TEST(convolve, bias_is_added_before_the_one_rounding) {
  convolution c = rows("hcf");
  c.has_bias = true;
  dense x(dtype::bf16, dims({1, 1})), w(dtype::bf16, dims({1, 1, 1})), b(dtype::f32, dims({1, 1}));
  x[0] = w[0] = word_of(bf16(1.0078125f));
  b[0] = word_of(0x1p-16f);
  dense const y = value_of({x, w, b}, [&](recorder&, view<handle> in) {
    return convolve(in[0], in[1], c, dims({1, 1}), dtype::bf16, in[2]);
  });
  EXPECT_EQ(y[0], word_of(bf16(1.0078125f * 1.0078125f + 0x1p-16f)));
}

TEST(convolve, prints_its_equation) {
  recorder r;
  handle const x = r.input(dtype::f32, dims({2, 5, 3}), {0, 0, false}),
               w = r.input(dtype::f32, dims({2, 3, 4}), {1, 0, false});
  convolution c;
  c.rank_x = c.rank_w = c.rank_out = 3;
  c.x[0] = 'n', c.x[1] = 'h', c.x[2] = 'c';
  c.w[0] = 'k', c.w[1] = 'c', c.w[2] = 'f';
  c.out[0] = 'n', c.out[1] = 'y', c.out[2] = 'f';
  c.window[c.windows++] = {'h', 'k', 'y', 2, -1, 1, 3};
  handle const y = convolve(x, w, c, dims({2, 4, 4}), dtype::f32);
  r.finish({&y, 1});
  EXPECT_NE(print(r.result).find("{abc,dce->afe, b = 2f - d - 3}"), std::string::npos)
      << print(r.result);
}

} // namespace

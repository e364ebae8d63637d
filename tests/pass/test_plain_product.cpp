// SPDX-License-Identifier: BSL-1.0
// Contractions that sum nothing become elementwise and keep every bit: zeros of both signs, products
// that underflow, NaN, rounding of the 16-bit types, bias; others stay.
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "sample.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/simplify.hpp>

namespace {

using namespace test;

struct form {
  char const *a, *b, *out;
};
constexpr form forms[] = {{"ij", "ij", "ij"},   {"ij", "ij", "ji"}, {"ij", "ji", "ij"},
                          {"ij", "i", "ij"},    {"i", "j", "ij"},   {"i", "j", "ji"},
                          {"ij", "", "ij"},     {"", "ij", "ji"},   {"", "", ""},
                          {"ikj", "kl", "lkij"}};

constexpr void label(char const* text, extent (&labels)[max_rank], int& rank) {
  for (; *text != '\0'; ++text) labels[rank++] = *text;
}
constexpr contraction labels_of(form const& f, contract_order order, bool bias) {
  contraction c{.order = order, .has_bias = bias};
  label(f.a, c.a, c.rank_a);
  label(f.b, c.b, c.rank_b);
  label(f.out, c.out, c.rank_out);
  return c;
}
constexpr extents shape_with(extent const (&labels)[max_rank], int rank, bool names) {
  extents s;
  for (int i = 0; i < rank; ++i) {
    char const name[] = {static_cast<char>(labels[i]), '\0'};
    s.push(names ? pack_name(name) : 7 - (labels[i] - 'i'));
  }
  return s;
}
constexpr graph product_graph(contraction const& c, dtype in, dtype out, bool names = false) {
  recorder r;
  handle a = r.input(in, shape_with(c.a, c.rank_a, names), {0, 0, false});
  handle b = r.input(in, shape_with(c.b, c.rank_b, names), {1, 0, false});
  handle bias = c.has_bias ? r.input(out, shape_with(c.out, c.rank_out, names), {2, 0, false})
                           : handle{};
  handle y = contract(a, b, c, out, {}, bias);
  r.finish({&y, 1});
  return std::move(r.result);
}

constexpr contraction hadamard = labels_of(forms[0], contract_order::lanes, false);
static_assert(count(simplify(product_graph(hadamard, dtype::f32, dtype::f32)), op::contract) == 0);
static_assert(count(simplify(product_graph(hadamard, dtype::f32, dtype::f32), stop_gradients::kept),
                    op::contract) == 1);
static_assert(count(simplify(recorded([](recorder&, handle x) { return product(x, x); })),
                    op::contract) == 1);
static_assert(count(simplify(recorded([](recorder&, handle x) {
                      contraction c{.has_start = true, .rank_a = 2, .rank_b = 2, .rank_out = 2};
                      for (int i = 0; i < 2; ++i) c.a[i] = c.b[i] = c.out[i] = i;
                      return contract(x, x, c, x.type(), x);
                    })),
                    op::contract) == 1);

growing<dense> inputs_for(graph_view g, std::uint64_t seed, bool names) {
  growing<dense> r;
  test::random_source rng(seed);
  for (int p : g.parameters_of(0)) {
    extents s = g.shape(p);
    if (names)
      for (int i = 0; i < s.rank; ++i) s[i] = 3 + (-s[i]) % 5;
    dense d(g[p].type, s);
    for (word& w : d.words) w = test::random_word(rng, g[p].type, seed % 2 == 0);
    r.push(d);
  }
  return r;
}
void check(contraction const& c, dtype in, dtype out, bool names) {
  graph const g = product_graph(c, in, out, names), s = simplify(g);
  ASSERT_FALSE(verify(s)) << verify(s).node;
  EXPECT_EQ(count(s, op::contract), 0);
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    growing<dense> const inputs = inputs_for(g, seed, names);
    EXPECT_TRUE(test::same_bits(seed, s, test::meaning_of(s, inputs), test::meaning_of(g, inputs)));
  }
}
TEST(plain_product, keeps_bits) {
  for (form const& f : forms)
    for (contract_order order : {contract_order::chain, contract_order::lanes})
      for (int turn = 0; turn < 4; ++turn) {
        contraction const c = labels_of(f, order, turn % 2 == 1);
        bool const names = turn / 2 == 1;
        check(c, dtype::f32, dtype::f32, names);
        check(c, dtype::bf16, dtype::bf16, names);
        check(c, dtype::bf16, dtype::f32, names);
        check(c, dtype::i32, dtype::i32, names);
      }
}
// -2^-80 * 2^-80 rounds to -0: a chain leaves it, the other lanes' zeros make it +0.
TEST(plain_product, zeros_have_their_signs) {
  for (contract_order order : {contract_order::chain, contract_order::lanes}) {
    graph const g = product_graph(labels_of(forms[8], order, false), dtype::f32, dtype::f32);
    growing<dense> in;
    in.push(dense(dtype::f32, {}, std::bit_cast<std::uint32_t>(-0x1p-80f)));
    in.push(dense(dtype::f32, {}, std::bit_cast<std::uint32_t>(0x1p-80f)));
    word const expected = order == contract_order::chain ? 0x80000000u : 0;
    EXPECT_EQ(test::meaning_of(g, in)[0][0], expected);
    EXPECT_EQ(test::meaning_of(simplify(g), in)[0][0], expected);
  }
}

} // namespace

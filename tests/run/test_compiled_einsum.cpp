// SPDX-License-Identifier: BSL-1.0
// build: alone long
// einsum and its relatives in compiled programs and on tensors: diagonals that are views, sums before
// products, several operands, ellipses, bool, float sums of bf16; the interpreter's bits.
#include "run/compiled.hpp"

#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr sym n{"n"};

constexpr auto forms = [](auto x, auto y) { // (..., 3, 3), (3, 5)
  return std::tuple(einsum<"...ii->...i">(x), einsum<"...ii">(x), einsum<"...ij->j...">(x),
                    einsum<"...ij,jk">(x, y), einsum<"...ii,ik,jk->...j">(x, y, y),
                    einsum<"...ij,...kl->ki">(x, x));
};
constexpr auto relatives = [](auto x, auto y) { // (2, 3, 3), (3, 5)
  return std::tuple(matmul(x, y), dot(x, y), tensordot<1>(x, y), diagonal<1, 0, -1>(x),
                    trace<0, 1, 2>(x), tanh(diagonal<-1, 1, 2>(x)) * 2);
};
constexpr auto wide = [](auto x, auto y) {
  return std::tuple(einsum<"ij,jk", float>(x, y), einsum<"ij,jk,kl->il">(x, y, transpose(y)),
                    matmul<float>(x, y));
};
constexpr auto logic = [](auto x, auto y) {
  return std::tuple(einsum<"ij,jk">(x, y), einsum<"ij,jk", int>(x, y), einsum<"ij->j">(x));
};

TEST(compiled_einsum, floats) {
  for (std::uint64_t seed = 1; seed < 3; ++seed)
    check<forms>(filled<float, 2, 4, 3, 3>(seed), filled<float, 3, 5>(seed + 9));
}
TEST(compiled_einsum, relatives) {
  check<relatives>(filled<float, 2, 3, 3>(1), filled<float, 3, 5>(2));
}
TEST(compiled_einsum, named_squares) {
  constexpr auto f = [](auto x) {
    return std::tuple(einsum<"ii->i">(x), trace(x), einsum<"...j,jk,ki->i...">(x, x, x));
  };
  for (int rows : {0, 1, 9, 33}) check<f>(filled<float, n, n>(5, rows));
}
TEST(compiled_einsum, other_elements) {
  check<wide>(filled<bf16, 4, 6>(1), filled<bf16, 6, 5>(2));
  check<logic>(filled<bool, 4, 6>(1), filled<bool, 6, 5>(2));
}

constexpr auto chain = [](auto x) { return einsum<"ij,jk,kl->il">(x, x, x); };
// low: the argument is rounded, and the result; the value between the two products stays float
TEST(compiled_einsum, autocast_rounds_operands_and_result) {
  constexpr auto low = [](auto x) { return autocast<bf16>(chain)(x); };
  graph const g = record<tensor<float, 3, 3>>(low);
  int products = 0, roundings = 0;
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code == op::convert && g[id].type == dtype::bf16) ++roundings;
    if (g[id].code != op::contract) continue;
    EXPECT_EQ(g[id].type, dtype::f32);
    if (++products == 1) {
      EXPECT_EQ(g[graph_view(g).operand(id, 0)].type, dtype::bf16);
    }
  }
  EXPECT_EQ(products, 2);
  EXPECT_EQ(roundings, 2);
  check<low>(filled<float, 3, 3>(1));
}

// tensors: computed now, as the traced function would
TEST(compiled_einsum, tensors) {
  tensor<float, 2, 3> const a = {{1, 2, 3}, {4, 5, 6}};
  tensor<float, 3, 3> const s = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  EXPECT_EQ(eval(einsum<"ij,kj,k">(a, a + a, tensor<float, 2>{1, 0})), (tensor<float, 2>{28, 64}));
  EXPECT_EQ(eval(einsum<"ij,">(a, 2)), eval(a * 2));
  EXPECT_EQ(eval(einsum<"ii->i">(s) + diagonal(s)), (tensor<float, 3>{2, 10, 18}));
  EXPECT_EQ(eval(matmul(a, s)), (tensor<float, 2, 3>{{30, 36, 42}, {66, 81, 96}}));
  EXPECT_EQ(eval(trace(s))(), 15);
  EXPECT_EQ(eval(vdot(a, a))(), 91);
  EXPECT_EQ(eval(tensordot<axis_list(1), axis_list(0)>(a, s)), eval(dot(a, s)));
  EXPECT_EQ(eval(inner(a, a)), eval(einsum<"ij,kj->ik">(a, a)));
  EXPECT_EQ(eval(outer(a, tensor<float>(1))), (tensor<float, 6, 1>{{1}, {2}, {3}, {4}, {5}, {6}}));
  tensor<bf16, 2> const low = {256.0f, 1.0f};
  EXPECT_EQ((eval(einsum<"i,j->", float>(low, low))()), 257 * 257);
}
// a name is one number
TEST(compiled_einsum, names_that_disagree) {
  tensor<float, n, 3> const x(2);
  tensor<float, 3, n> const y(4);
  EXPECT_THROW(eval(einsum<"ij,jk">(x, y)), shape_error);
  EXPECT_THROW(eval(trace(matmul(x, y))), shape_error);
}
constexpr float constant_trace() {
  tensor<float, 2, 2> const x = {{1, 2}, {3, 4}};
  return trace(matmul(x, x))();
}
static_assert(constant_trace() == 29);

} // namespace

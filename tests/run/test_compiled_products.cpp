// SPDX-License-Identifier: BSL-1.0
// build: alone long -O2
// Contractions in compiled programs: every transpose, batch axes, several contracted axes, both
// orders, bias, every element type; operands that are views, constants and iotas; what surrounds
// them in softmax, cross-entropy, dropout and GRU.
#include "run/compiled.hpp"

#include <weft/lang/makers.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/random.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr sym n{"n"}, m{"m"};

constexpr auto transposes = [](auto x, auto y) {
  return std::tuple(einsum<"ij,jk->ik">(x, y), einsum<"ij,jk->ki">(x, y),
                    einsum<"ji,jk->ik">(transpose(x), y), einsum<"ij,kj->ik">(x, transpose(y)),
                    einsum<"ji,kj->ki">(transpose(x), transpose(y)));
};
constexpr auto batches = [](auto x, auto y) {
  return std::tuple(einsum<"bij,bjk->bik">(x, y), einsum<"bij,bjk->ikb">(x, y),
                    einsum<"bij,bjk->ik">(x, y), einsum<"bij,ajk->abik">(x, y));
};
constexpr auto lanes = [](auto x, auto v) {
  return std::tuple(einsum<"ij,j->i">(x, v), einsum<"i,i->">(v, v),
                    einsum<"ji,j->i">(transpose(x), v), einsum<"ij,ij->">(x, x),
                    einsum<"i,j->ij">(v, v));
};
constexpr auto with_bias = [](auto x, auto w, auto b) {
  return std::tuple(linear(x, w, b), tanh(linear<"ij,jk->ki">(x, w, reshape<6, 1>(b))),
                    einsum<"ij,jk->ik">(x, w) + b);
};
constexpr auto odd_operands = [](auto x) {
  auto ones_there = ones<float, 6, 4>();
  auto grid = zeros_like(at<"0:5">(x)) + arange<float, 6>();
  return std::tuple(einsum<"ij,jk->ik">(x, ones_there), einsum<"ij,kj->ik">(x, grid),
                    einsum<"ij,kj->ik">(at<"::-2">(x), at<"1:4, ::-1">(x)),
                    einsum<"ij,jk->ik">(exp(x), transpose(x)));
};
constexpr auto trees = [](auto x, auto w, auto v) {
  auto h = tanh(einsum<"ij,jk->ik">(x, w));
  auto y = einsum<"ij,jk->ik">(h, v);
  return std::tuple(softmax(y), softmax<0>(y), log_softmax(y), logsumexp<-1>(y), mean(y * y));
};
constexpr auto cross_entropy = [](auto x, auto w, auto labels) {
  return mean(softmax_cross_entropy(einsum<"ij,jk->ik">(x, w), labels));
};
constexpr auto dropped = [](auto k, auto x, auto w, auto b) {
  auto keys = split(k);
  auto h = dropout(keys[0], 0.25f, tanh(linear(x, w, b)));
  return std::tuple(h, uniform<7, 5>(keys[1]), fold_in(k, 3));
};
constexpr auto draws = [](auto k) {
  auto keys = split<3>(k);
  return std::tuple(bits<33>(keys[0]), uniform<5, 13>(keys[1], -1.0f, 2.0f),
                    bernoulli<65>(keys[2], 0.3f));
};
constexpr auto gru_step = [](auto p, auto h, auto x) { return gru(p, h, x); };
template <template <class, auto...> class array> using small_gru = gru_weights<array, 5, 9>;

TEST(compiled_products, chain_order) {
  check<transposes>(filled<float, m, n>(2, 7, 19), filled<float, n, 33>(4, 19));
  check<transposes>(filled<float, m, n>(2, 1, 1), filled<float, n, 33>(4, 1));
  check<transposes>(filled<float, m, n>(2, 40, 0), filled<float, n, 33>(4, 0));
  check<transposes>(filled<float, m, n>(2, 0, 3), filled<float, n, 33>(4, 3));
  check<transposes>(filled<float, m, n>(2, 70, 300), filled<float, n, 33>(4, 300));
  check<batches>(filled<float, 3, 5, 7>(2), filled<float, 3, 7, 4>(4));
}
TEST(compiled_products, lanes_order) {
  for (int e : {0, 1, 63, 64, 65, 200})
    check<lanes>(filled<float, m, n>(2, 5, e), filled<float, n>(4, e));
}
TEST(compiled_products, other_types) {
  check<transposes>(filled<bf16, m, n>(2, 7, 19), filled<bf16, n, 33>(4, 19));
  check<transposes>(filled<int, m, n>(1, 7, 19), filled<int, n, 33>(3, 19));
  check<lanes>(filled<bf16, m, n>(2, 7, 70), filled<bf16, n>(4, 70));
}
TEST(compiled_products, bias_and_views) {
  check<with_bias>(filled<float, m, 6>(2, 5), filled<float, 6, 6>(4), filled<float, 1, 6>(6));
  check<with_bias>(filled<bf16, m, 6>(2, 5), filled<bf16, 6, 6>(4), filled<bf16, 1, 6>(6));
  check<odd_operands>(filled<float, 9, 6>(2));
}
// Wide products, whose a is read where it lies if its rows are contiguous and not a page apart.
constexpr auto wide = [](auto x, auto y) {
  return std::tuple(einsum<"ij,jk->ik">(x, y), einsum<"ij,jk->ik">(flip<0>(x), y),
                    tanh(einsum<"ij,jk->ik">(flip<1>(x), y) + 1));
};
constexpr auto wide_views = [](auto x, auto y) {
  return std::tuple(einsum<"ij,jk->ik">(at<"::2, 7:307">(x), y),
                    einsum<"ij,jk->ik">(broadcast_to<99, 300>(at<"3, :300">(x)), y),
                    einsum<"ji,jk->ik">(at<":300, :70">(transpose(x)), y));
};
TEST(compiled_products, rows_where_they_lie) {
  check<wide>(filled<float, m, n>(2, 99, 257), filled<float, n, 200>(4, 257));
  check<wide>(filled<double, m, n>(2, 37, 520), filled<double, n, 200>(4, 520));
  check<wide>(filled<float, m, n>(2, 20, 1024), filled<float, n, 135>(4, 1024)); // a page apart
  check<wide_views>(filled<float, 120, 400>(2), filled<float, 300, 140>(4));
}
TEST(compiled_products, networks) {
  check<trees>(filled<float, n, 6>(2, 9), filled<float, 6, 16>(4), filled<float, 16, 11>(6));
  check<trees>(filled<float, n, 6>(2, 1), filled<float, 6, 16>(4), filled<float, 16, 11>(6));
  tensor<int, n> labels(4);
  for (int i = 0; i < 4; ++i) labels.mutate()(i) = 3 * i;
  check<cross_entropy>(filled<float, n, 6>(2, 4), filled<float, 6, 11>(4), labels);
  check<dropped>(key(42), filled<float, 12, 6>(2), filled<float, 6, 17>(4), filled<float, 17>(6));
  check<draws>(key(7));
  small_gru<tensor> const p{filled<float, 27, 5>(2), filled<float, 27, 9>(4), filled<float, 27>(6),
                            filled<float, 27>(8)};
  check<gru_step>(p, filled<float, n, 9>(10, 6), filled<float, n, 5>(12, 6));
}

} // namespace

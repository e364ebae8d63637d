// SPDX-License-Identifier: BSL-1.0
// The weft column of docs/cheatsheet.md: this file has every spelling of it, so that each compiles
// and records a graph that verifies; a test compares the two.
#include <weft/graph/verify.hpp>
#include <weft/lang/record.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace weft;

template <class... X> void use(X const&...) {}

inline constexpr auto f = [](auto x) { return sum(x * x); };
inline constexpr auto g = [](auto x, auto by, auto y) { return x * by + y; };

constexpr sym rows{"rows"};
constexpr sym rest{"rest"};

auto const sheet = [](auto x, auto y, auto w, auto v, auto q, auto u, auto i, auto j, auto k,
                      auto s) {
  use(full<float, 2, 3>(0.5f), arange<int, 2, 9, 3>(), linspace<float, 5>(0, 1), eye<float, 3>());
  use(zeros_like(x), ones_like(x), full_like(x, 3), convert<double>(x), at<"1">(x), at<":, 1:3">(x),
      at<"::-1">(x));
  use(at<"..., new">(x), at<"$">(x, j), set<"0">(x, 1), reshape<2, 6>(x), transpose<1, 0>(x));
  use(move_axis<0, 1>(x), broadcast_to<3, 4>(v), concat<1>(x, y), stack<0>(x, y), split<2, 1>(x));
  use(flip<1>(x), roll<1, 0>(x), tril(x), triu(x), take<0>(x, i), scatter_add<0>(x, i, 1));
  use(x * y + 1, x / y, exp(x), tanh(x), pow(x, y), remainder(x, y), mod_floor(x, y));
  use(maximum(x, 0), clip(x, 0, 1), where(x < y, x, 0), sum(x), sum<0>(x), mean<-1, keep>(x));
  use(max<1>(x), weft::std<0>(x), arg_max<1>(x), any(x > 0), all(x > 0), cumsum<1>(x), sort<1>(x));
  use(take_along_axis<1>(x, arg_sort<1>(x)), one_hot<5>(i), ((x > 0) & !(x > 1)) == (x < y));
  use(top_k<2>(x), searchsorted(v, x), searchsorted<after>(v, x));
  use(arg_sort<1>(x), matmul(x, w), einsum<"ij,kj->ik">(x, y), dot(v, v), outer(v, v));
  use(tensordot<1>(x, w), diagonal(q), trace(q), value_and_grad(f)(x), stop_gradient(x));
  use(debug_print<"x">(x), checked(f)(x), check_finite(x));
  use(vmap(f)(x), vmap<vmap_options{.out = 1}, 0, none, 1>(g)(x, 2.0f, transpose<1, 0>(x)));
  use(grad(f)(x), vjp(f)(x, 1.0f), jvp(f)(x, y), jacobian(f)(x), hessian(f)(x));
  auto body = [](auto carry, auto row) { return std::pair(carry + row, carry); };
  auto step = [](auto, auto carry) { return carry * 2; };
  use(at<"1:", rest>(u), median(x), quantile<1>(x, 0.9));
  use(scan(body, v, x), fori_loop(0, 5, step, v), softmax(x), gelu(x));
  auto keys = split<4>(k);
  use(uniform<2, 3>(keys[0]), normal<2, 3>(keys[1]), randint<5>(keys[2], 0, 9));
  use(glorot_uniform<6, 4>(keys[3]));
  auto const [value, gradient, finite] = scaled_value_and_grad(f)(s, x);
  auto const m = master_weights(x);
  use(next_loss_scale(s, finite), select_leaves(finite, y, x), convert_like(x, m));
  return x;
};
auto const sheet_of_keys = [](auto x, auto k) {
  auto h = [](auto its_key, auto row) { return dropout(its_key, 0.5f, row); };
  use(at<"0, 1">(x));
  return vmap(h)(split_keys<4>(k), x);
};
auto const sheet_of_draws = [](auto x, auto k, auto other) {
  auto keys = split<4>(k);
  use(permutation<10>(keys[0]), bernoulli<2, 3>(keys[1], 0.5f), categorical(keys[2], x));
  use(dropout(keys[3], 0.1f, x));
  keys = split<4>(other);
  return categorical<-1, 6>(keys[2], x);
};
auto const sheet_of_images = [](auto b, auto c) {
  return conv<"NCHW,OIHW->NCHW", conv_options{.strides = 2, .padding = pads::same}>(b, c);
};
TEST(cheatsheet, traced_spellings_record) {
  using x = tensor<float, 3, 4>;
  graph const recorded =
      record<x, x, tensor<float, 4, 5>, tensor<float, 4>, tensor<float, 4, 4>, tensor<float, rows>,
             tensor<int, 2>, tensor<int>, key, loss_scale<tensor>>(sheet);
  EXPECT_EQ(recorded.error, trace_error::clean);
  EXPECT_FALSE(verify(recorded));
  graph const of_keys = record<tensor<float, 4, 3>, key>(sheet_of_keys);
  EXPECT_EQ(of_keys.error, trace_error::clean);
  EXPECT_FALSE(verify(of_keys));
  graph const of_draws = record<tensor<float, 3, 4>, key, key>(sheet_of_draws);
  EXPECT_EQ(of_draws.error, trace_error::clean);
  EXPECT_FALSE(verify(of_draws));
  graph const of_images = record<tensor<float, 2, 3, 8, 8>, tensor<float, 5, 3, 3, 3>>(
      sheet_of_images);
  EXPECT_FALSE(verify(of_images));
}

TEST(cheatsheet, tensors) {
  tensor<float, 3, 4> a;
  tensor<float, 3> b = {1, 2, 3};
  EXPECT_EQ(a(2, 3) + b(1), 2);
  tensor<float, 3, 4> t;
  t.mutate()(0, 1) = 5;
  EXPECT_EQ(t(0, 1), 5);
  {
    auto m = t.mutate();
    at<"0">(m) = 7;
  }
  EXPECT_EQ(t(0, 1), 7);
  t += 1;
  auto e = eval(t + 1);
  EXPECT_EQ(e(0, 1), 9);
  EXPECT_EQ(t.extent(0), 3);
  int const n = 3;
  tensor<float, rows, 4> d(n);
  EXPECT_EQ(d.size(), 12);
  float const elements[12] = {1, 2};
  float const* p = elements;
  EXPECT_EQ((borrow<3, 4>(p))(0, 1), 2);
  tensor<float> const r = jit<f>(t);
  EXPECT_EQ(r(), 4 * 64 + 8);
  EXPECT_EQ(key(42).low, 42u);
  EXPECT_EQ(initial_loss_scale().scale(), 65536);
}

std::string without_spaces(std::string const& s) {
  std::string r;
  for (char c : s)
    if (c != ' ' && c != '\n') r += c;
  return r;
}
std::string text_of(std::string const& path) {
  std::ifstream in(std::string(WEFT_SOURCE_DIR).append(path));
  return {std::istreambuf_iterator<char>(in), {}};
}
// Every `code` of the last column of every table.
TEST(cheatsheet, sheet_and_test_agree) {
  std::string const code = without_spaces(text_of("/tests/lang/test_cheatsheet.cpp"));
  std::ifstream in(std::string(WEFT_SOURCE_DIR).append("/docs/cheatsheet.md"));
  int spellings = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| ", 0) != 0 || line.find('`') == std::string::npos) continue;
    std::size_t const last = line.rfind(" | ", line.size() - 3);
    for (std::size_t at = line.find('`', last); at != std::string::npos;) {
      std::size_t const end = line.find('`', at + 1);
      std::string const spelling = line.substr(at + 1, end - at - 1);
      EXPECT_NE(code.find(without_spaces(spelling)), std::string::npos) << spelling;
      at = line.find('`', end + 1);
      ++spellings;
    }
  }
  EXPECT_GT(spellings, 80);
}

} // namespace

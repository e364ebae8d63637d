// SPDX-License-Identifier: BSL-1.0
// build: alone
// Views read in place by compiled kernels: broadcasts of every kind, chains of views, iotas and
// constants behind views, reshapes that are views and reshapes that must be copied.
#include "run/compiled.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/makers.hpp>
#include <weft/lang/movement.hpp>

namespace {

using namespace weft;
using test::check, test::filled, test::tails;

constexpr sym n{"n"}, m{"m"};

constexpr auto broadcasts = [](auto x, auto row, auto column, auto scalar) {
  return std::tuple(x + row, x * column, x - scalar, row * column, x * 2 + row - column * scalar);
};
constexpr auto middle_axes = [](auto x, auto y, auto z) { return std::tuple(x + y, x * z, y - z); };
constexpr auto chains = [](auto x) {
  auto t = transpose<2, 0, 1>(x);
  auto s = at<"1:, ::-1, ::2">(t);
  return std::tuple(t + 1, s * s, at<"::2, ::-3">(transpose<1, 0>(at<"1">(x))) - 1,
                    flip<0, -1>(x) * x, transpose(at<":, new, 1">(x)) + 0.5f);
};
constexpr auto of_computed = [](auto x) {
  auto y = exp(x * 0.25f);
  return std::tuple(transpose(y), at<"::2, 1:">(y) + 1, y + transpose(y), reshape<4, 3, 2, 6>(y),
                    flip<1>(y) * y);
};
constexpr auto reshapes = [](auto x) {
  auto t = transpose(x);
  return std::tuple(reshape<24>(t) + 1, reshape<3, 2, 4>(x) * 2, reshape<2, 12>(t),
                    reshape<4, 6>(flip<0>(x)) - reshape<4, 6>(t), reshape<1, 24, 1>(x * x));
};
constexpr auto iotas = [](auto x) {
  auto i = arange<int, 6>();
  auto j = reshape<6, 1>(x * 0 + i);
  return std::tuple(x + i, x * at<"::-1">(x * 0 + i), convert<float>(j) + 0.5f,
                    transpose(broadcast_to<4, 6>(x * 0 + arange<int, 6>())) + 1);
};
// Iotas alone: they have no memory, whatever views them.
constexpr auto counted = [](auto x) {
  auto a = x + arange<float, 12>();
  auto grid = broadcast_to<5, 12>(zeros_like(x) + arange<float, 12>());
  auto e = x + at<"0">(broadcast_to<2, 12>(zeros_like(x) + linspace<float, 12>(-1.0f, 2.5f)));
  return std::tuple(a, grid, e, arange<int, 12>(), arange<bf16, 12>(), eye<float, 3, 4>());
};
constexpr auto results = [](auto x, auto y) {
  auto s = x + y;
  return std::tuple(x, s, s, transpose(x), full<float, 2, 3>(0.5f), at<"1:, 0">(y), x);
};
constexpr auto named = [](auto x, auto column, auto row) {
  auto t = transpose(x);
  return std::tuple(x + column, x * row, t - transpose(row), flip<0>(x) * column, column + row,
                    at<":, ::-1">(x) + arange<float, n>(), reshape<n, m>(t) + 1);
};
// One axis a run: where its extent is 1, neighbours could be merged that the kernel walks apart.
constexpr auto column_alone = [](auto x, auto column) { return x + column; };
// A reshape that no stride expresses, unless its named extent is 1: then strides of 3.
constexpr auto perhaps_copied = [](auto x) {
  return reshape<n, 4>(transpose(at<":, :, 1">(x))) * 2;
};

TEST(compiled_views, broadcasts) {
  check<broadcasts>(filled<float, 5, 9>(1), filled<float, 9>(2), filled<float, 5, 1>(4),
                    filled<float>(6));
  check<broadcasts>(filled<bf16, 33, 17>(1), filled<bf16, 17>(2), filled<bf16, 33, 1>(4),
                    filled<bf16>(6));
  check<middle_axes>(filled<float, 3, 4, 5>(2), filled<float, 3, 1, 5>(4), filled<float, 4, 1>(6));
  check<middle_axes>(filled<int, 2, 8, 16>(1), filled<int, 2, 1, 16>(3), filled<int, 8, 1>(5));
}
TEST(compiled_views, chains) {
  check<chains>(filled<float, 4, 6, 5>(1));
  check<of_computed>(filled<float, 12, 12>(2));
  check<reshapes>(filled<float, 6, 4>(4));
  check<reshapes>(filled<bf16, 6, 4>(2));
}
TEST(compiled_views, iotas_and_results) {
  check<iotas>(filled<int, 6>(1));
  check<counted>(filled<float, 12>(2));
  check<results>(filled<float, 6, 6>(2), filled<float, 6, 6>(4));
  check<results>(filled<float, 2, 2>(2), filled<float, 2, 2>(4));
}
TEST(compiled_views, with_names) {
  for (int a : {5, 1, 0, 17})
    for (int b : {4, 1, 0, 9, 64, 5})
      check<named>(filled<float, m, n>(2, a, b), filled<float, m, 1>(4, a),
                   filled<float, 1, n>(6, b));
  for (int a : {3, 1, 0, 4, 1}) {
    check<column_alone>(filled<float, m, n>(2, 5, a), filled<float, m, 1>(4, 5));
    check<perhaps_copied>(filled<float, n, 4, 3>(2, a));
  }
}

} // namespace

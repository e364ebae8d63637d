// SPDX-License-Identifier: BSL-1.0
// Programs that memory bounds, on arrays as large as those that the copy rate is measured with: one
// op, ten ops, rows, columns, everything. Their bytes are those that must be read and written.
#include "beside.hpp"

#include <weft/lang/elementwise.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/lang/reductions.hpp>

namespace {
using namespace weft;

constexpr sym n{"n"};
constexpr sym rows{"rows"};
constexpr int width = 1024;

constexpr auto negated = [](auto x) { return -x; };
constexpr auto ten_ops = [](auto x, auto y) {
  auto a = x * y + x;
  auto b = sqrt(abs(a * a - y));
  return maximum(b, x) * minimum(a, y) + 0.5f;
};
constexpr auto softmax_rows = [](auto x) { return softmax(x); };
constexpr auto normalised_rows = [](auto x, auto scale, auto shift) {
  return layer_norm(x, scale, shift);
};
constexpr auto sum_rows = [](auto x) { return sum<1>(x); };
constexpr auto sum_columns = [](auto x) { return sum<0>(x); };
constexpr auto sum_everything = [](auto x) { return sum(x); };

} // namespace

void bench::run_bandwidth(runs& r) {
  weft::extent const count = weft::extent{1} << (r.info().is_cpu ? 24 : 27);
  double const once = 4.0 * static_cast<double>(count);
  {
    auto const x = numbers<float, n>(count), y = numbers<float, n>(count);
    r.program<negated>("negate", {.bytes = 2 * once}, x);
    r.program<ten_ops>("ten elementwise ops", {.bytes = 3 * once}, x, y);
    r.program<sum_everything>("sum of all", {.bytes = once}, x);
  }
  auto const x = numbers<float, rows, width>(count / width);
  auto const scale = numbers<float, width>(), shift = numbers<float, width>();
  r.program<softmax_rows>("softmax of rows of 1024", {.bytes = 2 * once}, x);
  r.program<normalised_rows>("layer_norm of rows of 1024", {.bytes = 2 * once}, x, scale, shift);
  r.program<sum_rows>("sums of rows of 1024", {.bytes = once}, x);
  r.program<sum_columns>("sums of 1024 columns", {.bytes = once}, x);
}

// SPDX-License-Identifier: BSL-1.0
// build: alone
// Ten linear layers in a scan, forward and backward, on 1, 2 and 4 ranks beside one machine, in float and
// bf16: batch and columns split have its bits forward; where a contraction is split the difference is
// within a bound that is derived, and how many elements differ is printed.
#include "testing/partitioned_on_ranks.hpp"

#include <weft/partition.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

using namespace weft;
using std::string;
using test::inputs_of, test::number, test::on_ranks;

template <class... Args, class F> graph global(F const& f) { return canonical(record<Args...>(f)); }

constexpr auto ten_layers = [](auto ws, auto bs, auto x) {
  return scan(
             [](auto h, auto layer) {
               auto const& [w, b] = layer;
               return std::pair(linear<"bi,io->bo">(h, w, b), none);
             },
             x, std::pair(ws, bs))
      .first;
};
constexpr auto ten_layers_backward = [](auto ws, auto bs, auto x, auto c) {
  return grad<0, 1, 2>([&c](auto w, auto b, auto a) { return sum(ten_layers(w, b, a) * c); })(
      ws, bs, x);
};
template <class T> graph forward_graph() {
  return global<tensor<T, 10, 8, 8>, tensor<T, 10, 8>, tensor<T, 8, 8>>(ten_layers);
}
template <class T> graph backward_graph() {
  return global<tensor<T, 10, 8, 8>, tensor<T, 10, 8>, tensor<T, 8, 8>, tensor<T, 8, 8>>(
      ten_layers_backward);
}
growing<dense> magnitudes(view<dense> x) {
  growing<dense> all;
  for (dense const& a : x) {
    dense m(dtype::f64, a.shape);
    for (int i = 0; i < a.size(); ++i)
      m[i] = static_cast<word>(bits_of(std::abs(number(a, i)), dtype::f64));
    all.push(m);
  }
  return all;
}
// A chain of k sums of 8 products and a bias, each summed in float and rounded to its type (of bf16: after
// the sum and after the bias): every order is within (1 + each)^k - 1 of the exact result, times the
// chain of magnitudes.
void expect_within(on_ranks const& r, growing<dense> const& magnitude, view<sharding> out,
                   mesh_axes const& mesh, int sums, string const& what) {
  double const unit = 0x1p-24, gamma = 12 * unit / (1 - 12 * unit),
               rounded = r.results[0][0].type == dtype::bf16 ? 0x1p-8 : 0,
               of_one = (1 + gamma) * (1 + rounded) * (1 + rounded),
               each = std::pow(of_one, sums) - 1;
  auto const bounds = test::parts_of_ranks(magnitude, out, mesh);
  int differ = 0, all = 0;
  double worst = 0;
  for (unsigned rank = 0; rank < r.results.size(); ++rank)
    for (int k = 0; k < r.results[rank].size(); ++k)
      for (int i = 0; i < r.results[rank][k].size(); ++i, ++all) {
        double const d = std::abs(number(r.results[rank][k], i) - number(r.expected[rank][k], i)),
                     bound = 2 * each * number(bounds[rank][k], i);
        EXPECT_LE(d, bound) << what;
        differ += r.results[rank][k][i] != r.expected[rank][k][i];
        worst = bound > 0 && d / bound > worst ? d / bound : worst;
      }
  std::printf("%s: %d of %d elements differ, by at most %.1e of the bound\n", what.c_str(), differ,
              all, worst);
}
template <class T> void expect_forward(char const* type) {
  graph const g = forward_graph<T>();
  growing<dense> const inputs = inputs_of(g, false);
  growing<dense> const magnitude = test::meaning_of(forward_graph<double>(), magnitudes(inputs));
  for (int n : {1, 2, 4}) {
    string const ranks = std::to_string(n), data = "data=" + ranks, model = "model=" + ranks;
    on_ranks const rows(g, data.c_str(), {"-", "-", "data"}, {"data"}, inputs);
    std::printf("%s forward, batch over %d: %d elements differ\n", type, n, rows.differing());
    EXPECT_EQ(rows.differing(), 0) << type;
    EXPECT_EQ(rows.bytes(), 0);
    on_ranks const columns(g, model.c_str(), {"-,-,model", "-,model", "-,model"}, {"-,model"},
                           inputs);
    EXPECT_EQ(columns.differing(), 0) << type; // every sum is one rank's
    on_ranks const sums(g, model.c_str(), {"-,model,-", "-", "-"}, {"-"}, inputs);
    sharding const whole[1]{};
    expect_within(sums, magnitude, {whole, 1}, mesh_of(model.c_str()), 10,
                  type + string(" forward, contracted axes over ") + ranks);
    if (n == 1) {
      EXPECT_EQ(sums.differing(), 0);
    }
  }
}
TEST(partitioned, ten_layers_forward) {
  expect_forward<float>("f32");
  expect_forward<bf16>("bf16");
}
template <class T> void expect_backward(char const* type) {
  graph const g = backward_graph<T>();
  growing<dense> const inputs = inputs_of(g, false);
  growing<dense> const magnitude = test::meaning_of(backward_graph<double>(), magnitudes(inputs));
  // Whole numbers: the same bits, whatever is split. (Small ones: 10 products of them stay exact.)
  growing<dense> small = inputs_of(backward_graph<float>(), false);
  for (dense& x : small)
    for (int i = 0; i < x.size(); ++i)
      x[i] = static_cast<word>(bits_of(i % 3 == 0 ? 1 : i % 5 == 0 ? -1 : 0, dtype::f32));
  for (int n : {1, 2, 4}) {
    string const ranks = std::to_string(n), data = "data=" + ranks, model = "model=" + ranks;
    for (auto [mesh, w, b, x, what] :
         {std::tuple(data, "-", "-", "data", " backward, batch over "),
          std::tuple(model, "-,-,model", "-,model", "-,model", " backward, columns over "),
          std::tuple(model, "-,model,-", "-", "-", " backward, rows over ")}) {
      on_ranks const r(g, mesh.c_str(), {w, b, x, x}, {w, b, x}, inputs);
      mesh_axes const m = mesh_of(mesh.c_str());
      sharding const out[] = {sharding_of(w, m), sharding_of(b, m), sharding_of(x, m)};
      expect_within(r, magnitude, {out, 3}, m, 13, type + string(what) + ranks);
      if (n == 1) {
        EXPECT_EQ(r.differing(), 0);
      }
    }
    EXPECT_EQ(on_ranks(backward_graph<float>(), data.c_str(), {"-", "-", "data", "data"},
                       {"-,data", "-", "data"}, small)
                  .differing(),
              0);
  }
}
TEST(partitioned, ten_layers_backward) {
  expect_backward<float>("f32");
  expect_backward<bf16>("bf16");
}

} // namespace

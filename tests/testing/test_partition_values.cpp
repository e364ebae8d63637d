// SPDX-License-Identifier: BSL-1.0
// build: alone
// What partitioned programs compute on all ranks, beside one machine: the same bits where no contraction
// is split and on whole numbers; elsewhere within a bound that is derived, with a count of what differs.
#include "testing/partitioned_on_ranks.hpp"

#include <weft/mesh.hpp>
#include <weft/partition.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

using namespace weft;
using std::string;
using test::inputs_of, test::number, test::numbers, test::on_ranks, test::specs;

template <class... Args, class F> graph global(F const& f) { return canonical(record<Args...>(f)); }

// ---- an MLP and its gradients, of whole numbers
constexpr auto mlp_step = [](auto w1, auto b1, auto w2, auto x, auto y) {
  return value_and_grad<0, 1, 2>([](auto a, auto b, auto c, auto in, auto target) {
    auto h = relu(einsum<"bi,ih->bh">(in, a) + b);
    return sum(square(einsum<"bh,ho->bo">(h, c) - target));
  })(w1, b1, w2, x, y);
};
TEST(partitioned, mlp_of_whole_numbers_has_the_bits_of_one_machine_on_every_mesh) {
  graph const g = global<tensor<float, 4, 8>, tensor<float, 8>, tensor<float, 8, 4>,
                         tensor<float, 8, 4>, tensor<float, 8, 4>>(mlp_step);
  growing<dense> const inputs = inputs_of(g, true);
  struct setting {
    char const* mesh;
    specs in, out;
  };
  for (setting const& s :
       {setting{"data=2", {"-", "-", "-", "data", "data"}, {"", "-", "-", "-"}},
        setting{"data=4", {"-", "-", "-", "data", "data"}, {"", "-", "-", "-"}},
        setting{"data=4", {"data", "data", "data", "data", "data"}, {"", "data", "data", "data"}},
        setting{"model=2",
                {"-,model", "model", "model,-", "-", "-"},
                {"", "-,model", "model", "model"}},
        setting{"model=4",
                {"-,model", "model", "model,-", "-", "-"},
                {"", "-,model", "model", "model"}},
        setting{"data=2,model=2",
                {"-,model", "model", "model,-", "data", "data"},
                {"", "-,model", "model", "model"}},
        setting{"data=2,model=2",
                {"data,model", "model", "model,data", "data", "data"},
                {"", "data,model", "model", "model,data"}},
        setting{"data=2,model=4",
                {"-,model", "model", "model,-", "data", "data"},
                {"", "-,model", "model", "model"}}}) {
    on_ranks const r(g, s.mesh, s.in, s.out, inputs);
    EXPECT_EQ(r.differing(), 0) << s.mesh;
    EXPECT_GT(r.bytes(), 0);
  }
}

TEST(partitioned, a_bias_is_added_once) {
  graph const g = global<tensor<float, 4, 8>, tensor<float, 6, 8>, tensor<float, 6>>(
      [](auto x, auto w, auto b) { return linear<"bi,oi->bo">(x, w, b); });
  on_ranks const r(g, "model=4", {"-,model", "-,model", "-"}, {"-"}, inputs_of(g, true));
  EXPECT_EQ(r.differing(), 0);
  EXPECT_EQ(r.p.moves.size(), 1);
}

// ---- attention: heads over model, batch over data
constexpr auto heads = [](auto wq, auto wk, auto wv, auto x) {
  auto const q = einsum<"bti,ihd->bhtd">(x, wq), k = einsum<"bti,ihd->bhtd">(x, wk),
             v = einsum<"bti,ihd->bhtd">(x, wv);
  return causal_attention(q, k, v);
};
constexpr auto attention_block = [](auto wq, auto wk, auto wv, auto wo, auto x) {
  return einsum<"bhtd,hdo->bto">(heads(wq, wk, wv, x), wo);
};
using projection = tensor<float, 8, 4, 6>;
using tokens = tensor<float, 4, 5, 8>;
TEST(partitioned, attention_heads_have_the_bits_of_one_machine) {
  graph const g = global<projection, projection, projection, tokens>(heads);
  growing<dense> const inputs = inputs_of(g, false);
  for (auto [mesh, w, x, y] :
       {std::tuple("data=4", "-", "data", "data"), std::tuple("model=4", "-,model", "-", "-,model"),
        std::tuple("data=2,model=2", "-,model", "data", "data,model")}) {
    on_ranks const r(g, mesh, {w, w, w, x}, {y}, inputs);
    EXPECT_EQ(r.differing(), 0) << mesh;
    EXPECT_EQ(r.bytes(), 0) << mesh;
  }
}
TEST(partitioned, attention_whose_heads_meet_is_within_its_bound) {
  graph const g = global<projection, projection, projection, tensor<float, 4, 6, 8>, tokens>(
      attention_block);
  graph const context = global<projection, projection, projection, tokens>(heads);
  growing<dense> const inputs = inputs_of(g, false);
  growing<dense> of_heads(view<dense>(inputs).part(0, 3));
  of_heads.push(inputs[4]);
  dense const c = test::meaning_of(context,
                                   of_heads)[0]; // (4, 4, 5, 6): the same bits on all ranks
  for (auto [mesh, w, wo, x, y] :
       {std::tuple("model=2", "-,model", "model", "-", "-"),
        std::tuple("model=4", "-,model", "model", "-", "-"),
        std::tuple("data=2,model=2", "-,model", "model", "data", "data")}) {
    on_ranks const r(g, mesh, {w, w, w, wo, x}, {y}, inputs);
    // Sums of 24 products: each way is within gamma(24 + 3) of the exact one, times |c| |w|.
    double const unit = 0x1p-24, gamma = 27 * unit / (1 - 27 * unit);
    dense const& mine = r.results[0][0];
    dense const& one = r.expected[0][0];
    int differ = 0;
    for (int i = 0; i < mine.size(); ++i) {
      int const o = i % 8, t = i / 8 % 5, b = i / 40; // rank 0 has the first rows
      double bound = 0;
      for (int h = 0; h < 4; ++h)
        for (int d = 0; d < 6; ++d)
          bound += std::abs(number(c, ((b * 4 + h) * 5 + t) * 6 + d) *
                            number(inputs[3], (h * 6 + d) * 8 + o));
      EXPECT_LE(std::abs(number(mine, i) - number(one, i)), 2 * gamma * bound);
      differ += mine[i] != one[i];
    }
    std::printf("attention on %s: %d of %d elements differ from one machine, within the bound\n",
                mesh, differ, mine.size());
  }
}

// ---- a GRU in a scan
constexpr auto gru_scan = [](auto wx, auto wh, auto b, auto xs) {
  auto const step = [&](auto h, auto x) {
    auto gate = [&]<fixed_string Pick>() {
      return einsum<"bi,ih->bh">(x, at<Pick>(wx)) + einsum<"bi,ih->bh">(h, at<Pick>(wh)) +
             at<Pick>(b);
    };
    auto z = sigmoid(gate.template operator()<"0">()), r = sigmoid(gate.template operator()<"1">());
    auto n = tanh(einsum<"bi,ih->bh">(x, at<"2">(wx)) + einsum<"bi,ih->bh">(r * h, at<"2">(wh)) +
                  at<"2">(b));
    auto next = z * h + (1 - z) * n;
    return std::pair(next, next);
  };
  return scan(step, zeros<float, 8, 12>(), xs).second;
};
using wx_type = tensor<float, 3, 6, 12>;
using wh_type = tensor<float, 3, 12, 12>;
using series = tensor<float, 7, 8, 6>;
TEST(partitioned, gru_scan_has_the_bits_of_one_machine) {
  graph const g = global<wx_type, wh_type, tensor<float, 3, 12>, series>(gru_scan);
  growing<dense> const inputs = inputs_of(g, false);
  for (auto [mesh, w, b, xs, ys] :
       {std::tuple("data=4", "-", "-", "-,data", "-,data"),
        std::tuple("model=4", "-,-,model", "-,model", "-", "-,-,model"),
        std::tuple("data=2,model=2", "-,-,model", "-,model", "-,data", "-,data,model")}) {
    on_ranks const r(g, mesh, {w, w, b, xs}, {ys}, inputs);
    EXPECT_EQ(r.differing(), 0) << mesh;
    EXPECT_EQ(r.bytes() > 0, string(mesh) != "data=4");
  }
}

// ---- draws, tables, windows
TEST(partitioned, draws_are_those_of_one_machine) {
  graph const g = global<key, tensor<float, 8, 6>>(
      [](auto k, auto x) { return dropout(k, 0.5f, x) + normal<float, 8, 6>(k); });
  growing<dense> inputs;
  inputs.push(dense(dtype::u32, {1, {2}}, 5));
  inputs.push(numbers(dtype::f32, {2, {8, 6}}, 3, false));
  for (auto [mesh, x] : {std::pair("data=4", "data"), std::pair("data=2,model=2", "data*model"),
                         std::pair("data=2,model=3", "data,model")}) {
    on_ranks const r(g, mesh, {"-", x}, {x}, inputs);
    EXPECT_EQ(r.differing(), 0) << mesh;
    EXPECT_EQ(r.bytes(), 0) << mesh;
    graph_view const p = r.p.program;
    for (int id = 0; id < p.size(); ++id) // no rank draws what is not its own
      if (p[id].code == op::threefry2x32) {
        EXPECT_LE(count_of(p.shape(id)), 48 / static_cast<int>(r.results.size()));
      }
  }
}
TEST(partitioned, gradients_of_tables_are_combined_once) {
  graph const g = global<tensor<float, 10, 4>, tensor<std::int32_t, 8, 3>, tensor<float, 8, 3, 4>>(
      [](auto table, auto ids, auto c) {
        return grad([&](auto t) { return sum(embedding(t, ids) * c); })(table);
      });
  growing<dense> inputs = inputs_of(g, true);
  for (int i = 0; i < inputs[1].size(); ++i) inputs[1][i] = static_cast<word>(i * 7 % 10);
  on_ranks const r(g, "data=4", {"-", "data", "data"}, {"-"}, inputs);
  EXPECT_EQ(r.differing(), 0);
  EXPECT_EQ(r.p.moves.size(), 1);
  EXPECT_EQ(r.bytes(), 3 * 10 * 4 * 4);
}
TEST(partitioned, convolutions_over_batches) {
  graph const g = global<tensor<float, 3, 3, 2, 4>, tensor<float, 8, 6, 6, 2>>([](auto w, auto x) {
    return value_and_grad<0, 1>(
        [](auto f, auto a) { return sum(square(conv<"NHWC,HWIO->NHWC">(a, f))); })(w, x);
  });
  growing<dense> const inputs = inputs_of(g, true);
  on_ranks const batch(g, "data=4", {"-", "data"}, {"", "-", "data"}, inputs);
  EXPECT_EQ(batch.differing(), 0);
  EXPECT_EQ(batch.p.moves.size(), 2); // the sum, the gradient of the filter
  on_ranks const features(g, "data=2,model=2", {"-,-,-,model", "data"}, {"", "-,-,-,model", "data"},
                          inputs);
  EXPECT_EQ(features.differing(), 0);
}

} // namespace

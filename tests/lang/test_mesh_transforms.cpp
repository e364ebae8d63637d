// SPDX-License-Identifier: BSL-1.0
// Transforms of functions with collectives, on all ranks against one: gradients of data-parallel and
// tensor-parallel layers, jvp, vmap, autocast, checkpoint, scan; named extents; the passes.
#include "lang/mesh_functions.hpp"

#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>
#include <weft/mesh.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/testing/run_ranks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace mesh_functions;

using weft::all_gather, weft::all_reduce, weft::all_to_all, weft::axis, weft::axis_size, weft::bf16,
    weft::combine, weft::einsum, weft::mesh, weft::permute, weft::reduce_scatter, weft::sym,
    weft::tensor;
using weft::testing::each_rank, weft::testing::joined, weft::testing::parts,
    weft::testing::run_ranks;

template <class T, auto... E> std::vector<T> items(tensor<T, E...> const& x) {
  return {x.data(), x.data() + x.size()};
}
// Small whole numbers: whatever order sums are in, floats hold them exactly.
template <auto... E> tensor<float, E...> whole_numbers(unsigned seed) {
  tensor<float, E...> x;
  auto m = x.mutate();
  unsigned state = seed * 2654435761u + 1;
  for (weft::extent i = 0; i < x.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    m.data()[i] = static_cast<float>(state >> 24) / 64 > 2 ? -1.0f
                                                           : static_cast<float>(state >> 30);
  }
  return x;
}

template <int D, int M> void expect_gradients_of_one_rank() {
  mlp<tensor, 8> const p{whole_numbers<6, 8>(1), whole_numbers<8>(2), whole_numbers<8, 3>(3),
                         whole_numbers<3>(4)};
  tensor<float, 8, 6> const x = whole_numbers<8, 6>(5);
  tensor<float, 8, 3> const y = whole_numbers<8, 3>(6);
  auto const alone = run_ranks<loss_and_gradients<1, 1>>(both<1, 1>, p, x, y)[0];
  constexpr auto m = both<D, M>;
  auto const w1 = parts<m, "model", 1>(p.w1).values;
  auto const b1 = parts<m, "model", 0>(p.b1).values;
  auto const w2 = parts<m, "model", 0>(p.w2).values;
  auto const of_ranks = each_rank(m, [&](int r) {
    auto const u = static_cast<unsigned>(r);
    return mlp<tensor, 8 / M>{w1[u], b1[u], w2[u], p.b2};
  });
  auto const out = run_ranks<loss_and_gradients<D, M>>(m, of_ranks, parts<m, "data", 0>(x),
                                                       parts<m, "data", 0>(y));
  std::vector<tensor<float, 6, 8 / M>> g1;
  std::vector<tensor<float, 8 / M>> gb;
  std::vector<tensor<float, 8 / M, 3>> g2;
  for (auto const& [loss, g] : out) {
    EXPECT_EQ(loss(), alone.first());
    EXPECT_EQ(items(g.b2), items(alone.second.b2)) << D << "x" << M;
    g1.push_back(g.w1);
    gb.push_back(g.b1);
    g2.push_back(g.w2);
  }
  EXPECT_EQ(items(joined<m, "model", 1>(g1)), items(alone.second.w1)) << D << "x" << M;
  EXPECT_EQ(items(joined<m, "model", 0>(gb)), items(alone.second.b1)) << D << "x" << M;
  EXPECT_EQ(items(joined<m, "model", 0>(g2)), items(alone.second.w2)) << D << "x" << M;
  float size = 0;
  for (float v : items(alone.second.w1)) size += v < 0 ? -v : v;
  EXPECT_GT(size, 10); // not all dead
}
TEST(mesh_transforms, gradients_of_parallel_layers) {
  expect_gradients_of_one_rank<2, 1>();
  expect_gradients_of_one_rank<1, 2>();
  expect_gradients_of_one_rank<2, 2>();
  expect_gradients_of_one_rank<4, 1>();
  expect_gradients_of_one_rank<1, 4>();
  expect_gradients_of_one_rank<4, 2>();
}

auto const quad_inputs = [] {
  return each_rank(quad, [](int r) { return whole_numbers<4, 4>(static_cast<unsigned>(r) + 9); });
};
// <gradient of the sum over all ranks, v> = <tangents, 1>, exactly.
TEST(mesh_transforms, forward_and_reverse_agree) {
  static constexpr auto forward = [](auto x, auto v) { return weft::jvp(every_kind)(x, v).second; };
  static constexpr auto reverse = [](auto x) {
    return weft::grad([](auto y) { return weft::sum(every_kind(y)); })(x);
  };
  auto const v = each_rank(quad,
                           [](int r) { return whole_numbers<4, 4>(static_cast<unsigned>(r)); });
  auto const tangents = run_ranks<forward>(quad, quad_inputs(), v);
  auto const gradients = run_ranks<reverse>(quad, quad_inputs());
  float by_forward = 0, by_reverse = 0;
  for (unsigned r = 0; r < 4; ++r)
    for (int i = 0; i < 16; ++i) {
      by_forward += tangents[r].data()[i];
      by_reverse += gradients[r].data()[i] * v.values[r].data()[i];
    }
  EXPECT_EQ(by_forward, by_reverse);
  EXPECT_NE(by_forward, 0);
}
TEST(mesh_transforms, vmap_is_the_loop) {
  static constexpr auto mapped = [](auto x) { return weft::vmap(every_kind)(x); };
  auto const examples = each_rank(
      quad, [](int r) { return whole_numbers<3, 4, 4>(static_cast<unsigned>(r) + 20); });
  auto const all = run_ranks<mapped>(quad, examples);
  for (int k = 0; k < 3; ++k) {
    auto const x = each_rank(quad, [&](int r) {
      tensor<float, 4, 4> one;
      auto m = one.mutate();
      for (int i = 0; i < 16; ++i)
        m.data()[i] = examples.values[static_cast<unsigned>(r)].data()[16 * k + i];
      return one;
    });
    auto const one = run_ranks<every_kind>(quad, x);
    for (unsigned r = 0; r < 4; ++r)
      for (int i = 0; i < 16; ++i) EXPECT_EQ(all[r].data()[16 * k + i], one[r].data()[i]);
  }
}
TEST(mesh_transforms, checkpoint_keeps_bits) {
  static constexpr auto plain = [](auto x) {
    return weft::grad([](auto y) { return weft::sum(weft::tanh(every_kind(y))); })(x);
  };
  static constexpr auto kept = [](auto x) {
    return weft::grad(
        [](auto y) { return weft::sum(weft::tanh(weft::checkpoint(every_kind)(y))); })(x);
  };
  auto const a = run_ranks<plain>(quad, quad_inputs()), b = run_ranks<kept>(quad, quad_inputs());
  for (unsigned r = 0; r < 4; ++r) EXPECT_EQ(items(a[r]), items(b[r]));
}
// Products are bf16, a collective has its operand's type, a mean is computed in float.
TEST(mesh_transforms, autocast_follows) {
  static constexpr auto f = [](auto x, auto w) {
    return all_reduce<quad, "model">(einsum<"ij,jk->ik">(x, w));
  };
  static constexpr auto by_hand = [](auto x, auto w) {
    return weft::convert<float>(all_reduce<quad, "model">(
        einsum<"ij,jk->ik">(weft::convert<bf16>(x), weft::convert<bf16>(w))));
  };
  static constexpr auto cast = [](auto x, auto w) { return weft::autocast<bf16>(f)(x, w); };
  auto const x = each_rank(quad, [](int r) {
    return weft::eval(weft::uniform<float, 4, 4>(weft::key(static_cast<unsigned>(r) + 1)));
  });
  auto const a = run_ranks<cast>(quad, x, x), b = run_ranks<by_hand>(quad, x, x);
  for (unsigned r = 0; r < 4; ++r) EXPECT_EQ(items(a[r]), items(b[r]));
  static constexpr auto mean = [](auto y, auto w) {
    return weft::autocast<bf16>([](auto u, auto v) {
      return all_reduce<quad, combine::mean>(einsum<"ij,jk->ik">(u, v));
    })(y, w);
  };
  weft::graph const g = weft::record<tensor<float, 4, 4>, tensor<float, 4, 4>>(mean);
  EXPECT_NE(weft::print(g).find("all_reduce add, 4 of 4 ranks: 0 1 2 3} : f32"), std::string::npos)
      << weft::print(g);
}
TEST(mesh_transforms, passes_keep_bits) {
  static constexpr auto f = [](auto x) {
    return weft::value_and_grad([](auto y) { return weft::sum(weft::tanh(every_kind(y))); })(x);
  };
  weft::graph const g = weft::record<tensor<float, 4, 4>>(f);
  EXPECT_EQ(weft::verify(g).broken, weft::rule::unbroken);
  std::vector<weft::growing<weft::dense>> inputs;
  for (tensor<float, 4, 4> const& x : quad_inputs().values)
    inputs.emplace_back(1, weft::detail::dense_of(x));
  auto const plain = weft::testing::interpret_ranks(g, inputs);
  auto const optimised = weft::testing::interpret_ranks(weft::optimise(g), inputs);
  for (unsigned r = 0; r < 4; ++r)
    for (int k = 0; k < plain[r].size(); ++k) EXPECT_EQ(plain[r][k], optimised[r][k]);
}

// ---- ten einsum-linear layers in a scan. Over the batch: the bits of one rank, forward and by x.
inline constexpr auto ten_layers = [](auto w, auto b, auto x) {
  return weft::scan(
             [](auto h, auto layer) {
               auto [wk, bk] = layer;
               return std::pair(weft::tanh(weft::linear<"bi,ij->bj">(h, wk, bk)), weft::none);
             },
             x, std::pair(w, b))
      .first;
};
inline constexpr auto layers_and_gradient = [](auto w, auto b, auto x) {
  auto loss = [&](auto y) { return weft::sum(weft::square(ten_layers(w, b, y))); };
  return std::pair(ten_layers(w, b, x), weft::grad(loss)(x));
};
auto const weights = [] {
  return weft::eval((weft::uniform<float, 10, 16, 16>(weft::key(1)) - 0.5f) * 0.5f);
};
auto const biases = [] { return weft::eval(weft::uniform<float, 10, 16>(weft::key(2)) - 0.5f); };
auto const batch = [] { return weft::eval(weft::normal<float, 12, 16>(weft::key(3))); };
template <int N> int batch_mismatches() {
  auto const [out, gradient] = run_ranks<layers_and_gradient>(line<1>, weights(), biases(),
                                                              batch())[0];
  auto const of_ranks = run_ranks<layers_and_gradient>(line<N>, weights(), biases(),
                                                       parts<line<N>, "data", 0>(batch()));
  std::vector<tensor<float, 12 / N, 16>> outs, gradients;
  for (auto const& [o, g] : of_ranks) {
    outs.push_back(o);
    gradients.push_back(g);
  }
  auto const all = joined<line<N>, "data", 0>(outs), by_x = joined<line<N>, "data", 0>(gradients);
  int mismatches = 0;
  for (int i = 0; i < 12 * 16; ++i)
    mismatches += (all.data()[i] != out.data()[i]) + (by_x.data()[i] != gradient.data()[i]);
  return mismatches;
}
TEST(mesh_transforms, scan_over_a_split_batch_is_that_of_one_rank) {
  EXPECT_EQ(batch_mismatches<1>(), 0);
  EXPECT_EQ(batch_mismatches<2>(), 0);
  EXPECT_EQ(batch_mismatches<3>(), 0);
  EXPECT_EQ(batch_mismatches<4>(), 0);
}
// Split contractions round otherwise. How far apart two float32 runs of the layers may be, element by
// element: what came in apart passes |w| and tanh's slope there; a sum of 16 products and a bias is
// off by 18 u of its terms' sizes in each run, tanh by 2 ulp (u = 2^-24).
double most_apart(tensor<float, 10, 16, 16> const& w, tensor<float, 10, 16> const& b,
                  tensor<float, 12, 16> const& x) {
  double const u = 0x1p-24;
  double largest = 0;
  for (int row = 0; row < 12; ++row) {
    double h[16], apart[16]{};
    for (int i = 0; i < 16; ++i) h[i] = x(row, i);
    for (int layer = 0; layer < 10; ++layer) {
      double next[16], further[16];
      for (int j = 0; j < 16; ++j) {
        double sum = b(layer, j), terms = std::abs(sum), carried = 0;
        for (int i = 0; i < 16; ++i) {
          double const wij = w(layer, i, j);
          sum += h[i] * wij;
          terms += std::abs(wij) * (std::abs(h[i]) + apart[i]);
          carried += std::abs(wij) * apart[i];
        }
        double const before = carried + 2 * 18 * u * terms;
        double const nearest = std::max(0.0, std::abs(sum) - before), slope = std::tanh(nearest);
        next[j] = std::tanh(sum);
        further[j] = before * (1 - slope * slope) + 2 * 4 * u * (std::abs(next[j]) + before);
      }
      for (int j = 0; j < 16; ++j) h[j] = next[j], apart[j] = further[j];
    }
    for (double a : apart) largest = std::max(largest, a);
  }
  return largest;
}
template <int N> void expect_split_features() {
  auto const whole = run_ranks<ten_layers>(line<1>, weights(), biases(), batch())[0];
  auto const of_ranks = run_ranks<ten_split_layers<N>>(
      line<N>, parts<line<N>, "data", 1>(weights()), parts<line<N>, "data", 1>(biases()),
      parts<line<N>, "data", 1>(batch()));
  auto const all = joined<line<N>, "data", 1>(of_ranks);
  int mismatches = 0;
  double largest = 0;
  for (int i = 0; i < 12 * 16; ++i) {
    double const apart = std::abs(static_cast<double>(all.data()[i]) - whole.data()[i]);
    mismatches += apart != 0;
    largest = std::max(largest, apart);
  }
  double const bound = most_apart(weights(), biases(), batch());
  EXPECT_LE(largest, bound) << N;
  std::printf("features over %d ranks: %d of 192 differ, by at most %.3g (bound %.3g)\n", N,
              mismatches, largest, bound);
}
TEST(mesh_transforms, scan_with_collectives_in_its_body) {
  expect_split_features<2>();
  expect_split_features<4>();
}

// ---- named extents: the run knows
inline constexpr sym n{"n"};
inline constexpr sym share{"share"};
inline constexpr sym total{"total"};
TEST(mesh_transforms, named_extents) {
  static constexpr auto f = [](auto x) {
    return std::tuple(all_gather<line<2>, 0, total>(x), reduce_scatter<line<2>, 0, share>(x),
                      all_to_all<line<2>, 0, 1, share>(x), all_to_all<line<2>, 1, 0, total>(x),
                      all_to_all<line<2>, 0, 0, share>(x));
  };
  static_assert(
      std::is_same_v<weft::program<f, tensor<int, n, 2>>::result_type,
                     std::tuple<tensor<int, total, 2>, tensor<int, share, 2>, tensor<int, share, 4>,
                                tensor<int, total, 1>, tensor<int, n, 2>>>);
  auto const x = each_rank(line<2>, [](int r) {
    tensor<int, n, 2> t(4);
    auto m = t.mutate();
    for (int i = 0; i < 8; ++i) m.data()[i] = 10 * r + i;
    return t;
  });
  auto const fixed = each_rank(line<2>, [&](int r) {
    tensor<int, 4, 2> t;
    auto m = t.mutate();
    for (int i = 0; i < 8; ++i) m.data()[i] = 10 * r + i;
    return t;
  });
  static constexpr auto g = [](auto y) {
    return std::tuple(all_gather<line<2>, 0>(y), reduce_scatter<line<2>, 0>(y),
                      all_to_all<line<2>, 0, 1>(y), all_to_all<line<2>, 1, 0>(y),
                      all_to_all<line<2>, 0, 0>(y));
  };
  auto const named = run_ranks<f>(line<2>, x);
  auto const known = run_ranks<g>(line<2>, fixed);
  for (unsigned r = 0; r < 2; ++r) {
    auto const& [a, b, c, d, e] = named[r];
    auto const& [ka, kb, kc, kd, ke] = known[r];
    EXPECT_EQ(items(a), items(ka));
    EXPECT_EQ(items(b), items(kb));
    EXPECT_EQ(items(c), items(kc));
    EXPECT_EQ(items(d), items(kd));
    EXPECT_EQ(items(e), items(ke));
  }
}
// Both axes named, in one exchange: a transposed layout and back.
TEST(mesh_transforms, named_axes_there_and_back) {
  static constexpr sym k{"k"};
  static constexpr sym other{"other"};
  static constexpr sym again{"again"};
  static constexpr auto f = [](auto x) {
    auto y = all_to_all<line<2>, 0, 1, share, other>(x); // (n, k) -> (share, other)
    static_assert(std::is_same_v<decltype(y), weft::traced<int, share, other>>);
    return all_to_all<line<2>, 1, 0, again, total>(y);
  };
  auto const x = each_rank(line<2>, [](int r) {
    tensor<int, n, k> t(4, 3);
    auto m = t.mutate();
    for (int i = 0; i < 12; ++i) m.data()[i] = 100 * r + i;
    return t;
  });
  auto const out = run_ranks<f>(line<2>, x);
  for (unsigned r = 0; r < 2; ++r) EXPECT_EQ(items(out[r]), items(x.values[r]));
}

} // namespace

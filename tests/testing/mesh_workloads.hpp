// SPDX-License-Identifier: BSL-1.0
// Steps of training of whole arrays, with how their inputs and results are split over any mesh of data and
// model: an MLP, attention, a GRU in a scan, ten linear layers in a scan (float and bf16).
//   for (workload const& w : workloads()) partitioned p = w.on(mesh_of("data=2, model=4"));
#pragma once

#include <weft/partition.hpp>
#include <weft/weft.hpp>

#include <string>
#include <vector>

namespace test {
namespace of_meshes {

using namespace weft;

// All split axes are of 24 or 72: parts for 1, 2, 3, 4 and 8 ranks.
inline constexpr int rows = 24, wide = 24;

inline constexpr auto mlp = [](auto w1, auto b1, auto w2, auto x, auto y) {
  return value_and_grad<0, 1, 2>([&](auto u, auto b, auto v) {
    auto h = tanh(einsum<"bi,ih->bh">(x, u) + b);
    return mean(square(einsum<"bh,ho->bo">(h, v) - y));
  })(w1, b1, w2);
};
inline constexpr auto attention = [](auto wq, auto wk, auto wv, auto wo, auto x) {
  return value_and_grad<0, 1, 2, 3, 4>([](auto q, auto k, auto v, auto o, auto t) {
    auto const heads = [&t](auto w) { return einsum<"bti,ihd->bhtd">(t, w); };
    auto mixed = causal_attention(heads(q), heads(k), heads(v));
    return mean(square(einsum<"bhtd,hdo->bto">(mixed, o)));
  })(wq, wk, wv, wo, x);
};
inline constexpr auto gru_scan = [](auto cell, auto start, auto xs) {
  return value_and_grad<0, 1>([&xs](auto p, auto h0) {
    auto const step = [&p](auto h, auto x) {
      auto next = gru(p, h, x);
      return std::pair(next, next);
    };
    auto const [last, states] = scan(step, h0, xs);
    return mean(square(states)) + mean(last);
  })(cell, start);
};
inline constexpr auto ten_layers = [](auto w, auto b, auto x, auto c) {
  return grad<0, 1, 2>([&c](auto u, auto v, auto t) {
    auto const step = [](auto h, auto layer) {
      auto const& [wk, bk] = layer;
      return std::pair(linear<"bi,io->bo">(h, wk, bk), none);
    };
    return sum(scan(step, t, std::pair(u, v)).first * c);
  })(w, b, x);
};

inline growing<sharding> shardings(std::vector<char const*> const& words, mesh_axes const& on) {
  growing<sharding> s;
  for (char const* w : words) s.push(sharding_of(w, on));
  return s;
}

struct workload {
  std::string name;
  graph whole;
  std::vector<char const*> in, out; // their shardings

  partitioned on(mesh_axes const& mesh) const {
    return checked_partition(whole, mesh, shardings(in, mesh), shardings(out, mesh));
  }
};
template <class... Args, class F>
workload workload_of(char const* name, F const& f, std::vector<char const*> in,
                     std::vector<char const*> out) {
  return {name, canonical(record<Args...>(f)), std::move(in), std::move(out)};
}
template <class T> workload layers(char const* name) {
  return workload_of<tensor<T, 10, wide, wide>, tensor<T, 10, wide>, tensor<T, rows, wide>,
                     tensor<T, rows, wide>>(
      name, ten_layers, {"[-, model, -]", "[-, -]", "[data, model]", "[data, -]"},
      {"[-, model, -]", "[-, -]", "[data, model]"});
}
inline std::vector<workload> workloads() {
  using projection = tensor<float, 8, wide, 2>;
  char const* const heads = "[-, model, -]";
  return {workload_of<tensor<float, 6, wide>, tensor<float, wide>, tensor<float, wide, 4>,
                      tensor<float, rows, 6>, tensor<float, rows, 4>>(
              "mlp", mlp, {"[-, model]", "[model]", "[model, -]", "[data, -]", "[data, -]"},
              {"", "[-, model]", "[model]", "[model, -]"}),
          workload_of<projection, projection, projection, tensor<float, wide, 2, 8>,
                      tensor<float, rows, 3, 8>>("attention", attention,
                                                 {heads, heads, heads, "[model]", "[data]"},
                                                 {"", heads, heads, heads, "[model]", "[data]"}),
          workload_of<gru_weights<tensor, 5, wide>, tensor<float, rows, wide>,
                      tensor<float, 4, rows, 5>>(
              "gru in a scan", gru_scan,
              {"[model, -]", "[model, -]", "[model]", "[model]", "[data, -]", "[-, data]"},
              {"", "[model, -]", "[model, -]", "[model]", "[model]", "[data, -]"}),
          layers<float>("ten layers"), layers<bf16>("ten layers of bf16")};
}

} // namespace of_meshes

using of_meshes::shardings, of_meshes::workload, of_meshes::workloads;

} // namespace test

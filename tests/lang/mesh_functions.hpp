// SPDX-License-Identifier: BSL-1.0
// Functions over meshes that several tests run: an MLP on data and model axes, every collective in one
// function, layers in a scan with collectives in its body.
#pragma once

#include <weft/mesh.hpp>
#include <weft/weft.hpp>

namespace mesh_functions {

using weft::all_gather, weft::all_reduce, weft::all_to_all, weft::axis, weft::axis_size,
    weft::combine, weft::einsum, weft::mesh, weft::permute, weft::reduce_scatter;

template <int N> inline constexpr auto line = mesh<axis<"data", N>>;

// ---- an MLP: batch over "data", hidden units over "model"; the ranks' losses add up to the loss
template <template <class, auto...> class array, int Hidden> struct mlp {
  array<float, 6, Hidden> w1;
  array<float, Hidden> b1;
  array<float, Hidden, 3> w2;
  array<float, 3> b2;
};
template <template <class, auto...> class array> using mlp8 = mlp<array, 8>;
template <int D, int M> inline constexpr auto both = mesh<axis<"data", D>, axis<"model", M>>;
template <int D, int M>
inline constexpr auto share_of_loss = [](auto p, auto x, auto y) {
  auto h = weft::relu(einsum<"bi,ih->bh">(x, p.w1) + p.b1);
  auto out = all_reduce<both<D, M>, "model">(einsum<"bh,ho->bo">(h, p.w2)) + p.b2;
  return weft::sum(weft::square(out - y)) / (8.0f * axis_size<both<D, M>, "model">);
};
template <int D, int M>
inline constexpr auto loss_and_gradients = [](auto p, auto x, auto y) {
  auto [share, g] = weft::value_and_grad(share_of_loss<D, M>)(p, x, y);
  g.w1 = all_reduce<both<D, M>, "data">(g.w1); // every rank along "data" has a copy of it
  g.b1 = all_reduce<both<D, M>, "data">(g.b1);
  g.w2 = all_reduce<both<D, M>, "data">(g.w2);
  g.b2 = all_reduce<both<D, M>>(g.b2); // every rank
  return std::pair(all_reduce<both<D, M>>(share), g);
};

// ---- every kind in one function of x (4, 4), on 2 x 2 ranks
inline constexpr auto quad = mesh<axis<"data", 2>, axis<"model", 2>>;
inline constexpr auto every_kind = [](auto x) {
  auto a = all_reduce<quad, "data">(x) * x;
  auto b = all_gather<quad, "model", 1>(a);                   // (4, 8)
  auto c = reduce_scatter<quad, "data", 1, combine::mean>(b); // (4, 4)
  auto d = all_to_all<quad, "model", "data", 0, 1>(c + x);    // (1, 16)
  auto e = weft::broadcast<quad, "model", 1>(weft::reshape<4, 4>(d)) * x;
  auto f = permute<quad, "data", 1>(e) + all_reduce<quad, "data", combine::max>(e);
  return f + permute<quad, weft::sends{0, 3}>(x);
};

// Features over the mesh: each rank has rows of every weight; partial sums meet in every step.
template <int N>
inline constexpr auto ten_split_layers = [](auto w, auto b, auto x) {
  return weft::scan(
             [](auto h, auto layer) {
               auto [wk, bk] = layer;
               auto sums = reduce_scatter<line<N>, 1>(weft::einsum<"bi,ij->bj">(h, wk));
               return std::pair(weft::tanh(sums + bk), weft::none);
             },
             x, std::pair(w, b))
      .first;
};

} // namespace mesh_functions

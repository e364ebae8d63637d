// SPDX-License-Identifier: BSL-1.0
// Steps of training at any batch: char_lm's (a GRU over 64 characters, Adam), and a wide layer pair with
// SGD, whose weights are large beside its batch.
#pragma once

#include "../../examples/char_lm/model.hpp"
#include "model.hpp"

#include <weft/array/field_names.hpp>
#include <weft/graph/bind_inputs.hpp>

namespace bench {

constexpr weft::sym batch{"batch"};

namespace gru {
using namespace char_lm;
using carried = tensor<float, batch, hidden>;
using text = tensor<int, steps_at_once, batch>;
struct step : weft::program<train_step<loss>, parameters, moments<tensor>, carried, text, text,
                            weft::key, float> {};
} // namespace gru

// The shapes of a program's inputs with a number for the batch.
inline weft::graph with_batch(weft::graph const& g, extent n) {
  weft::graph_view const v = g;
  std::vector<weft::extents> shapes;
  for (int id : v.parameters_of(0)) {
    weft::extents s = v.shape(id);
    for (int i = 0; i < s.rank; ++i)
      if (weft::is_named(s[i])) s[i] = n;
    shapes.push_back(s);
  }
  return weft::bind_to(v, {shapes.data(), static_cast<int>(shapes.size())});
}

// Streams over data; rows of the cell's and the output's weights, and their moments, over model.
inline workload char_lm_step(extent streams) {
  workload w{"char_lm", "streams", with_batch(gru::step::make(), streams), {}, {}};
  using learnt = std::pair<gru::parameters, gru::moments<weft::tensor>>;
  weft::graph_view const g = w.step;
  for (std::string const& leaf : weft::leaf_names<learnt>("all")) {
    int const rank = g.shape(g.parameters_of(0)[static_cast<int>(w.in.size())]).rank;
    bool const by_rows = leaf.find(".cell.") != leaf.npos || leaf.find(".output") != leaf.npos;
    w.in.push_back(!by_rows ? "" : rank == 1 ? "[model]" : "[model, -]");
  }
  w.in.push_back("[data, -]");
  w.out = w.in;
  w.out.push_back("");
  for (char const* s : {"[-, data]", "[-, data]", "", ""}) w.in.push_back(s);
  return w;
}

namespace wide {
constexpr int width = 2048, hidden = 8192;
template <template <class, auto...> class array> struct layers {
  array<float, width, hidden> up;
  array<float, hidden, width> down;
};
inline constexpr auto loss = [](auto p, auto x, auto y) {
  auto h = weft::relu(weft::einsum<"bi,ih->bh">(x, p.up));
  return weft::mean(weft::square(weft::einsum<"bh,ho->bo">(h, p.down) - y));
};
inline constexpr auto sgd_step = [](auto p, auto x, auto y) {
  auto [value, grads] = weft::value_and_grad(loss)(p, x, y);
  return std::pair(weft::sgd(p, grads, 0.1f), value);
};
using rows = weft::tensor<float, batch, width>;
struct step : weft::program<sgd_step, layers<weft::tensor>, rows, rows> {};
} // namespace wide

// Rows over data, hidden units over model.
inline workload wide_step(extent rows) {
  return {"wide layers",
          "rows",
          with_batch(wide::step::make(), rows),
          {"[-, model]", "[model, -]", "[data, -]", "[data, -]"},
          {"[-, model]", "[model, -]", ""}};
}

} // namespace bench

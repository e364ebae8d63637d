// SPDX-License-Identifier: BSL-1.0
// oneDNN's GRU ("linear before reset", which is PyTorch's) and LSTM over plain arrays (steps, batch,
// features); weights in formats of its own choice, reordered outside of the timing. Gates of its GRU
// are update, reset, new.
#pragma once

#include "recurrent.hpp"

#ifdef WEFT_HAS_DNNL
#include <oneapi/dnnl/dnnl.hpp>

#include <omp.h>
#include <unordered_map>

namespace bench {

class onednn_cell {
protected:
  using memory = dnnl::memory;
  using desc = memory::desc;
  using tag = memory::format_tag;
  static constexpr auto f32 = memory::data_type::f32;

public:
  onednn_cell(cell_numbers const& n, bool trains)
      : n_(n), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_),
        states_(count_of(n.steps, n.batch, n.hidden)), cell_(n.c) {
    weights_ = {turned(n.input, n.in), turned(n.hidden_weights, n.hidden), biases()};
    auto const kind = trains ? dnnl::prop_kind::forward_training
                             : dnnl::prop_kind::forward_inference;
    n.gates == 3 ? make_gru(kind) : make_lstm(kind);
    put(DNNL_ARG_SRC_LAYER, sequence(n.in), n_.x.data());
    put(DNNL_ARG_SRC_ITER, state(), n_.h.data());
    put(DNNL_ARG_DST_LAYER, sequence(n.hidden), states_.data());
    put(DNNL_ARG_BIAS, bias_desc(), weights_[2].data());
  }
  void run() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }
  std::vector<double> result() const { return as_doubles(states_); }

protected:
  desc sequence(int width) const { return {{n_.steps, n_.batch, width}, f32, tag::tnc}; }
  desc state() const { return {{1, 1, n_.batch, n_.hidden}, f32, tag::ldnc}; }
  desc weights_desc(int from, tag format) const {
    return {{1, 1, from, n_.gates, n_.hidden}, f32, format};
  }
  int bias_count() const { return 4; } // the GRU's fourth: the new gate's hidden bias
  desc bias_desc() const { return {{1, 1, bias_count(), n_.hidden}, f32, tag::ldgo}; }
  // Ours (gate, out, in) as (in, gate, out), and back.
  int their_gate(int g) const { return n_.gates == 3 && g < 2 ? 1 - g : g; }
  std::size_t place(int i, int g, int o) const {
    return (count_of(i, n_.gates) + count_of(their_gate(g))) * count_of(n_.hidden) +
           static_cast<std::size_t>(o);
  }
  template <class Each> void for_each_weight(int from, Each const& each) const {
    std::size_t at = 0;
    for (int g = 0; g < n_.gates; ++g)
      for (int o = 0; o < n_.hidden; ++o)
        for (int i = 0; i < from; ++i) each(at++, place(i, g, o));
  }
  numbers turned(numbers const& ours, int from) const {
    numbers theirs(ours.size());
    for_each_weight(from, [&](std::size_t a, std::size_t b) { theirs[b] = ours[a]; });
    return theirs;
  }
  numbers turned_back(numbers const& theirs, int from) const {
    numbers ours(theirs.size());
    for_each_weight(from, [&](std::size_t a, std::size_t b) { ours[a] = theirs[b]; });
    return ours;
  }
  numbers biases() const {
    std::size_t const h = count_of(n_.hidden);
    numbers all(4 * h);
    for (int g = 0; g < n_.gates; ++g)
      for (std::size_t o = 0; o < h; ++o) {
        std::size_t const at = count_of(g) * h + o;
        bool const apart = n_.gates == 3 && g == 2;
        all[count_of(their_gate(g)) * h + o] = n_.input_bias[at] + (apart ? 0 : n_.hidden_bias[at]);
        if (apart) all[3 * h + o] = n_.hidden_bias[at];
      }
    return all;
  }
  void put(int which, desc const& d, void* data) { arguments_.insert({which, {d, engine_, data}}); }
  void put(int which, desc const& d, float const* data) {
    put(which, d, static_cast<void*>(const_cast<float*>(data)));
  }
  void put_reordered(int which, desc const& wanted, desc const& ours, numbers& from) {
    memory source(ours, engine_, from.data()), target(wanted, engine_);
    dnnl::reorder(source, target).execute(stream_, source, target);
    stream_.wait();
    arguments_.insert({which, target});
  }
  template <class Description> void put_weights(Description const& d) {
    put_reordered(DNNL_ARG_WEIGHTS_LAYER, d.weights_layer_desc(), weights_desc(n_.in, tag::ldigo),
                  weights_[0]);
    put_reordered(DNNL_ARG_WEIGHTS_ITER, d.weights_iter_desc(), weights_desc(n_.hidden, tag::ldigo),
                  weights_[1]);
  }
  void make_gru(dnnl::prop_kind kind) {
    gru_ = {{kind, dnnl::rnn_direction::unidirectional_left2right, sequence(n_.in), state(),
             weights_desc(n_.in, tag::any), weights_desc(n_.hidden, tag::any), bias_desc(),
             sequence(n_.hidden), desc()},
            engine_};
    primitive_ = dnnl::lbr_gru_forward(gru_);
    put_weights(gru_);
    if (kind == dnnl::prop_kind::forward_training)
      arguments_.insert({DNNL_ARG_WORKSPACE, {gru_.workspace_desc(), engine_}});
  }
  void make_lstm(dnnl::prop_kind kind) {
    dnnl::lstm_forward::primitive_desc const d(
        {kind, dnnl::rnn_direction::unidirectional_left2right, sequence(n_.in), state(), state(),
         weights_desc(n_.in, tag::any), weights_desc(n_.hidden, tag::any), bias_desc(),
         sequence(n_.hidden), desc(), desc()},
        engine_);
    primitive_ = dnnl::lstm_forward(d);
    put_weights(d);
    put(DNNL_ARG_SRC_ITER_C, state(), cell_.data());
  }

  cell_numbers const n_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  dnnl::lbr_gru_forward::primitive_desc gru_;
  std::unordered_map<int, memory> arguments_;
  std::array<numbers, 3> weights_; // (in, gate, out), and biases
  numbers states_, cell_;
};

template <class Cell, class... More>
void add_onednn(std::vector<side>& all, cell_numbers const& n, int threads, More... more) {
  omp_set_num_threads(threads);
  auto const cell = std::make_shared<Cell>(n, more...);
  all.push_back({"oneDNN",
                 [cell, threads] {
                   omp_set_num_threads(threads);
                   cell->run();
                 },
                 [cell] { return cell->result(); }});
}

} // namespace bench
#endif

// SPDX-License-Identifier: BSL-1.0
// A step of training a recurrent layer: states, their mean squared distance to a target, the
// gradient of every weight, and the weights after one step down it.
#include "onednn_cells.hpp"

namespace bench {
namespace {

// d (mean squared distance) / d (distance) is this times the distance.
float loss_factor(cell_sizes const& s) {
  return 2.0f / static_cast<float>(count_of(s.steps, s.batch, s.hidden));
}
void go_down(numbers const& from, numbers const& slope, numbers& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] - learning_rate * slope[i];
}

#ifdef WEFT_HAS_EIGEN
class trained_by_hand final : public cell_by_hand {
public:
  trained_by_hand(cell_numbers const& n, blas const& library)
      : cell_by_hand(n, library), from_c_(states_.size()), dh_(count_of(n.batch, n.hidden)),
        next_{n.input, n.hidden_weights, n.input_bias, n.hidden_bias}, slopes_(next_) {}

  void run() override {
    cell_by_hand::run();
    from_a_ = from_x_; // gates; slopes of what they were made from go over them
    slope_c_.resize(from_x_.size());
    std::fill(dh_.begin(), dh_.end(), 0.0f);
    for (int t = n_.steps - 1; t >= 0; --t) {
      for (int b = 0; b < n_.batch; ++b) row_back(t, b);
      multiply_(n_.batch, n_.hidden, wide(), slope_c_.data() + row(t, 0) * n_.wide(), false,
                n_.hidden_weights.data(), false, dh_.data(), 1);
    }
    int const rows = n_.steps * n_.batch;
    multiply_(wide(), n_.in, rows, from_a_.data(), true, n_.x.data(), false, slopes_[0].data());
    add_hidden_slope();
    sums(from_a_, slopes_[2]);
    sums(slope_c_, slopes_[3]);
    go_down(n_.input, slopes_[0], next_[0]);
    go_down(n_.hidden_weights, slopes_[1], next_[1]);
    go_down(n_.input_bias, slopes_[2], next_[2]);
    go_down(n_.hidden_bias, slopes_[3], next_[3]);
  }
  std::vector<double> result() const override {
    std::vector<double> all;
    for (numbers const& part : next_) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

private:
  // W_hn h + b_hn, which r multiplied.
  void keep(int t, int b, float const* c) override {
    in_place(from_c_.data() + row(t, b) * count_of(n_.hidden), n_.hidden) = part(c, 2);
  }
  void row_back(int t, int b) {
    std::size_t const at = row(t, b), h = count_of(n_.hidden);
    float const* const gates = from_x_.data() + at * n_.wide();
    float *const a = from_a_.data() + at * n_.wide(), *const c = slope_c_.data() + at * n_.wide();
    given const r = part(gates, 0), z = part(gates, 1), n = part(gates, 2);
    given const cn(from_c_.data() + at * h, n_.hidden), state(states_.data() + at * h, n_.hidden),
        target(n_.target.data() + at * h, n_.hidden),
        previous(before(t) + b * n_.hidden, n_.hidden);
    in_place dh(dh_.data() + b * n_.hidden, n_.hidden);
    dh += loss_factor(n_) * (state - target);
    part(a, 2) = dh * (1 - z) * (1 - n * n);
    part(a, 1) = dh * (previous - n) * z * (1 - z);
    part(a, 0) = part(a, 2) * cn * r * (1 - r);
    part(c, 0) = part(a, 0);
    part(c, 1) = part(a, 1);
    part(c, 2) = part(a, 2) * r;
    dh *= z;
  }
  // Of the hidden weights: the states before each step.
  void add_hidden_slope() {
    multiply_(wide(), n_.hidden, n_.batch, slope_c_.data(), true, n_.h.data(), false,
              slopes_[1].data());
    if (n_.steps > 1)
      multiply_(wide(), n_.hidden, (n_.steps - 1) * n_.batch,
                slope_c_.data() + count_of(n_.batch) * n_.wide(), true, states_.data(), false,
                slopes_[1].data(), 1);
  }
  void sums(numbers const& rows, numbers& to) const {
    in_place total(to.data(), wide());
    total.setZero();
    for (std::size_t at = 0; at < rows.size(); at += n_.wide())
      total += given(rows.data() + at, wide());
  }

  numbers from_c_, from_a_, slope_c_, dh_;
  std::array<numbers, 4> next_, slopes_;
};
#endif

#ifdef WEFT_HAS_DNNL
// Its way back gives the input's gradient, too; there is no primitive without.
class onednn_training final : public onednn_cell {
public:
  explicit onednn_training(cell_numbers const& n)
      : onednn_cell(n, true), slope_of_states_(states_.size()), slopes_{weights_},
        next_{n.input, n.hidden_weights, weights_[2]}, slope_of_x_(n.x.size()) {
    dnnl::lbr_gru_backward::primitive_desc const d(
        {dnnl::prop_kind::backward, dnnl::rnn_direction::unidirectional_left2right, sequence(n.in),
         state(), weights_desc(n.in, tag::any), weights_desc(n.hidden, tag::any), bias_desc(),
         sequence(n.hidden), desc(), sequence(n.in), state(), weights_desc(n.in, tag::ldigo),
         weights_desc(n.hidden, tag::ldigo), bias_desc(), sequence(n.hidden), desc()},
        engine_, gru_);
    back_ = dnnl::lbr_gru_backward(d);
    slope_of_h_.resize(n.h.size());
    forward_.swap(arguments_);
    // What the way back shares with the way forward but for the weights' format.
    for (int const which : {DNNL_ARG_SRC_LAYER, DNNL_ARG_SRC_ITER, DNNL_ARG_DST_LAYER,
                            DNNL_ARG_BIAS, DNNL_ARG_WORKSPACE})
      arguments_.insert({which, forward_.at(which)});
    put_weights(d);
    put(DNNL_ARG_DIFF_SRC_LAYER, sequence(n.in), slope_of_x_.data());
    put(DNNL_ARG_DIFF_SRC_ITER, state(), slope_of_h_.data());
    put(DNNL_ARG_DIFF_WEIGHTS_LAYER, weights_desc(n.in, tag::ldigo), slopes_[0].data());
    put(DNNL_ARG_DIFF_WEIGHTS_ITER, weights_desc(n.hidden, tag::ldigo), slopes_[1].data());
    put(DNNL_ARG_DIFF_BIAS, bias_desc(), slopes_[2].data());
    put(DNNL_ARG_DIFF_DST_LAYER, sequence(n.hidden), slope_of_states_.data());
  }
  void run() {
    primitive_.execute(stream_, forward_);
    stream_.wait();
    float const factor = loss_factor(n_);
    for (std::size_t i = 0; i < states_.size(); ++i)
      slope_of_states_[i] = factor * (states_[i] - n_.target[i]);
    for (numbers& s : slopes_) std::fill(s.begin(), s.end(), 0.0f); // it adds
    back_.execute(stream_, arguments_);
    stream_.wait();
    for (std::size_t i = 0; i < next_.size(); ++i) go_down(weights_[i], slopes_[i], next_[i]);
    // The next step wants them in both formats.
    reorder(0, DNNL_ARG_WEIGHTS_LAYER, n_.in);
    reorder(1, DNNL_ARG_WEIGHTS_ITER, n_.hidden);
  }
  std::vector<double> result() const {
    std::vector<double> all = as_doubles(turned_back(next_[0], n_.in));
    for (double const e : as_doubles(turned_back(next_[1], n_.hidden))) all.push_back(e);
    std::size_t const h = count_of(n_.hidden);
    for (bool const hidden : {false, true})
      for (int g = 0; g < n_.gates; ++g)
        for (std::size_t o = 0; o < h; ++o) {
          std::size_t const from = (g == 2 && hidden ? 3 : count_of(their_gate(g))) * h + o;
          float const before = (hidden ? n_.hidden_bias : n_.input_bias)[count_of(g) * h + o];
          all.push_back(double{before - learning_rate * slopes_[2][from]});
        }
    return all;
  }

private:
  // Into memory apart, since every run starts from the same weights.
  void reorder(std::size_t part, int which, int from) {
    memory source(weights_desc(from, tag::ldigo), engine_, next_[part].data());
    for (auto const& [all, spare] :
         {std::pair(&forward_, &spare_[part]), std::pair(&arguments_, &spare_[part + 2])}) {
      if (!*spare) *spare = memory(all->at(which).get_desc(), engine_);
      dnnl::reorder(source, *spare).execute(stream_, source, *spare);
    }
    stream_.wait();
  }

  dnnl::primitive back_;
  std::unordered_map<int, memory> forward_;
  numbers slope_of_states_;
  std::array<numbers, 3> slopes_, next_;
  numbers slope_of_x_, slope_of_h_;
  std::array<memory, 4> spare_;
};
#endif

template <int Steps, int Batch, int In, int Hidden> std::vector<side> sides_of(int threads) {
  cell_sizes const sizes{Steps, Batch, In, Hidden, 3};
  cell_numbers const n(sizes);
  std::vector<side> all{weft_side<gru_training>(
      threads, weights_of<weft::gru_weights, 3, In, Hidden>(n),
      tensor_of<float, Batch, Hidden>(n.h), tensor_of<float, Steps, Batch, In>(n.x),
      tensor_of<float, Steps, Batch, Hidden>(n.target))};
  // Going back takes a product by the states and one by the weights, and none by x.
  double const back = 2.0 * Steps * Batch * 3 * Hidden * (In + 2 * Hidden);
  all.push_back(arithmetic_limit(arithmetic::f32, sizes.forward_operations() + back, threads));
#ifdef WEFT_HAS_DNNL
  add_onednn<onednn_training>(all, n, threads);
#endif
#ifdef WEFT_HAS_EIGEN
  add_by_hand<trained_by_hand>(all, n, threads);
#endif
  return all;
}
template <int Steps, int Batch, int In, int Hidden> contest training() {
  return {"GRU training " + std::to_string(Steps) + "x" + std::to_string(Batch) + "x" +
              std::to_string(In) + "->" + std::to_string(Hidden),
          {2.0 * Steps * Batch * 3 * Hidden * (2 * In + 3 * Hidden)},
          2e-5,
          sides_of<Steps, Batch, In, Hidden>};
}

} // namespace

std::vector<contest> cell_training() {
  return {training<64, 32, 256, 256>(), training<64, 16, 64, 256>(), training<32, 8, 64, 64>()};
}

} // namespace bench

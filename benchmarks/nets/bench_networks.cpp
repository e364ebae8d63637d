// SPDX-License-Identifier: BSL-1.0
// A step of training a small dense network, and an optimiser's step alone.
#include "sides.hpp"

#include <algorithm>
#include <array>

namespace bench {
namespace {

constexpr float rate = 0.1f;

// batch x inputs -> hidden, relu -> classes; softmax cross entropy; sgd.
struct layers {
  int batch, inputs, hidden, classes;
};
template <int Inputs, int Hidden, int Classes> struct dense_net {
  template <template <class, auto...> class array> struct params {
    array<float, Inputs, Hidden> w1;
    array<float, Hidden> b1;
    array<float, Hidden, Classes> w2;
    array<float, Classes> b2;
  };
};
constexpr auto dense_loss = [](auto p, auto x, auto labels) {
  auto h = weft::relu(weft::linear<"bi,ih->bh">(x, p.w1, p.b1));
  return mean(softmax_cross_entropy(weft::linear<"bh,hc->bc">(h, p.w2, p.b2), labels));
};
constexpr auto dense_training = [](auto p, auto x, auto labels) {
  auto [loss, grads] = weft::value_and_grad(dense_loss)(p, x, labels);
  auto next = sgd(p, grads, rate);
  return std::tuple(next.w1, next.b1, next.w2, next.b2, loss);
};

struct dense_numbers : layers {
  numbers x, w1, b1, w2, b2;
  std::vector<int> labels;

  explicit dense_numbers(layers l)
      : layers(l), x(uniform(count_of(l.batch, l.inputs), 1)),
        w1(scaled(count_of(l.inputs, l.hidden), 2, 0.05f)), b1(scaled(count_of(l.hidden), 3, 0.1f)),
        w2(scaled(count_of(l.hidden, l.classes), 4, 0.1f)),
        b2(scaled(count_of(l.classes), 5, 0.1f)) {
    for (int i = 0; i < l.batch; ++i) labels.push_back(i * 7 % l.classes);
  }
};

class dense_by_hand {
public:
  dense_by_hand(dense_numbers const& n, blas const& library)
      : n_(n), multiply_{library}, h_(count_of(n.batch, n.hidden)), slope_h_(h_.size()),
        y_(count_of(n.batch, n.classes)), w1_(n.w1), b1_(n.b1), w2_(n.w2), b2_(n.b2),
        slope1_(n.w1.size()), slope2_(n.w2.size()) {}

  void run() {
    auto const [batch, inputs, hidden, classes] = static_cast<layers const&>(n_);
    forward();
    float const loss = to_slope();
    multiply_(batch, hidden, classes, y_.data(), false, n_.w2.data(), true, slope_h_.data());
    for (std::size_t i = 0; i < h_.size(); ++i) slope_h_[i] = h_[i] > 0 ? slope_h_[i] : 0;
    multiply_(hidden, classes, batch, h_.data(), true, y_.data(), false, slope2_.data());
    multiply_(inputs, hidden, batch, n_.x.data(), true, slope_h_.data(), false, slope1_.data());
    go_down(n_.w1, slope1_, w1_);
    go_down(n_.w2, slope2_, w2_);
    go_down_sums(n_.b1, slope_h_, b1_);
    go_down_sums(n_.b2, y_, b2_);
    loss_ = loss;
  }
  std::vector<double> result() const {
    std::vector<double> all;
    for (numbers const* part : {&w1_, &b1_, &w2_, &b2_})
      all.insert(all.end(), part->begin(), part->end());
    all.push_back(double{loss_});
    return all;
  }

private:
  void forward() {
    set_rows(n_.b1, h_);
    multiply_(n_.batch, n_.hidden, n_.inputs, n_.x.data(), false, n_.w1.data(), false, h_.data(),
              1);
    for (float& e : h_) e = e > 0 ? e : 0;
    set_rows(n_.b2, y_);
    multiply_(n_.batch, n_.classes, n_.hidden, h_.data(), false, n_.w2.data(), false, y_.data(), 1);
  }
  // Logits become the loss's gradient by them.
  float to_slope() {
    float loss = 0;
    auto const classes = count_of(n_.classes);
    float const each = 1.0f / static_cast<float>(n_.batch);
    for (std::size_t b = 0; b < count_of(n_.batch); ++b) {
      float* const row = y_.data() + b * classes;
      float const top = *std::max_element(row, row + classes);
      auto const label = static_cast<std::size_t>(n_.labels[b]);
      float total = 0;
      float const mine = row[label] - top;
      for (std::size_t c = 0; c < classes; ++c) total += row[c] = std::exp(row[c] - top);
      loss += (std::log(total) - mine) * each;
      for (std::size_t c = 0; c < classes; ++c) row[c] = row[c] / total * each;
      row[label] -= each;
    }
    return loss;
  }
  static void set_rows(numbers const& row, numbers& all) {
    for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(row.size()))
      std::copy(row.begin(), row.end(), at);
  }
  static void go_down(numbers const& from, numbers const& slope, numbers& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] - rate * slope[i];
  }
  static void go_down_sums(numbers const& from, numbers const& slopes, numbers& to) {
    numbers total(to.size());
    for (std::size_t at = 0; at < slopes.size(); at += to.size())
      for (std::size_t i = 0; i < to.size(); ++i) total[i] += slopes[at + i];
    go_down(from, total, to);
  }

  dense_numbers const n_;
  hand_product multiply_;
  numbers h_, slope_h_, y_, w1_, b1_, w2_, b2_, slope1_, slope2_;
  float loss_ = 0;
};

template <int Batch, int Inputs, int Hidden, int Classes> contest dense() {
  constexpr layers l{Batch, Inputs, Hidden, Classes};
  constexpr double operations = 2.0 * Batch * (2.0 * Inputs * Hidden + 3.0 * Hidden * Classes);
  return {"dense training " + std::to_string(Batch) + "x" + std::to_string(Inputs) + "-" +
              std::to_string(Hidden) + "-" + std::to_string(Classes),
          {operations},
          1e-5,
          [](int threads) {
            dense_numbers const n(l);
            using net = dense_net<Inputs, Hidden, Classes>;
            typename net::template params<weft::tensor> const p{
                tensor_of<float, Inputs, Hidden>(n.w1), tensor_of<float, Hidden>(n.b1),
                tensor_of<float, Hidden, Classes>(n.w2), tensor_of<float, Classes>(n.b2)};
            weft::tensor<int, Batch> labels;
            for (int i = 0; i < Batch; ++i)
              labels.mutate()(i) = n.labels[static_cast<std::size_t>(i)];
            std::vector<side> all{weft_side<dense_training>(
                threads, p, tensor_of<float, Batch, Inputs>(n.x), labels)};
            all.push_back(arithmetic_limit(arithmetic::f32, operations, threads));
            add_by_hand<dense_by_hand>(all, n, threads);
            return all;
          }};
}

// ---- Adam, its arrays in place.
template <int A, int B> struct many {
  template <template <class, auto...> class array> struct params {
    array<float, A> a;
    array<float, B, B> b;
    array<float, B> c;
  };
};
constexpr auto adam_step = [](auto p, auto grads, auto state, auto step_rate) {
  return adam(p, grads, state, step_rate);
};
constexpr float adam_rate = 1e-3f;

template <class Net> side adam_side(int threads, std::vector<numbers> const& of) {
  using params = typename Net::template params<weft::tensor>;
  using moments = typename weft::adam_for<Net::template params>::template state<weft::tensor>;
  struct kept {
    weft::cpu::pool pool;
    params p, grads;
    moments m;
    bool alone;
    void run() {
      auto next = alone ? weft::jit<adam_step>(std::move(p), grads, std::move(m), adam_rate)
                        : weft::jit<adam_step>(pool, std::move(p), grads, std::move(m), adam_rate);
      p = std::move(next.first);
      m = std::move(next.second);
    }
  };
  auto const filled_as = [](auto like, numbers const& from) {
    return filled<decltype(like)>(from);
  };
  auto const make = [&](std::size_t first) {
    return params{filled_as(params{}.a, of[first]), filled_as(params{}.b, of[first + 1]),
                  filled_as(params{}.c, of[first + 2])};
  };
  std::shared_ptr<kept> const k(
      new kept{weft::cpu::pool(threads), make(0), make(3), {}, threads == 1});
  return {"weft", [k] { k->run(); },
          [k] { return leaves_as_doubles(std::tuple(k->p.a, k->p.b, k->p.c)); }};
}
struct adam_by_hand {
  numbers p, g, m, v;
  int steps = 0;

  void run(int threads, bool arrays) {
    ++steps;
    float const mean_scale = 1 - std::pow(0.9f, static_cast<float>(steps)),
                square_scale = 1 - std::pow(0.999f, static_cast<float>(steps));
    on_rows(threads, static_cast<int>(p.size()), [&](int from, int to) {
      if (arrays) array_part(from, to - from, mean_scale, square_scale);
      else part(from, to, mean_scale, square_scale);
    });
  }

private:
  // Eigen's square root is one of packs; g++ keeps errno, and so does one element at a time.
  void array_part([[maybe_unused]] int from, [[maybe_unused]] int count,
                  [[maybe_unused]] float mean_scale, [[maybe_unused]] float square_scale) {
#ifdef WEFT_HAS_EIGEN
    using array = Eigen::Map<Eigen::ArrayXf>;
    constexpr int block = 4096; // which stays in the nearest cache from line to line
    for (int at = from; at < from + count; at += block) {
      int const n = std::min(block, from + count - at);
      array pa(p.data() + at, n), ma(m.data() + at, n), va(v.data() + at, n);
      Eigen::Map<Eigen::ArrayXf const> const ga(g.data() + at, n);
      ma = ma * 0.9f + ga * 0.1f;
      va = va * 0.999f + ga.square() * 0.001f;
      pa -= adam_rate * (ma / mean_scale / ((va / square_scale).sqrt() + 1e-8f));
    }
#endif
  }
  void part(int from, int to, float mean_scale, float square_scale) {
    float *const p_ = p.data(), *const m_ = m.data(), *const v_ = v.data();
    float const* const g_ = g.data();
    for (int i = from; i < to; ++i) {
      m_[i] = m_[i] * 0.9f + g_[i] * 0.1f;
      v_[i] = v_[i] * 0.999f + g_[i] * g_[i] * 0.001f;
      p_[i] -= adam_rate * (m_[i] / mean_scale / (std::sqrt(v_[i] / square_scale) + 1e-8f));
    }
  }
};

template <int A, int B> contest adam_contest() {
  constexpr std::size_t count = count_of(A) + count_of(B, B) + count_of(B);
  return {"adam, " + std::to_string(count / 1000) + "e3 parameters",
          {0, 28.0 * count},
          2e-5, // powers of decays by another way
          [](int threads) {
            std::size_t const parts[] = {count_of(A), count_of(B, B), count_of(B)};
            std::vector<numbers> of;
            for (unsigned seed = 1; seed <= 6; ++seed)
              of.push_back(uniform(parts[(seed - 1) % 3], seed));
            std::vector<side> all{adam_side<many<A, B>>(threads, of),
                                  memory_limit(16.0 * count, 12.0 * count, threads)};
            adam_by_hand start;
            for (std::size_t i = 0; i < 3; ++i) {
              start.p.insert(start.p.end(), of[i].begin(), of[i].end());
              start.g.insert(start.g.end(), of[i + 3].begin(), of[i + 3].end());
            }
            start.m.resize(count);
            start.v.resize(count);
            auto const add = [&](char const* name, bool arrays) {
              auto const hand = std::make_shared<adam_by_hand>(start);
              all.push_back({name, [hand, threads, arrays] { hand->run(threads, arrays); },
                             [hand] { return as_doubles(hand->p); }});
            };
            add("loop", false);
#ifdef WEFT_HAS_EIGEN
            add("Eigen", true);
#endif
            return all;
          }};
}

} // namespace

std::vector<contest> small_networks() {
  return {dense<64, 784, 256, 10>(), dense<128, 784, 512, 10>(), adam_contest<100'000, 300>(),
          adam_contest<1'000'000, 2000>()};
}

} // namespace bench

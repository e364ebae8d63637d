// SPDX-License-Identifier: BSL-1.0
// A transformer's block forward: normalisation, attention of several heads, normalisation, two dense
// layers, each half added to what came in.
#include "sides.hpp"

namespace bench {
namespace {

template <int Width, int Heads, int Inner> struct block_of {
  static constexpr int each = Width / Heads;
  template <template <class, auto...> class array> struct params {
    array<float, Width> scale1, shift1, scale2, shift2;
    array<float, Width, Heads, each> query, key, value;
    array<float, Heads, each, Width> out;
    array<float, Width, Inner> w1;
    array<float, Inner> b1;
    array<float, Inner, Width> w2;
    array<float, Width> b2;
  };
};
constexpr auto block = [](auto p, auto x) {
  auto y = layer_norm(x, p.scale1, p.shift1);
  auto q = weft::einsum<"td,dhe->hte">(y, p.query), k = weft::einsum<"td,dhe->hte">(y, p.key),
       v = weft::einsum<"td,dhe->hte">(y, p.value);
  auto h = x + weft::einsum<"hte,hed->td">(weft::attention(q, k, v), p.out);
  auto z = weft::relu(weft::linear<"td,di->ti">(layer_norm(h, p.scale2, p.shift2), p.w1, p.b1));
  return h + weft::linear<"ti,id->td">(z, p.w2, p.b2);
};

struct block_sizes {
  int steps, width, heads, inner;
  constexpr double operations() const {
    return 2.0 * steps * (4.0 * width * width + 2.0 * steps * width + 2.0 * width * inner);
  }
};
struct block_numbers : block_sizes {
  numbers x, norm[4], query, key, value, out, w1, b1, w2, b2;

  explicit block_numbers(block_sizes s)
      : block_sizes(s), x(uniform(count_of(s.steps, s.width), 1)), query(square(2)), key(square(3)),
        value(square(4)), out(square(5)), w1(scaled(count_of(s.width, s.inner), 6, range())),
        b1(scaled(count_of(s.inner), 7, range())),
        w2(scaled(count_of(s.inner, s.width), 8, range())),
        b2(scaled(count_of(s.width), 9, range())) {
    for (unsigned i = 0; i < 4; ++i) norm[i] = uniform(count_of(s.width), 10 + i);
  }

private:
  float range() const { return 1 / std::sqrt(static_cast<float>(width)); }
  numbers square(unsigned seed) const { return scaled(count_of(width, width), seed, range()); }
};

#ifdef WEFT_HAS_EIGEN
class block_by_hand {
public:
  block_by_hand(block_numbers const& n, blas const& library)
      : n_(n), multiply_{library}, y_(n.x.size()), q_(n.x.size()), k_(n.x.size()), v_(n.x.size()),
        scores_(count_of(n.steps, n.steps)), mixed_(n.x.size()), h_(n.x.size()),
        inside_(count_of(n.steps, n.inner)), out_(n.x.size()) {}

  void run() {
    normalise(n_.x, n_.norm[0], n_.norm[1]);
    for (auto const& [w, to] :
         {std::pair(&n_.query, &q_), std::pair(&n_.key, &k_), std::pair(&n_.value, &v_)})
      multiply_(n_.steps, n_.width, n_.width, y_.data(), false, w->data(), false, to->data());
    for (int head = 0; head < n_.heads; ++head) attend(head * (n_.width / n_.heads));
    h_ = n_.x;
    multiply_(n_.steps, n_.width, n_.width, mixed_.data(), false, n_.out.data(), false, h_.data(),
              1);
    normalise(h_, n_.norm[2], n_.norm[3]);
    set_rows(n_.b1, inside_);
    multiply_(n_.steps, n_.inner, n_.width, y_.data(), false, n_.w1.data(), false, inside_.data(),
              1);
    for (float& e : inside_) e = e > 0 ? e : 0;
    set_rows(n_.b2, out_);
    for (std::size_t i = 0; i < out_.size(); ++i) out_[i] += h_[i];
    multiply_(n_.steps, n_.width, n_.inner, inside_.data(), false, n_.w2.data(), false, out_.data(),
              1);
  }
  std::vector<double> result() const { return as_doubles(out_); }

private:
  using row = Eigen::Map<Eigen::ArrayXf>;
  using given = Eigen::Map<Eigen::ArrayXf const>;

  void normalise(numbers const& x, numbers const& scale, numbers const& shift) {
    given const by(scale.data(), n_.width), plus(shift.data(), n_.width);
    for (std::size_t at = 0; at < x.size(); at += count_of(n_.width)) {
      given const in(x.data() + at, n_.width);
      float const mean = in.mean();
      float const var = (in - mean).square().mean();
      row(y_.data() + at, n_.width) = (in - mean) * (1 / std::sqrt(var + 1e-5f)) * by + plus;
    }
  }
  // Columns [at, at + width / heads) are the head's: strides, no copies.
  void attend(int at) {
    int const each = n_.width / n_.heads;
    float const factor = 1 / std::sqrt(static_cast<float>(each));
    multiply_.library.sgemm(row_major, plain, transposed, n_.steps, n_.steps, each, factor,
                            q_.data() + at, n_.width, k_.data() + at, n_.width, 0, scores_.data(),
                            n_.steps);
    for (int t = 0; t < n_.steps; ++t) {
      row s(scores_.data() + t * n_.steps, n_.steps);
      s = (s - s.maxCoeff()).exp();
      s *= 1 / s.sum();
    }
    multiply_.library.sgemm(row_major, plain, plain, n_.steps, each, n_.steps, 1, scores_.data(),
                            n_.steps, v_.data() + at, n_.width, 0, mixed_.data() + at, n_.width);
  }
  static void set_rows(numbers const& from, numbers& all) {
    for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(from.size()))
      std::copy(from.begin(), from.end(), at);
  }

  block_numbers const n_;
  hand_product multiply_;
  numbers y_, q_, k_, v_, scores_, mixed_, h_, inside_, out_;
};
#endif

template <int Steps, int Width, int Heads, int Inner> contest transformer() {
  constexpr block_sizes sizes{Steps, Width, Heads, Inner};
  constexpr double operations = sizes.operations();
  return {"block " + std::to_string(Steps) + "x" + std::to_string(Width) + ", " +
              std::to_string(Heads) + " heads, " + std::to_string(Inner),
          {operations},
          1e-5,
          [](int threads) {
            block_numbers const n(sizes);
            constexpr int each = Width / Heads;
            auto const row = [](numbers const& x) { return tensor_of<float, Width>(x); };
            auto const by_heads = [](numbers const& x) {
              return tensor_of<float, Width, Heads, each>(x);
            };
            typename block_of<Width, Heads, Inner>::template params<weft::tensor> const p{
                row(n.norm[0]),
                row(n.norm[1]),
                row(n.norm[2]),
                row(n.norm[3]),
                by_heads(n.query),
                by_heads(n.key),
                by_heads(n.value),
                tensor_of<float, Heads, each, Width>(n.out),
                tensor_of<float, Width, Inner>(n.w1),
                tensor_of<float, Inner>(n.b1),
                tensor_of<float, Inner, Width>(n.w2),
                row(n.b2)};
            std::vector<side> all{weft_side<block>(threads, p, tensor_of<float, Steps, Width>(n.x)),
                                  arithmetic_limit(arithmetic::f32, operations, threads)};
#ifdef WEFT_HAS_EIGEN
            add_by_hand<block_by_hand>(all, n, threads);
#endif
            return all;
          }};
}

} // namespace

std::vector<contest> transformers() {
  return {transformer<128, 256, 8, 1024>(), transformer<32, 64, 4, 256>()};
}

} // namespace bench

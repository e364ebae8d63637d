// SPDX-License-Identifier: BSL-1.0
// A layer as a user of Eigen writes it: patches of x in a matrix and Eigen's product (threads by
// OpenMP in both); depthwise as sums of products of arrays over the channels. NHWC, HWIO.
#pragma once

#include "../common/eigen.hpp"
#include "layer.hpp"

#include <algorithm>
#include <vector>

namespace bench {

class eigen_side {
  using matrix = Eigen::Matrix<float, -1, -1, Eigen::RowMajor>;
  using map = Eigen::Map<matrix>;
  using const_map = Eigen::Map<matrix const>;
  using channels = Eigen::Map<Eigen::ArrayXf>;
  using const_channels = Eigen::Map<Eigen::ArrayXf const>;

public:
  eigen_side(layer const& l, direction d, operands const& from)
      : l_(l), direction_(d), from_(from), result_(result_count(l, d)),
        rows_(l.places() * l.places()), depth_(l.filter * l.filter * l.in) {
    if (!is_pointwise() && l.groups == 1) patches_.resize(rows_, depth_);
  }
  void run() {
    bool const adds = direction_ == direction::by_filter ||
                      (direction_ == direction::by_input && !is_pointwise());
    if (adds) std::fill(result_.begin(), result_.end(), 0.0f);
    for (int n = 0; n < l_.batch; ++n)
      if (l_.groups != 1) depthwise(n);
      else image(n);
  }
  float const* result() const { return result_.data(); }

private:
  bool is_pointwise() const { return l_.filter == 1 && l_.stride == 1 && l_.pad == 0; }
  float const* x(int n) const { return from_.x + n * l_.size * l_.size * l_.in; }
  float const* y(int n) const { return from_.y + n * rows_ * l_.out; }

  void image(int n) {
    const_map const w(from_.w, depth_, l_.out), ct(y(n), rows_, l_.out);
    bool const reads_x = direction_ != direction::by_input;
    if (!is_pointwise() && reads_x) copy_patches(x(n));
    const_map const a(is_pointwise() ? x(n) : patches_.data(), rows_, depth_);
    if (direction_ == direction::forward)
      map(result_.data() + n * rows_ * l_.out, rows_, l_.out).noalias() = a * w;
    else if (direction_ == direction::by_filter)
      map(result_.data(), depth_, l_.out).noalias() += a.transpose() * ct;
    else {
      float* const gx = result_.data() + n * l_.size * l_.size * l_.in;
      if (is_pointwise()) map(gx, rows_, depth_).noalias() = ct * w.transpose();
      else {
        patches_.noalias() = ct * w.transpose();
        add_patches(gx);
      }
    }
  }
  // f(place of y, tap, place of x) for every tap inside of x.
  template <class F> void for_each_tap(int i, F const& f) const {
    for (int j = 0; j < l_.places(); ++j)
      for (int p = 0; p < l_.filter; ++p)
        for (int q = 0; q < l_.filter; ++q) {
          int const h = i * l_.stride + p - l_.pad, v = j * l_.stride + q - l_.pad;
          if (h >= 0 && h < l_.size && v >= 0 && v < l_.size)
            f(i * l_.places() + j, p * l_.filter + q, h * l_.size + v);
        }
  }
  // The zeros of the padding are written once: resize leaves none, so the first time.
  void copy_patches(float const* image) {
    if (!zeroed_) patches_.setZero();
    zeroed_ = true;
#pragma omp parallel for
    for (int i = 0; i < l_.places(); ++i)
      for_each_tap(i, [&](int row, int tap, int place) {
        std::copy_n(image + place * l_.in, l_.in, &patches_(row, tap * l_.in));
      });
  }
  void add_patches(float* image) {
    for (int i = 0; i < l_.places(); ++i)
      for_each_tap(i, [&](int row, int tap, int place) {
        channels(image + place * l_.in, l_.in) += const_channels(&patches_(row, tap * l_.in),
                                                                 l_.in);
      });
  }
  void depthwise(int n) {
    int const c = l_.in;
    float* const out = result_.data();
    if (direction_ == direction::forward) {
      float* const to = out + n * rows_ * c;
#pragma omp parallel for
      for (int i = 0; i < l_.places(); ++i) {
        std::fill_n(to + i * l_.places() * c, l_.places() * c, 0.0f);
        for_each_tap(i, [&](int row, int tap, int place) {
          channels(to + row * c, c) += const_channels(x(n) + place * c, c) *
                                       const_channels(from_.w + tap * c, c);
        });
      }
      return;
    }
    for (int i = 0; i < l_.places(); ++i)
      for_each_tap(i, [&](int row, int tap, int place) {
        const_channels const ct(y(n) + row * c, c);
        if (direction_ == direction::by_input)
          channels(out + (n * l_.size * l_.size + place) * c,
                   c) += ct * const_channels(from_.w + tap * c, c);
        else channels(out + tap * c, c) += ct * const_channels(x(n) + place * c, c);
      });
  }

  layer l_;
  direction direction_;
  operands from_;
  std::vector<float> result_;
  int rows_, depth_;
  matrix patches_;
  bool zeroed_ = false;
};

} // namespace bench

// SPDX-License-Identifier: BSL-1.0
#include "timing.hpp"

#include <Eigen/Core>

namespace {
using namespace debug_bench;
using array = Eigen::ArrayXf;
using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using fixed = Eigen::Matrix<float, small, small, Eigen::RowMajor>;

array array_of(int count, unsigned seed) {
  return Eigen::Map<array>(some_numbers(static_cast<std::size_t>(count), seed).data(), count);
}
template <class M> M matrix_of(int m, int n, unsigned seed) {
  return Eigen::Map<M>(some_numbers(static_cast<std::size_t>(m * n), seed).data(), m, n);
}

} // namespace

int main() {
  array const a = array_of(length, 1), b = array_of(length, 2);
  array to(length);
  measure("elementwise chain", [&] {
    to = (a * 2.0f + b) * (a - b) + 1.0f;
    return to(7);
  });
  measure("exp", [&] {
    to = a.exp();
    return to(7);
  });
  measure("sum", [&] { return a.sum(); });
  matrix const m = matrix_of<matrix>(rows, columns, 3);
  matrix soft(rows, columns);
  measure("softmax of rows", [&] {
    for (int i = 0; i < rows; ++i) {
      soft.row(i).array() = (m.row(i).array() - m.row(i).maxCoeff()).exp();
      soft.row(i) /= soft.row(i).sum();
    }
    return soft(7, 7);
  });
  matrix const p = matrix_of<matrix>(side, side, 4), q = matrix_of<matrix>(side, side, 5);
  matrix pq(side, side);
  measure("product 128", [&] {
    pq.noalias() = p * q;
    return pq(7, 7);
  });
  fixed const s = matrix_of<fixed>(small, small, 6), t = matrix_of<fixed>(small, small, 7);
  fixed st;
  measure("product 4", [&] {
    st.noalias() = s * t;
    return st(2, 2);
  });
  fixed r;
  measure("expression of 4x4", [&] {
    r = s * 2.0f + t;
    return r(2, 2);
  });
  measure("reading each of 1e5", [&] {
    float x = 0;
    for (int i = 0; i < length; ++i) x += a(i);
    return x;
  });
}

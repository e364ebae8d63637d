// SPDX-License-Identifier: BSL-1.0
#include "sides.hpp"

#include <algorithm>

namespace bench {
namespace {

constexpr auto sum_all = [](auto const& a) { return weft::sum(a); };
constexpr auto sum_rows = [](auto const& a) { return weft::sum<1>(a); };
constexpr auto sum_columns = [](auto const& a) { return weft::sum<0>(a); };
constexpr auto max_rows = [](auto const& a) { return weft::max<1>(a); };
constexpr auto max_columns = [](auto const& a) { return weft::max<0>(a); };
constexpr auto moments = [](auto const& a) {
  return std::tuple(weft::mean<1>(a), weft::var<1>(a));
};
constexpr auto first_max = [](auto const& a) { return weft::arg_max<1>(a); };

// Loops and other orders add the numbers one after another: errors grow with their count.
constexpr double tolerance_of(double numbers) { return 2e-7 + 3e-8 * numbers; }

template <int N> contest of_all() {
  return {
      of_size("sum of all", 1, N), {0, 4.0 * N}, std::min(tolerance_of(N), 2e-3), [](int threads) {
        return of_matrix<sum_all, 1, N>(threads, 1, [](auto& all, arrays const& x, matrix a) {
          if (a.threads == 1) {
            all.push_back(x.peer("loop", [a] {
              float sum = 0;
              for (int i = 0; i < N; ++i) sum += a.in[i];
              *a.out = sum;
            }));
#ifdef WEFT_HAS_EIGEN
            all.push_back(x.peer("Eigen", [a] { *a.out = a.eigen().sum(); }));
#endif
#ifdef WEFT_HAS_XTENSOR
            all.push_back(x.peer("xtensor", [a] {
              *a.out = xt::sum(a.xtensor(), xt::evaluation_strategy::immediate)();
            }));
#endif
          }
#ifdef WEFT_HAS_EIGEN
          auto const device = std::make_shared<tensor_devices>(a.threads);
          all.push_back(x.peer("Eigen Tensor", [a, device] {
            (*device)([&](auto const& d) { eigen_tensor<0>(a.out).device(d) = a.tensor().sum(); });
          }));
#endif
        });
      }};
}

// `Loop`: rows [from, to) of the matrix.
template <auto F, int M, int N, class Loop, class EigenRun, class TensorRun, class XtensorRun>
contest of_rows(char const* name, double tolerance, Loop loop, EigenRun eigen, TensorRun tensor,
                XtensorRun xtensor) {
  return {of_size(name, M, N), {0, 4.0 * M * N}, tolerance, [=](int threads) {
            return of_matrix<F, M, N>(threads, M, [=](auto& all, arrays const& x, matrix a) {
              all.push_back(x.peer("loop", [=] {
                on_rows(a.threads, M, [=](int from, int to) {
                  for (int i = from; i < to; ++i) a.out[i] = loop(a.in + i * N, N);
                });
              }));
              add_libraries(all, x, a, eigen, tensor, xtensor);
            });
          }};
}
template <class EigenRun, class TensorRun, class XtensorRun>
void add_libraries(std::vector<side>& all, arrays const& x, matrix a, EigenRun eigen,
                   TensorRun tensor, XtensorRun xtensor) {
#ifdef WEFT_HAS_EIGEN
  if (a.threads == 1) all.push_back(x.peer("Eigen", [=] { eigen(a); }));
  auto const device = std::make_shared<tensor_devices>(a.threads);
  all.push_back(x.peer("Eigen Tensor", [=] { (*device)([&](auto const& d) { tensor(a, d); }); }));
#endif
#ifdef WEFT_HAS_XTENSOR
  if (a.threads == 1) all.push_back(x.peer("xtensor", [=] { xtensor(a); }));
#endif
}

template <auto F, int M, int N, class Add, class EigenRun, class TensorRun, class XtensorRun>
contest of_columns(char const* name, double tolerance, Add add, EigenRun eigen, TensorRun tensor,
                   XtensorRun xtensor) {
  return {of_size(name, M, N), {0, 4.0 * M * N}, tolerance, [=](int threads) {
            return of_matrix<F, M, N>(threads, N, [=](auto& all, arrays const& x, matrix a) {
              if (a.threads == 1)
                all.push_back(x.peer("loop", [=] {
                  std::copy_n(a.in, N, a.out);
                  for (int i = 1; i < M; ++i)
                    for (int j = 0; j < N; ++j) a.out[j] = add(a.out[j], a.in[i * N + j]);
                }));
              add_libraries(all, x, a, eigen, tensor, xtensor);
            });
          }};
}

template <int M, int N> contest row_sums() {
  return of_rows<sum_rows, M, N>(
      "sums of rows", tolerance_of(N),
      [](float const* row, int n) {
        float sum = 0;
        for (int j = 0; j < n; ++j) sum += row[j];
        return sum;
      },
      [](matrix a) { a.eigen_column() = a.eigen().rowwise().sum(); },
      [](matrix a, auto const& d) {
        Eigen::array<int, 1> const axis{1};
        eigen_tensor<1>(a.out, a.m).device(d) = a.tensor().sum(axis);
      },
      [](matrix a) { xt::noalias(a.xtensor_out(M)) = xt::sum(a.xtensor(), {1}); });
}
template <int M, int N> contest column_sums() {
  return of_columns<sum_columns, M, N>(
      "sums of columns", tolerance_of(M), [](float x, float y) { return x + y; },
      [](matrix a) { a.eigen_row() = a.eigen().colwise().sum(); },
      [](matrix a, auto const& d) {
        Eigen::array<int, 1> const axis{0};
        eigen_tensor<1>(a.out, a.n).device(d) = a.tensor().sum(axis);
      },
      [](matrix a) { xt::noalias(a.xtensor_out(N)) = xt::sum(a.xtensor(), {0}); });
}
template <int M, int N> contest row_maxima() {
  return of_rows<max_rows, M, N>(
      "maxima of rows", 0,
      [](float const* row, int n) {
        float most = row[0];
        for (int j = 1; j < n; ++j) most = row[j] > most ? row[j] : most;
        return most;
      },
      [](matrix a) { a.eigen_column() = a.eigen().rowwise().maxCoeff(); },
      [](matrix a, auto const& d) {
        Eigen::array<int, 1> const axis{1};
        eigen_tensor<1>(a.out, a.m).device(d) = a.tensor().maximum(axis);
      },
      [](matrix a) { xt::noalias(a.xtensor_out(M)) = xt::amax(a.xtensor(), {1}); });
}
template <int M, int N> contest column_maxima() {
  return of_columns<max_columns, M, N>(
      "maxima of columns", 0, [](float x, float y) { return y > x ? y : x; },
      [](matrix a) { a.eigen_row() = a.eigen().colwise().maxCoeff(); },
      [](matrix a, auto const& d) {
        Eigen::array<int, 1> const axis{0};
        eigen_tensor<1>(a.out, a.n).device(d) = a.tensor().maximum(axis);
      },
      [](matrix a) { xt::noalias(a.xtensor_out(N)) = xt::amax(a.xtensor(), {0}); });
}

template <int M, int N> contest mean_and_variance() {
  return {of_size("mean and variance of rows", M, N),
          {0, 4.0 * M * N},
          tolerance_of(N),
          [](int threads) {
            return of_matrix<moments, M, N>(threads, 2 * M,
                                            [](auto& all, arrays const& x, matrix a) {
                                              all.push_back(x.peer("loop", [=] {
                                                on_rows(a.threads, M, [=](int from, int to) {
                                                  for (int i = from; i < to; ++i) {
                                                    float const* const row = a.in + i * N;
                                                    float mean = 0, var = 0;
                                                    for (int j = 0; j < N; ++j) mean += row[j];
                                                    mean /= N;
                                                    for (int j = 0; j < N; ++j)
                                                      var += (row[j] - mean) * (row[j] - mean);
                                                    a.out[i] = mean;
                                                    a.out[M + i] = var / N;
                                                  }
                                                });
                                              }));
#ifdef WEFT_HAS_EIGEN
                                              if (a.threads == 1)
                                                all.push_back(x.peer("Eigen", [=] {
                                                  for (int i = 0; i < M; ++i) {
                                                    auto const row = a.eigen().row(i);
                                                    float const mean = row.mean();
                                                    a.out[i] = mean;
                                                    a.out[M + i] = (row - mean).square().mean();
                                                  }
                                                }));
#endif
                                            });
          }};
}

template <int M, int N> contest places_of_maxima() {
  return {of_size("arg_max of rows", M, N), {0, 4.0 * M * N}, 0, [](int threads) {
            return of_matrix<first_max, M, N>(threads, M, [](auto& all, arrays const& x, matrix a) {
              all.push_back(x.peer("loop", [=] {
                on_rows(a.threads, M, [=](int from, int to) {
                  for (int i = from; i < to; ++i)
                    a.out[i] = static_cast<float>(
                        std::max_element(a.in + i * N, a.in + (i + 1) * N) - (a.in + i * N));
                });
              }));
#ifdef WEFT_HAS_EIGEN
              if (a.threads == 1)
                all.push_back(x.peer("Eigen", [=] {
                  for (int i = 0; i < M; ++i) {
                    Eigen::Index place;
                    a.eigen().row(i).maxCoeff(&place);
                    a.out[i] = static_cast<float>(place);
                  }
                }));
#endif
            });
          }};
}

} // namespace

std::vector<contest> plain_reductions() {
  return {of_all<10'000>(),
          of_all<1'000'000>(),
          of_all<16'000'000>(),
          row_sums<1000, 1000>(),
          row_sums<4096, 64>(),
          column_sums<1000, 1000>(),
          column_sums<4096, 64>(),
          row_maxima<1000, 1000>(),
          column_maxima<1000, 1000>(),
          mean_and_variance<1000, 1000>(),
          places_of_maxima<1000, 1000>(),
          places_of_maxima<1, 1'000'000>()};
}

} // namespace bench

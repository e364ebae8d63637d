// SPDX-License-Identifier: BSL-1.0
#include "online_softmax.hpp"
#include "sides.hpp"

namespace bench {
namespace {

constexpr auto softmax_rows = [](auto const& a) { return weft::softmax<1>(a); };
constexpr auto logsumexp_rows = [](auto const& a) { return weft::logsumexp<1>(a); };
constexpr auto cumsum_rows = [](auto const& a) { return weft::cumsum<1>(a); };
constexpr auto cumsum_columns = [](auto const& a) { return weft::cumsum<0>(a); };
constexpr auto normalise = [](auto const& a, auto const& scale, auto const& shift) {
  return weft::layer_norm(a, scale, shift);
};

struct no_more {
  template <class Sides> void operator()(Sides&, arrays const&, matrix) const {}
};
// `loop` and `eigen` do one row: of in, to out. `more` adds other sides.
template <auto F, int M, int N, class Loop, class EigenRow, class More = no_more>
contest of_rows(char const* name, int results, double tolerance, Loop loop, EigenRow eigen,
                More more = {}) {
  return {of_size(name, M, N), {0, 4.0 * M * N + 4.0 * M * results}, tolerance, [=](int threads) {
            return of_matrix<F, M, N>(
                threads, M * results, [=](auto& all, arrays const& x, matrix a) {
                  all.push_back(x.peer("loop", [=] {
                    on_rows(a.threads, M, [=](int from, int to) {
                      for (int i = from; i < to; ++i) loop(a.in + i * N, N, a.out + i * results);
                    });
                  }));
#ifdef WEFT_HAS_EIGEN
                  all.push_back(x.peer("Eigen", [=] {
                    on_rows(a.threads, M, [=](int from, int to) {
                      using row = Eigen::Array<float, 1, N>;
                      for (int i = from; i < to; ++i)
                        eigen(Eigen::Map<row const>(a.in + i * N), a.out + i * results);
                    });
                  }));
#endif
                  more(all, x, a);
                });
          }};
}

// A row's maximum and sum in one reading.
template <int N, bool Keeps> void add_online(std::vector<side>& all, arrays const& x, matrix a) {
  all.push_back(x.peer(Keeps ? "online, kept" : "online", [=] {
    on_rows(a.threads, a.m, [=](int from, int to) {
      for (int i = from; i < to; ++i) online_softmax<N, Keeps>(a.in + i * N, a.out + i * N);
    });
  }));
}
template <int M, int N> contest softmax() {
  return of_rows<softmax_rows, M, N>(
      "softmax of rows", N, 2e-6,
      [](float const* row, int n, float* out) {
        float most = row[0], sum = 0;
        for (int j = 1; j < n; ++j) most = row[j] > most ? row[j] : most;
        for (int j = 0; j < n; ++j) sum += out[j] = std::exp(row[j] - most);
        for (int j = 0; j < n; ++j) out[j] /= sum;
      },
      [](auto const& row, float* out) {
        Eigen::Map<Eigen::Array<float, 1, N>> to(out);
        to = (row - row.maxCoeff()).exp();
        to *= 1.0f / to.sum();
      },
      [](auto& all, arrays const& x, matrix a) {
        add_online<N, false>(all, x, a);
        add_online<N, true>(all, x, a);
      });
}
template <int M, int N> contest logsumexp() {
  return of_rows<logsumexp_rows, M, N>(
      "logsumexp of rows", 1, 2e-6,
      [](float const* row, int n, float* out) {
        float most = row[0], sum = 0;
        for (int j = 1; j < n; ++j) most = row[j] > most ? row[j] : most;
        for (int j = 0; j < n; ++j) sum += std::exp(row[j] - most);
        *out = std::log(sum) + most;
      },
      [](auto const& row, float* out) {
        float const most = row.maxCoeff();
        *out = std::log((row - most).exp().sum()) + most;
      });
}
template <int M, int N> contest running_sums() {
  return of_rows<cumsum_rows, M, N>(
      "cumsum of rows", N, 3e-8 * N,
      [](float const* row, int n, float* out) {
        float sum = 0;
        for (int j = 0; j < n; ++j) out[j] = sum += row[j];
      },
      [](auto const& row, float* out) {
        float sum = 0;
        for (int j = 0; j < N; ++j) out[j] = sum += row[j];
      });
}
template <int M, int N> contest running_column_sums() {
  return {of_size("cumsum of columns", M, N), {0, 8.0 * M * N}, 3e-8 * M, [](int threads) {
            return of_matrix<cumsum_columns, M, N>(
                threads, M * N, [](auto& all, arrays const& x, matrix a) {
                  all.push_back(x.peer("loop", [=] {
                    std::copy_n(a.in, N, a.out);
                    for (int i = 1; i < M; ++i)
                      for (int j = 0; j < N; ++j)
                        a.out[i * N + j] = a.out[(i - 1) * N + j] + a.in[i * N + j];
                  }));
#ifdef WEFT_HAS_EIGEN
                  auto const device = std::make_shared<tensor_devices>(a.threads);
                  all.push_back(x.peer("Eigen Tensor", [=] {
                    (*device)([&](auto const& d) {
                      eigen_tensor<2>(a.out, M, N).device(d) = a.tensor().cumsum(0);
                    });
                  }));
#endif
                });
          }};
}

template <int M, int N> std::vector<side> layer_norm_sides(int threads) {
  arrays const x({static_cast<std::size_t>(M) * N, N, N}, static_cast<std::size_t>(M) * N);
  matrix const a{x[0], x.result(), M, N, threads};
  float const *scale = x[1], *shift = x[2];
  auto const in = tensor_of<float, M, N>(*x.in[0]);
  auto const by = tensor_of<float, N>(*x.in[1]), plus = tensor_of<float, N>(*x.in[2]);
  std::vector<side> all{weft_side<normalise>(threads, in, by, plus),
                        weft_side<normalise, weft::policy::fast>(threads, in, by, plus),
                        memory_limit(4.0 * M * N, 4.0 * M * N, threads)};
#ifdef WEFT_HAS_EIGEN
  all.push_back(x.peer("Eigen", [=] {
    on_rows(threads, M, [=](int from, int to) {
      using row = Eigen::Array<float, 1, N>;
      Eigen::Map<row const> const factor(scale), term(shift);
      for (int i = from; i < to; ++i) {
        Eigen::Map<row const> const x_row(a.in + i * N);
        float const mean = x_row.mean();
        float const var = (x_row - mean).square().mean();
        Eigen::Map<row>(a.out + i * N) = (x_row - mean) * (1 / std::sqrt(var + 1e-5f)) * factor +
                                         term;
      }
    });
  }));
#endif
  all.push_back(x.peer("loop", [=] {
    on_rows(threads, M, [=](int from, int to) {
      for (int i = from; i < to; ++i) {
        float const* const row = a.in + i * N;
        float mean = 0, var = 0;
        for (int j = 0; j < N; ++j) mean += row[j];
        mean /= N;
        for (int j = 0; j < N; ++j) var += (row[j] - mean) * (row[j] - mean);
        float const factor = 1 / std::sqrt(var / N + 1e-5f);
        for (int j = 0; j < N; ++j)
          a.out[i * N + j] = (row[j] - mean) * factor * scale[j] + shift[j];
      }
    });
  }));
  return all;
}
template <int M, int N> contest layer_norm() {
  return {of_size("layer_norm of rows", M, N), {0, 8.0 * M * N}, 5e-6, layer_norm_sides<M, N>};
}

} // namespace

std::vector<contest> row_programs() {
  return {softmax<512, 512>(),      softmax<4096, 64>(),
          softmax<1024, 1024>(),    logsumexp<512, 512>(),
          logsumexp<4096, 64>(),    layer_norm<512, 512>(),
          layer_norm<4096, 64>(),   running_sums<1000, 1000>(),
          running_sums<4096, 64>(), running_column_sums<1000, 1000>()};
}

} // namespace bench

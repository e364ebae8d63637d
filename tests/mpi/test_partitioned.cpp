// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks: partitioned functions, compiled and by the block executor, against all ranks of one process, bit
// for bit: a GRU in a scan, attention whose heads meet and an MLP's step, on data, model and both.
#include "rank_programs.hpp"
#include "support/block.hpp"

#include <weft/partition.hpp>
#include <weft/run/block.hpp>
#include <weft/testing/run_ranks.hpp>
#include <weft/weft.hpp>

#include <cstring>

namespace {

using namespace weft;
using weft::testing::run_ranks;

template <class T, auto... E> std::string bytes_of(tensor<T, E...> const& t) {
  return {reinterpret_cast<char const*>(t.data()), static_cast<std::size_t>(t.size()) * sizeof(T)};
}
template <class R> std::string all_bytes(R const& r) {
  std::string t;
  for_each_leaf(r, [&t](auto const& leaf) { t += bytes_of(leaf); });
  return t;
}
// F among processes and in this one, every rank with the same arrays (of parts' shapes).
template <auto F, class M, class... Args>
void compare(mpi::session& job, M m, char const* what, Args const&... args) {
  auto const r = static_cast<std::size_t>(job.rank());
  std::string const meant = all_bytes(run_ranks<F>(m, args...)[r]),
                    where = std::string(what) + ", rank " + std::to_string(r);
  test::check(!meant.empty() && all_bytes(jit<F>(job, args...)) == meant, where + ", compiled");
  test::check(all_bytes(jit<F>(job, cpu::block, args...)) == meant, where + ", blocks");
}
template <auto... E> tensor<float, E...> some(unsigned seed) {
  return eval(uniform<float, E...>(key(seed)) - 0.5f);
}

template <int D, int M> inline constexpr auto grid = mesh<axis<"data", D>, axis<"model", M>>;
inline constexpr auto by_data = split_over<"data">;
inline constexpr auto by_model = split_over<"model">;
inline constexpr auto columns = split_over<none, "model">;
inline constexpr auto gates = split_over<none, none, "model">;

// Weights (gate, in, hidden): reset, update, new.
inline constexpr auto gru_gradients = [](auto wx, auto wh, auto xs) {
  return value_and_grad<0, 1>([](auto u, auto v, auto series) {
    auto const step = [&](auto h, auto x) {
      auto a = einsum<"bi,gih->gbh">(x, u), c = einsum<"bi,gih->gbh">(h, v);
      auto r = sigmoid(at<"0">(a) + at<"0">(c)), z = sigmoid(at<"1">(a) + at<"1">(c));
      auto next = (1 - z) * tanh(at<"2">(a) + r * at<"2">(c)) + z * h;
      return std::pair(next, next);
    };
    return mean(square(scan(step, zeros<float, 4, 8>(), series).second));
  })(wx, wh, xs);
};
inline constexpr auto attention_block = [](auto wq, auto wo, auto x) {
  auto const q = einsum<"bti,ihd->bhtd">(x, wq);
  return einsum<"bhtd,hdo->bto">(causal_attention(q, q, q), wo);
};

template <int D, int M> void compare_all(mpi::session& job) {
  constexpr auto m = grid<D, M>;
  static constexpr auto gru =
      partition<m, in_parts<gates, gates, split_over<none, "data">>, out_parts<replicated, gates>>(
          [](auto wx, auto wh, auto xs) {
            auto [value, g] = gru_gradients(wx, wh, xs);
            return std::pair(value, std::get<0>(g));
          });
  compare<gru>(job, m, "gru", some<3, 6, 8 / M>(1), some<3, 8, 8 / M>(2), some<5, 4 / D, 6>(3));
  static constexpr auto attention =
      partition<m, in_parts<columns, by_model, by_data>, out_parts<by_data>>(attention_block);
  compare<attention>(job, m, "attention", some<8, 4 / M, 6>(4), some<4 / M, 6, 8>(5),
                     some<4 / D, 5, 8>(6));
}
test::rank_program const partitioned_programs("partitioned", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](mpi::session& job) {
    if (job.world() == 1) compare_all<1, 1>(job);
    else if (job.world() == 2) {
      compare_all<2, 1>(job);
      compare_all<1, 2>(job);
    } else {
      compare_all<4, 1>(job);
      compare_all<1, 4>(job);
      compare_all<2, 2>(job);
    }
    if (job.rank() == 0 && test::rank_failures == 0) std::printf("right\n");
  });
});

} // namespace

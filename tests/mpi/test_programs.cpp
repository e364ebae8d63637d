// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks: typed functions, compiled and by the block executor, each rank with its own arguments, against
// testing::run_ranks: an MLP's training step under data, tensor and mixed meshes, every collective in
// one function and its gradient, a scan with collectives in its body, keys and structs, a mean in
// groups of one.
#include "lang/mesh_functions.hpp"
#include "rank_programs.hpp"
#include "support/block.hpp"

#include <weft/run/block.hpp>
#include <weft/testing/run_ranks.hpp>

#include <cstring>

namespace {

using namespace mesh_functions;
using weft::tensor, weft::mpi::session;
using weft::testing::each_rank, weft::testing::parts, weft::testing::run_ranks,
    weft::testing::detail::value_at;

template <class R> void check_same(R const& found, R const& meant, std::string const& what) {
  std::vector<std::string> bytes[2];
  auto const keep = [](std::vector<std::string>& to) {
    return [&to](auto const& leaf) {
      if constexpr (requires { leaf.data(); }) {
        auto const* const first = reinterpret_cast<char const*>(leaf.data());
        to.emplace_back(first, static_cast<std::size_t>(leaf.size()) * sizeof(leaf.data()[0]));
      } else to.push_back(std::to_string(leaf.high) + " " + std::to_string(leaf.low));
    };
  };
  weft::for_each_leaf(found, keep(bytes[0]));
  weft::for_each_leaf(meant, keep(bytes[1]));
  test::check(!bytes[0].empty() && bytes[0] == bytes[1], what);
}
// f among processes, compiled (twice: an engine that is there already) and in blocks, and all ranks in
// this one.
template <auto F, class M, class... Args>
void compare(session& job, M m, std::string const& what, Args const&... args) {
  int const r = static_cast<int>(job.rank());
  auto const meant = run_ranks<F>(m, args...)[static_cast<std::size_t>(r)];
  std::string const where = what + ", rank " + std::to_string(r);
  check_same(weft::jit<F>(job, value_at(args, r)...), meant, where + ", compiled");
  check_same(weft::jit<F>(job, value_at(args, r)...), meant, where + ", compiled, again");
  check_same(weft::jit<F>(job, weft::cpu::block, value_at(args, r)...), meant, where + ", blocks");
}
template <auto... E> tensor<float, E...> some(unsigned seed) {
  return weft::eval(weft::uniform<float, E...>(weft::key(seed)) - 0.5f);
}
template <int D, int M> void compare_mlp(session& job) {
  constexpr auto m = both<D, M>;
  auto const w1 = parts<m, "model", 1>(some<6, 8>(1));
  auto const b1 = parts<m, "model", 0>(some<8>(2));
  auto const w2 = parts<m, "model", 0>(some<8, 3>(3));
  auto const b2 = some<3>(4);
  auto const p = each_rank(m, [&](int r) {
    return mlp<tensor, 8 / M>{value_at(w1, r), value_at(b1, r), value_at(w2, r), b2};
  });
  compare<loss_and_gradients<D, M>>(job, m, "mlp " + std::to_string(D) + "x" + std::to_string(M), p,
                                    parts<m, "data", 0>(some<8, 6>(5)),
                                    parts<m, "data", 0>(some<8, 3>(6)));
}
// A mean along an axis of one rank, keys, a struct, places, what nobody sends.
template <class M> struct on_mesh {
  static constexpr M m{};
  static constexpr auto sends_and_means = [](auto x, auto k) {
    auto pair = weft::broadcast<m, "data", 1>(std::pair(x, k));
    auto moved = weft::permute<m, "data", weft::sends{0, 1}>(pair.second);
    return std::tuple(all_reduce<m, "model", combine::mean>(x), pair.first, moved,
                      weft::axis_index<m, "data">(), all_reduce<m, "data", combine::mean>(x));
  };
};
void on_two(session& job) {
  compare_mlp<2, 1>(job);
  compare_mlp<1, 2>(job);
  constexpr auto m = both<2, 1>;
  compare<on_mesh<std::remove_cv_t<decltype(m)>>::sends_and_means>(
      job, m, "keys and means",
      each_rank(m,
                [](int r) {
                  return weft::eval(
                      weft::convert<weft::bf16>(some<5>(static_cast<unsigned>(r) + 7)));
                }),
      each_rank(m, [](int r) { return weft::key(static_cast<unsigned>(r) + 20); }));
}
inline constexpr auto every_kind_and_gradient = [](auto x) {
  return weft::value_and_grad([](auto y) { return weft::sum(weft::tanh(every_kind(y))); })(x);
};
void on_four(session& job) {
  compare_mlp<2, 2>(job);
  compare<every_kind_and_gradient>(job, quad, "every kind", each_rank(quad, [](int r) {
                                     return some<4, 4>(static_cast<unsigned>(r) + 9);
                                   }));
  constexpr auto m = line<4>;
  compare<ten_split_layers<4>>(job, m, "layers in a scan", parts<m, "data", 1>(some<10, 16, 16>(1)),
                               parts<m, "data", 1>(some<10, 16>(2)),
                               parts<m, "data", 1>(some<12, 16>(3)));
}
// A mesh of one rank, and functions without collectives, run as they do alone.
void on_one(session& job) {
  compare_mlp<1, 1>(job);
  static constexpr auto plain = [](auto x) { return weft::sum(x); };
  compare<plain>(job, line<1>, "no collective", some<5>(1));
}

test::rank_program const programs("programs", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](session& job) {
    if (job.world() == 1) on_one(job);
    else if (job.world() == 2) on_two(job);
    else on_four(job);
    if (job.rank() == 0 && test::rank_failures == 0) std::printf("right\n");
  });
});

} // namespace

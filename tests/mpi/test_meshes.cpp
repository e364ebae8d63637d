// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks: training steps of whole arrays, partitioned over every mesh of data and model that so many ranks
// make, by the block executor, against the interpreter that runs all ranks in one process (rank 0, which
// gets everybody's results), bit for bit: an MLP, attention and a GRU in a scan, each with its gradients,
// and ten linear layers in a scan, in float and bf16.
#include "random/run_blocks.hpp"
#include "rank_programs.hpp"
#include "testing/ranks_reference.hpp"

#include <weft/partition.hpp>
#include <weft/testing/interpret_ranks.hpp>
#include <weft/weft.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>

namespace {

using namespace weft;

// All split axes are of 24 or 72: parts for 1, 2, 3, 4 and 8 ranks.
constexpr int rows = 24, wide = 24;

constexpr auto mlp = [](auto w1, auto b1, auto w2, auto x, auto y) {
  return value_and_grad<0, 1, 2>([&](auto u, auto b, auto v) {
    auto h = tanh(einsum<"bi,ih->bh">(x, u) + b);
    return mean(square(einsum<"bh,ho->bo">(h, v) - y));
  })(w1, b1, w2);
};
constexpr auto attention = [](auto wq, auto wk, auto wv, auto wo, auto x) {
  return value_and_grad<0, 1, 2, 3, 4>([](auto q, auto k, auto v, auto o, auto t) {
    auto const heads = [&t](auto w) { return einsum<"bti,ihd->bhtd">(t, w); };
    auto mixed = causal_attention(heads(q), heads(k), heads(v));
    return mean(square(einsum<"bhtd,hdo->bto">(mixed, o)));
  })(wq, wk, wv, wo, x);
};
constexpr auto gru_scan = [](auto cell, auto start, auto xs) {
  return value_and_grad<0, 1>([&xs](auto p, auto h0) {
    auto const step = [&p](auto h, auto x) {
      auto next = gru(p, h, x);
      return std::pair(next, next);
    };
    auto const [last, states] = scan(step, h0, xs);
    return mean(square(states)) + mean(last);
  })(cell, start);
};
constexpr auto ten_layers = [](auto w, auto b, auto x, auto c) {
  return grad<0, 1, 2>([&c](auto u, auto v, auto t) {
    auto const step = [](auto h, auto layer) {
      auto const& [wk, bk] = layer;
      return std::pair(linear<"bi,io->bo">(h, wk, bk), none);
    };
    return sum(scan(step, t, std::pair(u, v)).first * c);
  })(w, b, x);
};

struct workload {
  std::string name;
  graph whole;
  std::vector<char const*> in, out;
};
template <class... Args, class F>
workload of(char const* name, F const& f, std::vector<char const*> in,
            std::vector<char const*> out) {
  return {name, canonical(record<Args...>(f)), std::move(in), std::move(out)};
}
template <class T> workload layers(char const* name) {
  return of<tensor<T, 10, wide, wide>, tensor<T, 10, wide>, tensor<T, rows, wide>,
            tensor<T, rows, wide>>(name, ten_layers,
                                   {"[-, model, -]", "[-, -]", "[data, model]", "[data, -]"},
                                   {"[-, model, -]", "[-, -]", "[data, model]"});
}
std::vector<workload> workloads() {
  using projection = tensor<float, 8, wide, 2>;
  char const* const heads = "[-, model, -]";
  return {
      of<tensor<float, 6, wide>, tensor<float, wide>, tensor<float, wide, 4>,
         tensor<float, rows, 6>, tensor<float, rows, 4>>(
          "mlp", mlp, {"[-, model]", "[model]", "[model, -]", "[data, -]", "[data, -]"},
          {"", "[-, model]", "[model]", "[model, -]"}),
      of<projection, projection, projection, tensor<float, wide, 2, 8>, tensor<float, rows, 3, 8>>(
          "attention", attention, {heads, heads, heads, "[model]", "[data]"},
          {"", heads, heads, heads, "[model]", "[data]"}),
      of<gru_weights<tensor, 5, wide>, tensor<float, rows, wide>, tensor<float, 4, rows, 5>>(
          "gru in a scan", gru_scan,
          {"[model, -]", "[model, -]", "[model]", "[model]", "[data, -]", "[-, data]"},
          {"", "[model, -]", "[model, -]", "[model]", "[model]", "[data, -]"}),
      layers<float>("ten layers"), layers<bf16>("ten layers of bf16")};
}

// Numbers from -1/2 to 1/2, other ones for every input.
dense numbers(dtype d, extents const& s, std::uint32_t seed) {
  dense x(d, s);
  for (int i = 0; i < x.size(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = static_cast<word>(bits_of(static_cast<double>(seed >> 8) / 16777216.0 - 0.5, d));
  }
  return x;
}
growing<sharding> shardings(std::vector<char const*> const& words, mesh_axes const& on) {
  growing<sharding> s;
  for (char const* w : words) s.push(sharding_of(w, on));
  return s;
}

struct on_mesh {
  std::string name;
  partitioned p;
  std::vector<growing<dense>> inputs; // by rank

  on_mesh(workload const& w, mesh_axes const& on, std::string const& where)
      : name(w.name + " on " + where) {
    p = checked_partition(w.whole, on, shardings(w.in, on), shardings(w.out, on));
    growing<dense> whole;
    graph_view const g = w.whole;
    for (int id : g.parameters_of(0))
      whole.push(numbers(g[id].type, g.shape(id), static_cast<std::uint32_t>(id) + 1));
    inputs = test::parts_of_ranks(whole, shardings(w.in, on), on);
  }
};
// f(program) of every workload on every mesh.
template <class F> void programs(int world, F const& f) {
  for (workload const& w : workloads())
    for (int model = 1; model <= world; ++model) {
      if (world % model != 0) continue;
      std::string const where = "data=" + std::to_string(world / model) +
                                ",model=" + std::to_string(model);
      f(on_mesh(w, mesh_of(where.c_str()), where));
    }
}
void append_results(mpi::session& job, on_mesh const& m, std::vector<word>& to) {
  cpu::block_program<cpu::native_target> const program(m.p.program);
  cpu::serial on;
  auto const r = static_cast<std::size_t>(job.rank());
  for (dense const& x : test::run_code(program.code(), m.inputs[r], on, &job))
    to.insert(to.end(), x.words.begin(), x.words.end());
}
// `at`: where this program's results begin in each rank's list.
void expect_meant(on_mesh const& m, std::vector<std::vector<word>> const& all, std::size_t& at) {
  auto const meant = weft::testing::interpret_ranks(m.p.program, m.inputs);
  std::size_t next = at;
  for (std::size_t r = 0; r < meant.size(); ++r) {
    next = at;
    int apart = 0;
    for (dense const& x : meant[r])
      for (int i = 0; i < x.size(); ++i, ++next)
        apart += next >= all[r].size() || all[r][next] != x[i];
    test::check(apart == 0, m.name + ", rank " + std::to_string(r) + ": " + std::to_string(apart) +
                                " of " + std::to_string(next - at) + " elements");
  }
  at = next;
}
test::rank_program const meshes("meshes", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](mpi::session& job) {
    auto const world = static_cast<int>(job.world());
    std::vector<word> mine;
    programs(world, [&](on_mesh const& m) { append_results(job, m, mine); });
    std::vector<std::vector<word>> all;
    boost::mpi::gather(job.communicator(), mine, all, 0);
    if (job.rank() != 0) return;
    int count = 0;
    std::size_t at = 0;
    programs(world, [&](on_mesh const& m) {
      expect_meant(m, all, at);
      test::check(m.p.moves.empty() == (world == 1), m.name + ": exchanges");
      ++count;
    });
    test::check(at == mine.size() && at > 1000, "results of " + std::to_string(count));
    if (test::rank_failures == 0)
      std::printf("right: %d programs, %zu elements of rank 0\n", count, at);
  });
});

} // namespace

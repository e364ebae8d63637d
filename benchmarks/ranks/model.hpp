// SPDX-License-Identifier: BSL-1.0
// What one step costs a rank of a mesh: floating-point operations, bytes, messages and waits are counted
// in the program that partitioning makes; its arithmetic is run here, on one core, as one rank whose
// exchanges are answered at once; what exchanges take is reckoned from three figures of a network.
//   seconds = arithmetic + waits * latency + messages * message + bytes / bandwidth
#pragma once

#include <weft/array/host_array.hpp>
#include <weft/cpu/move.hpp>
#include <weft/cpu/rank_group.hpp>
#include <weft/pass/exchanges.hpp>
#include <weft/pass/partition_text.hpp>
#include <weft/pass/work.hpp>
#include <weft/run/model.hpp>

#include <chrono>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace bench {

using weft::extent, weft::host_array;

struct network {
  double latency = 0;   // seconds until what all others have sent is there, of nothing
  double message = 0;   // further seconds for each message
  double bandwidth = 1; // bytes per second that a rank sends while it receives as many

  double seconds(weft::exchanged const& e) const {
    return static_cast<double>(e.waits) * latency + static_cast<double>(e.messages) * message +
           static_cast<double>(e.bytes) / bandwidth;
  }
};

// A step of training on whole arrays; inputs and outputs are split so. Words: graph/sharding.hpp.
struct workload {
  std::string name, item; // what a step gets through: streams of 64 characters, rows
  weft::graph step;
  std::vector<std::string> in, out;

  weft::partitioned on(weft::mesh_axes const& mesh) const {
    weft::growing<weft::sharding> from, to;
    for (std::string const& s : in) from.push(sharding_of(s.c_str(), mesh));
    for (std::string const& s : out) to.push(sharding_of(s.c_str(), mesh));
    return weft::checked_partition(step, mesh, from, to);
  }
};

// Ranks that answer at once, with something of the right size.
class nobody final : public weft::cpu::rank_group {
public:
  explicit nobody(extent world) : world_(world) {}
  extent rank() const override { return 0; }
  extent world() const override { return world_; }
  void begin(weft::graph_view, std::uint64_t&) override {}
  void failed(char const*) override {}
  void enters() override {}
  void start(weft::collective const& c, int, weft::cpu::strided_array const& x, std::byte* out,
             weft::cpu::scratch) override {
    weft::extents const to = weft::collective_shape(c, x.shape);
    extent const bytes = weft::count_of(to) * x.element_bytes();
    if (to == x.shape)
      weft::cpu::copy(static_cast<int>(x.element_bytes()), x.shape, x.first, x.strides, out,
                      weft::row_major_strides(x.shape));
    else if (bytes > 0) std::memset(out, 0, static_cast<std::size_t>(bytes));
  }
  std::int64_t started() const override { return 0; }
  void finish(std::int64_t) override {}
  void abandon() noexcept override {}

private:
  extent world_;
};

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
// Of this thread on a CPU: other work of the machine is not counted.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
// The shortest of several runs on this thread: two at least, and for a third of a second.
template <class F> double shortest(F const& f) {
  double best = 1e30;
  double const start = cpu_seconds();
  for (int runs = 0; runs < 2 || (cpu_seconds() - start < 0.3 && runs < 1000); ++runs) {
    double const before = cpu_seconds();
    f();
    best = std::min(best, cpu_seconds() - before);
  }
  return best;
}

// Small numbers, the same every time; of integers small ones, too.
inline std::vector<host_array> some_inputs(weft::graph_view g) {
  std::vector<host_array> inputs;
  std::uint32_t state = 1;
  for (int id : g.parameters_of(0)) {
    host_array x(g[id].type, g.shape(id));
    for (extent i = 0; i < x.size(); ++i) {
      state = state * 1664525u + 1013904223u;
      float const f = (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * 0.1f;
      std::int32_t const n = static_cast<std::int32_t>(state >> 27);
      if (x.type() == weft::dtype::f32) std::memcpy(x.data() + 4 * i, &f, 4);
      else if (weft::size_of(x.type()) == 4) std::memcpy(x.data() + 4 * i, &n, 4);
    }
    inputs.push_back(std::move(x));
  }
  return inputs;
}

struct cost {
  extent ranks = 1, flops = 0; // of a rank
  weft::exchanged exchanges;
  double arithmetic = 0; // seconds
  double seconds(network const& n) const { return arithmetic + n.seconds(exchanges); }
};
// `arithmetic`: seconds, known from a mesh whose ranks have as much to compute; or 0.
inline cost measure(workload const& w, weft::mesh_axes const& mesh, double arithmetic = 0) {
  weft::partitioned const p = w.on(mesh);
  weft::graph_view const g = p.program;
  cost c{mesh.ranks, weft::flops_of(g), weft::exchanges_of(g), arithmetic};
  if (arithmetic > 0) return c;
  nobody others(mesh.ranks);
  weft::model local(g);
  local.join(&others);
  std::vector<host_array> const inputs = some_inputs(g);
  c.arithmetic = shortest([&] { local.run(inputs); });
  return c;
}

} // namespace bench

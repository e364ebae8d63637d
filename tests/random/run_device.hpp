// SPDX-License-Identifier: BSL-1.0
// device_runner: a graph on an OpenCL device, from and to the interpreter's arrays.
#pragma once

#include "random/run_blocks.hpp"
#include "support/opencl.hpp"

#include <weft/opencl/engine.hpp>
#include <weft/pass/donation.hpp>
#include <weft/pass/pipeline.hpp>

namespace test {

class device_runner {
public:
  // `ready`: run the graph as it is, without the passes.
  device_runner(weft::opencl::device const& on, weft::graph_view g, bool ready = false)
      : device_runner(on, g, ready, weft::opencl::traits_of(on.info())) {}
  device_runner(weft::opencl::device const& on, weft::graph_view g, bool ready,
                weft::opencl::device_traits const& traits)
      : device_(on), traits_(traits), graph_(ready ? weft::thaw(g) : weft::optimise(g)),
        program_(graph_) {}

  // `give_away`: every input to the first output that may be written over it.
  weft::growing<weft::dense> run(weft::view<weft::dense> inputs, bool give_away = false) {
    weft::growing<weft::extents> shapes;
    for (weft::dense const& x : inputs) shapes.push(x.shape);
    weft::opencl::engine engine(device_, program_, weft::bind_to(graph_, shapes), traits_);
    std::vector<weft::opencl::memory> in, out;
    for (weft::dense const& x : inputs) in.push_back(memory_of(x));
    weft::graph_view const g = engine.bound();
    for (int id : g.outputs_of(0)) out.push_back(device_.allocate(weft::bytes_of(g, id)));
    if (give_away) put_over_inputs(engine, in, out);
    engine.run({in.data(), static_cast<int>(in.size())},
               {out.data(), static_cast<int>(out.size())});
    weft::growing<weft::dense> results;
    for (int k = 0; k < static_cast<int>(out.size()); ++k) {
      int const id = g.outputs_of(0)[k];
      packed_array x(g[id].type, g.shape(id));
      device_.read(out[static_cast<std::size_t>(k)], 0, x.data(), weft::bytes_of(g, id));
      results.push(x.unpacked());
    }
    return results;
  }

  weft::opencl::program const& program() const { return program_; }
  int given_away = 0; // inputs, so far

private:
  void put_over_inputs(weft::opencl::engine const& e, std::vector<weft::opencl::memory> const& in,
                       std::vector<weft::opencl::memory>& out) {
    weft::graph_view const g = e.bound();
    std::vector<bool> given(in.size());
    for (std::size_t k = 0; k < out.size(); ++k)
      for (std::size_t i = 0; i < in.size(); ++i) {
        int const from = g.parameters_of(0)[static_cast<int>(i)],
                  to = g.outputs_of(0)[static_cast<int>(k)];
        if (given[i] || g[from].type != g[to].type || !(g.shape(from) == g.shape(to)) ||
            !weft::may_overwrite(g, e.reads(), e.plan(), e.memory(), static_cast<int>(i),
                                 static_cast<int>(k)))
          continue;
        out[k] = in[i];
        given[i] = true;
        ++given_away;
        break;
      }
  }

  weft::opencl::memory memory_of(weft::dense const& x) {
    weft::extent const bytes = weft::count_of(x.shape) * weft::size_of(x.type);
    weft::opencl::memory m = device_.allocate(bytes);
    packed_array packed(x);
    device_.write(m, 0, packed.data(), bytes);
    return m;
  }

  weft::opencl::device device_;
  weft::opencl::device_traits traits_;
  weft::graph graph_;
  weft::opencl::program program_;
};

} // namespace test

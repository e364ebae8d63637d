// SPDX-License-Identifier: BSL-1.0
// device_model: a program out of a graph that only the run knows, on an OpenCL device, from and to
// arrays of the host.
//   device_model m(device, graph);        std::vector<host_array> ys = m.run(xs);
// Needs: a graph that verify accepts. One call at a time. Leaves: the bits of model (run/model.hpp).
// Errors: usage_error, shape_error where arguments are not what the program takes; opencl errors.
#pragma once

#include <weft/array/host_array.hpp>
#include <weft/graph/bind_inputs.hpp>
#include <weft/opencl/engine.hpp>
#include <weft/pass/pipeline.hpp>

#include <memory>
#include <vector>

namespace weft::inline v0 {

class device_model {
public:
  device_model(opencl::device const& on, graph_view g)
      : device_(on), graph_(optimise(g)), program_(graph_) {}

  std::vector<host_array> run(std::vector<host_array> const& inputs) {
    opencl::engine& e = engine_for(inputs);
    graph_view const g = e.bound();
    std::vector<opencl::memory> in, out;
    for (host_array const& x : inputs) {
      in.push_back(device_.allocate(x.byte_count()));
      device_.write(in.back(), 0, x.data(), x.byte_count());
    }
    for (int id : g.outputs_of(0)) out.push_back(device_.allocate(bytes_of(g, id)));
    e.run({in.data(), static_cast<int>(in.size())}, {out.data(), static_cast<int>(out.size())});
    std::vector<host_array> results;
    for (int k = 0; k < static_cast<int>(out.size()); ++k) {
      int const id = g.outputs_of(0)[k];
      results.emplace_back(g[id].type, g.shape(id));
      device_.read(out[static_cast<std::size_t>(k)], 0, results.back().data(), bytes_of(g, id));
    }
    return results;
  }

private:
  // Made again where shapes differ from those of the last call.
  opencl::engine& engine_for(std::vector<host_array> const& inputs) {
    growing<dtype> types;
    growing<extents> shapes;
    for (host_array const& x : inputs) types.push(x.type()), shapes.push(x.shape());
    detail::check_inputs(graph_, types, "model");
    if (engine_ == nullptr || !(view<extents>(shapes) == view<extents>(shapes_))) {
      engine_ = std::make_unique<opencl::engine>(device_, program_, bind_to(graph_, shapes),
                                                 opencl::traits_of(device_.info()));
      shapes_ = shapes;
    }
    return *engine_;
  }

  opencl::device device_;
  graph graph_;
  opencl::program program_;
  growing<extents> shapes_;
  std::unique_ptr<opencl::engine> engine_;
};

} // namespace weft::inline v0

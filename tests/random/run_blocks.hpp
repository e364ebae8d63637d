// SPDX-License-Identifier: BSL-1.0
// block_runner<Target>: a graph on the block executor, from and to the interpreter's arrays.
// Leaves: every array in memory of exactly its size, so that sanitizers see a step outside.
#pragma once

#include "support/block.hpp"
#include <weft/graph/bind_inputs.hpp>
#include <weft/graph/dense.hpp>

#include <cstring>
#include <memory>
#include <vector>

namespace test {

// An array as the engine has it: elements side by side.
class packed_array {
public:
  packed_array(weft::dtype type, weft::extents const& shape)
      : type_(type), shape_(shape), size_(static_cast<std::size_t>(weft::size_of(type))),
        bytes_(new std::byte[size_ * static_cast<std::size_t>(weft::count_of(shape))]) {}
  explicit packed_array(weft::dense const& x) : packed_array(x.type, x.shape) {
    for (int i = 0; i < x.size(); ++i) std::memcpy(at(i), &x.words[i], size_);
  }
  std::byte* data() { return bytes_.get(); }
  weft::dense unpacked() const {
    weft::dense x(type_, shape_);
    for (int i = 0; i < x.size(); ++i) std::memcpy(&x.words[i], at(i), size_);
    return x;
  }

private:
  std::byte* at(int i) const { return bytes_.get() + size_ * static_cast<std::size_t>(i); }

  weft::dtype type_;
  weft::extents shape_;
  std::size_t size_;
  std::unique_ptr<std::byte[]> bytes_;
};

// A program of any kind, given its code; as one rank among others, if there are any.
template <class Executor>
weft::growing<weft::dense> run_code(weft::cpu::program_code const& code,
                                    weft::view<weft::dense> inputs, Executor& executor,
                                    weft::cpu::rank_group* others = nullptr) {
  weft::growing<weft::extents> shapes;
  for (weft::dense const& x : inputs) shapes.push(x.shape);
  weft::cpu::engine engine(code, weft::bind_to(code.graph, shapes),
                           static_cast<int>(executor.threads()));
  engine.join(others);
  std::vector<packed_array> in, out;
  std::vector<void const*> from;
  std::vector<void*> to;
  for (weft::dense const& x : inputs) from.push_back(in.emplace_back(x).data());
  weft::graph_view const g = engine.bound();
  for (int id : g.outputs_of(0)) to.push_back(out.emplace_back(g[id].type, g.shape(id)).data());
  engine.run({from.data(), inputs.size()}, {to.data(), static_cast<int>(to.size())}, executor);
  weft::growing<weft::dense> results;
  for (packed_array const& x : out) results.push(x.unpacked());
  return results;
}

template <class Target> class block_runner {
public:
  // `ready`: run the graph as it is, without the passes.
  explicit block_runner(weft::graph_view g, bool ready = false) : program_(g, ready) {}

  weft::cpu::program_code code() const { return program_.code(); }

  template <class Executor>
  weft::growing<weft::dense> run(weft::view<weft::dense> inputs, Executor& executor) const {
    return run_code(program_.code(), inputs, executor);
  }

private:
  weft::cpu::block_program<Target> program_;
};

} // namespace test

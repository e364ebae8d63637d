// SPDX-License-Identifier: BSL-1.0
// move_runner: a graph whose steps are all moves, on a device, from and to the interpreter's arrays.
// moves_on_a_device: tests of such graphs on the first device, in each form of kernels.
// Leaves: every array in memory of exactly its size; what no kernel writes is no number by chance.
#pragma once

#include "opencl/step_runner.hpp"
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"
#include "support/opencl.hpp"

#include <weft/graph/verify.hpp>
#include <weft/opencl/move_text.hpp>
#include <weft/pass/constant_memory.hpp>
#include <weft/pass/schedule.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

using weft::dense;
using weft::extent;
using weft::op;

// The forms of kernels: of which device, and whether with 64-bit numbers throughout.
struct move_form {
  char const* name;
  weft::opencl::device_traits traits;
  bool widened = false;
};

class move_runner {
public:
  move_runner(weft::opencl::device const& d, move_form const& form) : on_(d), form_(form) {}

  weft::growing<dense> run(weft::graph_view g, weft::view<dense> inputs) {
    weft::accesses const reads = weft::accesses_of(g);
    weft::schedule const plan = weft::make_schedule(g, reads);
    step_runner run(on_);
    for (int k = 0; k < inputs.size(); ++k)
      run.memory[g.parameters_of(0)[k]] = run.filled(inputs[k]);
    for (int id = 0; id < g.size(); ++id)
      if (g[id].code == op::constant || g[id].code == op::iota) run.memory[id] = source(g, id);
    for (weft::schedule_step const& s : plan.steps) {
      if (s.kind != weft::step_kind::move) throw std::logic_error("not a move");
      run.memory[s.node] = run.filled(dense(g[s.node].type, g.shape(s.node), 0xcdcdcdcdcdcdcdcd));
      run(in_form(weft::opencl::move_text(g, reads, s.node, form_.traits)));
    }
    weft::growing<dense> outputs;
    for (int id : g.outputs_of(0)) outputs.push(read(run, g, reads.of[id], id));
    return outputs;
  }

private:
  weft::opencl::memory source(weft::graph_view g, int id) {
    extent const size = weft::constant_bytes(g, id);
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    weft::write_constant(g, id, bytes.data());
    weft::opencl::memory m = on_.allocate(size);
    on_.write(m, 0, bytes.data(), size);
    return m;
  }
  weft::opencl::step_text in_form(weft::opencl::step_text text) const {
    std::string const narrow = "typedef int index;";
    for (weft::opencl::kernel_text& k : text.kernels)
      if (form_.widened && !std::exchange(k.wide_numbers, true))
        k.source.replace(k.source.find(narrow), narrow.size(), "typedef long index;");
    return text;
  }
  static dense read(step_runner& run, weft::graph_view g, weft::access const& a, int id) {
    extent const size = run.memory.at(a.root).size() / weft::size_of(g[id].type);
    dense const all = run.array(a.root, g[id].type, {1, {size}});
    dense x(g[id].type, g.shape(id));
    for (int i = 0; i < x.size(); ++i) {
      weft::detail::position const p = weft::detail::position_of(i, x.shape);
      extent from = a.offset;
      for (int k = 0; k < p.rank; ++k) from += p[k] * a.stride[k];
      x[i] = all[static_cast<int>(from)];
    }
    return x;
  }

  weft::opencl::device on_;
  move_form form_;
};

inline move_form const move_forms[] = {{"items", {true, 32768, 256}},
                                       {"groups", {false, 2048, 256}}, // blocks of 128 or less
                                       {"wide", {false, 32768, 64}, true}};
inline std::string name_of_form(testing::TestParamInfo<move_form> const& one) {
  return one.param.name;
}

class moves_on_a_device : public testing::TestWithParam<move_form> {
protected:
  void SetUp() override {
    if (weft::opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
    runner_.emplace(weft::opencl::device(), GetParam());
  }
  testing::AssertionResult agree(weft::graph const& g, std::uint64_t seed) {
    if (weft::verify(g)) return testing::AssertionFailure() << weft::print(g);
    return agree(g, random_inputs(g, seed), seed);
  }
  testing::AssertionResult agree(weft::graph_view g, weft::view<dense> inputs, std::uint64_t seed) {
    return same_bits(seed, g, runner_->run(g, inputs), test::meaning_of(g, inputs));
  }

private:
  std::optional<move_runner> runner_;
};

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// move_runner: a graph whose steps are all moves, on a device, from and to the interpreter's arrays.
// moves_on_a_device: tests of such graphs on the first device, in each form of kernels.
// Leaves: every array in memory of exactly its size; what no kernel writes is no number by chance.
#pragma once

#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"
#include "support/opencl.hpp"

#include <weft/graph/verify.hpp>
#include <weft/opencl/device.hpp>
#include <weft/opencl/move_text.hpp>
#include <weft/pass/constant_memory.hpp>
#include <weft/pass/schedule.hpp>

#include <gtest/gtest.h>

#include <cstring>
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
  move_runner(weft::opencl::device d, move_form const& form) : device_(std::move(d)), form_(form) {}

  weft::growing<dense> run(weft::graph_view g, weft::view<dense> inputs) {
    weft::accesses const reads = weft::accesses_of(g);
    weft::schedule const plan = weft::make_schedule(g, reads);
    values_.assign(static_cast<std::size_t>(g.size()), {});
    for (int k = 0; k < inputs.size(); ++k) place(g.parameters_of(0)[k], inputs[k]);
    for (int id = 0; id < g.size(); ++id) place_source(g, id);
    for (weft::step const& s : plan.steps) run_step(g, reads, s);
    weft::growing<dense> outputs;
    for (int id : g.outputs_of(0)) outputs.push(read(g, reads, id));
    return outputs;
  }

private:
  weft::opencl::memory& at(int id) { return values_[static_cast<std::size_t>(id)]; }
  void place(int id, dense const& x) {
    int const size = weft::size_of(x.type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(x.size() * size));
    for (int i = 0; i < x.size(); ++i)
      std::memcpy(bytes.data() + i * size, &x.words[i], static_cast<std::size_t>(size));
    at(id) = device_.allocate(static_cast<extent>(bytes.size()));
    device_.write(at(id), 0, bytes.data(), static_cast<extent>(bytes.size()));
  }
  void place_source(weft::graph_view g, int id) {
    op const code = g[id].code;
    if (code != op::constant && code != op::iota) return;
    std::vector<std::byte> bytes(static_cast<std::size_t>(weft::constant_bytes(g, id)));
    weft::write_constant(g, id, bytes.data());
    at(id) = device_.allocate(weft::constant_bytes(g, id));
    device_.write(at(id), 0, bytes.data(), weft::constant_bytes(g, id));
  }
  void run_step(weft::graph_view g, weft::accesses const& reads, weft::step const& s) {
    if (s.kind != weft::step_kind::move) throw std::logic_error("not a move");
    auto const text = weft::opencl::move_text(g, reads, s.node, form_.traits);
    place(s.node, dense(g[s.node].type, g.shape(s.node), 0xcdcdcdcdcdcdcdcd));
    std::vector<std::byte> const junk(static_cast<std::size_t>(text.scratch_bytes),
                                      std::byte{0xcd});
    weft::opencl::memory const scratch = device_.allocate(text.scratch_bytes);
    device_.write(scratch, 0, junk.data(), text.scratch_bytes);
    for (weft::opencl::launch const& l : text.launches)
      launch(text.kernels[static_cast<std::size_t>(l.kernel)], l, scratch);
  }
  void launch(weft::opencl::kernel_text text, weft::opencl::launch const& l,
              weft::opencl::memory const& scratch) {
    std::string const narrow = "typedef int index;";
    if (std::size_t const found = text.source.find(narrow);
        form_.widened && found != std::string::npos) {
      text.source.replace(found, narrow.size(), "typedef long index;");
      text.wide_numbers = true;
    }
    weft::opencl::kernel k = device_.build(text.source, text.name);
    int argument = 0;
    for (weft::opencl::buffer_use const& b : l.buffers) {
      k.set(argument++, b.node == weft::opencl::buffer_use::scratch ? scratch : at(b.node));
      k.set(argument++, std::int64_t{b.offset});
    }
    for (extent n : l.numbers)
      if (text.wide_numbers) k.set(argument++, std::int64_t{n});
      else k.set(argument++, static_cast<std::int32_t>(n));
    device_.launch(k, l.dimensions, l.global, l.local);
  }
  dense read(weft::graph_view g, weft::accesses const& reads, int id) {
    weft::access const& a = reads.of[id];
    dense x(g[id].type, g.shape(id));
    int const size = weft::size_of(x.type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(at(a.root).size()));
    device_.read(at(a.root), 0, bytes.data(), at(a.root).size());
    for (int i = 0; i < x.size(); ++i) {
      weft::detail::position const p = weft::detail::position_of(i, x.shape);
      extent from = a.offset;
      for (int k = 0; k < p.rank; ++k) from += p[k] * a.stride[k];
      std::memcpy(&x.words[i], bytes.data() + from * size, static_cast<std::size_t>(size));
    }
    return x;
  }

  weft::opencl::device device_;
  move_form form_;
  std::vector<weft::opencl::memory> values_;
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

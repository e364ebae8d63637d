// SPDX-License-Identifier: BSL-1.0
// A graph in blocks in every way against the interpreter, bit for bit, for the tests of steps that run
// as one; and what the engine made of its steps.
#pragma once

#include "graph/dense_values.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"
#include "support/targets.hpp"

#include <weft/cpu/pool.hpp>

#include <gtest/gtest.h>

namespace test {

inline growing<handle> list(std::initializer_list<handle> all) {
  growing<handle> h;
  for (handle x : all) h.push(x);
  return h;
}
// What `build` makes of the inputs is what the interpreter makes of it, on one, two and three threads
// and at the narrow width. Leaves: count(engine).
template <class Build, class Count>
auto expect_meaning(growing<dense> const& inputs, Build const& build, Count const& count) {
  recorder r;
  growing<handle> const out = build(inputs_for(r, inputs));
  r.finish(out);
  growing<dense> const wanted = meaning_of(r.result, inputs);
  block_runner<cpu::native_target> const native(r.result);
  block_runner<narrow_target> const narrow(r.result);
  cpu::serial one;
  cpu::pool two(2, 0), three(3, 0);
  for (auto const& results :
       {native.run(inputs, one), native.run(inputs, two), native.run(inputs, three),
        narrow.run(inputs, one), narrow.run(inputs, two)})
    EXPECT_TRUE(same_bits(results, wanted));
  return count(cpu::engine(native.code(), {}, 1));
}

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// overlap_add, and copies of windows, on the first device, against the definition.
#include "opencl/run_moves.hpp"

#include <weft/graph/handle.hpp>

namespace {

using namespace test;
using weft::dtype, weft::extents, weft::growing, weft::handle;

class overlap_add : public moves_on_a_device {};
INSTANTIATE_TEST_SUITE_P(forms, overlap_add, testing::ValuesIn(move_forms), name_of_form);

// Windows along one or two of three axes, added up in the array they are of, and copied.
weft::graph windows_by_chance(random_source& rng, dtype d) {
  extents whole;
  for (int i = 0; i < 3; ++i) whole.push(rng.between(0, 7));
  int const count = rng.between(1, 2), first = rng.between(0, 3 - count);
  growing<extent> lists;
  for (int w = 0; w < count; ++w) lists.push(first + count - 1 - w);
  for (int i = 0; i < 3 * count; ++i) lists.push(rng.between(1, 3));
  extents const shape = weft::windowed(whole, weft::window_list(lists));
  weft::recorder r;
  handle const x = r.input(d, shape, {0, 0, false}), y = r.input(d, whole, {1, 0, false});
  handle const flat = reshape(window(y, lists), {1, {weft::count_of(shape)}});
  handle const outputs[] = {weft::overlap_add(reverse(x, rng.between(0, 7)), whole, lists), flat};
  r.finish({outputs, 2});
  return r.result;
}
TEST_P(overlap_add, is_the_definition) {
  for (std::uint64_t seed = 0; seed < 26; ++seed) {
    random_source rng(seed);
    dtype d = static_cast<dtype>(seed % weft::dtype_count);
    if (d == dtype::boolean) d = dtype::bf16;
    weft::graph const g = windows_by_chance(rng, d);
    ASSERT_FALSE(weft::verify(g));
    ASSERT_TRUE(agree(g, seed));
  }
}

} // namespace

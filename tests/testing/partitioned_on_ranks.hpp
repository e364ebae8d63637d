// SPDX-License-Identifier: BSL-1.0
// A graph of whole arrays on one machine, and partitioned on all ranks of a mesh.
#pragma once

#include "support/meaning.hpp"
#include "testing/ranks_reference.hpp"

#include <weft/partition.hpp>
#include <weft/testing/interpret_ranks.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace test {

using weft::dense, weft::dtype, weft::extents, weft::graph_view, weft::growing, weft::word;
using specs = std::initializer_list<char const*>;

// Numbers from -1 to 1, or whole ones from -2 to 2; of a type.
inline dense numbers(dtype d, extents const& s, unsigned seed, bool whole) {
  dense x(d, s);
  for (int i = 0; i < x.size(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    double const u = static_cast<double>(seed >> 8) / 16777216.0;
    double const v = whole ? std::floor(u * 5) - 2
                           : static_cast<double>(static_cast<float>(2 * u - 1));
    x[i] = static_cast<word>(weft::bits_of(v, d));
  }
  return x;
}
inline growing<dense> inputs_of(graph_view g, bool whole, unsigned seed = 7) {
  growing<dense> all;
  for (int id : g.parameters_of(0)) all.push(numbers(g[id].type, g.shape(id), seed++, whole));
  return all;
}
struct on_ranks {
  std::vector<growing<dense>> results, expected; // by rank
  growing<dense> whole;
  weft::partitioned p;

  on_ranks(graph_view g, char const* on, specs in, specs out, weft::view<dense> inputs) {
    weft::mesh_axes const mesh = weft::mesh_of(on);
    growing<weft::sharding> from, to;
    for (char const* t : in) from.push(weft::sharding_of(t, mesh));
    for (char const* t : out) to.push(weft::sharding_of(t, mesh));
    p = weft::checked_partition(g, mesh, from, to);
    whole = meaning_of(g, inputs);
    expected = parts_of_ranks(whole, to, mesh);
    results = weft::testing::interpret_ranks(p.program, parts_of_ranks(inputs, from, mesh));
  }
  // Elements whose bits differ, over all ranks.
  int differing() const {
    int n = 0;
    for (unsigned r = 0; r < results.size(); ++r)
      for (int k = 0; k < results[r].size(); ++k) {
        EXPECT_TRUE(results[r][k].shape == expected[r][k].shape);
        for (int i = 0; i < results[r][k].size(); ++i) n += results[r][k][i] != expected[r][k][i];
      }
    return n;
  }
  weft::extent bytes() const {
    weft::extent n = 0;
    for (weft::partition_move const& m : p.moves) n += m.bytes * m.times;
    return n;
  }
};
inline double number(dense const& x, int i) { return weft::detail::float_of_word(x[i], x.type); }

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// Cases by the op table, for tests that are generated from it.
//   every_case()           every elementwise op from every type to every type that it gives
//   takes(o, t)            does op o read arrays of type t?
//   inputs_for(g, n, seed) arrays by chance for a graph whose only free name is n
#pragma once

#include "random/random_source.hpp"

#include <weft/graph/bind_inputs.hpp>
#include <weft/graph/results.hpp>
#include <weft/op/table.hpp>

#include <string>
#include <vector>

namespace test {

using weft::op;

struct op_case {
  op code;
  dtype from, to;
};
inline std::vector<op_case> every_case() {
  std::vector<op_case> all;
  for (int o = 0; o < weft::op_count; ++o)
    for (int from = 0; from < weft::dtype_count; ++from)
      for (int to = 0; to < weft::dtype_count; ++to) {
        op_case const c{static_cast<op>(o), static_cast<dtype>(from), static_cast<dtype>(to)};
        if (weft::is_elementwise(c.code) && weft::is_typed(c.code, c.from, c.to)) all.push_back(c);
      }
  return all;
}

inline bool takes(op o, dtype t) {
  if (weft::info_of(o).result == weft::type_rule::words || o == op::rank) return t == dtype::u32;
  return weft::accepts(weft::info_of(o).accepts, t);
}

inline growing<dense> inputs_for(graph_view g, extent n, std::uint64_t seed) {
  growing<weft::binding> names;
  names.push({weft::pack_name("n"), n});
  weft::detail::bind_results(g, names);
  random_source rng(seed);
  growing<dense> inputs;
  for (int id : g.parameters_of(0))
    inputs.push(random_dense(rng, g[id].type, weft::detail::bound(g.shape(id), names)));
  return inputs;
}

} // namespace test

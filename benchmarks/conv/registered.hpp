// SPDX-License-Identifier: BSL-1.0
// The three directions of a layer as rows of the table. Needs: to be included where the programs
// shall be compiled.
#pragma once

#include "beside.hpp"
#include "weft_side.hpp"

namespace bench {

template <layer L, direction D> contestant weft_contestant(operands const& from, int threads) {
  auto const side = std::make_shared<weft_side<L, D>>(from, threads);
  return {
      "weft", [side] { side->run(); },
      [side] { return std::vector<float>(side->result(), side->result() + result_count(L, D)); }};
}
template <layer L, direction... D>
void add(std::vector<measured_layer>& to, std::string const& name) {
  (to.push_back({name, L, D, &weft_contestant<L, D>, &weft_side<L, D>::explain}), ...);
}
template <layer L> void add_all(std::vector<measured_layer>& to, std::string const& name) {
  add<L, direction::forward, direction::by_input, direction::by_filter>(to, name);
}

} // namespace bench

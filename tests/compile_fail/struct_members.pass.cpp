// SPDX-License-Identifier: BSL-1.0
#include <weft/array/members.hpp>

struct model {
  explicit model(int) {}
  friend std::tuple<> members(model const&) { return {}; }
};
void example(model& m) {
  weft::for_each_leaf(m, [](auto&) {});
}

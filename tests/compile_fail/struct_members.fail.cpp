// SPDX-License-Identifier: BSL-1.0
// expect: weft: not an aggregate; give the type a members(x)
#include <weft/array/members.hpp>

struct model {
  explicit model(int) {}
};
void example(model& m) {
  weft::for_each_leaf(m, [](auto&) {});
}

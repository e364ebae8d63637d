// SPDX-License-Identifier: BSL-1.0
// map: of elements, the graph that the expression by hand records; along a leading axis, a loop.
#include "recorded.hpp"

#include <weft/lang/elementary.hpp>
#include <weft/lang/map.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

namespace {

using namespace weft;
using recorded::list, recorded::numbers, recorded::values;

constexpr auto bump = [](auto x, auto y) {
  return where(x > 0.5f, exp(-x * x) + 2 * y, maximum(x, 1) / 3);
};
constexpr auto mapped = [](auto a, auto b) { return map<bump>(a, b); };
constexpr auto by_hand = [](auto a, auto b) { return bump(a, b); };

template <class... X> constexpr bool same_graph() {
  graph const a = canonical(record<X...>(mapped)), b = canonical(record<X...>(by_hand));
  bool same = a.size() == b.size();
  for (int i = 0; same && i < a.size(); ++i) {
    same = a[i].code == b[i].code && a[i].type == b[i].type && a.shape(i) == b.shape(i) &&
           graph_view(a).attributes_of(i).size() == graph_view(b).attributes_of(i).size();
    for (int k = 0; same && k < a[i].operand_count; ++k)
      same = graph_view(a).operand(i, k) == graph_view(b).operand(i, k);
    for (int k = 0; same && k < a[i].attribute_count; ++k)
      same = graph_view(a).attribute(i, k) == graph_view(b).attribute(i, k);
  }
  return same;
}
constexpr sym rows{"rows"};
static_assert(same_graph<tensor<float, 2, 3>, tensor<float, 2, 3>>());
static_assert(same_graph<tensor<float, 3>, tensor<float, 2, 1>>());
static_assert(same_graph<tensor<float, rows, 3>, float>());
static_assert(same_graph<float, float>());

TEST(map, elements_of_several_types) {
  auto const f = [](auto a, auto i) {
    return map<[](auto x, auto k) { return convert<int>(x) * k + 1; }>(a, i);
  };
  EXPECT_EQ(values<int>(f, tensor<float, 2>{2.5f, -3}, tensor<int, 2, 1>{{10}, {100}}),
            (list<int>{21, -29, 201, -299}));
  EXPECT_EQ(
      values<float>([](auto a) { return map<[](auto) { return 2.0f; }>(a); }, tensor<int, 3>{}),
      (list<float>{2, 2, 2}));
  // Of one element, so a sum is that element.
  EXPECT_EQ(values<float>([](auto a) { return map<[](auto x) { return x * 2; }>(a) + a; },
                          tensor<float, 0>{}),
            list<float>{});
}
TEST(map, has_the_derivative_of_its_function) {
  auto const f = [](auto a) {
    return value_and_grad([](auto x) { return sum(map<[](auto e) { return e * e * e; }>(x)); })(a)
        .second;
  };
  EXPECT_EQ(values<float>(f, tensor<float, 3>{1, 2, -3}), (list<float>{3, 12, 27}));
}
TEST(map, of_tensors_is_an_expression) {
  tensor<float, 2, 3> const a{{0, 1, 2}, {3, 4, 5}};
  tensor<float, 3> const b{1, 10, 100};
  tensor<float, 2, 3> const is = map<[](auto x, auto y) { return x * y + 1; }>(a + 1, b) * 2;
  EXPECT_EQ(list<float>(is.begin(), is.end()), (list<float>{4, 42, 602, 10, 102, 1202}));
}
TEST(map, of_what_is_not_elementwise_is_an_error) {
  auto const f = [](auto a) { return map<[](auto x) { return sum(broadcast_to<4>(x)); }>(a); };
  graph const g = record<tensor<float, 3>>(f);
  EXPECT_EQ(g.error, trace_error::not_elementwise);
}
TEST(map, along_the_leading_axis) {
  auto const f = [](auto x, auto w) {
    return map([w](auto row) { return std::pair(sum(row * w), row.value.shape().rank + row); }, x);
  };
  tensor<float, 2, 3> const x{{1, 2, 3}, {4, 5, 6}};
  tensor<float, 3> const w{1, 10, 100};
  auto const out = recorded::run(f, x, w);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{321, 654}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{2, 3, 4, 5, 6, 7}));
  auto const now = map([&w](auto row) { return sum(row * w); }, x);
  EXPECT_EQ(list<float>(now.begin(), now.end()), (list<float>{321, 654}));
  EXPECT_EQ(values<float>([](auto a) { return map([](auto e) { return e + 1; }, a); },
                          tensor<float, 0>{}),
            list<float>{});
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// Structs of arrays: rebinding, stacking, flattening, rebuilding. Nearly all of it is types.
#include <weft/array/members.hpp>

#include <gtest/gtest.h>

namespace {

using weft::bf16, weft::borrowed, weft::leaf_count, weft::rebind, weft::slice_of, weft::stacked;
using weft::sym, weft::tensor, weft::type_list;

// Stands for lang's traced.
template <class T, auto... E> struct traced {
  int id = -1;
};

constexpr int in = 4, hidden = 8, out = 2;
constexpr sym rows{"rows"};

template <template <class, auto...> class array> struct layer {
  array<float, in, hidden> w;
  array<float, hidden> b;
};
template <template <class, auto...> class array> struct model {
  layer<array> first;
  array<float, hidden, out> v;
  std::array<layer<array>, 3> blocks;
  std::tuple<array<float>, layer<array>> head;
  std::pair<array<int, rows>, float> rest{};
  int steps = 3;
};
template <template <class, auto...> class array, int N> struct sized {
  array<float, N> w;
};
template <template <class, auto...> class array, class T> struct typed {
  array<T, 3> w;
};
template <int N, template <class, auto...> class array> struct late {
  array<float, N> w;
};
template <int N, int M, template <class, auto...> class array> struct later {
  array<float, N, M> w;
};
template <class T, template <class, auto...> class array> struct late_typed {
  array<T, 3> w;
};
template <template <class, auto...> class array> struct nothing {};
template <template <class, auto...> class array> struct deep {
  stacked<layer, 12, array> blocks;
  array<float, 8> scale;
};
template <template <class, auto...> class array> struct deeper {
  stacked<deep, 3, array> outer;
};
template <template <class, auto...> class array> using wide = sized<array, 64>;
template <template <class, auto...> class array> using late_three = late<3, array>;

template <template <class, auto...> class array> struct between {
  int a = 1;
  layer<array> b;
  array<float> c;
  int d;
};

struct plain_struct {
  tensor<float, 2> a;
  tensor<float, 3> b;
};

// A foreign type, not an aggregate, flattened through ADL.
class foreign {
public:
  constexpr foreign() = default;
  friend constexpr auto members(foreign& x) { return std::tie(x.a_, x.b_); }
  friend constexpr auto members(foreign const& x) { return std::tie(x.a_, x.b_); }

private:
  tensor<float, 2> a_;
  layer<tensor> b_;
};

template <template <class, auto...> class array> struct many {
  array<int> a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x;
};

} // namespace

template <class T, auto... E> inline constexpr bool weft::is_leaf<traced<T, E...>> = true;

namespace {

// Rebinding, there and back.
template <class From, class To>
constexpr bool maps = std::is_same_v<rebind<From, traced>, To> &&
                      std::is_same_v<rebind<To, tensor>, From>;
static_assert(maps<tensor<float, 2, 3>, traced<float, 2, 3>>);
static_assert(maps<tensor<bf16>, traced<bf16>> && maps<tensor<int, rows>, traced<int, rows>>);
static_assert(maps<layer<tensor>, layer<traced>> && maps<model<tensor>, model<traced>>);
static_assert(maps<sized<tensor, 3>, sized<traced, 3>>);
static_assert(maps<typed<tensor, int>, typed<traced, int>>);
static_assert(maps<late<3, tensor>, late<3, traced>>);
static_assert(maps<later<3, 4, tensor>, later<3, 4, traced>>);
static_assert(maps<late_typed<int, tensor>, late_typed<int, traced>>);
static_assert(
    maps<std::tuple<tensor<float, 2>, layer<tensor>>, std::tuple<traced<float, 2>, layer<traced>>>);
static_assert(maps<std::array<layer<tensor>, 2>, std::array<layer<traced>, 2>>);
static_assert(maps<std::pair<layer<tensor>, int>, std::pair<layer<traced>, int>>);
static_assert(maps<weft::none_t, weft::none_t> && maps<float, float>);
static_assert(std::is_same_v<rebind<borrowed<float, 2>, traced>, traced<float, 2>>);
static_assert(std::is_same_v<rebind<layer<tensor> const&, traced>, layer<traced>>);
static_assert(maps<plain_struct, plain_struct>); // no array template: stays

// Stacking: a leading extent on every array, through any nesting, and back by a step of scan.
static_assert(std::is_same_v<decltype(deep<tensor>::blocks), stacked<layer, 12>>);
static_assert(std::is_same_v<decltype(stacked<layer, 12>::w), tensor<float, 12, in, hidden>>);
static_assert(std::is_same_v<decltype(deep<traced>{}.blocks.b), traced<float, 12, hidden>>);
static_assert(
    std::is_same_v<decltype(deeper<tensor>{}.outer.blocks.b), tensor<float, 3, 12, hidden>>);
static_assert(std::is_same_v<decltype(stacked<layer, rows>::b), tensor<float, rows, hidden>>);
static_assert(std::is_same_v<decltype(stacked<wide, 2>::w), tensor<float, 2, 64>>);
static_assert(maps<stacked<layer, 12>, stacked<layer, 12, traced>>);
static_assert(maps<stacked<wide, 2>, stacked<wide, 2, traced>>);
static_assert(maps<stacked<late_three, 2>, stacked<late_three, 2, traced>>);
static_assert(std::is_same_v<slice_of<stacked<wide, 2>>, sized<tensor, 64>>);
static_assert(std::is_same_v<slice_of<stacked<late_three, 2>>, late<3, tensor>>);
static_assert(maps<deep<tensor>, deep<traced>> && maps<deeper<tensor>, deeper<traced>>);
static_assert(maps<decltype(deeper<tensor>{}.outer), decltype(deeper<traced>{}.outer)>);

// Master weights: float for 16 bits, through any nesting, there and back, and under a leading
// extent.
template <template <class, auto...> class array> struct low {
  array<weft::f16, in> w;
  array<double> wide;
  array<int> count;
};
template <template <class, auto...> class array> struct low_model {
  low<array> first;
  stacked<low, 3, array> blocks;
  array<bf16, rows> b;
};
using weft::master, weft::master_of;
static_assert(
    std::is_same_v<weft::leaves_of<master<low_model>>,
                   type_list<tensor<float, in>, tensor<double>, tensor<int>, tensor<float, 3, in>,
                             tensor<double, 3>, tensor<int, 3>, tensor<float, rows>>>);
static_assert(maps<master<low_model>, master<low_model, traced>>);
static_assert(std::is_same_v<master_of<low_model<tensor>>, master<low_model>>);
static_assert(std::is_same_v<master_of<master<low_model>>, master<low_model>>);
static_assert(std::is_same_v<decltype(master<low_model>{}.first), master<low>>);
static_assert(std::is_same_v<master_of<stacked<low, 3>>, decltype(master<low_model>{}.blocks)>);
static_assert(std::is_same_v<slice_of<master_of<stacked<low, 3>>>, master<low>>);
static_assert(maps<master_of<stacked<low, 3>>, master_of<stacked<low, 3, traced>>>);
static_assert(
    std::is_same_v<decltype(master_of<typed<tensor, bf16> const&>{}.w), tensor<float, 3>>);
static_assert(std::is_same_v<
              master_of<std::pair<tensor<bf16>, std::tuple<std::array<low<tensor>, 2>, float>>>,
              std::pair<tensor<float>, std::tuple<std::array<master<low>, 2>, float>>>);
static_assert(
    maps<decltype(deeper<tensor>{}.outer.blocks), decltype(deeper<traced>{}.outer.blocks)>);
static_assert(std::is_same_v<slice_of<stacked<layer, 12>>, layer<tensor>>);
static_assert(std::is_same_v<slice_of<decltype(deep<traced>{}.blocks)>, layer<traced>>);
static_assert(std::is_same_v<slice_of<decltype(deeper<traced>{}.outer)>, deep<traced>>);
static_assert(std::is_same_v<slice_of<std::pair<tensor<float, 5, 2>, stacked<layer, 5>>>,
                             std::pair<tensor<float, 2>, layer<tensor>>>);
static_assert(std::is_same_v<slice_of<weft::none_t>, weft::none_t>);

// Counting.
static_assert(leaf_count<tensor<float, 2>> == 1 && leaf_count<float> == 1);
static_assert(leaf_count<layer<tensor>> == 2 && leaf_count<layer<traced>> == 2);
static_assert(leaf_count<model<tensor>> == 15 && leaf_count<model<traced>> == 15);
static_assert(leaf_count<many<tensor>> == 24 && leaf_count<many<traced>> == 24);
static_assert(leaf_count<nothing<tensor>> == 0 && leaf_count<weft::none_t> == 0);
static_assert(leaf_count<std::tuple<>> == 0 && leaf_count<std::pair<layer<tensor>, float>> == 3);
static_assert(leaf_count<foreign> == 3 && leaf_count<plain_struct> == 2);
static_assert(leaf_count<std::array<plain_struct, 300>> == 600);
static_assert(leaf_count<stacked<layer, 12>> == 2 && leaf_count<deeper<tensor>> == 3);
// Fields that cannot be made of nothing, between others.
static_assert(leaf_count<layer<borrowed>> == 2 && leaf_count<between<borrowed>> == 5);
static_assert(std::is_same_v<weft::leaves_of<layer<tensor>>,
                             type_list<tensor<float, in, hidden>, tensor<float, hidden>>>);
static_assert(std::is_same_v<weft::leaves_of<typed<tensor, int>&>, type_list<tensor<int, 3>>>);

// Order: numbers given by make_like come back in the order of for_each_leaf.
template <class S> consteval bool ordered() {
  int next = 0;
  S s = weft::make_like<S>([&next]<class L>(std::type_identity<L>) {
    ++next;
    if constexpr (std::is_arithmetic_v<L>) return static_cast<L>(next);
    else return L{next};
  });
  int expected = 0;
  bool good = true;
  weft::for_each_leaf(s, [&]<class L>(L& leaf) {
    ++expected;
    if constexpr (std::is_arithmetic_v<L>) good &= leaf == static_cast<L>(expected);
    else good &= leaf.id == expected;
  });
  return good && next == leaf_count<S> && expected == next;
}
static_assert(ordered<model<traced>>() && ordered<many<traced>>() && ordered<deeper<traced>>());
static_assert(ordered<std::tuple<layer<traced>, std::pair<traced<float>, int>>>());
static_assert(ordered<std::array<layer<traced>, 3>>() && ordered<traced<float>>());
static_assert(ordered<std::array<layer<traced>, 300>>() && ordered<weft::none_t>());

// Paths.
consteval bool path_is(weft::message const& path, char const* expected) {
  char const* p = path.c_str();
  while (*p != '\0' && *p == *expected) ++p, ++expected;
  return *p == *expected;
}
static_assert(path_is(weft::leaf_path<model<tensor>>(0, 0), "arg0.0.0"));
static_assert(path_is(weft::leaf_path<model<tensor>>(0, 2), "arg0.1"));
static_assert(path_is(weft::leaf_path<model<tensor>>(2, 6), "arg2.2.1.1"));
static_assert(path_is(weft::leaf_path<model<tensor>>(0, 11), "arg0.3.1.1"));
static_assert(path_is(weft::leaf_path<model<tensor>>(0, 14), "arg0.5"));
static_assert(path_is(weft::leaf_path<tensor<float>>(10, 0), "arg10"));
static_assert(path_is(weft::leaf_path<model<tensor>>(0, 8), "arg0.2.2.1"));

TEST(members, update_of_parameters_by_gradients) {
  model<tensor> p, g;
  g.blocks[1].b = {1, 2, 3, 4, 5, 6, 7, 8};
  g.rest.second = 2;
  int leaves = 0;
  weft::for_each_leaf(p, std::as_const(g), [&leaves](auto& a, auto const& b) {
    a = b;
    ++leaves;
  });
  EXPECT_EQ(leaves, 15);
  EXPECT_EQ(p.blocks[1].b(7), 8);
  EXPECT_EQ(p.rest.second, 2);
  EXPECT_EQ(p.blocks[0].b(7), 0);
}

TEST(members, foreign_types_take_part_through_adl) {
  auto f = weft::make_like<foreign>([]<class L>(std::type_identity<L>) {
    L leaf;
    auto m = leaf.mutate();
    for (auto& x : m) x = 3;
    return leaf;
  });
  float total = 0;
  weft::for_each_leaf(std::as_const(f), [&total](auto const& leaf) {
    for (float x : leaf) total += x;
  });
  EXPECT_EQ(total, 3 * (2 + in * hidden + hidden));
}

} // namespace

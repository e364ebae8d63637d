// SPDX-License-Identifier: BSL-1.0
// Names of the fields of structs of arrays.
#include <weft/array/field_names.hpp>

#include <gtest/gtest.h>

template <template <class, auto...> class array> struct named_layer {
  array<float, 4, 8> w;
  array<float, 800> bias_2; // no inline storage
  int _steps = 3;
};

namespace {

using weft::borrowed, weft::leaf_names, weft::tensor;
using names = std::vector<std::string>;

template <template <class, auto...> class array> struct model {
  named_layer<array> first;
  std::array<named_layer<array>, 2> blocks;
  std::tuple<array<float>, std::pair<array<bool, 3>, weft::none_t>> rest;
  struct {
    array<double, 2> X0;
  } unnamed;
};
struct plain {
  tensor<float, 100> a;
  tensor<bool> valuE;
};
class foreign {
  friend constexpr auto members(foreign& x) { return std::tie(x.a_, x.b_); }
  tensor<float, 2> a_;
  plain b_;
};
struct holder {
  foreign part;
};
struct abroad { // letters that are no ASCII, at either end and alone
  tensor<int> gr\u00f6\u00dfe, \u03b1, \u00e9t, caf\u00e9;
};
struct twenty_six {
  tensor<int> a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, zed;
};

TEST(field_names, of_nested_structs) {
  EXPECT_EQ(leaf_names<model<tensor>>(),
            (names{"first.w", "first.bias_2", "first._steps", "blocks.0.w", "blocks.0.bias_2",
                   "blocks.0._steps", "blocks.1.w", "blocks.1.bias_2", "blocks.1._steps", "rest.0",
                   "rest.1.0", "unnamed.X0"}));
}

TEST(field_names, of_any_kind_of_struct) {
  EXPECT_EQ(leaf_names<plain>(), (names{"a", "valuE"}));
  EXPECT_EQ(leaf_names<named_layer<borrowed> const&>(), (names{"w", "bias_2", "_steps"}));
  EXPECT_EQ(leaf_names<holder>(), (names{"part.0", "part.1.a", "part.1.valuE"}));
  EXPECT_EQ((leaf_names<weft::stacked<named_layer, 3>>("s")),
            (names{"s.w", "s.bias_2", "s._steps"}));
  EXPECT_EQ(leaf_names<abroad>(), (names{"gr\u00f6\u00dfe", "\u03b1", "\u00e9t", "caf\u00e9"}));
  EXPECT_EQ(leaf_names<twenty_six>().back(), "zed");
}

TEST(field_names, of_leaves_and_of_nothing) {
  EXPECT_EQ(leaf_names<tensor<float>>("x"), (names{"x"}));
  EXPECT_EQ(leaf_names<weft::none_t>("x"), (names{}));
}

} // namespace

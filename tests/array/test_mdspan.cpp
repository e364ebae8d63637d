// SPDX-License-Identifier: BSL-1.0
// Arrays and mdspans over the same elements: std's where there is <mdspan>, and one with the same
// members for C++20.
#include "support/text_of.hpp"

#include <weft/mdspan.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using test::text_of;
using weft::as_mdspan, weft::borrowed, weft::from_mdspan, weft::sym, weft::tensor;

constexpr sym rows{"rows"};
constexpr auto any = static_cast<std::size_t>(-1);

// What std::mdspan has, of [mdspan.extents], [mdspan.layout] and [mdspan.mdspan], as far as a
// program sees it: extents in the type or not, row-major or with strides.
namespace like_std {
template <class Index, std::size_t... E> struct extents {
  using index_type = Index;
  using rank_type = std::size_t;
  static constexpr std::size_t rank() { return sizeof...(E); }
  static constexpr std::size_t static_extent(std::size_t i) {
    std::size_t const all[] = {E..., 0};
    return all[i];
  }
  extents() = default;
  explicit extents(std::array<Index, sizeof...(E)> const& n) : numbers(n) {}
  Index extent(std::size_t i) const { return numbers[i]; }
  std::array<Index, sizeof...(E)> numbers{};
};
template <class Extents> struct right {
  using index_type = typename Extents::index_type;
  right() = default;
  explicit right(Extents const& e) : all(e) {}
  index_type stride(std::size_t axis) const
    requires(Extents::rank() > 0)
  {
    index_type r = 1;
    for (std::size_t i = axis + 1; i < Extents::rank(); ++i) r *= all.extent(i);
    return r;
  }
  bool is_strided() const { return true; }
  Extents all;
};
template <class Extents> struct left {
  using index_type = typename Extents::index_type;
  left() = default;
  explicit left(Extents const& e) : all(e) {}
  index_type stride(std::size_t axis) const {
    index_type r = 1;
    for (std::size_t i = 0; i < axis; ++i) r *= all.extent(i);
    return r;
  }
  bool is_strided() const { return true; }
  Extents all;
};
template <class Extents> struct strided {
  using index_type = typename Extents::index_type;
  strided() = default;
  strided(Extents const& e, std::array<index_type, Extents::rank()> const& s) : all(e), steps(s) {}
  index_type stride(std::size_t axis) const { return steps[axis]; }
  bool is_strided() const { return regular; }
  Extents all;
  std::array<index_type, Extents::rank()> steps{};
  bool regular = true;
};
template <class T, class Extents, template <class> class Layout> struct mdspan {
  using element_type = T;
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using rank_type = std::size_t;
  using mapping_type = Layout<Extents>;
  mdspan() = default;
  mdspan(T* p, mapping_type const& m) : data(p), map(m) {}
  static constexpr std::size_t rank() { return Extents::rank(); }
  static constexpr std::size_t static_extent(std::size_t i) { return Extents::static_extent(i); }
  index_type extent(std::size_t i) const { return map.all.extent(i); }
  index_type stride(std::size_t i) const { return map.stride(i); }
  bool is_strided() const { return map.is_strided(); }
  T* data_handle() const { return data; }
  T* data = nullptr;
  mapping_type map;
};
} // namespace like_std

template <class T, std::size_t... E>
using packed = like_std::mdspan<T, like_std::extents<int, E...>, like_std::right>;
template <class T, std::size_t... E>
using strided = like_std::mdspan<T, like_std::extents<long, E...>, like_std::strided>;

TEST(mdspan, becomes_a_borrowed_array) {
  float data[6] = {1, 2, 3, 4, 5, 6};
  packed<float, 2, any> const m(
      data, packed<float, 2, any>::mapping_type(like_std::extents<int, 2, any>({2, 3})));
  auto const x = from_mdspan<2, rows>(m);
  static_assert(std::is_same_v<decltype(x), borrowed<float, 2, rows> const>);
  EXPECT_EQ(x.data(), data);
  EXPECT_EQ(x(1, 2), 6);
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_EQ(
      text_of([&] { (void)from_mdspan<rows, rows>(m); }),
      "weft: array: shape (2, 3) does not fit (rows, rows); equal names need equal extents, at "
      "least 0");
  EXPECT_EQ(text_of([&] { (void)from_mdspan<2, 4>(m); }),
            "weft: array: shape (2, 3) does not fit (2, 4); equal names need equal extents, at "
            "least 0");

  using by_steps = strided<float const, 3, 2>;
  by_steps s(data + 5, {like_std::extents<long, 3, 2>({3, 2}), {-1, -3}});
  auto const y = from_mdspan(s);
  static_assert(std::is_same_v<decltype(y), borrowed<float, 3, 2> const>);
  EXPECT_EQ((tensor<float, 3, 2>(y)), (tensor<float, 3, 2>{{6, 3}, {5, 2}, {4, 1}}));
  s.map.regular = false;
  EXPECT_EQ(text_of([&] { (void)from_mdspan(s); }),
            "weft: from_mdspan: the layout has no strides; copy it first");
}
TEST(mdspan, is_made_of_an_array) {
  tensor<float, rows, 3> x(2);
  {
    auto m = x.mutate();
    auto const writes = as_mdspan<packed<float, any, 3>>(m);
    EXPECT_EQ(writes.data_handle(), m.data());
    writes.data_handle()[5] = 7;
  }
  auto const reads = as_mdspan<packed<float const, any, 3>>(x);
  EXPECT_EQ(reads.data_handle(), x.data());
  EXPECT_EQ(reads.extent(0), 2);
  EXPECT_EQ(reads.stride(0), 3);
  EXPECT_EQ(x(1, 2), 7);
  auto const y = weft::borrow<2, 2>(x.data(), weft::strides{3, 2});
  auto const steps = as_mdspan<strided<float const, 2, any>>(y);
  EXPECT_EQ(steps.stride(1), 2);
  EXPECT_EQ((from_mdspan<2, 2>(steps)(1, 1)), 7);
  EXPECT_EQ(text_of([&] { (void)as_mdspan<packed<float const, 2, 2>>(y); }),
            "weft: as_mdspan: the layout is not the array's; ask for an mdspan with layout_stride");
  // By columns: not a tensor's layout, but that of one column, and of what is borrowed so.
  using by_columns =
      like_std::mdspan<float const, like_std::extents<int, any, any>, like_std::left>;
  EXPECT_EQ(text_of([&] { (void)as_mdspan<by_columns>(x); }),
            "weft: as_mdspan: the layout is not the array's; ask for an mdspan with layout_stride");
  EXPECT_EQ(as_mdspan<by_columns>(weft::borrow<3, 2>(x.data(), weft::strides{1, 3})).stride(1), 3);
  tensor<float, 4, 1> const column = {{1}, {2}, {3}, {4}};
  EXPECT_EQ((as_mdspan<by_columns>(column).extent(0)), 4);
  EXPECT_EQ(text_of([&] { (void)as_mdspan<packed<float const, 5, 3>>(x); }),
            "weft: as_mdspan: the shape is (2, 3), the mdspan has 5 along axis 0");
}
TEST(mdspan, takes_what_its_numbers_hold) {
  using small =
      like_std::mdspan<float const, like_std::extents<unsigned char, any, any>, like_std::strided>;
  float const data[600] = {};
  EXPECT_EQ(text_of([&] { (void)as_mdspan<small>(weft::borrow<300, 2>(data)); }),
            "weft: as_mdspan: 300 does not fit the mdspan's index_type; ask for a wider one");
  EXPECT_EQ(text_of([&] { (void)as_mdspan<small>(weft::borrow<2, 300>(data)); }),
            "weft: as_mdspan: 300 does not fit the mdspan's index_type; ask for a wider one");
  // Strides of 0 and below are none of an mdspan's, but where none is taken.
  EXPECT_EQ(text_of([&] {
              (void)as_mdspan<small>(weft::borrow<2, 3>(data + 3, weft::strides{-3, 1}));
            }),
            "weft: as_mdspan: axis 0 has stride -3, an mdspan's are above 0; copy the array first");
  EXPECT_EQ(text_of([&] {
              (void)as_mdspan<small>(weft::borrow<2, 3>(data, weft::strides{3, 0}));
            }),
            "weft: as_mdspan: axis 1 has stride 0, an mdspan's are above 0; copy the array first");
  auto const row = weft::borrow<1, 3>(data, weft::strides{-7, 2});
  auto const one = as_mdspan<small>(row);
  EXPECT_EQ(one.stride(0), 1);
  EXPECT_EQ(one.stride(1), 2);
  auto const empty = weft::borrow<2, 0>(data);
  auto const none = as_mdspan<small>(empty);
  EXPECT_EQ(none.stride(0), 1);
  EXPECT_EQ(none.stride(1), 1);
}
TEST(mdspan, of_rank_0) {
  tensor<int> const x = 4;
  auto const m = as_mdspan<packed<int const>>(x);
  EXPECT_EQ(*m.data_handle(), 4);
  EXPECT_EQ(from_mdspan(m)(), 4);
}

#if defined(__cpp_lib_mdspan)
TEST(mdspan, of_the_standard_library) {
  tensor<float, rows, 3> x(2);
  {
    auto m = x.mutate();
    auto const writes = as_mdspan(m);
    writes[1, 2] = 7;
  }
  auto const reads = as_mdspan(x);
  static_assert(
      std::is_same_v<decltype(reads), std::mdspan<float const, std::extents<weft::extent, any, 3>,
                                                  std::layout_right> const>);
  EXPECT_EQ((reads[1, 2]), 7);
  EXPECT_EQ(reads.data_handle(), x.data());
  auto const y = as_mdspan(weft::borrow<2, 2>(x.data(), weft::strides{3, 2}));
  EXPECT_EQ((y[1, 1]), 7);
  EXPECT_EQ((from_mdspan<2, rows>(y).stride(1)), 2);
  double data[6] = {1, 2, 3, 4, 5, 6};
  std::mdspan<double, std::extents<int, 2, 3>, std::layout_left> const columns(data);
  EXPECT_EQ((tensor<double, 2, 3>(from_mdspan(columns))),
            (tensor<double, 2, 3>{{1, 3, 5}, {2, 4, 6}}));
}
#endif

} // namespace

// SPDX-License-Identifier: BSL-1.0
#include <weft/cpu/fill_around.hpp>
#include <weft/cpu/move.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {
using namespace weft;

// A shape's strides in an order of axes given by `order` (a permutation, outermost first), with
// `gap` elements between neighbours; axes in the set `reversed` run backwards.
struct place {
  extents strides;
  extent origin = 0, size = 1;
};
place lay_out(extents const& shape, int const* order, extent gap, unsigned reversed) {
  place p;
  p.strides = shape;
  p.size = gap;
  for (int i = shape.rank - 1; i >= 0; --i) {
    int const axis = order[i];
    bool const back = (reversed >> axis & 1u) != 0;
    p.strides[axis] = back ? -p.size : p.size;
    if (back && shape[axis] > 0) p.origin += p.size * (shape[axis] - 1);
    p.size *= shape[axis];
  }
  return p;
}

template <class T> void check(extents const& shape, place const& from, place const& to) {
  std::vector<T> src(static_cast<std::size_t>(from.size) + 1);
  std::vector<T> dst(static_cast<std::size_t>(to.size) + 1, T{77}), expected = dst;
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<T>(i * 7 + 1);
  for (extent i = 0; i < count_of(shape); ++i) {
    extent rest = i, source = from.origin, target = to.origin;
    for (int axis = shape.rank - 1; axis >= 0; --axis) {
      source += rest % shape[axis] * from.strides[axis];
      target += rest % shape[axis] * to.strides[axis];
      rest /= shape[axis];
    }
    expected[static_cast<std::size_t>(target)] = src[static_cast<std::size_t>(source)];
  }
  cpu::copy(sizeof(T), shape, src.data() + from.origin, from.strides, dst.data() + to.origin,
            to.strides);
  EXPECT_EQ(dst, expected);
}
void check_sizes(extents const& shape, place const& from, place const& to) {
  check<std::uint8_t>(shape, from, to);
  check<std::uint16_t>(shape, from, to);
  check<std::uint32_t>(shape, from, to);
  check<std::uint64_t>(shape, from, to);
}

constexpr int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 3, 1, 2}, {2, 0, 3, 1}};
constexpr extents shapes[] = {
    {4, {2, 3, 4, 5}}, {4, {1, 70, 1, 130}}, {4, {33, 1, 2, 17}}, {4, {3, 0, 2, 2}}};

TEST(move, copies_any_strides) {
  for (extents const& shape : shapes)
    for (auto const& source : orders)
      for (auto const& target : orders)
        for (unsigned reversed : {0u, 5u, 15u}) {
          check_sizes(shape, lay_out(shape, source, 1, reversed), lay_out(shape, target, 1, 0));
          check_sizes(shape, lay_out(shape, source, 2, 0), lay_out(shape, target, 3, reversed));
        }
}
TEST(move, broadcasts) {
  for (extents const& shape : shapes)
    for (auto const& order : orders)
      for (int axis = 0; axis < 4; ++axis) {
        place from = lay_out(shape, orders[0], 1, 0);
        from.strides[axis] = 0;
        check_sizes(shape, from, lay_out(shape, order, 1, 0));
      }
}
TEST(move, copies_one_element) {
  place const only = lay_out({}, nullptr, 1, 0);
  check_sizes({}, only, only);
}

TEST(move, fills_only_what_it_names) {
  extents const shape{2, {3, 5}}, strides{2, {8, 1}};
  std::vector<std::uint16_t> dst(24, 1);
  std::uint16_t const value = 513;
  cpu::fill(2, shape, &value, dst.data(), strides);
  for (std::size_t i = 0; i < dst.size(); ++i) EXPECT_EQ(dst[i], i % 8 < 5 ? 513 : 1) << i;
}

// Around boxes of every place and size, empty ones beyond the array too; whole, and by ranges of an
// axis before which all are one, each of which changes what is its own.
template <class T> void check_around(extents const& shape, int axis) {
  auto const count = static_cast<std::size_t>(count_of(shape));
  extents const steps = row_major_strides(shape);
  extents first = shape, size = shape;
  T const nine{9};
  for (extent n = 0;; ++n) {
    extent rest = n;
    for (int k = 0; k < shape.rank; ++k) {
      first[k] = rest % (shape[k] + 2);
      rest /= shape[k] + 2;
      size[k] = first[k] > shape[k] ? 0 : rest % (shape[k] - first[k] + 1);
      rest /= shape[k] + 1;
    }
    if (rest > 0) break;
    std::vector<T> expected(count, nine), whole(count, T{7});
    extent at = 0;
    for (int k = 0; k < shape.rank; ++k) at += first[k] * steps[k];
    if (count_of(size) > 0) cpu::fill(sizeof(T), size, whole.data(), expected.data() + at, steps);
    cpu::around_box const outside(sizeof(T), shape, first, size, &nine);
    outside.fill(whole.data());
    ASSERT_EQ(whole, expected) << n;
    for (extent i = 0; i < shape[axis]; i += 2) {
      extent const end = i + 2 < shape[axis] ? i + 2 : shape[axis];
      std::vector<T> range(count, T{7}), own = range;
      for (extent e = i * steps[axis]; e < end * steps[axis]; ++e)
        own[static_cast<std::size_t>(e)] = expected[static_cast<std::size_t>(e)];
      outside.fill(range.data(), axis, i, end);
      ASSERT_EQ(range, own) << n << ", from " << i;
    }
  }
}
TEST(move, fills_around_boxes) {
  check_around<std::uint8_t>({3, {1, 3, 20}}, 1);
  check_around<std::uint16_t>({2, {4, 11}}, 0);
  check_around<std::uint32_t>({4, {2, 2, 3, 2}}, 0);
  check_around<std::uint64_t>({1, {9}}, 0);
}
// One axis where all of it is contiguous; two, the source's first, where it is a transpose.
TEST(move, plans_merge_axes) {
  constexpr extents shape{3, {4, 5, 6}};
  constexpr extents plain{3, {30, 6, 1}}, turned{3, {1, 4, 20}};
  static_assert(detail::plan_move(shape, plain, plain).rank == 1);
  static_assert(detail::plan_move(shape, plain, turned).rank == 3);
  static_assert(detail::plan_move(shape, turned, turned).rank == 1);
  static_assert([] {
    auto p = detail::plan_move({2, {7, 9}}, {2, {1, 7}}, {2, {9, 1}});
    return detail::choose_transpose(p) && p.d[0].from == 1 && p.d[1].to == 1;
  }());
}

} // namespace

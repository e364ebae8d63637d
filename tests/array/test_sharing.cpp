// SPDX-License-Identifier: BSL-1.0
// What value semantics promise: no copy is ever seen through another, in any order of copying,
// viewing, moving and writing, from any thread; and when memory is shared or taken.
#include <weft/array/access.hpp>

#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <thread>
#include <utility>

namespace {

using weft::sym, weft::tensor;
using weft::detail::allocation_count;

constexpr sym rows{"rows"};
using large = tensor<float, 100>;

struct allocations {
  std::int64_t before = allocation_count();
  std::int64_t so_far() const { return allocation_count() - before; }
};

template <class Tensor> Tensor filled(float x) {
  Tensor t;
  auto m = t.mutate();
  for (float& e : m) e = x;
  return t;
}

TEST(sharing, a_copy_shares_until_one_of_them_is_written) {
  large a = filled<large>(1);
  allocations count;
  large b = a;
  EXPECT_EQ(a.data(), b.data());
  EXPECT_EQ(b(7), 1);
  EXPECT_EQ(count.so_far(), 0);
  { b.mutate()(7) = 2; }
  EXPECT_EQ(count.so_far(), 1);
  EXPECT_NE(a.data(), b.data());
  EXPECT_EQ(a(7), 1);
  EXPECT_EQ(b(7), 2);
  EXPECT_EQ(b(8), 1);
  { b.mutate()(8) = 3; }
  EXPECT_EQ(count.so_far(), 1) << "a unique buffer is written in place";
}

// The hole of copy-on-write: a pointer taken before a copy must not write through both.
TEST(sharing, a_copy_made_under_a_live_view_is_deep) {
  large a = filled<large>(1);
  auto m = a.mutate();
  float* p = m.data();
  large b = a;
  large c = b;
  p[0] = 5;
  EXPECT_EQ(a(0), 5);
  EXPECT_EQ(b(0), 1);
  EXPECT_EQ(b.data(), c.data()) << "the deep copy itself may be shared";
  tensor<float, 4> small;
  auto n = small.mutate();
  tensor<float, 4> small_copy = small;
  n(0) = 5;
  EXPECT_EQ(small_copy(0), 0);
}

TEST(sharing, views_end_and_sharing_returns) {
  large a = filled<large>(1);
  { auto m = a.mutate(); }
  large b = a;
  EXPECT_EQ(a.data(), b.data());
}

TEST(sharing, two_views_of_one_tensor_see_each_other) {
  large a;
  auto m = a.mutate();
  auto n = a.mutate();
  m(3) = 1;
  n(4) = 2;
  EXPECT_EQ(n(3), 1);
  EXPECT_EQ(a(4), 2);
  EXPECT_EQ(m.data(), n.data());
}

TEST(sharing, a_view_outlives_what_happens_to_its_tensor) {
  large other = filled<large>(9);
  std::optional<large> a = filled<large>(1);
  auto m = a->mutate();
  *a = other;
  m(0) = 3;
  EXPECT_EQ((*a)(0), 9);
  EXPECT_EQ(other(0), 9);
  a.reset();
  m(1) = 4;
  EXPECT_EQ(m(0) + m(1), 7);
}

TEST(sharing, assignment_through_a_view_is_in_place) {
  large a = filled<large>(1), b = filled<large>(2);
  float const* before = a.data();
  {
    auto m = a.mutate();
    m = b;
    m = a;
  }
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.data(), before);
  tensor<float, rows> x(3), y(4);
  auto m = x.mutate();
  EXPECT_THROW(m = y, weft::shape_error);
}

TEST(sharing, moves_take_the_buffer_and_leave_a_valid_tensor) {
  large a = filled<large>(1);
  float const* buffer = a.data();
  allocations count;
  large b = std::move(a);
  EXPECT_EQ(b.data(), buffer);
  EXPECT_EQ(count.so_far(), 0);
  EXPECT_EQ(a(5), 0) << "static extents: zeros";
  { a.mutate()(5) = 2; }
  EXPECT_EQ(a(5), 2);
  EXPECT_EQ(b(5), 1);
  large& same = b;
  b = std::move(same);
  EXPECT_EQ(b(5), 1);

  tensor<float, rows, 2> c(3);
  tensor<float, rows, 2> d = std::move(c);
  EXPECT_EQ(d.extent(0), 3);
  EXPECT_EQ(c.extent(0), 0);
  EXPECT_EQ(c, (tensor<float, rows, 2>{}));
  c = d;
  EXPECT_EQ(c.data(), d.data());
  tensor<float, 2> small = {1, 2};
  tensor<float, 2> taken = std::move(small);
  EXPECT_EQ(small, taken) << "a small tensor moves as an int does";
}

TEST(sharing, zeros_take_memory_only_when_read_or_written) {
  allocations count;
  tensor<float, 1001> a, b;
  tensor<float, 1001> c = a;
  EXPECT_EQ(count.so_far(), 0);
  EXPECT_EQ(a(1000) + b(0) + c(500), 0);
  EXPECT_EQ(count.so_far(), 1) << "one block of zeros for all";
  { b.mutate()(0) = 1; }
  EXPECT_EQ(a(0), 0);
  tensor<float, rows> empty;
  tensor<float, rows, 0> none(5);
  EXPECT_EQ(count.so_far(), 2);
}

TEST(sharing, small_tensors_never_allocate) {
  allocations count;
  tensor<float, 4, 4> a = filled<tensor<float, 4, 4>>(1);
  tensor<float, 4, 4> b = a;
  b.mutate()(0, 0) = 2;
  EXPECT_NE(a, b);
  EXPECT_EQ(count.so_far(), 0);
}

// The executor's interface.
// 2^62 elements of 4 bytes: the bytes are 0 modulo 2^64.
TEST(executor, bytes_that_no_number_holds_are_no_memory) {
  using numbers = tensor<float, rows>;
  for (weft::extent const more : {0, 1, 100}) {
    weft::extent const count = (weft::extent{1} << 62) + more;
    EXPECT_THROW(numbers::uninitialised({1, {count}}), std::bad_alloc);
    EXPECT_THROW((void)numbers(count), std::bad_alloc);
  }
}
TEST(executor, uninitialised_has_its_own_buffer_of_the_right_extents) {
  auto t = tensor<float, rows, 3>::uninitialised({2, {4, 3}});
  EXPECT_EQ(t.size(), 12);
  EXPECT_TRUE(weft::detail::is_unique(t));
  EXPECT_THROW((tensor<float, rows, 3>::uninitialised({2, {4, 2}})), weft::shape_error);
  EXPECT_THROW((tensor<float, rows, rows>::uninitialised({2, {4, 2}})), weft::shape_error);
  EXPECT_THROW((tensor<float, rows>::uninitialised({2, {4, 2}})), weft::shape_error);
}

TEST(executor, unique_means_no_copy_and_no_view) {
  large a = filled<large>(1);
  EXPECT_TRUE(weft::detail::is_unique(a));
  {
    large b = a;
    EXPECT_FALSE(weft::detail::is_unique(a));
  }
  {
    auto m = a.mutate();
    EXPECT_FALSE(weft::detail::is_unique(a));
  }
  EXPECT_TRUE(weft::detail::is_unique(a));
  EXPECT_FALSE(weft::detail::is_unique(large{}));
}

TEST(executor, a_pool_adopts_reuses_and_takes_buffers) {
  weft::detail::buffer<float> pooled(100);
  float* memory = pooled.data();
  for (int i = 0; i < 100; ++i) memory[i] = static_cast<float>(i);
  allocations count;
  {
    auto result = weft::detail::adopt<tensor<float, rows, 3>>(pooled, {2, {30, 3}});
    EXPECT_EQ(result.data(), memory);
    EXPECT_EQ(result(29, 2), 89);
    EXPECT_FALSE(pooled.unique());
    EXPECT_EQ(weft::detail::buffer_of(result).count(), 90);
    EXPECT_THROW((weft::detail::adopt<tensor<float, rows>>(pooled, {1, {101}})), weft::shape_error);
  }
  EXPECT_TRUE(pooled.unique());
  EXPECT_EQ(count.so_far(), 0);

  large a = filled<large>(6);
  float const* taken_from = a.data();
  auto taken = weft::detail::take_buffer(a);
  EXPECT_EQ(taken.data(), taken_from);
  EXPECT_TRUE(taken.unique());
  EXPECT_EQ(a(0), 0);
  EXPECT_EQ(weft::detail::take_buffer(a).data()[99], 0);
}

TEST(threads, tensors_that_share_a_buffer_are_independent) {
  large a = filled<large>(1);
  auto work = [](large t, float x) {
    for (int turn = 0; turn < 200; ++turn) {
      large copy = t;
      { t.mutate()(turn % 100) = x; }
      EXPECT_EQ(copy.size(), t.size());
    }
    for (float e : t) EXPECT_EQ(e, x);
  };
  std::thread first(work, a, 2.0f), second(work, a, 3.0f);
  for (int turn = 0; turn < 200; ++turn) {
    large copy = a;
    EXPECT_EQ(copy(turn % 100), 1);
  }
  first.join();
  second.join();
  EXPECT_EQ(a(0), 1);
  EXPECT_TRUE(weft::detail::is_unique(a));
}

} // namespace

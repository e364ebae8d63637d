// SPDX-License-Identifier: BSL-1.0
// DLPack, both ways: the same addresses, every deleter once, and what does not fit is an error.
// needs: dlpack/dlpack.h
#include <dlpack/dlpack.h>

// A header older than 1.0 (Debian 12 has 0.6): what 1.0 added, so that its part is tested, too.
#if !defined(DLPACK_MAJOR_VERSION)
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 0
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
struct DLPackVersion {
  uint32_t major, minor;
};
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  DLTensor dl_tensor;
};
#endif

#include "support/text_of.hpp"

#include <weft/dlpack.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using weft::from_dlpack, weft::sym, weft::tensor, weft::to_dlpack;

constexpr sym rows{"rows"};

// Somebody else's structure, which counts how often it is given back.
struct foreign {
  explicit foreign(void* data, DLDataType type, int rank = 2) {
    managed.dl_tensor = {data, {kDLCPU, 0}, rank, type, shape, nullptr, 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* m) { ++static_cast<foreign*>(m->manager_ctx)->deleted; };
  }
  DLManagedTensor managed{};
  std::int64_t shape[9] = {2, 3}, strides[9] = {};
  int deleted = 0;
};
template <class T, auto... E> std::string says_of(foreign& f) {
  try {
    (void)from_dlpack<T, E...>(&f.managed);
  } catch (weft::error const& e) {
    EXPECT_EQ(f.deleted, 0);
    return e.what();
  }
  return "";
}
constexpr DLDataType floats = {kDLFloat, 32, 1};

TEST(dlpack, tensors_are_lent_in_place) {
  tensor<float, 5, rows> x(7);
  x.mutate()(4, 6) = 3;
  DLManagedTensor* const m = to_dlpack(x);
  EXPECT_EQ(m->dl_tensor.data, x.data());
  EXPECT_EQ(m->dl_tensor.ndim, 2);
  EXPECT_EQ(m->dl_tensor.shape[1], 7);
  EXPECT_EQ(m->dl_tensor.strides[0], 7);
  EXPECT_EQ(m->dl_tensor.strides[1], 1);
  {
    auto const y = from_dlpack<float, rows, 7>(m);
    EXPECT_EQ(y.view().data(), x.data());
    EXPECT_EQ(y.view()(4, 6), 3);
    x.mutate()(4, 6) = 4; // which copies: the loan keeps what it was
    EXPECT_EQ(y.view()(4, 6), 3);
    EXPECT_NE(y.view().data(), x.data());
  }
  // The elements outlive the tensor.
  DLManagedTensor* const last = to_dlpack(tensor<double, 40>{});
  EXPECT_EQ(static_cast<double*>(last->dl_tensor.data)[39], 0);
  last->deleter(last);
}
// What was never written reads zeros that are every such array's: nobody may write there.
TEST(dlpack, tensors_without_memory_of_their_own_are_given_some) {
  DLManagedTensor* const lent = to_dlpack(tensor<double, 40>{});
  static_cast<double*>(lent->dl_tensor.data)[0] = 7;
  tensor<double, 40> const fresh;
  EXPECT_EQ(fresh(0), 0);
  lent->deleter(lent);
}
TEST(dlpack, small_and_empty_tensors) {
  DLManagedTensor* const small = to_dlpack(tensor<int, 2>{7, 9});
  EXPECT_EQ(static_cast<int*>(small->dl_tensor.data)[1], 9);
  small->deleter(small);
  DLManagedTensor* const number = to_dlpack(tensor<weft::bf16>(weft::bf16(2.0f)));
  EXPECT_EQ(number->dl_tensor.ndim, 0);
  EXPECT_EQ((from_dlpack<weft::bf16>(number).view()()), weft::bf16(2.0f));
  auto const none = from_dlpack<float, rows, 3>(to_dlpack(tensor<float, 0, 3>{}));
  EXPECT_EQ(none.view().shape(), (weft::extents{2, {0, 3}}));
}
TEST(dlpack, every_type) {
  auto const type = [](auto x) {
    auto* const m = to_dlpack(tensor<decltype(x)>(x));
    DLDataType const t = m->dl_tensor.dtype;
    m->deleter(m);
    return t.lanes == 1 ? t.code * 100 + t.bits : -1;
  };
  EXPECT_EQ(type(1.0f), kDLFloat * 100 + 32);
  EXPECT_EQ(type(1.0), kDLFloat * 100 + 64);
  EXPECT_EQ(type(weft::f16(1)), kDLFloat * 100 + 16);
  EXPECT_EQ(type(weft::bf16(1)), kDLBfloat * 100 + 16);
  EXPECT_EQ(type(true), 6 * 100 + 8);
  EXPECT_EQ(type(std::int8_t{}), kDLInt * 100 + 8);
  EXPECT_EQ(type(std::int64_t{}), kDLInt * 100 + 64);
  EXPECT_EQ(type(std::uint16_t{}), kDLUInt * 100 + 16);
}

TEST(dlpack, any_strides_and_offsets) {
  float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  foreign f(data, floats);
  {
    auto const x = from_dlpack<float, 2, rows>(&f.managed); // no strides: row-major
    EXPECT_EQ(x.view().data(), data);
    EXPECT_EQ(x.view()(1, 2), 5);
    EXPECT_TRUE(x.view().is_contiguous());
  }
  EXPECT_EQ(f.deleted, 1);
  f.managed.dl_tensor.strides = f.strides;
  f.strides[0] = -1;
  f.strides[1] = 2;
  f.managed.dl_tensor.byte_offset = 4;
  {
    auto x = from_dlpack<float, 2, 3>(&f.managed);
    EXPECT_EQ(x.view()(0, 0), 1);
    EXPECT_EQ(x.view()(1, 2), 4);
    auto const moved = std::move(x);
    EXPECT_EQ(f.deleted, 1);
    EXPECT_EQ((tensor<float, 2, 3>(moved.view())), (tensor<float, 2, 3>{{1, 3, 5}, {0, 2, 4}}));
    EXPECT_EQ(test::text_of([&] { (void)x.view(); }), // whose elements may be gone with `moved`
              "weft: dlpack_array: its elements were moved to another one; ask that");
  }
  EXPECT_EQ(f.deleted, 2);
  f.managed.deleter = nullptr; // which the format allows
  (void)from_dlpack<float, 2, 3>(&f.managed);
}
TEST(dlpack, what_does_not_fit) {
  alignas(8) char data[64] = {};
  foreign f(data, floats);
  EXPECT_EQ(
      (says_of<double, 2, 3>(f)),
      "weft: from_dlpack: elements are float32, the tensor's f64; take them as their own type");
  auto const does_not_fit = [](std::string const& shape, std::string const& pattern) {
    return "weft: array: shape " + shape + " does not fit " + pattern +
           "; equal names need equal extents, at least 0";
  };
  EXPECT_EQ((says_of<float, 2, 4>(f)), does_not_fit("(2, 3)", "(2, 4)"));
  EXPECT_EQ((says_of<float, rows, rows>(f)), does_not_fit("(2, 3)", "(rows, rows)"));
  EXPECT_EQ((says_of<float, 2>(f)), does_not_fit("(2, 3)", "(2)"));
  f.shape[0] = -2;
  EXPECT_EQ((says_of<float, rows, 3>(f)), does_not_fit("(-2, 3)", "(rows, 3)"));
  f.shape[0] = std::int64_t{1} << 62;
  EXPECT_EQ((says_of<float, rows, 3>(f)),
            "weft: array: shape (4611686018427387904, 3) has more elements than 64 bits count");
  f.shape[0] = 2;
  f.managed.dl_tensor.byte_offset = 2;
  EXPECT_EQ((says_of<float, 2, 3>(f)),
            "weft: from_dlpack: the data is not aligned to 4 bytes; copy it first");
  f.managed.dl_tensor = {nullptr, {kDLCPU, 0}, 2, floats, f.shape, nullptr, 0};
  EXPECT_EQ((says_of<float, 2, 3>(f)), "weft: from_dlpack: there is a shape and no data");
  f.managed.dl_tensor.device = {kDLCUDA, 0};
  EXPECT_EQ((says_of<float, 2, 3>(f)),
            "weft: from_dlpack: the elements are on a device of type 2, not on the CPU (1); copy "
            "them there first");
  foreign lanes(data, {kDLFloat, 32, 4});
  EXPECT_EQ(
      (says_of<float, 2, 3>(lanes)),
      "weft: from_dlpack: elements are float32 x 4, the tensor's f32; take them as their own type");
  foreign fp8(data, {10, 8, 1});
  EXPECT_EQ(
      (says_of<std::uint8_t, 2, 3>(fp8)),
      "weft: from_dlpack: elements are type 10 of 8, the tensor's ui8; take them as their own type");
  foreign deep(data, floats, 9);
  EXPECT_EQ((says_of<float, 2, 3>(deep)), "weft: from_dlpack: there are 9 axes; 8 are the most");
}

TEST(dlpack, bools_are_0_or_1) {
  unsigned char data[6] = {0, 1, 2, 1, 0, 3};
  foreign f(data, {6, 8, 1});
  EXPECT_EQ((says_of<bool, 2, 3>(f)),
            "weft: from_dlpack: there are bools that are neither 0 nor 1; take them as uint8_t, or "
            "compare them with 0 first");
  f.managed.dl_tensor.strides = f.strides; // the first two of each row, none of which is another
  f.shape[1] = 2;
  f.strides[0] = 3;
  f.strides[1] = 1;
  EXPECT_FALSE((from_dlpack<bool, 2, 2>(&f.managed).view()(1, 1)));
  f.shape[0] = std::int64_t{1} << 40;
  f.strides[0] = 0; // one row, over and over
  EXPECT_TRUE((from_dlpack<bool, rows, 2>(&f.managed).view()(1, 1)));
  f.shape[1] = 0;
  f.strides[0] = 1;
  EXPECT_EQ((from_dlpack<bool, rows, 0>(&f.managed).view().size()), 0);
}
TEST(dlpack, no_structure) {
  std::string const none =
      "weft: from_dlpack: the structure is a null pointer; whoever made it may have failed";
  EXPECT_EQ(
      test::text_of([] { (void)from_dlpack<float, 2>(static_cast<DLManagedTensor*>(nullptr)); }),
      none);
  EXPECT_EQ(test::text_of([] {
              (void)from_dlpack<float, 2>(static_cast<DLManagedTensorVersioned*>(nullptr));
            }),
            none);
}
TEST(dlpack, versioned) {
  tensor<float, 40> x;
  x.mutate()(1) = 5;
  auto* const shared = weft::to_dlpack_versioned(x);
  EXPECT_EQ(shared->version.major, static_cast<unsigned>(DLPACK_MAJOR_VERSION));
  EXPECT_EQ(shared->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_EQ((from_dlpack<float, 40>(shared).view()(1)), 5);
  auto* const own = weft::to_dlpack_versioned(std::move(x));
  EXPECT_EQ(own->flags, 0u);
  own->version.major = 99;
  EXPECT_THROW((from_dlpack<float, 40>(own)), weft::usage_error);
  own->deleter(own);
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// Arrays whose type and shape only the run knows, as tensors: which types take them.
#include <weft/array/host_array.hpp>
#include <weft/array/tensor.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using weft::host_array, weft::tensor;

constexpr weft::sym n{"n"}, m{"m"};

template <class Error, class T, auto... E> std::string refusal(host_array const& a) {
  try {
    (void)a.as<T, E...>();
  } catch (Error const& e) {
    return e.what();
  }
  return "";
}

TEST(host_array, is_a_tensor_of_its_type_and_shape) {
  tensor<float, 2, 3> const x = {{1, 2, 3}, {4, 5, 6}};
  host_array const a(x);
  EXPECT_TRUE((a.as<float, 2, 3>() == x));
  EXPECT_EQ((a.as<float, n, 3>()(1, 2)), 6.0f);
  EXPECT_EQ((a.as<float, n, m>()(1, 0)), 4.0f);
}
TEST(host_array, is_no_other) {
  using weft::shape_error;
  host_array const a(tensor<float, 2, 3>{});
  EXPECT_EQ((refusal<shape_error, float, 3, n>(a)),
            "weft: host_array: shape is (2, 3), the tensor's (3, n)");
  EXPECT_EQ((refusal<shape_error, float, n>(a)),
            "weft: host_array: shape is (2, 3), the tensor's (n)");
  EXPECT_EQ((refusal<shape_error, float, n, n>(a)), // one name, two extents
            "weft: host_array: shape is (2, 3), the tensor's (n, n)");
  EXPECT_EQ((refusal<weft::usage_error, int, n, m>(a)),
            "weft: host_array: elements are f32, the tensor's i32");
}

} // namespace

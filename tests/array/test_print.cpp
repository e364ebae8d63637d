// SPDX-License-Identifier: BSL-1.0
// build: alone
// Arrays as text: what NumPy's str() gives, character for character (numpy_texts.inc), whatever holds
// the elements.
#include <weft/print.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace {

using weft::bf16, weft::dtype, weft::extents, weft::host_array, weft::print_options, weft::sym,
    weft::tensor, weft::to_string;

constexpr sym rows{"rows"};

// `words` are the bits of the first elements, which repeat; without any, the elements are 0, 1, 2...
struct text_case {
  dtype type;
  extents shape;
  std::vector<std::uint64_t> words;
  print_options options;
  char const* text;
};
text_case const cases[] = {
#include "numpy_texts.inc"
};

host_array array_of(text_case const& c) {
  host_array x(c.type, c.shape);
  auto const size = static_cast<std::size_t>(size_of(c.type));
  for (weft::extent i = 0; i < x.size(); ++i) {
    auto const place = static_cast<std::size_t>(i);
    std::uint64_t const word = c.words.empty() ? place : c.words[place % c.words.size()];
    std::memcpy(x.data() + place * size, &word, size);
  }
  return x;
}

TEST(print, as_numpy) {
  int number = 0;
  for (text_case const& c : cases) {
    EXPECT_EQ(to_string(array_of(c), c.options), c.text) << "case " << number;
    ++number;
  }
  EXPECT_GT(number, 250);
}

// NumPy has no columns of bf16: these are the rules of the other types, with 2 decimal digits.
TEST(print, bf16_is_a_float_of_two_digits) {
  auto const of = [](auto... x) {
    return tensor<bf16, static_cast<int>(sizeof...(x))>{bf16(x)...};
  };
  EXPECT_EQ(to_string(of(0.1f, 1.5f, -3.0f)), "[ 0.1  1.5 -3. ]");
  EXPECT_EQ(to_string(of(1.0f, 99.0f)), "[ 1. 99.]");
  EXPECT_EQ(to_string(of(100.0f, 101.0f)), "[1.00e+02 1.01e+02]");
  EXPECT_EQ(to_string(of(1.0f / 3, 2.0f)), "[0.334 2.   ]");
  EXPECT_EQ(to_string(of(1e-20f, 3e38f)), "[1.e-20 3.e+38]");
  EXPECT_EQ(to_string(tensor<bf16>(bf16(99.0f))), "99.0");
  EXPECT_EQ(to_string(tensor<bf16>(bf16(3.14159f))), "3.14");
}
// The fewest digits that read back, for every value of the 16-bit types.
template <class Half> void expect_read_back() {
  for (unsigned bits = 0; bits < 0x8000; ++bits) {
    Half const x = Half::from_bits(static_cast<std::uint16_t>(bits));
    if (!weft::detail::is_finite(x)) continue;
    std::string const text = to_string(tensor<Half>(x));
    ASSERT_EQ(Half(std::stod(text)).bits, bits) << text;
    ASSERT_LE(weft::detail::shortest(x).digits.size(), 5u) << text;
  }
}
TEST(print, every_half_reads_back) {
  expect_read_back<bf16>();
  expect_read_back<weft::f16>();
}

TEST(print, whatever_holds_the_elements) {
  tensor<float, 2, rows> x(3);
  auto m = x.mutate();
  for (int i = 0; i < 6; ++i) m(i / 3, i % 3) = static_cast<float>(i);
  std::string const text = "[[0. 1. 2.]\n [3. 4. 5.]]";
  EXPECT_EQ(to_string(x), text);
  EXPECT_EQ(to_string(m), text);
  EXPECT_EQ(to_string(x + 0.0f), text);
  EXPECT_EQ(to_string(transpose(x)), "[[0. 3.]\n [1. 4.]\n [2. 5.]]");
  float const data[6] = {5, 4, 3, 2, 1, 0};
  EXPECT_EQ(to_string(weft::borrow<2, 3>(data + 5, weft::strides{-3, -1})), text);
  EXPECT_EQ(to_string(weft::borrow<2, 2>(data, weft::strides{0, 2})), "[[5. 3.]\n [5. 3.]]");
  EXPECT_EQ(to_string(tensor<bool>(true)), "True");
  EXPECT_EQ(to_string(tensor<float, 0, 3>{}), "[]");
}
TEST(print, streams) {
  std::ostringstream out;
  tensor<int, 2> const x = {1, -2};
  out << x << ' ' << x + x << ' ' << tensor<float>(2.0f) << ' ' << host_array(x);
  EXPECT_EQ(out.str(), "[ 1 -2] [ 2 -4] 2.0 [ 1 -2]");
  std::ostringstream wide;
  wide.width(9);
  wide << x;
  EXPECT_EQ(wide.str(), "  [ 1 -2]");
}
TEST(print, options) {
  tensor<double, 3> const x = {1.0 / 3, 100, 1e-6};
  EXPECT_EQ(to_string(x, {.precision = 2}), "[3.33e-01 1.00e+02 1.00e-06]");
  EXPECT_EQ(to_string(x, {.precision = 2, .suppress_small = true}), "[  0.33 100.     0.  ]");
  EXPECT_EQ(to_string(tensor<double, 1>{0.1}, {.precision = 20}), "[0.1]");
  EXPECT_EQ(to_string(weft::eval(weft::arange<int, 9>()), {.threshold = 5, .edge_items = 2}),
            "[0 1 ... 7 8]");
}
#if defined(__cpp_lib_format)
TEST(print, formats) {
  tensor<int, 2> const x = {1, -2};
  EXPECT_EQ(std::format("{} {:>9}", x, x), "[ 1 -2]   [ 1 -2]");
}
#endif

} // namespace

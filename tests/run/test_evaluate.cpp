// SPDX-License-Identifier: BSL-1.0
// build: alone
// Expressions at run time: against plain loops and against the interpreter's value of the same
// function traced; aliasing, named extents, rounding.
#include "test_evaluate.hpp"

#include <cmath>
#include <string>

namespace {

using evaluated::expect_same, evaluated::numbers;
using weft::at, weft::bf16, weft::sym, weft::tensor;

constexpr sym rows{"rows"};

TEST(evaluate, equals_a_plain_loop) {
  auto a = numbers<float, 5, 7>();
  auto b = numbers<float, 5, 1>(3);
  auto c = numbers<float, 7>(2);
  tensor<float, 5, 7> r = a * b - c / 2 + 1;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 7; ++j) {
      float const volatile product = a(i, j) * b(i, 0); // g++ would make one rounding of two
      float const half = c(j) / 2, difference = product - half;
      EXPECT_EQ(r(i, j), difference + 1) << i << ' ' << j;
    }
}

TEST(evaluate, refuses_integers_beyond_the_type) {
  tensor<std::uint8_t, 2> const x = {1, 2};
  tensor<std::int8_t, 3> const bytes = {-128, 0, 127};
  auto const throws = [](auto f) { EXPECT_THROW(f(), weft::value_error); };
  throws([&] { return tensor<std::uint8_t, 2>(x + 256); });
  throws([&] { return tensor<bool, 2>(x < -1); });
  throws([&] { return full_like(x, 256); });
  throws([&] { return tensor<std::uint8_t, 2>(x + (weft::zeros<std::uint8_t, 2>() + 256)); });
  throws([&] { return tensor<std::uint8_t, 2>(weft::full<std::uint8_t, 2>(256)); });
  throws([&] { return tensor<std::int8_t, 3>(bytes + 128); });
  throws([&] { return tensor<std::uint64_t, 1>(tensor<std::uint64_t, 1>{1} + -1); });
  throws([&] { return tensor<std::int64_t, 1>(tensor<std::int64_t, 1>{1} + ~std::uint64_t{0}); });
  throws([&] {
    tensor<std::uint8_t, 2> y = x;
    auto m = y.mutate();
    at<"0">(m) = 256;
    return y;
  });
  EXPECT_EQ((tensor<std::uint8_t, 2>(x + 255)), (tensor<std::uint8_t, 2>{0, 1}));
  EXPECT_EQ((tensor<std::int8_t, 3>(bytes - -128)), (tensor<std::int8_t, 3>{0, -128, -1}));
  EXPECT_EQ((tensor<weft::f16, 1>(tensor<weft::f16, 1>{0} + 70000)),
            (tensor<weft::f16, 1>{weft::f16(70000.0f)})); // inf
}
TEST(evaluate, equals_the_traced_function) {
  auto a = numbers<float, 3, 4>();
  auto b = numbers<float, 4>(2);
  auto i = numbers<int, 3, 4>(40);
  expect_same([](auto x, auto y) { return tanh(x) * sigmoid(y) + exp(-x) / sqrt(abs(y)); }, a, b);
  expect_same([](auto x, auto y) { return where(x < y, log(abs(x)), fma(x, y, 0.25)); }, a, b);
  expect_same([](auto x, auto y) { return max(min(x, y), 0) + relu(-x); }, a, b);
  expect_same([](auto x) { return ((x << 2) ^ ~x) >> 1; }, i);
  expect_same([](auto x) { return ((x > 3) & !(x == 5)) | (x <= -2); }, i);
  expect_same([](auto x) { return convert<float>(x) / 3; }, i);
  expect_same([](auto x) { return weft::bitcast<int>(x) & 255; }, a);
}
TEST(evaluate, views) {
  auto a = numbers<float, 3, 4>();
  expect_same([](auto x) { return at<"1:, ::-2">(x) + at<"0, 1:3">(x); }, a);
  expect_same([](auto x, auto i) { return at<"$, :">(x, i) * 2; }, a, 2);
  expect_same([](auto x, auto i) { return at<"$, :">(x, i) * 2; }, a, -7);
  expect_same([](auto x) { return weft::transpose(x) * at<"new, 0, 0:3">(x); }, a);
  expect_same([](auto x) { return weft::flip<0>(weft::reshape<2, 6>(x)); }, a);
  expect_same([](auto x) { return weft::broadcast_to<2, 3, 4>(x) - x; }, a);
}
// Every node rounds, fused or not.
TEST(evaluate, bf16_rounds_after_every_node) {
  auto a = numbers<bf16, 40>(3);
  auto b = numbers<bf16, 40>(7);
  tensor<bf16, 40> fused = a * b + a / 3 - tanh(b);
  auto product = eval(a * b), third = eval(a / 3), t = eval(tanh(b)), total = eval(product + third);
  tensor<bf16, 40> stepwise = total - t;
  int differ = 0;
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(fused(i).bits, stepwise(i).bits) << i;
    float x(a(i)), y(b(i));
    EXPECT_EQ(product(i).bits, bf16(x * y).bits);
    differ += bf16(x * y + x / 3 - std::tanh(y)).bits != fused(i).bits;
  }
  EXPECT_GT(differ, 0); // or this test compares nothing
}

TEST(evaluate, assignment_may_read_what_it_writes) {
  auto a = numbers<float, 32>();
  auto const before = a;
  a = a + at<"::-1">(a);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(a(i), before(i) + before(31 - i)) << i;
  tensor<float, 3> small = {1, 2, 3}; // inline
  small = small * at<"::-1">(small);
  EXPECT_EQ(small, (tensor<float, 3>{3, 4, 3}));
}
TEST(evaluate, assignment_writes_into_a_unique_buffer) {
  auto a = numbers<float, 32>();
  auto r = numbers<float, 32>(2);
  float const* memory = r.data();
  r = a * 2;
  EXPECT_EQ(r.data(), memory);
  EXPECT_EQ(r(31), a(31) * 2);
  auto kept = r;
  r = a * 3;
  EXPECT_NE(r.data(), memory);
  EXPECT_EQ(kept(5), a(5) * 2);
}

TEST(evaluate, compound_assignment) {
  auto x = numbers<float, 5, 7>();
  auto const a = x;
  auto const b = numbers<float, 5, 1>(3);
  x += b;
  EXPECT_EQ(x, eval(a + b));
  x -= a * 2;
  EXPECT_EQ(x, eval(a + b - a * 2));
  (x *= 0.5f) /= b; // of everything before
  EXPECT_EQ(x, eval((a + b - a * 2) * 0.5f / b));
  EXPECT_EQ(a, (numbers<float, 5, 7>())) << "a shared the buffer";
  x += x; // and reads what it writes
  EXPECT_EQ(x, eval((a + b - a * 2) * 0.5f / b * 2));
  tensor<float, 3, 3> square = numbers<float, 3, 3>();
  auto const was = square;
  square += transpose<1, 0>(square);
  EXPECT_EQ(square, eval(was + transpose<1, 0>(was)));
  tensor<float> total;
  for (int i = 0; i < 4; ++i) total += 1.5f;
  EXPECT_EQ(total(), 6);
  tensor<std::uint8_t, 2> bytes = {250, 3};
  bytes += 10;
  EXPECT_EQ(bytes, (tensor<std::uint8_t, 2>{4, 13}));
  EXPECT_THROW(bytes += 300, weft::value_error);
  EXPECT_EQ(bytes, (tensor<std::uint8_t, 2>{4, 13}));
  auto some = numbers<float, rows>({1, {4}}, 1);
  some *= 2;
  EXPECT_EQ(some, eval(numbers<float, rows>({1, {4}}, 1) * 2));
  EXPECT_THROW((some += numbers<float, rows>({1, {5}}, 1)), weft::shape_error);
  EXPECT_EQ(some.extent(0), 4);
}
constexpr float compound() {
  tensor<float, 2> x = {1, 2};
  x += 1;
  x *= x;
  return x(0) + x(1);
}
static_assert(compound() == 13);

TEST(evaluate, named_extents) {
  auto a = numbers<float, rows, 3>({2, {5, 3}}, 1);
  auto b = numbers<float, rows, 1>({2, {5, 1}}, 2);
  tensor<float, rows, 3> c = exp(b) * at<"1, :">(a) + 1;
  EXPECT_EQ(c.extent(0), 5);
  expect_same([](auto x, auto y) { return exp(y) * at<"1, :">(x) + 1; }, a, b);
  expect_same([](auto x) { return mean<0>(x); }, a);
  expect_same([](auto x) { return weft::transpose(x) * 2; }, a);
  expect_same([](auto x) { return x * 2; }, numbers<float, rows, 3>({2, {0, 3}}, 1));
}
TEST(evaluate, names_that_disagree_are_an_error) {
  auto a = numbers<float, rows, 3>({2, {5, 3}}, 1);
  auto b = numbers<float, rows, 3>({2, {4, 3}}, 1);
  auto text_of = [](auto const& f) -> std::string {
    try {
      f();
    } catch (weft::shape_error const& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(text_of([&] { (void)eval(a + b); }), "weft: argument 1 axis 0 (rows) is 4, expected 5");
  EXPECT_EQ(text_of([&] { (void)weft::sum(a * b * a); }),
            "weft: argument 1 axis 0 (rows) is 4, expected 5");
  // Nothing is written when it throws.
  auto r = numbers<float, rows, 3>({2, {5, 3}}, 3);
  auto const before = r;
  EXPECT_THROW((r = a + b), weft::shape_error);
  EXPECT_EQ(r, before);
}

TEST(evaluate, rank_0_reads_as_its_element) {
  tensor<float, 4> a = {1, 2, 3, 4};
  float total = sum(a);
  EXPECT_EQ(total, 10);
  float scaled = sum(a) * 2 + 1;
  EXPECT_EQ(scaled, 21);
  bool large = sum(a) > 9;
  EXPECT_TRUE(large);
}

TEST(evaluate, zero_extents) {
  tensor<float, 0, 3> none_at_all;
  EXPECT_EQ(eval(none_at_all * 2 + 1).size(), 0);
  EXPECT_EQ((weft::sum<0>(none_at_all + 1)), (tensor<float, 3>{0, 0, 0}));
}

} // namespace

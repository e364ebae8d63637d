// SPDX-License-Identifier: BSL-1.0
// Functions of the host's inside compiled programs and on the block executor: the interpreter's
// bits, on operands of any strides, over names and examples, in loops; a program whose function
// threw runs again.
#include "compiled.hpp"
#include "support/block.hpp"
#include "support/host_functions.hpp"
#include "support/text_of.hpp"

#include <weft/run/block.hpp>
#include <weft/run/compiled.hpp>
#include <weft/weft.hpp>

#include <utility>

namespace {

using namespace weft;
using test::filled, test::host_calls, test::same_bits, test::dense_leaves;

constexpr sym rows{"rows"};

// compiled = interpreted = block.
template <auto F, class... A> void check_all(A const&... a) {
  test::check<F>(a...);
  EXPECT_TRUE(same_bits(dense_leaves(jit<F>(cpu::block, a...)), dense_leaves(jit<F>(a...))));
}

constexpr auto norms = [](auto x) { return custom_call<test::row_norms>(x * 2) + 1; };
// Views of operands and of results; a broadcast row, a constant, an iota.
constexpr auto views = [](auto x) {
  auto turned = custom_call<test::row_norms>(transpose(x));
  auto part = custom_call<test::row_norms>(at<"::-1, ::2">(x));
  auto same = custom_call<test::row_norms>(broadcast_to<5, 4>(at<"0, :4">(x)));
  auto numbers = custom_call<test::row_norms>(zeros_like(x));
  auto counted = custom_call<test::split_sign>(arange<float, 7>(), at<"0, 0">(x));
  return std::tuple(at<"::-1">(turned), part, same, numbers, counted);
};
TEST(compiled_custom_call, has_the_interpreters_bits) {
  check_all<norms>(filled<float, 3, 5>(1));
  check_all<norms>(filled<double, 3, 5>(2));
  check_all<norms>(filled<float, rows, 3>(3, 7));
  check_all<norms>(filled<float, rows, 3>(3, 0));
  check_all<norms>(filled<float, 0, 3>(1));
  check_all<norms>(filled<float, 3, 0>(1));
  check_all<norms>(filled<float, 1, 1>(1));
  check_all<views>(filled<float, 6, 5>(5));
}
constexpr auto pairs = [](auto x, auto s) {
  auto [size, sign] = custom_call<test::split_sign>(x, s);
  return std::pair(size * 2, sign);
};
constexpr auto signs = [](auto x, auto s) { return custom_call<test::split_sign>(x, s).second; };
TEST(compiled_custom_call, of_several_results) {
  check_all<pairs>(filled<float, 9>(3), 2.f);
  check_all<pairs>(filled<double, rows>(3, 5), tensor<double>(2.));
  check_all<signs>(filled<float, 9>(3), 2.f);
  tensor<float, 3> const x = {-1, 2, -3};
  auto const [size, sign] = jit<pairs>(x, 2.f);
  EXPECT_TRUE((size == tensor<float, 3>{4, 8, 12}));
  EXPECT_TRUE((sign == tensor<std::int32_t, 3>{-1, 1, -1}));
}

constexpr auto examples = vmap(norms);
constexpr auto shared = vmap<none, 0>(pairs);
constexpr auto twice = vmap<vmap_options{.out = 1}, 1, none>(vmap<0, none>(pairs));
constexpr auto unread = vmap(vmap(signs));
TEST(compiled_custom_call, of_examples) {
  auto const x = filled<float, 4, 3, 5>(1);
  check_all<examples>(x);
  auto const all = jit<examples>(x);
  for (int e = 0; e < 4; ++e)
    EXPECT_TRUE(same_bits(dense_leaves(eval(at<"$">(all, e))),
                          dense_leaves(jit<norms>(eval(at<"$">(x, e))))));
  check_all<examples>(filled<float, rows, 3, 5>(1, 6));
  check_all<examples>(filled<float, rows, 3, 5>(1, 0));
  check_all<shared>(filled<float, 6>(1), filled<float, 3>(3));
  check_all<twice>(filled<float, 4, 3, 5>(1), 3.f);
  check_all<unread>(filled<float, 4, 3, 5>(1), filled<float, 4, 3>(1));
}
constexpr auto mapped_norms = [](auto x) {
  return vmap([](auto v) { return custom_call<test::row_norms>(v); })(transpose<2, 0, 1>(x));
};
TEST(compiled_custom_call, examples_along_a_strided_axis) {
  check_all<mapped_norms>(filled<float, 3, 5, 4>(1));
}

constexpr auto steps = [](auto x) {
  auto body = [](auto c, auto v) {
    auto n = custom_call<test::row_norms>(c + v);
    return std::pair(c + at<":, new">(n) / 8, n);
  };
  return scan(body, zeros_like(at<"0">(x)), x);
};
constexpr auto chosen = [](auto p, auto x) {
  return cond(
      p, [](auto v) { return custom_call<test::row_norms>(v); }, [](auto v) { return sum<1>(v); },
      x);
};
TEST(compiled_custom_call, in_loops_and_branches) {
  check_all<steps>(filled<float, 6, 2, 3>(1));
  check_all<steps>(filled<float, rows, 2, 3>(1, 5));
  check_all<chosen>(true, filled<float, 2, 3>(1));
  check_all<chosen>(false, filled<float, 2, 3>(1));
}

// Pure: equal calls are one, what nothing reads is not called, what no step changes is called once.
template <auto F, class... A> int calls_of(A const&... a) {
  host_calls = 0;
  static_cast<void>(jit<F>(a...));
  return host_calls;
}
constexpr auto equal_calls = [](auto x) {
  return custom_call<test::row_norms>(x) * custom_call<test::row_norms>(x);
};
constexpr auto constant_in_loop = [](auto x) {
  auto body = [&](auto c, none_t) { return std::pair(c + custom_call<test::row_norms>(x), none); };
  return scan<scan_options{.length = 5}>(body, zeros_like(at<":, 0">(x)), none).first;
};
TEST(compiled_custom_call, is_pure) {
  tensor<float, 2, 3> const x = {{1, 2, 2}, {3, 4, 0}};
  EXPECT_EQ(calls_of<equal_calls>(x), 1);
  EXPECT_EQ(calls_of<constant_in_loop>(x), 1);
  EXPECT_TRUE((jit<constant_in_loop>(x) == tensor<float, 2>{15, 25}));
  EXPECT_EQ(calls_of<examples>(tensor<float, 4, 2, 3>{}), 4);
}

constexpr auto refused = vmap([](auto v) { return custom_call<test::refusing>(v) + 1; });
TEST(compiled_custom_call, throws_and_runs_again) {
  tensor<float, 3, 2> const bad = {{1, 2}, {3, 4}, {-1, 0}}, good = {{1, 2}, {3, 4}, {1, 0}};
  compiled<refused, tensor<float, 3, 2>> f;
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(test::text_of<value_error>([&] { jit<refused>(bad); }), "refusing: item 2");
    EXPECT_EQ(test::text_of<value_error>([&] { jit<refused>(test::two_threads(), bad); }),
              "refusing: item 2");
    EXPECT_EQ(test::text_of<value_error>([&] { jit<refused>(cpu::block, bad); }),
              "refusing: item 2");
    EXPECT_EQ(test::text_of<value_error>([&] { f(bad); }), "refusing: item 2");
    EXPECT_EQ(jit<refused>(good)(2, 0), 2);
    EXPECT_EQ(f(good)(2, 0), 2);
  }
}
// What may throw keeps the last result: of few elements and of many.
template <int N> void keeps_its_last_result() {
  compiled<refused, tensor<float, 3, N>> f;
  tensor<float, 3, N> x = ones<float, 3, N>();
  auto const& last = f(x);
  at<"2, -1">(x.mutate()) = -1;
  EXPECT_THROW(f(x), value_error);
  EXPECT_EQ(last, eval(full<float, 3, N>(2)));
}
TEST(compiled_custom_call, keeps_the_last_result_of_a_call_that_throws) {
  keeps_its_last_result<2>();
  keeps_its_last_result<1000>();
  keeps_its_last_result<30000>();
}
TEST(compiled_custom_call, with_tensors_runs_at_once) {
  tensor<float, 2, 3> const x = {{1, 2, 2}, {3, 4, 0}};
  tensor<float, 2> const y = custom_call<test::row_norms>(x);
  EXPECT_TRUE((y == tensor<float, 2>{3, 5}));
  auto const [size, sign] = custom_call<test::split_sign>(y - 4, 2.f);
  EXPECT_TRUE((size == tensor<float, 2>{2, 2}));
  EXPECT_EQ(sign(0), -1);
}

// Calls the program that calls it, with less, down to 0.
struct below {
  static constexpr auto name = "below";
  template <class T, auto N> static tensor<T, N> result(tensor<T, N>);
  template <auto N> static void run(borrowed<float, N> x, result_view<float, N> y);
};
constexpr auto total = [](auto x) { return custom_call<below>(x) + x; };
template <auto N> void below::run(borrowed<float, N> x, result_view<float, N> y) {
  tensor<float, N> less = tensor<float, N>::uninitialised(x.shape());
  for (extent i = 0; i < x.size(); ++i) less.mutate()(i) = x(i) > 1 ? x(i) - 1 : 0;
  if (x(0) > 0) {
    tensor<float, N> const r = jit<total>(less);
    for (extent i = 0; i < x.size(); ++i) y(i) = r(i);
  } else
    for (extent i = 0; i < x.size(); ++i) y(i) = 0;
}
// Calls the object that runs it, whose last result is its argument, with other numbers.
constexpr int wide = 30000;
struct nested {
  static constexpr auto name = "nested";
  static inline void (*call)() = nullptr;
  static tensor<float, wide> result(tensor<float, wide>);
  static void run(borrowed<float, wide> x, result_view<float, wide> y) {
    if (auto const now = std::exchange(call, nullptr)) now();
    for (extent i = 0; i < x.size(); ++i) y(i) = x(i);
  }
};
constexpr auto nesting = [](auto x) { return custom_call<nested>(x) + x; };
compiled<nesting, tensor<float, wide>>& nesting_object() {
  static compiled<nesting, tensor<float, wide>> f;
  return f;
}
TEST(compiled_custom_call, may_call_the_object_that_runs) {
  auto const& last = nesting_object()(tensor<float, wide>(ones<float, wide>()));
  nested::call = [] { nesting_object()(tensor<float, wide>(full<float, wide>(100.0f))); };
  EXPECT_EQ(nesting_object()(last), eval(full<float, wide>(4.0f)));
}
TEST(compiled_custom_call, may_run_its_own_program) {
  EXPECT_EQ(jit<total>(filled<float, 64>(0) * 0 + 3.0f)(63), 6.0f);
  tensor<float, rows> x(100);
  for (float& e : x.mutate()) e = 20; // more engines at once than are kept
  EXPECT_EQ(jit<total>(x)(99), 210.0f);
  EXPECT_EQ(jit<total>(x)(0), 210.0f);
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// build: alone
// Small programs, which run without an engine (run/small_program.hpp): which ones are small, the
// interpreter's bits from expressions, jit and compiled, for this target and the generic one, results
// that lie over what they read, and no memory from the heap.
#include "run/compiled.hpp"
#include "run/counted_memory.hpp"
#include "support/text_of.hpp"

#include <weft/run/compiled.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::dense_leaves, test::filled, test::memory_calls_of, test::same_bits;

constexpr sym n{"n"};
using matrix = tensor<float, 4, 4>;
using square = tensor<float, 9, 9>;

template <auto F, class... Args>
inline constexpr bool is_small_of = detail::is_small<program<F, Args...>>;

// As jit runs it, for both targets, beside an engine's and the interpreter's.
template <auto F, class... Args> void check_small(Args const&... args) {
  using P = program<F, argument_t<Args>...>;
  static_assert(detail::is_small<P>);
  test::check_program<P>(args...);
  EXPECT_TRUE(same_bits(dense_leaves(jit<P, cpu::generic>(args...)), dense_leaves(jit<P>(args...))))
      << "generic";
}

constexpr auto layer = [](auto x, auto w, auto b) { return relu(einsum<"bi,ij->bj">(x, w) + b); };
constexpr auto product = [](auto a, auto b) { return einsum<"ij,jk->ik">(a, b); };
constexpr auto three = [](auto a, auto b, auto c) {
  return einsum<"ij,jk->ik">(tanh(einsum<"ij,jk->ik">(a, b)) * 2, c) - transpose(a);
};
constexpr auto by_vector = [](auto a, auto x) {
  auto y = einsum<"ij,j->i">(a, x);
  return std::pair(y, einsum<"i,i->">(y, y));
};
constexpr auto in_batches = [](auto a, auto b) { return einsum<"bij,bkj->bik">(a, b); };
constexpr auto soft = [](auto x) { return softmax<1>(x); };
constexpr auto normal = [](auto x) {
  auto c = x - mean<0, keep>(x);
  return c / sqrt(mean<0, keep>(c * c) + 1e-5f);
};
constexpr auto sums = [](auto x) { return std::tuple(sum<0>(x), max<1>(x), sum(x), prod<0>(x)); };
constexpr auto views = [](auto x) {
  return std::tuple(x + transpose(x), flip<0>(x) * x, at<"1:, ::2">(x), transpose(x));
};
constexpr auto the_same = [](auto x) {
  auto y = x + 1;
  return std::tuple(y, x, y, transpose(y));
};
constexpr auto drawn = [](auto x, auto k) { return x + uniform<float, 5, 7>(k); };
constexpr auto counted = [](auto x) { return x * arange<float, 5>() + 3; };
constexpr auto compared = [](auto a, auto b) { return std::pair(a < b, where(a < b, a, b)); };
constexpr auto deep = [](auto x) { return sum<2>(x * 2) + sum<0>(x); };
constexpr auto number = [](auto x, auto y) { return x * y + 1; };
constexpr auto row_dots = [](auto x, auto y) { return einsum<"bi,bi->b">(x, y); };
constexpr auto row_dots_twice = [](auto x, auto y) {
  auto a = einsum<"bi,bi->b">(x, y), b = einsum<"bi,bi->b">(y, y);
  return einsum<"b,b->">(a, b);
};

TEST(small_program, products) {
  check_small<layer>(filled<float, 3, 7>(2), filled<float, 7, 18>(4), filled<float, 18>(6));
  check_small<layer>(filled<double, 5, 2>(2), filled<double, 2, 3>(4), filled<double, 3>(6));
  check_small<product>(filled<float, 16, 16>(1), filled<float, 16, 16>(3));
  check_small<product>(filled<float, 1, 1>(2), filled<float, 1, 1>(4));
  check_small<product>(filled<bf16, 3, 5>(2), filled<bf16, 5, 4>(4));
  check_small<product>(filled<std::int32_t, 6, 2>(2), filled<std::int32_t, 2, 19>(4));
  check_small<three>(filled<float, 4, 4>(2), filled<float, 4, 4>(4), filled<float, 4, 4>(6));
  check_small<three>(filled<float, 11, 11>(2), filled<float, 11, 11>(4), filled<float, 11, 11>(6));
  check_small<by_vector>(filled<float, 5, 9>(2), filled<float, 9>(4));
  check_small<by_vector>(filled<float, 20, 70>(2), filled<float, 70>(4));
  check_small<in_batches>(filled<float, 6, 4, 3>(2), filled<float, 6, 5, 3>(4));
  check_small<row_dots>(filled<float, 4, 5>(2), filled<float, 4, 5>(4));
  check_small<row_dots>(filled<float, 40, 5>(2), filled<float, 40, 5>(4));
  check_small<row_dots_twice>(filled<float, 16, 5>(2), filled<float, 16, 5>(4));
}
TEST(small_program, groups) {
  check_small<soft>(filled<float, 4, 10>(2));
  check_small<soft>(filled<float, 3, 65>(2));
  check_small<normal>(filled<float, 6, 3>(2));
  check_small<sums>(filled<float, 2, 3>(2));
  check_small<sums>(filled<float, 17, 33>(3));
  check_small<sums>(filled<std::int16_t, 5, 4>(2));
  check_small<deep>(filled<float, 4, 4, 4>(2));
  check_small<deep>(filled<double, 3, 3, 3>(2));
  check_small<number>(2.5f, 3.0f);
  check_small<number>(filled<f16, 21>(2), filled<f16, 21>(4));
  check_small<compared>(filled<float, 3, 3>(3), filled<float, 3, 3>(5));
  check_small<counted>(filled<float, 5>(2));
  check_small<drawn>(filled<float, 5, 7>(2), key(3));
}
TEST(small_program, views_and_results_that_are_arguments) {
  check_small<views>(filled<float, 5, 5>(2));
  check_small<views>(filled<std::uint8_t, 3, 3>(2));
  check_small<the_same>(filled<float, 2, 2>(2));
  check_small<the_same>(filled<float, 9, 9>(2));
}

// What is not small runs as before.
constexpr auto doubled = [](auto x) { return x * 2; };
constexpr auto loop = [](auto x) {
  return scan([](auto c, auto v) { return std::pair(c + v, c); }, x * 0, stack<0>(x, x)).first;
};
constexpr auto printed = [](auto x) { return debug_print<"x">(x * 2) + 1; };
constexpr auto checked_sum = [](auto x) { return check_finite<"x">(x * 2) + 1; };
constexpr auto sorted = [](auto x) { return sort<0>(x); };
static_assert(is_small_of<doubled, tensor<float, 30>>);
static_assert(!is_small_of<doubled, tensor<float, n>>);
static_assert(!is_small_of<doubled, tensor<float, 0>>);
static_assert(!is_small_of<doubled, tensor<float, 100, 1000>>);
static_assert(!is_small_of<product, tensor<float, 64, 64>, tensor<float, 64, 64>>);
static_assert(!is_small_of<loop, tensor<float, 3>>);
static_assert(!is_small_of<printed, tensor<float, 3>>);
static_assert(!is_small_of<checked_sum, tensor<float, 3>>);
static_assert(!is_small_of<sorted, tensor<float, 3>>);
constexpr auto turned = [](auto x) { return transpose(x); };
static_assert(is_small_of<turned, tensor<float, 32, 32>>);
static_assert(!is_small_of<turned, tensor<float, 64, 64>>);
// Intermediates of 14 KiB.
constexpr auto wide = [](auto x) { return sum<1>(einsum<"ik,jk->ij">(x, x)); };
static_assert(!is_small_of<wide, tensor<float, 60, 2>>);

TEST(small_program, others_run_as_before) {
  EXPECT_EQ(jit<doubled>(tensor<float, 0>()).size(), 0);
  tensor<float, 0, 3> const none;
  tensor<float, 3> total = sum<0>(none);
  EXPECT_EQ(total(1), 0.0f);
  test::check<loop>(filled<float, 3>(2));
  tensor<float, 3> x = {1, 2, 3};
  EXPECT_EQ(test::lines_of([&] { jit<printed>(x); }), "x: f32(3) = 2 4 6\n");
  x.mutate()(1) = 3e38f;
  EXPECT_EQ(
      test::text_of<value_error>([&] { jit<checked_sum>(x); }),
      "weft: check_finite: x: element (1) of f32(3) is inf; look at what it is computed from");
}

// An expression holds what it reads: assigned to what it reads, too.
template <class Tensor> Tensor numbered() {
  Tensor t;
  auto m = t.mutate();
  for (int i = 0; i < t.size(); ++i) m.data()[i] = static_cast<float>(i % 13 - 5);
  return t;
}
template <class Tensor> void check_assignments() {
  Tensor const start = numbered<Tensor>();
  int const size = static_cast<int>(start.extent(0));
  Tensor a = start;
  a = a + transpose(a);
  Tensor b = start, twin = b;
  b = einsum<"ij,kj->ik">(b, b);
  Tensor c = start;
  c = transpose(c);
  c = flip<0>(c) - c;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      float dot = 0;
      for (int k = 0; k < size; ++k) dot += start(i, k) * start(j, k);
      EXPECT_EQ(a(i, j), start(i, j) + start(j, i));
      EXPECT_EQ(b(i, j), dot);
      EXPECT_EQ(c(i, j), start(j, size - 1 - i) - start(j, i));
    }
  EXPECT_EQ(twin, start);
}
TEST(small_program, assigns_to_what_it_reads) {
  check_assignments<matrix>();
  check_assignments<square>();
}
TEST(small_program, assigns_to_views) {
  square x = numbered<square>();
  square const before = x;
  auto m = x.mutate();
  at<"1:, :">(m) = at<":-1, :">(before) + at<"1:, :">(before);
  for (int j = 0; j < 9; ++j) {
    EXPECT_EQ(x(0, j), before(0, j));
    EXPECT_EQ(x(8, j), before(7, j) + before(8, j));
  }
}

constexpr auto plus_flipped = [](auto x) { return x + flip<0>(x); };
constexpr auto over_sums = [](auto x) { return x / sum<1, keep>(x); };
constexpr auto two = [](auto x) { return std::pair(x + 1, x * 2); };
constexpr auto squared = [](auto x) { return einsum<"ij,jk->ik">(x, x); };
template <auto F> void expect_moved(bool over) {
  static_assert(is_small_of<F, square>);
  square x = filled<float, 9, 9>(2);
  float const* const memory = x.data();
  auto const r = jit<F>(std::move(x));
  growing<dense> const meant = test::meaning_of(stages<program<F, square>>::recorded,
                                                dense_leaves(filled<float, 9, 9>(2)));
  EXPECT_TRUE(same_bits(dense_leaves(r), meant));
  bool lies_there = false;
  for_each_leaf(r, [&](auto const& leaf) { lies_there |= leaf.data() == memory; });
  EXPECT_EQ(lies_there, over);
}
TEST(small_program, writes_over_moved_arguments_where_nothing_is_lost) {
  expect_moved<doubled>(true);
  expect_moved<over_sums>(true);
  expect_moved<two>(true);
  expect_moved<plus_flipped>(false);
  expect_moved<squared>(false);
  expect_moved<the_same>(false);
}
TEST(small_program, leaves_arguments_alone_that_are_shared_or_given_twice) {
  constexpr auto with_flipped = [](auto x, auto y) { return x + flip<0>(y); };
  square x = filled<float, 9, 9>(2);
  square const twin = x;
  square const r = jit<doubled>(std::move(x));
  EXPECT_NE(r.data(), twin.data());
  EXPECT_EQ(twin, (filled<float, 9, 9>(2)));
  square y = filled<float, 9, 9>(4);
  EXPECT_EQ(jit<with_flipped>(std::move(y), y), jit<plus_flipped>(filled<float, 9, 9>(4)));
}
TEST(small_program, results_that_are_kept_stay) {
  std::vector<square> kept, meant;
  for (unsigned i = 0; i < 8; ++i) {
    kept.push_back(jit<doubled>(filled<float, 9, 9>(2 * i)));
    meant.push_back(kept.back());
    auto copy = meant.back().mutate(); // of its own from here on
    copy(0, 0) = copy(0, 0);
  }
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(kept[i], meant[i]);
}

template <class Step> void expect_no_memory(Step const& step) {
  for (int i = 0; i < 3; ++i) step();
  EXPECT_EQ(memory_calls_of([&] {
              for (int i = 0; i < 10; ++i) step();
            }),
            0);
}
TEST(small_program, takes_no_memory) {
  matrix a = numbered<matrix>(), b = a, c;
  EXPECT_EQ(memory_calls_of([&] { c = einsum<"ij,jk->ik">(a, b) + a; }), 0) << "the first call";
  square p = numbered<square>(), q = p, r = p;
  expect_no_memory([&] { r = einsum<"ij,jk->ik">(p, q) * 0.01f; });
  expect_no_memory([&] { r = jit<product>(p, q); });
  expect_no_memory([&] { p = jit<doubled>(std::move(p)); });
  compiled<product, square, square> f;
  EXPECT_EQ(memory_calls_of([&] { f(p, q); }), 0) << "the first call";
  expect_no_memory([&] { r = f(f(p, q), q); });
}
TEST(small_program, lies_in_given_memory) {
  using object = compiled<layer, tensor<float, 3, 7>, tensor<float, 7, 18>, tensor<float, 18>>;
  auto const x = filled<float, 3, 7>(2);
  auto const w = filled<float, 7, 18>(4);
  auto const b = filled<float, 18>(6);
  alignas(64) std::byte bytes[4096];
  ASSERT_LE(object::memory_bytes(), sizeof bytes);
  fixed_memory own(bytes, object::memory_bytes());
  object f(1, own);
  EXPECT_EQ(f.arena_bytes(), 0);
  auto const& y = f(x, w, b);
  EXPECT_TRUE(reinterpret_cast<std::byte const*>(y.data()) >= bytes &&
              reinterpret_cast<std::byte const*>(y.data()) < bytes + sizeof bytes);
  EXPECT_EQ(y, jit<layer>(x, w, b));
}

} // namespace

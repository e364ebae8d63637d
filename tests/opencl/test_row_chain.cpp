// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Groups over the same rows are one launch, in the form of CPUs and in that of GPUs, with the
// interpreter's bits: what the public functions become, and random programs over rows of all lengths.
#include "opencl/launches.hpp"
#include "opencl/row_programs.hpp"

#include <weft/lang/attention.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/makers.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/lang/transforms.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace weft;
using test::device_runner, test::launches, test::row_layout_of, test::same_bits;

constexpr opencl::device_traits cpu{true, 32 * 1024, 4096};
constexpr opencl::device_traits gpu{false, 32 * 1024, 1024};

class row_chain : public testing::TestWithParam<opencl::device_traits> {
protected:
  void SetUp() override {
    if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  }
};
using matrix = tensor<float, 32, 100>;
constexpr auto mean_loss = [](auto x, auto l) { return mean(softmax_cross_entropy(x, l)); };
template <class... X, class F> graph recorded(F const& f) { return record<X...>(f); }

TEST_P(row_chain, is_all_of_a_softmax) {
  EXPECT_EQ(1, launches(recorded<matrix>([](auto x) { return softmax(x); }), GetParam()));
  EXPECT_EQ(1, launches(recorded<matrix>([](auto x) { return log_softmax(x); }), GetParam()));
  EXPECT_EQ(1,
            launches(recorded<tensor<float, 1000>>([](auto x) { return softmax(x); }), GetParam()));
  EXPECT_EQ(
      1, launches(recorded<tensor<bf16, 8, 300>>([](auto x) { return softmax(x); }), GetParam()));
}
TEST_P(row_chain, is_all_of_a_layer_norm) {
  using vector = tensor<float, 100>;
  EXPECT_EQ(1, launches(recorded<matrix, vector, vector>(
                            [](auto x, auto a, auto b) { return layer_norm(x, a, b); }),
                        GetParam()));
  EXPECT_EQ(1, launches(recorded<matrix, vector>([](auto x, auto a) { return rms_norm(x, a); }),
                        GetParam()));
}
// A mean that runs on from row to row's new one, over what was given away: all items of a row's
// group read it, one of them writes.
TEST_P(row_chain, writes_a_row_s_number_over_an_input) {
  graph const g = recorded<matrix, tensor<float, 32>>([](auto x, auto running) {
    auto next = 0.9f * running + 0.1f * mean<1>(x);
    return std::pair(next, x - at<":, new">(next));
  });
  EXPECT_EQ(1, launches(g, GetParam()));
  opencl::device const on;
  growing<dense> const inputs = test::random_inputs(g, 3);
  device_runner runner(on, g, false, GetParam());
  EXPECT_TRUE(same_bits(3, g, runner.run(inputs, true), test::meaning_of(g, inputs)));
  EXPECT_EQ(runner.given_away, 1); // x is read by the row's mean, too
}
// More lanes than local memory holds: an item per column, or per row.
TEST_P(row_chain, keeps_within_local_memory) {
  // An item's lanes of 40 columns by 20 arrays of doubles are more than a GPU has room for.
  if (GetParam().is_cpu && !opencl::devices().empty() && opencl::devices()[0].is_gpu)
    GTEST_SKIP() << "a form for CPUs, on a GPU";
  recorder r;
  growing<handle> sums;
  for (int k = 0; k < 20; ++k) {
    handle const x = r.input(dtype::f64, {2, {70, 40}}, {k, 0, false});
    sums.push(reduce(op::reduce_sum, x, 1)), sums.push(reduce(op::reduce_max, x, 2));
  }
  r.finish(sums);
  graph const g = std::move(r.result);
  opencl::device_traits small = GetParam();
  small.local_bytes = 8 * 1024;
  EXPECT_GE(launches(g, small), 2);
}
TEST_P(row_chain, is_all_of_a_cross_entropy) {
  using labels = tensor<int, 32>;
  EXPECT_EQ(1, launches(recorded<matrix, labels>(
                            [](auto x, auto l) { return softmax_cross_entropy(x, l); }),
                        GetParam()));
  EXPECT_EQ(2, launches(recorded<matrix, labels>(mean_loss), GetParam()));
}
// Two products and what is between them; the mask of causal attention is a step of its own.
TEST_P(row_chain, is_the_softmax_between_the_products_of_attention) {
  using heads = tensor<float, 2, 3, 20, 8>;
  EXPECT_EQ(3, launches(recorded<heads, heads, heads>(
                            [](auto q, auto k, auto v) { return attention(q, k, v); }),
                        GetParam()));
  EXPECT_EQ(4, launches(recorded<heads, heads, heads>(
                            [](auto q, auto k, auto v) { return causal_attention(q, k, v); }),
                        GetParam()));
}
// Where the loss itself is asked for, its sum over all rows is between the groups of a row.
TEST_P(row_chain, goes_on_into_gradients) {
  constexpr auto weighted = [](auto x, auto y) { return sum(softmax(x) * y); };
  constexpr auto normalised = [](auto x, auto a, auto y) { return sum(layer_norm(x, a, a) * y); };
  EXPECT_EQ(1, launches(recorded<matrix, matrix>(grad(weighted)), GetParam()));
  EXPECT_EQ(1,
            launches(recorded<matrix, tensor<float, 100>, matrix>(grad(normalised)), GetParam()));
  EXPECT_EQ(3, launches(recorded<matrix, tensor<int, 32>>(value_and_grad(mean_loss)), GetParam()));
}
// Rows of up to 16384 elements are chained; few long ones leave elementwise work to all items.
TEST_P(row_chain, ends_where_rows_are_long) {
  constexpr auto one = [](auto x) { return softmax(x); };
  EXPECT_EQ(1, launches(recorded<tensor<float, 16, 5000>>(one), GetParam()));
  EXPECT_EQ(2, launches(recorded<tensor<float, 2, 5000>>(one), GetParam()));
  EXPECT_EQ(5, launches(recorded<tensor<float, 20000>>(one), GetParam()));
}

// ---- what must stay apart, or together: graphs by hand
constexpr extents square{2, {20, 20}};
constexpr handle exp_of(handle x) { return unary(op::exp, x); }
constexpr handle spread(handle number) { return spread_over(number, square, 2); }
struct exponentials { // of rows, below their maximum, and their sum
  handle below, sum;
  explicit exponentials(handle x)
      : below(exp_of(x - spread(reduce(op::reduce_max, x, 2)))),
        sum(reduce(op::reduce_sum, below, 2)) {}
};
template <class F> graph by_hand(F const& f) {
  recorder r;
  handle const x = r.input(dtype::f32, square, {0, 0, false}),
               z = r.input(dtype::f32, square, {1, 0, false});
  handle const y = f(x, z);
  r.finish({&y, 1});
  return std::move(r.result);
}

TEST_P(row_chain, does_not_read_other_rows) {
  EXPECT_EQ(2, launches(by_hand([](handle x, handle) {
                          exponentials const e(x);
                          return e.below / spread(reverse(e.sum, 1));
                        }),
                        GetParam()));
  for (extent axes : {1, 2})
    EXPECT_EQ(2, launches(by_hand([&](handle x, handle) {
                            exponentials const e(x);
                            return reverse(e.below, axes) / spread(e.sum);
                          }),
                          GetParam()));
}
TEST_P(row_chain, keeps_two_rows_apart) {
  EXPECT_EQ(1, launches(by_hand([](handle x, handle z) {
                          exponentials const e(x + z);
                          return e.below / spread(e.sum) + x * z;
                        }),
                        GetParam()));
}
// What it reads transposed must not lie where it writes, though that is first written when all of
// the former has been read; nor where it reads element on element, besides.
TEST_P(row_chain, holds_what_it_reads_until_its_end) {
  for (bool twice : {false, true})
    EXPECT_EQ(3, launches(by_hand([&](handle x, handle z) {
                            extent const turn[] = {1, 0};
                            handle const p = exp_of(z), read = transpose(p, {turn, 2});
                            handle const e = exp_of(x - spread(reduce(op::reduce_max, read, 2)));
                            handle const y = e / spread(reduce(op::reduce_sum, e, 2));
                            return transpose(twice ? y * p : y, {turn, 2}) + z;
                          }),
                          GetParam()));
}
TEST_P(row_chain, waits_for_what_comes_later) {
  EXPECT_EQ(4, launches(by_hand([](handle x, handle z) {
                          exponentials const e(x);
                          handle const part = slice_axis(z, 0, 0, 7);
                          handle const once = reduce(op::reduce_sum, part, 1);
                          handle const twice = reduce(op::reduce_sum,
                                                      part * broadcast_to(once, part.shape()), 1);
                          return e.below / spread(e.sum) + broadcast_to(twice, square);
                        }),
                        GetParam()));
}
TEST_P(row_chain, reduces_one_set_of_axes) {
  recorder r;
  extents const shape{3, {2, 3, 20}};
  handle const x = r.input(dtype::f32, shape, {0, 0, false});
  handle const below = x - spread_over(reduce(op::reduce_max, x, 4), shape, 4);
  handle const y = reduce(op::reduce_sum, exp_of(below), 6);
  r.finish({&y, 1});
  EXPECT_EQ(2, launches(r.result, GetParam()));
}

// Rows whose length is a name: where it is 1, numbers of a row have the rows' shape.
void expect_rows_of_any_length(graph const& named, opencl::device_traits const& traits) {
  device_runner runner(opencl::device(), named, false, traits);
  for (extent length : {1, 2, 5, 70}) {
    growing<binding> const numbers(1, {names_of(named)[0], length});
    graph const g = bind(named, numbers);
    growing<dense> const inputs = test::random_inputs(g, 4);
    EXPECT_TRUE(same_bits(4, g, runner.run(inputs), test::meaning_of(g, inputs)))
        << "rows of " << length;
  }
}
constexpr sym any{"any"};
using named_rows = tensor<float, 4, any>;
constexpr auto norm = [](auto x) { return x / sqrt(sum<1, keep>(x * x)); };
constexpr auto deviation = [](auto x) {
  auto below = x - mean<1, keep>(x);
  return below / (1 + sqrt(mean<1, keep>(below * below)));
};
constexpr auto of_two_axes = [](auto x) {
  auto y = x / sqrt(sum<2, keep>(x * x));
  return y / sqrt(sum<1, 2, keep>(y * y));
};
constexpr auto weighted_norm = [](auto x, auto y) { return sum(norm(x) * y); };
TEST_P(row_chain, has_rows_whose_length_is_a_name) {
  auto const check = [](graph const& g) { expect_rows_of_any_length(g, GetParam()); };
  check(recorded<named_rows>(norm));
  check(recorded<named_rows>(deviation));
  check(recorded<named_rows>([](auto x) { return softmax(x); }));
  check(recorded<named_rows>([](auto x) { return log_softmax(x); }));
  check(
      recorded<named_rows, tensor<float, any>>([](auto x, auto a) { return layer_norm(x, a, a); }));
  check(recorded<named_rows, tensor<float, any>>([](auto x, auto a) { return rms_norm(x, a); }));
  check(recorded<named_rows, named_rows>(grad(weighted_norm)));
  check(recorded<tensor<float, 3, 5, any>>(of_two_axes));
  check(recorded<tensor<float, any, 3>>(norm));
}

// Reductions of columns are no rows: on GPUs, a group for 32 columns of a block of 16384 elements.
TEST_P(row_chain, leaves_columns_alone) {
  for (extents const& shape :
       {extents{3, {3, 5, 70}}, extents{3, {1, 17000, 33}}, extents{3, {2, 17000, 3}}}) {
    recorder r;
    handle const x = r.input(dtype::f32, shape, {0, 0, false});
    handle const y = reduce(op::reduce_sum, x, 2);
    r.finish({&y, 1});
    EXPECT_EQ(shape[1] > 16384 ? 2 : 1, launches(r.result, GetParam()));
  }
}

// Of more blocks than a group has lanes.
TEST_P(row_chain, sums_one_long_row) {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {1, 70 * 16384 + 5}}, {0, 0, false});
  handle const y = reduce(op::reduce_sum, x, 2);
  r.finish({&y, 1});
  EXPECT_EQ(2, launches(r.result, GetParam()));
}

// On GPUs only the result is in memory; on CPUs the exponentials are, too.
TEST_P(row_chain, keeps_rows_out_of_memory) {
  graph const g = optimise(recorded<matrix>([](auto x) { return softmax(x); }));
  opencl::program const p(g);
  opencl::engine const e(opencl::device(), p, {}, GetParam());
  EXPECT_EQ(GetParam().is_cpu ? 32 * 100 * 4 : 0, e.arena_bytes());
}

// Random programs, for rows of n elements; a program's text is the same for many of them.
void run_programs(opencl::device_traits const& traits, std::uint64_t first, int count,
                  std::initializer_list<extent> lengths) {
  constexpr dtype types[] = {dtype::f32, dtype::bf16, dtype::i32, dtype::f16, dtype::f32};
  opencl::device const on;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed)
    for (extent n : lengths) {
      dtype const type = types[seed % 5];
      auto const rows = row_layout_of(static_cast<int>(seed / 2 % 5), n);
      graph const g = test::row_program_writer(seed, type, rows).write();
      growing<dense> const inputs = test::random_inputs(g, seed);
      ASSERT_TRUE(same_bits(seed, g, device_runner(on, g, false, traits).run(inputs),
                            test::meaning_of(g, inputs)))
          << "rows of " << n;
    }
}
// (Each is some programs of OpenCL to build.)
int programs_to_run(int usual) {
  char const* const asked = std::getenv("WEFT_RANDOM_GRAPHS");
  return asked != nullptr ? std::atoi(asked) : usual;
}
TEST_P(row_chain, has_the_bits_of_random_programs_over_rows) {
  run_programs(GetParam(), 1, programs_to_run(10), {0, 1, 2, 63, 65, 130});
}
TEST_P(row_chain, has_the_bits_of_random_programs_over_long_rows) {
  run_programs(GetParam(), 100, programs_to_run(4), {1000, 5000, 20000});
}
INSTANTIATE_TEST_SUITE_P(, row_chain, testing::Values(cpu, gpu),
                         [](auto const& p) { return p.param.is_cpu ? "cpu" : "gpu"; });

} // namespace

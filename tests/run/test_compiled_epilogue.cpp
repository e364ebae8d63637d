// SPDX-License-Identifier: BSL-1.0
// build: alone
// Which elementwise groups run behind the blocks of a product, counted at run time; that results are
// the interpreter's, wherever they lie. (Even seeds: sums stay numbers.)
#include "random/run_epilogues.hpp"
#include "run/compiled.hpp"

#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::filled;

struct counted {
  extent ran = 0;  // in one run
  int planned = 0; // groups
  friend bool operator==(counted, counted) = default;
  friend std::ostream& operator<<(std::ostream& to, counted c) {
    return to << c.ran << " ran of " << c.planned;
  }
};

// Runs F compiled as it is, by itself and with every product telling, and as blocks.
template <auto F, class... Args>
counted run_counted(int threads, bool donate, Args const&... args) {
  using P = program<F, Args...>;
  auto const inputs = test::dense_leaves(args...);
  auto const wanted = test::meaning_of(stages<P>::recorded, inputs);
  cpu::pool pool(threads, 0);
  auto const right = [&](cpu::program_code const& code) {
    test::epilogue_run const r = test::run_epilogues(code, inputs, pool, donate);
    EXPECT_TRUE(test::same_bits(r.results, wanted));
    return counted{r.ran, r.planned};
  };
  auto const& compiled = detail::program_functions<P, cpu::native_target>::code;
  right(test::told_code(compiled, test::telling::always).code());
  EXPECT_EQ(right(test::told_code(compiled, test::telling::never).code()), counted{});
  cpu::block_program<cpu::native_target> const blocks(stages<P>::recorded);
  counted const c = right(compiled);
  EXPECT_EQ(right(blocks.code()), c);
  return c;
}
constexpr counted once{1, 1};

constexpr auto linear_gelu = [](auto x, auto w, auto b) { return gelu(linear(x, w, b)); };
using x_100 = tensor<float, 100, 40>;
using w_100 = tensor<float, 40, 65>;
using b_100 = tensor<float, 65>;

TEST(epilogue, of_a_linear_layer) {
  for (int threads : {1, 2, 3})
    EXPECT_EQ((run_counted<linear_gelu>(threads, false, filled<float, 100, 40>(2),
                                        filled<float, 40, 65>(4), filled<float, 65>(6))),
              once);
}
TEST(epilogue, of_sums_and_rows_of_several_blocks) {
  for (int threads : {1, 2}) {
    EXPECT_EQ((run_counted<linear_gelu>(threads, false, filled<float, 70, 900>(2),
                                        filled<float, 900, 66>(4), filled<float, 66>(6))),
              once);
    EXPECT_EQ((run_counted<linear_gelu>(threads, false, filled<float, 61, 32>(2),
                                        filled<float, 32, 4500>(4), filled<float, 4500>(6))),
              once);
  }
}
TEST(epilogue, not_of_few_elements) {
  EXPECT_EQ((run_counted<linear_gelu>(1, false, filled<float, 20, 40>(2), filled<float, 40, 65>(4),
                                      filled<float, 65>(6))),
            counted{});
}
constexpr auto linear_tanh = [](auto x, auto w) { return tanh(matmul(x, w)); };
// Few products of many elements: the group is worth more threads than the product is.
TEST(epilogue, not_of_few_products_where_threads_wait) {
  auto const x = filled<float, 600, 4>(2);
  auto const w = filled<float, 4, 600>(4);
  EXPECT_EQ((run_counted<linear_tanh>(1, false, x, w)), once);
  EXPECT_EQ((run_counted<linear_tanh>(2, false, x, w)), counted{});
  EXPECT_EQ((run_counted<linear_tanh>(2, false, filled<float, 100, 4>(2), filled<float, 4, 65>(4))),
            once);
}
TEST(epilogue, of_named_extents) {
  static constexpr sym rows{"rows"};
  for (int threads : {1, 2})
    for (int n : {1, 70, 333})
      EXPECT_EQ((run_counted<linear_gelu>(threads, false, filled<float, rows, 40>(2, n),
                                          filled<float, 40, 65>(4), filled<float, 65>(6))),
                (n == 1 ? counted{} : once))
          << n;
}

template <weft::fixed_string Text>
constexpr auto conv_relu =
    [](auto x, auto w, auto b) { return relu(conv<Text, conv_options{.padding = 1}>(x, w, b)); };
TEST(epilogue, of_a_convolution) {
  for (int threads : {1, 2}) {
    EXPECT_EQ((run_counted<conv_relu<"NHWC,HWIO->NHWC">>(
                  threads, false, filled<float, 2, 13, 15, 5>(2), filled<float, 3, 3, 5, 24>(4),
                  filled<float, 24>(6))),
              once);
    EXPECT_EQ((run_counted<conv_relu<"NCHW,OIHW->NCHW">>(
                  threads, false, filled<float, 2, 5, 13, 15>(2), filled<float, 24, 5, 3, 3>(4),
                  filled<float, 24>(6))),
              once);
    EXPECT_EQ((run_counted<conv_relu<"NCHW,OIHW->NCHW">>( // few features
                  threads, false, filled<float, 2, 5, 31, 33>(2), filled<float, 3, 5, 3, 3>(4),
                  filled<float, 3>(6))),
              once);
  }
}
// Blocks compute channels as batches of single columns: they are compared alone.
template <conv_options Options>
constexpr auto depthwise =
    [](auto x, auto w, auto b) { return relu(conv<"NHWC,HWIO->NHWC", Options>(x, w, b)); };
template <conv_options Options, class X, class W, class B>
void expect_depthwise(X const& x, W const& w, B const& b, extent ran) {
  using P = program<depthwise<Options>, X, W, B>;
  auto const inputs = test::dense_leaves(x, w, b);
  auto const wanted = test::meaning_of(stages<P>::recorded, inputs);
  for (int threads : {1, 2}) {
    cpu::pool pool(threads, 0);
    auto const& code = detail::program_functions<P, cpu::native_target>::code;
    test::epilogue_run const r = test::run_epilogues(code, inputs, pool);
    EXPECT_EQ(r.ran, ran);
    EXPECT_TRUE(test::same_bits(r.results, wanted));
    auto const always = test::run_epilogues(test::told_code(code, test::telling::always).code(),
                                            inputs, pool);
    EXPECT_EQ(always.ran, 1);
    EXPECT_TRUE(test::same_bits(always.results, wanted));
  }
}
TEST(epilogue, of_a_depthwise_convolution) {
  constexpr conv_options same{.padding = 1, .feature_groups = 32};
  expect_depthwise<same>(filled<float, 1, 16, 17, 32>(2), filled<float, 3, 3, 1, 32>(4),
                         filled<float, 32>(6), 1);
  // Of many steps, by rows.
  expect_depthwise<same>(filled<float, 1, 24, 25, 32>(2), filled<float, 14, 14, 1, 32>(4),
                         filled<float, 32>(6), 1);
  // In four phases, which do not tell by themselves, but could.
  constexpr conv_options spread{.padding = 1, .lhs_dilation = 2, .feature_groups = 32};
  expect_depthwise<spread>(filled<float, 1, 12, 12, 32>(2), filled<float, 3, 3, 1, 32>(4),
                           filled<float, 32>(6), 0);
}

// Two products of one shape have one group, behind the second; the first is complete by then.
constexpr auto gated = [](auto x, auto v, auto w) { return matmul(x, v) * tanh(matmul(x, w)); };
TEST(epilogue, stands_behind_the_last_of_two_products) {
  EXPECT_EQ((run_counted<gated>(2, false, filled<float, 90, 50>(2), filled<float, 50, 64>(4),
                                filled<float, 50, 64>(6))),
            once);
}
// The product is a result itself, and the group stores two values.
constexpr auto kept = [](auto x, auto w) {
  auto const y = matmul(x, w);
  return std::tuple(y, tanh(y), y > 0);
};
TEST(epilogue, of_a_product_that_is_kept) {
  for (int threads : {1, 2})
    EXPECT_EQ(
        (run_counted<kept>(threads, false, filled<float, 90, 50>(2), filled<float, 50, 64>(4))),
        once);
}
constexpr auto reshaped = [](auto x, auto w) { return relu(reshape<9, 10, 64>(matmul(x, w))); };
TEST(epilogue, reads_through_a_reshape) {
  EXPECT_EQ((run_counted<reshaped>(2, false, filled<float, 90, 50>(2), filled<float, 50, 64>(4))),
            once);
}
constexpr auto turned = [](auto x, auto w) {
  auto const y = matmul(x, w);
  return y + transpose(y);
};
TEST(epilogue, reads_element_on_element) {
  EXPECT_EQ((run_counted<turned>(1, false, filled<float, 70, 70>(2), filled<float, 70, 70>(4))),
            counted{});
}

// Over what the product reads, the group waits for all of it.
TEST(epilogue, waits_where_its_result_lies_over_an_operand) {
  auto const x = filled<float, 80, 80>(2);
  auto const w = filled<float, 80, 80>(4);
  for (int threads : {1, 2}) {
    EXPECT_EQ((run_counted<linear_tanh>(threads, false, x, w)), once);
    EXPECT_EQ((run_counted<linear_tanh>(threads, true, x, w)), (counted{0, 1}));
  }
}
// What only the group reads may be written over as it goes, but the product may not be put there.
constexpr auto update = [](auto p, auto x, auto g) { return p - 0.1f * einsum<"ki,kj->ij">(x, g); };
TEST(epilogue, runs_over_its_own_operand) {
  for (int threads : {1, 2})
    EXPECT_EQ((run_counted<update>(threads, true, filled<float, 70, 66>(2),
                                   filled<float, 33, 70>(4), filled<float, 33, 66>(6))),
              once);
}
// The residual dies in the group: its memory in the arena is taken over.
constexpr auto residual = [](auto x, auto w) {
  auto const h = tanh(matmul(x, w));
  auto const r = exp(h) * 0.5f;
  return matmul(relu(matmul(h, w) + r), w);
};
TEST(epilogue, takes_over_what_dies_in_it) {
  for (int threads : {1, 2})
    EXPECT_EQ(
        (run_counted<residual>(threads, false, filled<float, 80, 80>(2), filled<float, 80, 80>(4)))
            .planned,
        2);
}

// What the product reads too may not be taken over.
constexpr auto shortcut = [](auto x, auto w) {
  auto const h = exp(x);
  return matmul(relu(h + matmul(h, w)), w);
};
TEST(epilogue, leaves_what_its_product_reads) {
  for (int threads : {1, 2})
    EXPECT_EQ(
        (run_counted<shortcut>(threads, false, filled<float, 80, 80>(2), filled<float, 80, 80>(4))),
        once);
}

// In the body of a loop: once a turn, and the carry is no operand of the next turn's product yet.
constexpr auto recurrent = [](auto h, auto xs, auto w) {
  auto const turn = [w](auto carry, auto x) {
    auto const next = tanh(matmul(carry, w) + x);
    return std::pair(next, next);
  };
  return scan(turn, h, xs);
};
TEST(epilogue, in_a_loop) {
  for (int threads : {1, 2})
    EXPECT_EQ((run_counted<recurrent>(threads, false, filled<float, 80, 80>(2),
                                      filled<float, 5, 80, 80>(4), filled<float, 80, 80>(6))),
              (counted{5, 1}));
}
constexpr auto square = [](auto x, auto w) { return relu(matmul(x, w)) + x; };
TEST(epilogue, of_other_types) {
  auto const run = []<class T>(T) {
    return run_counted<square>(2, false, filled<T, 70, 70>(2), filled<T, 70, 70>(4));
  };
  EXPECT_EQ(run(double{}), once);
  EXPECT_EQ(run(int{}), once);
}
TEST(epilogue, of_floats_of_16_bits_where_they_are_compiled) { // blocks widen the whole product
  using P = program<square, tensor<bf16, 70, 70>, tensor<bf16, 70, 70>>;
  auto const inputs = test::dense_leaves(filled<bf16, 70, 70>(2), filled<bf16, 70, 70>(4));
  auto const wanted = test::meaning_of(stages<P>::recorded, inputs);
  cpu::serial here;
  auto const compiled = test::run_epilogues(detail::program_functions<P, cpu::native_target>::code,
                                            inputs, here);
  EXPECT_EQ(compiled.ran, 1);
  EXPECT_TRUE(test::same_bits(compiled.results, wanted));
  cpu::block_program<cpu::native_target> const blocks(stages<P>::recorded);
  auto const blocked = test::run_epilogues(blocks.code(), inputs, here);
  EXPECT_EQ(blocked.ran, 0);
  EXPECT_TRUE(test::same_bits(blocked.results, wanted));
}

} // namespace

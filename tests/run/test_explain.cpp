// SPDX-License-Identifier: BSL-1.0
// explain: golden text of softmax; what it says of loops, products, names and shared kernels.
#include <weft/run/profile.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

constexpr sym rows{"rows"};
constexpr auto rows_softmax = [](auto x) { return softmax(x); };

TEST(explain, softmax) {
  EXPECT_EQ((explain<rows_softmax, tensor<float, 4, 100>>()),
            R"(recorded 11 nodes, optimised 10, steps 3
%0 = parameter {0} : f32(4, 100)
%1 = reduce_max %0 {axes 1} : f32(4)
%2 = reshape %1 : f32(4, 1)
%3 = broadcast %2 {axes 0 1} : f32(4, 100)
%4 = sub %0 %3 : f32(4, 100)
%5 = exp %4 : f32(4, 100)
%6 = reduce_sum %5 {axes 1} : f32(4)
%7 = reshape %6 : f32(4, 1)
%8 = broadcast %7 {axes 0 1} : f32(4, 100)
%9 = div %5 %8 : f32(4, 100)
return %9
schedule (! is stored)
  0  region 0 stage 0  group (4, 100) rows, kernel 0 : 1:reduce_max!
  1  region 0 stage 1  group (4, 100) rows, kernel 1 : 4:sub 5:exp! 6:reduce_sum!
  2  region 0 stage 2  group (4, 100) elementwise, kernel 2 : 9:div!
arena 1728 bytes, alive at once 1728
)");
}

struct named_softmax : program<rows_softmax, tensor<float, 4, 100>> {};
TEST(explain, named_program_is_the_same_text) {
  EXPECT_EQ(explain_program<named_softmax>(), (explain<rows_softmax, tensor<float, 4, 100>>()));
}

// Everything behind "schedule".
std::string schedule_of(std::string const& text) { return text.substr(text.find("schedule")); }

TEST(explain, names_have_no_arena_yet) {
  EXPECT_EQ(schedule_of(explain<rows_softmax, tensor<float, rows, 100>>()),
            R"(schedule (! is stored)
  0  region 0 stage 0  group (rows, 100) rows, kernel 0 : 1:reduce_max!
  1  region 0 stage 1  group (rows, 100) rows, kernel 1 : 4:sub 5:exp! 6:reduce_sum!
  2  region 0 stage 2  group (rows, 100) elementwise, kernel 2 : 9:div!
)");
}
// Equal layers name one kernel; products, loops and copies are steps of their own.
constexpr auto model = [](auto w, auto h, auto xs, auto rate) {
  for (int layer = 0; layer < 2; ++layer) h = tanh(einsum<"bi,ij->bj">(h, w)) * rate;
  auto body = [](auto c, auto x) { return std::pair(c + x, none); };
  return concat<0>(scan(body, h, xs).first, h);
};
TEST(explain, steps_of_every_kind) {
  using step_of_scan = tensor<float, 3, 8>;
  EXPECT_EQ(schedule_of(
                explain<model, tensor<float, 8, 8>, step_of_scan, tensor<float, 5, 3, 8>, float>()),
            R"(schedule (! is stored)
  0  region 0 stage 0  contraction (3, 8) : 4:contract!
  1  region 0 stage 1  group (3, 8) elementwise, kernel 0 : 5:tanh 7:mul!
  2  region 0 stage 2  contraction (3, 8) : 8:contract!
  3  region 0 stage 3  group (3, 8) elementwise, kernel 0 : 9:tanh 10:mul!
  4  region 0 stage 4  loop () : 14:scan
  5  region 0 stage 5  move (6, 8) : 16:concat!
  6  region 1 stage 0  group (3, 8) elementwise, kernel 2 : 13:add!
arena 512 bytes, alive at once 512
)");
}

// A group that runs behind each block of a product is a step and a kernel all the same.
constexpr auto activated = [](auto x, auto w) { return tanh(matmul(x, w)); };
TEST(explain, epilogues) {
  std::string const text = schedule_of(
      explain<activated, tensor<float, 64, 8>, tensor<float, 8, 64>>());
  EXPECT_EQ(text.substr(0, text.find("arena")), // which counts the target's packing
            R"(schedule (! is stored)
  0  region 0 stage 0  contraction (64, 64) : 2:contract!
  1  region 0 stage 1  group (64, 64) elementwise, kernel 0, epilogue of 0 : 3:tanh!
)");
}
// The levels of a prefix scan run as one step, without memory for what is between them.
constexpr auto sums = [](auto x) { return cumsum<1>(x); };
TEST(explain, prefix_scan) {
  std::string const text = schedule_of(explain<sums, tensor<float, 6, 4>>());
  EXPECT_EQ(text.substr(0, text.find("arena")), // which counts the target's packs
            R"(schedule (! is stored)
  0  region 0 stage 0  move (6, 4), a prefix scan : 11:reshape!
  1  region 0 stage 1  group (6, 4) elementwise, kernel 0, prefix scan of 0 : 7:bit_and 8:not_equal 12:add 13:select!
  2  region 0 stage 2  group (6, 4) elementwise, kernel 1, prefix scan of 0 : 3:bit_and 5:not_equal 17:add 18:select!
)");
}
// Groups over the same rows, of arrays that are larger than L1; four rows at a time.
TEST(explain, row_by_row) {
  EXPECT_EQ(schedule_of(explain<rows_softmax, tensor<float, 512, 512>>()),
            R"(schedule (! is stored)
  0  region 0 stage 0  group (512, 512) rows, kernel 0, row by row : 1:reduce_max!
  1  region 0 stage 1  group (512, 512) rows, kernel 1, row by row with 0 : 4:sub 5:exp! 6:reduce_sum!
  2  region 0 stage 2  group (512, 512) elementwise, kernel 2, row by row with 0 : 9:div!
arena 131648 bytes, alive at once 131648
)");
}
TEST(profile, epilogues_are_in_the_time_of_their_product) {
  std::string const text = profile<activated>(tensor<float, 64, 8>(), tensor<float, 8, 64>());
  std::size_t const at = text.find("epilogue of 0");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find("GB/s", text.rfind('\n', at)), std::string::npos) << text;
}

// Times differ from run to run; what is counted does not.
struct profiled_model
    : program<model, tensor<float, 8, 8>, tensor<float, 3, 8>, tensor<float, 5, 3, 8>, float> {};
TEST(profile, counts_turns_and_bytes_of_every_step) {
  tensor<float, 8, 8> const w;
  tensor<float, 3, 8> const h;
  tensor<float, 5, 3, 8> const xs;
  std::string const text = profile<profiled_model>(w, h, xs, 0.5f);
  auto const line_of = [&text](char const* what) {
    std::size_t const at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what << "\n" << text;
    std::size_t const begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
  };
  EXPECT_NE(text.find("us a call, 7 steps, arena 512 bytes\n"), std::string::npos) << text;
  EXPECT_NE(line_of("contraction (3, 8) : 4").find(" 1 x          448 B"), std::string::npos);
  EXPECT_NE(line_of("13:add").find(" 5 x"), std::string::npos) << text;
  EXPECT_NE(line_of("16:concat").find(" 1 x          384 B"), std::string::npos) << text;
  EXPECT_NE((profile<model>(w, h, xs, 0.5f).find("16:concat")), std::string::npos);
}
// What a derivative keeps, and would keep by every choice.
constexpr auto two_layers = [](auto w, auto x) {
  auto layer = [](auto v, auto y) { return sigmoid(tanh(matmul(y, v))); };
  return sum(layer(w, layer(w, x)));
};
constexpr auto two_layers_gradient = grad(two_layers);
constexpr auto in_a_loop = [](auto w, auto x) {
  auto body = [&](auto h, auto) {
    return std::pair(checkpoint([](auto v, auto y) { return tanh(matmul(y, v)); })(w, h), none);
  };
  return sum(scan<scan_options{.length = 10}>(body, x, none).first);
};
constexpr auto loop_gradient = grad(in_a_loop);
std::string kept_of(std::string const& text) {
  auto const from = text.find("kept for");
  return from == text.npos ? "" : text.substr(from, text.find('\n', from) - from);
}
TEST(explain, says_what_is_kept_for_the_way_back) {
  using W = tensor<float, 4, 4>;
  using X = tensor<float, 3, 4>; // 48 bytes
  EXPECT_EQ(kept_of(explain<two_layers_gradient, W, X>()),
            "kept for the way back 192 B; residuals: everything 192 B, products 96 B, nothing 0 B");
  EXPECT_EQ(
      kept_of(explain<loop_gradient, W, X>()),
      "kept for the way back 480 B; residuals: everything 960 B, products 960 B, nothing 480 B");
  EXPECT_EQ(kept_of(explain<two_layers, W, X>()), "");
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// build: alone
#include "contract_cases.hpp"
#include "support/targets.hpp"

namespace contract_test {
namespace {

// Normal forms, in constant evaluation.
constexpr contraction matrices = [] {
  contraction c;
  c.rank_a = c.rank_b = c.rank_out = 2;
  c.a[0] = 'i', c.a[1] = 'k', c.b[0] = 'k', c.b[1] = 'j', c.out[0] = 'i', c.out[1] = 'j';
  return c;
}();
constexpr extents list(extent x, extent y) { return {2, {x, y}}; }
constexpr product_form row_major = make_product(matrices, {list(4, 5), list(5, 1)},
                                                {list(5, 6), list(6, 1)}, {list(4, 6), list(6, 1)});
static_assert(!row_major.swapped && row_major.m.count() == 4 && row_major.n.count() == 6);
static_assert(row_major.k.rank == 1 && row_major.k.d[0].stride == places{1, 6, 0, 0});
constexpr product_form column_major = make_product(
    matrices, {list(4, 5), list(5, 1)}, {list(5, 6), list(6, 1)}, {list(4, 6), list(1, 4)});
static_assert(column_major.swapped && column_major.n.count() == 4);
static_assert(column_major.n.d[0].stride == places{0, 5, 1, 0});

constexpr product_axes merged = [] {
  product_axes axes;
  axes.push({3, {20, 0, 20, 0}});
  axes.push({1, {7, 7, 7, 7}});
  axes.push({5, {4, 0, 4, 0}});
  axes.push({4, {1, 0, 2, 0}});
  return axes;
}();
static_assert(merged.rank == 2 && merged.d[0].size == 15 && merged.count() == 60);
static_assert(merged.at(4 * 7 + 3) == places{7 * 4 + 3, 0, 7 * 4 + 6, 0});
static_assert(merged.run(4 * 7 + 3, 10) == 1 && merged.run(8, 3) == 3);

struct spec {
  char const *a, *b, *out;
  extent i, j, k, l; // sizes of labels i, j, k, l; x is 2 and y is 3
};
void sizes(spec const& s, extent (&size)[128]) {
  extent const of[] = {s.i, s.j, s.k, s.l, 2, 3};
  for (int n = 0; n < 6; ++n) size[static_cast<int>("ijklxy"[n])] = of[n];
}

std::initializer_list<variant> const variants = {
    {},
    {.a = {.transposed = true}, .b = {.transposed = true}},
    {.b = {.transposed = true}, .out = {.transposed = true}, .has_start = true},
    {.a = {.reversed = 1},
     .b = {.reversed = 2},
     .out = {.reversed = 3},
     .has_start = true,
     .has_bias = true},
    {.a = {.reversed = 2}, .b = {.reversed = 1}, .bias = {.broadcast = 1}, .has_bias = true},
    {.a = {.broadcast = 2}, .b = {.spread = 2}, .out = {.spread = 3}},
    {.a = {.broadcast = 1}, .b = {.broadcast = 2}, .bias = {.transposed = true}, .has_bias = true},
    {.a = {.transposed = true, .spread = 2},
     .out = {.transposed = true, .reversed = 1},
     .has_start = true},
};

template <class Target, class A, class B, class Out, class Bias = Out>
void check_all(contract_order order, std::initializer_list<spec> specs,
               std::initializer_list<variant> each = variants) {
  for (spec const& s : specs) {
    extent size[128]{};
    sizes(s, size);
    int number = 0;
    for (variant v : each) {
      if (order == contract_order::lanes) v.has_start = false;
      SCOPED_TRACE(testing::Message()
                   << s.a << "," << s.b << "->" << s.out << " i " << s.i << " j " << s.j << " k "
                   << s.k << " l " << s.l << " variant " << number++);
      check<Target, A, B, Out, Bias>(labels(s.a, s.b, s.out, order), size, v);
    }
  }
}

constexpr auto chain = contract_order::chain;
constexpr auto lanes = contract_order::lanes;

std::initializer_list<spec> const matrix_products = {
    {"ik", "kj", "ij", 1, 1, 1, 1},    {"ik", "kj", "ij", 2, 3, 4, 1},
    {"ik", "kj", "ij", 16, 16, 16, 1}, {"ik", "kj", "ij", 7, 33, 20, 1},
    {"ik", "kj", "ij", 33, 7, 50, 1},  {"ki", "jk", "ji", 15, 40, 17, 1},
    {"ik", "kj", "ij", 3, 130, 9, 1},  {"ik", "kj", "ij", 70, 66, 19, 1},
    {"ik", "kj", "ij", 0, 3, 4, 1},    {"ik", "kj", "ij", 3, 5, 0, 1},
    {"ik", "kj", "ij", 5, 0, 0, 1},
};
std::initializer_list<spec> const tensor_products = {
    {"xik", "xkj", "xij", 5, 6, 7, 1},    {"xik", "kj", "xij", 5, 20, 7, 1},
    {"ixk", "kxj", "xji", 9, 18, 5, 1},   {"xikl", "lkjy", "ijxy", 3, 5, 4, 6},
    {"klix", "jky", "jlxyi", 4, 5, 6, 2}, {"xyik", "jyk", "xjiy", 17, 19, 6, 1},
    {"klyi", "lkjy", "ij", 13, 34, 5, 6}, {"i", "j", "ij", 9, 21, 1, 1},
};

template <class Target> class contract : public testing::Test {};
using targets = testing::Types<test::narrow_target, cpu::native_target>;
TYPED_TEST_SUITE(contract, targets);

TYPED_TEST(contract, chain_of_floats) {
  int const before = held_cases;
  check_all<TypeParam, float, float, float>(chain, matrix_products);
  check_all<TypeParam, float, float, float>(chain, tensor_products);
  EXPECT_GT(held_cases, before + 20);
}
TYPED_TEST(contract, chain_goes_on_between_blocks) {
  std::initializer_list<spec> const deep = {{"ik", "kj", "ij", 31, 37, 600, 1},
                                            {"ik", "kj", "ij", 3, 5, 1030, 1},
                                            {"kil", "lkj", "ij", 25, 33, 30, 27}};
  check_all<TypeParam, float, float, float>(chain, deep);
  check_all<TypeParam, bf16, bf16, bf16>(chain, deep);
}
TYPED_TEST(contract, chain_of_many_blocks_of_rows) {
  check_all<TypeParam, float, float, float>(chain, {{"ik", "kj", "ij", 400, 70, 10, 1}});
  check_all<TypeParam, bf16, bf16, bf16>(chain, {{"ik", "kj", "ij", 150, 70, 300, 1}});
}
TYPED_TEST(contract, chain_of_bf16) {
  check_all<TypeParam, bf16, bf16, bf16>(chain, matrix_products);
  check_all<TypeParam, bf16, bf16, bf16, float>(chain, tensor_products);
  check_all<TypeParam, bf16, bf16, float>(chain, tensor_products);
  check_all<TypeParam, bf16, float, float, bf16>(chain, tensor_products);
}
TYPED_TEST(contract, chain_of_integers) {
  check_all<TypeParam, std::int32_t, std::int32_t, std::int32_t>(chain, matrix_products);
  check_all<TypeParam, std::uint32_t, std::uint32_t, std::uint32_t>(chain, tensor_products);
}

std::initializer_list<spec> const vector_products = {
    {"k", "k", "", 1, 1, 1, 1},       {"k", "k", "", 1, 1, 0, 1},
    {"k", "k", "", 1, 1, 63, 1},      {"k", "k", "", 1, 1, 64, 1},
    {"k", "k", "", 1, 1, 1000, 1},    {"ik", "k", "i", 9, 1, 100, 1},
    {"ki", "k", "i", 9, 1, 100, 1},   {"ik", "k", "i", 200, 1, 5, 1},
    {"k", "jk", "j", 1, 70, 65, 1},   {"ki", "k", "i", 150, 1, 3, 1},
    {"k", "kj", "j", 1, 130, 200, 1}, {"ki", "k", "i", 5, 1, 0, 1},
    {"ki", "k", "i", 81, 1, 64, 1},   {"ki", "k", "i", 81, 1, 128, 1},
    {"k", "kj", "j", 1, 70, 64, 1},   {"k", "kj", "j", 1, 70, 128, 1},
    {"ki", "k", "i", 0, 1, 5, 1},     {"ki", "k", "i", 67, 1, 1, 1},
    {"ik", "k", "i", 5, 1, 2500, 1},
};
std::initializer_list<spec> const vector_tensor_products = {
    {"xik", "xk", "xi", 9, 1, 70, 1},  {"xik", "yk", "xyi", 9, 1, 20, 1},
    {"ikl", "lk", "i", 7, 1, 11, 13},  {"kilx", "kl", "xi", 30, 1, 11, 13},
    {"kl", "jlk", "j", 1, 12, 40, 50}, {"ik", "kj", "ij", 4, 6, 70, 1},
    {"ik", "kj", "ij", 3, 150, 70, 1}, {"ik", "jk", "ij", 3, 150, 70, 1},
    {"ik", "kj", "ji", 3, 85, 130, 1},
};

TYPED_TEST(contract, lanes_of_floats) {
  check_all<TypeParam, float, float, float>(lanes, vector_products);
  check_all<TypeParam, float, float, float>(lanes, vector_tensor_products);
}
TYPED_TEST(contract, lanes_of_bf16) {
  check_all<TypeParam, bf16, bf16, bf16>(lanes, vector_products);
  check_all<TypeParam, bf16, float, bf16, float>(lanes, vector_tensor_products);
}
TYPED_TEST(contract, lanes_of_integers) {
  check_all<TypeParam, std::int32_t, std::int32_t, std::int32_t>(lanes, vector_products);
}
// Of matrices beyond the second cache, strips of columns are wider.
TYPED_TEST(contract, lanes_of_far_matrices) {
  check_all<TypeParam, float, float, float>(lanes, {{"ki", "k", "i", 333, 1, 401, 1}});
  check_all<TypeParam, bf16, float, bf16, float>(lanes, {{"ki", "k", "i", 270, 1, 500, 1}});
}
// Vectors that share a matrix: what some elements read of it is copied together, where it fits.
std::initializer_list<variant> const shared_variants = {
    {},
    {.has_bias = true},
    {.bias = {.broadcast = 1}, .has_bias = true},
    {.bias = {.transposed = true}, .has_bias = true},
    {.out = {.transposed = true}},
    {.b = {.reversed = 1}, .out = {.reversed = 3}, .has_bias = true},
    {.a = {.reversed = 1}, .out = {.spread = 2}},
    {.a = {.broadcast = 1}, .b = {.broadcast = 1}},
};
template <class Target, class T> int check_shared(std::initializer_list<spec> specs) {
  int const before = shared_cases;
  check_all<Target, T, T, T>(lanes, specs, shared_variants);
  return shared_cases - before;
}
TYPED_TEST(contract, lanes_of_vectors_that_share_a_matrix) {
  std::initializer_list<spec> const products = {
      {"ik", "kj", "ij", 16, 70, 64, 1},
      {"ik", "kj", "ij", 17, 33, 128, 1},
      {"ik", "kj", "ij", 19, 150, 70, 1},
      {"ik", "kj", "ij", 130, 131, 64, 1}, // for two threads, too
      {"ik", "jk", "ij", 17, 133, 128, 1}, // rows along k
      {"ik", "jk", "ij", 130, 67, 100, 1},
      {"xik", "kj", "jxi", 9, 40, 65, 1},
      {"xik", "kj", "xij", 9, 70, 100, 1},
  };
  // Packs of 16 have wider copies, of which fewer fit.
  bool const wide = TypeParam::lanes == 16;
  int const of_words = wide ? 42 : 56, of_doubles = wide ? 16 : 40;
  EXPECT_GE((check_shared<TypeParam, float>(products)), of_words);
  EXPECT_GE((check_shared<TypeParam, double>(products)), of_doubles);
  EXPECT_GE((check_shared<TypeParam, std::uint32_t>(products)), of_words);
  EXPECT_GE((check_shared<TypeParam, std::int64_t>(products)), of_doubles);
  EXPECT_EQ((check_shared<TypeParam, float>({{"ik", "kj", "ij", 16, 70, 63, 1},
                                             {"ik", "kj", "ij", 15, 70, 64, 1},
                                             {"ik", "kj", "ij", 15, 70, 1000, 1}})),
            0);
  // Only where x's stride is 0.
  EXPECT_EQ((check_shared<TypeParam, float>({{"xik", "xkj", "xij", 20, 70, 64, 1}})), 1);
  EXPECT_EQ((check_shared<TypeParam, bf16>(products)), 0);
}
TYPED_TEST(contract, threads_share_large_products) {
  check_all<TypeParam, float, float, float>(lanes, {{"ik", "k", "i", 300, 1, 301, 1}});
  check_all<TypeParam, float, float, float>(
      chain, {{"xik", "kj", "xij", 20, 50, 60, 1}, {"xik", "xkj", "xij", 20, 150, 60, 1}});
}

// Products that vanish leave -0 in their lanes, and zero lanes must not hide it, nor add it.
TYPED_TEST(contract, signs_of_vanishing_sums) {
  for (int k : {1, 2, 31, 32, 33, 64, 65, 130}) {
    for (bool columns : {false, true}) {
      auto const n = static_cast<std::size_t>(k);
      std::vector<float> a(3 * n, -1e-30f), b(n, 1e-30f);
      std::vector<float> out(3, 5);
      extents const strides = columns ? list(1, 3) : list(k, 1);
      contraction c = labels("ik", "k", "i", lanes);
      product_form const p = make_product(c, {list(3, k), strides}, {{1, {k}}, {1, {1}}},
                                          {{1, {3}}, {1, {1}}});
      cpu::serial here;
      cpu::contract<TypeParam>(p, a.data(), b.data(), out.data(), nullptr,
                               static_cast<float const*>(nullptr), {}, here);
      for (float x : out) EXPECT_EQ(std::signbit(x), k >= 64) << k << columns;
    }
  }
}

} // namespace
} // namespace contract_test

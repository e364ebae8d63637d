// SPDX-License-Identifier: BSL-1.0
// build: alone
// fixed_product.hpp against the definition, bit for bit: products of 1 to 17 rows, columns and steps,
// picked at random while this is compiled, with operands, results and biases that lie in any way.
#include "contract_cases.hpp"

#include <weft/cpu/fixed_product.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace contract_test {
namespace {

struct spec {
  char a[4], b[4], out[4];
  contract_order order = contract_order::chain;
};
constexpr spec specs[] = {{"ik", "kj", "ij"},
                          {"ik", "jk", "ij"},
                          {"ki", "kj", "ij"},
                          {"ik", "kj", "ji"},
                          {"hik", "hkj", "hij"},
                          {"ikl", "lkj", "ij"},
                          {"ik", "kjh", "ijh"},
                          {"hik", "kj", "hji"},
                          {"ik", "k", "i", contract_order::lanes},
                          {"ki", "k", "i", contract_order::lanes},
                          {"k", "kj", "j", contract_order::lanes},
                          {"hik", "hk", "hi", contract_order::lanes},
                          {"kl", "kl", "", contract_order::lanes}};

struct fixed_case {
  int form = 0;
  extent i = 1, j = 1, k = 1;
  int how = 0; // of `layouts`
};
constexpr variant layouts[] = {
    {},
    {},
    {.has_bias = true},
    {.bias = {.broadcast = 1}, .has_bias = true},
    {.a = {.transposed = true}, .b = {.reversed = 1}},
    {.a = {.reversed = 3}, .b = {.spread = 2}, .bias = {.broadcast = 2}, .has_bias = true},
    {.b = {.transposed = true}, .out = {.transposed = true}},
    {.a = {.broadcast = 1}, .b = {.broadcast = 2}, .out = {.spread = 3}, .has_bias = true}};

constexpr fixed_case pick(unsigned number) {
  std::uint64_t state = number * 0x9e3779b97f4a7c15u + 12345;
  auto const below = [&state](auto n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(n));
  };
  int const most = below(2) == 0 ? 4 : 17;
  return {static_cast<int>(number % std::size(specs)), 1 + below(most), 1 + below(most),
          1 + below(most), below(std::size(layouts))};
}

// One case as the compiler knows it.
template <unsigned Number, class A, class B, class Out, class Bias> struct form {
  static constexpr fixed_case c = pick(Number);
  static constexpr variant how = layouts[c.how];
  static constexpr bool has_bias = how.has_bias;
  static constexpr contraction sum = labels(specs[c.form].a, specs[c.form].b, specs[c.form].out,
                                            specs[c.form].order);
  struct sizes {
    extent of[128]{};
  };
  static constexpr sizes find_sizes() {
    sizes s;
    s.of[int{'i'}] = c.i, s.of[int{'j'}] = c.j, s.of[int{'k'}] = c.k;
    s.of[int{'h'}] = 3, s.of[int{'l'}] = 2;
    return s;
  }
  static constexpr sizes size = find_sizes();
  static constexpr extents shape_a = shape_of_labels(sum.a, sum.rank_a, size.of);
  static constexpr extents shape_b = shape_of_labels(sum.b, sum.rank_b, size.of);
  static constexpr extents shape_out = shape_of_labels(sum.out, sum.rank_out, size.of);
  static constexpr product_form value = make_product(
      sum, placing(shape_a, how.a).shape, placing(shape_b, how.b).shape,
      placing(shape_out, how.out).shape,
      how.has_bias ? placing(shape_out, how.bias).shape.strides : extents{});
  using a = A;
  using b = B;
  using out = Out;
  using bias = Bias;
};

template <class Target, unsigned Number, class A, class B, class Out, class Bias> void check_one() {
  using f = form<Number, A, B, Out, Bias>;
  array<A> a(f::shape_a, f::how.a, A{});
  array<B> b(f::shape_b, f::how.b, B{});
  array<Out> out(f::shape_out, f::how.out, static_cast<Out>(77)), expected = out;
  array<Bias> bias(f::shape_out, f::how.bias, Bias{});
  randomise(a);
  randomise(b);
  randomise(bias);
  array<Bias>* const added = f::has_bias ? &bias : nullptr;
  define(f::sum, f::size.of, a, b, expected, static_cast<array<cpu::start_type<Out>>*>(nullptr),
         added);
  detail::fixed_product<f, Target>::run(a.data(), b.data(), out.data(),
                                        added ? bias.data() : nullptr);
  EXPECT_TRUE(same_bits(out.memory, expected.memory))
      << specs[f::c.form].a << "," << specs[f::c.form].b << "->" << specs[f::c.form].out << " "
      << f::c.i << " " << f::c.j << " " << f::c.k << " laid out as " << f::c.how;
}
template <class Target, unsigned First, class A, class B, class Out, class Bias, unsigned... I>
void check_all(std::integer_sequence<unsigned, I...>) {
  (check_one<Target, First + I, A, B, Out, Bias>(), ...);
}
template <class Target, unsigned First, unsigned Count, class A, class B = A, class Out = A,
          class Bias = Out>
void check_some() {
  check_all<Target, First, A, B, Out, Bias>(std::make_integer_sequence<unsigned, Count>{});
}

TEST(fixed_product, floats) {
  check_some<cpu::native_target, 0, 32, float>();
  check_some<cpu::generic, 40, 8, float>();
}
TEST(fixed_product, doubles) {
  check_some<cpu::native_target, 100, 9, double>();
  check_some<cpu::generic, 120, 3, double>();
}
TEST(fixed_product, narrow_floats) {
  check_some<cpu::native_target, 200, 6, bf16>();
  check_some<cpu::native_target, 210, 3, bf16, bf16, float>();
  check_some<cpu::native_target, 220, 3, f16, f16, f16, float>();
  check_some<cpu::generic, 230, 2, bf16, bf16, bf16, float>();
}
TEST(fixed_product, integers) {
  check_some<cpu::native_target, 300, 5, std::int32_t>();
  check_some<cpu::native_target, 310, 3, std::uint64_t>();
  check_some<cpu::native_target, 320, 3, std::int8_t>();
  check_some<cpu::generic, 330, 2, std::int16_t>();
}

// Dense products of rows that are no packs: stored over the next row's beginning, and into room behind
// out where it has 64 bytes of its own.
template <int M, int N, int K> struct plain_form {
  static constexpr bool has_bias = false;
  static constexpr product_form value = make_product(
      labels("ik", "kj", "ij", contract_order::chain), strided_shape{{2, {M, K}}, {2, {K, 1}}},
      strided_shape{{2, {K, N}}, {2, {N, 1}}}, strided_shape{{2, {M, N}}, {2, {N, 1}}}, extents{});
  using a = float;
  using b = float;
  using out = float;
  using bias = float;
};
template <int M, int N, int K> void check_plain() {
  float a[M * K], b[K * N], expected[M * N];
  for (int i = 0; i < M * K; ++i) a[i] = static_cast<float>(i * 7 % 11) * 0.37f - 1;
  for (int i = 0; i < K * N; ++i) b[i] = static_cast<float>(i * 5 % 13) * 0.29f - 2;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum = std::fma(a[i * K + k], b[k * N + j], sum);
      expected[i * N + j] = sum;
    }
  float out[M * N + 16];
  std::fill(std::begin(out), std::end(out), 77.0f);
  detail::fixed_product<plain_form<M, N, K>, cpu::native_target>::run(a, b, out, nullptr);
  EXPECT_TRUE(std::equal(expected, expected + M * N, out)) << M << " " << N << " " << K;
  EXPECT_EQ(std::count(out + M * N, std::end(out), 77.0f), 16) << M << " " << N << " " << K;
  using roomy = detail::fixed_product<plain_form<M, N, K>, cpu::native_target, true>;
  if constexpr (roomy::room_bytes > 0) {
    float room[32];
    std::fill(std::begin(room), std::end(room), 77.0f);
    roomy::run(a, b, room, nullptr);
    EXPECT_TRUE(std::equal(expected, expected + M * N, room)) << M << " " << N << " " << K;
    EXPECT_EQ(std::count(room + roomy::room_bytes / 4, std::end(room), 77.0f),
              32 - roomy::room_bytes / 4);
  }
}
template <int M> void check_plain_rows() {
  check_plain<M, 2, 3>();
  check_plain<M, 3, 3>();
  check_plain<M, 5, 4>();
  check_plain<M, 6, 2>();
  check_plain<M, 7, 9>();
}
TEST(fixed_product, rows_that_are_no_packs) {
  check_plain<1, 3, 2>();
  check_plain_rows<2>();
  check_plain_rows<3>();
  check_plain_rows<5>();
  check_plain_rows<14>();
  check_plain<25, 3, 3>();
  check_plain<5, 13, 3>();
  check_plain<3, 19, 2>();
  check_plain<6, 23, 5>();
}

// Matrices times vectors: rows that lie along k, and columns that are neighbours; infinities beside
// zeros, which no lane that is not there may meet.
template <int M, int K, bool Along, class T> struct vector_form {
  static constexpr bool has_bias = false;
  static constexpr product_form value = make_product(
      labels("ik", "k", "i", contract_order::lanes),
      Along ? strided_shape{{2, {M, K}}, {2, {K, 1}}} : strided_shape{{2, {M, K}}, {2, {1, M}}},
      strided_shape{{1, {K}}, {1, {1}}}, strided_shape{{1, {M}}, {1, {1}}}, extents{});
  using a = T;
  using b = T;
  using out = T;
  using bias = T;
};
template <class T, int M, int K, bool Along> void check_vector() {
  T a[M * K], b[K], expected[M];
  T const infinity = std::numeric_limits<T>::infinity();
  for (int i = 0; i < M; ++i)
    for (int q = 0; q < K; ++q)
      a[Along ? i * K + q : q * M + i] =
          i % 3 == 1 ? infinity : (T((i * 31 + q * 7) % 11) - T(4.9)) / (M % 2 == 0 ? 16 : 1);
  T const least_number = std::numeric_limits<T>::denorm_min();
  for (int q = 0; q < K; ++q) b[q] = M % 2 == 0 ? -least_number : T(q * 5 % 13) * T(0.29);
  // Products that underflow to -0: a lane that is not there adds +0.
  for (int i = 0; i < M; ++i) {
    T lane[64]{};
    for (int q = 0; q < K; ++q) lane[q] = std::fma(a[Along ? i * K + q : q * M + i], b[q], T{});
    for (int stride = 32; stride > 0; stride /= 2)
      for (int l = 0; l < stride; ++l) lane[l] = lane[l] + lane[l + stride];
    expected[i] = lane[0];
  }
  using form = vector_form<M, K, Along, T>;
  T out[M + 16];
  std::fill(std::begin(out), std::end(out), T(77));
  detail::fixed_product<form, cpu::native_target>::run(a, b, out, nullptr);
  auto const same = [&](T const* x) {
    for (int i = 0; i < M; ++i)
      if (x[i] != expected[i] || std::signbit(x[i]) != std::signbit(expected[i]))
        if (x[i] == x[i] || expected[i] == expected[i]) return false;
    return true;
  };
  EXPECT_TRUE(same(out)) << M << " " << K << " " << Along;
  EXPECT_EQ(std::count(out + M, std::end(out), T(77)), 16) << M << " " << K << " " << Along;
  using roomy = detail::fixed_product<form, cpu::native_target, true>;
  if constexpr (roomy::room_bytes > 0) {
    T room[32];
    std::fill(std::begin(room), std::end(room), T(77));
    roomy::run(a, b, room, nullptr);
    EXPECT_TRUE(same(room)) << M << " " << K << " " << Along;
    int const end = roomy::room_bytes / static_cast<int>(sizeof(T));
    EXPECT_EQ(std::count(room + end, std::end(room), T(77)), 32 - end);
  }
}
template <class T, int M> void check_vectors() {
  check_vector<T, M, 2, true>();
  check_vector<T, M, 3, true>();
  check_vector<T, M, 5, true>();
  check_vector<T, M, 13, true>();
  check_vector<T, M, 3, false>();
  check_vector<T, M, 7, false>();
}
// Many vectors: no batch may be stored over what lies behind the last.
struct row_dots_form {
  static constexpr bool has_bias = false;
  static constexpr product_form value = make_product(
      labels("hk", "hk", "h", contract_order::lanes), strided_shape{{2, {4, 5}}, {2, {5, 1}}},
      strided_shape{{2, {4, 5}}, {2, {5, 1}}}, strided_shape{{1, {4}}, {1, {1}}}, extents{});
  using a = float;
  using b = float;
  using out = float;
  using bias = float;
};
TEST(fixed_product, batches_in_lanes_order_stay_in_place) {
  float a[20], out[32];
  for (int i = 0; i < 20; ++i) a[i] = static_cast<float>(i % 5);
  std::fill(std::begin(out), std::end(out), 77.0f);
  using product = detail::fixed_product<row_dots_form, cpu::native_target, true>;
  static_assert(product::room_bytes == 0);
  product::run(a, a, out, nullptr);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 4 ? 30.0f : 77.0f) << i;
}
TEST(fixed_product, small_matrices_times_vectors) {
  check_vectors<float, 1>();
  check_vectors<float, 2>();
  check_vectors<float, 3>();
  check_vectors<float, 4>();
  check_vectors<float, 6>();
  check_vectors<float, 7>();
  check_vectors<float, 8>();
  check_vectors<float, 11>();
  check_vector<float, 5, 1, true>();
  check_vector<float, 12, 64, true>();
  check_vector<float, 12, 64, false>();
  check_vector<float, 31, 33, true>();
  check_vectors<double, 3>();
  check_vectors<double, 6>();
}

// One that is wrong would be seen: every kind of product and layout is among the picks.
TEST(fixed_product, picks_are_of_every_kind) {
  bool form_seen[std::size(specs)]{}, layout_seen[std::size(layouts)]{};
  for (unsigned n = 0; n < 32; ++n) {
    form_seen[pick(n).form] = true;
    layout_seen[pick(n).how] = true;
  }
  for (bool seen : form_seen) EXPECT_TRUE(seen);
  for (bool seen : layout_seen) EXPECT_TRUE(seen);
}

} // namespace
} // namespace contract_test

// SPDX-License-Identifier: BSL-1.0
// build: alone -O2
// Products by tiles (cpu/tile_products.hpp) with the instructions written out in plain C++: packing,
// batches, what threads get; within the stated bound of float64. Where the processor has tiles, by
// these too; where there are none, the bits of the chain.
#include "contract_cases.hpp"

#include <weft/cpu/tile_products.hpp>

#include <algorithm>

namespace contract_test {
namespace {

// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, TDPBF16PS.
class model_tiles {
  struct registers {
    std::uint32_t words[8][16][16]{};
    int sessions = 0;
  };
  static registers& own() {
    thread_local registers r;
    return r;
  }
  static float flushed(float x) { return std::abs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
  static float low(std::uint32_t w) { return flushed(std::bit_cast<float>(w << 16)); }
  static float high(std::uint32_t w) { return flushed(std::bit_cast<float>(w & 0xffff0000u)); }
  static float added(float sum, float x, float y) { return flushed(std::fma(x, y, sum)); }

public:
  static bool are_here() { return true; }
  struct session {
    session() {
      own() = {};
      ++own().sessions;
    }
    ~session() { --own().sessions; }
    session(session const&) = delete;
    session& operator=(session const&) = delete;
  };
  template <int T> static void clear() { std::memset(own().words[T], 0, sizeof own().words[T]); }
  template <int T> static void load(std::uint32_t const* from) {
    EXPECT_EQ(own().sessions, 1);
    std::memcpy(own().words[T], from, sizeof own().words[T]);
  }
  template <int T> static void store(float* to, extent row_bytes) {
    for (int i = 0; i < 16; ++i)
      std::memcpy(to + i * row_bytes / 4, own().words[T][i], sizeof own().words[T][i]);
  }
  template <int Sum, int A, int B> static void add_products() {
    registers& r = own();
    for (int m = 0; m < 16; ++m) {
      float even[16]{}, odd[16]{};
      for (int p = 0; p < 16; ++p)
        for (int n = 0; n < 16; ++n) {
          even[n] = added(even[n], low(r.words[A][m][p]), low(r.words[B][p][n]));
          odd[n] = added(odd[n], high(r.words[A][m][p]), high(r.words[B][p][n]));
        }
      for (int n = 0; n < 16; ++n) {
        auto const before = flushed(std::bit_cast<float>(r.words[Sum][m][n]));
        float const sum = flushed(before + flushed(even[n] + odd[n]));
        r.words[Sum][m][n] = std::bit_cast<std::uint32_t>(sum);
      }
    }
  }
};
struct no_tiles : model_tiles {
  static bool are_here() { return false; }
};

template <class Out, class Bias>
using chain = detail::contraction_by<cpu::native_target, contract_order::chain, dtype::bf16,
                                     dtype::bf16, dtype_of<Out>, dtype_of<Bias>>;
template <class Tiles, class Out, class Bias>
using by_tiles = detail::contraction_by_tiles<cpu::native_target, Tiles, chain<Out, Bias>>;

// Runs tasks one after the other, as if by many threads, and notes how many there were.
struct noting {
  int of_threads;
  std::vector<int> tasks{};
  int threads() const { return of_threads; }
  template <class F> void parallel_for(int count, F&& f) {
    tasks.push_back(count);
    for (int t = count - 1; t >= 0; --t) f(t, t % of_threads);
  }
};

template <class Out, class Bias> struct product_case {
  contraction c;
  array<bf16> a, b;
  array<Out> out;
  array<float> start;
  array<Bias> bias;
  product_form p;
  bool has_start, has_bias;

  product_case(contraction const& labels, extent const (&size)[128], variant const& v)
      : c(labels), a(shape_of_labels(c.a, c.rank_a, size), v.a, bf16{}),
        b(shape_of_labels(c.b, c.rank_b, size), v.b, bf16{}),
        out(shape_of_labels(c.out, c.rank_out, size), v.out, static_cast<Out>(77.0f)),
        start(out.shape.shape, v.out, {}), bias(out.shape.shape, v.bias, Bias{}),
        p(make_product(c, a.shape, b.shape, out.shape,
                       v.has_bias ? bias.shape.strides : extents{})),
        has_start(v.has_start), has_bias(v.has_bias) {
    randomise(a);
    randomise(b);
    randomise(start);
    randomise(bias);
    shrink(a, v.tiny_a, v.tiny);
    shrink(b, v.tiny_b, v.tiny);
  }
  // In scratch of exactly its size.
  template <class By, class Executor> std::vector<Out> run(Executor& executor) {
    cpu::executor_ref const on(executor);
    auto const bytes = static_cast<std::size_t>(By::bytes(p, on.threads()));
    std::vector<std::byte> room(bytes + 128, std::byte{0xa5});
    auto const first = reinterpret_cast<std::uintptr_t>(room.data());
    std::byte* const at = room.data() + (64 - first % 64) % 64;
    array<Out> got = out;
    By::run(p, a.data(), b.data(), got.data(), has_start ? start.data() : nullptr,
            has_bias ? bias.data() : nullptr, {at, static_cast<extent>(bytes)}, on, {});
    EXPECT_TRUE(std::all_of(at + bytes, room.data() + room.size(), [](std::byte x) {
      return x == std::byte{0xa5};
    })) << "beyond its scratch";
    return got.memory;
  }
};

// Elements of out against float64, by the case's own labels: (k + 3) u of the magnitudes, and rounding.
template <class Out, class Bias>
void expect_near(product_case<Out, Bias>& at, extent const (&size)[128],
                 std::vector<Out> const& got) {
  array<double> sums(at.out.shape.shape, {}, 0.0), magnitudes = sums;
  array<double> x(at.a.shape.shape, {}, 0.0), y(at.b.shape.shape, {}, 0.0);
  auto const number = [](auto e) {
    double const d = static_cast<double>(static_cast<float>(e));
    return std::abs(d) < 0x1p-126 ? 0.0 : d;
  };
  auto const dense = [&](auto const& from, array<double>& to, auto const& f) {
    for (extent i = 0; i < to.count; ++i) {
      extent rest = i, offset = from.origin;
      for (int axis = to.shape.shape.rank - 1; axis >= 0; --axis) {
        offset += rest % to.shape.shape[axis] * from.shape.strides[axis];
        rest /= to.shape.shape[axis];
      }
      to.memory[static_cast<std::size_t>(i)] = f(from.memory[static_cast<std::size_t>(offset)]);
    }
  };
  auto const define_sums = [&](auto const& f, array<double>& to) {
    dense(at.a, x, f);
    dense(at.b, y, f);
    define<double, double, double, double>(at.c, size, x, y, to, nullptr, nullptr);
  };
  define_sums(number, sums);
  define_sums([&](auto e) { return std::abs(number(e)); }, magnitudes);
  array<double> found = sums, before = sums, beside = sums;
  array<Out> copy = at.out;
  copy.memory = got;
  dense(copy, found, [](Out e) { return static_cast<double>(static_cast<float>(e)); });
  dense(at.start, before, number);
  dense(at.bias, beside, number);
  double const half = std::is_same_v<Out, bf16> ? 0x1p-8 : 0x1p-24;
  for (std::size_t i = 0; i < found.memory.size(); ++i) {
    double const s = at.has_start ? before.memory[i] : 0, e = at.has_bias ? beside.memory[i] : 0;
    double const meant = sums.memory[i] + s + e;
    double const bound = static_cast<double>(at.p.k.count() + 3) * 0x1p-24 *
                             (magnitudes.memory[i] + std::abs(s) + std::abs(e)) +
                         0x1p-126;
    ASSERT_LE(std::abs(found.memory[i] - meant), bound + (std::abs(meant) + bound) * half * 1.001)
        << i;
  }
}

struct spec {
  char const *a, *b, *out;
  extent i, j, k, l, x;
};
constexpr spec specs[] = {
    {"ik", "kj", "ij", 32, 32, 32, 1, 1},    {"ik", "kj", "ij", 8, 8, 32, 1, 1},
    {"ik", "kj", "ij", 37, 51, 77, 1, 1},    {"ki", "jk", "ij", 70, 33, 96, 1, 1},
    {"ik", "jk", "ji", 33, 81, 64, 1, 1},    {"ki", "kj", "ji", 49, 65, 33, 1, 1},
    {"xik", "xkj", "xij", 40, 36, 64, 1, 5}, {"xik", "kj", "xij", 20, 17, 34, 1, 3},
    {"kil", "lkj", "ij", 25, 33, 7, 5, 1},   {"xki", "xkj", "ixj", 129, 130, 130, 1, 2},
    {"ik", "kj", "ij", 16, 1100, 96, 1, 1},
};
variant const variants[] = {
    {},
    {.b = {.transposed = true}, .out = {.transposed = true}, .has_start = true},
    {.a = {.reversed = 1}, .b = {.reversed = 2}, .out = {.reversed = 3}, .has_bias = true},
    {.a = {.reversed = 2}, .b = {.reversed = 1}, .has_start = true, .has_bias = true},
    {.a = {.broadcast = 1}, .b = {.spread = 2}},
    {.bias = {.broadcast = 1}, .has_bias = true},
    {.tiny_a = 3, .tiny_b = 5, .tiny = 0x1p-127f},
};
template <class F> void for_each_case(F const& f) {
  int number = 0;
  for (variant const& v : variants) {
    for (spec const& s : specs) {
      SCOPED_TRACE(testing::Message() << s.a << "," << s.b << "->" << s.out << " i " << s.i << " j "
                                      << s.j << " k " << s.k << " variant " << number);
      extent size[128]{};
      extent const of[] = {s.i, s.j, s.k, s.l, s.x};
      for (int n = 0; n < 5; ++n) size[static_cast<int>("ijklx"[n])] = of[n];
      f(labels(s.a, s.b, s.out, contract_order::chain), size, v);
    }
    ++number;
  }
}

template <class By, class Out, class Bias>
void check_near(product_case<Out, Bias>& at, extent const (&size)[128]) {
  static cpu::pool three(3, 0);
  cpu::serial alone;
  auto const got = at.template run<By>(alone);
  expect_near(at, size, got);
  EXPECT_TRUE(same_bits(at.template run<By>(three), got));
  for (int threads : {2, 9}) {
    noting many{threads};
    EXPECT_TRUE(same_bits(at.template run<By>(many), got)) << threads;
  }
}
template <class Tiles, class Out, class Bias = Out> void check_tiles() {
  using by = by_tiles<Tiles, Out, Bias>;
  for_each_case([](contraction const& c, extent const(&size)[128], variant const& v) {
    product_case<Out, Bias> at(c, size, v);
    EXPECT_FALSE(by::tells(at.p, 1));
    EXPECT_EQ(by::code.held->bytes(at.p), 0);
    check_near<by>(at, size);
  });
}
TEST(tile_products, are_near_float64_and_the_same_on_any_number_of_threads) {
  check_tiles<model_tiles, bf16>();
  check_tiles<model_tiles, float>();
  check_tiles<model_tiles, float, bf16>();
  check_tiles<model_tiles, bf16, float>();
}
TEST(tile_products, of_more_rows_than_a_part_holds) {
  extent size[128]{};
  size[static_cast<int>('i')] = 70, size[static_cast<int>('j')] = 9;
  size[static_cast<int>('k')] = 8300;
  product_case<float, float> at(labels("ik", "kj", "ij", contract_order::chain), size, {});
  check_near<by_tiles<model_tiles, float, float>>(at, size);
}
TEST(tile_products, of_the_processor) {
#if defined(__x86_64__) && defined(__linux__) && defined(__AVX512F__)
  if (__builtin_cpu_supports("avx512f") && detail::tile::machine::are_here()) {
    check_tiles<detail::tile::machine, bf16>();
    check_tiles<detail::tile::machine, float>();
    return;
  }
#endif
  GTEST_SKIP() << "the processor or the build has no tiles";
}

// The chain's bits, its telling and its held operands.
template <class Out> void check_without() {
  using by = by_tiles<no_tiles, Out, Out>;
  using plain = chain<Out, Out>;
  cpu::pool two(2, 0);
  for_each_case([&](contraction const& c, extent const(&size)[128], variant const& v) {
    product_case<Out, Out> at(c, size, v);
    EXPECT_EQ(by::tells(at.p, 2), plain::code.tells(at.p, 2));
    EXPECT_EQ(by::code.held->bytes(at.p), plain::code.held->bytes(at.p));
    EXPECT_EQ(by::bytes(at.p, 2), plain::bytes(at.p, 2));
    cpu::serial alone;
    auto const meant = at.template run<plain>(alone);
    EXPECT_TRUE(same_bits(at.template run<by>(alone), meant));
    EXPECT_TRUE(same_bits(at.template run<by>(two), meant));
  });
}
TEST(tile_products, without_tiles_are_chains) {
  check_without<bf16>();
  check_without<float>();
}
TEST(tile_products, that_would_be_mostly_empty_are_chains) {
  using by = by_tiles<model_tiles, float, float>;
  for (auto [i, j, k] :
       {std::tuple<extent, extent, extent>{7, 64, 64}, {64, 7, 64}, {64, 64, 31}}) {
    extent size[128]{};
    extent const of[] = {i, j, k};
    for (int n = 0; n < 3; ++n) size[static_cast<int>("ijk"[n])] = of[n];
    product_case<float, float> at(labels("ik", "kj", "ij", contract_order::chain), size, {});
    cpu::serial alone;
    EXPECT_TRUE(same_bits(at.run<by>(alone), (at.run<chain<float, float>>(alone)))) << i << j << k;
  }
}

// ---- what threads get

// Tasks of the product itself, the last that are handed out; 0: it is computed where it is called.
int tasks_of(extent x, extent i, extent j, extent k, int threads) {
  extent size[128]{};
  extent const of[] = {x, i, j, k};
  for (int n = 0; n < 4; ++n) size[static_cast<int>("xijk"[n])] = of[n];
  product_case<float, float> at(labels("xik", "xkj", "xij", contract_order::chain), size, {});
  noting many{threads};
  at.run<by_tiles<model_tiles, float, float>>(many);
  return many.tasks.empty() ? 0 : many.tasks.back();
}
TEST(tile_products, are_cut_for_as_many_threads_as_the_work_is_worth) {
  EXPECT_EQ(tasks_of(1, 40, 40, 64, 8), 0);
  EXPECT_EQ(tasks_of(1, 128, 96, 128, 1), 0);
  EXPECT_EQ(tasks_of(1, 128, 96, 128, 2), 2);
  EXPECT_EQ(tasks_of(1, 128, 96, 128, 8), 2); // 3 threads' work, of 4 blocks of rows
  EXPECT_EQ(tasks_of(1, 256, 256, 64, 8), 8);
  EXPECT_EQ(tasks_of(1, 256, 256, 64, 3), 3);
  EXPECT_EQ(tasks_of(1, 32, 2048, 64, 8), 8) << "columns of few rows";
  EXPECT_EQ(tasks_of(1, 64, 1024, 64, 8), 8) << "both";
  EXPECT_EQ(tasks_of(2, 256, 256, 64, 8), 8) << "batches one after the other";
  EXPECT_EQ(tasks_of(3, 32, 33, 700, 4), 3) << "batches side by side";
  EXPECT_EQ(tasks_of(40, 32, 33, 40, 2), 8);
}

} // namespace
} // namespace contract_test

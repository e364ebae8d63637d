// SPDX-License-Identifier: BSL-1.0
// build: alone
// compiled<f, Args…>: jit's bits, and after construction no memory is taken and none is given back:
// every operator new and delete of this program is counted.
#include "compiled.hpp"
#include "counted_memory.hpp"

#include <weft/run/compiled.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::dense_leaves, test::filled, test::memory_calls_of;

constexpr sym rows{"rows"};

// A recurrent filter: products, a loop, a reduction, small and large results.
template <template <class, auto...> class array> struct state {
  array<float, 40> h;
  array<int> steps;
};
constexpr auto filter = [](auto s, auto xs, auto w) {
  auto body = [&](auto h, auto x) {
    auto next = tanh(einsum<"ij,j->i">(w, h) + x);
    return std::pair(next, sum(next * next));
  };
  auto [h, energy] = scan(body, s.h, xs);
  s.h = h;
  s.steps = s.steps + 1;
  return std::tuple(s, energy, max(energy));
};
using block_of_samples = tensor<float, 64, 40>;
using matrix = tensor<float, 40, 40>;

TEST(compiled_object, counts_memory) { // or the tests below could not fail
  EXPECT_GE(memory_calls_of([] { auto const x = filled<float, 100>(1); }), 2);
}

TEST(compiled_object, takes_no_memory_after_construction) {
  compiled<filter, state<tensor>, block_of_samples, matrix> f;
  state<tensor> s{};
  s.h = filled<float, 40>(1);
  auto const xs = filled<float, 64, 40>(3);
  auto const w = filled<float, 40, 40>(5);
  auto const meant = dense_leaves(jit<filter>(s, xs, w));
  EXPECT_GT(f.arena_bytes(), 0);
  EXPECT_EQ(memory_calls_of([&] { f(s, xs, w); }), 0) << "the first call";
  EXPECT_TRUE(test::same_bits(dense_leaves(f(s, xs, w)), meant));
  s = std::get<0>(f(s, xs, w)); // gives back what `filled` took
  EXPECT_EQ(memory_calls_of([&] {
              for (int i = 0; i < 10; ++i) {
                auto const& [next, energy, peak] = f(s, xs, w);
                s = next; // keeps the first of the two buffers while the next result is made
              }
            }),
            0);
  EXPECT_EQ(s.steps(), 11);
}
TEST(compiled_object, has_jits_bits_over_many_calls) {
  compiled<filter, state<tensor>, block_of_samples, matrix> f;
  auto const w = filled<float, 40, 40>(5);
  state<tensor> s{}, t{};
  for (std::uint64_t i = 0; i < 5; ++i) {
    auto const xs = filled<float, 64, 40>(2 * i + 1);
    auto const [expected, energy, peak] = jit<filter>(t, xs, w);
    auto const& [next, energy_here, peak_here] = f(s, xs, w);
    EXPECT_TRUE(test::same_bits(dense_leaves(next, energy_here, peak_here),
                                dense_leaves(expected, energy, peak)));
    s = next;
    t = expected;
  }
}

// All that the calls touch lies in memory of the caller's, and not one byte more is needed.
TEST(compiled_object, lives_in_the_callers_memory) {
  using filter_object = compiled<filter, state<tensor>, block_of_samples, matrix>;
  std::size_t const bytes = filter_object::memory_bytes();
  auto* const memory = static_cast<std::byte*>(heap_memory().allocate(bytes, 64));
  state<tensor> s{};
  s.h = filled<float, 40>(1);
  auto const xs = filled<float, 64, 40>(3);
  auto const w = filled<float, 40, 40>(5);
  auto const meant = dense_leaves(jit<filter>(s, xs, w));
  fixed_memory own(memory, bytes);
  {
    std::int64_t const elements = detail::allocation_count();
    filter_object f(1, own);
    EXPECT_EQ(own.used(), bytes);
    auto const& [next, energy, peak] = f(s, xs, w);
    auto const* const at = reinterpret_cast<std::byte const*>(energy.data());
    EXPECT_TRUE(memory <= at && at < memory + bytes);
    EXPECT_TRUE(test::same_bits(dense_leaves(next, energy, peak), meant));
    EXPECT_GT(detail::allocation_count(), elements); // blocks, from there
    EXPECT_EQ(memory_calls_of([&] { f(s, xs, w); }), 0);
  }
  EXPECT_EQ(own.used(), 0u);
  EXPECT_EQ(own.most_used(), bytes);
  fixed_memory less(memory, bytes - 1);
  EXPECT_THROW(filter_object(1, less), memory_error);
  EXPECT_EQ(less.used(), 0u);
  heap_memory().release(memory, bytes, 64);
}

// A result that comes back moved, while the object holds it as its last one, too.
TEST(compiled_object, its_own_result_as_a_donation_takes_no_memory) {
  constexpr auto shift = [](auto x) { return x + 1; };
  using object = compiled<shift, tensor<float, 100>>;
  std::size_t const bytes = object::memory_bytes();
  auto* const memory = static_cast<std::byte*>(heap_memory().allocate(bytes, 64));
  {
    fixed_memory own(memory, bytes);
    object f(1, own);
    auto const x = filled<float, 100>(1);
    auto y = f(x);
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(memory_calls_of([&] { y = f(std::move(y)); }), 0) << "turn " << i;
  }
  heap_memory().release(memory, bytes, 64);
}

// One block holds all results of a loop, warm in cache; what somebody holds or gives back stays.
template <int N> void writes_over_its_last_result() {
  constexpr auto step = [](auto x, auto y) { return std::tuple(x + 1, x * y, sum(x)); };
  compiled<step, tensor<float, N>, tensor<float, N>> f;
  auto const x = filled<float, N>(1), y = filled<float, N>(3);
  auto const data = [](auto const& r) {
    return std::pair(std::get<0>(r).data(), std::get<1>(r).data());
  };
  auto const meant = dense_leaves(jit<step>(x, y));
  auto const first = data(f(x, y));
  EXPECT_EQ(data(f(y, x)), first);
  tensor<float, N> const held = std::get<0>(f(x, y));
  EXPECT_EQ(held.data(), first.first);
  EXPECT_NE(data(f(y, x)).first, first.first);
  EXPECT_TRUE(test::same_bits(dense_leaves(held), dense_leaves(std::get<0>(jit<step>(x, y)))));
  // A result, as a whole or by one of its arrays, is an argument of the next call.
  auto const [next, product, total] = jit<step>(x, y);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_TRUE(test::same_bits(dense_leaves(f(x, y)), meant));
    auto const& last = f(x, y);
    EXPECT_TRUE(test::same_bits(dense_leaves(f(std::get<1>(last), std::get<0>(last))),
                                dense_leaves(jit<step>(product, next))));
    auto const& again = f(x, y);
    EXPECT_TRUE(test::same_bits(dense_leaves(f(y, std::get<1>(again))),
                                dense_leaves(jit<step>(y, product))));
  }
}
TEST(compiled_object, writes_over_its_last_result) { // on an engine, and without one
  writes_over_its_last_result<30000>();
  writes_over_its_last_result<3000>();
}
// A result in the object itself, given back: it is read before it is written.
TEST(compiled_object, small_parts_of_its_last_result_are_arguments) {
  constexpr auto step = [](auto x, auto few) { return std::pair(x + sum(few), few * 2); };
  compiled<step, tensor<float, 30000>, tensor<float, 3>> f;
  auto const x = filled<float, 30000>(1);
  tensor<float, 3> few = {1, 2, 3};
  auto const* last = &f(x, few);
  for (int turn = 0; turn < 3; ++turn) {
    auto const meant = jit<step>(x, std::get<1>(jit<step>(x, few)));
    last = &f(x, std::get<1>(*last));
    EXPECT_TRUE(test::same_bits(dense_leaves(*last), dense_leaves(meant)));
    few = few * 2;
  }
}
// What does not fit is an error before the last result is touched.
TEST(compiled_object, keeps_its_last_result_when_extents_are_wrong) {
  constexpr auto add = [](auto x, auto y) { return x + y; };
  compiled<add, tensor<float, rows>, tensor<float, rows>> f;
  auto const x = filled<float, rows>(1, 30000), y = filled<float, rows>(3, 30000);
  auto const& last = f(x, y);
  EXPECT_THROW(f(x, filled<float, rows>(5, 29999)), shape_error);
  EXPECT_TRUE(test::same_bits(dense_leaves(last), dense_leaves(jit<add>(x, y))));
}

// Counts what it hands out, and checks that it gets the same back.
class counting_source final : public memory_source {
public:
  long blocks = 0;
  std::size_t bytes = 0;
  void* allocate(std::size_t n, std::size_t alignment) override {
    ++blocks, bytes += n;
    return heap_memory().allocate(n, alignment);
  }
  void release(void* p, std::size_t n, std::size_t alignment) noexcept override {
    --blocks, bytes -= n;
    heap_memory().release(p, n, alignment);
  }
};

TEST(memory, blocks_go_back_where_they_came_from) {
  counting_source counted;
  auto early = filled<float, 100>(1);
  memory_source& before = use_memory(counted);
  EXPECT_EQ(&before, &heap_memory());
  auto late = filled<float, 100>(3);
  EXPECT_EQ(counted.blocks, 1);
  EXPECT_GE(counted.bytes, 100 * sizeof(float));
  early = late;
  EXPECT_EQ(counted.blocks, 1);
  EXPECT_EQ(&use_memory(before), &counted);
  auto copy = late;
  copy.mutate()(3) = 1; // a block of its own, from the heap
  EXPECT_EQ(counted.blocks, 1);
  early = late = tensor<float, 100>{};
  EXPECT_EQ(counted.blocks, 0);
  EXPECT_EQ(counted.bytes, 0u);
}

TEST(memory, fixed_memory_takes_back_the_last_block) {
  alignas(64) std::byte memory[256];
  fixed_memory m(memory, sizeof memory);
  void *const a = m.allocate(100, 64), *const b = m.allocate(64, 64);
  EXPECT_EQ(static_cast<std::byte*>(b) - static_cast<std::byte*>(a), 128);
  EXPECT_THROW(m.allocate(65, 64), memory_error);
  EXPECT_THROW(m.allocate(~std::size_t{0} - 8, 64), memory_error); // the end does not wrap
  m.release(b, 64, 64);
  EXPECT_EQ(m.allocate(128, 64), b);
  m.release(a, 100, 64);
  EXPECT_EQ(m.used(), 256u);
  m.release(b, 128, 64);
  EXPECT_EQ(m.used(), 0u);
}

TEST(compiled_object, runs_on_a_pool_without_memory) {
  constexpr auto wide = [](auto x) { return std::pair(tanh(exp(x) + x), sum<0>(x)); };
  cpu::pool pool(2, 0);
  compiled<wide, tensor<float, 300, 300>> f(2);
  auto const x = filled<float, 300, 300>(1);
  EXPECT_EQ(memory_calls_of([&] {
              f(pool, x);
              f(pool, x);
            }),
            0);
  EXPECT_TRUE(test::same_bits(dense_leaves(f(pool, x)), dense_leaves(jit<wide>(x))));
}

// Named extents: planned at the first call with new numbers, free of memory when these come again.
TEST(compiled_object, named_extents_plan_once_per_binding) {
  constexpr auto centred = [](auto x) { return x - mean<0, keep>(x); };
  compiled<centred, tensor<float, rows, 40>> f;
  EXPECT_EQ(f.arena_bytes(), 0);
  auto const a = filled<float, rows, 40>(1, 30), b = filled<float, rows, 40>(3, 50);
  for (auto const& x : {a, b})
    EXPECT_TRUE(test::same_bits(dense_leaves(f(x)), dense_leaves(jit<centred>(x))));
  f(a);
  f(b); // result buffers have grown to the larger
  EXPECT_EQ(memory_calls_of([&] {
              f(a);
              f(b);
              f(a);
            }),
            0);
}

struct named_filter : program<filter, state<tensor>, block_of_samples, matrix> {};
TEST(compiled_object, of_a_named_program) {
  compiled_program<named_filter> f;
  state<tensor> s{};
  auto const xs = filled<float, 64, 40>(3);
  auto const w = filled<float, 40, 40>(5);
  EXPECT_TRUE(test::same_bits(dense_leaves(f(s, xs, w)), dense_leaves(jit<filter>(s, xs, w))));
  EXPECT_EQ(memory_calls_of([&] { f(s, xs, w); }), 0);
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// build: alone
// Collectives that are under way while other steps run: how many, over what, and that nobody uses
// their memory meanwhile. The group here writes into it when they are finished, not before.
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "support/host_functions.hpp"

#include <weft/cpu/rank_member.hpp>
#include <weft/lang/custom_call.hpp>
#include <weft/mesh.hpp>
#include <weft/partition.hpp>
#include <weft/run/explain.hpp>
#include <weft/testing/interpret_ranks.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>

namespace {

using namespace weft;

// The first of two ranks; from the other come zeros. A collective's memory is marked while it is under
// way; `at_once`: it is finished where it is started.
class zeros_from_others final : public cpu::rank_group {
public:
  explicit zeros_from_others(bool at_once) : at_once_(at_once) {}
  extent rank() const override { return 0; }
  extent world() const override { return 2; }
  void begin(graph_view, std::uint64_t&) override {}
  void failed(char const*) override {}
  void enters() override {}
  void start(collective const& c, int id, cpu::strided_array const& x, std::byte* out,
             cpu::scratch memory) override {
    EXPECT_EQ(c.kind, collective_kind::all_reduce);
    one_call call{id, std::vector<std::byte>(bytes_of(x)), out, memory};
    cpu::copy(static_cast<int>(x.element_bytes()), x.shape, x.first, x.strides, call.value.data(),
              row_major_strides(x.shape));
    if (at_once_) std::copy(call.value.begin(), call.value.end(), out);
    else {
      std::fill(out, out + call.value.size(), mark);
      std::fill(memory.memory, memory.memory + memory.bytes, mark);
    }
    under_way_.push_back(call);
    ++started_;
    most = std::max(most, under_way_.size());
    order += "+" + std::to_string(id);
  }
  std::int64_t started() const override { return started_; }
  void finish(std::int64_t number) override {
    ASSERT_LE(number, started_);
    while (started_ - static_cast<std::int64_t>(under_way_.size()) < number) finish_first();
  }
  void finish_first() {
    one_call const call = under_way_.front();
    under_way_.pop_front();
    order += "-" + std::to_string(call.id);
    if (at_once_) return;
    auto const marked = [](std::byte b) { return b == mark; };
    EXPECT_TRUE(std::all_of(call.out, call.out + call.value.size(), marked)) << call.id;
    EXPECT_TRUE(std::all_of(call.memory.memory, call.memory.memory + call.memory.bytes, marked))
        << call.id;
    std::copy(call.value.begin(), call.value.end(), call.out);
    std::fill(call.memory.memory, call.memory.memory + call.memory.bytes, std::byte{0x5a});
  }
  void abandon() noexcept override {
    abandoned += under_way_.size();
    if (!under_way_.empty()) given_up_ = started_;
    under_way_.clear();
  }
  std::int64_t given_up() const override { return given_up_; }

  std::size_t most = 0, abandoned = 0; // under way at once
  std::string order;

private:
  static constexpr std::byte mark{0xa5};
  struct one_call {
    int id;
    std::vector<std::byte> value;
    std::byte* out;
    cpu::scratch memory;
  };
  static std::size_t bytes_of(cpu::strided_array const& x) {
    return static_cast<std::size_t>(count_of(x.shape) * x.element_bytes());
  }
  bool at_once_;
  std::int64_t started_ = 0, given_up_ = 0;
  std::deque<one_call> under_way_;
};

// Of a run at once and of one that overlaps: the same bits.
zeros_from_others run_both(cpu::program_code const& code, growing<dense> const& inputs) {
  cpu::serial on;
  zeros_from_others at_once(true), later(false);
  auto const meant = test::run_code(code, inputs, on, &at_once);
  auto const found = test::run_code(code, inputs, on, &later);
  for (int k = 0; k < meant.size(); ++k)
    EXPECT_EQ(test::first_difference(found[k], meant[k]), -1) << k;
  EXPECT_EQ(later.abandoned, 0u);
  return later;
}
// Products and loops between the start and the finish of each collective, in their order.
std::vector<int> products_meanwhile(cpu::program_code const& code) {
  cpu::engine const e(code, bind_to(code.graph, {}), 1);
  std::vector<int> counts;
  for (int s = 0; s < e.exchanges().before().size(); ++s) {
    int const end = e.exchanges().before()[s];
    if (end < 0) continue;
    counts.push_back(0);
    for (int t = s + 1; t < end; ++t)
      counts.back() += code.plan.steps[t].kind == step_kind::contraction ||
                       code.plan.steps[t].kind == step_kind::loop;
  }
  return counts;
}

constexpr auto mlp_loss = [](auto a, auto b, auto c, auto x, auto y) {
  auto const h = tanh(einsum<"bi,ih->bh">(x, a));
  auto const k = tanh(einsum<"bi,ih->bh">(h, b));
  return mean(square(einsum<"bi,ih->bh">(k, c) - y));
};
constexpr auto sgd_step = [](auto a, auto b, auto c, auto x, auto y) {
  auto [u, v, w] = grad<0, 1, 2>([&](auto p, auto q, auto r) { return mlp_loss(p, q, r, x, y); })(
      a, b, c);
  return std::tuple(a - 0.1f * u, b - 0.1f * v, c - 0.1f * w);
};
growing<dense> some_inputs(graph_view g) {
  growing<dense> inputs;
  int next = 0;
  for (int id : g.parameters_of(0)) {
    dense x(g[id].type, g.shape(id));
    for (extent i = 0; i < x.size(); ++i)
      x.words[static_cast<int>(i)] = std::bit_cast<std::uint32_t>(
          static_cast<float>(next++ * 37 % 101 - 50) * 0.01f);
    inputs.push(x);
  }
  return inputs;
}
// The step of an MLP of three layers, its batch on two ranks.
graph mlp_on_two() {
  graph const whole = canonical(
      record<tensor<float, 24, 16>, tensor<float, 16, 20>, tensor<float, 20, 8>,
             tensor<float, 12, 24>, tensor<float, 12, 8>>(sgd_step));
  mesh_axes const on = mesh_of("data=2");
  growing<sharding> in, out;
  for (char const* t : {"[-, -]", "[-, -]", "[-, -]", "[data, -]", "[data, -]"})
    in.push(sharding_of(t, on));
  for (char const* t : {"[-, -]", "[-, -]", "[-, -]"}) out.push(sharding_of(t, on));
  return checked_partition(whole, on, in, out).program;
}
TEST(overlap, gradients_are_under_way_while_others_are_computed) {
  cpu::block_program<cpu::native_target> const program(mlp_on_two());
  zeros_from_others const group = run_both(program.code(), some_inputs(program.code().graph));
  // Of the last layer while two layers are derived, of the middle one while one is.
  EXPECT_EQ(products_meanwhile(program.code()), (std::vector<int>{3, 1, 0})) << group.order;
  EXPECT_EQ(group.most, 3u) << group.order;
}
TEST(overlap, explain_says_over_what) {
  cpu::block_program<cpu::native_target> const program(mlp_on_two());
  cpu::program_code const code = program.code();
  cpu::engine const e(code, bind_to(code.graph, {}), 1);
  std::string const text = weft::detail::explain_stages(0, code.graph, code.plan, code.code, &e);
  int found = 0, last = 0;
  for (std::size_t at = 0; (at = text.find(", under way over ", at)) != text.npos; ++at) ++found;
  for (std::size_t at = 0; (at = text.find(", finished at once", at)) != text.npos; ++at) ++last;
  EXPECT_EQ(found, 2) << text;
  EXPECT_EQ(last, 1) << text;
}
TEST(overlap, on_ranks_that_are_threads) {
  cpu::block_program<cpu::native_target> const program(mlp_on_two());
  std::vector<growing<dense>> const inputs(2, some_inputs(program.code().graph));
  auto const meant = weft::testing::interpret_ranks(mlp_on_two(), inputs);
  weft::testing::on_rank_threads(2, [&](rank_transport& here) {
    cpu::rank_member member(here);
    cpu::serial on;
    auto const r = static_cast<std::size_t>(here.rank());
    auto const found = test::run_code(program.code(), inputs[r], on, &member);
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(test::first_difference(found[k], meant[r][k]), -1) << r << " " << k;
  });
}

inline constexpr auto two = mesh<axis<"data", 2>>;
inline constexpr auto three = mesh<axis<"data", 3>>;
template <class... Args, class F> graph traced(F const& f) { return canonical(record<Args...>(f)); }
// What only the next turn reads is under way to the end of its own, and no longer; what is read behind
// the loop alone is under way while it runs.
TEST(overlap, ends_with_the_turn_of_a_loop) {
  graph const g = traced<tensor<float, 4, 6>, tensor<float, 6, 6>, tensor<float, 3, 4, 6>>(
      [](auto x, auto w, auto xs) {
        auto const before = all_reduce<two, "data">(w);
        auto [carry, ys] = weft::scan(
            [w](auto c, auto v) {
              auto const sum = all_reduce<two, "data">(c + v);
              return std::pair(sum, einsum<"bi,ih->bh">(tanh(c), w));
            },
            x, xs);
        return std::tuple(carry, ys, before);
      });
  cpu::block_program<cpu::native_target> const program(g);
  zeros_from_others const group = run_both(program.code(), some_inputs(program.code().graph));
  EXPECT_EQ(products_meanwhile(program.code()), (std::vector<int>{1, 1}));
  // The first is finished with the loop's first, which is waited for before the second turn.
  EXPECT_EQ(group.most, 2u) << group.order;
}
// Of no elements there is nothing to exchange, and nothing to wait for in its place.
TEST(overlap, of_an_empty_array_hides_no_other) {
  graph const g = traced<tensor<float, 4, 6>, tensor<float, 0, 6>>([](auto x, auto e) {
    return std::pair(all_reduce<two, "data">(x), all_reduce<two, "data">(e));
  });
  cpu::block_program<cpu::native_target> const program(g);
  zeros_from_others const group = run_both(program.code(), some_inputs(program.code().graph));
  EXPECT_EQ(std::count(group.order.begin(), group.order.end(), '+'), 1) << group.order;
  EXPECT_EQ(std::count(group.order.begin(), group.order.end(), '-'), 1) << group.order;
}
// Finishes each where it starts, as a rank does whose steps run in other places.
struct at_once final : cpu::rank_member {
  using cpu::rank_member::rank_member;
  void start(collective const& c, int id, cpu::strided_array const& x, std::byte* out,
             cpu::scratch memory) override {
    cpu::rank_member::start(c, id, x, out, memory);
    finish(started());
  }
};
// Of two rounds, with others of one round between them.
TEST(overlap, of_large_arrays_on_ranks_that_finish_elsewhere) {
  graph const g = traced<tensor<float, 50000>, tensor<float, 40000>, tensor<float, 5>>(
      [](auto x, auto y, auto z) {
        return std::tuple(all_reduce<three>(x), permute<three, "data", 1>(z), all_reduce<three>(y),
                          all_reduce<three>(z), tanh(z));
      });
  cpu::block_program<cpu::native_target> const program(g);
  std::vector<growing<dense>> inputs(3, some_inputs(program.code().graph));
  for (std::size_t r = 1; r < 3; ++r)
    for (dense& x : inputs[r])
      std::rotate(x.words.data(), x.words.data() + r, x.words.data() + x.size());
  auto const meant = weft::testing::interpret_ranks(g, inputs);
  weft::testing::on_rank_threads(3, [&](rank_transport& here) {
    cpu::rank_member late(here);
    at_once early(here);
    cpu::serial on;
    auto const r = static_cast<std::size_t>(here.rank());
    for (int turn = 0; turn < 3; ++turn) {
      cpu::rank_member& group = r == static_cast<std::size_t>(turn) ? early : late;
      auto const found = test::run_code(program.code(), inputs[r], on, &group);
      for (int k = 0; k < found.size(); ++k)
        EXPECT_EQ(test::first_difference(found[k], meant[r][k]), -1) << r << " " << k;
    }
  });
}
// An engine that runs among one group and then among another, which counts for itself.
TEST(overlap, of_one_group_and_then_of_another) {
  graph const g = traced<tensor<float, 6>>(
      [](auto x) { return std::pair(all_reduce<two>(x), tanh(x)); });
  cpu::block_program<cpu::native_target> const program(g);
  cpu::program_code const code = program.code();
  weft::testing::on_rank_threads(2, [&](rank_transport& here) {
    cpu::engine e(code, bind_to(code.graph, {}), 1);
    cpu::serial on;
    for (int turn = 1; turn < 4; ++turn) {
      cpu::rank_member group(here);
      e.join(&group);
      std::vector<float> const x(6, static_cast<float>(turn * (1 + here.rank())));
      std::vector<float> sum(6), other(6);
      void const* const inputs[] = {x.data()};
      void* const outputs[] = {sum.data(), other.data()};
      for (int run = 0; run < 4 - turn; ++run) e.run({inputs, 1}, {outputs, 2}, on);
      EXPECT_EQ(sum, std::vector<float>(6, static_cast<float>(3 * turn)));
    }
  });
}
// A run inside of a run, by a function of the host's, finishes what was started before its own.
TEST(overlap, of_runs_inside_of_runs) {
  graph const g = traced<tensor<float, 5>>([](auto x) { return all_reduce<two>(x); });
  collective const c = collective_of(g, graph_view(g).outputs_of(0)[0]);
  weft::testing::on_rank_threads(2, [&](rank_transport& here) {
    cpu::rank_member group(here);
    float mine[2] = {static_cast<float>(here.rank() + 1), 10.0f};
    float sums[2] = {};
    std::vector<std::byte> memory[2];
    for (int k = 0; k < 2; ++k) {
      memory[k].resize(4096);
      group.start(c, 0, {dtype::f32, reinterpret_cast<std::byte*>(&mine[k]), {1, {1}}, {1, {1}}},
                  reinterpret_cast<std::byte*>(&sums[k]), {memory[k].data(), 4096});
    }
    group.finish(2);
    group.finish(1);
    EXPECT_EQ(sums[0], 3);
    EXPECT_EQ(sums[1], 20);
    float again = 1;
    group.start(c, 0, {dtype::f32, reinterpret_cast<std::byte*>(&again), {1, {1}}, {1, {1}}},
                reinterpret_cast<std::byte*>(&sums[0]), {memory[0].data(), 4096});
    group.finish(3);
    EXPECT_EQ(sums[0], 2);
    EXPECT_EQ(group.started(), 3);
  });
}
// One that gives up, and whose error is caught, takes with it what the outer run has under way. Under
// MPI ranks that fail alike go on, as this transport does; the other rank's values are zeros.
struct zeros_come final : rank_transport {
  extent rank() const override { return 0; }
  extent world() const override { return 2; }
  int start(rank_call const&, view<given_bytes>, view<taken_bytes> takes) override {
    taken.push_back(takes);
    return static_cast<int>(taken.size()) - 1;
  }
  void finish(int number) override {
    for (taken_bytes const& t : taken[static_cast<std::size_t>(number)])
      std::memset(t.memory, 0, static_cast<std::size_t>(t.bytes));
  }
  void abandon() noexcept override {}
  std::vector<growing<taken_bytes>> taken;
};
growing<dense> six_of(float value) {
  dense x(dtype::f32, extents{1, {6}});
  for (auto& w : x.words) w = std::bit_cast<std::uint32_t>(value);
  growing<dense> inputs;
  inputs.push(x);
  return inputs;
}
// A function of the host's that runs a program of the same group's, which refuses negative elements.
struct runs_inside {
  static constexpr auto name = "runs_inside";
  static inline cpu::rank_group* group = nullptr;
  static inline int refused = 0;
  template <class T, auto... E> static tensor<T, E...> result(tensor<T, E...>);
  static void run(auto x, auto y) {
    cpu::block_program<cpu::native_target> const program(traced<tensor<float, 6>>(
        [](auto v) { return std::pair(all_reduce<two>(v), custom_call<test::refusing>(v)); }));
    cpu::serial on;
    try {
      test::run_code(program.code(), six_of(x.data()[0]), on, group);
    } catch (value_error const&) {
      ++refused;
    }
    for (extent i = 0; i < x.size(); ++i) y.data()[i] = x.data()[i];
  }
};
// Of f, whose first result is its operand: `lost` inner runs fail, the outer run with them.
template <class F> void expect_outer_run(F const& f, int lost) {
  cpu::block_program<cpu::native_target> const program(traced<tensor<float, 6>>(f));
  zeros_come here;
  cpu::rank_member group(here);
  cpu::serial on;
  runs_inside::group = &group;
  runs_inside::refused = 0;
  auto const expect_right = [&](growing<dense> const& inputs) {
    auto const found = test::run_code(program.code(), inputs, on, &group);
    EXPECT_EQ(test::first_difference(found[0], inputs[0]), -1);
  };
  expect_right(six_of(2));
  if (lost > 0) EXPECT_THROW(test::run_code(program.code(), six_of(-2), on, &group), usage_error);
  else expect_right(six_of(-2));
  EXPECT_EQ(runs_inside::refused, lost > 0 ? lost : 1);
  expect_right(six_of(3));
}
TEST(overlap, of_runs_inside_of_runs_that_give_up) {
  auto const inside = [](auto x) { return custom_call<runs_inside>(x); };
  expect_outer_run([=](auto x) { return std::pair(all_reduce<two>(x), inside(x)); }, 1);
  // Another is started and read before it.
  expect_outer_run(
      [=](auto x) { return std::pair(all_reduce<two>(x), tanh(all_reduce<two>(inside(x)))); }, 1);
  // Two give up.
  expect_outer_run([=](auto x) { return std::pair(all_reduce<two>(x), inside(inside(x))); }, 2);
  // There is nothing of the outer run's under way.
  expect_outer_run([=](auto x) { return all_reduce<two>(inside(x)); }, 0);
}
// An error between start and finish: nobody writes into memory that is about to go.
TEST(overlap, is_given_up_with_an_exception) {
  graph const g = traced<tensor<float, 4, 6>>(
      [](auto x) { return std::pair(all_reduce<two, "data">(x), custom_call<test::refusing>(x)); });
  cpu::block_program<cpu::native_target> const program(g);
  zeros_from_others group(false);
  cpu::serial on;
  growing<dense> const inputs = some_inputs(program.code().graph);
  EXPECT_THROW(test::run_code(program.code(), inputs, on, &group), std::exception);
  EXPECT_EQ(group.abandoned, 1u) << group.order;
}
// A function that has caught it returns, and has nothing for the caller.
TEST(overlap, is_given_up_and_caught) {
  graph const g = traced<tensor<float, 4, 6>>(
      [](auto x) { return std::pair(all_reduce<two, "data">(x), custom_call<test::refusing>(x)); });
  cpu::block_program<cpu::native_target> const program(g);
  growing<dense> const inputs = some_inputs(program.code().graph);
  weft::testing::on_rank_threads(2, [&](rank_transport& here) {
    cpu::rank_member group(here);
    cpu::serial on;
    EXPECT_THROW(test::run_code(program.code(), inputs, on, &group), value_error);
  });
}
// A collective whose start threw is nobody's to finish.
TEST(overlap, of_a_start_that_throws) {
  struct no_memory final : rank_transport {
    extent rank() const override { return 0; }
    extent world() const override { return 2; }
    int start(rank_call const&, view<given_bytes>, view<taken_bytes>) override {
      raise<memory_error>("no memory");
    }
    void finish(int number) override { ADD_FAILURE() << number; }
    void abandon() noexcept override {}
  } here;
  graph const g = traced<tensor<float, 5>>([](auto x) { return all_reduce<two>(x); });
  collective const c = collective_of(g, graph_view(g).outputs_of(0)[0]);
  cpu::rank_member group(here);
  float mine = 1, sum = 0;
  std::vector<std::byte> memory(4096);
  EXPECT_THROW(group.start(c, 0,
                           {dtype::f32, reinterpret_cast<std::byte*>(&mine), {1, {1}}, {1, {1}}},
                           reinterpret_cast<std::byte*>(&sum), {memory.data(), 4096}),
               memory_error);
  group.finish(group.started());
}
TEST(overlap, a_result_that_is_read_at_once_is_finished_at_once) {
  graph const g = traced<tensor<float, 4, 4>>(
      [](auto x) { return tanh(all_reduce<two, "data">(einsum<"ij,jk->ik">(x, x))); });
  cpu::block_program<cpu::native_target> const program(g);
  zeros_from_others const group = run_both(program.code(), some_inputs(program.code().graph));
  EXPECT_EQ(products_meanwhile(program.code()), (std::vector<int>{0}));
  EXPECT_EQ(group.most, 1u);
}

} // namespace

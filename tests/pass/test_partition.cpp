// SPDX-License-Identifier: BSL-1.0
// Which collectives partitioned programs contain and what they send; golden texts; what is refused.
// Values: tests/random/test_partition.cpp, tests/testing/test_partition_values.cpp.
#include <weft/graph/verify.hpp>
#include <weft/partition.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace weft;
using kind = detail::reshard_kind;

struct story {
  graph g;
  partitioned p;
  mesh_axes mesh;

  story(graph whole, char const* on, std::initializer_list<char const*> in,
        std::initializer_list<char const*> out)
      : g(std::move(whole)), mesh(mesh_of(on)) {
    growing<sharding> inputs, outputs;
    for (char const* t : in) inputs.push(sharding_of(t, mesh));
    for (char const* t : out) outputs.push(sharding_of(t, mesh));
    p = checked_partition(g, mesh, inputs, outputs);
    EXPECT_FALSE(verify(p.program)) << print(p.program);
  }
  // Times that the program does it, and the bytes of all.
  extent count(kind k) const {
    extent n = 0;
    for (partition_move const& m : p.moves) n += m.step.kind == k ? m.times : 0;
    return n;
  }
  extent count() const {
    extent n = 0;
    for (partition_move const& m : p.moves) n += m.times;
    return n;
  }
  extent bytes() const {
    extent n = 0;
    for (partition_move const& m : p.moves) n += m.bytes * m.times;
    return n;
  }
  std::string text() const { return print_partition(g, p, mesh); }
};
template <class... Args, class F> graph global(F const& f) { return canonical(record<Args...>(f)); }

constexpr auto mlp = [](auto x, auto w1, auto w2) {
  return einsum<"bh,ho->bo">(relu(einsum<"bi,ih->bh">(x, w1)), w2);
};
constexpr auto gradients = [](auto w1, auto w2, auto x, auto y) {
  return grad<0, 1>([&](auto a, auto b) { return mean(square(mlp(x, a, b) - y)); })(w1, w2);
};
template <int Batch, int In, int Hidden, int Out> graph gradients_of() {
  return global<tensor<float, In, Hidden>, tensor<float, Hidden, Out>, tensor<float, Batch, In>,
                tensor<float, Batch, Out>>(gradients);
}

TEST(partition, columns_then_rows_are_one_all_reduce) {
  story const s(global<tensor<float, 8, 6>, tensor<float, 6, 12>, tensor<float, 12, 4>>(mlp),
                "model=4", {"[-, -]", "[-, model]", "[model, -]"}, {"[-, -]"});
  EXPECT_EQ(s.text(), R"(mesh model=4: 4 ranks
%0 = parameter : f32(8, 6) [-, -]
%1 = parameter : f32(6, 12) [-, model], here (6, 3)
%2 = parameter : f32(12, 4) [model, -], here (3, 4)
%3 = contract %0 %1 : f32(8, 12) [-, model], here (8, 3)
%4 = constant : f32(8, 12) [-, model], here (8, 3)
%5 = less_equal %3 %4 : i1(8, 12) [-, model], here (8, 3)
%6 = constant : f32(8, 12) [-, model], here (8, 3)
%7 = select %5 %6 %3 : f32(8, 12) [-, model], here (8, 3)
%8 = contract %7 %2 : f32(8, 4) [-, -]
    all_reduce along model, 384 bytes, for the results
return %8: [-, -]
384 bytes in 1 collective
)");
}
TEST(partition, results_that_are_split_are_scattered_at_once) {
  story const s(global<tensor<float, 8, 6>, tensor<float, 6, 12>, tensor<float, 12, 4>>(mlp),
                "model=4", {"[-, -]", "[-, model]", "[model, -]"}, {"[model, -]"});
  EXPECT_EQ(s.count(), 1);
  EXPECT_EQ(s.count(kind::reduce_scatter), 1);
  EXPECT_EQ(s.bytes(), 3 * 8 * 4 * 4 / 4);
}
TEST(partition, split_batches_are_one_all_reduce_per_gradient) {
  story const s(gradients_of<8, 6, 12, 4>(), "data=4",
                {"[-, -]", "[-, -]", "[data, -]", "[data, -]"}, {"[-, -]", "[-, -]"});
  EXPECT_EQ(s.count(), 2) << s.text();
  EXPECT_EQ(s.count(kind::all_reduce), 2);
  EXPECT_EQ(s.bytes(), 3 * 4 * (6 * 12 + 12 * 4)); // small arrays: to each of 3 others
}
TEST(partition, split_weights_are_gathered_and_their_gradients_scattered) {
  story const s(gradients_of<64, 8, 12, 4>(), "data=4",
                {"[data, -]", "[data, -]", "[data, -]", "[data, -]"}, {"[data, -]", "[data, -]"});
  EXPECT_EQ(s.count(), 4) << s.text();
  EXPECT_EQ(s.count(kind::all_gather), 2);
  EXPECT_EQ(s.count(kind::reduce_scatter), 2);
  EXPECT_EQ(s.bytes(), 2 * 3 * 4 * (8 * 12 + 12 * 4) / 4);
}
TEST(partition, batches_and_hidden_units_over_two_axes) {
  story const s(gradients_of<8, 6, 12, 4>(), "data=2, model=2",
                {"[-, model]", "[model, -]", "[data, -]", "[data, -]"},
                {"[-, model]", "[model, -]"});
  EXPECT_EQ(s.count(), 3) << s.text(); // activations along model, two gradients along data
  EXPECT_EQ(s.count(kind::all_reduce), 3);
  EXPECT_EQ(s.bytes(), 4 * (4 * 4 + 6 * 6 + 6 * 4));
}
TEST(partition, a_weight_used_twice_is_combined_once) {
  auto const g = global<tensor<float, 8, 8>, tensor<float, 8, 8>>([](auto w, auto x) {
    return grad([&x](auto v) {
      return sum(square(einsum<"bh,ho->bo">(tanh(einsum<"bi,io->bo">(x, v)), v)));
    })(w);
  });
  story const s(g, "data=2", {"[-, -]", "[data, -]"}, {"[-, -]"});
  EXPECT_EQ(s.count(), 1) << s.text();
}
TEST(partition, sixteen_bit_sums_are_rounded_once) {
  auto const g = global<tensor<bf16, 8, 8>, tensor<bf16, 8, 4>>(
      [](auto x, auto w) { return einsum<"bi,io->bo">(x, w); });
  story const s(g, "model=2", {"[-, model]", "[model, -]"}, {"[-, -]"});
  graph_view const p = s.p.program;
  int combined = 0;
  for (int id = 0; id < p.size(); ++id)
    if (p[id].code == op::collective) combined += p[id].type == dtype::f32;
  EXPECT_EQ(combined, 1);
  EXPECT_EQ(p[p.outputs_of(0)[0]].type, dtype::bf16);
}

TEST(partition, checks_are_of_parts_and_prints_of_whole_arrays) {
  story const s(global<tensor<float, 8, 4>>([](auto x) { return check_finite<"x">(x); }), "data=2",
                {"[data, -]"}, {"[data, -]"});
  EXPECT_EQ(s.count(), 0) << s.text();
  story const t(global<tensor<float, 8, 4>>([](auto x) { return debug_print<"x">(x); }), "data=2",
                {"[data, -]"}, {"[data, -]"});
  EXPECT_EQ(t.count(kind::all_gather), 1) << t.text();
}

// ---- annotations
TEST(partition, shard_splits_what_leads_to_it_for_nothing) {
  auto const g = global<tensor<float, 8, 6>, tensor<float, 6, 12>, tensor<float, 12, 4>>(
      [](auto x, auto w1, auto w2) {
        auto h = shard<none, "model">(relu(einsum<"bi,ih->bh">(x, w1)));
        return einsum<"bh,ho->bo">(h, w2);
      });
  story const s(g, "model=4", {"[-, -]", "[-, -]", "[-, -]"}, {"[-, -]"});
  EXPECT_EQ(s.count(), 1) << s.text(); // of the sum alone: weights are sliced
  EXPECT_EQ(s.count(kind::all_reduce), 1);
  graph_view const p = s.p.program;
  for (int id = 0; id < p.size(); ++id) // every rank computes its hidden units
    if (p[id].code == op::contract && p.shape(id)[0] == 8 && p.shape(id)[1] != 4) {
      EXPECT_EQ(p.shape(id)[1], 3);
    }
}
TEST(partition, shard_says_whole_too) {
  auto const g = global<tensor<float, 8, 6>, tensor<float, 6, 8>>(
      [](auto x, auto w) { return einsum<"bi,io->bo">(x, shard<none, none>(w)); });
  story const s(g, "data=4", {"[data, -]", "[-, data]"}, {"[data, -]"});
  EXPECT_EQ(s.count(kind::all_gather), 1) << s.text();
  EXPECT_EQ(s.count(), 1);
}
int count_shards(graph_view g) {
  int n = 0;
  for (node const& x : g.nodes) n += x.code == op::shard;
  return n;
}
TEST(partition, shard_is_followed_by_derivatives_and_examples) {
  auto const f = [](auto x) { return sum(square(shard<"data", none>(exp(x)))); };
  graph const g = global<tensor<float, 4, 6>>([&](auto x) { return grad(f)(x); });
  EXPECT_EQ(count_shards(g), 2); // the cotangent is split alike
  EXPECT_EQ(count_shards(optimise(g)), 0);
  EXPECT_EQ(print(global<tensor<float, 3, 4>>(vmap([](auto x) { return shard<"data">(x); }))),
            "%0 = parameter {0} : f32(3, 4)\n%1 = shard %0 {[-, data]} : f32(3, 4)\nreturn %1\n");
}

// ---- loops
constexpr auto layers = [](auto ws, auto x) {
  auto const step = [](auto h, auto w) {
    auto y = tanh(einsum<"bi,io->bo">(h, w));
    return std::pair(y, y);
  };
  return scan(step, x, ws).first;
};
constexpr auto layer_gradients = [](auto ws, auto x) {
  return grad<0, 1>([](auto w, auto a) { return sum(square(layers(w, a))); })(ws, x);
};
using weights = tensor<float, 10, 8, 8>;
using rows = tensor<float, 16, 8>;
TEST(partition, a_scan_over_a_split_batch_exchanges_nothing) {
  story const s(global<weights, rows>(layers), "data=4", {"[-, -, -]", "[data, -]"}, {"[data, -]"});
  EXPECT_EQ(s.count(), 0) << s.text();
}
constexpr sym depth{"depth"};
TEST(partition, loops_of_named_length_are_named) {
  story const s(global<tensor<float, depth, 4, 4>, tensor<float, 8, 4>>([](auto ws, auto x) {
                  auto const step = [](auto h, auto w) {
                    return std::pair(einsum<"bi,io->bo">(h, w), none);
                  };
                  return scan(step, x, ws).first;
                }),
                "data=2", {"[-, -, -]", "[data, -]"}, {"[data, -]"});
  EXPECT_NE(s.text().find(", depth times\n"), std::string::npos) << s.text();
}
TEST(partition, gradients_of_stacked_weights_are_combined_once_behind_the_scan) {
  story const s(global<weights, rows>(layer_gradients), "data=4", {"[-, -, -]", "[data, -]"},
                {"[-, -, -]", "[data, -]"});
  EXPECT_EQ(s.count(), 1) << s.text();
  EXPECT_EQ(s.bytes(), 3 * 4 * 10 * 8 * 8);
}
TEST(partition, gradients_of_stacked_inputs_stay_split) {
  story const s(global<weights, rows>(layer_gradients), "data=4", {"[-, data, -]", "[data, -]"},
                {"[-, data, -]", "[data, -]"});
  EXPECT_EQ(s.count(kind::reduce_scatter), 1) << s.text();
  EXPECT_EQ(s.count(kind::all_reduce), 0);
}
TEST(partition, constants_of_a_loop_are_gathered_once) {
  auto const g = global<tensor<float, 8, 8>, rows>([](auto w, auto x) {
    auto const step = [w](auto h, none_t) {
      return std::pair(tanh(einsum<"bi,io->bo">(h, w)), none);
    };
    return scan<scan_options{.length = 20}>(step, x, none).first;
  });
  story const s(g, "data=4", {"[data, -]", "[data, -]"}, {"[data, -]"});
  EXPECT_EQ(s.count(), 1) << s.text();
  EXPECT_EQ(s.bytes(), 3 * 8 * 8 * 4 / 4);
}
TEST(partition, a_carry_that_accumulates_is_combined_once) {
  auto const g = global<tensor<float, 5, 8, 4>>([](auto xs) {
    auto const step = [](auto total, auto x) { return std::pair(total + sum<0>(x), none); };
    return scan(step, zeros<float, 4>(), xs).first;
  });
  story const s(g, "data=4", {"[-, data, -]"}, {"[-]"});
  EXPECT_EQ(s.count(), 1) << s.text();
  EXPECT_EQ(s.bytes(), 3 * 4 * 4);
}

// ---- resharding
graph identity_of(extents const& s) {
  recorder r;
  handle const x = r.input(dtype::f32, s, {0, 0, false});
  r.finish({&x, 1});
  return std::move(r.result);
}
TEST(partition, the_cheapest_way_from_one_sharding_to_another) {
  auto const way = [](char const* from, char const* to) {
    story const s(identity_of({2, {16, 16}}), "data=2, model=4", {from}, {to});
    std::string t;
    for (partition_move const& m : s.p.moves)
      t += std::string(detail::name_of(m.step.kind)) + " " + std::to_string(m.bytes) + "; ";
    return t;
  };
  EXPECT_EQ(way("[-, -]", "[data, model]"), "");
  EXPECT_EQ(way("[data, -]", "[data, model]"), "");
  EXPECT_EQ(way("[model, -]", "[-, model]"), "all_to_all 192; "); // 3/4 of 256 bytes
  EXPECT_EQ(way("[model, -]", "[-, -]"), "all_gather 768; ");
  EXPECT_EQ(way("[data*model, -]", "[-, -]"), "all_gather 896; "); // both at once
  EXPECT_EQ(way("[data*model, -]", "[data, model]"), "all_to_all 96; ");
  EXPECT_EQ(way("[data*model, -]", "[model*data, -]"), "all_gather 896; ");
  EXPECT_EQ(way("[data, -]", "[model, -]"), "all_gather 512; ");
}

// ---- what is refused
std::string refusal(char const* in, char const* out, graph g = identity_of({2, {6, 4}})) {
  try {
    story const s(std::move(g), "data=4, model=2", {in}, {out});
    return s.text();
  } catch (error const& e) {
    return e.what();
  }
}
TEST(partition, says_what_does_not_divide_or_is_not_there) {
  EXPECT_EQ(
      refusal("[data, -]", "[-, -]"),
      "weft: sharding: axis 0 of (6, 4) is no multiple of 4 parts along \"data\"; pad the array, "
      "or choose other axes (input 0)");
  EXPECT_EQ(
      refusal("[-, -]", "[-, data*model]"),
      "weft: sharding: axis 1 of (6, 4) is no multiple of 8 parts along \"data\"; pad the array, "
      "or choose other axes (output 0)");
  EXPECT_EQ(refusal("[host, -]", "[-, -]"), "weft: sharding: the mesh has no axis \"host\"");
  EXPECT_EQ(
      refusal("[model, model]", "[-, -]"),
      "weft: sharding: mesh axis \"model\" is named twice; an axis splits one axis of an array");
  EXPECT_EQ(refusal("[-, -, model]", "[-, -]"),
            "weft: sharding: an axis 2 is split over \"model\", and the array is (6, 4) (input 0)");
  EXPECT_EQ(refusal("[model, -", "[-, -]"),
            "weft: sharding: write \"[data, model*host, -]\": names of "
            "mesh axes per array axis, or -");
  EXPECT_EQ(
      refusal("[model, -]", "[-, -]", identity_of({2, {pack_name("rows"), 4}})),
      "weft: sharding: axis 0 of (rows, 4) is split over \"model\", and its extent is a name; "
      "give it a number (input 0)");
  EXPECT_EQ(refusal("[-, -]", "[-, -]", global<tensor<float, 6, 4>>([](auto x) {
                      return exp(shard<none, "host">(x));
                    })),
            "weft: sharding: the mesh has no axis \"host\" (shard, node 1)");
  recorder r;
  handle const x = r.input(dtype::f32, {1, {4}}, {0, 0, false});
  growing<extent> const self(1, 0);
  handle const y = exchange(x, {.ranks = self});
  r.finish({&y, 1});
  EXPECT_EQ(
      refusal("[-]", "[-]", r.result),
      "weft: partition: the function has a collective or axis_index; it is of whole arrays, and "
      "ranks exchange what that takes: node 1");
}
TEST(partition, meshes_as_text) {
  mesh_axes const m = mesh_of("data=2, model=4");
  EXPECT_EQ(m.ranks, 8);
  EXPECT_EQ(m.d[0].divisor, 4);
  EXPECT_EQ(mesh_of(" a = 3 ").ranks, 3);
  EXPECT_EQ(mesh_of("").ranks, 1);
  for (char const* bad : {"data", "data=", "data=0", "=2", "a=2,", "a=2,a=2", "a=2 b=2", "a=70000",
                          "a=300,b=300", "da-ta=2", "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1"})
    EXPECT_THROW(mesh_of(bad), usage_error) << bad;
  for (char const* large : {"a=65537", "a=7000000", "a=99999999999999999999", "a=300, b=300"}) {
    try {
      mesh_of(large);
      ADD_FAILURE() << large;
    } catch (usage_error const& e) {
      EXPECT_NE(std::string(e.what()).find("more than 65536 ranks"), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(mesh_of("a=65536").ranks, 65536);
}

} // namespace

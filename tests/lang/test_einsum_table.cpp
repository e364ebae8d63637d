// SPDX-License-Identifier: BSL-1.0
// Every string of einsum_table.hpp, recorded at run time: the graph is sound, and its values are
// those of the brute-force sum, for every kind of element, static and named extents, and gradients.
#include "einsum_cases.hpp"
#include "support/meaning.hpp"

#include <weft/graph/interpret.hpp>
#include <weft/transform/grad.hpp>

#include <cmath>

namespace einsum_cases {
namespace {

// Scattered integers, smaller where there are many factors, so that float sums are exact; sums of
// `large` ones need more bits than bf16 has.
std::vector<numbers> operands_for(einsum const& e, bool logic = false, bool large = false) {
  std::vector<numbers> r;
  unsigned seed = 7;
  int const most = e.in.size() < 4 ? (large ? 11 : 3) : (large ? 3 : 1);
  for (shape const& s : e.shapes) {
    r.emplace_back();
    for (long i = 0; i < einsum_reference::size_of(s); ++i) {
      seed = seed * 1664525u + 1013904223u;
      long const x = static_cast<long>(seed >> 16) % (2 * most + 1) - most;
      r.back().push_back(logic ? x == 0 : x);
    }
  }
  return r;
}
growing<dense> dense_of(std::vector<numbers> const& operands, std::vector<shape> const& shapes,
                        dtype type) {
  growing<dense> r;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    dense d(type, numbers_of(shapes[k]));
    for (int i = 0; i < d.size(); ++i)
      d[i] = static_cast<word>(
          bits_of(static_cast<double>(operands[k][static_cast<std::size_t>(i)]), type));
    r.push(d);
  }
  return r;
}
void expect_numbers(char const* spec, dense const& got, numbers const& expected, shape const& s) {
  EXPECT_EQ(got.shape, numbers_of(s)) << spec;
  ASSERT_EQ(static_cast<std::size_t>(got.size()), expected.size()) << spec;
  for (int i = 0; i < got.size(); ++i) {
    extent const bits = bits_of(static_cast<double>(expected[static_cast<std::size_t>(i)]),
                                got.type);
    ASSERT_EQ(got[i], static_cast<word>(bits))
        << spec << " element " << i << " is not " << expected[static_cast<std::size_t>(i)];
  }
}

void check(einsum_table::row const& row, growing<extents> const& shapes, dtype in, dtype out) {
  einsum const e(row.spec, shapes_of(row.shapes));
  std::vector<numbers> const operands = operands_for(e, in == dtype::boolean, in == dtype::bf16);
  growing<dense> const got = test::meaning_of(recorded(row.spec, shapes, in, out),
                                              dense_of(operands, e.shapes, in));
  numbers expected = e.sum(operands);
  if (out == dtype::boolean)
    for (long& x : expected) x = x != 0;
  ASSERT_EQ(got.size(), 1);
  expect_numbers(row.spec, got[0], expected, e.out_shape());
}

TEST(einsum_table, floats) {
  for (auto const& row : einsum_table::values)
    check(row, extents_of(shapes_of(row.shapes)), dtype::f32, dtype::f32);
}
TEST(einsum_table, integers) {
  for (auto const& row : einsum_table::values)
    if (einsum const e(row.spec, shapes_of(row.shapes)); small(e, 4000))
      check(row, extents_of(e.shapes), dtype::i32, dtype::i32);
}
TEST(einsum_table, bool_is_or_of_ands) {
  for (auto const& row : einsum_table::values)
    if (einsum const e(row.spec, shapes_of(row.shapes)); small(e, 4000)) {
      check(row, extents_of(e.shapes), dtype::boolean, dtype::boolean);
      check(row, extents_of(e.shapes), dtype::boolean, dtype::i32);
    }
}
// The sums are exact in float, but often not in bf16: rounded twice, some would move.
TEST(einsum_table, bf16_is_summed_in_float_and_rounded_once) {
  for (auto const& row : einsum_table::values)
    if (einsum const e(row.spec, shapes_of(row.shapes)); small(e, 4000)) {
      check(row, extents_of(e.shapes), dtype::bf16, dtype::f32);
      check(row, extents_of(e.shapes), dtype::bf16, dtype::bf16);
    }
}
TEST(einsum_table, named_extents) {
  for (auto const& row : einsum_table::values)
    if (einsum const e(row.spec, shapes_of(row.shapes)); small(e, 4000))
      check(row, names_of(e), dtype::f32, dtype::f32);
}

// An einsum is linear in each operand, so one step of 1 gives its derivative exactly.
void check_gradient(einsum_table::row const& row, growing<extents> const& shapes) {
  einsum const e(row.spec, shapes_of(row.shapes));
  std::vector<numbers> operands = operands_for(e);
  graph const g = recorded(row.spec, shapes, dtype::f32, dtype::f32, true);
  growing<int> wrt;
  for (int k = 0; k < shapes.size(); ++k) wrt.push(k);
  graph const d = value_and_grad(g, wrt);
  ASSERT_FALSE(verify(d)) << row.spec << " node " << verify(d).node;
  growing<dense> const got = test::meaning_of(d, dense_of(operands, e.shapes, dtype::f32));
  auto value = [&] {
    return std::bit_cast<float>(static_cast<std::uint32_t>(
        test::meaning_of(g, dense_of(operands, e.shapes, dtype::f32))[0][0]));
  };
  float const here = value();
  for (std::size_t k = 0; k < operands.size(); ++k) {
    numbers expected;
    for (long& x : operands[k]) {
      ++x;
      expected.push_back(std::lround(value() - here));
      --x;
    }
    dense const& gradient = got[static_cast<int>(k) + 1];
    for (int i = 0; i < gradient.size(); ++i)
      ASSERT_EQ(std::lround(std::bit_cast<float>(static_cast<std::uint32_t>(gradient[i]))),
                expected[static_cast<std::size_t>(i)])
          << row.spec << " operand " << k << " element " << i;
  }
}
TEST(einsum_table, gradients) {
  int n = 0;
  for (auto const& row : einsum_table::values)
    if (einsum const e(row.spec, shapes_of(row.shapes)); small(e, 60)) {
      check_gradient(row, extents_of(e.shapes));
      check_gradient(row, names_of(e));
      ++n;
    }
  EXPECT_GT(n, 100);
}

// Refused for the stated reason, in words that show the text; and so at run time.
TEST(einsum_table, invalid) {
  for (auto const& row : einsum_table::invalid) {
    growing<extents> const shapes = extents_of(shapes_of(row.shapes));
    einsum_fault const f = einsum_check(text_from(row.spec), shapes);
    EXPECT_STREQ(name_of(f.code), row.reason) << row.spec;
    std::string const words = text_of(f, text_from(row.spec)).c_str();
    EXPECT_NE(words.find(row.spec), std::string::npos) << words;
    EXPECT_THROW(recorded(row.spec, shapes, dtype::f32, dtype::f32), shape_error) << row.spec;
  }
}
std::string words_of(char const* spec, char const* shapes) {
  growing<extents> const s = extents_of(shapes_of(shapes));
  return text_of(einsum_check(text_from(spec), s), text_from(spec)).c_str();
}
TEST(einsum_table, words) {
  EXPECT_EQ(words_of("ij,jk->ik", "2x3,4x5"),
            "weft: einsum: a label has two extents; give it another name, or slice an operand "
            "(\"ij,jk->ik\": j is 3 in operand 0 and 4 in operand 1)");
  EXPECT_EQ(
      words_of("ij,jk->il", "2x3,3x5"),
      "weft: einsum: an output label that is in no operand; take it away (\"ij,jk->il\" at 8)");
  EXPECT_EQ(words_of("...i,...i", "2x3,4x3"),
            "weft: einsum: axes of '...' do not broadcast; give them the same extent, or 1 "
            "(\"...i,...i\": ellipsis axis 0 is 2 in operand 0 and 4 in operand 1)");
  EXPECT_EQ(words_of("ij", "2"),
            "weft: einsum: a term has more labels than its operand has axes; write one label per "
            "axis (\"ij\": operand 0 has 1 axes, its term 2 labels)");
}
TEST(einsum_table, names_are_not_each_other) {
  growing<extents> shapes;
  shapes.push({2, {pack_name("m"), pack_name("k")}});
  shapes.push({2, {pack_name("n"), pack_name("m")}});
  einsum_fault const f = einsum_check(text_from("ij,jk"), shapes);
  EXPECT_EQ(f.code, einsum_error::extent_mismatch);
  EXPECT_NE(
      std::string(text_of(f, text_from("ij,jk")).c_str()).find("j is k in operand 0 and n in"),
      std::string::npos);
}

// paths: no worse than the greedy one, and the ones everybody finds
detail::einsum_network network_of(einsum const& e) {
  detail::einsum_network w{.terms = static_cast<int>(e.in.size())};
  for (std::size_t k = 0; k < e.in.size(); ++k)
    for (char c : e.in[k]) w.term[k] |= detail::label_bit(c);
  for (char c : e.out) w.out |= detail::label_bit(c);
  for (auto const& [c, x] : e.extent) w.set_size(detail::label_index(c), x);
  return w;
}
TEST(einsum_paths, optimal_is_no_worse_than_greedy) {
  for (auto const& row : einsum_table::values)
    if (einsum const e(row.spec, shapes_of(row.shapes)); e.in.size() > 2) {
      auto const w = network_of(e);
      auto const best = detail::einsum_search(w).path(), greedy = detail::einsum_greedy(w).path();
      EXPECT_TRUE(best.found) << row.spec;
      EXPECT_EQ(best.steps, w.terms - 1) << row.spec;
      EXPECT_LE(best.cost, greedy.found ? greedy.cost : best.cost) << row.spec;
    }
}
TEST(einsum_paths, a_chain_starts_where_it_is_cheap) {
  auto first = [](char const* shapes) {
    return detail::plan_einsum(text_from("ij,jk,kl"), extents_of(shapes_of(shapes))).path.step[0];
  };
  EXPECT_EQ(first("2x9,9x9,9x9").a, 0);
  EXPECT_EQ(first("2x9,9x9,9x9").b, 1);
  EXPECT_EQ(first("9x9,9x9,9x2").a, 1);
  EXPECT_EQ(first("3x3,3x3,3x3").a, 0); // equal: the earlier operands
}
TEST(einsum_paths, many_operands) {
  std::string spec = "ab";
  std::string shapes = "2x2";
  for (int k = 1; k < 12; ++k) {
    spec += std::string(",") + static_cast<char>('a' + k) + static_cast<char>('b' + k);
    shapes += ",2x2";
  }
  spec += "->a" + std::string(1, 'm');
  auto const p = detail::plan_einsum(text_from(spec.c_str()), extents_of(shapes_of(shapes)));
  EXPECT_EQ(p.fault.code, einsum_error::sound);
  EXPECT_EQ(p.path.steps, 11);
  EXPECT_EQ(p.path.cost, 11 * 8);
  check({spec.c_str(), shapes.c_str()}, extents_of(shapes_of(shapes)), dtype::i32, dtype::i32);
}

} // namespace
} // namespace einsum_cases

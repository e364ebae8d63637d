// SPDX-License-Identifier: BSL-1.0
// Graphs of every op in which every number is replaced by hostile ones, one at a time: verify
// answers without overflow or a step outside an array (the sanitizers' builds see those), and what
// it lets through means something to the interpreter, or is refused with a shape_error.
#include "conformance/op_writer.hpp"
#include "support/meaning.hpp"

#include <weft/graph/bind_inputs.hpp>
#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace {

using namespace test;
using weft::graph;
using weft::pack_name;

constexpr extent hostile[] = {-1,
                              0,
                              1,
                              2,
                              5,
                              63,
                              64,
                              0x7ffffffe,
                              0x7fffffff,
                              0x80000000,
                              -0x7fffffff,
                              -0x80000000ll,
                              0x100000000,
                              extent{1} << 42,
                              extent{1} << 62,
                              -(extent{1} << 62),
                              std::numeric_limits<extent>::max(),
                              std::numeric_limits<extent>::min(),
                              std::numeric_limits<extent>::min() + 1,
                              pack_name("n"),
                              pack_name("other")};

// Little enough for the interpreter: elements of all nodes, times the steps of all loops.
bool is_small(weft::graph_view g) {
  extent elements = 0, steps = 1;
  for (int id = 0; id < g.size(); ++id) {
    elements += weft::detail::elements_of(g.shape(id));
    if (g[id].code == op::while_loop) return false; // may never end
    if (weft::is_loop(g[id].code)) steps *= 1 + std::max<extent>(weft::loop_of(g, id).length, 3);
    if (elements > 20000 || steps > 1000) return false;
  }
  return true;
}
struct answers {
  int refused = 0, sound = 0, meant = 0;
};
void ask(weft::graph_view g, answers& seen) {
  if (weft::verify(g)) {
    ++seen.refused;
    return;
  }
  ++seen.sound;
  EXPECT_FALSE(weft::print(g).empty());
  if (!is_small(g)) return;
  growing<weft::binding> names;
  names.push({pack_name("n"), 3}), names.push({pack_name("other"), 2});
  try {
    growing<weft::dense> inputs;
    for (int id : g.parameters_of(0))
      inputs.push(weft::dense(g[id].type, weft::detail::bound(g.shape(id), names), 1));
    test::meaning_of(g, inputs);
    ++seen.meant;
  } catch (weft::shape_error const&) { // what names hid
  } catch (weft::usage_error const&) { // a program for several ranks
  }
}
// Every number of g in turn, as every hostile number.
template <class T> void attack(graph& g, T& number, weft::view<T> with, answers& seen) {
  T const sound = number;
  for (T const& e : with) {
    number = e;
    ask(g, seen);
  }
  number = sound;
}
constexpr weft::view<extent> numbers{hostile, sizeof hostile / sizeof hostile[0]};
constexpr int hostile_indices[] = {
    -1, 0, 1, 2, 1000, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
constexpr weft::view<int> indices{hostile_indices, 7};
void attack_all(graph& g, answers& seen) {
  for (extent& a : g.attributes) attack(g, a, numbers, seen);
  for (extents& s : g.shapes) {
    for (int i = 0; i < s.rank; ++i) attack(g, s[i], numbers, seen);
    attack(g, s.rank, indices, seen);
  }
  for (int& o : g.operands) attack(g, o, indices, seen);
  for (weft::node& n : g.nodes)
    for (int* field : {&n.shape, &n.region, &n.body, &n.first_operand, &n.operand_count,
                       &n.first_attribute, &n.attribute_count})
      attack(g, *field, indices, seen);
  for (weft::region& r : g.regions)
    for (int* field : {&r.parent, &r.owner, &r.first_parameter, &r.parameter_count, &r.first_output,
                       &r.output_count})
      attack(g, *field, indices, seen);
}

TEST(hostile_graphs, are_refused_or_mean_something) {
  answers seen;
  for (int o = 0; o < weft::op_count; ++o)
    for (int turn : {o % 3, 3 + o % 4}) {
      op const code = static_cast<op>(o);
      bool const named = turn >= 3;
      op_writer w;
      extents const shape{2, {named ? pack_name("n") : 3, 4}};
      w.input(dtype::i8, {1, {shape[0]}}); // binds the name
      bool const words = weft::info_of(code).result == weft::type_rule::words;
      dtype const d = words ? dtype::u32 : turn % 2 == 0 ? dtype::f32 : dtype::i32;
      growing<handle> const made = w.made_by(code, d, shape, turn);
      if (made.empty()) continue;
      w.r.finish(made);
      graph g = std::move(w.r.result);
      ASSERT_FALSE(weft::verify(g)) << weft::name_of(code);
      attack_all(g, seen);
    }
  std::printf("%d refused, %d sound, %d interpreted\n", seen.refused, seen.sound, seen.meant);
  EXPECT_GT(seen.refused, 2 * seen.sound);
  EXPECT_GT(seen.meant, 1000);
}

// What numbers of names would overflow is refused by the run, before anything is computed.
template <class Write>
void expect_refused(Write const& write, extents const& shape, std::string const& says) {
  weft::recorder r;
  handle out = write(r);
  r.finish({&out, 1});
  ASSERT_FALSE(weft::verify(r.result));
  try {
    weft::bind_inputs(r.result, {&shape, 1});
    ADD_FAILURE() << "bound; expected " << says;
  } catch (weft::shape_error const& e) {
    EXPECT_EQ(e.what(), "weft: " + says);
  }
}
TEST(hostile_graphs, names_too_large_are_refused_by_the_run) {
  static constexpr extent n = pack_name("n");
  auto const x = [](weft::recorder& r) { return r.input(dtype::f32, {1, {n}}, {0, 0, false}); };
  extents const million{1, {1 << 20}}, giga{1, {extent{1} << 31}};
  extents const too_many{1, {(extent{1} << 42) + 1}};
  expect_refused(x, too_many,
                 "arrays: shape (4398046511105) has more than 2^42 elements; bind smaller extents");
  expect_refused(
      [&](weft::recorder& r) {
        extent const map[] = {1};
        handle const from = x(r);
        return r.emit(op::broadcast, dtype::f32, {2, {extent{1} << 30, n}}, {&from, 1}, {map, 1});
      },
      million,
      "arrays: shape (1073741824, 1048576) has more than 2^42 elements; bind smaller extents");
  expect_refused([&](weft::recorder& r) { return weft::arg_reduce(x(r), 1, false); }, giga,
                 "arg_reduce: int32 does not count the elements of (2147483648); take parts of at "
                 "most 2^31 - 1");
  expect_refused(
      [&](weft::recorder& r) {
        handle const from = x(r), index = weft::iota(r, dtype::f32, {1, {n}}, 0);
        return from + index;
      },
      giga,
      "iota: int32 does not count the elements of (2147483648); take parts of at most 2^31 - 1");
  expect_refused(
      [&](weft::recorder& r) {
        handle const both[] = {x(r), weft::constant(r, 0, dtype::f32, {})};
        extent const a[] = {0, 0, 0x7fffffff};
        return r.emit(op::pad, dtype::f32, {1, {n}}, {both, 2}, {a, 3});
      },
      million, "pad: 1048576 elements with 2147483647 between them are more than 2^42; pad less");
}

} // namespace

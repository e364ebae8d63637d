// SPDX-License-Identifier: BSL-1.0
// Every rule is broken once: a sound graph, one change, the rule that must answer.
#include "dense_values.hpp"

#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>

namespace {

using namespace test;

std::set<std::string> broken_so_far;

// g is sound, and after `change` breaks `expected`.
template <class Change> void expect_rule(rule expected, graph g, Change const& change) {
  ASSERT_EQ(name_of(verify(g).broken), std::string("none")) << "before, for " << name_of(expected);
  change(g);
  verify_error const e = verify(g);
  EXPECT_EQ(name_of(e.broken), std::string(name_of(expected))) << "at node " << e.node;
  broken_so_far.insert(name_of(expected));
}

// A graph of one node over inputs of these types and shapes; the node is the last.
struct input_of {
  dtype type;
  std::initializer_list<extent> shape;
};
graph one_node(op code, dtype type, std::initializer_list<extent> shape,
               std::initializer_list<input_of> inputs,
               std::initializer_list<extent> attributes = {}) {
  recorder r;
  growing<handle> x;
  for (input_of const& i : inputs) x.push(r.input(i.type, dims(i.shape), {x.size(), 0, false}));
  handle out = r.emit(code, type, dims(shape), x,
                      {attributes.begin(), static_cast<int>(attributes.size())});
  r.finish({&out, 1});
  return r.result;
}
node& last(graph& g) { return g.nodes.back(); }
extent& attribute(graph& g, int i) { return g.attributes[last(g).first_attribute + i]; }
void set_shape(graph& g, int id, std::initializer_list<extent> s) {
  g.nodes[id].shape = g.intern(dims(s));
}
void set_result(graph& g, std::initializer_list<extent> s) { set_shape(g, g.size() - 1, s); }

constexpr dtype f32 = dtype::f32, i32 = dtype::i32, u32 = dtype::u32, boolean = dtype::boolean,
                bf = dtype::bf16;

// Of one window {axis, size, stride, dilation}; `windows` is the node that has their shape.
void expect_windows(graph const& sound, int windows, rule lists, rule shapes) {
  expect_rule(lists, sound, [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(lists, sound, [](graph& g) { attribute(g, 0) = -1; });
  for (int i = 1; i < 4; ++i) {
    expect_rule(lists, sound, [i](graph& g) { attribute(g, i) = 0; });
    expect_rule(lists, sound, [i](graph& g) { attribute(g, i) = 0x80000000; });
  }
  expect_rule(shapes, sound, [](graph& g) { attribute(g, 2) = 3; });
  expect_rule(shapes, sound, [](graph& g) { attribute(g, 1) = attribute(g, 3) = 0x7fffffff; });
  expect_rule(shapes, sound, [windows](graph& g) { set_shape(g, windows, {3, 4, 3}); });
  expect_rule(shapes, sound, [windows](graph& g) { set_shape(g, windows, {3, 4}); });
}

graph sum() { return one_node(op::add, f32, {2, 3}, {{f32, {2, 3}}, {f32, {2, 3}}}); }

// scan of one carry, one x, one captured constant, one y:
// %0 carry, %1 x, %2 constant; body %3 carry, %4 x, %5 sum, %6 constant, %7 product; %8 scan, %9 %10
graph a_loop(extent length = 4) {
  recorder r;
  handle c = r.input(f32, dims({2}), {0, 0, false}),
         x = r.input(f32, dims({length, 2}), {1, 0, false}),
         k = r.input(f32, dims({2}), {2, 0, false});
  int const body = r.begin_body();
  handle carry = r.parameter(f32, dims({2})), element = r.parameter(f32, dims({2}));
  handle sum = carry + element, product = sum * k;
  handle outs[] = {product, sum};
  growing<handle> operands;
  operands.push(c), operands.push(x);
  operands.append(r.end_body(body, {outs, 2}));
  handle s = r.emit(op::scan, f32, {}, operands, encode(loop{1, 1, 1, length, false}), body);
  r.set_owner(body, s.id);
  handle results[] = {get(s, 0, f32, dims({2})), get(s, 1, f32, dims({length, 2}))};
  r.finish({results, 2});
  return r.result;
}
extent& count(graph& g, int i) { return g.attributes[g.nodes[8].first_attribute + i]; }

TEST(verify, regions) {
  expect_rule(rule::graph_1, sum(), [](graph& g) { g.regions.clear(); });
  expect_rule(rule::graph_1, sum(), [](graph& g) { g.regions[0].owner = 0; });
  expect_rule(rule::graph_1, a_loop(), [](graph& g) { g.regions[1].parent = 1; });
  expect_rule(rule::graph_8, a_loop(), [](graph& g) { g.regions[1].owner = 5; });
  expect_rule(rule::graph_8, a_loop(), [](graph& g) { g.nodes[9].body = 1; });
  expect_rule(rule::graph_8, sum(), [](graph& g) { g.add_region(0); });
  expect_rule(rule::graph_9, a_loop(), [](graph& g) { // a node of the body behind its owner
    g.nodes[10] = g.nodes[7], g.regions[0].output_count = 1;
  });
  expect_rule(rule::graph_9, a_loop(), [](graph& g) { // parameter 0 of the body before operand 0
    std::swap(g.nodes[0], g.nodes[3]);
    g.operands[g.regions[0].first_parameter] = 3;
    g.operands[g.regions[1].first_parameter] = 0;
    for (int k : {5, 8}) g.operands[g.nodes[k].first_operand] = k == 5 ? 0 : 3;
  });
  expect_rule(rule::graph_10, a_loop(),
              [](graph& g) { g.operands[g.regions[1].first_parameter] = 4; });
  expect_rule(rule::graph_10, a_loop(), [](graph& g) { g.regions[1].parameter_count = 2; });
  expect_rule(rule::graph_11, a_loop(),
              [](graph& g) { g.operands[g.regions[0].first_output] = 8; });
  expect_rule(rule::graph_11, a_loop(),
              [](graph& g) { g.operands[g.regions[0].first_output] = 5; });
  expect_rule(rule::graph_12, sum(), [](graph& g) { g.inputs.push({}); });
}
TEST(verify, nodes) {
  expect_rule(rule::graph_2, sum(), [](graph& g) { last(g).first_operand = 1000; });
  expect_rule(rule::graph_2, sum(), [](graph& g) { last(g).shape = -1; });
  expect_rule(rule::graph_2, sum(), [](graph& g) { last(g).attribute_count = 1000; });
  expect_rule(rule::graph_3, sum(), [](graph& g) { g.operands[last(g).first_operand] = 2; });
  expect_rule(rule::graph_3, a_loop(), [](graph& g) { g.operands[g.nodes[8].first_operand] = 3; });
  expect_rule(rule::graph_4, sum(), [](graph& g) { last(g).operand_count = 1; });
  expect_rule(rule::graph_5, one_node(op::reverse, f32, {2}, {{f32, {2}}}, {1}),
              [](graph& g) { last(g).attribute_count = 0; });
  expect_rule(rule::graph_6, sum(),
              [](graph& g) { g.shapes.push(dims({std::numeric_limits<extent>::min()})); });
  expect_rule(rule::graph_6, sum(),
              [](graph& g) { g.shapes.push(dims({-64})); }); // a gap in a name
  expect_rule(rule::graph_6, sum(), [](graph& g) { g.shapes.push({9, {}}); });
  expect_rule(rule::graph_6, sum(), [](graph& g) { g.shapes.push(dims({0x80000000})); });
  expect_rule(rule::graph_6, sum(), [](graph& g) {
    g.shapes.push(dims({0, 1 << 21, 1 << 21, 2}));
  });
  expect_rule(rule::graph_13,
              one_node(op::reshape, f32, {1 << 21, 1 << 21, 1}, {{f32, {1 << 21, 1 << 21}}}),
              [](graph& g) {
                node const one = last(g);
                for (int i = 0; i < 16384; ++i) g.nodes.push(one);
              });
  expect_rule(rule::graph_14, a_loop(), [](graph& g) {
    node const outermost = g.nodes[8];
    int parent = 1;
    for (int i = 0; i < 65; ++i) { // sound but for their number, as far as is looked
      int const body = g.add_region(parent);
      g.regions[body].owner = g.size();
      g.nodes.push(outermost), last(g).region = parent, last(g).body = body;
      parent = body;
    }
  });
  expect_rule(rule::graph_7, a_loop(), [](graph& g) {
    g.nodes[10] = g.nodes[8], g.nodes[10].code = op::neg, g.nodes[10].body = -1;
    g.nodes[10].first_operand = g.nodes[9].first_operand, g.nodes[10].operand_count = 1;
    g.nodes[10].attribute_count = 0;
  });
}
TEST(verify, types) {
  expect_rule(rule::type_1, sum(), [](graph& g) {
    for (node& n : g.nodes) n.type = boolean;
  });
  expect_rule(rule::type_1, one_node(op::iota, i32, {2}, {}, {0}),
              [](graph& g) { last(g).type = boolean; });
  expect_rule(rule::type_2, sum(), [](graph& g) { g.nodes[1].type = bf; });
  expect_rule(rule::type_2, one_node(op::select, f32, {}, {{boolean, {}}, {f32, {}}, {f32, {}}}),
              [](graph& g) { g.nodes[0].type = f32; });
  expect_rule(rule::type_3, sum(), [](graph& g) { last(g).type = bf; });
  expect_rule(rule::type_3, one_node(op::less, boolean, {}, {{f32, {}}, {f32, {}}}),
              [](graph& g) { last(g).type = f32; });
  expect_rule(rule::type_3, one_node(op::reshape, f32, {1}, {{f32, {}}}),
              [](graph& g) { last(g).type = i32; });
  expect_rule(rule::elementwise_1, sum(), [](graph& g) { set_shape(g, 1, {3, 2}); });
  expect_rule(rule::elementwise_1, sum(), [](graph& g) { set_shape(g, 1, {2, pack_name("n")}); });
  expect_rule(rule::bitcast_1, one_node(op::bitcast, u32, {}, {{f32, {}}}),
              [](graph& g) { last(g).type = bf; });
}
TEST(verify, sources) {
  expect_rule(rule::constant_1, one_node(op::constant, boolean, {}, {}, {1}),
              [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(rule::constant_1, one_node(op::constant, f32, {}, {}, {1}),
              [](graph& g) { attribute(g, 0) = -1; });
  graph table = one_node(op::constant, f32, {2}, {}, {0});
  table.constants = growing<word>(3, 0x10000u);
  table.attributes.push(0), ++last(table).attribute_count;
  expect_rule(rule::constant_2, table, [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(rule::constant_2, table, [](graph& g) { set_result(g, {pack_name("n")}); });
  expect_rule(rule::constant_1, table, [](graph& g) { last(g).type = bf; });
  expect_rule(rule::iota_1, one_node(op::iota, i32, {2}, {}, {0}),
              [](graph& g) { attribute(g, 0) = 1; });
  expect_rule(rule::get_1, a_loop(), [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(rule::get_1, a_loop(), [](graph& g) { g.operands[last(g).first_operand] = 0; });
  expect_rule(rule::get_2, a_loop(), [](graph& g) { last(g).type = i32; });
  expect_rule(rule::get_2, a_loop(), [](graph& g) { set_result(g, {4, 3}); });
}
TEST(verify, views) {
  graph const wide = one_node(op::broadcast, f32, {4, 3}, {{f32, {1, 3}}}, {0, 1});
  expect_rule(rule::broadcast_1, wide, [](graph& g) { attribute(g, 1) = 0; });
  expect_rule(rule::broadcast_1, wide, [](graph& g) { attribute(g, 1) = 2; });
  expect_rule(rule::broadcast_2, wide, [](graph& g) { set_result(g, {4, 4}); });
  expect_rule(rule::broadcast_2, wide, [](graph& g) { set_shape(g, 0, {pack_name("n"), 3}); });
  expect_rule(rule::reshape_1, one_node(op::reshape, f32, {6}, {{f32, {2, 3}}}),
              [](graph& g) { set_result(g, {5}); });
  extent const n = pack_name("n");
  graph const same = one_node(op::reshape, f32, {3, n}, {{f32, {n, 3}}});
  expect_rule(rule::reshape_1, same, [](graph& g) { set_result(g, {2, pack_name("n")}); });
  graph const turned = one_node(op::transpose, f32, {3, 2}, {{f32, {2, 3}}}, {1, 0});
  expect_rule(rule::transpose_1, turned, [](graph& g) { attribute(g, 0) = 0; });
  expect_rule(rule::transpose_2, turned, [](graph& g) { set_result(g, {2, 3}); });
  graph const part = one_node(op::slice, f32, {2, 2}, {{f32, {4, 2}}}, {1, 0, 4, 2, 2, 1});
  expect_rule(rule::slice_1, part, [](graph& g) { attribute(g, 2) = 5; });
  expect_rule(rule::slice_1, part, [](graph& g) { attribute(g, 4) = 0; });
  expect_rule(rule::slice_1, part, [](graph& g) {
    set_shape(g, 0, {pack_name("n"), 2});
    attribute(g, 2) = pack_name("m");
  });
  expect_rule(rule::slice_2, part, [](graph& g) { // the length has a name, the result has none
    set_shape(g, 0, {pack_name("n"), 2});
    attribute(g, 2) = before_end(1);
  });
  expect_rule(rule::slice_1, part, [](graph& g) { attribute(g, 4) = 0x80000000; });
  expect_rule(rule::slice_2, part, [](graph& g) { set_result(g, {3, 2}); });
  graph const back = one_node(op::reverse, f32, {4, 2}, {{f32, {4, 2}}}, {3});
  expect_rule(rule::reverse_1, back, [](graph& g) { attribute(g, 0) = 4; });
  expect_rule(rule::reverse_2, back, [](graph& g) { set_result(g, {2, 4}); });
  graph const over = one_node(op::window, f32, {3, 4, 2}, {{f32, {7, 4}}}, {0, 2, 2, 2});
  expect_windows(over, 1, rule::window_1, rule::window_2);
  expect_rule(rule::graph_5, over, [](graph& g) { last(g).attribute_count = 3; });
  expect_rule(rule::graph_5, over, [](graph& g) { last(g).attribute_count = 0; });
  expect_rule(rule::window_1, over, [](graph& g) { set_shape(g, 0, {pack_name("n"), 4}); });
  expect_rule(rule::window_2, over, [](graph& g) { set_shape(g, 0, {7, 1, 1, 1, 1, 1, 1, 1}); });
  graph const added = one_node(op::overlap_add, f32, {7, 4}, {{f32, {3, 4, 2}}}, {0, 2, 2, 2});
  expect_windows(added, 0, rule::overlap_add_1, rule::overlap_add_2);
  expect_rule(rule::overlap_add_1, added, [](graph& g) { set_result(g, {pack_name("n"), 4}); });
  expect_rule(rule::type_1, one_node(op::overlap_add, f32, {1}, {{f32, {1, 1}}}, {0, 1, 1, 1}),
              [](graph& g) { g.nodes[0].type = last(g).type = dtype::boolean; });
}
TEST(verify, windows_along_one_axis_twice) {
  graph const twice = one_node(op::window, f32, {3, 2, 2, 3}, {{f32, {4, 4}}},
                               {0, 1, 2, 3, 1, 1, 1, 1});
  expect_rule(rule::window_1, twice, [](graph& g) { attribute(g, 1) = 0; });
}
TEST(verify, moves) {
  graph const padded = one_node(op::pad, f32, {7}, {{f32, {3}}, {f32, {}}}, {1, 1, 1});
  expect_rule(rule::pad_1, padded, [](graph& g) { set_shape(g, 1, {1}); });
  expect_rule(rule::pad_2, padded, [](graph& g) { attribute(g, 2) = -1; });
  expect_rule(rule::pad_2, padded, [](graph& g) { attribute(g, 0) = 0x80000000; });
  expect_rule(rule::pad_2, padded, [](graph& g) { attribute(g, 1) = -0x80000000ll; });
  expect_rule(rule::pad_2, padded, [](graph& g) { attribute(g, 2) = 0x80000000; });
  expect_rule(rule::pad_3, padded, [](graph& g) { // 7 elements out of 2^32 and more
    attribute(g, 0) = attribute(g, 1) = -0x7fffffff, attribute(g, 2) = 0x7fffffff;
  });
  expect_rule(rule::pad_3, padded, [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(rule::pad_3, padded, [](graph& g) { set_shape(g, 0, {pack_name("n")}); });
  graph const joined = one_node(op::concat, f32, {2, 5}, {{f32, {2, 2}}, {f32, {2, 3}}}, {1});
  expect_rule(rule::concat_1, joined, [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(rule::concat_1, joined, [](graph& g) { last(g).operand_count = 0; });
  expect_rule(rule::concat_2, joined, [](graph& g) { set_shape(g, 0, {3, 2}); });
  expect_rule(rule::concat_3, joined, [](graph& g) { set_shape(g, 0, {2, 3}); });
  expect_rule(rule::concat_3, joined, [](graph& g) { set_shape(g, 0, {2, pack_name("n")}); });
  graph const window = one_node(op::dynamic_slice, f32, {2}, {{f32, {3}}, {i32, {}}});
  expect_rule(rule::dynamic_slice_1, window, [](graph& g) { g.nodes[1].type = u32; });
  expect_rule(rule::dynamic_slice_1, window, [](graph& g) { last(g).operand_count = 1; });
  expect_rule(rule::dynamic_slice_2, window, [](graph& g) { set_result(g, {4}); });
  expect_rule(rule::dynamic_slice_2, window, [](graph& g) { set_result(g, {pack_name("n")}); });
  graph const update = one_node(op::dynamic_update_slice, f32, {3},
                                {{f32, {3}}, {f32, {2}}, {i32, {}}});
  expect_rule(rule::dynamic_update_slice_1, update, [](graph& g) { set_shape(g, 2, {1}); });
  expect_rule(rule::dynamic_update_slice_2, update, [](graph& g) { set_shape(g, 1, {4}); });
  expect_rule(rule::dynamic_update_slice_3, update, [](graph& g) { set_result(g, {2}); });
}
TEST(verify, reductions) {
  graph const rows = one_node(op::reduce_sum, f32, {2}, {{f32, {2, 3}}}, {2});
  expect_rule(rule::reduce_1, rows, [](graph& g) { attribute(g, 0) = 0; });
  expect_rule(rule::reduce_1, rows, [](graph& g) { attribute(g, 0) = 4; });
  expect_rule(rule::reduce_2, rows, [](graph& g) { set_result(g, {3}); });
}
// nhc,kcf->nyf with bias; a window over h.
graph convolution_graph() {
  recorder r;
  handle const x = r.input(bf, dims({2, 5, 3}), {0, 0, false}),
               w = r.input(bf, dims({2, 3, 4}), {1, 0, false}),
               b = r.input(f32, dims({2, 4, 4}), {2, 0, false});
  convolution c;
  c.has_bias = true;
  c.rank_x = c.rank_w = c.rank_out = 3;
  c.x[0] = 'n', c.x[1] = 'h', c.x[2] = 'c';
  c.w[0] = 'k', c.w[1] = 'c', c.w[2] = 'f';
  c.out[0] = 'n', c.out[1] = 'y', c.out[2] = 'f';
  c.window[c.windows++] = {.x = 'h', .w = 'k', .out = 'y'};
  handle const y = convolve(x, w, c, dims({2, 4, 4}), bf, b);
  r.finish({&y, 1});
  return r.result;
}
TEST(verify, convolutions) { // flags, ranks, windows; window: labels, stride ...; labels
  graph const c = convolution_graph();
  int const window = convolution_head, labels = window + window_numbers;
  expect_rule(rule::convolve_1, c, [](graph& g) { attribute(g, 0) = 0; });
  expect_rule(rule::convolve_1, c, [](graph& g) { attribute(g, 1) = 2; });
  expect_rule(rule::convolve_1, c, [&](graph& g) { attribute(g, labels) = -1; });
  expect_rule(rule::convolve_2, c, [&](graph& g) { attribute(g, labels) = 'c'; });
  expect_rule(rule::convolve_3, c, [&](graph& g) { attribute(g, window) = 'n'; });
  expect_rule(rule::convolve_3, c, [&](graph& g) { attribute(g, labels + 5) = 'z'; });
  expect_rule(rule::convolve_4, c, [&](graph& g) { attribute(g, window + 3) = 0; });
  expect_rule(rule::convolve_4, c, [&](graph& g) { attribute(g, window + 4) = 0; });
  expect_rule(rule::convolve_4, c, [&](graph& g) { attribute(g, window + 5) = -1; });
  expect_rule(rule::convolve_4, c, [&](graph& g) { attribute(g, window + 6) = extent{1} << 31; });
  expect_rule(rule::convolve_5, c, [](graph& g) { set_shape(g, 1, {2, 4, 4}); });
  expect_rule(rule::convolve_6, c, [](graph& g) { last(g).type = i32; });
  expect_rule(rule::convolve_7, c, [](graph& g) { set_shape(g, 2, {2, 4}); });
}
TEST(verify, contractions) { // order, flags, ranks, labels: ij,jk->ik with start and bias
  graph const c = one_node(op::contract, bf, {2, 4},
                           {{bf, {2, 3}}, {bf, {3, 4}}, {f32, {2, 4}}, {bf, {2, 4}}},
                           {0, 3, 2, 2, 0, 1, 1, 2, 0, 2});
  expect_rule(rule::contract_1, c, [](graph& g) { attribute(g, 1) = 1; });
  expect_rule(rule::contract_1, c, [](graph& g) { attribute(g, 2) = 3; });
  expect_rule(rule::contract_2, c, [](graph& g) { attribute(g, 4) = 1; });
  expect_rule(rule::contract_3, c, [](graph& g) { attribute(g, 6) = 5; });
  expect_rule(rule::contract_9, c, [](graph& g) { attribute(g, 4) = attribute(g, 8) = -1; });
  expect_rule(rule::contract_9, c,
              [](graph& g) { attribute(g, 5) = attribute(g, 6) = extent{1} << 62; });
  expect_rule(rule::contract_4, c, [](graph& g) { set_shape(g, 1, {2, 4}); });
  expect_rule(rule::contract_5, c, [](graph& g) { set_result(g, {4, 2}); });
  expect_rule(rule::contract_6, c, [](graph& g) { last(g).type = i32; });
  expect_rule(rule::contract_7, c, [](graph& g) { g.nodes[2].type = bf; });
  expect_rule(rule::contract_7, c, [](graph& g) { attribute(g, 0) = 1; });
  expect_rule(rule::contract_8, c, [](graph& g) { set_shape(g, 3, {4}); });
  expect_rule(rule::type_2, c, [](graph& g) { g.nodes[1].type = f32; });
}
// x (5, 4, 3): axis 0 mapped and collapsed, axis 2 batched with axis 1 of the indices, axis 1 the
// window, first in the result: attributes drop, combine, window axes, collapsed, index axis,
// batches, mapped, 2, 1, 0, window.
graph a_gather() {
  return one_node(op::gather, f32, {4, 6, 3}, {{f32, {5, 4, 3}}, {i32, {6, 3, 1}}},
                  {0, 0, 0b001, 0b001, 2, 1, 1, 2, 1, 0, 1, 4, 1});
}
graph a_scatter() {
  return one_node(op::scatter, f32, {5, 3}, {{f32, {5, 3}}, {f32, {6, 3}}, {i32, {6}}},
                  {1, 1, 0b10, 0b01, 1, 0, 1, 0, 1, 3});
}
TEST(verify, gather_and_scatter) {
  graph const g = a_gather(), s = a_scatter();
  for (int i : {0, 1, 5, 6}) expect_rule(rule::gather_1, g, [i](graph& c) { attribute(c, i) = 2; });
  expect_rule(rule::gather_1, g, [](graph& c) { attribute(c, 3) = 0b101; }); // batched twice
  expect_rule(rule::gather_1, g, [](graph& c) { attribute(c, 7) = 3; });
  expect_rule(rule::gather_1, g, [](graph& c) { attribute(c, 8) = 2; }); // holds the numbers
  expect_rule(rule::gather_1, g, [](graph& c) { attribute(c, 9) = -1; });
  expect_rule(rule::gather_1, s, [](graph& c) { attribute(c, 1) = 5; });
  expect_rule(rule::gather_2, g, [](graph& c) { c.nodes[1].type = u32; });
  expect_rule(rule::gather_2, g, [](graph& c) { set_shape(c, 1, {6, 3, 2}); });
  expect_rule(rule::gather_3, g, [](graph& c) { attribute(c, 11) = 5; });
  expect_rule(rule::gather_3, g, [](graph& c) { attribute(c, 10) = 2; });
  expect_rule(rule::gather_3, g, [](graph& c) {
    set_shape(c, 0, {0, 4, 3});
  }); // nowhere to clamp to
  expect_rule(rule::gather_3, g, [](graph& c) { attribute(c, 11) = pack_name("n"); });
  expect_rule(rule::gather_4, g, [](graph& c) { attribute(c, 2) = 0b010; });
  expect_rule(rule::gather_4, g, [](graph& c) { attribute(c, 2) = 0b011; });
  expect_rule(rule::gather_4, g, [](graph& c) { set_result(c, {4, 6, 2}); });
  expect_rule(rule::gather_5, g, [](graph& c) { set_shape(c, 0, {5, 4, 2}); });
  expect_rule(rule::scatter_1, s, [](graph& c) { set_result(c, {4, 3}); });
  expect_rule(rule::scatter_2, s, [](graph& c) { set_shape(c, 1, {6, 2}); });
  expect_rule(rule::scatter_3, s,
              [](graph& c) { c.nodes[0].type = c.nodes[1].type = last(c).type = boolean; });
  expect_rule(rule::type_2, s, [](graph& c) { c.nodes[1].type = bf; });
  expect_rule(rule::type_3, s, [](graph& c) { last(c).type = bf; });
}
TEST(verify, orders) {
  graph const r = one_node(op::arg_reduce, i32, {3}, {{f32, {2, 3, 4}}}, {0b101, 0});
  expect_rule(rule::arg_reduce_1, r, [](graph& g) { attribute(g, 0) = 0; });
  expect_rule(rule::arg_reduce_1, r, [](graph& g) { attribute(g, 0) = 0b1101; });
  expect_rule(rule::arg_reduce_1, r, [](graph& g) { attribute(g, 1) = 2; });
  expect_rule(rule::arg_reduce_2, r, [](graph& g) { last(g).type = f32; });
  expect_rule(rule::arg_reduce_2, r, [](graph& g) { set_result(g, {2}); });
  expect_rule(rule::arg_reduce_3, r, [](graph& g) { set_shape(g, 0, {2, 3, 0}); });
  expect_rule(rule::arg_reduce_3, r, [](graph& g) { set_shape(g, 0, {1 << 16, 3, 1 << 15}); });
  graph const s = one_node(op::arg_sort, i32, {2, 3}, {{f32, {2, 3}}, {boolean, {2, 3}}},
                           {1, 0b10});
  expect_rule(rule::arg_sort_1, s, [](graph& g) { last(g).operand_count = 0; });
  expect_rule(rule::arg_sort_1, s, [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(rule::arg_sort_1, s, [](graph& g) { attribute(g, 1) = 4; });
  expect_rule(rule::arg_sort_2, s, [](graph& g) { last(g).type = u32; });
  expect_rule(rule::arg_sort_2, s, [](graph& g) { set_shape(g, 1, {3, 2}); });
  graph const o = one_node(op::observe, f32, {2, 3}, {{f32, {2, 3}}}, {2, 'a'});
  expect_rule(rule::observe_1, o, [](graph& g) { attribute(g, 0) = 3; });
  expect_rule(rule::observe_1, o, [](graph& g) { attribute(g, 1) = 1 << 24; });
  expect_rule(rule::observe_1, o, [](graph& g) { set_shape(g, 0, {3, 2}); });
}
TEST(verify, shards) {
  // axis 1 over "a" and "b": 1 and 2 of the alphabet
  graph const s = one_node(op::shard, f32, {2, 3}, {{f32, {2, 3}}}, {0, 2, 1, 0, 2, 0});
  expect_rule(rule::unbroken, s, [](graph&) {});
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 0) = 1; });
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 0) = -1; });
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 1) = 1; });
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 1) = 9; });
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 2) = 0; });
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 2) = -1; });
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 3) = 1; }); // "a", a gap, "a"
  expect_rule(rule::shard_1, s, [](graph& g) { attribute(g, 4) = 1; }); // "a" twice
  expect_rule(rule::shard_1, s, [](graph& g) { last(g).attribute_count = 5; });
  expect_rule(rule::graph_5, s, [](graph& g) { last(g).attribute_count = 1; });
  expect_rule(rule::shard_2, s, [](graph& g) { set_result(g, {3, 2}); });
}
TEST(verify, custom_calls) {
  weft::host_function const f{"f", [](weft::host_call const&) {}};
  graph c = one_node(op::custom_call, f32, {}, {{f32, {5, 2}}, {i32, {5}}},
                     {0, 1, 2, 3, 2, 5, 4, 3, 1, 5});
  c.regions[0].output_count = 0; // results are read by get
  for (int i = 3; i < 9; i += 4) attribute(c, i) = static_cast<extent>(f32);
  EXPECT_EQ(verify(c).broken, rule::custom_call_1); // no such function
  c.hosts.push(&f);
  for (int i : {0, 1, 2, 4, 8}) // one more or less than there is
    for (extent by : {-1, 1})
      if (!(i == 1 && by < 0)) // fewer batch axes are sound
        expect_rule(rule::custom_call_1, c, [&](graph& g) { attribute(g, i) += by; });
  expect_rule(rule::unbroken, c, [](graph& g) { attribute(g, 1) = 0; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { attribute(g, 1) = 9; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { attribute(g, 2) = extent{1} << 40; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { attribute(g, 3) = weft::dtype_count; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { attribute(g, 4) = 9; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { attribute(g, 5) = 6; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { attribute(g, 6) = extent{1} << 41; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { set_shape(g, 1, {4}); });
  expect_rule(rule::custom_call_1, c, [](graph& g) { g.hosts[0] = nullptr; });
  expect_rule(rule::custom_call_1, c, [](graph& g) { last(g).operand_count = 0; });
  expect_rule(rule::graph_5, c, [](graph& g) { last(g).attribute_count = 2; });
}
TEST(verify, collectives) {
  graph const k = one_node(op::rank, u32, {}, {}, {2, 4, 16});
  expect_rule(rule::rank_1, k, [](graph& g) { attribute(g, 0) = 0; });
  expect_rule(rule::rank_1, k, [](graph& g) { attribute(g, 2) = 4; });
  expect_rule(rule::rank_1, k, [](graph& g) { attribute(g, 2) = 20; });
  expect_rule(rule::rank_1, k, [](graph& g) { attribute(g, 1) = 65537; });
  expect_rule(rule::rank_1, k, [](graph& g) { last(g).type = i32; });
  expect_rule(rule::rank_1, k, [](graph& g) { set_result(g, {1}); });
  // all_to_all of 4 ranks, two by two, from axis 0 to axis 1
  graph const a = one_node(op::collective, f32, {2, 6}, {{f32, {4, 3}}},
                           {0, 1, 3, 0, 4, 2, 0, 2, 1, 3});
  expect_rule(rule::unbroken, a, [](graph&) {});
  expect_rule(rule::collective_1, a, [](graph& g) { attribute(g, 2) = 6; });
  expect_rule(rule::collective_1, a, [](graph& g) { attribute(g, 3) = -1; });
  expect_rule(rule::collective_1, a, [](graph& g) { attribute(g, 4) = 65537; });
  expect_rule(rule::collective_1, a, [](graph& g) { attribute(g, 5) = 0; });
  expect_rule(rule::collective_2, a, [](graph& g) { attribute(g, 4) = 5; });
  expect_rule(rule::collective_2, a, [](graph& g) { attribute(g, 5) = 3; });
  expect_rule(rule::collective_2, a, [](graph& g) { attribute(g, 7) = 0; });
  expect_rule(rule::collective_2, a, [](graph& g) { attribute(g, 9) = 4; });
  expect_rule(rule::collective_2, a, [](graph& g) { attribute(g, 2) = 5, attribute(g, 8) = 0; });
  expect_rule(rule::collective_3, a, [](graph& g) { attribute(g, 0) = 2; });
  expect_rule(rule::collective_3, a, [](graph& g) { attribute(g, 1) = -1; });
  expect_rule(rule::collective_3, a, [](graph& g) { attribute(g, 2) = 0; }); // all_reduce has none
  expect_rule(rule::collective_3, a, [](graph& g) { set_shape(g, 0, {5, 3}); });
  expect_rule(rule::collective_4, a, [](graph& g) { set_result(g, {2, 3}); });
  graph const s = one_node(op::collective, f32, {3}, {{f32, {3}}}, {0, 0, 0, 0, 2, 2, 1, 0});
  expect_rule(rule::unbroken, s, [](graph&) {});
  expect_rule(rule::collective_5, s, [](graph& g) { attribute(g, 3) = 4; });
  expect_rule(rule::collective_5, s, [](graph& g) { g.nodes[0].type = last(g).type = boolean; });
}
TEST(verify, loops) {
  expect_rule(rule::scan_1, a_loop(), [](graph& g) { count(g, 0) = -1; });
  expect_rule(rule::scan_1, a_loop(), [](graph& g) { count(g, 4) = 2; });
  expect_rule(rule::scan_1, a_loop(), [](graph& g) { count(g, 3) = 0x80000000; });
  expect_rule(rule::scan_1, a_loop(), [](graph& g) { // unroll
    growing<extent> const a(graph_view(g).attributes_of(8));
    g.nodes[8].first_attribute = g.attributes.size(), g.nodes[8].attribute_count = 6;
    g.attributes.append(a), g.attributes.push(65537);
  });
  expect_rule(rule::scan_1, a_loop(), [](graph& g) { // a user's derivative of a loop with steps
    growing<extent> const a(graph_view(g).attributes_of(8));
    g.nodes[8].first_attribute = g.attributes.size(), g.nodes[8].attribute_count = 7;
    g.attributes.append(a), g.attributes.push(1), g.attributes.push(1);
  });
  expect_rule(rule::scan_6, a_loop(), [](graph& g) {
    for (int id : {3, 4, 5, 6, 7}) set_shape(g, id, {2, 1, 1, 1, 1, 1, 1, 1});
  });
  expect_rule(rule::scan_2, a_loop(), [](graph& g) { count(g, 2) = 2; });
  expect_rule(rule::scan_2, a_loop(), [](graph& g) { g.nodes[8].operand_count = 2; });
  expect_rule(rule::scan_3, a_loop(), [](graph& g) { g.nodes[0].type = bf; });
  expect_rule(rule::scan_4, a_loop(), [](graph& g) { count(g, 3) = 5; });
  expect_rule(rule::scan_4, a_loop(), [](graph& g) { set_shape(g, 1, {4, 3}); });
  expect_rule(rule::scan_5, a_loop(), [](graph& g) { set_shape(g, 2, {3}); });
  EXPECT_FALSE(verify(a_loop(pack_name("time")))); // lengths may be names
}

// %0 flag, %1 carry; body %2 flag, %3 carry; %4 the loop.
graph conditional(op code) {
  recorder r;
  handle const flag = r.input(boolean, {}, {0, 0, false}), c = r.input(f32, {}, {1, 0, false});
  int const body = r.begin_body();
  handle const inside[] = {r.parameter(boolean, {}), r.parameter(f32, {})};
  growing<handle> operands;
  operands.push(flag), operands.push(c);
  operands.append(r.end_body(body, {inside, 2}));
  loop const l{.carries = 2, .length = code == op::cond ? 1 : 0};
  handle const node = r.emit(code, f32, {}, operands, encode(l), body);
  r.set_owner(body, node.id);
  handle out = get(node, 1, f32, {});
  r.finish({&out, 1});
  return r.result;
}
TEST(verify, conditions) {
  graph const loop_graph = conditional(op::while_loop), branch = conditional(op::cond);
  auto numbers = [](graph& g, int i) -> extent& {
    return g.attributes[g.nodes[4].first_attribute + i];
  };
  auto all_of_type = [](dtype d) {
    return [d](graph& g) { g.nodes[0].type = g.nodes[2].type = d; };
  };
  expect_rule(rule::while_1, loop_graph, [&](graph& g) { numbers(g, 3) = 1; });
  expect_rule(rule::while_1, loop_graph, all_of_type(i32));
  expect_rule(rule::cond_1, branch, [&](graph& g) { numbers(g, 3) = 2; });
  expect_rule(rule::cond_1, branch, [&](graph& g) { numbers(g, 4) = 1; });
  expect_rule(rule::cond_1, branch, all_of_type(i32));
  expect_rule(rule::scan_3, branch, [](graph& g) { g.nodes[0].type = i32; });
}

// Runs last in this file: the list above is complete, and the manual has every rule's text.
TEST(verify_rules, are_all_broken_above_and_explained) {
  std::ifstream file(WEFT_SOURCE_DIR "/docs/ops.md");
  std::stringstream manual;
  manual << file.rdbuf();
  for (int i = 1; i < rule_count; ++i) {
    rule const r = static_cast<rule>(i);
    EXPECT_TRUE(broken_so_far.contains(name_of(r))) << name_of(r);
    EXPECT_NE(manual.str().find("- **" + std::string(name_of(r)) + "** " + text_of(r)),
              std::string::npos)
        << "docs/ops.md lacks " << name_of(r) << ": " << text_of(r);
  }
}

constexpr bool sound_in_constant_evaluation() {
  recorder r;
  handle a = r.input(f32, dims({3}), {0, 0, false});
  handle out = a * a;
  r.finish({&out, 1});
  bool const sound = !verify(r.result);
  r.result.nodes[1].type = i32;
  return sound && verify(r.result).broken == rule::type_3 && verify(r.result).node == 1;
}
static_assert(sound_in_constant_evaluation());

} // namespace

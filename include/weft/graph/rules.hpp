// SPDX-License-Identifier: BSL-1.0
// The rules of a sound graph, numbered per op: what verify checks, docs/ops.md explains, and an
// error names. Leaves: name_of(rule) and text_of(rule) for every rule.
#pragma once

#include <cstdint>

namespace weft::inline v0 {

enum class rule : std::uint8_t {
  unbroken,
  graph_1,
  graph_2,
  graph_3,
  graph_4,
  graph_5,
  graph_6,
  graph_7,
  graph_8,
  graph_9,
  graph_10,
  graph_11,
  graph_12,
  graph_13,
  graph_14,
  type_1,
  type_2,
  type_3,
  elementwise_1,
  bitcast_1,
  constant_1,
  constant_2,
  iota_1,
  get_1,
  get_2,
  broadcast_1,
  broadcast_2,
  reshape_1,
  transpose_1,
  transpose_2,
  slice_1,
  slice_2,
  reverse_1,
  reverse_2,
  window_1,
  window_2,
  pad_1,
  pad_2,
  pad_3,
  concat_1,
  concat_2,
  concat_3,
  dynamic_slice_1,
  dynamic_slice_2,
  dynamic_update_slice_1,
  dynamic_update_slice_2,
  dynamic_update_slice_3,
  reduce_1,
  reduce_2,
  contract_1,
  contract_2,
  contract_3,
  contract_4,
  contract_5,
  contract_6,
  contract_7,
  contract_8,
  contract_9,
  gather_1,
  gather_2,
  gather_3,
  gather_4,
  gather_5,
  scatter_1,
  scatter_2,
  scatter_3,
  overlap_add_1,
  overlap_add_2,
  arg_reduce_1,
  arg_reduce_2,
  arg_reduce_3,
  arg_sort_1,
  arg_sort_2,
  observe_1,
  while_1,
  cond_1,
  scan_1,
  scan_2,
  scan_3,
  scan_4,
  scan_5,
  scan_6,
};
inline constexpr int rule_count = static_cast<int>(rule::scan_6) + 1;

namespace detail {

struct rule_row {
  rule number;
  char const* name;
  char const* text;
};

// clang-format off
inline constexpr rule_row rule_table[] = {
  {rule::unbroken, "none", "no rule is broken"},
  {rule::graph_1, "graph_1", "region 0 is the program: no parent, no owner; every other region has an earlier parent"},
  {rule::graph_2, "graph_2", "every index and range of a node or a region lies inside the graph's arrays"},
  {rule::graph_3, "graph_3", "operands are earlier nodes of the same region"},
  {rule::graph_4, "graph_4", "a node has as many operands as its op takes"},
  {rule::graph_5, "graph_5", "a node has as many attributes as its op reads"},
  {rule::graph_6, "graph_6", "a shape has at most 8 axes; an extent is 0 to 2^31 - 1, or a name; the numbers above 1 multiply to at most 2^42"},
  {rule::graph_7, "graph_7", "a node with several results is read by get alone"},
  {rule::graph_8, "graph_8", "a body belongs to one loop, which lives in the body's parent region"},
  {rule::graph_9, "graph_9", "a body's nodes come before its owner, and each of its parameters after the operand it stands for"},
  {rule::graph_10, "graph_10", "entry i of a region's parameter list is its parameter node number i, and no parameter is missing"},
  {rule::graph_11, "graph_11", "a region's outputs are its own nodes, of one result each"},
  {rule::graph_12, "graph_12", "every parameter of region 0 has an input_info"},
  {rule::graph_13, "graph_13", "all nodes together have at most 2^56 elements, names not counted"},
  {rule::graph_14, "graph_14", "bodies lie in each other at most 64 deep"},
  {rule::type_1, "type_1", "the op accepts the element type"},
  {rule::type_2, "type_2", "operands have one element type; select's first is boolean"},
  {rule::type_3, "type_3", "the node's element type is the one that the op gives"},
  {rule::elementwise_1, "elementwise_1", "operands have the node's shape"},
  {rule::bitcast_1, "bitcast_1", "both element types have the same size"},
  {rule::constant_1, "constant_1", "every word is the bits of an element of the node's type"},
  {rule::constant_2, "constant_2", "a table has numbers for extents and lies inside the graph's constants"},
  {rule::iota_1, "iota_1", "the axis is one of the node's"},
  {rule::get_1, "get_1", "the operand has several results, and the index is one of them"},
  {rule::get_2, "get_2", "type and shape are those of the result that is read"},
  {rule::broadcast_1, "broadcast_1", "the map is ascending and names an axis of the node for each axis of the operand"},
  {rule::broadcast_2, "broadcast_2", "each extent of the operand is 1 or that of the axis it becomes"},
  {rule::reshape_1, "reshape_1", "operand and node have the same number of elements: equal names, equal products of numbers; where a name is one's only, the run checks"},
  {rule::transpose_1, "transpose_1", "the attributes are a permutation of the axes"},
  {rule::transpose_2, "transpose_2", "axis i of the node has the extent of the operand's axis p[i]"},
  {rule::slice_1, "slice_1", "0 <= start <= limit <= extent and 1 <= stride < 2^31; of a named axis the limit is the name, or a place before its end, or a number, which the run checks"},
  {rule::slice_2, "slice_2", "each extent is (limit - start) / stride, rounded up; of a limit that is no number, a name"},
  {rule::reverse_1, "reverse_1", "the set names axes of the operand only"},
  {rule::reverse_2, "reverse_2", "the node has the operand's shape"},
  {rule::window_1, "window_1", "axes are the operand's, each once, of numbers; sizes, strides and dilations are 1 to 2^31 - 1"},
  {rule::window_2, "window_2", "each axis has as many places as windows fit, and the sizes stand behind all axes"},
  {rule::pad_1, "pad_1", "the filler has rank 0"},
  {rule::pad_2, "pad_2", "interior padding is at least 0, and 0 where a named axis is cropped; no padding is beyond 2^31 - 1"},
  {rule::pad_3, "pad_3", "each extent is low + n + (n - 1) interior + high, at least 0, where n + (n - 1) interior is at most 2^31 - 1; a padded named axis takes a name; a pad to the end, whose result is named, has no high"},
  {rule::concat_1, "concat_1", "there is a part, and the axis is one of every part's and the node's"},
  {rule::concat_2, "concat_2", "the other axes have the node's extents"},
  {rule::concat_3, "concat_3", "the axis has the sum of the parts' extents; with a named part it takes a name"},
  {rule::dynamic_slice_1, "dynamic_slice_1", "one rank-0 int32 start per axis"},
  {rule::dynamic_slice_2, "dynamic_slice_2", "the window has the operand's rank and is no larger; a name fits names only, and the run checks that it fits"},
  {rule::dynamic_update_slice_1, "dynamic_update_slice_1", "one rank-0 int32 start per axis"},
  {rule::dynamic_update_slice_2, "dynamic_update_slice_2", "the update has the operand's rank and is no larger; a name fits names only, and the run checks that it fits"},
  {rule::dynamic_update_slice_3, "dynamic_update_slice_3", "the node has the operand's shape"},
  {rule::reduce_1, "reduce_1", "the set of axes is not empty and names axes of the operand only"},
  {rule::reduce_2, "reduce_2", "the node has the axes that remain"},
  {rule::contract_1, "contract_1", "one label per axis of a, of b and of the node; start and bias are there iff they are declared"},
  {rule::contract_2, "contract_2", "the labels of one array are distinct"},
  {rule::contract_3, "contract_3", "every label stands in at least two of a, b and the result"},
  {rule::contract_4, "contract_4", "a label has one extent"},
  {rule::contract_5, "contract_5", "the node has the extents of its labels"},
  {rule::contract_6, "contract_6", "the node's element type is the operands', or the one they accumulate in"},
  {rule::contract_7, "contract_7", "a start continues a chain: the node's shape, in the accumulation type"},
  {rule::contract_8, "contract_8", "a bias has the node's shape, in the operands' element type or the accumulation type"},
  {rule::contract_9, "contract_9", "a label is 0 to 2^31 - 1"},
  {rule::gather_1, "gather_1", "the attributes are as many as they say and name axes that there are, each once"},
  {rule::gather_2, "gather_2", "indices are int32, and an index has a number for each mapped axis"},
  {rule::gather_3, "gather_3", "a window is 1 along collapsed and batching axes, else no larger than the operand; a name fits its own name only"},
  {rule::gather_4, "gather_4", "the node has the windows' axes where the attributes say, and the indices' axes at the other places"},
  {rule::gather_5, "gather_5", "batching axes of operand and indices have equal extents"},
  {rule::scatter_1, "scatter_1", "the node has the operand's shape"},
  {rule::scatter_2, "scatter_2", "the updates have the shape that gather would give"},
  {rule::scatter_3, "scatter_3", "bool is neither added nor multiplied"},
  {rule::overlap_add_1, "overlap_add_1", "axes are the node's, each once, of numbers; sizes, strides and dilations are 1 to 2^31 - 1"},
  {rule::overlap_add_2, "overlap_add_2", "the operand has the shape that window would give"},
  {rule::arg_reduce_1, "arg_reduce_1", "the set of axes is not empty and names axes of the operand only; the second attribute is 0 or 1"},
  {rule::arg_reduce_2, "arg_reduce_2", "the node is int32 and has the axes that remain"},
  {rule::arg_reduce_3, "arg_reduce_3", "there is an element to choose, and int32 counts them"},
  {rule::arg_sort_1, "arg_sort_1", "there is a key, the axis is one of its axes, and the set names keys only"},
  {rule::arg_sort_2, "arg_sort_2", "the node is int32 and has the shape of every key"},
  {rule::observe_1, "observe_1", "an observation that exists, a label of at most 60 characters, and the operand's shape"},
  {rule::while_1, "while_1", "no xs, no ys, length 0, not reversed; carry 0 is one bool"},
  {rule::cond_1, "cond_1", "length 1, not reversed; carry 0 is one bool"},
  {rule::scan_1, "scan_1", "counts and length are at least 0, reverse is 0 or 1, unroll is 1 to 65536, what is kept is known"},
  {rule::scan_2, "scan_2", "the body has a parameter for every operand, and as outputs the carries and the ys"},
  {rule::scan_3, "scan_3", "a carry has one type and shape: operand, parameter and output"},
  {rule::scan_4, "scan_4", "the parameter of an x has its type, and its shape without the leading axis, which is the length"},
  {rule::scan_5, "scan_5", "the parameter of a constant has its type and shape"},
  {rule::scan_6, "scan_6", "ys have at most 7 axes, since they are stacked"},
};
// clang-format on

consteval bool rules_in_order() {
  if (sizeof(rule_table) / sizeof(rule_row) != rule_count) return false;
  for (int i = 0; i < rule_count; ++i)
    if (static_cast<int>(rule_table[i].number) != i) return false;
  return true;
}
static_assert(rules_in_order());

} // namespace detail

constexpr char const* name_of(rule r) { return detail::rule_table[static_cast<int>(r)].name; }
constexpr char const* text_of(rule r) { return detail::rule_table[static_cast<int>(r)].text; }

} // namespace weft::inline v0

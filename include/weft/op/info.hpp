// SPDX-License-Identifier: BSL-1.0
// The vocabulary of the op table: op codes, and the plain columns of a row.
// Needs: core. Leaves: `op` and `op_info`; the rows themselves, with their rules, are in table.hpp.
#pragma once

#include <weft/core/dtype.hpp>

namespace weft::inline v0 {

enum class op : std::uint8_t {
  // elementwise
  add,
  sub,
  mul,
  div,
  neg,
  fma,
  abs,
  sqrt,
  exp,
  log,
  tanh,
  sigmoid,
  maximum,
  minimum,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  select,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shift_left,
  shift_right_logical,
  shift_right_arithmetic,
  threefry2x32,
  convert,
  bitcast,
  stop_gradient,
  exp2,
  expm1,
  log1p,
  log2,
  log10,
  softplus,
  reciprocal,
  rsqrt,
  cbrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  erfinv,
  lgamma,
  digamma,
  gelu,
  floor,
  ceil,
  trunc,
  round_even,
  round_away,
  sign,
  is_finite,
  is_nan,
  is_inf,
  pow,
  atan2,
  hypot,
  remainder,
  mod_floor,
  floor_divide,
  copysign,
  zeta,
  polygamma,
  popcount,
  count_leading_zeros,
  // sources
  constant,
  parameter,
  iota,
  get,
  // movement
  broadcast,
  reshape,
  transpose,
  slice,
  reverse,
  window,
  shard,
  pad,
  concat,
  dynamic_slice,
  dynamic_update_slice,
  gather,
  scatter,
  overlap_add,
  arg_sort,
  observe,
  rank,
  collective,
  custom_call,
  // reductions, products, loops
  reduce_sum,
  reduce_max,
  reduce_min,
  reduce_prod,
  arg_reduce,
  contract,
  convolve,
  while_loop,
  cond,
  scan,
};
inline constexpr int op_count = static_cast<int>(op::scan) + 1;
inline constexpr int elementwise_count = static_cast<int>(op::constant); // they come first

// How an op reaches a kernel.
enum class op_kind : std::uint8_t {
  elementwise, // one value per element of the iteration, fused
  source,      // no operand of its own, or a projection of another node
  view,        // another way to read its operand: offsets and strides
  move,        // copies elements, possibly to run-time places
  reduction,   // ends a fused group
  contraction, // products over shared labels
  loop,        // owns a region
};

// What an op does to element types. Operands of one node have one type unless the rule says more.
enum class type_rule : std::uint8_t {
  same,    // result has the operands' type
  compare, // result is boolean
  choose,  // operand 0 is boolean, the others and the result agree
  words,   // uint32 in, two uint32 results
  chosen,  // the node's type is stated (convert, bitcast, constant, parameter, iota, get)
  own,     // stated by the op's own rule (contract, scan)
};

// PyTorch's categories: lower_precision_fp, fp32, promote, and the input's own type.
enum class autocast_policy : std::uint8_t { low, full, promote, follow };

enum class types : std::uint8_t {
  floats = 1,
  integers = 2,
  numbers = 3,
  booleans = 4,
  bits = 6,
  any = 7
};

constexpr bool accepts(types t, dtype d) {
  types group = is_float(d) ? types::floats : is_integer(d) ? types::integers : types::booleans;
  return (static_cast<int>(t) & static_cast<int>(group)) != 0;
}

struct op_info {
  char const* name;
  op_kind kind;
  int arity; // -1: any number
  type_rule result;
  types accepts;
  autocast_policy policy;
  char const* stablehlo;
  double ulp; // stated bound on float32; 0: exact, 0.5: correctly rounded
  // Integers extended to a greater width: does the op give other low bits there than at their own?
  // Such ops get loops of their own in the block executor, and the interpreter computes them as what
  // they are.
  bool depends_on_width = false;
};
namespace detail {
inline constexpr bool own_width = true; // the last column of such a row
}

// The order of a contraction's additions, part of the node: see docs/numerics.md.
enum class contract_order : std::uint8_t { chain, lanes };

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Elementwise ops on words: every row's meaning in the scalar world, behind one table of functions
// that is made from the op table.
// Needs: operand words of the types that the row accepts. Leaves: bf16 is widened, computed in
// float and rounded once per node; select moves bits untouched.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/graph/results.hpp>
#include <weft/op/compute_type.hpp>
#include <weft/op/numeric_wide.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

// What elements of type D are computed as: scalar::f32 for bf16 too.
template <dtype D> using scalar_of = compute_type<scalar::f32, D>;

template <dtype D> constexpr scalar_of<D> read_word(word w) {
  using T = scalar_of<D>;
  if constexpr (is_half(D))
    return elementary::from_half_bits<D>(scalar::u32(static_cast<std::uint32_t>(w)));
  else return T(element_of_word<storage_of<D>>(w));
}
template <dtype D> constexpr word write_word(scalar_of<D> x) {
  if constexpr (is_half(D)) return elementary::half_bits<D>(x).value;
  else if constexpr (is_narrow_int<scalar_of<D>>)
    return word_of(static_cast<storage_of<D>>(x.value.value));
  else return word_of(x.value);
}

// One element: the op's operands as words, its result (threefry2x32: its two results) as words.
using word_function = void (*)(word const* operands, word* results);

template <op O, dtype In, dtype Out, int... I>
constexpr void apply_row(word const* x, word* results, std::integer_sequence<int, I...>) {
  constexpr type_rule rule = row<O>::info.result;
  if constexpr (rule == type_rule::chosen) {
    results[0] = write_word<Out>(row<O>::template meaning<In, Out>(read_word<In>(x[0])));
  } else if constexpr (rule == type_rule::choose) {
    scalar::mask const first(x[0] != 0);
    results[0] = row<O>::meaning(first, scalar::u64(x[1]), scalar::u64(x[2])).value;
  } else if constexpr (rule == type_rule::words) {
    auto const pair = row<O>::meaning(read_word<In>(x[I])...);
    results[0] = pair.first.value;
    results[1] = pair.second.value;
  } else {
    results[0] = write_word<Out>(row<O>::meaning(read_word<In>(x[I])...));
  }
}
template <op O, dtype In, dtype Out> constexpr void apply_row(word const* operands, word* results) {
  apply_row<O, In, Out>(operands, results, std::make_integer_sequence<int, row<O>::info.arity>{});
}

template <op O, dtype In, dtype Out> consteval word_function function_of() {
  if constexpr (is_elementwise(O) && is_typed(O, In, Out)) return &apply_row<O, In, Out>;
  else return nullptr;
}

struct elementwise_table {
  word_function of[op_count][dtype_count][dtype_count]{};
};
template <op O, int... Pair>
consteval void fill_row(elementwise_table& t, std::integer_sequence<int, Pair...>) {
  ((t.of[static_cast<int>(O)][Pair / dtype_count][Pair % dtype_count] = function_of<
        O, static_cast<dtype>(Pair / dtype_count), static_cast<dtype>(Pair % dtype_count)>()),
   ...);
}
template <int... I> consteval elementwise_table all_functions(std::integer_sequence<int, I...>) {
  elementwise_table t;
  (fill_row<static_cast<op>(I)>(t, std::make_integer_sequence<int, dtype_count * dtype_count>{}),
   ...);
  return t;
}
inline constexpr elementwise_table word_functions = all_functions(
    std::make_integer_sequence<int, op_count>{});

} // namespace detail

// The meaning of an elementwise op on elements of type `in`, giving `out`; null: no such op.
constexpr detail::word_function word_function_of(op o, dtype in, dtype out) {
  return detail::word_functions
      .of[static_cast<int>(o)][static_cast<int>(in)][static_cast<int>(out)];
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Runs an expression: its type, replayed over traced leaves, is a program like any that jit runs;
// in constant evaluation the graph is interpreted. The result goes straight into the tensor.
// Needs: an expression whose every name an operand has. Leaves: every element of the result
// written; shape_error where the extents of operands disagree.
#pragma once

#include <weft/run/program.hpp> // first: errors print the way to it

#include <weft/graph/interpret.hpp>
#include <weft/lang/assignable.hpp>
#include <weft/lang/expression_associative_scan.hpp>
#include <weft/lang/expression_choices.hpp>
#include <weft/lang/expression_composites.hpp>
#include <weft/lang/expression_conv.hpp>
#include <weft/lang/expression_distributions.hpp>
#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/expression_indexing.hpp>
#include <weft/lang/expression_map.hpp>
#include <weft/lang/expression_movement.hpp>
#include <weft/lang/expression_nn.hpp>
#include <weft/lang/expression_products.hpp>
#include <weft/lang/expression_random.hpp>
#include <weft/lang/expression_scan.hpp>
#include <weft/lang/expression_segments.hpp>
#include <weft/lang/expression_sort.hpp>
#include <weft/lang/expression_statistics.hpp>
#include <weft/lang/expression_while.hpp>
#include <weft/run/small_runner.hpp>

namespace weft::inline v0 {
namespace detail {

template <class T, auto... E> constexpr dense dense_of(tensor<T, E...> const& x) {
  dense d(dtype_of<T>, x.shape());
  T const* from = x.data();
  for (int i = 0; i < d.size(); ++i) d[i] = word_of(from[i]);
  return d;
}
constexpr dense dense_of(key const& k) {
  dense d(dtype::u32, {1, {2}});
  d[0] = k.high;
  d[1] = k.low;
  return d;
}

template <class Tree, int... I, class... Leaf, class Tensor>
constexpr void interpret_into(held_all<std::integer_sequence<int, I...>, Leaf...> const& leaves,
                              Tensor& out) {
  using T = typename Tensor::element_type;
  leaf_extents const all[] = {extents_of(item<I>(leaves))...};
  view<leaf_extents> const operands{all, sizeof...(Leaf)};
  growing<dense> inputs;
  (inputs.push(dense_of(value_of(item<I>(leaves), operands))), ...);
  growing<dense> const results = interpret(record<leaf_value_t<Leaf>...>(replay<Tree>{}), inputs);
  T* to = writable(out);
  for (int i = 0; i < results[0].size(); ++i) to[i] = element_of_word<T>(results[0][i]);
}

// Target is in the names of what is not inlined: units with different -march keep their own.
template <class P, class Target, int... I, class... Leaf, class Tensor>
void run_large_into(held_all<std::integer_sequence<int, I...>, Leaf...> const& leaves,
                    Tensor& out) {
  leaf_extents const all[] = {extents_of(item<I>(leaves))...};
  view<leaf_extents> const operands{all, sizeof...(Leaf)};
  cpu::serial here;
  runner<source<P, Target>>::here().into(here, out, value_of(item<I>(leaves), operands)...);
}
// A small program's leaves are copied into its caller's registers.
template <class Tree, int... I, class... Leaf, class Tensor>
WEFT_INLINE void run_into(held_all<std::integer_sequence<int, I...>, Leaf...> const& leaves,
                          Tensor& out) {
  using P = program<replay<Tree>{}, leaf_value_t<Leaf>...>;
  if constexpr (well_recorded<P>()) {
    if constexpr (is_small<P>) {
      view<leaf_extents> const none_named;
      small_runner<P, cpu::native_target>::into(out, value_of(item<I>(leaves), none_named)...);
    } else run_large_into<P, cpu::native_target>(leaves, out);
  }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wc++23-extensions" // WEFT_IF_CONSTANT
#endif
template <class R, class Tree, class... Leaf, class Tensor>
constexpr void evaluate(expr<R, Tree, Leaf...> const& x, Tensor& out) {
  WEFT_IF_CONSTANT { interpret_into<Tree>(x.leaves, out); }
  else {
    run_into<Tree>(x.leaves, out);
  }
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <class Expression> struct tree_of; // a tensor after an error has none
template <class R, class Tree, class... Leaf> struct tree_of<expr<R, Tree, Leaf...>> {
  using type = Tree;
};
template <class Expression, class P, class Target, class... Tensor>
auto computed_apart(Tensor const&... x) {
  tensor_like<Expression> out;
  if constexpr (!is_small<P>) {
    out = out.uninitialised(out.pattern);
    run_large_into<P, Target>(pack_of(x...), out); // operands stay as they are, whoever it calls
  } else {
    cpu::serial here;
    out = small_runner<P, Target>::here()(here, x...);
  }
  return out;
}
template <class Expression, class... Tensor> WEFT_INLINE auto computed_of(Tensor const&... x) {
  if constexpr (expression<Expression>) {
    using P = program<replay<typename tree_of<Expression>::type>{}, Tensor...>;
    if constexpr (well_recorded<P>()) {
      if constexpr (is_small<P> && tensor_like<Expression>::is_inline) {
        tensor_like<Expression> out;
        small_runner<P, cpu::native_target>::into(out, x...);
        return out;
      } else return computed_apart<Expression, P, cpu::native_target>(x...);
    } else return tensor_like<Expression>();
  } else return tensor_like<Expression>();
}

template <class R, class Tree, class... Leaf>
constexpr extents derived_shape(expr<R, Tree, Leaf...> const&, view<leaf_extents> operands) {
  growing<extents> shapes;
  for (leaf_extents const& leaf : operands) shapes.push(leaf.numbers);
  extents const declared[] = {leaf_value_shape<Leaf>...};
  for (int k = 0; k < shapes.size(); ++k)
    if (operands[k].declared.rank == 0) {
      shapes[k] = declared[k];
      for (int i = 0; i < shapes[k].rank; ++i) shapes[k][i] = number_of(shapes[k][i], operands);
    }
  graph const g = record<leaf_value_t<Leaf>...>(replay<Tree>{});
  growing<binding> const names = bind_inputs(g, shapes);
  extents s = R::shape_type::value;
  for (int i = 0; i < s.rank; ++i) s[i] = bound(s[i], names);
  return s;
}

} // namespace detail
} // namespace weft::inline v0

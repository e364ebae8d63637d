// SPDX-License-Identifier: BSL-1.0
// The immediate door: expr<R, Tree, Leaf...>, what an elementwise function or a view of tensors
// returns. It owns its operands (tensors, by value: a handle, or at most 64 bytes), so it can be
// stored, returned and outlive them; nothing is computed before it is stored into a tensor, read
// as a number (rank 0) or given to eval. A C++ number is an operand of rank 0 in the dtype of the
// array that it meets.
// The type R, traced<T, E...>, is what the typed functions of the traced door give for the
// operands' types: the two doors share every rule and every error text.
// Needs: run/evaluate.hpp wherever something is computed. Leaves: `lazily<F>(x...)` for calls that
// stay expressions, `now<F>(x...)` for the rest; the functions are in expression_*.hpp.
// An operand that occurs twice is two operands, because a type does not name its tensors: one more
// read of the same memory. An expression that occurs twice is computed twice, and lines like
// `y = tanh(y * y)` double it: five of them are 31 tanh in one kernel (30 s to compile, g++ 12;
// with eval on every line twelve take 4 s). Write `auto h = eval(...)` for what is used again.
#pragma once

#include <weft/graph/bind_inputs.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/expression_tree.hpp>
#include <weft/lang/key.hpp>

namespace weft::inline v0 {

template <class Result, class Tree, class... Leaf> struct expr;

namespace detail {
template <class X> inline constexpr bool is_array_value = false;
template <class T, auto... E> inline constexpr bool is_array_value<tensor<T, E...>> = true;
template <class T, auto... E> inline constexpr bool is_array_value<borrowed<T, E...>> = true;
template <class R, class Tree, class... Leaf>
inline constexpr bool is_array_value<expr<R, Tree, Leaf...>> = true;
template <class R, class Tree, class... Leaf>
inline constexpr bool is_maker_expression<expr<R, Tree, Leaf...>> = (is_made<Leaf> && ...);
} // namespace detail

// The tensor of an array's element type and shape.
template <class X>
using tensor_like = array_of<tensor, typename X::element_type, X::shape_type::value>;

// Values now: a tensor, somebody's memory, or an expression of these.
// (These concepts look through references: functions of this door forward.)
template <class X> concept array_value = detail::is_array_value<std::remove_cvref_t<X>>;
// What a function of one array takes: a maker, too.
template <class X> concept value_operand = array_value<X> || maker_like<std::remove_cvref_t<X>>;
template <class X>
concept immediate_operand = array_value<X> || maker_like<std::remove_cvref_t<X>> ||
                            number_literal<std::remove_cvref_t<X>>;

namespace detail {
template <class... X>
concept call_with_arrays = ((array_value<X> && !maker_expression<X>) || ...) &&
                           ((immediate_operand<X> || traced_leaf<X>)&&...);
template <class X> concept from_makers = maker_like<X> || maker_expression<X>;
template <class... X>
concept call_of_makers = (from_makers<X> || ...) && ((from_makers<X> || number_literal<X>)&&...);
} // namespace detail

// The constraint of every function of this door. A traced operand next to a tensor comes here too,
// for its error.
template <class... X>
concept immediate_call = detail::call_with_arrays<std::remove_cvref_t<X>...> ||
                         detail::call_of_makers<std::remove_cvref_t<X>...>;

namespace detail {

inline constexpr int most_leaves = 32;

// Defined by run/evaluate.hpp: writes every element of x into `out`, a tensor of x's shape.
template <class R, class Tree, class... Leaf, class Tensor>
constexpr void evaluate(expr<R, Tree, Leaf...> const& x, Tensor& out);

// Defined by run/evaluate.hpp: the shape of x where a name comes from no operand, but from an op.
struct leaf_extents;
template <class R, class Tree, class... Leaf>
constexpr extents derived_shape(expr<R, Tree, Leaf...> const& x, view<leaf_extents> operands);

template <class Leaf> inline constexpr extents leaf_shape{};
template <class T, auto... E>
inline constexpr extents leaf_shape<tensor<T, E...>> = shape<E...>::value;

struct leaf_extents {
  extents declared, numbers;
};
template <class T, auto... E> constexpr leaf_extents extents_of(tensor<T, E...> const& x) {
  return {shape<E...>::value, x.shape()};
}
// Makers have the extents that others bind.
template <class T, auto... E> constexpr leaf_extents extents_of(made<T, E...> const&) { return {}; }
constexpr leaf_extents extents_of(key const&) { return {shape<2>::value, shape<2>::value}; }

// The number of a name: its first among the operands; the name itself if no operand has it.
constexpr extent number_of(extent e, view<leaf_extents> leaves) {
  for (leaf_extents const& leaf : leaves)
    for (int i = 0; i < leaf.declared.rank; ++i)
      if (is_named(e) && leaf.declared[i] == e) return leaf.numbers[i];
  return e;
}
constexpr void check_names(view<leaf_extents> leaves) {
  for (int k = 0; k < leaves.size(); ++k)
    for (int i = 0; i < leaves[k].declared.rank; ++i) {
      extent const name = leaves[k].declared[i], is = leaves[k].numbers[i];
      if (extent const expected = number_of(name, leaves); is != expected) {
        input_info const at{.argument = k};
        graph_view blamed;
        blamed.inputs = {&at, 1};
        raise_axis(blamed, 0, i, name, is, expected);
      }
    }
}
} // namespace detail

template <class R, class Tree, class... Leaf>
inline constexpr bool is_leaf<expr<R, Tree, Leaf...>> = true;

template <class Result, class Tree, class... Leaf> struct expr : expression_base {
  using element_type = typename Result::element_type;
  using shape_type = typename Result::shape_type;
  static constexpr int rank = shape_type::rank;

  detail::leaf_pack<Leaf...> leaves;

  constexpr explicit expr(detail::leaf_pack<Leaf...>&& operands) : leaves(std::move(operands)) {}

  // Checks names first, so that a mistake leaves the tensor that is assigned to as it was.
  constexpr extents shape() const {
    if constexpr ((is_static(detail::leaf_shape<Leaf>) && ...) && is_static(shape_type::value))
      return shape_type::value;
    else return named_shape(std::make_integer_sequence<int, sizeof...(Leaf)>{});
  }
  template <class Tensor> constexpr void evaluate_into(Tensor& out) const {
    detail::evaluate(*this, out);
  }
  constexpr operator element_type() const
    requires(rank == 0)
  {
    return tensor<element_type>(*this);
  }

  // Elements are computed together, into a tensor.
  template <class... I> constexpr element_type operator()(I...) const {
    static_assert(sizeof...(I) > max_rank, "weft: an expression has no elements yet; write "
                                           "eval(x)(0, 1)");
    return {};
  }

  // As a node: for a maker_expression.
  constexpr Result record_in(recorder& r) const {
    return record_leaves(r, std::make_integer_sequence<int, sizeof...(Leaf)>{});
  }

private:
  template <int... I>
  constexpr Result record_leaves(recorder& r, std::integer_sequence<int, I...>) const {
    return detail::replay<Tree>{}(detail::as_traced(r, detail::item<I>(leaves))...);
  }
  template <int... I> constexpr extents named_shape(std::integer_sequence<int, I...>) const {
    detail::leaf_extents const all[] = {detail::extents_of(detail::item<I>(leaves))...};
    view<detail::leaf_extents> const operands{all, sizeof...(Leaf)};
    detail::check_names(operands);
    extents s = shape_type::value;
    for (int i = 0; i < rank; ++i) s[i] = detail::number_of(s[i], operands);
    if (!is_static(s)) s = detail::derived_shape(*this, operands);
    if (!is_static(s)) detail::raise_unbound(s);
    return s;
  }
};

namespace detail {

// What the typed functions are asked with: numbers as they are, for their checks.
template <class X> consteval auto asked_with() {
  if constexpr (number_literal<X>) return std::type_identity<X>{};
  else if constexpr (std::is_same_v<X, key>) return std::type_identity<traced_key<>>{};
  else return std::type_identity<traced_of<element_of<X>, shape_of_operand<X>::value>>{};
}
template <class X> using traced_operand = typename decltype(asked_with<X>())::type;

// What an operand brings: a pack of tensors and makers, and a tree over them. T is the dtype of
// numbers, which become makers.
template <class T, class X> struct operand_parts { // a number, a maker, borrowed memory
  using tree = leaf_slot;
  static constexpr auto leaves(X const& x) {
    if constexpr (number_literal<X>) return pack_of(filled_with<T>(x));
    else if constexpr (maker_like<X>) return pack_of(X(x));
    else return pack_of(tensor_like<X>(x));
  }
};
template <class T, auto... E> struct operand_parts<T, tensor<T, E...>> {
  using tree = leaf_slot;
  template <class X> static constexpr auto leaves(X&& x) { return pack_of(std::forward<X>(x)); }
};
template <class T> struct operand_parts<T, key> {
  using tree = leaf_slot;
  static constexpr auto leaves(key const& x) { return pack_of(x); }
};
template <class T, class R, class Tree, class... Leaf>
struct operand_parts<T, expr<R, Tree, Leaf...>> {
  using tree = Tree;
  template <class X> static constexpr auto leaves(X&& x) { return std::forward<X>(x).leaves; }
};
template <class X> inline constexpr int operand_count = 1;
template <class R, class Tree, class... Leaf>
inline constexpr int operand_count<expr<R, Tree, Leaf...>> = sizeof...(Leaf);

// Function objects derive from it: the dtype that a number at place K of a call takes. Others
// hide `number` with their own rule.
struct plain_call {
  template <int K, class... X> using number = common_element<X...>;
};
template <class F, int K, class X, class... All> consteval auto element_at_place() {
  if constexpr (number_literal<X>)
    return std::type_identity<typename F::template number<K, All...>>{};
  else if constexpr (std::is_same_v<X, key>) return std::type_identity<std::uint32_t>{};
  else return std::type_identity<element_of<X>>{};
}
template <class F, int K, class X, class... All>
using parts_at = operand_parts<typename decltype(element_at_place<F, K, X, All...>())::type, X>;

// The parts of a call F(x...).
template <class F, class I, class... X> struct call_parts;
template <class F, int... K, class... X>
struct call_parts<F, std::integer_sequence<int, K...>, X...> {
  using tree = applied<F, typename parts_at<F, K, X, X...>::tree...>;
  template <class... Y> static constexpr auto leaves(Y&&... y) {
    return (parts_at<F, K, X, X...>::leaves(std::forward<Y>(y)) + ...);
  }
};
template <class R, class Tree, class... Leaf>
constexpr auto expression_of(leaf_pack<Leaf...>&& leaves) {
  return expr<R, Tree, Leaf...>(std::move(leaves));
}

template <class... X> concept one_door = !(traced_leaf<X> || ...);

// After a traced array met a tensor: a maker, which is at home at both doors.
template <class R> constexpr auto refused() {
  return array_of<made, typename R::element_type, R::shape_type::value>(maker::full);
}
// The expression F(x...). After an error, a plausible array.
template <class F, class... X> constexpr auto lazily(X&&... x) {
  constexpr bool values = one_door<std::remove_cvref_t<X>...>;
  static_assert(values,
                "weft: a tensor meets a traced array; make the tensor an argument of the function");
  constexpr int operands = (operand_count<std::remove_cvref_t<X>> + ...);
  static_assert(
      operands <= most_leaves,
      "weft: more than 32 operands in one expression; write eval(...) around a part of it");
  using R = decltype(F{}(std::declval<traced_operand<std::remove_cvref_t<X>>>()...));
  if constexpr (!values) return refused<R>();
  else {
    using parts =
        call_parts<F, std::make_integer_sequence<int, sizeof...(X)>, std::remove_cvref_t<X>...>;
    if constexpr (operands <= most_leaves)
      return expression_of<R, typename parts::tree>(parts::leaves(std::forward<X>(x)...));
    else return tensor_like<R>{};
  }
}

} // namespace detail

// The tensor that an array value is: eval(a + b) is a tensor<T, E...> with the operands' type.
template <class X>
  requires immediate_call<X>
constexpr auto eval(X&& x) {
  return tensor_like<std::remove_cvref_t<X>>(std::forward<X>(x));
}

namespace detail {
// Plain tensors, all of whose extents are numbers.
template <class X> inline constexpr bool is_static_tensor = false;
template <class T, auto... E>
inline constexpr bool is_static_tensor<tensor<T, E...>> = is_static(shape<E...>::value);

// Defined by run/evaluate.hpp: the value of an expression of these tensors; where it is little work,
// without copying them into the expression first, which costs two atomic operations each.
template <class Expression, class... Tensor> auto computed_of(Tensor const&... x);

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wc++23-extensions" // WEFT_IF_CONSTANT
#endif
// Inlined, as `now` and `einsum`: the call that g++ 12 makes otherwise is a tenth to a fifth of a small
// product's time.
template <class F, class... X> WEFT_INLINE constexpr auto computed(X&&... x) {
  if constexpr ((is_static_tensor<std::remove_cvref_t<X>> && ...)) {
    WEFT_IF_CONSTANT { return eval(lazily<F>(std::forward<X>(x)...)); }
    else {
      using whole = decltype(lazily<F>(std::forward<X>(x)...));
      return computed_of<whole>(x...);
    }
  } else return eval(lazily<F>(std::forward<X>(x)...));
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

// F(x...), computed: the operands, expressions as they are, and F are one program. Of makers alone
// it stays an expression, so that it can meet a traced array.
template <class F, class... X> WEFT_INLINE constexpr auto now(X&&... x) {
  constexpr bool values = one_door<std::remove_cvref_t<X>...>; // as in lazily, a step nearer
  static_assert(values,
                "weft: a tensor meets a traced array; make the tensor an argument of the function");
  if constexpr (!values)
    return refused<decltype(F{}(std::declval<traced_operand<std::remove_cvref_t<X>>>()...))>();
  else if constexpr (call_of_makers<std::remove_cvref_t<X>...>)
    return lazily<F>(std::forward<X>(x)...);
  else return computed<F>(std::forward<X>(x)...);
}

// A leaf as what a program takes: makers are filled, with the numbers that the others' names have.
template <class Leaf> struct leaf_value {
  using type = Leaf;
};
template <class T, auto... E> struct leaf_value<made<T, E...>> {
  using type = tensor<T, E...>;
};
template <class Leaf> using leaf_value_t = typename leaf_value<Leaf>::type;
template <class Leaf> inline constexpr extents leaf_value_shape = shape<2>::value; // of a key
template <class T, auto... E>
inline constexpr extents leaf_value_shape<tensor<T, E...>> = shape<E...>::value;
template <class T, auto... E>
inline constexpr extents leaf_value_shape<made<T, E...>> = shape<E...>::value;

template <class Leaf> constexpr Leaf const& value_of(Leaf const& x, view<leaf_extents>) {
  return x;
}
template <class T, auto... E>
constexpr tensor<T, E...> value_of(made<T, E...> const& x, view<leaf_extents> operands) {
  extents s = shape<E...>::value;
  for (int i = 0; i < s.rank; ++i) s[i] = number_of(s[i], operands);
  auto t = tensor<T, E...>::uninitialised(s);
  x.evaluate_into(t);
  return t;
}
} // namespace detail
} // namespace weft::inline v0

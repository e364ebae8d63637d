// SPDX-License-Identifier: BSL-1.0
// door_bench<T>: one op at a time behind both doors, over a few arrays of T. The traced function's
// graph has the op and means, to the interpreter, what plain C++ says; called with tensors, the
// function gives the same bits. Programs of tensors are interpreted here: kernels have tests of
// their own, and cost a compiler more.
//   call<O>(f, expected, x...)   f(x...), numbers in row-major order
//   map<O>(f, of)                f over arrays of T, `of` the same over a double
//   passed()                     the ops whose calls all passed, for tools/ops_table.py
// Needs: to be included in place of run/evaluate.hpp.
#pragma once

#include <weft/lang/expression_associative_scan.hpp>
#include <weft/lang/expression_choices.hpp>
#include <weft/lang/expression_composites.hpp>
#include <weft/lang/expression_elementary.hpp>
#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/expression_indexing.hpp>
#include <weft/lang/expression_movement.hpp>
#include <weft/lang/expression_products.hpp>
#include <weft/lang/expression_random.hpp>
#include <weft/lang/expression_scan.hpp>
#include <weft/lang/expression_sort.hpp>
#include <weft/lang/expression_while.hpp>
#include <weft/lang/observe.hpp>

#include "lang/recorded.hpp"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace test {

using weft::dtype;
using weft::graph_view;
using weft::op;
using weft::tensor;

inline void add_ops(graph_view g, std::set<op>& ops) {
  for (int id = 0; id < g.size(); ++id) ops.insert(g[id].code);
}

} // namespace test

namespace weft::inline v0 {
namespace detail {

template <class Tree, int... I, class... Leaf, class Tensor>
void interpret_for_test(held_all<std::integer_sequence<int, I...>, Leaf...> const& leaves,
                        Tensor& out) {
  leaf_extents const all[] = {extents_of(item<I>(leaves))...};
  growing<dense> inputs;
  (recorded::push(inputs, value_of(item<I>(leaves), {all, sizeof...(Leaf)})), ...);
  graph const g = record<leaf_value_t<Leaf>...>(replay<Tree>{});
  growing<dense> const results = test::meaning_of(g, inputs);
  auto* to = writable(out);
  for (int i = 0; i < results[0].size(); ++i)
    to[i] = element_of_word<typename Tensor::element_type>(results[0][i]);
}
template <class R, class Tree, class... Leaf, class Tensor>
constexpr void evaluate(expr<R, Tree, Leaf...> const& x, Tensor& out) {
  interpret_for_test<Tree>(x.leaves, out);
}
template <class R, class Tree, class... Leaf, class Tensor, class... X>
void interpret_tree_for_test(std::type_identity<expr<R, Tree, Leaf...>>, Tensor& out,
                             X const&... x) {
  interpret_for_test<Tree>(pack_of(x...), out);
}
template <class Expression, class... Tensor> auto computed_of(Tensor const&... x) {
  tensor_like<Expression> out;
  out = out.uninitialised(out.pattern);
  interpret_tree_for_test(std::type_identity<Expression>{}, out, x...);
  return out;
}

} // namespace detail
} // namespace weft::inline v0

namespace test {

template <class R> double as_double(R x) {
  if constexpr (weft::is_half(weft::dtype_of<R>)) return static_cast<double>(static_cast<float>(x));
  else return static_cast<double>(x);
}
// Is an element what a double says, up to a few of its roundings?
template <class R> bool is_close(R got, double want) {
  if constexpr (std::is_same_v<R, bool>) return got == (want != 0);
  else if constexpr (weft::is_integer(weft::dtype_of<R>))
    return got == static_cast<R>(static_cast<std::int64_t>(want));
  else {
    constexpr int bits = sizeof(R) == 8                    ? 49
                         : sizeof(R) == 4                  ? 20
                         : weft::dtype_of<R> == dtype::f16 ? 9
                                                           : 6;
    double const is = as_double(got);
    return std::abs(is - want) <= std::ldexp(std::abs(want) + 1e-2, -bits);
  }
}

template <class T> class door_bench {
public:
  using matrix = tensor<T, 2, 3>;
  matrix x, y, z;

  door_bench() {
    constexpr bool whole = !weft::is_float(weft::dtype_of<T>);
    constexpr int numbers[3][6] = {{4, 8, 12, 5, 10, 14}, {8, 4, 2, 9, 3, 6}, {1, 3, 5, 2, 7, 4}};
    int k = 0;
    for (matrix* m : {&x, &y, &z}) {
      auto elements = m->mutate();
      int i = 0;
      for (T& e : elements) {
        int const n = numbers[k][i++];
        if constexpr (std::is_same_v<T, bool>) e = n % 2 == 0;
        else if constexpr (whole) e = static_cast<T>(n);
        else e = static_cast<T>(static_cast<float>(n) / 16);
      }
      ++k;
    }
  }

  template <op O, class F, class... X>
  void call(F const& f, std::vector<double> const& expected, X const&... operands) {
    ++calls_[O];
    weft::graph const g = weft::record<X...>(f);
    ASSERT_EQ(g.error, weft::trace_error::clean) << weft::name_of(O);
    ASSERT_FALSE(weft::verify(g)) << weft::name_of(O);
    std::set<op> ops;
    add_ops(g, ops);
    weft::growing<weft::dense> inputs;
    (recorded::push(inputs, operands), ...);
    weft::dense const meant = test::meaning_of(g, inputs)[0];
    auto const now = eval(f(operands...));
    using R = typename decltype(now)::element_type;
    std::vector<R> const traced = recorded::numbers<R>(meant);
    ASSERT_EQ(traced.size(), expected.size()) << weft::name_of(O);
    ASSERT_EQ(now.shape(), meant.shape) << weft::name_of(O);
    bool same = ops.contains(O);
    EXPECT_TRUE(same) << weft::name_of(O) << " is not in the graph";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      bool const close = is_close(traced[i], expected[i]);
      bool const equal = weft::word_of(now.data()[i]) == weft::word_of(traced[i]);
      EXPECT_TRUE(close) << weft::name_of(O) << " at " << i << ": " << as_double<R>(traced[i])
                         << ", expected " << expected[i];
      EXPECT_TRUE(equal) << weft::name_of(O) << " of tensors, at " << i;
      same = same && close && equal;
    }
    if (!same) return;
    ++passed_[O];
    for (op through : {op::parameter, op::get})
      if (ops.contains(through)) ++calls_[through], ++passed_[through];
  }
  template <op O, class F, class Of> void map(F const& f, Of const& of) {
    if constexpr (accepts(weft::info_of(O).accepts, weft::dtype_of<T>)) {
      std::vector<double> expected;
      auto const at = [](matrix const& m, int i) { return as_double(m.data()[i]); };
      for (int i = 0; i < 6; ++i)
        if constexpr (weft::info_of(O).arity == 1) expected.push_back(of(at(x, i)));
        else if constexpr (weft::info_of(O).arity == 2) expected.push_back(of(at(x, i), at(y, i)));
        else expected.push_back(of(at(x, i), at(y, i), at(z, i)));
      if constexpr (weft::info_of(O).arity == 1) call<O>(f, expected, x);
      else if constexpr (weft::info_of(O).arity == 2) call<O>(f, expected, x, y);
      else call<O>(f, expected, x, y, z);
    }
  }

  std::string passed() const {
    std::string names;
    for (auto const& [o, count] : passed_)
      if (count == calls_.at(o))
        names += (names.empty() ? "" : " ") + std::string(weft::name_of(o));
    return names;
  }

private:
  std::map<op, int> calls_, passed_;
};

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// The structure of an expression, as a type, apart from its operands: applied<F, Sub...> is a call
// of the function object F, leaf_slot an operand. So an expression is two things: a flat pack of
// tensors, and replay<Tree>, a function object without state that any traced arrays can be given.
// Needs: nothing of tensors. Leaves: operands numbered from left to right.
#pragma once

#include <weft/core/config.hpp>

#include <type_traits>
#include <utility>

namespace weft::inline v0 {
namespace detail {

// A tuple whose elements are found by number in one step, in constant evaluation too.
template <int I, class X> struct held {
  X value;
};
template <class I, class... X> struct held_all;
template <int... I, class... X>
struct held_all<std::integer_sequence<int, I...>, X...> : held<I, X>... {};
template <class... X>
using leaf_pack = held_all<std::make_integer_sequence<int, sizeof...(X)>, X...>;

template <int I, class X> constexpr X const& item(held<I, X> const& h) { return h.value; }
template <int I, class X> constexpr X& item(held<I, X>& h) { return h.value; }

template <class... X> constexpr auto pack_of(X&&... x) {
  return leaf_pack<std::remove_cvref_t<X>...>{{std::forward<X>(x)}...};
}
// One after the other; folds: (a + b + c).
template <int... I, class... A, int... J, class... B>
constexpr auto operator+(held_all<std::integer_sequence<int, I...>, A...>&& a,
                         held_all<std::integer_sequence<int, J...>, B...>&& b) {
  return pack_of(std::move(item<I>(a))..., std::move(item<J>(b))...);
}

struct leaf_slot {
  static constexpr int leaves = 1;

  template <int First, class Pack> static constexpr auto record(Pack const& p) {
    return item<First>(p);
  }
};

template <class F, class... Sub> struct applied {
  static constexpr int leaves = (0 + ... + Sub::leaves);

  // F of the sub-trees; leaf First of the pack is the first of this tree.
  template <int First, class Pack> static constexpr auto record(Pack const& p) {
    return record_all<First>(p, std::make_integer_sequence<int, sizeof...(Sub)>{});
  }

private:
  static constexpr int before(int sub) {
    int const count[] = {Sub::leaves...};
    int n = 0;
    for (int i = 0; i < sub; ++i) n += count[i];
    return n;
  }
  template <int First, class Pack, int... I>
  static constexpr auto record_all(Pack const& p, std::integer_sequence<int, I...>) {
    return F{}(Sub::template record<First + before(I)>(p)...);
  }
};

// The expression as a function of its operands.
template <class Tree> struct replay {
  template <class... Leaf> constexpr auto operator()(Leaf const&... leaf) const {
    return Tree::template record<0>(pack_of(leaf...));
  }
};

} // namespace detail
} // namespace weft::inline v0

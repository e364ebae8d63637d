// SPDX-License-Identifier: BSL-1.0
// Random choices in a trace: JAX's, bit for bit.
//   permutation<10>(key)  permutation(key, x)  permutation<1>(key, x)  choice<4>(key, x)
//   categorical(key, logits)  categorical<0, 6>(key, logits)
// Needs: distributions.hpp, randint.hpp, sort.hpp, indexing.hpp.
#pragma once

#include <weft/lang/distributions.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/randint.hpp>
#include <weft/lang/sort.hpp>

namespace weft::inline v0 {
namespace detail {

// Rounds of sorting by 32 random bits: ceil(3 ln n / ln(2^32 - 1)), so that equal keys are rare.
inline constexpr extent most_in_rounds[] = {1, 1625, 2642245};
constexpr int shuffle_rounds(extent n) {
  int rounds = 0;
  for (extent most : most_in_rounds) rounds += is_named(n) || n > most;
  return rounds;
}
// 0 .. n - 1, shuffled: k, own = split(k); a stable sort by bits(own). Of a name all the rounds
// that there may be are made, and those that its number needs are taken.
constexpr handle shuffled(recorder& r, two_words k, extent n, random_options o) {
  extents const s{1, {n}};
  handle x = iota(r, dtype::i32, s, 0);
  for (int round = 0; round < shuffle_rounds(n); ++round) {
    two_words const own = subkey(r, k, 1, 2, o);
    k = subkey(r, k, 0, 2, o);
    handle const keys = drawn(r, own, s, 32, o), order = arg_sort({&keys, 1}, 0, 0);
    handle const next = round == 0 ? order : gather(x, order, taking_along(s, 0));
    if (!is_named(n)) x = next;
    else {
      handle const most = constant(r, static_cast<double>(most_in_rounds[round]), dtype::u32, {});
      handle const needed = greater(count_node(r, s, dtype::u32), most);
      x = select(broadcast_to(needed, s), next, x);
    }
  }
  return x;
}
template <class S, random_options O, class K> constexpr auto draw_permutation(K const& k) {
  using R = traced_of<std::int32_t, S::value>;
  static_assert(S::rank == 1, "weft: permutation: write how many: permutation<10>(key)");
  if constexpr (S::rank != 1 || !check_key<K>() || !check_draw<S, O>()) return in_place<R>(k);
  else {
    recorder& r = use_up(k);
    return R{shuffled(r, words_of_key(k.value), S::value[0], O)};
  }
}

// The template arguments of functions with an axis: random_options, the axis, then extents.
template <int Default, auto... A> struct axis_arguments {
  static constexpr random_options options{};
  static constexpr int axis = Default;
  using shape_type = shape<>;
};
template <int Default, int Axis, auto... E> struct axis_arguments<Default, Axis, E...> {
  static constexpr random_options options{};
  static constexpr int axis = Axis;
  using shape_type = shape<E...>;
};
template <int Default, random_options O, auto... A>
struct axis_arguments<Default, O, A...> : axis_arguments<Default, A...> {
  static constexpr random_options options = O;
};
constexpr extents prefixed(extents const& prefix, extents const& s) {
  extents r = prefix;
  for (int i = 0; i < s.rank; ++i) r.push(s[i]);
  return r;
}

} // namespace detail

// 0 .. N - 1 in random order, int: permutation<10>(key).
template <auto... E, key_argument K> constexpr auto permutation(K const& k) {
  using D = detail::draw_arguments<E...>;
  return detail::draw_permutation<typename D::shape_type, D::options>(k);
}
// x with its elements along an axis in random order, the first axis if none is named.
template <auto... A, key_argument K, drawn_beside<K> X>
constexpr auto permutation(K const& k, X const& x) {
  using D = detail::axis_arguments<0, A...>;
  using S = typename X::shape_type;
  if constexpr (!detail::check_key<K>() || !detail::check_axes<S, D::axis>()) return x;
  else {
    constexpr int axis = plain_axis(D::axis, S::rank);
    using along = shape_of_value<extents{1, {S::value[axis]}}>;
    if constexpr (S::value[axis] == 0) return x;
    else return take<axis>(x, detail::draw_permutation<along, D::options>(k));
  }
}
// Elements of an array of rank 1, each of them as likely, with replacement: choice<4>(key, x).
template <auto... E, key_argument K, drawn_beside<K> X>
constexpr auto choice(K const& k, X const& x) {
  using S = typename X::shape_type;
  constexpr bool some = S::rank == 1 && S::value[0] != 0;
  static_assert(some, "weft: choice: x has one axis, and elements on it");
  if constexpr (!detail::check_key<K>() || !some) return x;
  else {
    recorder& r = k.value.where->innermost();
    traced<std::int32_t> const n{detail::count_node(r, S::value, dtype::i32)};
    return take<0>(x, weft::randint<std::int32_t, E...>(k, 0, n));
  }
}
// Indices along an axis, the last if none is named, of which i has the probability
// softmax(logits)[i]: arg_max(gumbel + logits). With extents behind the axis as many draws of each:
// categorical<-1, 6>(key, logits) of (2, 8) logits is an int (6, 2).
template <auto... A, key_argument K, drawn_beside<K> X>
constexpr auto categorical(K const& k, X const& logits) {
  using D = detail::axis_arguments<-1, A...>;
  using T = typename X::element_type;
  using S = typename X::shape_type;
  static_assert(detail::float_element<T>,
                "weft: categorical: not floats; write convert<float>(logits)");
  if constexpr (!detail::check_key<K>() || !detail::float_element<T> ||
                !detail::check_axes<S, D::axis>())
    return logits;
  else {
    constexpr extents prefix = D::shape_type::value;
    using all = shape_of_value<detail::prefixed(prefix, S::value)>;
    auto const g = detail::draw_checked<detail::gumbel_formula, T, all, D::options>(k);
    return arg_max<prefix.rank + plain_axis(D::axis, S::rank)>(g + logits);
  }
}

} // namespace weft::inline v0

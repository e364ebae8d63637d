// SPDX-License-Identifier: BSL-1.0
// Keys in a trace: split, fold_in and what makes a key of words, as JAX's with threefry2x32, bit
// for bit. And what every draw is made of: its arguments, its checks, the use of its key.
//   split(key)  split<4>(key)  split_keys<2, 3>(key)  fold_in(key, i)  make_key(seed)
//   key_data(keys)  wrap_key_data(words)
// A key is for one split or one draw: a second one is the graph's error key_used_twice. fold_in
// gives a new key and never uses its own up.
// Needs: structure.hpp, elementwise.hpp, counters.hpp.
#pragma once

#include <weft/graph/counters.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/structure.hpp>

namespace weft::inline v0 {
namespace detail {

// The template arguments of a draw: extents, behind random_options if there are any.
template <auto... E> struct draw_arguments {
  static constexpr random_options options{};
  using shape_type = shape<E...>;
  static constexpr bool shaped = sizeof...(E) > 0;
};
template <random_options O, auto... E> struct draw_arguments<O, E...> {
  static constexpr random_options options = O;
  using shape_type = shape<E...>;
  static constexpr bool shaped = sizeof...(E) > 0;
};
// The shape of a draw next to arrays X: as written, else theirs.
template <class D, class... X> consteval auto shape_of_draw() {
  if constexpr (D::shaped) return std::type_identity<typename D::shape_type>{};
  else return std::type_identity<joined_shape<shape_of_operand<X>...>>{};
}
template <class D, class... X> using draw_shape = typename decltype(shape_of_draw<D, X...>())::type;

template <auto... E> traced_key<E...> keys_with(shape<E...>);
template <class S> using key_array = decltype(keys_with(S{}));

template <class S, class X> concept reaches_shape = broadcasts_to<shape_of_operand<X>, S>;

template <class K> constexpr recorder& use_up(K const& k) {
  recorder& r = k.value.where->innermost();
  r.consume_key(k.value);
  return r;
}
// What stands for a draw after an error.
template <class R, class K> constexpr R in_place(K const& k) {
  if constexpr (std::is_arithmetic_v<K>) return R{};
  else return stand_in<R>(k.value.where->innermost());
}
// False after an error.
template <class K> consteval bool check_key() {
  constexpr bool number = std::is_arithmetic_v<K>;
  static_assert(!number,
                "weft: a random number comes from a key, not from a number; write key(42)");
  if constexpr (number) return false;
  else {
    constexpr bool single = K::rank == 0;
    static_assert(single, "weft: an array of keys; take one of them, or scan over them");
    return single;
  }
}
template <class S, random_options O> consteval bool check_draw() {
  constexpr bool counted = O.partitionable || countable_by_word(S::value);
  static_assert(
      counted,
      "weft: a draw of more than 2^32 numbers needs partitionable counters and extents without "
      "names; draw fewer at a time");
  return counted;
}
// Numbers and arrays of T beside a draw of shape S.
template <class T, class S, class... X> consteval bool check_beside() {
  constexpr bool typed = check_elements<T, X...>();
  constexpr bool reached = (reaches_shape<S, X> && ...);
  static_assert(reached, "weft: an argument does not broadcast to the shape of the draw");
  return typed && reached;
}

} // namespace detail

// What stands where a key is wanted: numbers, to be told so (detail::check_key).
template <class K> concept key_argument = traced_random_key<K> || std::is_arithmetic_v<K>;
// An array beside it; beside a number any array is told.
template <class X, class K>
concept drawn_beside = traced_array<X> ||
                       (std::is_arithmetic_v<K> && requires { typename X::element_type; });

// N keys: auto keys = split(key); then keys[0], keys[1]. keys[i] is fold_in(key, i).
template <int N = 2, random_options O = random_options{}, key_argument K>
constexpr std::array<traced_key<>, N> split(K const& k) {
  static_assert(N >= 1, "weft: split: the number of keys is at least 1");
  if constexpr (!detail::check_key<K>() || !detail::check_draw<shape<2, N>, O>()) {
    std::array<traced_key<>, N> keys;
    keys.fill(detail::in_place<traced_key<>>(k));
    return keys;
  } else {
    recorder& r = detail::use_up(k);
    auto const words = detail::words_of_key(k.value);
    std::array<traced_key<>, N> keys;
    if constexpr (O.partitionable) {
      auto const all = detail::threefry(r, words, iota(r, dtype::u32, {1, {N}}, 0));
      for (int i = 0; i < N; ++i) {
        handle const pair[] = {slice_axis(all.first, 0, i, 1), slice_axis(all.second, 0, i, 1)};
        keys[static_cast<unsigned>(i)].value = concat({pair, 2}, 0);
      }
    } else
      for (int i = 0; i < N; ++i)
        keys[static_cast<unsigned>(i)].value = detail::keys_of(detail::subkey(r, words, i, N, O));
    return keys;
  }
}
// An array of keys, for a scan over them: split_keys<12>(key), split_keys<rows, 4>(key).
template <auto... A, key_argument K> constexpr auto split_keys(K const& k) {
  using D = detail::draw_arguments<A...>;
  using S = typename D::shape_type;
  static_assert(D::shaped, "weft: split_keys: write how many keys: split_keys<4>(key)");
  if constexpr (!detail::check_key<K>() || !detail::check_draw<S, D::options>())
    return detail::in_place<detail::key_array<S>>(k);
  else {
    recorder& r = detail::use_up(k);
    return detail::key_array<S>{
        detail::split_of(r, detail::words_of_key(k.value), S::value, D::options)};
  }
}
// H(key, 0, i): i is an int of any type, known now or by the run, or an array of them, which gives
// an array of keys. Of 64 bits the low word counts.
template <key_argument K, class I> constexpr auto fold_in(K const& k, I const& i) {
  using T = detail::element_of<I>;
  using S = detail::shape_of_operand<I>;
  static_assert(is_integer(dtype_of<T>),
                "weft: fold_in: the number is not an int; write convert<int>(i)");
  if constexpr (!detail::check_key<K>() || !is_integer(dtype_of<T>))
    return detail::in_place<detail::key_array<S>>(k);
  else {
    recorder& r = detail::recorder_of(k, i);
    handle low = convert(detail::node_of<T>(r, i, S::value), dtype::u32);
    return detail::key_array<S>{
        detail::keys_of(detail::threefry(r, detail::words_of_key(k.value), low))};
  }
}

// The key of a seed that the run knows, an int of any type: as key(seed).
template <traced_array A> constexpr traced_key<> make_key(A const& seed) {
  using T = typename A::element_type;
  static_assert(is_integer(dtype_of<T>) && A::rank == 0,
                "weft: make_key: the seed is one int of any width");
  handle const low = convert(seed.value, dtype::u32);
  if constexpr (sizeof(T) < 8)
    return {detail::keys_of({constant(*low.where, 0, dtype::u32, {}), low})};
  else return {detail::keys_of(detail::halves(*low.where, convert(seed.value, dtype::u64)))};
}
// The words of keys, (E..., 2) of uint32, and keys of such words. What the words are used for is
// the caller's care: these keys are new ones.
template <auto... E> constexpr traced<std::uint32_t, E..., 2> key_data(traced_key<E...> const& k) {
  return {k.value};
}
template <auto... E> constexpr auto wrap_key_data(traced<std::uint32_t, E...> const& words) {
  using A = traced<std::uint32_t, E...>;
  constexpr extents s = shape<E...>::value;
  static_assert(A::rank > 0 && s[A::rank > 0 ? A::rank - 1 : 0] == 2,
                "weft: wrap_key_data: the last axis is the two words of a key");
  constexpr extents keys = [] {
    extents of = shape<E...>::value;
    of.rank = of.rank > 0 ? of.rank - 1 : 0;
    return of;
  }();
  return detail::key_array<shape_of_value<keys>>{words.value};
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// How arrays are split over axes of a mesh, in words: one per axis of the array, the name of an axis of
// the mesh ("data"), several of them, the first counting slowest ("data*model"), or none; axes that no
// word says are whole.
//   split_over<"data", none>      of inputs and results of partition (lang/partition.hpp)
//   replicated                    every rank has all of it
//   shard<"data", none>(x)        x, which ranks shall have so from here on; its cotangent too
// The mesh comes later: shard means x itself until partition<m, ...>(f) is called. Structs: every array.
// Errors: more words than an array has axes, words that are no names; one axis twice.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/array/access.hpp>
#include <weft/graph/sharding.hpp>
#include <weft/lang/expression.hpp>

namespace weft::inline v0 {
namespace detail {

// One word, as it stands.
struct shard_word {
  static constexpr int most = 63;
  char characters[most + 1]{};
  int length = 0;
  bool sound = true;

  constexpr shard_word(none_t) {}
  template <unsigned long N> constexpr shard_word(char const (&literal)[N]) {
    sound = N <= most + 1;
    for (; sound && length < static_cast<int>(N) - 1; ++length)
      characters[length] = literal[length];
    sound = sound && has_names();
  }

  // f(name) for every name.
  template <class F> constexpr void each_name(F const& f) const {
    for (int first = 0, at = 0; length > 0 && at <= length; ++at)
      if (at == length || characters[at] == '*') {
        f(text{characters + first, at - first});
        first = at + 1;
      }
  }

private:
  constexpr bool has_names() const {
    bool all = length > 0;
    each_name([&all](text name) { all = all && is_axis_name(name); });
    return all;
  }
};

} // namespace detail

// A specification, as a value: split_over<"data", none>.
template <detail::shard_word... W> struct split_over_type {
  static constexpr int axes = sizeof...(W); // of the array, that it speaks of

  // f(axis of the array, name) for every name.
  template <class F> static constexpr void each_name([[maybe_unused]] F const& f) {
    [[maybe_unused]] int axis = 0;
    ((W.each_name([&](text name) { f(axis, name); }), ++axis), ...);
  }
};
template <detail::shard_word... W> inline constexpr split_over_type<W...> split_over{};
inline constexpr split_over_type<> replicated{};

namespace detail {

template <shard_word... W> concept words_of_axes = (W.sound && ...);
template <class Spec> consteval bool names_each_axis_once() {
  mesh_axes seen;
  bool once = true;
  int count = 0;
  Spec::each_name([&](int, text name) {
    once = once && seen.place_of(name) < 0 && ++count <= max_mesh_axes;
    seen.push(axis_of_mesh(name, 1));
  });
  return once;
}
template <class Spec> concept splits_by_each_axis_once = names_each_axis_once<Spec>();
template <class Spec, class Leaf> concept says_of_axes_there_are = Spec::axes <= Leaf::rank;
// The first leaf that has too few axes, else the first.
template <class Spec, class L, class... More> consteval auto shortest_leaf(type_list<L, More...>) {
  return (choice<L, !says_of_axes_there_are<Spec, L>>{} | ... |
          choice<More, !says_of_axes_there_are<Spec, More>>{});
}

// Of a specification alone, and of one for these arrays; false after an error.
template <shard_word... W> consteval bool check_shard_words() {
  constexpr bool words = words_of_axes<W...>;
  static_assert(words, "weft: shard: a word is an axis of the mesh, \"data\", several, "
                       "\"data*model\", or none");
  if constexpr (!words) return false;
  else {
    constexpr bool once = splits_by_each_axis_once<split_over_type<W...>>;
    static_assert(once, "weft: shard: an axis of the mesh splits one axis of an array, once");
    return once;
  }
}
template <class Spec, class X> consteval bool check_shard_axes() {
  using L = leaves_of<X>;
  if constexpr (L::size == 0) return true;
  else {
    using worst = typename decltype(shortest_leaf<Spec>(L{}))::type;
    constexpr bool enough = says_of_axes_there_are<Spec, worst>;
    static_assert(enough, "weft: shard: there are more words than the array has axes");
    return enough;
  }
}

// The attributes of a `shard` node for an array of this many axes.
template <class Spec> constexpr growing<extent> shard_attributes(int rank) {
  growing<extent> a;
  for (int axis = 0; axis < rank; ++axis) {
    int const at = a.size();
    a.push(0);
    Spec::each_name([&](int of, text name) {
      if (of != axis) return;
      ++a[at];
      push_axis_name(a, name);
    });
  }
  return a;
}
template <class Spec, class X> constexpr X annotated(X const& x) {
  growing<handle> const all = leaves(x);
  int next = 0;
  return make_like<X>([&]<class L>(std::type_identity<L>) {
    handle const h = all[next++];
    return L{weft::shard(h, shard_attributes<Spec>(h.shape().rank))};
  });
}

} // namespace detail

template <detail::shard_word... W, class X>
  requires(!std::is_same_v<X, handle>)
constexpr auto shard(X const& x) {
  using Spec = split_over_type<W...>;
  if constexpr (!detail::check_shard_words<W...>()) return x;
  else if constexpr (traced_structure<X>) {
    auto const t = detail::to_traced(detail::recorder_in(x).innermost(), x);
    using T = std::remove_const_t<decltype(t)>;
    if constexpr (detail::check_shard_axes<Spec, T>()) return detail::annotated<Spec>(t);
    else return t;
  } else if constexpr (array_value<X>) return eval(x);
  else return x;
}

} // namespace weft::inline v0

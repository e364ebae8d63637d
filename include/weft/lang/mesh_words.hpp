// SPDX-License-Identifier: BSL-1.0
// What stands behind the mesh in a collective's template arguments: names of mesh axes, numbers (axes
// of the array, a root, a shift), how values are combined, pairs of a permutation, names of extents.
//   all_reduce<m, "data", combine::max>(x)   all_gather<m, "data", 1, whole>(x)
//   permute<m, "data", sends{0, 1}, sends{1, 2}>(x)
// In any order; numbers, pairs and extents' names among themselves in theirs.
// Leaves: `mesh_request`, a plain value, and the groups of ranks that it means.
#pragma once

#include <weft/lang/mesh.hpp>

namespace weft::inline v0 {

// bit_and, bit_or of bool are its `and`, its `or`; mean is the sum over the number of ranks.
enum class combine : std::uint8_t { sum, product, min, max, bit_and, bit_or, mean };

// The value of the rank at place `from` along the axes goes to the one at `to`.
struct sends {
  int from, to;
};

namespace detail {

enum class word_kind : std::uint8_t { axis, number, combine, sends, extent_name };

struct mesh_word {
  word_kind kind{};
  mesh_axis axis{}; // its name
  int first = 0, second = 0;
  extent name = 0;

  template <unsigned long N>
  constexpr mesh_word(char const (&text)[N]) : axis(axis_of_mesh({text, int{N} - 1}, 1)) {}
  constexpr mesh_word(int n) : kind(word_kind::number), first(n) {}
  constexpr mesh_word(weft::combine c) : kind(word_kind::combine), first(static_cast<int>(c)) {}
  constexpr mesh_word(weft::sends s) : kind(word_kind::sends), first(s.from), second(s.to) {}
  template <unsigned long N>
  constexpr mesh_word(sym<N> const& s) : kind(word_kind::extent_name), name(pack_name(s.name)) {}
};

template <mesh_word... W> struct mesh_words {
  static constexpr int count(word_kind kind) { return ((W.kind == kind ? 1 : 0) + ... + 0); }
};
// How many words of each kind a collective takes; of names any number.
struct words_taken {
  int least_numbers = 0, most_numbers = 0;
  bool combine = false, sends = false, extent_names = false;
};
template <class Words, auto Taken>
concept words_wanted = Words::count(word_kind::number) >= Taken.least_numbers &&
                       Words::count(word_kind::number) <= Taken.most_numbers &&
                       Words::count(word_kind::combine) <= (Taken.combine ? 1 : 0) &&
                       (Taken.sends || Words::count(word_kind::sends) == 0) &&
                       (Taken.extent_names || Words::count(word_kind::extent_name) == 0);

template <mesh_word W> consteval auto word_as_name() {
  constexpr int length = W.axis.length < max_axis_name ? W.axis.length : max_axis_name;
  char exact[length + 1]{};
  for (int i = 0; i < length; ++i) exact[i] = W.axis.name[i];
  return fixed_string(exact);
}
template <class M, mesh_word... W> consteval int first_unknown() {
  int i = 0, found = -1;
  ((W.kind == word_kind::axis && found < 0 && M::axes.place_of(W.axis.called()) < 0
        ? void(found = i)
        : void(),
    ++i),
   ...);
  return found;
}
template <mesh_word... W> struct names_among {
  static constexpr mesh_axes axes = [] {
    mesh_axes r;
    ((W.kind == word_kind::axis ? r.push(W.axis) : void()), ...);
    return r;
  }();
};
template <class Names> concept each_axis_once = names_differ(Names::axes);

// The mesh and the names of its axes; false after an error.
template <class M, mesh_word... W> consteval bool check_axis_words() {
  if constexpr (!check_mesh<M>()) return false;
  else if constexpr (constexpr int unknown = first_unknown<M, W...>(); unknown >= 0) {
    constexpr mesh_word words[] = {W...};
    static_assert(has_mesh_axis<M, word_as_name<words[unknown]>()>,
                  "weft: the mesh has no axis of this name");
    return false;
  } else {
    static_assert(each_axis_once<names_among<W...>>, "weft: an axis of the mesh is named twice");
    return each_axis_once<names_among<W...>>;
  }
}

// What the words of one call say. Needs: check_axis_words.
struct mesh_request {
  mesh_axes along; // without names, all of the mesh
  combine how = combine::sum;
  int numbers[2]{}, number_count = 0;
  extent names[2]{};
  int name_count = 0;
};
template <class M, mesh_word... W> consteval mesh_request request_of() {
  mesh_request r{.along = {.ranks = M::axes.ranks}};
  [[maybe_unused]] auto const read = [&r](mesh_word const& w) {
    if (w.kind == word_kind::axis) r.along.push(M::axes.d[M::axes.place_of(w.axis.called())]);
    if (w.kind == word_kind::combine) r.how = static_cast<combine>(w.first);
    if (w.kind == word_kind::number && r.number_count < 2) r.numbers[r.number_count++] = w.first;
    if (w.kind == word_kind::extent_name && r.name_count < 2) r.names[r.name_count++] = w.name;
  };
  (read(W), ...);
  if (mesh_words<W...>::count(word_kind::axis) == 0) r.along = M::axes;
  return r;
}

} // namespace detail
} // namespace weft::inline v0

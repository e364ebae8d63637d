// SPDX-License-Identifier: BSL-1.0
// c_inputs, c_outputs: what a compiled program takes and gives as C sees it: a name, a type and
// extents of every leaf; what the lists of weft/c_api.hpp give and its C headers are written from.
//   for (c_array const& x : c_inputs<compiled<step, state<tensor>>>::arrays()) puts(x.name);
// Needs: compiled<...> or compiled_program<...>. Leaves: texts and lists as long as the process.
#pragma once

#include <weft/array/field_names.hpp>
#include <weft/graph/print.hpp>
#include <weft/run/compiled.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace weft::inline v0 {

// One array of a program, as C sees it (weft_c_array of the header).
struct c_array {
  char const* name;
  char const* dtype;
  char const* c_type;
  std::int32_t rank;
  std::int64_t shape[max_rank];  // -1 where extents has a name
  char const* extents[max_rank]; // null where shape has a number
};
static_assert(max_rank == 8); // the text of the C header says so

namespace detail {

template <class P, class T> P program_behind(compiled_program<P, T> const&);
template <class Compiled>
using program_in = decltype(program_behind(std::declval<Compiled const&>()));

// A leaf as C sees it: a tensor's type and pattern, a number's, a key's two words.
template <class Leaf> struct c_leaf;
template <class T, auto... E> struct c_leaf<tensor<T, E...>> {
  static constexpr dtype type = dtype_of<T>;
  static constexpr extents pattern = tensor<T, E...>::pattern;
};
template <element T> struct c_leaf<T> {
  static constexpr dtype type = dtype_of<T>;
  static constexpr extents pattern{};
};
template <> struct c_leaf<key> {
  static constexpr dtype type = dtype::u32;
  static constexpr extents pattern{1, {2}};
};

// The names among the extents of all arguments, in order of first appearance.
template <int Most> struct c_names {
  extent name[Most > 0 ? Most : 1]{};
  int count = 0;

  constexpr int place(extent e) const {
    for (int i = 0; i < count; ++i)
      if (name[i] == e) return i;
    return -1;
  }
  constexpr void add(extents const& pattern) {
    for (int i = 0; i < pattern.rank; ++i)
      if (is_named(pattern[i]) && place(pattern[i]) < 0) name[count++] = pattern[i];
  }
};
template <class... Leaf> constexpr int c_axes(type_list<Leaf...>) {
  return (0 + ... + c_leaf<Leaf>::pattern.rank);
}
template <class Names, class... Leaf> constexpr void add_c_names(Names& names, type_list<Leaf...>) {
  (names.add(c_leaf<Leaf>::pattern), ...);
}
template <class... Arg> constexpr auto c_names_of(type_list<Arg...>) {
  c_names<(0 + ... + c_axes(leaves_of<Arg>{}))> names;
  (add_c_names(names, leaves_of<Arg>{}), ...);
  return names;
}
template <class Compiled>
inline constexpr auto c_names_in = c_names_of(typename program_in<Compiled>::arguments{});

// As NumPy calls it.
inline std::string c_dtype(dtype d) {
  if (d == dtype::boolean) return "bool";
  if (d == dtype::bf16) return "bfloat16";
  char const* const kind = is_float(d) ? "float" : is_signed(d) ? "int" : "uint";
  return kind + std::to_string(8 * size_of(d));
}
inline std::string c_type(dtype d) {
  if (d == dtype::boolean) return "bool";
  if (is_half(d)) return "uint16_t";
  if (is_float(d)) return d == dtype::f32 ? "float" : "double";
  return c_dtype(d) + "_t";
}
// Texts that live as long as the program.
inline char const* kept_text(std::string const& text) {
  char* const copy = new char[text.size() + 1];
  return std::strcpy(copy, text.c_str());
}
inline c_array c_array_of(std::string name, dtype type, extents const& pattern) {
  std::replace(name.begin(), name.end(), '.', '_');
  c_array r{
      kept_text(name), kept_text(c_dtype(type)), kept_text(c_type(type)), pattern.rank, {}, {}};
  for (int i = 0; i < pattern.rank; ++i) {
    r.shape[i] = is_named(pattern[i]) ? -1 : pattern[i];
    r.extents[i] = is_named(pattern[i]) ? kept_text(print_extent(pattern[i])) : nullptr;
  }
  return r;
}
// Two leaves of one name, as a_b.c and a.b_c would be, are told apart by their number.
template <class X, class... Leaf>
void add_c_arrays(std::vector<c_array>& arrays, std::string const& prefix, type_list<Leaf...>) {
  std::vector<std::string> const leaves = leaf_names<X>(prefix);
  std::size_t at = 0;
  auto const add = [&](dtype type, extents const& pattern) {
    c_array r = c_array_of(leaves[at++], type, pattern);
    for (c_array const& other : arrays)
      if (std::strcmp(other.name, r.name) == 0)
        r.name = kept_text(r.name + ("_" + std::to_string(arrays.size())));
    arrays.push_back(r);
  };
  (add(c_leaf<Leaf>::type, c_leaf<Leaf>::pattern), ...);
}
template <class Compiled> struct c_inputs {
  static std::vector<c_array> const& arrays() {
    static auto const& all = *new std::vector<c_array>( // as long as the program, too
        make(typename program_in<Compiled>::arguments{}));
    return all;
  }
  template <class... Arg> static std::vector<c_array> make(type_list<Arg...>) {
    std::vector<c_array> r;
    int number = 0;
    (add_c_arrays<Arg>(r, "arg" + std::to_string(number++), leaves_of<Arg>{}), ...);
    return r;
  }
};
template <class Compiled> struct c_outputs {
  static std::vector<c_array> const& arrays() {
    static auto const& all = *new std::vector<c_array>(make());
    return all;
  }
  static std::vector<c_array> make() {
    using result = typename program_in<Compiled>::result_type;
    std::vector<c_array> r;
    add_c_arrays<result>(r, "out", leaves_of<result>{});
    return r;
  }
};
template <class List> c_array const* c_list(int* count) noexcept {
#if WEFT_EXCEPTIONS
  try {
#endif
    if (count != nullptr) *count = static_cast<int>(List::arrays().size());
    return List::arrays().data();
#if WEFT_EXCEPTIONS
  } catch (...) {
    if (count != nullptr) *count = 0;
    return nullptr;
  }
#endif
}
template <class Compiled> std::vector<std::string> c_extent_names() {
  std::vector<std::string> r;
  constexpr auto const& names = c_names_in<Compiled>;
  r.reserve(static_cast<std::size_t>(names.count));
  for (int i = 0; i < names.count; ++i) r.push_back(print_extent(names.name[i]));
  return r;
}

} // namespace detail
} // namespace weft::inline v0

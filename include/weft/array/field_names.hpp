// SPDX-License-Identifier: BSL-1.0
// leaf_names<S>(): what every leaf of a struct of arrays is called: the names of its fields joined
// by '.', numbers for the parts of std::array, std::pair, std::tuple and of types with members(x).
//   template <template <class, auto...> class array> struct net { std::array<layer<array>, 2> l; };
//   leaf_names<net<tensor>>()              // {"l.0.w", "l.0.b", "l.1.w", "l.1.b"}
// C++20 has no reflection: a field's name is read from how the compiler spells a template argument
// that points to it, which g++ 12 and clang 16 both end with the name.
// Leaves: the order of for_each_leaf and make_like. No S is ever made.
#pragma once

#include <weft/array/members.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace weft::inline v0 {
namespace detail {

// Room for an S that is never made: its fields have addresses.
template <class S> union unmade {
  char none;
  S value;

  constexpr unmade() : none{} {}
  constexpr ~unmade() {}
};
template <class S> inline constexpr unmade<S> never_made{};

// clang 16 takes a pointer into an object as template argument only inside a class.
template <class Pointer> struct field_pointer {
  Pointer p;
};
template <class S, int I> constexpr auto pointer_to_field() {
  return visit_fields(never_made<S>.value, [](auto&... field) {
    auto const pointers = std::tuple(&field...);
    return field_pointer<std::tuple_element_t<I, decltype(pointers)>>{std::get<I>(pointers)};
  });
}
template <auto Field> constexpr char const* spelling_of() { return __PRETTY_FUNCTION__; }

// Of an identifier; one may have letters beyond ASCII, as bytes of UTF-8.
constexpr bool in_identifier(char c) {
  return name_code(c) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

// The last identifier of the spelling: g++ ends it with `::name)}]`, clang with `.name}]`. (A result that is a
// typedef would be spelled behind it, by g++.)
constexpr std::string_view last_identifier(std::string_view s) {
  while (!s.empty() && !in_identifier(s.back())) s.remove_suffix(1);
  std::size_t start = s.size();
  while (start > 0 && in_identifier(s[start - 1])) --start;
  return s.substr(start);
}

template <class S, int I> std::string part_name() {
  if constexpr (is_array<S> || is_tuple<S> || has_members<S>) return std::to_string(I);
  else return std::string(last_identifier(spelling_of<pointer_to_field<S, I>()>()));
}
inline std::string joined(std::string const& prefix, std::string const& name) {
  return prefix.empty() ? name : prefix + '.' + name;
}

template <class S> void add_leaf_names(std::string const& prefix, std::vector<std::string>& out);
template <class S, class... X, int... I>
void add_part_names(std::string const& prefix, std::vector<std::string>& out, type_list<X...>,
                    std::integer_sequence<int, I...>) {
  (add_leaf_names<X>(joined(prefix, part_name<S, I>()), out), ...);
}
template <class S> void add_leaf_names(std::string const& prefix, std::vector<std::string>& out) {
  if constexpr (is_leaf<S>) out.push_back(prefix);
  else if constexpr (is_array<S>)
    for (std::size_t i = 0; i < std::tuple_size_v<S>; ++i)
      add_leaf_names<typename S::value_type>(joined(prefix, std::to_string(i)), out);
  else {
    using parts = parts_of<S>;
    add_part_names<S>(prefix, out, parts{}, std::make_integer_sequence<int, parts::size>{});
  }
}

} // namespace detail

// With a prefix "p": "p.l.0.w"; of a leaf alone: "p".
template <class S> std::vector<std::string> leaf_names(std::string const& prefix = "") {
  std::vector<std::string> names;
  detail::add_leaf_names<std::remove_cvref_t<S>>(prefix, names);
  return names;
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// named("w", x): an array, or a struct of arrays, under a name in a file of several arrays; a
// struct alone has the names of its fields (array/field_names.hpp), behind "name." if it has one.
// Leaves: name_arrays, the list of what is written, names unique; load_named, the way
// back.
#pragma once

#include <weft/array/field_names.hpp>
#include <weft/io/array_bytes.hpp>

namespace weft::inline v0 {

template <class X> struct named_arrays {
  std::string name;
  X arrays;
};
// Refers to a variable, keeps a temporary.
template <class X> named_arrays<X> named(std::string name, X&& arrays) {
  return {std::move(name), std::forward<X>(arrays)};
}

namespace detail {

struct named_array {
  std::string name;
  stored_array array;
};
using name_list = std::vector<named_array>;

template <class X> void add_arrays(name_list& list, std::string const& prefix, X const& arrays) {
  if constexpr (assert_storable<X>()) {
    auto const names = leaf_names<X>(prefix);
    std::size_t i = 0;
    for_each_leaf(arrays, [&](auto& leaf) { list.push_back({names[i++], stored(leaf)}); });
  }
}
template <class X> void add_argument(name_list& list, named_arrays<X> const& x) {
  add_arrays(list, x.name, x.arrays);
}
template <class X> void add_argument(name_list& list, X const& x) {
  static_assert(!is_leaf<X>, "weft: io: an array without a name; write named(\"w\", w)");
  if constexpr (!is_leaf<X>) add_arrays(list, "", x);
}

inline void check_names(file_at const& at, name_list const& list) {
  std::vector<std::string_view> names;
  for (named_array const& one : list) names.push_back(one.name);
  std::sort(names.begin(), names.end());
  auto const twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    raise_file(at, "give each a name of its own", "two arrays are named ", *twice);
}
// Everything that is to be written, in the order of the arguments.
template <class... X> name_list name_arrays(file_at const& at, X const&... x) {
  name_list list;
  (add_argument(list, x), ...);
  check_names(at, list);
  return list;
}

// An X whose leaves are made by make.template operator()<Leaf>(name), in declaration order.
template <class X, class Make> X make_named(std::string const& prefix, Make const& make) {
  auto const names = leaf_names<X>(prefix);
  std::size_t i = 0;
  return make_like<X>([&]<class Leaf>(std::type_identity<Leaf>) {
    return make.template operator()<Leaf>(names[i++]);
  });
}
// The same of tensors, which files can fill.
template <class X, class Make> X load_named(std::string const& prefix, Make const& make) {
  if constexpr (assert_loadable<X>()) return make_named<X>(prefix, make);
  else return no_value<X>();
}

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Arrays as text, character for character as NumPy's str() writes them: brackets, columns, `...`
// where there are more than 1000 elements. Of any element type; bf16 by the rules of the others.
//   std::string s = to_string(x);      to_string(x, {.precision = 3})
//   std::cout << x << '\n';
//   std::format("{}\n", x);            // where there is <format>; "{:>80}" pads the whole text
// Needs: nothing (no stream is included). Leaves: no line longer than options.line_width that
// could be broken. Expressions are evaluated (include weft/weft.hpp for that).
#pragma once

#include <weft/array/array_text.hpp>
#include <weft/array/host_array.hpp>

#include <iosfwd>
#include <version>

#if defined(__cpp_lib_format)
#include <format>
#endif

namespace weft::inline v0 {

template <class T, auto... E>
std::string to_string(tensor<T, E...> const& x, print_options const& options = {}) {
  return detail::array_text(x.data(), x.shape(), row_major_strides(x.shape()), options);
}
template <class T, auto... E>
std::string to_string(mutable_view<T, E...> const& x, print_options const& options = {}) {
  T const* const data = x.data();
  return detail::array_text(data, x.shape(), row_major_strides(x.shape()), options);
}
template <class T, auto... E>
std::string to_string(borrowed<T, E...> const& x, print_options const& options = {}) {
  extents steps = x.shape();
  for (int i = 0; i < steps.rank; ++i) steps[i] = x.stride(i);
  return detail::array_text(x.data(), x.shape(), steps, options);
}
inline std::string to_string(host_array const& x, print_options const& options = {}) {
  return detail::with_dtype(x.type(), [&]<dtype D>() {
    auto const* const data = reinterpret_cast<storage_of<D> const*>(x.data());
    return detail::array_text(data, x.shape(), row_major_strides(x.shape()), options);
  });
}
template <expression X> std::string to_string(X const& x, print_options const& options = {}) {
  return [&]<auto... E>(std::type_identity<shape<E...>>) {
    return to_string(tensor<typename X::element_type, E...>(x), options);
  }(std::type_identity<typename X::shape_type>{});
}

// What has a text of its own here.
template <class X> inline constexpr bool is_printed = expression<X>;
template <class T, auto... E> inline constexpr bool is_printed<tensor<T, E...>> = true;
template <class T, auto... E> inline constexpr bool is_printed<borrowed<T, E...>> = true;
template <class T, auto... E> inline constexpr bool is_printed<mutable_view<T, E...>> = true;
template <> inline constexpr bool is_printed<host_array> = true;

template <class Traits, class X>
  requires is_printed<X>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, X const& x) {
  return out << to_string(x).c_str();
}

} // namespace weft::inline v0

#if defined(__cpp_lib_format)
template <class X>
  requires weft::is_printed<X>
struct std::formatter<X, char> : std::formatter<std::string, char> {
  template <class Context> auto format(X const& x, Context& context) const {
    return std::formatter<std::string, char>::format(weft::to_string(x), context);
  }
};
#endif

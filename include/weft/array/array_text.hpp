// SPDX-License-Identifier: BSL-1.0
// array_text: an array as NumPy's str() writes it: rows in brackets, lines broken at a width, the
// edges alone of large arrays.
// Needs: elements at `data`, with any strides. Leaves: "[]" for an array without elements.
#pragma once

#include <weft/array/bound_shape.hpp>
#include <weft/array/number_text.hpp>

namespace weft::inline v0 {
namespace detail {

template <class T> struct integer_texts {
  integer_texts(std::vector<T> const& shown, print_options const&) {
    for (T const x : shown) width = std::max(width, std::to_string(x).size());
  }
  std::string operator()(T x) const {
    std::string const text = std::to_string(x);
    return std::string(width - text.size(), ' ') + text;
  }
  std::size_t width = 0;
};
struct bool_texts {
  bool_texts(std::vector<bool> const&, print_options const&) {}
  std::string operator()(bool x) const { return x ? " True" : "False"; }
};
template <class T> constexpr auto texts_of() {
  if constexpr (std::is_same_v<T, bool>) return std::type_identity<bool_texts>{};
  else if constexpr (is_float(dtype_of<T>)) return std::type_identity<float_texts<T>>{};
  else return std::type_identity<integer_texts<T>>{};
}
template <class T> std::string number_text(T x) {
  if constexpr (std::is_same_v<T, bool>) return x ? "True" : "False";
  else if constexpr (is_float(dtype_of<T>)) return float_text(x);
  else return std::to_string(x);
}

template <class T> struct strided_array {
  T const* data;
  extents shape, steps;
};

// Which indices of an axis are shown: all, or `edge` at both ends.
struct shown_axis {
  extent count, edge;
  bool whole;

  template <class F, class Gap> void each(F const& f, Gap const& gap) const {
    for (extent i = 0; i < (whole ? count : edge); ++i) f(i);
    if (whole) return;
    gap();
    for (extent i = count - edge; i < count; ++i) f(i);
  }
};

template <class T> class array_writer {
public:
  array_writer(strided_array<T> const& x, print_options const& options)
      : x_(x), options_(options), summary_(count_of(x.shape) > options.threshold),
        text_(shown(), options) {}

  std::string text() const { return axis_text(0, x_.data, " ", options_.line_width); }

private:
  using texts = typename decltype(texts_of<T>())::type;

  shown_axis axis(int i) const {
    extent const n = x_.shape[i], edge = options_.edge_items;
    return {n, edge, !summary_ || n <= 2 * edge};
  }
  std::vector<T> shown() const {
    std::vector<T> r;
    collect(0, x_.data, r);
    return r;
  }
  void collect(int i, T const* from, std::vector<T>& r) const {
    if (i == x_.shape.rank) r.push_back(*from);
    else axis(i).each([&](extent k) { collect(i + 1, from + k * x_.steps[i], r); }, [] {});
  }

  // `indent` stands in front of what follows a line break, `width` is left for a line.
  std::string axis_text(int i, T const* from, std::string const& indent, int width) const {
    std::string const inside = i + 1 == x_.shape.rank ? row_text(i, from, indent, width)
                                                      : rows_text(i, from, indent, width);
    return "[" + inside.substr(indent.size()) + "]";
  }
  std::string rows_text(int i, T const* from, std::string const& indent, int width) const {
    std::string const end(static_cast<std::size_t>(x_.shape.rank - i - 1), '\n');
    std::string r;
    auto const add = [&](std::string const& part) { r += (r.empty() ? "" : end) + indent + part; };
    axis(i).each(
        [&](extent k) { add(axis_text(i + 1, from + k * x_.steps[i], indent + ' ', width - 1)); },
        [&] { add("..."); });
    return r;
  }
  std::string row_text(int i, T const* from, std::string const& indent, int width) const {
    std::string r, line = indent;
    auto const add = [&](std::string const& word) {
      bool const first = line.size() <= indent.size();
      if (!first) line += ' ';
      bool const wraps = static_cast<int>(line.size() + word.size()) > width - 1;
      if (wraps && !first) {
        line.resize(line.find_last_not_of(' ') + 1);
        r += line + '\n';
        line = indent;
      }
      line += word;
    };
    axis(i).each([&](extent k) { add(text_(from[k * x_.steps[i]])); }, [&] { add("..."); });
    return r + line;
  }

  strided_array<T> x_;
  print_options options_;
  bool summary_;
  texts text_;
};

template <class T>
std::string array_text(T const* data, extents const& shape, extents const& steps,
                       print_options const& options) {
  if (shape.rank == 0) return number_text(*data);
  if (count_of(shape) == 0) return "[]";
  return array_writer<T>({data, shape, steps}, options).text();
}

} // namespace detail
} // namespace weft::inline v0

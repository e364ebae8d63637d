// SPDX-License-Identifier: BSL-1.0
// What an `observe` node does where it runs: prints the array, or throws value_error at its first
// element that is NaN, or not finite. Its value is its operand's.
//   weft: check_finite: scores: element (0, 3) of f32(4, 8) is nan; look at what it is computed from
//   h: f32(2, 3) = 1 2 3 4 5 6
// Attributes: the observation, then the label, three characters each. Needs: nothing. Leaves: in a
// constant evaluation nothing is printed, and an element that must not be is a compile error.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/graph/graph.hpp>

namespace weft::inline v0 {

enum class observation : std::uint8_t { print, finite, no_nan };

// Where debug_print writes a line: to stderr, unless this is set. It may be called by any thread
// that runs a program.
using print_handler = void (*)(char const* line);
inline print_handler on_print = nullptr;

namespace detail {

inline constexpr int most_label = 60; // characters

constexpr growing<extent> encode(observation what, char const* label) {
  growing<extent> a(1, static_cast<extent>(what));
  for (int i = 0; label[i] != '\0' && i < most_label; ++i) {
    if (i % 3 == 0) a.push(0);
    a.back() += extent{static_cast<unsigned char>(label[i])} << (8 * (i % 3));
  }
  return a;
}
struct observed_label {
  char text[most_label + 3]{};

  constexpr explicit observed_label(view<extent> attributes) {
    int size = 0;
    for (int i = 1; i < attributes.size() && size < most_label; ++i)
      for (int byte = 0; byte < 3; ++byte)
        if (char const c = static_cast<char>((attributes[i] >> (8 * byte)) & 0xff); c != '\0')
          text[size++] = c;
  }
};

// The number that an element of a floating type is.
constexpr double float_of_word(word bits, dtype type) {
  switch (type) {
    case dtype::f64: return element_of_word<double>(bits);
    case dtype::f32: return static_cast<double>(element_of_word<float>(bits));
    case dtype::bf16: return static_cast<double>(static_cast<float>(element_of_word<bf16>(bits)));
    default: return static_cast<double>(static_cast<float>(element_of_word<f16>(bits)));
  }
}
// Does an element with these bits pass?
constexpr bool passes(observation what, word bits, dtype type) {
  if (!is_float(type)) return true;
  double const x = float_of_word(bits, type);
  return what == observation::finite ? x - x == 0 : x == x;
}
// Enough digits to tell a number of the type from its neighbours.
constexpr int digits_of(dtype type) {
  return type == dtype::f64 ? 17 : type == dtype::f32 ? 9 : type == dtype::f16 ? 5 : 4;
}
// A number as a person reads it.
inline void add_number(message& to, word w, dtype type) {
  char digits[40] = "nan"; // signs of NaNs mean nothing
  if (is_float(type)) {
    double const x = float_of_word(w, type);
    if (x == x) std::snprintf(digits, sizeof digits, "%.*g", digits_of(type), x);
  } else if (is_signed(type)) {
    int const unused = 64 - 8 * size_of(type);
    std::snprintf(digits, sizeof digits, "%lld",
                  static_cast<long long>(static_cast<std::int64_t>(w << unused) >> unused));
  } else std::snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(w));
  to.add(static_cast<char const*>(digits));
}
[[noreturn]] WEFT_NOINLINE inline void raise_observed(observation what, char const* label,
                                                      dtype type, extents const& shape,
                                                      extent element, word bits) {
  message text(what == observation::finite ? "weft: check_finite: " : "weft: check_nan: ");
  if (*label != '\0') text.add(label).add(": ");
  text.add("element ").add(position_of(element, shape)).add(" of ");
  text.add(name_of(type)).add(shape).add(" is ");
  add_number(text, bits, type);
  raise<value_error>(text.add("; look at what it is computed from"));
}
// The first elements, as many as fit a line.
template <class At>
WEFT_NOINLINE void print_observed(char const* label, dtype type, extents const& shape,
                                  At const& at) {
  constexpr extent most = 16;
  constexpr int line_length = 400; // less than a message holds
  extent const count = count_of(shape);
  message line(label);
  if (*label != '\0') line.add(": ");
  line.add(name_of(type)).add(shape).add(" =");
  extent shown = 0;
  for (; shown < count && shown < most && line.size() < line_length; ++shown) {
    line.add(" ");
    add_number(line, at(shown), type);
  }
  if (shown < count) line.add(" ...");
  line.add("\n");
  if (on_print != nullptr) on_print(line.c_str());
  else std::fputs(line.c_str(), stderr);
}

// at(i): the bits of row-major element i, an extent.
template <class At>
constexpr void observe(view<extent> attributes, dtype type, extents const& shape, At const& at) {
  observed_label const label(attributes);
  auto const what = static_cast<observation>(attributes[0]);
  if (what == observation::print) {
    if (!std::is_constant_evaluated()) print_observed(label.text, type, shape, at);
    return;
  }
  extent const count = is_float(type) ? count_of(shape) : 0;
  for (extent i = 0; i < count; ++i)
    if (word const bits = at(i); !passes(what, bits, type))
      raise_observed(what, label.text, type, shape, i, bits);
}

} // namespace detail
} // namespace weft::inline v0

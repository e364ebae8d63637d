// SPDX-License-Identifier: BSL-1.0
// How an array's numbers are written so that they stand in columns: by NumPy's rules (2.4), after
// a look at all of those that are shown.
//   float_texts<float> const text(shown, options);     text(1.5f)     "1.5  "
// Needs: nothing. Leaves: each float has the fewest digits that read back as the same value of its
// type, at most options.precision of them behind the point.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/core/extents.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace weft::inline v0 {

// Arrays of more elements than `threshold` are shown by `edge_items` at both ends of each axis;
// `suppress_small` keeps small numbers from being written with exponents.
struct print_options {
  int precision = 8;
  extent threshold = 1000, edge_items = 3;
  int line_width = 75;
  bool suppress_small = false;
};

namespace detail {

// A type in which a float's value is exact, and its decimal digits, as NumPy's finfo counts them.
template <class T> using exact_float = std::conditional_t<is_half(dtype_of<T>), float, T>;
template <class T> inline constexpr int decimal_digits = std::numeric_limits<T>::digits10;
template <> inline constexpr int decimal_digits<f16> = 3;
template <> inline constexpr int decimal_digits<bf16> = 2;

// digits[0].digits[1...] 10^exponent
struct decimal_text {
  std::string digits;
  int exponent = 0;

  int behind_point() const { return std::max(static_cast<int>(digits.size()) - 1 - exponent, 0); }
};
template <class T> exact_float<T> magnitude(T x) { return std::abs(exact_float<T>(x)); }

// |x| rounded to so many digits behind the first; -1: to the fewest that read back, of a float or
// a double.
template <class T> decimal_text nearest_decimal(T x, int precision) {
  std::string text(static_cast<std::size_t>(std::max(precision, 0)) + 32, '\0');
  char *const first = text.data(), *const last = first + text.size();
  auto const format = std::chars_format::scientific;
  auto const written = precision < 0 ? std::to_chars(first, last, magnitude(x), format)
                                     : std::to_chars(first, last, magnitude(x), format, precision);
  text.resize(static_cast<std::size_t>(written.ptr - first));
  auto const e = text.find('e');
  decimal_text r{text.substr(0, e)};
  if (r.digits.size() > 1) r.digits.erase(1, 1);
  int const exponent = std::abs(std::atoi(text.c_str() + e + 1));
  r.exponent = text[e + 1] == '-' ? -exponent : exponent;
  return r;
}
// Whether d is read as |x|. Without a point no locale matters; of the 16-bit types a division of
// doubles is right, which d is exact in.
template <class T> bool reads_back(decimal_text const& d, T x) {
  int const power = d.exponent - static_cast<int>(d.digits.size()) + 1;
  if constexpr (is_half(dtype_of<T>)) {
    double const digits = std::atof(d.digits.c_str()), scale = std::pow(10.0, std::abs(power));
    return magnitude(T(power < 0 ? digits / scale : digits * scale)) == magnitude(x);
  } else {
    std::string const text = d.digits + "e" + std::to_string(power);
    if constexpr (sizeof(T) == 4) return std::strtof(text.c_str(), nullptr) == magnitude(x);
    else return std::strtod(text.c_str(), nullptr) == magnitude(x);
  }
}
inline decimal_text one_more(decimal_text d) {
  auto const nines = d.digits.size() - 1 - d.digits.find_last_not_of('9');
  std::fill(d.digits.end() - static_cast<std::ptrdiff_t>(nines), d.digits.end(), '0');
  if (nines < d.digits.size()) ++d.digits[d.digits.size() - 1 - nines];
  else {
    d.digits[0] = '1';
    ++d.exponent;
  }
  return d;
}
// The nearest, but for powers of two, whose neighbour above is twice as far as that below: where
// only the decimal above reads back it is taken, as NumPy does.
template <class T> decimal_text decimal_of(T x, int precision) {
  decimal_text r = nearest_decimal(x, precision);
  int exponent = 0;
  if (std::frexp(magnitude(x), &exponent) != 0.5 || reads_back(r, x)) return r;
  decimal_text const above = one_more(r);
  return reads_back(above, x) ? above : r;
}
template <class T> decimal_text shortest(T x) {
  if constexpr (!is_half(dtype_of<T>)) return nearest_decimal(x, -1);
  else
    for (int precision = 0;; ++precision)
      if (decimal_text r = decimal_of(x, precision); precision == 8 || reads_back(r, x)) return r;
}

inline std::string without_zeros(std::string text) {
  text.resize(text.find_last_not_of('0') + 1);
  return text;
}
// 12.5, 3., 0.001: at most `precision` digits behind the point, no zeros at the end. Of |x|.
template <class T> std::string positional(T x, int precision) {
  decimal_text d = shortest(x);
  if (d.behind_point() > precision) {
    if (d.exponent + precision < 0) { // less than one in the last place
      bool const up = magnitude(x) * 2 > std::pow(exact_float<T>(10), -precision);
      d = up ? decimal_text{"1", -precision} : decimal_text{"0"};
    } else d = decimal_of(x, d.exponent + precision);
  }
  if (d.exponent < 0)
    return without_zeros("0." + std::string(static_cast<std::size_t>(-d.exponent - 1), '0') +
                         d.digits);
  auto const whole = static_cast<std::size_t>(d.exponent) + 1;
  if (d.digits.size() < whole) d.digits.append(whole - d.digits.size(), '0');
  return without_zeros(d.digits.substr(0, whole) + "." + d.digits.substr(whole));
}
// Zeros are no digits of 1.50: 1.5.
inline int fraction_of(decimal_text const& d) {
  return static_cast<int>(without_zeros("." + d.digits.substr(1)).size()) - 1;
}
inline std::string exponent_text(int exponent, int digits = 2) {
  std::string const n = std::to_string(std::abs(exponent));
  auto const size = static_cast<std::size_t>(digits);
  return (exponent < 0 ? "e-" : "e+") + std::string(size > n.size() ? size - n.size() : 0, '0') + n;
}
template <class T> bool is_finite(T x) { return std::isfinite(exact_float<T>(x)); }
template <class T> std::string sign_text(T x) { return std::signbit(exact_float<T>(x)) ? "-" : ""; }
template <class T> std::string not_finite(T x) {
  return std::isnan(exact_float<T>(x)) ? "nan" : sign_text(x) + "inf";
}

template <class T> class float_texts {
public:
  float_texts(std::vector<T> const& shown, print_options const& options)
      : precision_(std::max(options.precision, 0)) {
    scientific_ = wants_exponents(shown, options.suppress_small);
    if (scientific_) precision_ = most_digits(shown);
    for (T const x : shown)
      if (is_finite(x)) scientific_ ? measure_scientific(x) : measure(x);
    for (T const x : shown)
      if (!is_finite(x))
        left_ = std::max(left_, static_cast<int>(not_finite(x).size()) - right_ - 1);
  }

  std::string operator()(T x) const {
    if (!is_finite(x)) return padded(not_finite(x), left_ + right_ + 1);
    std::string const sign = sign_text(x);
    if (scientific_) {
      decimal_text const d = decimal_of(x, precision_);
      return padded(sign + d.digits[0], left_) + "." + d.digits.substr(1) +
             exponent_text(d.exponent, exponent_);
    }
    std::string text = positional(x, precision_);
    auto const point = text.find('.');
    text.append(static_cast<std::size_t>(right_) - (text.size() - point - 1), ' ');
    return padded(sign + text.substr(0, point), left_) + text.substr(point);
  }

private:
  static std::string padded(std::string const& text, int width) {
    auto const size = static_cast<std::size_t>(std::max(width, 0));
    return std::string(size > text.size() ? size - text.size() : 0, ' ') + text;
  }
  // Of the finite numbers but 0; compared in their own type, as NumPy does.
  static bool wants_exponents(std::vector<T> const& shown, bool suppress_small) {
    exact_float<T> largest = 0, smallest = 0;
    for (T const x : shown) {
      auto const m = magnitude(x);
      if (!is_finite(x) || m == 0) continue;
      largest = std::max(largest, m);
      smallest = smallest == 0 ? m : std::min(smallest, m);
    }
    double const limit = std::pow(10.0, std::min(8, decimal_digits<T>));
    if (largest == 0) return false;
    if (static_cast<double>(largest) >= limit) return true;
    auto const own = [](auto x) { return exact_float<T>(T(x)); };
    return !suppress_small && (smallest < own(1e-4) || own(largest / smallest) > own(1000.0));
  }
  // Behind the first digit: as many as any of the numbers wants.
  int most_digits(std::vector<T> const& shown) const {
    int most = 0;
    for (T const x : shown) {
      if (!is_finite(x)) continue;
      decimal_text d = shortest(x);
      if (static_cast<int>(d.digits.size()) - 1 > precision_) d = decimal_of(x, precision_);
      most = std::max(most, fraction_of(d));
    }
    return most;
  }
  void measure_scientific(T x) {
    int const exponent = std::abs(decimal_of(x, precision_).exponent);
    exponent_ = std::max(exponent_, static_cast<int>(std::to_string(exponent).size()));
    left_ = std::max(left_, static_cast<int>(sign_text(x).size()) + 1);
    right_ = exponent_ + 2 + precision_;
  }
  void measure(T x) {
    std::string const text = positional(x, precision_);
    auto const point = static_cast<int>(text.find('.'));
    left_ = std::max(left_, static_cast<int>(sign_text(x).size()) + point);
    right_ = std::max(right_, static_cast<int>(text.size()) - point - 1);
  }

  int precision_, left_ = 0, right_ = 0, exponent_ = 2;
  bool scientific_ = false;
};

// A number alone, as NumPy's str() of one: 1.0, 0.1, 1e-05, 1.5e+16, nan.
template <class T> std::string float_text(T x) {
  if (!is_finite(x)) return not_finite(x);
  auto const m = static_cast<double>(magnitude(x));
  double const limit = sizeof(T) == 8 ? 1e16 : std::pow(10.0, decimal_digits<T>);
  if (m == 0 || (m >= 1e-4 && m < limit)) {
    std::string const text = positional(x, 1000);
    return sign_text(x) + text + (text.back() == '.' ? "0" : "");
  }
  decimal_text const d = shortest(x);
  std::string const fraction = without_zeros("." + d.digits.substr(1));
  return sign_text(x) + d.digits[0] + (fraction == "." ? "" : fraction) + exponent_text(d.exponent);
}

} // namespace detail
} // namespace weft::inline v0

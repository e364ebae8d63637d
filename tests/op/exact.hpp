// SPDX-License-Identifier: BSL-1.0
// What conversions should give, from the definition, in long double: its 64 significant bits hold
// every element of every type.
#pragma once

#include <weft/core/dtype.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace test {

using weft::dtype, weft::word;

static_assert(std::numeric_limits<long double>::digits >= 64);

// A float format: significant bits, the exponent of the last bit of subnormals, the greatest value.
struct float_format {
  int digits, last;
  long double greatest;
};
inline float_format format_of(dtype d) {
  switch (d) {
    case dtype::f16: return {11, -24, 65504};
    case dtype::bf16: return {8, -133, 0x1.fep127L};
    case dtype::f32: return {24, -149, 0x1.fffffep127L};
    default: return {53, -1074, 0x1.fffffffffffffp1023L};
  }
}
// x to the nearest value of d, to the even one of two.
inline long double rounded(long double x, dtype d) {
  if (!std::isfinite(x) || x == 0) return x;
  auto const [digits, last, greatest] = format_of(d);
  int const unit = std::max(std::ilogb(x) - digits + 1, last);
  long double const r = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  if (std::fabs(r) <= greatest) return r;
  return std::copysign(std::numeric_limits<long double>::infinity(), x);
}

inline long double value_of(word w, dtype d) {
  return weft::detail::with_dtype(d, [&]<dtype D>() -> long double {
    auto const x = weft::element_of_word<weft::storage_of<D>>(w);
    if constexpr (weft::is_half(D)) return static_cast<float>(x);
    else return static_cast<long double>(x);
  });
}
// The bits of a value that d holds.
inline word word_of_value(long double x, dtype d) {
  return weft::detail::with_dtype(d, [&]<dtype D>() -> word {
    using T = weft::storage_of<D>;
    if constexpr (weft::is_half(D)) return weft::word_of(T(static_cast<float>(x)));
    else return weft::word_of(static_cast<T>(x));
  });
}
// The value that converting gives.
inline long double converted(long double x, dtype from, dtype to) {
  if (to == dtype::boolean) return x != 0;
  if (weft::is_float(to)) return rounded(x, to);
  int const bits = 8 * weft::size_of(to);
  long double const modulus = std::ldexp(1.0L, bits);
  long double const low = weft::is_signed(to) ? -modulus / 2 : 0, high = low + modulus - 1;
  if (weft::is_float(from)) return std::isnan(x) ? 0 : std::clamp(std::trunc(x), low, high);
  long double const wrapped = x - modulus * std::floor(x / modulus); // exact: powers of two
  return wrapped > high ? wrapped - modulus : wrapped;
}

inline std::vector<word> edge_words(dtype d) {
  word const ones = weft::detail::storage_mask(d), top = (ones >> 1) + 1;
  std::vector<word> all = {0, 1, 2, 3, 7, top - 2, top - 1, top, top + 1, ones - 1, ones};
  if (d == dtype::boolean) return {0, 1};
  if (!weft::is_float(d)) {
    for (int bit = 3; bit < 8 * weft::size_of(d); ++bit)
      for (word around : {~word{1}, ~word{0}, word{0}, word{1}})
        all.push_back(((word{1} << bit) + around) & ones);
    for (word w : {word{0x1000001000}, word{0x20000000000001}, word{0x4000004000000001},
                   word{0x7fffff4000000001}, word{0x0101010101010101}})
      all.push_back(w & ones), all.push_back((0 - w) & ones);
    return all;
  }
  // Ties of every shorter format, and what is next to them; limits of the integers.
  all.clear();
  for (double x : {0.0,
                   0.5,
                   0x1.0p-24,
                   0x1.8p-24,
                   0x1.0p-25,
                   0x1.8p-26,
                   0x1p-14,
                   0x1.ffcp-15,
                   0x1.ffep-15,
                   1.0,
                   0x1.002p0,
                   0x1.006p0,
                   0x1.01p0,
                   0x1.03p0,
                   0x1.000001p0,
                   0x1.000003p0,
                   100.7,
                   127.5,
                   128.5,
                   255.9,
                   300.0,
                   32767.5,
                   65503.9,
                   65519.0,
                   65520.0,
                   65536.0,
                   1e6,
                   0x1p31,
                   0x1.fffffffcp30,
                   0x1p32,
                   0x1.fffffp31,
                   0x1p53,
                   0x1p63,
                   0x1.fffffffffffffp62,
                   0x1p64,
                   0x1.fffffffffffffp63,
                   1e30,
                   0x1.ffp127,
                   0x1.fffffefp127,
                   0x1.ffffffp127,
                   1e300,
                   0x1p-126,
                   0x1p-133,
                   0x1p-134,
                   0x1p-149,
                   0x1.8p-150,
                   0x1p-150,
                   0x1p-1074,
                   1e-300,
                   double{INFINITY}})
    for (double y : {std::nextafter(x, 0.0), x, std::nextafter(x, double{INFINITY})})
      for (double z : {y, -y}) all.push_back(word_of_value(rounded(z, d), d));
  all.push_back(word_of_value(std::numeric_limits<long double>::quiet_NaN(), d));
  return all;
}

} // namespace test

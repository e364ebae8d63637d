// SPDX-License-Identifier: BSL-1.0
// chlo.bessel_i1e: exp(-|x|) I1(x), which is no op of weft's.
//   near 0   exp(-|x|) x / 2 times the sum of (x / 2)^2k / (k! (k + 1)!), whose terms have one sign
//   beyond   1 / sqrt(2 pi |x|) times a series in 1 / |x|, of which few terms count
// Needs: import_elementwise.hpp. Leaves: elementwise nodes; 16-bit floats are computed in float and
// rounded once. Largest error: 8 ulp.
// Source: DLMF 10.25.2 and 10.40.1.
#pragma once

#include <weft/stablehlo/import_elementwise.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// Of both series what is above `least` of the whole at |x| = split, where they are worst.
struct bessel_series {
  growing<double> near, beyond;

  constexpr bessel_series(double split, double least) {
    double whole = 0, term = 1, factor = 1;
    for (int k = 1; term > least * whole; ++k) {
      near.push(factor);
      whole += term;
      term *= split * split / 4 / (k * (k + 1));
      factor /= k * (k + 1);
    }
    double size = 1;
    factor = 1;
    for (int k = 1; size > least || -size > least; ++k) {
      beyond.push(factor);
      double const next = ((2 * k - 1) * (2 * k - 1) - 4) / (8.0 * k);
      factor *= next;
      size *= next / split;
    }
  }
};
constexpr handle horner(handle x, view<double> factors) {
  handle sum = number_like(x, factors[factors.size() - 1]);
  for (int k = factors.size() - 2; k >= 0; --k) sum = sum * x + number_like(x, factors[k]);
  return sum;
}
constexpr handle bessel_i1e(handle x) {
  bool const wide = x.type() == dtype::f64;
  double const split = wide ? 20 : 12;
  bessel_series const series(split, wide ? 0x1p-55 : 0x1p-26);
  handle const size = unary(op::abs, x), half = x * number_like(x, 0.5);
  handle const near = half * horner(half * half, series.near) * unary(op::exp, -size);
  handle const far = horner(number_like(x, 1) / size, series.beyond) *
                     number_like(x, 0x1.9884533d43651p-2) / unary(op::sqrt, size);
  handle const beyond = select(less(x, number_like(x, 0)), -far, far);
  return select(compare(op::less_equal, size, number_like(x, split)), near, beyond);
}
constexpr void import_bessel_i1e(importing& c, operation const& o) {
  if (!takes_floats(c, o, 1)) return;
  handle const x = c.in(o, 0);
  c.give(o, convert(bessel_i1e(convert(x, accumulator_of(x.type()))), x.type()));
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

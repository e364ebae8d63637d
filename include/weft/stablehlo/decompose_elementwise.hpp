// SPDX-License-Identifier: BSL-1.0
// What elementwise ops that StableHLO lacks are made of, as graphs over ops that it has: the bodies
// of composites' decompositions. float32 and the 16-bit floats are computed in double where a
// rounding would show, so that the result is within the op table's bound wherever the standard
// operations are good to a few places of a double; double itself by formulas that cancel nothing.
// Needs: an op and a type for which `has_decomposition` says true.
// Leaves: a graph with the op's operands as inputs and its results as outputs.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/graph/results.hpp>

namespace weft::inline v0::stablehlo::detail {

// What the standard operation of this name does not do, or where there is none. bitcast of floats:
// every NaN is the quiet one. abs and sign: StableHLO has none of unsigned integers. pow of integers:
// XLA reads few bits of the exponent. div and remainder of
// integers: XLA's compiler dies of a constant 0 that it divides by, so by what may be 0 nothing is
// divided.
constexpr bool has_decomposition(op code, dtype in, dtype out) {
  switch (code) {
    case op::fma:
    case op::threefry2x32:
    case op::exp2:
    case op::log2:
    case op::log10:
    case op::softplus:
    case op::reciprocal:
    case op::gelu:
    case op::trunc:
    case op::is_nan:
    case op::hypot:
    case op::mod_floor:
    case op::floor_divide:
    case op::copysign: return true;
    case op::abs:
    case op::sign: return is_unsigned(in);
    case op::div:
    case op::remainder:
    case op::pow: return is_integer(in);
    case op::bitcast: return is_float(in) && out != in;
    default: return false;
  }
}

// These say their standard operation themselves (export_elementwise.hpp), not as a graph.
constexpr bool is_written_plain(op code) {
  return code == op::bitcast || code == op::div || code == op::remainder;
}

class elementwise_decomposition {
public:
  // `shape` may have names.
  constexpr elementwise_decomposition(op code, int operands, dtype in, extents const& shape)
      : code_(code), in_(in), shape_(shape) {
    for (int k = 0; k < operands; ++k) x_[k] = r_.input(in, shape, {k, 0, false});
  }
  constexpr graph made() {
    growing<handle> results;
    if (code_ == op::threefry2x32) results = threefry();
    else results.push(result());
    r_.finish(results);
    return r_.result;
  }

private:
  constexpr handle result() {
    handle const x = x_[0], y = x_[1];
    switch (code_) {
      case op::abs: return unary(op::stop_gradient, x);
      case op::sign: return both(op::minimum, x, number(1, x));
      case op::pow: return integer_power();
      case op::is_nan: return compare(op::not_equal, x, x);
      case op::trunc: return choose(less(x, number(0, x)), op::ceil, op::floor, x);
      case op::copysign: return with_sign_of(x, select(equal(y, y), y, number(1, y)));
      case op::reciprocal: return rounded(number(1, wide(x)) / wide(x));
      case op::mod_floor:
        return is_integer(in_) ? mod_floor_of_integers() : rounded(mod(wide(x), wide(y)));
      case op::floor_divide:
        return is_integer(in_) ? floor_divide_of_integers()
                               : rounded(floor_quotient(wide(x), wide(y)));
      case op::fma: return in_ == dtype::f64 ? fma_of_doubles() : rounded(fma_by_odd());
      case op::exp2: return rounded(exp2(widest(x)));
      case op::log2:
        return rounded(unary(op::log, widest(x)) / number(0x1.62e42fefa39efp-1, widest(x)));
      case op::log10:
        return rounded(unary(op::log, widest(x)) / number(0x1.26bb1bbb55516p+1, widest(x)));
      case op::softplus: return rounded(softplus(widest(x)));
      case op::gelu: return rounded(gelu(widest(x)));
      case op::hypot: return rounded(hypot(widest(x), widest(y)));
      default: return x;
    }
  }

  // pieces
  static constexpr handle number(double n, handle like) {
    return constant(*like.where, n, like.type(), like.shape());
  }
  static constexpr handle both(op code, handle a, handle b) { return binary(code, a.type(), a, b); }
  static constexpr handle choose(handle p, op yes, op no, handle x) {
    return select(p, unary(yes, x), unary(no, x));
  }
  static constexpr handle logical(op code, handle a, handle b) {
    return binary(code, dtype::boolean, a, b);
  }
  static constexpr handle magnitude(handle x) { return unary(op::abs, x); }
  static constexpr handle is_infinite(handle x) {
    return compare(op::equal, magnitude(x), number(infinity, x));
  }
  static constexpr double infinity = __builtin_huge_val();
  // The 16-bit floats as float; all but double as double; and back to the op's type, by way of
  // float, as an executor's own roundings go.
  constexpr handle wide(handle x) { return convert(x, compute_of(in_)); }
  constexpr handle widest(handle x) { return convert(x, dtype::f64); }
  constexpr handle rounded(handle x) {
    if (is_half(in_)) x = convert(x, dtype::f32);
    return convert(x, in_);
  }
  static constexpr dtype bits_type(dtype d) {
    return size_of(d) == 8 ? dtype::i64 : size_of(d) == 4 ? dtype::i32 : dtype::i16;
  }
  static constexpr handle is_negative(handle x) { // -0, too; x is no NaN
    handle const bits = bitcast(x, bits_type(x.type()));
    return less(bits, number(0, bits));
  }
  static constexpr handle with_sign_of(handle x, handle y) {
    handle const a = magnitude(x);
    return select(is_negative(y), -a, a);
  }
  // Of a y that may be NaN.
  static constexpr handle zero_with_sign(handle y) {
    return with_sign_of(number(0, y), select(equal(y, y), y, number(1, y)));
  }

  // op/elementary_round.hpp, and op/meaning_more.hpp
  static constexpr handle signs_differ(handle a, handle b) {
    return logical(op::bit_xor, less(a, number(0, a)), less(b, number(0, b)));
  }
  static constexpr handle mod(handle x, handle y) {
    handle const r = both(op::remainder, x, y);
    handle const same = select(signs_differ(r, y), r + y, r);
    return select(equal(r, number(0, r)), zero_with_sign(y), same);
  }
  static constexpr handle floor_quotient(handle x, handle y) {
    handle const zero = number(0, x), quotient = x / y;
    handle const whole = unary(op::round_even, (x - mod(x, y)) / y);
    handle const nearest = select(equal(whole, zero), zero_with_sign(quotient), whole);
    handle const known = select(equal(quotient, quotient), quotient, number(1, x));
    handle const negative = logical(op::bit_and, compare(op::not_equal, x, zero),
                                    is_negative(known));
    handle const below = logical(op::bit_and, negative, is_infinite(y));
    handle const finite = compare(op::not_equal, magnitude(x), number(infinity, x));
    handle const limited = select(logical(op::bit_and, below, finite), number(-1, x), nearest);
    return select(equal(y, zero), quotient, limited);
  }
  constexpr handle uneven(handle r, handle y) { // a remainder that is not 0, of another sign than y
    handle const whole = logical(op::bit_or, equal(r, number(0, r)), equal(y, number(0, y)));
    return logical(op::bit_and, unary(op::bit_not, whole), signs_differ(r, y));
  }
  constexpr handle mod_floor_of_integers() {
    handle const r = both(op::remainder, x_[0], x_[1]);
    return is_unsigned(in_) ? r : select(uneven(r, x_[1]), r + x_[1], r);
  }
  constexpr handle floor_divide_of_integers() {
    handle const q = x_[0] / x_[1];
    if (is_unsigned(in_)) return q;
    handle const r = both(op::remainder, x_[0], x_[1]);
    return select(uneven(r, x_[1]), q - number(1, q), q);
  }

  // By squares, every bit of the exponent; 1 / base^n is 0, but of 1 and -1.
  constexpr handle integer_power() {
    handle const base = x_[0], exponent = x_[1], one = number(1, base), zero = number(0, base);
    handle power = base, result = one, left = exponent;
    for (int bit = 0; bit < 8 * size_of(in_); ++bit) {
      if (bit > 0) power = power * power;
      handle const odd = compare(op::not_equal, both(op::bit_and, left, one), zero);
      result = select(odd, result * power, result);
      left = both(op::shift_right_logical, left, one);
    }
    if (is_unsigned(in_)) return result;
    handle const minus_one = equal(base, number(-1, base));
    handle const unit = logical(op::bit_or, equal(base, one), minus_one);
    return select(less(exponent, zero), select(unit, result, zero), result);
  }

  // a b is exact in double; the sum is rounded to odd there, so that the last rounding is the only
  // one (Boldo and Melquiond, 2008).
  constexpr handle fma_by_odd() {
    handle const p = widest(x_[0]) * widest(x_[1]), c = widest(x_[2]), s = p + c;
    handle const from_c = s - p, error = (p - (s - from_c)) + (c - from_c);
    handle const bits = bitcast(s, dtype::i64), zero = number(0, s);
    handle const even = equal(both(op::bit_and, bits, number(1, bits)), number(0, bits));
    handle const inexact = less(zero, magnitude(error)); // false of NaN
    handle const outwards = equal(less(zero, error), less(zero, s));
    handle const moved = select(outwards, bits + number(1, bits), bits - number(1, bits));
    handle const odd = bitcast(moved, dtype::f64);
    return convert(select(logical(op::bit_and, inexact, even), odd, s), dtype::f32);
  }
  struct pair {
    handle high, low;
  };
  // Veltkamp's halves.
  static constexpr pair split(handle x) {
    handle const scaled = x * number(0x1p27 + 1, x), high = scaled - (scaled - x);
    return {high, x - high};
  }
  // The product and the sum as pairs, one rounding of what is left: the plain form where a half of
  // it overflows.
  constexpr handle fma_of_doubles() {
    handle const a = x_[0], b = x_[1], c = x_[2], p = a * b, s = p + c, from_c = s - p;
    pair const u = split(a), v = split(b);
    handle const low = ((u.high * v.high - p) + u.high * v.low + u.low * v.high) + u.low * v.low;
    handle const error = (p - (s - from_c)) + (c - from_c), rest = error + low, all = s + rest;
    handle const corrected = less(number(0, rest), magnitude(rest)); // else -0 would become +0
    handle const bounded = less(magnitude(all), number(infinity, all));
    handle const whole = select(logical(op::bit_and, corrected, bounded), all, s);
    handle const finite = compare(op::less, both(op::maximum, magnitude(a), magnitude(b)),
                                  number(infinity, a));
    return select(logical(op::bit_and, is_infinite(c), finite), c, whole);
  }

  static constexpr handle power_of_two(handle n) { // |n| <= 1022
    handle const biased = convert(n, dtype::i64) + constant(*n.where, 1023, dtype::i64, n.shape());
    handle const places = constant(*n.where, 52, dtype::i64, n.shape());
    return bitcast(both(op::shift_left, biased, places), dtype::f64);
  }
  static constexpr handle exp2(handle x) {
    handle const limited = both(op::maximum, both(op::minimum, x, number(1100, x)),
                                number(-1100, x));
    handle const n = unary(op::round_even, limited), half = unary(op::floor, n * number(0.5, n));
    handle const e = unary(op::exp, (limited - n) * number(0x1.62e42fefa39efp-1, x));
    return (e * power_of_two(half)) * power_of_two(n - half);
  }
  static constexpr handle softplus(handle x) {
    handle const e = unary(op::exp, -magnitude(x));
    return both(op::maximum, x, number(0, x)) + unary(op::log1p, e);
  }
  // x Phi(x); far below, where x times 0 would be no number, -0.
  static constexpr handle gelu(handle x) {
    handle const phi = unary(op::erfc, x * number(-0x1.6a09e667f3bcdp-1, x)) * number(0.5, x);
    return select(less(x, number(-40, x)), number(-0.0, x), x * phi);
  }
  static constexpr handle hypot(handle x, handle y) {
    handle const a = magnitude(x), b = magnitude(y), zero = number(0, x);
    handle const larger = both(op::maximum, a, b), smaller = both(op::minimum, a, b);
    handle const ratio = smaller / select(equal(larger, zero), number(1, x), larger);
    handle const length = larger * unary(op::sqrt, ratio * ratio + number(1, x));
    handle const infinite = logical(op::bit_or, is_infinite(x), is_infinite(y));
    return select(infinite, number(infinity, x), length);
  }

  // Random123's twenty rounds.
  constexpr handle rotated(handle x, int left) {
    handle const up = both(op::shift_left, x, number(left, x));
    return both(op::bit_or, up, both(op::shift_right_logical, x, number(32 - left, x)));
  }
  constexpr growing<handle> threefry() {
    constexpr int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    handle keys[3] = {x_[0], x_[1], {}};
    keys[2] = both(op::bit_xor, both(op::bit_xor, keys[0], keys[1]), number(0x1bd11bda, keys[0]));
    handle a = x_[2] + keys[0], b = x_[3] + keys[1];
    for (int group = 0; group < 5; ++group) {
      for (int turn : turns[group % 2]) {
        a = a + b;
        b = both(op::bit_xor, a, rotated(b, turn));
      }
      a = a + keys[(group + 1) % 3];
      b = b + (keys[(group + 2) % 3] + number(group + 1, b));
    }
    growing<handle> r;
    r.push(a);
    r.push(b);
    return r;
  }

  recorder r_;
  op code_;
  dtype in_;
  extents shape_;
  handle x_[4];
};

} // namespace weft::inline v0::stablehlo::detail

// SPDX-License-Identifier: BSL-1.0
// Every op that takes elements of CASE_TYPE by its public name, traced and called with tensors,
// against definitions in plain C++: CMakeLists.txt makes an executable of each type. Not built by
// default.
#include "conformance/door_bench.hpp"
#include "conformance/plain_functions.hpp"

#include "lang/random_reference.hpp"

#include <weft/lang/expression_conv.hpp>
#include <weft/lang/pooling.hpp>
#include <weft/lang/sharding.hpp>

#include <bit>

namespace {

using namespace weft;
using test::digamma_of, test::door_bench, test::erfinv_of, test::zeta_of;
constexpr dtype type = weft::dtype::CASE_TYPE;
using T = storage_of<type>;
constexpr bool is_bool = type == dtype::boolean, is_real = is_float(type);
constexpr bool is_number = !is_bool, is_whole = is_number && !is_real;
constexpr int width = 8 * size_of(type);

door_bench<T>& bench() {
  static door_bench<T> one;
  return one;
}
using list = std::vector<double>;
using whole = std::int64_t;

// f of one array, of two: and the same of doubles.
template <op O, class F> void one(F const& f, double (*of)(double)) { bench().map<O>(f, of); }
template <op O, class F> void two(F const& f, double (*of)(double, double)) {
  bench().map<O>(f, of);
}

TEST(doors, arithmetic) {
  two<op::add>([](auto const& a, auto const& b) { return a + b; },
               [](double a, double b) -> double { return a + b; });
  two<op::sub>([](auto const& a, auto const& b) { return a - b; },
               [](double a, double b) -> double { return a - b; });
  two<op::mul>([](auto const& a, auto const& b) { return a * b; },
               [](double a, double b) -> double { return a * b; });
  two<op::div>([](auto const& a, auto const& b) { return a / b; },
               [](double a, double b) -> double { return is_whole ? std::trunc(a / b) : a / b; });
  one<op::neg>([](auto const& a) { return -a; }, [](double a) -> double { return -a; });
  one<op::abs>([](auto const& a) { return abs(-a); },
               [](double a) -> double { return is_real || std::is_signed_v<T> ? a : -a; });
  one<op::sqrt>([](auto const& a) { return sqrt(a); },
                [](double a) -> double { return std::sqrt(a); });
  one<op::sign>([](auto const& a) { return sign(a); }, [](double) -> double { return 1; });
  two<op::maximum>([](auto const& a, auto const& b) { return maximum(a, b); },
                   [](double a, double b) -> double { return std::max(a, b); });
  two<op::minimum>([](auto const& a, auto const& b) { return minimum(a, b); },
                   [](double a, double b) -> double { return std::min(a, b); });
  two<op::pow>([](auto const& a, auto const& b) { return pow(a, b); },
               [](double a, double b) -> double { return std::pow(a, b); });
  two<op::remainder>([](auto const& a, auto const& b) { return remainder(a, b); },
                     [](double a, double b) -> double { return std::fmod(a, b); });
  two<op::mod_floor>([](auto const& a, auto const& b) { return mod_floor(a, b); },
                     [](double a, double b) -> double { return a - b * std::floor(a / b); });
  two<op::floor_divide>([](auto const& a, auto const& b) { return floor_divide(a, b); },
                        [](double a, double b) -> double { return std::floor(a / b); });
  two<op::copysign>([](auto const& a, auto const& b) { return copysign(a, -b); },
                    [](double a, double) -> double { return -a; });
  bench().map<op::fma>([](auto const& a, auto const& b, auto const& c) { return fma(a, b, c); },
                       [](double a, double b, double c) { return a * b + c; });
}
TEST(doors, comparisons_and_bits) {
  two<op::equal>([](auto const& a, auto const& b) { return equal(a, b); },
                 [](double a, double b) -> double { return a == b; });
  two<op::not_equal>([](auto const& a, auto const& b) { return not_equal(a, b); },
                     [](double a, double b) -> double { return a != b; });
  two<op::less>([](auto const& a, auto const& b) { return a < b; },
                [](double a, double b) -> double { return a < b; });
  two<op::less_equal>([](auto const& a, auto const& b) { return a <= b; },
                      [](double a, double b) -> double { return a <= b; });
  two<op::greater>([](auto const& a, auto const& b) { return a > b; },
                   [](double a, double b) -> double { return a > b; });
  two<op::greater_equal>([](auto const& a, auto const& b) { return a >= b; },
                         [](double a, double b) -> double { return a >= b; });
  two<op::bit_and>([](auto const& a, auto const& b) { return a & b; },
                   [](double a, double b) -> double {
                     return static_cast<double>(static_cast<whole>(a) & static_cast<whole>(b));
                   });
  two<op::bit_or>([](auto const& a, auto const& b) { return a | b; },
                  [](double a, double b) -> double {
                    return static_cast<double>(static_cast<whole>(a) | static_cast<whole>(b));
                  });
  two<op::bit_xor>([](auto const& a, auto const& b) { return a ^ b; },
                   [](double a, double b) -> double {
                     return static_cast<double>(static_cast<whole>(a) ^ static_cast<whole>(b));
                   });
  one<op::bit_not>([](auto const& a) { return ~a; },
                   [](double a) -> double { return is_bool ? 1 - a : -1 - a; });
  if constexpr (is_whole) {
    two<op::shift_left>([](auto const& a, auto const& b) { return a << b; },
                        [](double a, double b) -> double {
                          return static_cast<double>(
                              b < width ? static_cast<whole>(a) << static_cast<whole>(b) : 0);
                        });
    constexpr op right = std::is_signed_v<T> ? op::shift_right_arithmetic : op::shift_right_logical;
    bench().map<right>(
        [](auto const& a, auto const& b) { return a >> b; },
        [](double a, double b) { return std::floor(std::ldexp(a, -static_cast<int>(b))); });
  }
  one<op::popcount>(
      [](auto const& a) { return popcount(a); },
      [](double a) -> double { return std::popcount(static_cast<std::uint64_t>(a)); });
  one<op::count_leading_zeros>([](auto const& a) { return count_leading_zeros(a); },
                               [](double a) -> double {
                                 return width - static_cast<int>(
                                                    std::bit_width(static_cast<std::uint64_t>(a)));
                               });
}
TEST(doors, exponentials_and_powers) {
  one<op::exp>([](auto const& a) { return exp(a); },
               [](double a) -> double { return std::exp(a); });
  one<op::exp2>([](auto const& a) { return exp2(a); },
                [](double a) -> double { return std::exp2(a); });
  one<op::expm1>([](auto const& a) { return expm1(a); },
                 [](double a) -> double { return std::expm1(a); });
  one<op::log>([](auto const& a) { return log(a); },
               [](double a) -> double { return std::log(a); });
  one<op::log1p>([](auto const& a) { return log1p(a); },
                 [](double a) -> double { return std::log1p(a); });
  one<op::log2>([](auto const& a) { return log2(a); },
                [](double a) -> double { return std::log2(a); });
  one<op::log10>([](auto const& a) { return log10(a); },
                 [](double a) -> double { return std::log10(a); });
  one<op::tanh>([](auto const& a) { return tanh(a); },
                [](double a) -> double { return std::tanh(a); });
  one<op::sigmoid>([](auto const& a) { return sigmoid(a); },
                   [](double a) -> double { return 1 / (1 + std::exp(-a)); });
  one<op::softplus>([](auto const& a) { return softplus(a); },
                    [](double a) -> double { return std::log1p(std::exp(a)); });
  one<op::reciprocal>([](auto const& a) { return reciprocal(a); },
                      [](double a) -> double { return 1 / a; });
  one<op::rsqrt>([](auto const& a) { return rsqrt(a); },
                 [](double a) -> double { return 1 / std::sqrt(a); });
  one<op::cbrt>([](auto const& a) { return cbrt(a); },
                [](double a) -> double { return std::cbrt(a); });
  two<op::hypot>([](auto const& a, auto const& b) { return hypot(a, b); },
                 [](double a, double b) -> double { return std::hypot(a, b); });
}
TEST(doors, angles) {
  one<op::sin>([](auto const& a) { return sin(a); },
               [](double a) -> double { return std::sin(a); });
  one<op::cos>([](auto const& a) { return cos(a); },
               [](double a) -> double { return std::cos(a); });
  one<op::tan>([](auto const& a) { return tan(a); },
               [](double a) -> double { return std::tan(a); });
  one<op::asin>([](auto const& a) { return asin(a); },
                [](double a) -> double { return std::asin(a); });
  one<op::acos>([](auto const& a) { return acos(a); },
                [](double a) -> double { return std::acos(a); });
  one<op::atan>([](auto const& a) { return atan(a); },
                [](double a) -> double { return std::atan(a); });
  one<op::sinh>([](auto const& a) { return sinh(a); },
                [](double a) -> double { return std::sinh(a); });
  one<op::cosh>([](auto const& a) { return cosh(a); },
                [](double a) -> double { return std::cosh(a); });
  one<op::asinh>([](auto const& a) { return asinh(a); },
                 [](double a) -> double { return std::asinh(a); });
  one<op::acosh>([](auto const& a) { return acosh(a + 1); },
                 [](double a) -> double { return std::acosh(a + 1); });
  one<op::atanh>([](auto const& a) { return atanh(a); },
                 [](double a) -> double { return std::atanh(a); });
  two<op::atan2>([](auto const& a, auto const& b) { return atan2(a, b); },
                 [](double a, double b) -> double { return std::atan2(a, b); });
}
TEST(doors, special_functions) {
  one<op::erf>([](auto const& a) { return erf(a); },
               [](double a) -> double { return std::erf(a); });
  one<op::erfc>([](auto const& a) { return erfc(a); },
                [](double a) -> double { return std::erfc(a); });
  one<op::erfinv>([](auto const& a) { return erfinv(a); },
                  [](double a) -> double { return erfinv_of(a); });
  one<op::lgamma>([](auto const& a) { return lgamma(a); },
                  [](double a) -> double { return std::lgamma(a); });
  one<op::digamma>([](auto const& a) { return digamma(a); },
                   [](double a) -> double { return digamma_of(a); });
  one<op::gelu>([](auto const& a) { return gelu(a); },
                [](double a) -> double { return a / 2 * std::erfc(-a / std::sqrt(2.0)); });
  two<op::zeta>([](auto const& a, auto const& b) { return zeta(a + 2, b); },
                [](double a, double b) -> double { return zeta_of(a + 2, b); });
  two<op::polygamma>([](auto const& a, auto const& b) { return polygamma(ceil(a), b); },
                     [](double, double b) -> double { return zeta_of(2, b); });
}
TEST(doors, rounding_and_kinds) {
  one<op::floor>([](auto const& a) { return floor(a * 4); },
                 [](double a) -> double { return std::floor(a * 4); });
  one<op::ceil>([](auto const& a) { return ceil(a * 4); },
                [](double a) -> double { return std::ceil(a * 4); });
  one<op::trunc>([](auto const& a) { return trunc(-a * 4); },
                 [](double a) -> double { return std::trunc(-a * 4); });
  one<op::round_even>([](auto const& a) { return round_even(a * 4); },
                      [](double a) -> double { return std::nearbyint(a * 4); });
  one<op::round_away>([](auto const& a) { return round_away(a * 4); },
                      [](double a) -> double { return std::round(a * 4); });
  one<op::is_finite>([](auto const& a) { return is_finite(a); },
                     [](double) -> double { return 1; });
  one<op::is_nan>([](auto const& a) { return is_nan(a); }, [](double) -> double { return 0; });
  one<op::is_inf>([](auto const& a) { return is_inf(a / 0); }, [](double) -> double { return 1; });
}

list of(door_bench<T>::matrix const& m, std::initializer_list<int> places) {
  list all;
  for (int i : places) all.push_back(test::as_double(m.data()[i]));
  return all;
}
list operator+(list a, list const& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
list of(door_bench<T>::matrix const& m) { return of(m, {0, 1, 2, 3, 4, 5}); }

template <class U> void expect_conversion() {
  if constexpr (std::is_same_v<T, U>) return;
  list expected;
  for (double a : of(bench().x))
    expected.push_back(is_float(dtype_of<U>) || dtype_of<U> == dtype::boolean ? a : std::trunc(a));
  bench().call<op::convert>([](auto const& a) { return convert<U>(a); }, expected, bench().x);
}
// Another type of T's size.
template <int Bytes>
using signed_of_size = std::conditional_t<
    Bytes == 1, std::int8_t,
    std::conditional_t<Bytes == 2, std::int16_t,
                       std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;

TEST(doors, types) {
  auto& b = bench();
  expect_conversion<float>(), expect_conversion<double>(), expect_conversion<int>();
  expect_conversion<f16>(), expect_conversion<std::uint8_t>(), expect_conversion<bool>();
  if constexpr (is_number) {
    using same_size = signed_of_size<size_of(type)>;
    using U = std::conditional_t<std::is_same_v<T, same_size>, std::make_unsigned_t<same_size>,
                                 same_size>;
    b.call<op::bitcast>([](auto const& a) { return bitcast<T>(bitcast<U>(a)); }, of(b.x), b.x);
  }
  // (Tensors have no gradient to stop: the call gives the tensor.)
  b.call<op::stop_gradient>([](auto const& a) { return stop_gradient(a); }, of(b.x), b.x);
  tensor<bool, 2, 3> const p = {{true, false, true}, {false, false, true}};
  b.call<op::select>([](auto const& c, auto const& a, auto const& o) { return where(c, a, o); },
                     of(b.x, {0}) + of(b.y, {1}) + of(b.x, {2}) + of(b.y, {3, 4}) + of(b.x, {5}), p,
                     b.x, b.y);
  if constexpr (type == dtype::u32) {
    list words;
    for (std::uint64_t w : reference::bits(weft::key(7), 4, 32))
      words.push_back(static_cast<double>(w));
    b.call<op::threefry2x32>([](auto const& k) { return bits<4>(k); }, words, weft::key(7));
  }
}
TEST(doors, sources_and_views) {
  auto& b = bench();
  b.call<op::constant>([](auto const& a) { return concat<0>(a, zeros_like(a)); },
                       of(b.x) + list(6, 0.0), b.x);
  if constexpr (is_number)
    b.call<op::iota>([](auto const& a) { return at<"0">(a) * 0 + arange<T, 3>(); }, {0, 1, 2}, b.x);
  b.call<op::broadcast>([](auto const& a) { return broadcast_to<2, 2, 3>(a); }, of(b.x) + of(b.x),
                        b.x);
  b.call<op::reshape>([](auto const& a) { return reshape<3, 2>(a); }, of(b.x), b.x);
  b.call<op::transpose>([](auto const& a) { return transpose(a); }, of(b.x, {0, 3, 1, 4, 2, 5}),
                        b.x);
  b.call<op::slice>([](auto const& a) { return at<":, 1:">(a); }, of(b.x, {1, 2, 4, 5}), b.x);
  b.call<op::window>(
      [](auto const& a) {
        return sliding_window<axis_list(1), window_options{.size = 2, .dilation = 2}>(a);
      },
      of(b.x, {0, 2, 3, 5}), b.x);
  if constexpr (is_number) {
    list const x = of(b.x);
    b.call<op::overlap_add>(
        [](auto const& a) { return overlap_add<axis_list(0), window_options{.size = 3}>(a); },
        {x[0], x[1] + x[3], x[2] + x[4], x[5]}, b.x);
  }
  b.call<op::shard>([](auto const& a) { return shard<"data", none>(a); }, of(b.x), b.x);
  b.call<op::reverse>([](auto const& a) { return flip<1>(a); }, of(b.x, {2, 1, 0, 5, 4, 3}), b.x);
}
TEST(doors, movement) {
  auto& b = bench();
  b.call<op::pad>([](auto const& a) { return pad<1, padding{.low = 1}>(a); },
                  list(1, 0.0) + of(b.x, {0, 1, 2}) + list(1, 0.0) + of(b.x, {3, 4, 5}), b.x);
  b.call<op::concat>([](auto const& a, auto const& c) { return concat<0>(a, c); },
                     of(b.x) + of(b.y), b.x, b.y);
  tensor<int> const one = 1;
  b.call<op::dynamic_slice>([](auto const& a, auto const& i) { return at<"$, :">(a, i); },
                            of(b.x, {3, 4, 5}), b.x, one);
  b.call<op::dynamic_update_slice>(
      [](auto const& a, auto const& i, auto const& c) { return set<"$, :">(a, i, at<"0, :">(c)); },
      of(b.x, {0, 1, 2}) + of(b.y, {0, 1, 2}), b.x, one, b.y);
  tensor<int, 3> const places = {1, 0, -1};
  b.call<op::gather>([](auto const& a, auto const& i) { return take<0>(a, i); },
                     of(b.x, {3, 4, 5, 0, 1, 2, 3, 4, 5}), b.x, places);
  tensor<int, 2> const turned = {1, 0};
  b.call<op::scatter>(
      [](auto const& a, auto const& i, auto const& c) { return scatter<0>(a, i, c); },
      of(b.y, {3, 4, 5, 0, 1, 2}), b.x, turned, b.y);
}
// Positions of a row in ascending order.
list order_of(list const& row) {
  list order = {0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](double i, double j) {
    return row[static_cast<std::size_t>(i)] < row[static_cast<std::size_t>(j)];
  });
  return order;
}
TEST(doors, reductions_and_orders) {
  auto& b = bench();
  list const rows[] = {of(b.x, {0, 1, 2}), of(b.x, {3, 4, 5})};
  list sums, products, largest, smallest, order, where_largest;
  for (list const& r : rows) {
    sums.push_back(r[0] + r[1] + r[2]), products.push_back(r[0] * r[1] * r[2]);
    largest.push_back(*std::max_element(r.begin(), r.end()));
    smallest.push_back(*std::min_element(r.begin(), r.end()));
    where_largest.push_back(static_cast<double>(std::max_element(r.begin(), r.end()) - r.begin()));
    order = order + order_of(r);
  }
  if constexpr (is_number) {
    b.call<op::reduce_sum>([](auto const& a) { return sum<1>(a); }, sums, b.x);
    b.call<op::reduce_prod>([](auto const& a) { return prod<1>(a); }, products, b.x);
    b.call<op::reduce_max>([](auto const& a) { return max<1>(a); }, largest, b.x);
    b.call<op::reduce_min>([](auto const& a) { return min<1>(a); }, smallest, b.x);
    list product;
    for (unsigned i : {0u, 3u})
      for (unsigned j : {0u, 3u}) {
        double sum = 0;
        for (unsigned k = 0; k < 3; ++k) sum += of(b.x)[i + k] * of(b.y)[j + k];
        product.push_back(sum);
      }
    b.call<op::contract>([](auto const& a, auto const& c) { return einsum<"ik,jk->ij">(a, c); },
                         product, b.x, b.y);
    list convolved; // rows of x, of one channel, by those of y
    for (unsigned i : {0u, 3u})
      for (unsigned j : {0u, 3u})
        for (unsigned o : {0u, 1u})
          convolved.push_back(of(b.x)[i + o] * of(b.y)[j] + of(b.x)[i + o + 1] * of(b.y)[j + 1]);
    b.call<op::convolve>(
        [](auto const& a, auto const& c) { return conv<"NH,OH->NFH">(a, at<":, :2">(c)); },
        convolved, b.x, b.y);
  } else {
    b.call<op::reduce_max>([](auto const& a) { return any<1>(a); }, largest, b.x);
    b.call<op::reduce_min>([](auto const& a) { return all<1>(a); }, smallest, b.x);
  }
  b.call<op::arg_reduce>([](auto const& a) { return arg_max<1>(a); }, where_largest, b.x);
  b.call<op::arg_sort>([](auto const& a) { return arg_sort<1>(a); }, order, b.x);
  b.call<op::observe>([](auto const& a) { return debug_print(a); }, of(b.x), b.x);
}
TEST(doors, loops) {
  auto& b = bench();
  list running = of(b.y, {0, 1, 2});
  list ys;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      double& carry = running[static_cast<unsigned>(j)];
      carry = std::max(carry, test::as_double(b.x(i, j)));
    }
    ys = ys + running;
  }
  b.call<op::scan>(
      [](auto const& a, auto const& c) {
        auto const result = scan(
            [](auto carry, auto x) {
              auto next = maximum(carry, x);
              return std::pair(next, next);
            },
            at<"0, :">(c), a);
        return result.second;
      },
      ys, b.x, b.y);
  tensor<int> const none_yet = 0;
  b.call<op::while_loop>(
      [](auto const& a, auto const& i) {
        auto const last = while_loop(
            [](auto const& s) { return s.first < 3; },
            [](auto const& s) { return std::pair(s.first + 1, flip<1>(s.second)); },
            std::pair(i, a));
        return last.second;
      },
      of(b.x, {2, 1, 0, 5, 4, 3}), b.x, none_yet);
  tensor<bool> const yes = true;
  b.call<op::cond>(
      [](auto const& a, auto const& p) {
        return cond(
            p, [](auto const& c) { return flip<1>(c); }, [](auto const& c) { return flip<0>(c); },
            a);
      },
      of(b.x, {2, 1, 0, 5, 4, 3}), b.x, yes);
}

// Runs last.
TEST(doors, what_passed) {
  std::string const names = bench().passed();
  for (char const* column : {"traced", "immediate", "interpreter"})
    RecordProperty(std::string(column) + "_" + name_of(type), names);
  std::printf("%s\n", names.c_str());
}

} // namespace

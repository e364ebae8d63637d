// SPDX-License-Identifier: BSL-1.0
// Golden texts of a few ops, value numbering and blocks; every meaning writes OpenCL C that a
// compiler accepts (clang-16, where it is installed).
#include <weft/op/meaning.hpp>
#include <weft/opencl/text.hpp>

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

namespace {

namespace meaning = weft::meaning;
namespace elementary = weft::elementary;
namespace text = weft::opencl::text;
using text::f, text::i, text::u, text::m, text::body, text::program;

static_assert(weft::world_float<f> && weft::world_int<i> && weft::world_uint<u> &&
              weft::world_mask<m>);
static_assert(std::is_same_v<f::u, u> && std::is_same_v<m::f, f> && sizeof(f) == sizeof(int));

// The statements that function(a, b, ...) writes, operands named a, b, c, d; and its result.
template <class... T, class Function> std::string written(Function function) {
  program p;
  body b(p);
  char next = 'a';
  [[maybe_unused]] auto operand = [&] { return std::string(1, next++); };
  std::tuple<T...> const operands{b.value<T>(operand())...};
  auto const result = std::apply(function, operands);
  return p.helpers() + b.text() + "= " + name(result) + '\n';
}

TEST(text, writes_primitives_one_statement_each) {
  EXPECT_EQ((written<f, f>([](f a, f b) { return a * b + a; })),
            "  const float t0 = a * b;\n  const float t1 = t0 + a;\n= t1\n");
  EXPECT_EQ((written<i, i>([](i a, i b) { return -(a + b); })),
            "  const int t0 = as_int(as_uint(a) + as_uint(b));\n"
            "  const int t1 = as_int(0u - as_uint(t0));\n= t1\n");
  EXPECT_EQ((written<u>([](u a) { return rotl(shl(a, 3), 13); })),
            "  const uint t0 = a << 3;\n  const uint t1 = rotate(t0, 13u);\n= t1\n");
}

TEST(text, writes_literals_exactly) {
  auto literal = [](auto make) { return written<>([&] { return make(); }); };
  EXPECT_EQ(literal([] { return f(0.1f); }), "= 0x1.99999ap-4f\n");
  EXPECT_EQ(literal([] { return f(-0.0f); }), "= (-0x0p+0f)\n");
  EXPECT_EQ(literal([] { return f(0x1p-149f); }), "= 0x1p-149f\n");
  EXPECT_EQ(literal([] { return f(-std::numeric_limits<float>::infinity()); }),
            "= as_float(0xff800000u)\n");
  EXPECT_EQ(literal([] { return f(std::numeric_limits<float>::quiet_NaN()); }),
            "= as_float(0x7fc00000u)\n");
  EXPECT_EQ(literal([] { return i(-7); }), "= (-7)\n");
  EXPECT_EQ(literal([] { return i(INT32_MIN); }), "= as_int(0x80000000u)\n");
  EXPECT_EQ(literal([] { return u(~0u); }), "= 4294967295u\n");
  EXPECT_EQ(literal([] { return m(true); }), "= 1\n");
}

// Whatever the decimal point of the program's locale is.
TEST(text, writes_floats_as_printf_does_with_a_point) {
  float const least = std::numeric_limits<float>::denorm_min();
  for (float x :
       {0.0f, -0.0f, 1.0f, -1.5f, 0.1f, 3.14159265f, 0x1.fffffep127f, least, -3 * least}) {
    char expected[40];
    std::snprintf(expected, sizeof expected, std::signbit(x) ? "= (%af)\n" : "= %af\n",
                  static_cast<double>(x));
    EXPECT_EQ(written<>([&] { return f(x); }), expected);
  }
}
TEST(text, writes_floats_where_the_decimal_point_is_a_comma) {
  std::string const own = std::setlocale(LC_NUMERIC, nullptr);
  bool found = false;
  for (char const* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"})
    found = found || (std::setlocale(LC_NUMERIC, name) != nullptr &&
                      std::string(std::localeconv()->decimal_point) == ",");
  std::string const text = written<>([] { return f(0.1f); });
  std::setlocale(LC_NUMERIC, own.c_str());
  if (!found) GTEST_SKIP() << "no locale with a decimal comma";
  EXPECT_EQ(text, "= 0x1.99999ap-4f\n");
}

TEST(text, writes_equal_expressions_once) {
  EXPECT_EQ((written<f, f>([](f a, f b) { return (a + b) * (a + b); })),
            "  const float t0 = a + b;\n  const float t1 = t0 * t0;\n= t1\n");
}

TEST(text, writes_when_as_a_block_whose_values_stay_inside) {
  EXPECT_EQ((written<f, f>([](f a, f b) {
              m const negative = a < b;
              f const r = when(
                  negative, [&] { return sqrt(b) + sqrt(a); }, a);
              return r + sqrt(b);
            })).find("  const int t0 = a < b;\n  float t1 = a;\n  if (t0) {\n    const float t"),
            0u);
  std::string const inner = written<f>([](f a) {
    f const r = when(
        a < f(0.0f), [&] { return sqrt(a); }, a);
    return r + sqrt(a); // sqrt(a) again: the first is out of scope
  });
  EXPECT_EQ(inner, "  const int t0 = a < 0x0p+0f;\n  float t1 = a;\n  if (t0) {\n"
                   "    const float t2 = sqrt(a);\n    t1 = t2;\n  }\n"
                   "  const float t3 = sqrt(a);\n  const float t4 = t1 + t3;\n= t4\n");
}

TEST(text, writes_a_helper_once_per_program) {
  program p;
  std::string first, second;
  {
    body b(p);
    elementary::sigmoid(b.value<f>("x"));
    first = b.text();
  }
  std::string const helpers = p.helpers();
  {
    body b(p, 2, "v");
    elementary::sigmoid(elementary::exp_not_above_one(b.value<f>("y")));
    second = b.text();
  }
  EXPECT_EQ(first, "  const float t0 = weft_sigmoid(x);\n");
  EXPECT_EQ(
      second,
      "    const float v0 = weft_exp_not_above_one(y);\n    const float v1 = weft_sigmoid(v0);\n");
  EXPECT_EQ(helpers, p.helpers());
  EXPECT_LT(helpers.find("weft_exp_not_above_one(const float a0) {"),
            helpers.find("weft_sigmoid(const float a0) {"));
}

TEST(text, writes_exp_like_this) {
  EXPECT_EQ((written<f>([](f a) { return meaning::exp(a); })),
            R"(static float weft_exp(const float a0) {
  const float t0 = a0 < (-0x1.ap+6f) ? (-0x1.ap+6f) : a0;
  const float t1 = 0x1.64p+6f < t0 ? 0x1.64p+6f : t0;
  const float t2 = fma(t1, 0x1.715476p+0f, 0x1.80007ep+23f);
  const float t3 = t2 - 0x1.80007ep+23f;
  const float t4 = fma(t3, (-0x1.62e4p-1f), t1);
  const float t5 = fma(t3, (-0x1.7f7d1cp-20f), t4);
  const float t6 = fma(0x1.6a452ep-10f, t5, 0x1.1239aap-7f);
  const float t7 = fma(t6, t5, 0x1.5558b8p-5f);
  const float t8 = fma(t7, t5, 0x1.555492p-3f);
  const float t9 = fma(t8, t5, 0x1.fffffcp-2f);
  const float t10 = fma(t9, t5, 0x1p+0f);
  const float t11 = fma(t10, t5, 0x1p+0f);
  const uint t12 = as_uint(t1);
  const uint t13 = t12 >> 1;
  const uint t14 = t13 & 1073741824u;
  const uint t15 = as_uint(t2);
  const uint t16 = t15 << 23;
  const uint t17 = t16 + t14;
  const float t18 = as_float(t17);
  const float t19 = t11 * t18;
  const uint t20 = 1602224128u ^ t14;
  const float t21 = as_float(t20);
  const float t22 = t19 * t21;
  return t22;
}
  const float t0 = weft_exp(a);
= t0
)");
}

TEST(text, writes_maximum_like_this) {
  EXPECT_EQ((written<f, f>([](f a, f b) { return meaning::maximum(a, b); })),
            "  const uint t0 = as_uint(a);\n  const uint t1 = as_uint(b);\n"
            "  const uint t2 = t0 & t1;\n  const float t3 = as_float(t2);\n"
            "  const float t4 = b < a ? a : b;\n  const int t5 = a == b;\n"
            "  const float t6 = t5 ? t3 : t4;\n  const int t7 = a == a;\n"
            "  const float t8 = t7 ? t6 : a;\n= t8\n");
}

// A program with one function per meaning and kind.
struct every_meaning {
  program helpers;
  std::string functions;
  int count = 0;

  template <class... T, class Function> void add(Function function) {
    body b(helpers);
    char next = 'a';
    std::string parameters;
    auto operand = [&](char const* type) { return parameter(parameters, type, next++); };
    std::tuple<T...> const operands{b.value<T>(operand(T::type))...};
    auto const result = std::apply(function, operands);
    define(decltype(result)::type, parameters, b.text(), name(result));
  }
  WEFT_NOINLINE static std::string parameter(std::string& parameters, char const* type, char name) {
    parameters += (parameters.empty() ? "" : ", ") + std::string(type) + ' ' + name;
    return std::string(1, name);
  }
  WEFT_NOINLINE void define(char const* type, std::string const& parameters,
                            std::string const& statements, std::string const& result) {
    std::string const head = type + std::string(" test_") + std::to_string(count++) + '(' +
                             parameters + ')';
    functions += head + ";\n" + head + " {\n" + statements + "  return " + result + ";\n}\n";
  }

  template <class T> void numbers() {
    add<T, T>([](T a, T b) { return meaning::add(a, b); });
    add<T, T>([](T a, T b) { return meaning::sub(a, b); });
    add<T, T>([](T a, T b) { return meaning::mul(a, b); });
    add<T, T>([](T a, T b) { return meaning::div(a, b); });
    add<T>([](T a) { return meaning::neg(a); });
    add<T>([](T a) { return meaning::abs(a); });
    add<T, T>([](T a, T b) { return meaning::less(a, b); });
    add<T, T>([](T a, T b) { return meaning::less_equal(a, b); });
    add<T, T>([](T a, T b) { return meaning::greater(a, b); });
    add<T, T>([](T a, T b) { return meaning::greater_equal(a, b); });
    add<T>([](T a) { return meaning::bitcast_to<f>(a); });
    add<T>([](T a) { return meaning::bitcast_to<i>(a); });
    add<T>([](T a) { return meaning::bitcast_to<u>(a); });
  }
  template <class T> void any_kind() {
    add<T, T>([](T a, T b) { return meaning::maximum(a, b); });
    add<T, T>([](T a, T b) { return meaning::minimum(a, b); });
    add<T, T>([](T a, T b) { return meaning::equal(a, b); });
    add<T, T>([](T a, T b) { return meaning::not_equal(a, b); });
    add<m, T, T>([](m c, T a, T b) { return meaning::select(c, a, b); });
    add<T>([](T a) { return meaning::convert_to<f>(a); });
    add<T>([](T a) { return meaning::convert_to<i>(a); });
    add<T>([](T a) { return meaning::convert_to<u>(a); });
    add<T>([](T a) { return meaning::convert_to<m>(a); });
  }
  template <class T> void bits() {
    add<T, T>([](T a, T b) { return meaning::bit_and(a, b); });
    add<T, T>([](T a, T b) { return meaning::bit_or(a, b); });
    add<T, T>([](T a, T b) { return meaning::bit_xor(a, b); });
    add<T>([](T a) { return meaning::bit_not(a); });
  }
  template <class T> void shifts() {
    add<T, T>([](T a, T b) { return meaning::shift_left(a, b); });
    add<T, T>([](T a, T b) { return meaning::shift_right_logical(a, b); });
    add<T, T>([](T a, T b) { return meaning::shift_right_arithmetic(a, b); });
  }
  every_meaning() {
    numbers<f>(), numbers<i>(), numbers<u>();
    any_kind<f>(), any_kind<i>(), any_kind<u>(), any_kind<m>();
    bits<i>(), bits<u>(), bits<m>();
    shifts<i>(), shifts<u>();
    add<f, f, f>([](f a, f b, f c) { return meaning::fma(a, b, c); });
    add<f>([](f a) { return meaning::sqrt(a); });
    add<f>([](f a) { return meaning::exp(a); });
    add<f>([](f a) { return meaning::log(a); });
    add<f>([](f a) { return meaning::tanh(a); });
    add<f>([](f a) { return meaning::sigmoid(a); });
    add<f>([](f a) { return elementary::round_bf16(a); });
    add<u, u, u, u>([](u a, u b, u c, u d) {
      auto const r = meaning::threefry2x32(a, b, c, d);
      return r.first ^ r.second;
    });
  }
  std::string text() const { return text::no_contraction + helpers.helpers() + functions; }
};

TEST(text, writes_every_meaning_in_opencl_c) {
  every_meaning const all;
  EXPECT_EQ(all.count, 3 * 13 + 4 * 9 + 3 * 4 + 2 * 3 + 8);
  EXPECT_EQ(all.text().find('$'), std::string::npos);
  std::string const compiler =
      "clang-16 -x cl -cl-std=CL1.2 -fsyntax-only -Xclang -finclude-default-header";
  if (std::system("clang-16 --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "clang-16 is not installed";
  std::string const path = testing::TempDir() + "weft_every_meaning.cl";
  std::ofstream(path) << all.text();
  EXPECT_EQ(std::system((compiler + " -Wall -Wextra -Werror " + path).c_str()), 0) << all.text();
  std::remove(path.c_str());
}

} // namespace

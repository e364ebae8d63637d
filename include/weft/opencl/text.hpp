// SPDX-License-Identifier: BSL-1.0
// The text world: f, i, u and m are handles of values in OpenCL C 1.2, and a primitive appends the
// statement that computes it. Running an op's meaning on handles writes that op down.
//   program p;                      helper functions of one program, each written once (`call`)
//   body b(p);                      the statements of one function; while it lives (innermost first)
//                                   it receives what this thread's primitives write; it calls its
//                                   variables t0, t1, ... (or another prefix) and helpers weft_*
//   f x = b.value<f>("in[i]");      an operand that the surrounding text provides
//   std::string const& e = name(y); the name or literal of a result, an expression of type y
//   b.text(), p.helpers()           after the pragma `no_contraction`, helpers first, then kernels
// Equal expressions are written once per block; `when` is an if block of its own. A mask is an int,
// 0 or 1. Literals are hexadecimal, so every bit arrives. 64 bits: opencl/text_wide.hpp.
// Needs: values of a body are used only while it is the innermost one (program and body are not
// thread-safe); the program is not built with -cl-mad-enable, -cl-denorms-are-zero or -cl-fast-*.
// Leaves: text whose results equal the scalar world's, NaN payloads aside, on devices with
// correctly rounded division and square root.
#pragma once

#include <weft/core/config.hpp>
#include <weft/op/numeric.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft::inline v0 {
namespace opencl::text {

// The first line of every program.
inline constexpr char const* no_contraction = "#pragma OPENCL FP_CONTRACT OFF\n";

class program {
public:
  std::string const& helpers() const { return text_; }
  // False: `function` has not been added yet.
  bool has(std::string const& function) const { return known_.contains(function); }
  void add(std::string const& function, std::string const& definition) {
    known_.emplace(function, true);
    text_ += definition;
  }

private:
  std::map<std::string, bool> known_;
  std::string text_;
};

// What a value is made from when it is not a literal.
struct handle {
  int id;
};

class body {
public:
  explicit body(program& p, int depth = 1, std::string prefix = "t")
      : program_(p), enclosing_(innermost()), depth_(depth), prefix_(std::move(prefix)) {
    innermost() = this;
  }
  ~body() { innermost() = enclosing_; }
  body(body const&) = delete;
  body& operator=(body const&) = delete;

  static body& current() { return *innermost(); }
  program& functions() { return program_; }
  std::string const& text() const { return text_; }
  std::string const& name(int id) const { return names_[static_cast<std::size_t>(id)]; }

  // The handle of an expression that needs no statement: a literal, an operand.
  WEFT_NOINLINE int intern(std::string expression) {
    names_.push_back(std::move(expression));
    return static_cast<int>(names_.size()) - 1;
  }
  template <class T> T value(std::string expression) {
    return T(handle{intern(std::move(expression))});
  }

  // Appends `const type tN = expression;`, unless an enclosing block has done so.
  WEFT_NOINLINE int emit(char const* type, std::string const& expression) {
    std::string const key = std::string(type) + ' ' + expression;
    for (auto const& block : written_)
      if (auto const found = block.find(key); found != block.end()) return found->second;
    int const id = intern(fresh_name());
    line(std::string("const ") + type + ' ' + name(id) + " = " + expression + ';');
    written_.back().emplace(key, id);
    return id;
  }

  // A variable that starts as `initial`; the block after `if (condition)` may assign it.
  WEFT_NOINLINE int open_if(char const* type, int condition, int initial) {
    int const id = intern(fresh_name());
    line(std::string(type) + ' ' + name(id) + " = " + name(initial) + ';');
    line("if (" + name(condition) + ") {");
    ++depth_;
    written_.emplace_back();
    return id;
  }
  WEFT_NOINLINE void close_if(int variable, int result) {
    line(name(variable) + " = " + name(result) + ';');
    written_.pop_back();
    --depth_;
    line("}");
  }

private:
  static body*& innermost() {
    static thread_local body* b = nullptr;
    return b;
  }
  std::string fresh_name() { return prefix_ + std::to_string(count_++); }
  void line(std::string const& statement) {
    for (int i = 0; i < depth_; ++i) text_ += "  ";
    text_ += statement;
    text_ += '\n';
  }

  program& program_;
  body* enclosing_;
  int depth_;
  std::string prefix_;
  int count_ = 0;
  std::vector<std::string> names_;                     // by handle
  std::vector<std::map<std::string, int>> written_{1}; // per open block: expression -> handle
  std::string text_;
};

} // namespace opencl::text

namespace detail::opencl_text {

WEFT_NOINLINE inline int number(char const* format, std::uint32_t bits) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, bits);
  return opencl::text::body::current().intern(buffer);
}
// A finite number as printf's %a writes it where the decimal point is one: 0x1.8p-3. A program's
// locale may have another.
WEFT_NOINLINE inline std::string hexadecimal(double x) {
  constexpr int digits = 52;
  auto const b = std::bit_cast<std::uint64_t>(x);
  bool const normal = ((b >> digits) & 2047) != 0;
  std::uint64_t left = b & ((std::uint64_t{1} << digits) - 1);
  int const exponent = normal ? static_cast<int>((b >> digits) & 2047) - 1023 : left ? -1022 : 0;
  std::string r = std::string((b >> 63) != 0 ? "-" : "") + "0x" + (normal ? '1' : '0');
  if (left != 0) r += '.';
  for (; left != 0; left = left << 4 & ((std::uint64_t{1} << digits) - 1))
    r += "0123456789abcdef"[left >> (digits - 4)];
  return r + (exponent < 0 ? "p" : "p+") + std::to_string(exponent);
}
WEFT_NOINLINE inline int finite_literal(double x, char const* suffix) {
  std::string const number = hexadecimal(x) + suffix;
  return opencl::text::body::current().intern(number[0] == '-' ? '(' + number + ')' : number);
}
WEFT_NOINLINE inline int float_literal(float x) {
  auto const b = std::bit_cast<std::uint32_t>(x);
  if ((b & 0x7f800000u) == 0x7f800000u) return number("as_float(0x%08xu)", b);
  return finite_literal(static_cast<double>(x), "f");
}
WEFT_NOINLINE inline int int_literal(std::int32_t x) {
  if (x == INT32_MIN) return number("as_int(0x%08xu)", 0x80000000u); // 2147483648 is a long
  return opencl::text::body::current().intern(x < 0 ? '(' + std::to_string(x) + ')'
                                                    : std::to_string(x));
}

// Every primitive ends here. In `pattern`, $0 $1 $2 are operands and # is the immediate count.
WEFT_NOINLINE inline int write(char const* type, char const* pattern, int a, int b = 0, int c = 0,
                               int count = 0) {
  auto& body = opencl::text::body::current();
  int const operands[] = {a, b, c};
  std::string expression;
  for (char const* p = pattern; *p != '\0'; ++p) {
    if (*p == '$') expression += body.name(operands[*++p - '0']);
    else if (*p == '#') expression += std::to_string(count);
    else expression += *p;
  }
  return body.emit(type, expression);
}

} // namespace detail::opencl_text

namespace opencl::text {

struct f32;
struct i32;
struct u32;
struct f64;
struct i64;
struct u64;

struct mask {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  static constexpr char const* type = "int";
  int id;
  explicit mask(bool x) : id(weft::detail::opencl_text::int_literal(x ? 1 : 0)) {}
  explicit mask(handle h) : id(h.id) {}
};
struct u32 {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  using wide = u64;
  using narrow = u32;
  static constexpr char const* type = "uint";
  int id;
  explicit u32(std::uint32_t x) : id(weft::detail::opencl_text::number("%uu", x)) {}
  explicit u32(handle h) : id(h.id) {}
};
struct i32 {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  using wide = i64;
  using narrow = i32;
  static constexpr char const* type = "int";
  int id;
  explicit i32(std::int32_t x) : id(weft::detail::opencl_text::int_literal(x)) {}
  explicit i32(handle h) : id(h.id) {}
};
struct f32 {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  using wide = f64;
  using narrow = f32;
  static constexpr char const* type = "float";
  int id;
  explicit f32(float x) : id(weft::detail::opencl_text::float_literal(x)) {}
  explicit f32(handle h) : id(h.id) {}
};

using f = f32;
using i = i32;
using u = u32;
using m = mask;

template <class T> std::string const& name(T x) { return body::current().name(x.id); }

template <class T> T write(char const* pattern, int a, int b = 0, int c = 0, int count = 0) {
  return T(handle{weft::detail::opencl_text::write(T::type, pattern, a, b, c, count)});
}

// float
inline f32 operator+(f32 a, f32 b) { return write<f32>("$0 + $1", a.id, b.id); }
inline f32 operator-(f32 a, f32 b) { return write<f32>("$0 - $1", a.id, b.id); }
inline f32 operator*(f32 a, f32 b) { return write<f32>("$0 * $1", a.id, b.id); }
inline f32 operator/(f32 a, f32 b) { return write<f32>("$0 / $1", a.id, b.id); }
inline f32 operator-(f32 a) { return write<f32>("-$0", a.id); }
inline f32 fma(f32 a, f32 b, f32 c) { return write<f32>("fma($0, $1, $2)", a.id, b.id, c.id); }
inline f32 sqrt(f32 a) { return write<f32>("sqrt($0)", a.id); }
inline f32 abs(f32 a) { return write<f32>("fabs($0)", a.id); }
inline f32 min(f32 a, f32 b) { return write<f32>("$0 < $1 ? $0 : $1", a.id, b.id); }
inline f32 max(f32 a, f32 b) { return write<f32>("$1 < $0 ? $0 : $1", a.id, b.id); }
inline mask operator<(f32 a, f32 b) { return write<mask>("$0 < $1", a.id, b.id); }
inline mask operator<=(f32 a, f32 b) { return write<mask>("$0 <= $1", a.id, b.id); }
inline mask operator==(f32 a, f32 b) { return write<mask>("$0 == $1", a.id, b.id); }

// uint32
inline u32 operator+(u32 a, u32 b) { return write<u32>("$0 + $1", a.id, b.id); }
inline u32 operator-(u32 a, u32 b) { return write<u32>("$0 - $1", a.id, b.id); }
inline u32 operator*(u32 a, u32 b) { return write<u32>("$0 * $1", a.id, b.id); }
inline u32 operator/(u32 a, u32 b) { return write<u32>("$0 / $1", a.id, b.id); }
inline u32 operator%(u32 a, u32 b) { return write<u32>("$0 % $1", a.id, b.id); }
inline u32 operator&(u32 a, u32 b) { return write<u32>("$0 & $1", a.id, b.id); }
inline u32 operator|(u32 a, u32 b) { return write<u32>("$0 | $1", a.id, b.id); }
inline u32 operator^(u32 a, u32 b) { return write<u32>("$0 ^ $1", a.id, b.id); }
inline u32 operator~(u32 a) { return write<u32>("~$0", a.id); }
inline u32 shl(u32 a, int n) { return write<u32>("$0 << #", a.id, 0, 0, n); }
inline u32 shr(u32 a, int n) { return write<u32>("$0 >> #", a.id, 0, 0, n); }
inline u32 rotl(u32 a, int n) { return write<u32>("rotate($0, #u)", a.id, 0, 0, n); }
inline u32 shlv(u32 a, u32 b) { return write<u32>("$0 << $1", a.id, b.id); }
inline u32 shrv(u32 a, u32 b) { return write<u32>("$0 >> $1", a.id, b.id); }
inline mask operator<(u32 a, u32 b) { return write<mask>("$0 < $1", a.id, b.id); }
inline mask operator<=(u32 a, u32 b) { return write<mask>("$0 <= $1", a.id, b.id); }
inline mask operator==(u32 a, u32 b) { return write<mask>("$0 == $1", a.id, b.id); }

// int32; what may wrap is computed as unsigned
inline i32 operator+(i32 a, i32 b) {
  return write<i32>("as_int(as_uint($0) + as_uint($1))", a.id, b.id);
}
inline i32 operator-(i32 a, i32 b) {
  return write<i32>("as_int(as_uint($0) - as_uint($1))", a.id, b.id);
}
inline i32 operator*(i32 a, i32 b) {
  return write<i32>("as_int(as_uint($0) * as_uint($1))", a.id, b.id);
}
inline i32 operator-(i32 a) { return write<i32>("as_int(0u - as_uint($0))", a.id); }
inline i32 operator/(i32 a, i32 b) { return write<i32>("$0 / $1", a.id, b.id); }
inline i32 operator%(i32 a, i32 b) { return write<i32>("$0 % $1", a.id, b.id); }
inline i32 sar(i32 a, int n) { return write<i32>("$0 >> #", a.id, 0, 0, n); }
inline i32 sarv(i32 a, u32 n) { return write<i32>("$0 >> $1", a.id, n.id); }
inline mask operator<(i32 a, i32 b) { return write<mask>("$0 < $1", a.id, b.id); }
inline mask operator<=(i32 a, i32 b) { return write<mask>("$0 <= $1", a.id, b.id); }
inline mask operator==(i32 a, i32 b) { return write<mask>("$0 == $1", a.id, b.id); }

// the same 32 bits, and conversions
inline u32 bits(f32 a) { return write<u32>("as_uint($0)", a.id); }
inline f32 as_float(u32 a) { return write<f32>("as_float($0)", a.id); }
inline u32 as_uint(i32 a) { return write<u32>("as_uint($0)", a.id); }
inline i32 as_int(u32 a) { return write<i32>("as_int($0)", a.id); }
inline f32 to_float(i32 a) { return write<f32>("convert_float_rte($0)", a.id); }
inline f32 to_float(u32 a) { return write<f32>("convert_float_rte($0)", a.id); }
inline i32 to_int(f32 a) { return write<i32>("convert_int_rtz($0)", a.id); }
inline u32 to_uint(f32 a) { return write<u32>("convert_uint_rtz($0)", a.id); }

// masks and choices
inline mask operator&(mask a, mask b) { return write<mask>("$0 & $1", a.id, b.id); }
inline mask operator|(mask a, mask b) { return write<mask>("$0 | $1", a.id, b.id); }
inline mask operator^(mask a, mask b) { return write<mask>("$0 ^ $1", a.id, b.id); }
inline mask operator==(mask a, mask b) { return write<mask>("$0 == $1", a.id, b.id); }
inline mask operator!(mask a) { return write<mask>("!$0", a.id); }
inline f32 select(mask c, f32 x, f32 y) { return write<f32>("$0 ? $1 : $2", c.id, x.id, y.id); }
inline i32 select(mask c, i32 x, i32 y) { return write<i32>("$0 ? $1 : $2", c.id, x.id, y.id); }
inline u32 select(mask c, u32 x, u32 y) { return write<u32>("$0 ? $1 : $2", c.id, x.id, y.id); }
inline mask select(mask c, mask x, mask y) { return write<mask>("$0 ? $1 : $2", c.id, x.id, y.id); }

template <class Rare, world_value T> T when(mask c, Rare const& rare, T common) {
  auto& b = body::current();
  int const variable = b.open_if(T::type, c.id, common.id);
  b.close_if(variable, rare().id);
  return T(handle{variable});
}

} // namespace opencl::text

namespace detail::opencl_text {

// How a helper function returns R, and how its caller takes the result apart.
template <class R> struct result {
  static constexpr char const* type = R::type;
  static std::string expression(R x) { return name(x); }
  static R take(opencl::text::body&, int id) { return R(opencl::text::handle{id}); }
};
template <class U> struct result<word_pair<U>> {
  static constexpr char const* type = "uint2";
  static std::string expression(word_pair<U> x) {
    return "(uint2)(" + name(x.first) + ", " + name(x.second) + ')';
  }
  static word_pair<U> take(opencl::text::body& b, int id) {
    std::string const pair = b.name(id);
    return {b.value<U>(pair + ".x"), b.value<U>(pair + ".y")};
  }
};

template <class R, class Function, class... T>
void define(opencl::text::program& p, std::string const& name, Function const& function) {
  opencl::text::body b(p);
  std::string parameters;
  int count = -1;
  auto parameter = [&](char const* type) {
    std::string name_of = 'a' + std::to_string(++count);
    parameters += (parameters.empty() ? "const " : ", const ") + std::string(type) + ' ' + name_of;
    return name_of;
  };
  std::tuple<T...> const operands{b.value<T>(parameter(T::type))...};
  std::string const value = result<R>::expression(std::apply(function, operands));
  p.add(name, std::string("static ") + result<R>::type + ' ' + name + '(' + parameters + ") {\n" +
                  b.text() + "  return " + value + ";\n}\n");
}

} // namespace detail::opencl_text

namespace opencl::text {

template <class Function, class... T>
auto call(char const* name_of, Function const& function, T... x) {
  using result = weft::detail::opencl_text::result<decltype(function(x...))>;
  auto& b = body::current();
  std::string const helper = std::string("weft_") + name_of;
  if (!b.functions().has(helper))
    weft::detail::opencl_text::define<decltype(function(x...)), Function, T...>(b.functions(),
                                                                                helper, function);
  std::string arguments;
  ((arguments += (arguments.empty() ? "" : ", ") + name(x)), ...);
  return result::take(b, b.emit(result::type, helper + '(' + arguments + ')'));
}

} // namespace opencl::text
} // namespace weft::inline v0

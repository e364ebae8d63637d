// SPDX-License-Identifier: BSL-1.0
// The 64-bit half of the text world: f64, i64 and u64 are double, long and ulong of OpenCL C, and
// the ways between the widths. A program that uses f64 starts with `double_precision` too.
// Needs, leaves: opencl/text.hpp.
#pragma once

#include <weft/opencl/text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

WEFT_NOINLINE inline int wide_number(char const* format, std::uint64_t bits) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, format, static_cast<unsigned long long>(bits));
  return opencl::text::body::current().intern(buffer);
}
WEFT_NOINLINE inline int double_literal(double x) {
  auto const b = std::bit_cast<std::uint64_t>(x);
  if ((b & 0x7ff0000000000000u) == 0x7ff0000000000000u)
    return wide_number("as_double(0x%016llxul)", b);
  return finite_literal(x, "");
}
WEFT_NOINLINE inline int long_literal(std::int64_t x) {
  if (x == INT64_MIN) return wide_number("as_long(0x%016llxul)", std::uint64_t{1} << 63);
  return opencl::text::body::current().intern(x < 0 ? '(' + std::to_string(x) + "l)"
                                                    : std::to_string(x) + 'l');
}

} // namespace detail::opencl_text

namespace opencl::text {

inline constexpr char const* double_precision = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

struct u64 {
  using f = f64;
  using i = i64;
  using u = u64;
  using m = mask;
  using wide = u64;
  using narrow = u32;
  static constexpr char const* type = "ulong";
  int id;
  explicit u64(std::uint64_t x) : id(weft::detail::opencl_text::wide_number("%lluul", x)) {}
  explicit u64(handle h) : id(h.id) {}
};
struct i64 {
  using f = f64;
  using i = i64;
  using u = u64;
  using m = mask;
  using wide = i64;
  using narrow = i32;
  static constexpr char const* type = "long";
  int id;
  explicit i64(std::int64_t x) : id(weft::detail::opencl_text::long_literal(x)) {}
  explicit i64(handle h) : id(h.id) {}
};
struct f64 {
  using f = f64;
  using i = i64;
  using u = u64;
  using m = mask;
  using wide = f64;
  using narrow = f32;
  static constexpr char const* type = "double";
  int id;
  explicit f64(double x) : id(weft::detail::opencl_text::double_literal(x)) {}
  explicit f64(handle h) : id(h.id) {}
};

// float
inline f64 operator+(f64 a, f64 b) { return write<f64>("$0 + $1", a.id, b.id); }
inline f64 operator-(f64 a, f64 b) { return write<f64>("$0 - $1", a.id, b.id); }
inline f64 operator*(f64 a, f64 b) { return write<f64>("$0 * $1", a.id, b.id); }
inline f64 operator/(f64 a, f64 b) { return write<f64>("$0 / $1", a.id, b.id); }
inline f64 operator-(f64 a) { return write<f64>("-$0", a.id); }
inline f64 fma(f64 a, f64 b, f64 c) { return write<f64>("fma($0, $1, $2)", a.id, b.id, c.id); }
inline f64 sqrt(f64 a) { return write<f64>("sqrt($0)", a.id); }
inline f64 abs(f64 a) { return write<f64>("fabs($0)", a.id); }
inline f64 min(f64 a, f64 b) { return write<f64>("$0 < $1 ? $0 : $1", a.id, b.id); }
inline f64 max(f64 a, f64 b) { return write<f64>("$1 < $0 ? $0 : $1", a.id, b.id); }
inline mask operator<(f64 a, f64 b) { return write<mask>("$0 < $1", a.id, b.id); }
inline mask operator<=(f64 a, f64 b) { return write<mask>("$0 <= $1", a.id, b.id); }
inline mask operator==(f64 a, f64 b) { return write<mask>("$0 == $1", a.id, b.id); }

// uint64
inline u64 operator+(u64 a, u64 b) { return write<u64>("$0 + $1", a.id, b.id); }
inline u64 operator-(u64 a, u64 b) { return write<u64>("$0 - $1", a.id, b.id); }
inline u64 operator*(u64 a, u64 b) { return write<u64>("$0 * $1", a.id, b.id); }
inline u64 operator/(u64 a, u64 b) { return write<u64>("$0 / $1", a.id, b.id); }
inline u64 operator%(u64 a, u64 b) { return write<u64>("$0 % $1", a.id, b.id); }
inline u64 operator&(u64 a, u64 b) { return write<u64>("$0 & $1", a.id, b.id); }
inline u64 operator|(u64 a, u64 b) { return write<u64>("$0 | $1", a.id, b.id); }
inline u64 operator^(u64 a, u64 b) { return write<u64>("$0 ^ $1", a.id, b.id); }
inline u64 operator~(u64 a) { return write<u64>("~$0", a.id); }
inline u64 shl(u64 a, int n) { return write<u64>("$0 << #", a.id, 0, 0, n); }
inline u64 shr(u64 a, int n) { return write<u64>("$0 >> #", a.id, 0, 0, n); }
inline u64 rotl(u64 a, int n) { return write<u64>("rotate($0, #ul)", a.id, 0, 0, n); }
inline u64 shlv(u64 a, u64 b) { return write<u64>("$0 << $1", a.id, b.id); }
inline u64 shrv(u64 a, u64 b) { return write<u64>("$0 >> $1", a.id, b.id); }
inline mask operator<(u64 a, u64 b) { return write<mask>("$0 < $1", a.id, b.id); }
inline mask operator<=(u64 a, u64 b) { return write<mask>("$0 <= $1", a.id, b.id); }
inline mask operator==(u64 a, u64 b) { return write<mask>("$0 == $1", a.id, b.id); }

// int64; what may wrap is computed as unsigned
inline i64 operator+(i64 a, i64 b) {
  return write<i64>("as_long(as_ulong($0) + as_ulong($1))", a.id, b.id);
}
inline i64 operator-(i64 a, i64 b) {
  return write<i64>("as_long(as_ulong($0) - as_ulong($1))", a.id, b.id);
}
inline i64 operator*(i64 a, i64 b) {
  return write<i64>("as_long(as_ulong($0) * as_ulong($1))", a.id, b.id);
}
inline i64 operator-(i64 a) { return write<i64>("as_long(0ul - as_ulong($0))", a.id); }
inline i64 operator/(i64 a, i64 b) { return write<i64>("$0 / $1", a.id, b.id); }
inline i64 operator%(i64 a, i64 b) { return write<i64>("$0 % $1", a.id, b.id); }
inline i64 sar(i64 a, int n) { return write<i64>("$0 >> #", a.id, 0, 0, n); }
inline i64 sarv(i64 a, u64 n) { return write<i64>("$0 >> $1", a.id, n.id); }
inline mask operator<(i64 a, i64 b) { return write<mask>("$0 < $1", a.id, b.id); }
inline mask operator<=(i64 a, i64 b) { return write<mask>("$0 <= $1", a.id, b.id); }
inline mask operator==(i64 a, i64 b) { return write<mask>("$0 == $1", a.id, b.id); }

// the same 64 bits, conversions, and the ways between the widths
inline u64 bits(f64 a) { return write<u64>("as_ulong($0)", a.id); }
inline f64 as_float(u64 a) { return write<f64>("as_double($0)", a.id); }
inline u64 as_uint(i64 a) { return write<u64>("as_ulong($0)", a.id); }
inline i64 as_int(u64 a) { return write<i64>("as_long($0)", a.id); }
inline f64 to_float(i64 a) { return write<f64>("convert_double_rte($0)", a.id); }
inline f64 to_float(u64 a) { return write<f64>("convert_double_rte($0)", a.id); }
inline i64 to_int(f64 a) { return write<i64>("convert_long_rtz($0)", a.id); }
inline u64 to_uint(f64 a) { return write<u64>("convert_ulong_rtz($0)", a.id); }
inline f64 widen(f32 a) { return write<f64>("convert_double($0)", a.id); }
inline i64 widen(i32 a) { return write<i64>("convert_long($0)", a.id); }
inline u64 widen(u32 a) { return write<u64>("convert_ulong($0)", a.id); }
inline f32 narrow(f64 a) { return write<f32>("convert_float_rte($0)", a.id); }
inline i32 narrow(i64 a) { return write<i32>("as_int((uint)as_ulong($0))", a.id); }
inline u32 narrow(u64 a) { return write<u32>("(uint)$0", a.id); }

// choices
inline f64 select(mask c, f64 x, f64 y) { return write<f64>("$0 ? $1 : $2", c.id, x.id, y.id); }
inline i64 select(mask c, i64 x, i64 y) { return write<i64>("$0 ? $1 : $2", c.id, x.id, y.id); }
inline u64 select(mask c, u64 x, u64 y) { return write<u64>("$0 ? $1 : $2", c.id, x.id, y.id); }

} // namespace opencl::text
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Elements in device memory and values in registers, as text: how a type is stored, loaded and
// stored. A register holds what register_type says: 16-bit floats as float, small integers as int
// or uint, booleans as an int that is 0 or 1.
//   load_element(dtype::bf16, "g0", "i")     as_float((uint)g0[i] << 16)
// Needs: values stored in 16-bit floats are theirs already (rounded). `_element4`: four elements
// side by side, from a place of any alignment.
#pragma once

#include <weft/core/dtype.hpp>

#include <string>

namespace weft::inline v0 {
namespace opencl {

// How an element lies in memory: what a buffer parameter points at.
constexpr char const* storage_type(dtype d) {
  switch (d) {
    case dtype::f32: return "float";
    case dtype::f64: return "double";
    case dtype::f16: return "half";
    case dtype::bf16:
    case dtype::u16: return "ushort";
    case dtype::boolean:
    case dtype::u8: return "uchar";
    case dtype::i8: return "char";
    case dtype::i16: return "short";
    case dtype::i32: return "int";
    case dtype::u32: return "uint";
    case dtype::i64: return "long";
    default: return "ulong";
  }
}
// How a value of a type is held.
constexpr char const* register_type(dtype d) {
  switch (compute_of(d)) {
    case dtype::f32: return "float";
    case dtype::f64: return "double";
    case dtype::u32: return "uint";
    case dtype::i64: return "long";
    case dtype::u64: return "ulong";
    default: return "int";
  }
}
// Is a double in the text of a conversion: of one, or between a float and a 64-bit integer?
constexpr bool converts_by_double(dtype from, dtype to) {
  auto const wide = [](dtype d) { return is_integer(d) && is_wide(d); };
  return from == dtype::f64 || to == dtype::f64 || (is_float(from) && wide(to)) ||
         (wide(from) && is_float(to));
}
// The element type whose storage is a value's register.
constexpr dtype held_as(dtype d) { return d == dtype::boolean ? dtype::i32 : compute_of(d); }

inline std::string load_element(dtype d, std::string const& from, std::string const& at) {
  if (d == dtype::bf16) return "as_float((uint)" + from + '[' + at + "] << 16)";
  if (d == dtype::f16) return "vload_half(" + at + ", " + from + ')';
  return from + '[' + at + ']';
}
inline std::string load_element4(dtype d, std::string const& from, std::string const& at) {
  std::string const place = "0, " + from + " + " + at;
  if (d == dtype::bf16) return "as_float4(convert_uint4(vload4(" + place + ")) << 16)";
  if (d == dtype::f16) return "vload_half4(" + place + ')';
  std::string const type = register_type(d);
  return type == storage_type(d) ? "vload4(" + place + ')'
                                 : "convert_" + type + "4(vload4(" + place + "))";
}
// Of float, bf16 or f16 at a multiple of four elements.
inline std::string load_aligned4(dtype d, std::string const& from, std::string const& at) {
  if (d == dtype::f16) return load_element4(d, from, at);
  std::string const place = "*(__global const " + std::string(storage_type(d)) + "4*)(" + from +
                            " + " + at + ')';
  return d == dtype::bf16 ? "as_float4(convert_uint4(" + place + ") << 16)" : place;
}

// The upper half of a float; of NaN, one that stays NaN, of the same sign.
inline std::string bf16_bits(std::string const& value) {
  return "(as_uint(" + value + ") >> 16 | (" + value + " == " + value + " ? 0 : 0x40u))";
}
// What a store makes of NaN differs between devices: not its sign, from here on.
inline std::string f16_nan(std::string const& value) {
  return "(ushort)((as_uint(" + value + ") >> 16 & 0x8000u) | 0x7e00u)";
}
inline std::string store_element(dtype d, std::string const& to, std::string const& at,
                                 std::string const& value) {
  if (d == dtype::f16)
    return "{ const float stored = " + value + "; vstore_half_rte(stored, " + at + ", " + to +
           "); if (stored != stored) ((__global ushort*)(" + to + "))[" + at +
           "] = " + f16_nan("stored") + "; }";
  std::string const place = to + '[' + at + "] = ";
  if (d == dtype::bf16) return place + "(ushort)" + bf16_bits(value) + ';';
  std::string const type = storage_type(d);
  return place + (type == register_type(d) ? value : '(' + type + ')' + value) + ';';
}
inline std::string store_element4(dtype d, std::string const& to, std::string const& at,
                                  std::string const& value) {
  std::string const place = ", 0, " + to + " + " + at + ");";
  if (d == dtype::f16) {
    std::string text = "{ const float4 stored = " + value + "; vstore_half4_rte(stored" + place;
    for (int k = 0; k < 4; ++k) {
      std::string const of = std::string("stored.") + "xyzw"[k];
      text += " if (" + of + " != " + of + ") ((__global ushort*)(" + to + " + " + at + "))[" +
              std::to_string(k) + "] = " + f16_nan(of) + ';';
    }
    return text + " }";
  }
  if (d == dtype::bf16)
    return "vstore4(convert_ushort4(as_uint4(" + value +
           ") >> 16 | select((uint4)0x40u, (uint4)0, " + value + " == " + value + "))" + place;
  std::string const type = storage_type(d);
  return "vstore4(" + (type == register_type(d) ? value : "convert_" + type + "4(" + value + ')') +
         place;
}

} // namespace opencl
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// The key of an element, as text: an unsigned number that orders as the element does (-0 = +0, NaN
// last). Keys of up to 32 bits are uint, others ulong. Sorts and searches compare nothing else.
// Needs: a launch_writer. Leaves: the function weft_key in its program.
#pragma once

#include <weft/opencl/copy_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

constexpr int key_bytes(dtype d) { return is_wide(d) ? 8 : 4; }
constexpr dtype key_dtype(dtype d) { return is_wide(d) ? dtype::u64 : dtype::u32; }
constexpr char const* key_type(dtype d) { return opencl::storage_type(key_dtype(d)); }

// How the elements of a type become keys: the bits, changed.
struct key_format {
  word sign = 0, infinite = 0; // floats and signed integers; floats
};
constexpr key_format key_format_of(dtype d) {
  word const sign = (storage_mask(d) >> 1) + 1;
  if (is_signed(d)) return {sign, 0};
  if (!is_float(d)) return {};
  return {sign, d == dtype::f64    ? 0x7ff0000000000000u
                : d == dtype::f32  ? 0x7f800000u
                : d == dtype::bf16 ? 0x7f80u
                                   : 0x7c00u};
}
inline std::string key_literal(word w, dtype d) {
  return std::to_string(w) + (is_wide(d) ? "ul" : "u");
}
// The function weft_key(bits, opposite) of a program; `opposite`, 0 or 1, turns the order of all but
// NaN around. Integers alone: devices may flush subnormal numbers.
inline void define_key(opencl::text::program& p, dtype d) {
  key_format const f = key_format_of(d);
  std::string const type = key_type(d), sign = key_literal(f.sign, d);
  std::string text = "static " + type + " weft_key(const " + type + " x, const int opposite) {\n";
  if (is_float(d)) {
    std::string const magnitude = "(x & " + key_literal(f.sign - 1, d) + ")";
    text += "  if (" + magnitude + " > " + key_literal(f.infinite, d) + ") return ~(" + type +
            ")0;\n";
    text += "  const " + type + " negative = x ^ " + key_literal(storage_mask(d), d) + ";\n";
    text += "  const " + type + " number = (x & " + sign + ") != 0 ? negative : x | " + sign +
            ";\n";
    text += "  const " + type + " key = " + magnitude + " == 0 ? " + sign + " : number;\n";
  } else if (is_signed(d)) text += "  const " + type + " key = x ^ " + sign + ";\n";
  else text += "  const " + type + " key = x;\n";
  p.add("weft_key", text + "  return opposite ? ~key : key;\n}\n");
}
// The key of an element of type d in memory (as a word of its size).
inline std::string key_of(dtype d, std::string const& element, std::string const& opposite) {
  return std::string("weft_key((") + key_type(d) + ")" + element + ", " + opposite + ")";
}

// Text of several lines, indented by two for each level of the writer.
inline void write_lines(launch_writer& w, char const* lines) {
  std::string one;
  for (char const* p = lines; *p != '\0'; ++p)
    if (*p != '\n') one += *p;
    else w.line(std::exchange(one, {}));
}

} // namespace detail::opencl_moves
} // namespace weft::inline v0

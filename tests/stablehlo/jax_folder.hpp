// SPDX-License-Identifier: BSL-1.0
// Cases for run_in_jax.py on the disk: a module, its arguments, and what came back.
#pragma once

#include <weft/graph/dense.hpp>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace test {

// NumPy's name of an element type; bfloat16 is its bits.
inline char const* numpy_name(weft::dtype d) {
  using weft::dtype;
  switch (d) {
    case dtype::f32: return "<f4";
    case dtype::i32: return "<i4";
    case dtype::u32: return "<u4";
    case dtype::boolean: return "|b1";
    case dtype::bf16: return "<u2";
    case dtype::f16: return "<f2";
    case dtype::f64: return "<f8";
    case dtype::i8: return "|i1";
    case dtype::i16: return "<i2";
    case dtype::i64: return "<i8";
    case dtype::u8: return "|u1";
    case dtype::u16: return "<u2";
    default: return "<u8";
  }
}
inline std::string npy_header(weft::dense const& x) {
  std::string shape;
  for (int i = 0; i < x.shape.rank; ++i) shape += std::to_string(x.shape[i]) + ",";
  std::string text = std::string("{'descr': '") + numpy_name(x.type) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(text.size() & 0xff);
  head += static_cast<char>(text.size() >> 8);
  return head + text;
}
inline void write_npy(std::filesystem::path const& path, weft::dense const& x) {
  std::ofstream file(path, std::ios::binary);
  file << npy_header(x);
  for (weft::word w : x.words) file.write(reinterpret_cast<char const*>(&w), weft::size_of(x.type));
}
// The elements of a file that has this type and shape; nothing if there is none.
inline std::optional<weft::dense> read_npy(std::filesystem::path const& path, weft::dtype type,
                                           weft::extents const& shape) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::stringstream all;
  all << file.rdbuf();
  std::string const bytes = all.str();
  if (bytes.size() < 10) return {};
  std::size_t const start = 10 + static_cast<unsigned char>(bytes[8]) +
                            256u * static_cast<unsigned char>(bytes[9]);
  weft::dense x(type, shape);
  std::size_t const size = static_cast<std::size_t>(weft::size_of(type));
  if (bytes.size() != start + size * static_cast<std::size_t>(x.size())) return {};
  if (bytes.find(numpy_name(type)) == std::string::npos) return {};
  for (int i = 0; i < x.size(); ++i)
    std::memcpy(&x[i], bytes.data() + start + size * static_cast<std::size_t>(i), size);
  return x;
}

} // namespace test

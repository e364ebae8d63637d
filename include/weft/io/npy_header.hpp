// SPDX-License-Identifier: BSL-1.0
// The header of an .npy file, read and written (numpy/lib/format.py describes versions 1 to 3).
// Read: every version, both byte orders, both element orders, and whatever NumPy itself accepts of
// the dictionary's layout. Written: version 1, little-endian, row-major, 64 bytes or a multiple.
// NumPy has no bf16: files have '<V2', two plain bytes, as ml_dtypes (JAX, TensorFlow) writes it.
// Leaves: a found_array whose bytes are exactly the rest of the file.
#pragma once

#include <weft/io/array_bytes.hpp>

#include <charconv>

namespace weft::inline v0 {
namespace detail {

// By dtype, without the byte order.
inline constexpr std::string_view npy_codes[dtype_count] = {
    "f4", "i4", "u4", "b1", "V2", "f2", "f8", "i1", "i2", "i8", "u1", "u2", "u8"};

// '<f4', '>f4', '|b1', '=f4', and without a mark; big is true for '>'.
inline int dtype_of_npy(std::string_view descr, bool& big) {
  if (descr == "bfloat16") return static_cast<int>(dtype::bf16);
  if (descr == "?" || descr == "|?") return static_cast<int>(dtype::boolean);
  if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos) {
    big = descr[0] == '>';
    descr.remove_prefix(1);
  }
  for (int i = 0; i < dtype_count; ++i)
    if (descr == npy_codes[i]) return i;
  return -1;
}

// The header's text, a literal dictionary of Python.
class npy_dictionary {
public:
  npy_dictionary(file_at const& at, std::string_view text) : at_(at), text_(text) { read(); }

  std::string_view descr;
  extents shape;
  bool column_major = false;

private:
  void read() {
    expect('{');
    while (!accept('}')) {
      read_item(string());
      if (!accept(',') && peek() != '}') malformed();
    }
    blanks();
    if (place_ != text_.size() || seen_ != 7) malformed();
  }
  void read_item(std::string_view key) {
    expect(':');
    int const item = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
    if (item == 0 || (seen_ & item) != 0) malformed();
    seen_ |= item;
    if (item == 1) read_type();
    else if (item == 2) column_major = truth();
    else read_shape();
  }
  void read_type() {
    if (peek() == '[')
      raise_file(at_, "save its fields one by one", "the file has elements with fields");
    descr = string();
  }
  void read_shape() {
    expect('(');
    while (!accept(')')) {
      if (shape.rank == max_rank)
        raise_file(at_, "reshape it to at most 8 axes", "the file's array has more axes than 8");
      shape.push(number());
      if (!accept(',') && peek() != ')') malformed();
    }
  }

  void blanks() {
    while (place_ < text_.size() && std::string_view(" \t\n\r").find(text_[place_]) < 4) ++place_;
  }
  char peek() {
    blanks();
    return place_ < text_.size() ? text_[place_] : '\0';
  }
  bool accept(char c) {
    bool const there = peek() == c;
    place_ += there;
    return there;
  }
  void expect(char c) {
    if (!accept(c)) malformed();
  }
  bool accept(std::string_view word) {
    blanks();
    bool const there = text_.substr(place_, word.size()) == word;
    if (there) place_ += word.size();
    return there;
  }
  bool truth() {
    if (accept(std::string_view("True"))) return true;
    if (!accept(std::string_view("False"))) malformed();
    return false;
  }
  std::string_view string() {
    char const quote = peek();
    if (quote != '\'' && quote != '"') malformed();
    std::size_t const first = ++place_, last = text_.find(quote, first);
    if (last == std::string_view::npos) malformed();
    place_ = last + 1;
    return text_.substr(first, last - first);
  }
  // Python 2 wrote 3L.
  extent number() {
    if (peek() < '0' || peek() > '9') malformed();
    extent n = 0;
    char const* const first = text_.data() + place_;
    auto const [end, error] = std::from_chars(first, text_.data() + text_.size(), n);
    if (error != std::errc()) raise_file(at_, "look where it comes from", "an extent is too large");
    place_ += static_cast<std::size_t>(end - first);
    if (place_ < text_.size() && text_[place_] == 'L') ++place_;
    return n;
  }
  [[noreturn]] void malformed() const {
    raise_file(at_, "write it again", "the header of the .npy file is malformed at character ",
               static_cast<extent>(place_), " of ", text_);
  }

  file_at const& at_;
  std::string_view text_;
  std::size_t place_ = 0;
  int seen_ = 0; // a bit per key
};

// Without its first bytes: the dictionary, then the elements.
struct npy_parts {
  std::string_view dictionary, elements;
};
// Where the dictionary is, by the first 12 bytes.
struct npy_place {
  std::size_t start, length;
};
inline npy_place place_of_dictionary(file_at const& at, std::string_view file) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(file[i]); };
  if (file.size() < 10 || file.substr(0, 6) != "\x93NUMPY")
    raise_file(at, "write it by numpy.save or save_npy", "this is no .npy file");
  int const version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0)
    raise_file(at, "versions 1.0 to 3.0 are read", "the .npy file has version ", version, ".",
               static_cast<int>(byte(7)));
  std::size_t const start = version == 1 ? 10 : 12;
  std::size_t length = byte(8) + 256u * byte(9);
  if (version > 1 && file.size() >= start)
    length += (byte(10) + 256u * std::size_t{byte(11)}) << 16;
  return {start, length};
}
inline npy_parts split_npy(file_at const& at, std::string_view file) {
  auto const [start, length] = place_of_dictionary(at, file);
  if (file.size() < start || length > file.size() - start)
    raise_file(at, "copy it again", "the file ends inside its header");
  return {file.substr(start, length), file.substr(start + length)};
}

// What the dictionary says; its bytes are still to be found.
inline found_array read_dictionary(file_at const& at, std::string_view dictionary) {
  npy_dictionary const header(at, dictionary);
  found_array r{"", header.descr, -1, header.shape, {}};
  r.column_major = header.column_major;
  r.type = dtype_of_npy(header.descr, r.big_endian);
  if (r.type < 0)
    raise_file(at, "convert it with numpy first", "weft has no elements like ", header.descr);
  return r;
}
inline extent bytes_needed(file_at const& at, found_array const& found) {
  extent const needed = byte_count(found.shape, size_of(static_cast<dtype>(found.type)));
  if (needed < 0)
    raise_file(at, "look where it comes from", "the elements of shape ", found.shape,
               " are more than can be counted");
  return needed;
}
inline void give_bytes(file_at const& at, found_array& found, std::string_view bytes) {
  extent const needed = bytes_needed(at, found);
  auto const there = static_cast<extent>(bytes.size());
  if (needed != there)
    raise_file(at, needed > there ? "copy it again" : "an .npy file holds one array",
               "the elements of shape ", found.shape, " take ", needed, " bytes, ", there,
               " follow the header");
  found.bytes = bytes;
}
inline found_array read_npy(file_at const& at, std::string_view file) {
  npy_parts const parts = split_npy(at, file);
  found_array r = read_dictionary(at, parts.dictionary);
  give_bytes(at, r, parts.elements);
  return r;
}

inline std::string npy_header(dtype type, extents const& shape) {
  std::string s = "{'descr': '";
  s += size_of(type) == 1 ? '|' : '<';
  s += npy_codes[static_cast<int>(type)];
  s += "', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < shape.rank; ++i)
    s += (i == 0 ? "" : " ") + std::to_string(shape[i]) + (i + 1 < shape.rank || i == 0 ? "," : "");
  s += "), }";
  s.resize((10 + s.size() + 1 + 63) / 64 * 64 - 11, ' ');
  s += '\n';
  char const start[10] = {'\x93',
                          'N',
                          'U',
                          'M',
                          'P',
                          'Y',
                          1,
                          0,
                          static_cast<char>(s.size() & 255),
                          static_cast<char>(s.size() >> 8)};
  return std::string(start, 10) + s;
}

} // namespace detail
} // namespace weft::inline v0

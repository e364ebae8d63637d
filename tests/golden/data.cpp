// SPDX-License-Identifier: BSL-1.0
#include "golden/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>

namespace golden {
namespace {

struct type_info {
  char const* name;
  std::size_t size;
  char const* in_file;    // numpy's name of what the pack holds
  int exponent, mantissa; // bits; 0: not a float
  bool is_signed;
};
constexpr type_info types[] = {
    {"f32", 4, "<f4", 8, 23, true},  {"f64", 8, "<f8", 11, 52, true},
    {"f16", 2, "<f2", 5, 10, true},  {"bf16", 2, "<u2", 8, 7, true},
    {"i8", 1, "|i1", 0, 0, true},    {"i16", 2, "<i2", 0, 0, true},
    {"i32", 4, "<i4", 0, 0, true},   {"i64", 8, "<i8", 0, 0, true},
    {"u8", 1, "|u1", 0, 0, false},   {"u16", 2, "<u2", 0, 0, false},
    {"u32", 4, "<u4", 0, 0, false},  {"u64", 8, "<u8", 0, 0, false},
    {"bool", 1, "|b1", 0, 0, false},
};
type_info const& info_of(std::string const& name) {
  for (type_info const& t : types)
    if (name == t.name) return t;
  throw data_error("no element type " + name);
}

struct pack {
  std::string elements; // numpy's name
  std::string bytes;
};
pack load(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw data_error("cannot open " + path);
  std::string const all{std::istreambuf_iterator<char>(file), {}};
  if (all.size() < 10 || all.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0)
    throw data_error(path + " is no .npy of version 1.0");
  auto byte = [&all](std::size_t i) { return static_cast<unsigned char>(all[i]); };
  std::size_t const start = 10u + byte(8) + 256u * byte(9);
  if (all.size() < start) throw data_error(path + " ends in its header");
  std::string const header = all.substr(10, start - 10);
  std::string const key = "'descr': '";
  std::size_t const at = header.find(key);
  if (at == std::string::npos || header.find("'fortran_order': False") == std::string::npos)
    throw data_error(path + " is not in C order, or does not name its elements");
  std::size_t const from = at + key.size();
  return {header.substr(from, header.find('\'', from) - from), all.substr(start)};
}
pack const& loaded(std::string const& path) {
  static std::map<std::string, pack> packs;
  auto found = packs.find(path);
  if (found == packs.end()) found = packs.emplace(path, load(path)).first;
  return found->second;
}

std::uint64_t bits_at(array const& a, std::size_t size, long i) {
  std::uint64_t b = 0; // little endian, as the packs are
  std::memcpy(&b, a.bytes.data() + static_cast<std::size_t>(i) * size, size);
  return b;
}

// One element as a number that holds it exactly.
class element {
public:
  element(type_info const& t, std::uint64_t bits) : type_(t), bits_(bits) {}

  bool is_float() const { return type_.exponent > 0; }
  bool is_nan() const { return is_float() && magnitude() > exponent_mask(); }
  bool is_infinite() const { return is_float() && magnitude() == exponent_mask(); }
  bool is_negative() const {
    return type_.is_signed && ((bits_ >> (8 * type_.size - 1)) & 1u) != 0;
  }
  std::uint64_t bits() const { return bits_; }

  double number() const {
    if (!is_float()) {
      if (!is_negative()) return static_cast<double>(bits_);
      std::uint64_t const fill = type_.size == 8 ? 0 : ~std::uint64_t{0} << (8 * type_.size);
      return static_cast<double>(static_cast<std::int64_t>(bits_ | fill));
    }
    double const sign = is_negative() ? -1 : 1;
    if (is_nan()) return std::numeric_limits<double>::quiet_NaN();
    if (is_infinite()) return sign * std::numeric_limits<double>::infinity();
    int const bias = (1 << (type_.exponent - 1)) - 1;
    auto const e = static_cast<int>(magnitude() >> type_.mantissa);
    std::uint64_t const one = std::uint64_t{1} << type_.mantissa;
    std::uint64_t const m = (magnitude() & (one - 1)) | (e > 0 ? one : 0);
    return sign * std::ldexp(static_cast<double>(m), (e > 0 ? e : 1) - bias - type_.mantissa);
  }
  // Representable steps from zero; -0 and +0 are both 0.
  std::int64_t steps() const {
    auto const m = static_cast<std::int64_t>(magnitude());
    return is_negative() ? -m : m;
  }

private:
  std::uint64_t magnitude() const {
    return bits_ & ((std::uint64_t{1} << (8 * type_.size - 1)) - 1);
  }
  std::uint64_t exponent_mask() const {
    return ((std::uint64_t{1} << type_.exponent) - 1) << type_.mantissa;
  }
  type_info const& type_;
  std::uint64_t bits_;
};

bool equal(element const& a, element const& b) {
  if (!a.is_float()) return a.bits() == b.bits();
  return a.number() == b.number() || (a.is_nan() && b.is_nan());
}
bool within(element const& got, element const& want, tolerance const& t, double largest) {
  if (t.how == measure::bits) {
    if (got.is_nan() && want.is_nan()) return !t.signs || got.is_negative() == want.is_negative();
    return got.bits() == want.bits();
  }
  if (equal(got, want))
    return !t.signs || want.number() != 0 || got.is_negative() == want.is_negative();
  if (t.how == measure::exact || got.is_nan() || want.is_nan()) return false;
  if (t.how == measure::ulp) {
    auto const apart = static_cast<double>(got.steps()) - static_cast<double>(want.steps());
    return std::abs(apart) <= t.first;
  }
  if (got.is_infinite() || want.is_infinite()) return false;
  double const apart = std::abs(got.number() - want.number());
  if (t.how == measure::close) return apart <= t.second + t.first * std::abs(want.number());
  return apart <= t.first * largest;
}

std::string print_place(long i, std::vector<long> const& shape) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0; i /= shape[axis])
    text = std::to_string(i % shape[axis]) + (text.empty() ? "" : ", ") + text;
  return "[" + text + "]";
}
std::string print(element const& x) {
  std::ostringstream s;
  s.precision(17);
  s << x.number() << " (0x" << std::hex << x.bits() << ")";
  return s.str();
}

} // namespace

long count_of(std::vector<long> const& shape) {
  long n = 1;
  for (long e : shape) n *= e;
  return n;
}
std::size_t size_of(std::string const& type) { return info_of(type).size; }

std::string print_type(std::string const& type, std::vector<long> const& shape) {
  std::string text = type + "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

array read(std::string const& folder, reference const& r) {
  pack const& p = loaded(folder + "/" + r.file);
  type_info const& t = info_of(r.type);
  if (p.elements != t.in_file)
    throw data_error(r.file + " holds " + p.elements + ", expected " + t.in_file);
  std::size_t const from = static_cast<std::size_t>(r.offset) * t.size;
  std::size_t const bytes = static_cast<std::size_t>(count_of(r.shape)) * t.size;
  if (r.offset < 0 || from + bytes > p.bytes.size())
    throw data_error(r.file + " ends before element " + std::to_string(r.offset) + " + " +
                     std::to_string(count_of(r.shape)));
  array a{r.type, r.shape, std::vector<std::byte>(bytes)};
  if (bytes > 0) std::memcpy(a.bytes.data(), p.bytes.data() + from, bytes);
  return a;
}

std::string difference(array const& got, array const& want, tolerance const& t) {
  if (got.type != want.type || got.shape != want.shape)
    return "is " + print_type(got.type, got.shape) + ", expected " +
           print_type(want.type, want.shape);
  type_info const& type = info_of(want.type);
  long const n = count_of(want.shape);
  auto at = [&type](array const& a, long i) { return element(type, bits_at(a, type.size, i)); };
  double largest = 0;
  for (long i = 0; i < n; ++i)
    if (!at(want, i).is_nan() && !at(want, i).is_infinite())
      largest = std::max(largest, std::abs(at(want, i).number()));
  long different = 0;
  for (long i = 0; i < n; ++i) {
    element const g = at(got, i), w = at(want, i);
    if (!within(g, w, t, largest))
      return "at " + print_place(i, want.shape) + " is " + print(g) + ", expected " + print(w);
    different += equal(g, w) ? 0 : 1;
  }
  if (t.how == measure::ulp && static_cast<double>(different) > t.second * static_cast<double>(n))
    return std::to_string(different) + " of " + std::to_string(n) + " elements differ";
  return "";
}

} // namespace golden

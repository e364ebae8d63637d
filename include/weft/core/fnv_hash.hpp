// SPDX-License-Identifier: BSL-1.0
// fnv_hash: 64 bits of what was added, the same on every machine and day.
//   fnv_hash h; h.add_bytes(path); h.add(7); use(h.sum());
// Source: FNV-1a (Fowler, Noll, Vo).
#pragma once

#include <weft/core/extents.hpp>
#include <weft/core/growing.hpp>

#include <string_view>

namespace weft::inline v0::detail {

class fnv_hash {
public:
  constexpr void add_byte(unsigned char value) { sum_ = (sum_ ^ value) * 0x100000001b3u; }
  constexpr void add_bytes(std::string_view text) {
    for (char const c : text) add_byte(static_cast<unsigned char>(c));
  }
  // The eight bytes of a number, the lowest first.
  constexpr void add(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      add_byte(static_cast<unsigned char>(value & 0xff));
      value >>= 8;
    }
  }
  constexpr void add_signed(extent value) { add(static_cast<std::uint64_t>(value)); }
  template <class T> constexpr void add_all(view<T> values) {
    add_signed(values.size());
    for (T const& v : values) add(static_cast<std::uint64_t>(v));
  }
  constexpr std::uint64_t sum() const { return sum_; }

private:
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

} // namespace weft::inline v0::detail

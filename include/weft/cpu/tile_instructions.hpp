// SPDX-License-Identifier: BSL-1.0
// The processor's tiles (AMX), as cpu/tile_products.hpp uses them: eight registers of 16 lines of 64
// bytes, and four instructions, on a thread in which a session is alive.
// Needs: x86-64 Linux and a translation unit with AVX-512, and then, asked once when a program runs, a
// machine and a kernel that have tiles (are_here). Leaves: no state of the tiles after a session.
// What the instructions do is written out in tests/cpu/test_tile_products.cpp.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, TDPBF16PS, chapter 18.
#pragma once

#include <weft/core/extents.hpp>

#include <cstdint>

#if defined(__x86_64__) && defined(__linux__) && defined(__AVX512F__)
#include <cpuid.h>
#endif

namespace weft::inline v0 {
namespace detail {
namespace tile {

inline constexpr int lines = 16, pairs = 16, steps = 2 * pairs; // of a tile
inline constexpr extent words = lines * pairs;

#if defined(__x86_64__) && defined(__linux__) && defined(__AVX512F__)

// The processor has them, the system saves them, and this process may use them from now on.
inline bool ask_for_tiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  bool const has_bf16 = (d >> 22 & 1) != 0, has_tiles = (d >> 24 & 1) != 0;
  if (!has_bf16 || !has_tiles) return false;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low >> 17 & 3) != 3) return false;
  long const arch_prctl = 158, request_permission = 0x1023, tile_data = 18;
  long result = arch_prctl;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(request_permission), "S"(tile_data)
                   : "rcx", "r11", "memory");
  return result == 0;
}

struct machine {
  static bool are_here() {
    static bool const answer = ask_for_tiles();
    return answer;
  }
  // All eight tiles have 16 rows of 64 bytes while this is alive, on this thread.
  class session {
  public:
    session() {
      alignas(64) std::uint8_t form[64]{1}; // palette 1
      for (int t = 0; t < 8; ++t) {
        form[16 + 2 * t] = 64; // bytes of a row, of two bytes each
        form[48 + t] = lines;
      }
      __asm__ volatile("ldtilecfg %0" : : "m"(form) : "memory");
    }
    ~session() { __asm__ volatile("tilerelease" : : : "memory"); }
    session(session const&) = delete;
    session& operator=(session const&) = delete;
  };
  template <int T> WEFT_INLINE static void clear() {
    __asm__ volatile("tilezero {%%tmm%c0|tmm%c0}" : : "i"(T));
  }
  // 16 lines of 16 words, one behind the other.
  template <int T> WEFT_INLINE static void load(std::uint32_t const* from) {
    __asm__ volatile("tileloadd {(%1,%2,1), %%tmm%c0|tmm%c0, [%1+%2*1]}"
                     :
                     : "i"(T), "r"(from), "r"(extent{64})
                     : "memory");
  }
  template <int T> WEFT_INLINE static void store(float* to, extent row_bytes) {
    __asm__ volatile("tilestored {%%tmm%c0, (%1,%2,1)|[%1+%2*1], tmm%c0}"
                     :
                     : "i"(T), "r"(to), "r"(row_bytes)
                     : "memory");
  }
  // [m][n] += a[m][p].low * b[p][n].low + a[m][p].high * b[p][n].high, summed over p
  template <int Sum, int A, int B> WEFT_INLINE static void add_products() {
    __asm__ volatile("tdpbf16ps {%%tmm%c2, %%tmm%c1, %%tmm%c0|tmm%c0, tmm%c1, tmm%c2}"
                     :
                     : "i"(Sum), "i"(A), "i"(B));
  }
};

#endif

} // namespace tile
} // namespace detail
} // namespace weft::inline v0

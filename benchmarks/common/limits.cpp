// SPDX-License-Identifier: BSL-1.0
#include "limits.hpp"

#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

namespace bench {
namespace {

#if defined(__AVX512F__)
constexpr int width = 64;
#else
constexpr int width = 32;
#endif
using floats [[gnu::vector_size(width)]] = float;
using doubles [[gnu::vector_size(width)]] = double;
using words [[gnu::vector_size(width)]] = std::int64_t;

// Two fused multiply-adds a cycle with a latency of four need eight chains.
constexpr int chains = 12;

template <class Vector> [[gnu::noinline]] void run_chains(std::int64_t steps) {
  Vector sum[chains], factor = {};
  factor += 0.999f;
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) sum[c] = factor + static_cast<float>(c);
  for (std::int64_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < chains; ++c) sum[c] = sum[c] * factor + factor;
#pragma GCC unroll 12
  for (int c = 1; c < chains; ++c) sum[0] += sum[c];
  benchmark::DoNotOptimize(sum[0]);
}

#ifdef __AVX512BF16__
[[gnu::noinline]] void run_bf16_chains(std::int64_t steps) {
  __m512 sum[chains];
  __m512bh const pairs = (__m512bh)_mm512_set1_epi32(0x3f003f00);
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) sum[c] = _mm512_set1_ps(static_cast<float>(c));
  for (std::int64_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < chains; ++c) sum[c] = _mm512_dpbf16_ps(sum[c], pairs, pairs);
#pragma GCC unroll 12
  for (int c = 1; c < chains; ++c) sum[0] = _mm512_add_ps(sum[0], sum[c]);
  benchmark::DoNotOptimize(sum[0]);
}
#endif

// Memory at multiples of a page, its pages present.
struct block {
  explicit block(std::size_t bytes)
      : size(bytes / width * width), at(::operator new(size + width, std::align_val_t{4096})) {
    std::fill_n(static_cast<char*>(at), size + width, char{1});
  }
  block(block const&) = delete;
  block& operator=(block const&) = delete;
  ~block() { ::operator delete(at, std::align_val_t{4096}); }
  std::size_t size;
  void* at;
};

[[gnu::noinline]] void read_words(words const* p, std::size_t count) {
  words a[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j) a[j] |= p[i + j];
  for (; i < count; ++i) a[0] |= p[i];
  for (int j = 1; j < 8; ++j) a[0] |= a[j];
  benchmark::DoNotOptimize(a[0]);
}

void write_past_caches(words* p, words const& value) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(p), (__m512i)value);
#elif defined(__AVX2__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(p), (__m256i)value);
#else
  *p = value;
#endif
}

template <bool Past>
[[gnu::noinline]] void copy_words(words const* from, std::size_t read, words* to,
                                  std::size_t written) {
  std::size_t const both = std::min(read, written);
  for (std::size_t i = 0; i < both; ++i)
    if constexpr (Past) write_past_caches(to + i, from[i]);
    else to[i] = from[i];
  words const one = from[0];
  for (std::size_t i = both; i < written; ++i)
    if constexpr (Past) write_past_caches(to + i, one);
    else to[i] = one;
  if (read > both) read_words(from + both, read - both);
  if constexpr (Past) _mm_sfence();
  benchmark::ClobberMemory();
}

template <class Function> void on_threads(int threads, Function const& f) {
  if (threads == 1) return f(0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int i = 0; i < threads; ++i) f(i);
}

#ifdef __AVX512BF16__
constexpr int bf16_lanes = width / 2;
#else
constexpr int bf16_lanes = width / 4; // as float32
#endif

} // namespace

side arithmetic_limit(arithmetic type, double operations, int threads) {
  double const lanes = type == arithmetic::f64   ? width / 8
                       : type == arithmetic::f32 ? width / 4
                                                 : bf16_lanes;
  auto const steps = static_cast<std::int64_t>(operations / (2 * lanes * chains * threads)) + 1;
  return {"limit",
          [=] {
            on_threads(threads, [=](int) {
              if (type == arithmetic::f64) return run_chains<doubles>(steps);
#ifdef __AVX512BF16__
              if (type == arithmetic::bf16) return run_bf16_chains(steps);
#endif
              run_chains<floats>(steps);
            });
          },
          {}};
}

side memory_limit(double bytes_read, double bytes_written, int threads) {
  auto const from = std::make_shared<block>(static_cast<std::size_t>(bytes_read) + width);
  auto const to = std::make_shared<block>(static_cast<std::size_t>(bytes_written) + width);
  auto const read = static_cast<std::size_t>(bytes_read) / width,
             written = static_cast<std::size_t>(bytes_written) / width;
  bool const past = bytes_written > 16e6;
  return {"limit",
          [=] {
            on_threads(threads, [&](int i) {
              auto const part = [&](std::size_t n, int end) {
                return n * static_cast<std::size_t>(end) / static_cast<std::size_t>(threads);
              };
              words const* const p = static_cast<words const*>(from->at) + part(read, i);
              words* const q = static_cast<words*>(to->at) + part(written, i);
              std::size_t const n = part(read, i + 1) - part(read, i),
                                m = part(written, i + 1) - part(written, i);
              if (m == 0) read_words(p, n);
              else if (past) copy_words<true>(p, n, q, m);
              else copy_words<false>(p, n, q, m);
            });
          },
          {}};
}

} // namespace bench

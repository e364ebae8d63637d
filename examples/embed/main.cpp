// SPDX-License-Identifier: BSL-1.0
// The host: samples that come one by one, and no time to wait for memory. It counts how often any is
// taken, and prints what a call takes and how much of the echo is gone.
#include "echo_canceller.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <random>
#include <vector>

static long taken = 0;
static void* take(std::size_t bytes, std::size_t alignment) {
  ++taken;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void* operator new(std::size_t bytes) { return take(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t a) { return take(bytes, std::size_t(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

int main() {
  constexpr unsigned samples = 48'000, learnt = 32'000; // three seconds at 16 kHz
  std::vector<float> played(samples), heard(samples);
  std::mt19937 draw(1);
  for (float& x : played) x = static_cast<float>(draw() >> 8) * 0x1p-23f - 1;
  for (unsigned k = 77; k < samples; ++k) heard[k] = 0.5f * played[k - 20] - 0.25f * played[k - 77];

  echo_canceller cancel; // plans, and takes the memory of all calls
  room<weft::tensor> r;
  double echo = 0, left = 0;
  long const before = taken;
  auto const start = std::chrono::steady_clock::now();
  for (unsigned k = 0; k < samples; ++k) {
    auto const& [next, clean] = cancel(r, played[k], heard[k]);
    r = next;
    if (k < learnt) continue;
    echo += double(heard[k]) * heard[k];
    left += double(clean()) * clean();
  }
  std::chrono::duration<double, std::nano> const time = std::chrono::steady_clock::now() - start;
  std::printf("echo after two seconds: %.1f dB; memory taken in %u calls: %ld times\n"
              "%.0f ns per call of 128 taps\n",
              10 * std::log10(left / echo), samples, taken - before, time.count() / samples);
  return taken == before ? 0 : 1;
}

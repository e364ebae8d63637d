// SPDX-License-Identifier: BSL-1.0
// What the machine can do at most, as sides of a contest: fused multiply-adds in registers, and
// reading and writing memory with nothing in between.
#pragma once

#include "contest.hpp"

namespace bench {

enum class arithmetic { f32, f64, bf16 }; // bf16: pairs into float32 sums, where the CPU has these

// `operations` multiplications and additions in independent chains.
side arithmetic_limit(arithmetic type, double operations, int threads);
// Reads and writes as many bytes, always the same ones: from the cache level where they fit. Large
// results are written past the caches.
side memory_limit(double bytes_read, double bytes_written, int threads);

} // namespace bench

// SPDX-License-Identifier: BSL-1.0
// step_text: what one step of a schedule is on a device: the sources of its kernels, and how they
// are launched. Text depends on what the step does (ops, element types, ranks, which strides are 0
// or 1) and on what is chosen by its numbers: form, tiles, width of numbers, which axes are merged,
// whether a product may read four elements at once. Extents, strides and offsets are arguments: most
// other numbers need no other program.
//   __kernel void NAME(__global float* g0, const long o0, __global const int* g1, const long o1,
//                      const index n0, const index n1, ...)
// Parameters: every buffer with the place of its first element, in elements of the parameter's type
// (the kernel starts with `g0 += o0;`), then every number, as int or, where `wide_numbers`, long.
// Needs: a bound graph. Leaves: plain values, no OpenCL handle (opencl/engine.hpp runs them).
#pragma once

#include <weft/core/extents.hpp>
#include <weft/core/growing.hpp>

#include <string>
#include <vector>

namespace weft::inline v0 {
namespace opencl {

// What text depends on of a device.
struct device_traits {
  bool is_cpu = true;             // an item per row; vectors instead of local memory
  extent local_bytes = 32 * 1024; // of a group
  extent max_group = 256;         // items of a group
  extent argument_bytes = 1024;   // of a kernel: OpenCL's least
};
constexpr extent buffer_argument_bytes = 16; // a pointer and where to begin
// Buffers of one kernel, numbers beside them: of any device, and of one that may have more.
inline constexpr int most_buffers = 48;
constexpr int most_buffers_on(device_traits const& on) {
  extent const fit = (on.argument_bytes - 256) / buffer_argument_bytes;
  return fit < most_buffers ? most_buffers : fit > 128 ? 128 : static_cast<int>(fit);
}

// The largest number of an index of 32 bits, less what kernels count past their end: a group or a
// tile. Where some place or count is larger, indices have 64 bits.
inline constexpr extent most_narrow = (extent{1} << 31) - (1 << 16);

// Does an item do a row alone, or a group of 64 and more?
constexpr bool by_items(device_traits const& on) { return on.is_cpu || on.max_group < 512; }

struct kernel_text {
  std::string source; // a whole program
  std::string name;   // of its kernel
  bool wide_numbers = false;
};

// What a buffer parameter is given: the memory of a root (pass/access.hpp), or the step's scratch.
struct buffer_use {
  static constexpr int scratch = -1;
  int node = scratch;
  extent offset = 0;     // of the first element, in elements
  int element_bytes = 1; // of the parameter's type
  int unit = 1;          // 1, 2 or 4: offset 0 lies at a multiple of so many elements

  // The same of the first element.
  constexpr int first_unit() const {
    int n = unit;
    while (offset % n != 0) n /= 2;
    return n;
  }
};

struct launch {
  int kernel = 0; // of step_text::kernels
  growing<buffer_use> buffers;
  growing<extent> numbers;
  int dimensions = 1;
  extent global[3]{1, 1, 1};
  extent local[3]{1, 1, 1}; // divides global
};

inline extent argument_bytes(kernel_text const& k, launch const& l) {
  return buffer_argument_bytes * l.buffers.size() +
         (k.wide_numbers ? 8 : 4) * extent{l.numbers.size()};
}

// What a kernel says of its groups, so that the compiler leaves all their items registers: a GPU
// refuses groups whose items need more than it has.
inline std::string group_attribute(extent const (&local)[3]) {
  return "__attribute__((reqd_work_group_size(" + std::to_string(local[0]) + ", " +
         std::to_string(local[1]) + ", " + std::to_string(local[2]) + ")))";
}

// Launches run in order; none where the result has no element.
struct step_text {
  std::vector<kernel_text> kernels;
  std::vector<launch> launches;
  extent scratch_bytes = 0;
};

// The number of this kernel among the step's, where it may stand already.
inline int kernel_number(step_text& of, kernel_text kernel) {
  int at = 0;
  for (kernel_text const& known : of.kernels) {
    if (known.source == kernel.source) return at;
    ++at;
  }
  of.kernels.push_back(std::move(kernel));
  return at;
}

} // namespace opencl
} // namespace weft::inline v0

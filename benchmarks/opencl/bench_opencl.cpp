// SPDX-License-Identifier: BSL-1.0
// ./dev bench opencl [part of a name [file of a peer's times]]: programs on an OpenCL device beside
// the device's copy rate and beside the same programs by jit on this CPU, on as many threads as it
// has. On the first device, or on WEFT_DEVICE (a number, "cpu", "gpu", a part of a name). The file is what
// measure_torch.py prints, say. Exits with 1 where a result has other bits than the CPU's.
#include "beside.hpp"

#include <cstdlib>
#include <exception>
#include <thread>

int main(int argc, char** argv) try {
  if (weft::opencl::devices().empty()) {
    std::puts("nothing is measured: there is no OpenCL device (Debian: pocl-opencl-icd for CPUs)");
    return 0;
  }
  char const* const which = std::getenv("WEFT_DEVICE");
  weft::opencl::device const device(which != nullptr ? which : "0");
  int const threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bench::runs runs(device, threads, argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
  bench::run_bandwidth(runs);
  bench::run_arithmetic(runs);
  return runs.all_same() ? 0 : 1;
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

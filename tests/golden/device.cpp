// SPDX-License-Identifier: BSL-1.0
// The device is opened once: cases share the programs that they have in common.
#include "golden/device.hpp"

#ifdef WEFT_GOLDEN_DEVICE
#include "random/run_device.hpp"
#endif

namespace golden {

std::optional<weft::growing<weft::dense>> run_on_device(
    [[maybe_unused]] weft::graph_view g, [[maybe_unused]] weft::view<weft::dense> inputs) {
#ifdef WEFT_GOLDEN_DEVICE
  static bool const found = !weft::opencl::devices().empty();
  if (found) {
    static weft::opencl::device const device;
    return test::device_runner(device, g).run(inputs);
  }
#endif
  return std::nullopt;
}

} // namespace golden

// SPDX-License-Identifier: BSL-1.0
// run_on_device: a traced program on the first OpenCL device. None where there is no device, or
// where CL/cl.h was not there when the tests were configured.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/graph/graph.hpp>

#include <optional>

namespace golden {

std::optional<weft::growing<weft::dense>> run_on_device(weft::graph_view g,
                                                        weft::view<weft::dense> inputs);

} // namespace golden

// SPDX-License-Identifier: BSL-1.0
// Runs one step's texts (opencl/step_text.hpp) on a device, on arrays given by node.
//   step_runner run(device);  run.memory[id] = run.filled(array);  run(step);  run.array(id, like)
// Needs: memory for every root that the step's launches name. Leaves: nothing of the engine's.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/opencl/device.hpp>
#include <weft/opencl/step_text.hpp>

#include <cstring>
#include <map>

namespace test {

class step_runner {
public:
  explicit step_runner(weft::opencl::device const& on) : on_(on) {}

  std::map<int, weft::opencl::memory> memory; // by root node

  weft::opencl::memory filled(weft::dense const& x) {
    weft::extent const each = weft::size_of(x.type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(x.size() * each));
    for (int i = 0; i < x.size(); ++i)
      std::memcpy(bytes.data() + i * each, &x.words[i], static_cast<std::size_t>(each));
    weft::opencl::memory m = on_.allocate(x.size() * each);
    on_.write(m, 0, bytes.data(), x.size() * each);
    return m;
  }
  weft::dense array(int root, weft::dtype type, weft::extents const& shape) {
    weft::dense x(type, shape);
    weft::extent const each = weft::size_of(type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(x.size() * each));
    on_.read(memory.at(root), 0, bytes.data(), x.size() * each);
    for (int i = 0; i < x.size(); ++i)
      std::memcpy(&x.words[i], bytes.data() + i * each, static_cast<std::size_t>(each));
    return x;
  }

  void operator()(weft::opencl::step_text const& step) {
    memory[weft::opencl::buffer_use::scratch] = on_.allocate(step.scratch_bytes);
    for (weft::opencl::launch const& l : step.launches) {
      weft::opencl::kernel_text const& text = step.kernels[static_cast<std::size_t>(l.kernel)];
      weft::opencl::kernel k = on_.build(text.source, text.name);
      int at = 0;
      for (weft::opencl::buffer_use const& b : l.buffers) {
        k.set(at++, memory.at(b.node));
        k.set(at++, std::int64_t{b.offset});
      }
      for (weft::extent n : l.numbers)
        text.wide_numbers ? k.set(at++, std::int64_t{n})
                          : k.set(at++, static_cast<std::int32_t>(n));
      on_.launch(k, l.dimensions, l.global, l.local);
    }
  }

private:
  weft::opencl::device on_;
};

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// engine_code: what a device costs a compiler (the planning, the texts, the engine), behind one
// name, so that a program of several sources may compile it once:
//   template struct weft::opencl::engine_code<>;           // in one source
//   extern template struct weft::opencl::engine_code<>;    // in the others
// Needs: what program and engine need. Leaves: the same.
#pragma once

#include <weft/opencl/engine.hpp>

#include <memory>

namespace weft::inline v0 {
namespace opencl {

template <class = void> struct engine_code {
  static std::unique_ptr<program> program_of(graph_view g);
  static std::unique_ptr<engine> engine_of(device const& on, program const& p, graph bound);
  static void run(engine& e, view<engine::input> inputs, view<memory> outputs);
};
template <class V> std::unique_ptr<program> engine_code<V>::program_of(graph_view g) {
  return std::make_unique<program>(g);
}
template <class V>
std::unique_ptr<engine> engine_code<V>::engine_of(device const& on, program const& p, graph bound) {
  return std::make_unique<engine>(on, p, std::move(bound));
}
template <class V>
void engine_code<V>::run(engine& e, view<engine::input> inputs, view<memory> outputs) {
  e.run(inputs, outputs);
}

} // namespace opencl
} // namespace weft::inline v0

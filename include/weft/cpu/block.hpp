// SPDX-License-Identifier: BSL-1.0
// block_program: any graph value made ready for cpu/engine.hpp at run time: optimised, scheduled
// and lowered by the same constexpr functions that a compiled program uses, with block kernels in
// place of compiled ones. For debug builds, huge graphs, imported models, run-time traces.
//   cpu::block_program<cpu::native_target> p(graph);  engine e(p.code(), bindings, threads);
// Needs: a verified graph. Leaves: the bits of the interpreter and of compiled kernels.
//
// The constructor has the kernels of every op and type, which take a compiler most of a minute.
// Where several sources use it, one of them can compile it for all:
//   extern template class weft::cpu::block_program<weft::cpu::native_target>; // in a shared header
//   template class weft::cpu::block_program<weft::cpu::native_target>;        // in one source
#pragma once

#include <weft/cpu/block_kernel.hpp>
#include <weft/cpu/contraction_code.hpp>
#include <weft/cpu/engine.hpp>
#include <weft/pass/pipeline.hpp>

namespace weft::inline v0 {
namespace cpu {

// `jit<f>(cpu::block, args…)`: traced and planned at the first call, run op by op over blocks.
struct block_t {};
inline constexpr block_t block{};

template <class Target> class block_program {
public:
  // `ready`: the graph is optimised already.
  explicit block_program(graph_view g, bool ready = false);
  block_program(block_program const&) = delete;
  block_program& operator=(block_program const&) = delete;
  ~block_program() {
    for (int k = 0; k < made_; ++k) kernels_[k].~block_kernel();
    ::operator delete(kernels_);
  }

  program_code code() const { return {graph_, plan_, code_, calls_.data(), contractions_.data()}; }
  graph_view optimised() const { return graph_; }

private:
  graph graph_;
  schedule plan_;
  lowered code_;
  block_kernel<Target>* kernels_ = nullptr;
  int made_ = 0;
  growing<kernel_call> calls_;
  growing<contraction_code const*> contractions_;
};

template <class Target>
block_program<Target>::block_program(graph_view g, bool ready)
    : graph_(ready ? thaw(g) : optimise(g)) {
  graph const numbered = bind(graph_, placeholders(graph_));
  accesses const reads = accesses_of(numbered);
  plan_ = make_schedule(numbered, reads);
  code_ = lower(numbered, reads, plan_);
  kernels_ = static_cast<block_kernel<Target>*>(::operator new(
      sizeof(block_kernel<Target>) * static_cast<unsigned>(code_.kernels.size() + 1)));
  for (; made_ < code_.kernels.size(); ++made_) {
    ::new (kernels_ + made_) block_kernel<Target>(code_, code_.kernels[made_]);
    calls_.push(kernels_[made_].call());
  }
  for (step const& s : plan_.steps)
    contractions_.push(s.kind == step_kind::contraction ? contraction_for<Target>(graph_, s.node)
                                                        : nullptr);
}

} // namespace cpu
} // namespace weft::inline v0

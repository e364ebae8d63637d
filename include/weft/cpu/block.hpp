// SPDX-License-Identifier: BSL-1.0
// block_program: any graph value made ready for cpu/engine.hpp at run time: optimised, scheduled
// and lowered by the same constexpr functions that a compiled program uses, with block kernels in
// place of compiled ones. For debug builds, huge graphs, imported models, run-time traces.
//   cpu::block_program<cpu::native_target> p(graph);  engine e(p.code(), numbered, threads);
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
#include <weft/cpu/shared_loops.hpp>
#include <weft/cpu/small_convolution.hpp>
#include <weft/pass/pipeline.hpp>

namespace weft::inline v0 {
namespace cpu {

// `jit<f>(cpu::block, args…)`: traced and planned at the first call, run op by op over blocks.
struct block_t {};
inline constexpr block_t block{};

// Kernels that stay where they are made, since their calls point at them.
template <class Target> class block_kernels {
public:
  block_kernels() = default;
  block_kernels(block_kernels const&) = delete;
  block_kernels& operator=(block_kernels const&) = delete;
  ~block_kernels() {
    for (int k = 0; k < made_; ++k) at_[k].~block_kernel();
    ::operator delete(at_);
  }
  // Needs: nothing made yet. Leaves: room for so many.
  void reserve(int most) {
    at_ = static_cast<block_kernel<Target>*>(
        ::operator new(sizeof(block_kernel<Target>) * static_cast<unsigned>(most + 1)));
  }
  // Needs: room.
  block_kernel<Target> const& add(lowered_view code, kernel const& k) {
    block_kernel<Target>* const fresh = ::new (at_ + made_) block_kernel<Target>(code, k);
    ++made_;
    return *fresh;
  }

private:
  block_kernel<Target>* at_ = nullptr;
  int made_ = 0;
};

template <class Target> class block_program {
public:
  // `ready`: the graph is optimised already.
  explicit block_program(graph_view g, bool ready = false);
  block_program(block_program const&) = delete;
  block_program& operator=(block_program const&) = delete;

  program_code code() const {
    return {graph_,
            plan_,
            code_,
            calls_.data(),
            contractions_.data(),
            convolutions_.data(),
            moves_.data(),
            prefixes_.data(),
            Target::lanes,
            &shared_loops::code};
  }
  graph_view optimised() const { return graph_; }

private:
  graph graph_;
  schedule plan_;
  lowered code_;
  block_kernels<Target> kernels_;
  growing<kernel_call> calls_;
  growing<contraction_code const*> contractions_;
  growing<convolution_code const*> convolutions_;
  growing<move_code const*> moves_;
  growing<prefix_code const*> prefixes_;
};

template <class Target>
block_program<Target>::block_program(graph_view g, bool ready)
    : graph_(ready ? thaw(g) : optimise(g)) {
  graph const numbered = bind(graph_, placeholders(graph_));
  accesses const reads = accesses_of(numbered);
  plan_ = make_schedule(numbered, reads);
  code_ = lower(numbered, reads, plan_);
  kernels_.reserve(code_.kernels.size());
  for (kernel const& k : code_.kernels) calls_.push(kernels_.add(code_, k).call());
  for (schedule_step const& s : plan_.steps) {
    contractions_.push(s.kind == step_kind::contraction ? contraction_for<Target>(graph_, s.node)
                                                        : nullptr);
    convolutions_.push(s.kind == step_kind::convolution ? convolution_for<Target>(graph_, s.node)
                                                        : nullptr);
    moves_.push(s.kind == step_kind::move ? move_for(graph_[s.node].code) : nullptr);
    bool const joins = graph_[s.node].code == op::reshape;
    prefixes_.push(joins ? prefix_for<Target>(prefix_code_at(graph_, s.node), graph_[s.node].type)
                         : nullptr);
  }
}

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// policy: which bits a program may have. A policy is a target, the second template argument of every
// door that runs a program on the CPU; without one it is policy::reproducible.
//   jit<f, policy::fast>(x)         jit<f, policy::fast>(cpu::block, x)
//   compiled<f, policy::fast, tensor<float, 512, 512>> c;     compiled_program<named, policy::fast>
//   jit<f, cpu::relaxed<cpu::avx2>>(x)                        // of another target than the build's
// reproducible: the interpreter's bits at any width, on any number of threads, on every device.
// fast: the program is relaxed (pass/relax.hpp), products being fused where the target has fma, and
// products of bf16 go by tiles where the machine has them; docs/numerics.md states the bounds. In one
// process still the same bits in every run of one door, on any number of threads.
#pragma once

#include <weft/cpu/tile_products.hpp>
#include <weft/pass/relax.hpp>
#include <weft/run/program.hpp>

namespace weft::inline v0 {

namespace policy {
using reproducible = cpu::native_target;
using fast = cpu::relaxed<cpu::native_target>;
} // namespace policy

namespace detail {

// A program as policy::fast runs it. (What `make` gives is the program's own.) Fuses: units for other
// instruction sets have other programs.
template <class P, bool Fuses> struct relaxed_program : P {};

template <class P, bool Fuses> struct first_relaxed {
  static constexpr graph_sizes before = sizes_of(recorded_by<P>::value);
  static constexpr roomy_graph<room_after(before)> value{relax(recorded_by<P>::value, Fuses)};
};
template <class P, bool Fuses> struct recorded_by<relaxed_program<P, Fuses>> {
  static constexpr auto const& first = first_relaxed<P, Fuses>::value;
  static constexpr auto choose() {
    if constexpr (first.fits) return first;
    else return freeze<first.sizes>(relax(recorded_by<P>::value, Fuses));
  }
  static constexpr auto value = choose();
};

template <class P, class Target> struct program_under {
  using type = P;
};
template <class P, class Target> struct program_under<P, cpu::relaxed<Target>> {
  using type = relaxed_program<P, Target::has_fma>;
};
// What a target runs of a program.
template <class P, class Target> using program_for = typename program_under<P, Target>::type;

// The same of a graph.
template <class Target> graph graph_for(graph g) {
  if constexpr (cpu::is_relaxed<Target>) return relax(g, Target::has_fma);
  else return g;
}

} // namespace detail
} // namespace weft::inline v0

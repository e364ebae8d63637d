// SPDX-License-Identifier: BSL-1.0
// Every macro of weft, and nothing else: attributes that kernels need, whether exceptions are on,
// and what we refuse to be compiled with.
// Needs: g++ >= 12 or clang >= 16, C++20. Leaves: no name outside WEFT_*.
#pragma once

#if defined(WEFT_SINGLE_HEADER)
#error "weft: a header of include/ after the single header; docs/packaging.md: how to put it in"
#include <weft_twice> // nothing that follows would help
#endif

#define WEFT_VERSION "0.1.0" // CMakeLists.txt has it, too; tests/mpi compares

#if defined(__FAST_MATH__)
#error "weft: -ffast-math changes results; compile without it"
#endif

#define WEFT_INLINE [[gnu::always_inline]] inline
#define WEFT_NOINLINE [[gnu::noinline]]
// Planning, done once per program: compiled for size, which takes less time.
#define WEFT_COLD [[gnu::cold]]
// Functions that are most of a program's time: optimised in builds without optimisation, too, with
// all that is inlined into them. g++ alone can do that; the bits are the same. Compiling takes longer
// for it: WEFT_PLAIN_KERNELS is for who does not want it, or wants to step through kernels.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__OPTIMIZE__) &&                          \
    !defined(WEFT_PLAIN_KERNELS)
#define WEFT_FAST [[gnu::optimize("O2")]]
#else
#define WEFT_FAST
#endif
// After a lambda's parameter list: bodies of `call` and `when` must vanish into the kernel.
#define WEFT_LAMBDA __attribute__((always_inline))

// Before a loop over axes or parts, of which there are a few: clang would make vector code of it,
// twenty times as long, wherever it is inlined.
#if defined(__clang__)
#define WEFT_SHORT_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define WEFT_SHORT_LOOP
#endif

// The result refers to this parameter or object: clang warns where it would dangle.
#if defined(__clang__)
#define WEFT_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define WEFT_LIFETIME_BOUND
#endif

#if defined(__cpp_exceptions)
#define WEFT_EXCEPTIONS 1
#else
#define WEFT_EXCEPTIONS 0
#endif

// WEFT_IF_CONSTANT { in constant evaluation } else { in the run }. g++ 12 knows `if consteval` in
// C++20, as an extension; with std::is_constant_evaluated it compiles both branches for the run,
// which is an interpreter, and 6 s, in each source that evaluates an expression.
#if defined(__GNUC__) && !defined(__clang__)
#define WEFT_IF_CONSTANT if consteval
#else
#define WEFT_IF_CONSTANT if (std::is_constant_evaluated())
#endif

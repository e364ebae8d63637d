// SPDX-License-Identifier: BSL-1.0
// Every macro of weft, and nothing else: attributes that kernels need, the contraction guard's
// compiler split, and what we refuse to be compiled with.
// Needs: g++ >= 12 or clang >= 16, C++20. Leaves: no name outside WEFT_*.
#pragma once

#if defined(__FAST_MATH__)
#error                                                                                             \
    "weft: -ffast-math changes results; remove it (policy::fast is weft's own, stated, relaxation)"
#endif

#define WEFT_INLINE [[gnu::always_inline]] inline
#define WEFT_NOINLINE [[gnu::noinline]]
// After a lambda's parameter list: bodies of `call` and `when` must vanish into the kernel.
#define WEFT_LAMBDA __attribute__((always_inline))

// A product must not be contracted with a later sum. clang: a pragma in the operator's body.
// g++ has no such pragma in C++: the scalar barrier below, an empty asm on vectors (cpu/pack.hpp).
#if defined(__clang__)
#define WEFT_NO_CONTRACT _Pragma("clang fp contract(off)")
#define WEFT_GUARD_PRODUCT(x) (x)
#else
#define WEFT_NO_CONTRACT
#define WEFT_GUARD_PRODUCT(x) __builtin_assoc_barrier(x)
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

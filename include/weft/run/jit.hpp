// SPDX-License-Identifier: BSL-1.0
// jit: runs a function on arrays as a compiled program, fused and planned; the same bits as the
// interpreter. Compiled once per function, argument types and target, at compile time.
//   auto [next, loss] = jit<step>(std::move(p), x, labels, key(42));   // on the calling thread
//   auto [n2, l2] = jit<step>(pool, p, x, labels, key(42));            // on an executor
//   auto [n3, l3] = jit<train_step>(p, x, labels, key(1));             // a named program
// Arguments: tensors, expressions, structs of arrays, keys, numbers. A moved tensor donates its
// buffer. Results live in buffers that the program keeps per thread and uses again when free.
// Errors: shape_error when extents with one name differ.
#pragma once

#include <weft/lang/call.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/vmap.hpp>
#include <weft/run/program.hpp>
#include <weft/run/small_runner.hpp>

namespace weft::inline v0 {

namespace opencl {
class device;
}

namespace detail {

// No executor, and no ranks: these stand before the arguments, in doors of their own.
template <class X>
concept plain_argument = !cpu::executor<std::remove_reference_t<X>> &&
                         !std::is_base_of_v<cpu::rank_group, std::remove_cvref_t<X>>;

// A call with a device comes here where a policy or a target is named, and of generic code that does
// not see run/device.hpp.
template <class Target, class... Args> consteval bool check_target() {
  constexpr bool here = !(std::is_same_v<std::remove_cvref_t<Args>, opencl::device> || ...);
  constexpr bool named = !std::is_same_v<Target, cpu::native_target>;
  static_assert(
      here || !named,
      "weft: jit: a device has one policy, whose bits are the CPU's reproducible ones; write "
      "jit<f>(device, ...)");
  static_assert(here || named,
                "weft: jit: a device is an argument, and the code does not see jit<f>(device, "
                "...); include weft/opencl.hpp above it");
  return here;
}

// Arguments as the program declares them: an expression is evaluated, a borrowed array copied.
template <class Want, class Arg> constexpr decltype(auto) as_argument(Arg&& arg) {
  if constexpr (std::is_same_v<Want, std::remove_cvref_t<Arg>>) return std::forward<Arg>(arg);
  else return Want(std::forward<Arg>(arg));
}
template <class Program, class Target, class Executor, class... Want, class... Args>
WEFT_INLINE auto call_runner(type_list<Want...>, Executor& executor, Args&&... args) {
  return program_runner<Program, Target>::here()(executor,
                                                 as_argument<Want>(std::forward<Args>(args))...);
}
template <class Program, class Target, class Executor, class... Args>
WEFT_INLINE auto run_program(Executor& executor, Args&&... args) {
  return call_runner<Program, Target>(typename Program::arguments{}, executor,
                                      std::forward<Args>(args)...);
}

} // namespace detail

template <auto F, class Target = cpu::native_target, class... Args>
  requires(detail::plain_argument<Args> && ...)
auto jit(Args&&... args) {
  using function = std::remove_cv_t<decltype(F)>;
  if constexpr (!detail::check_target<Target, Args...>()) return none;
  else if constexpr (!detail::check_arguments<argument_t<Args>...>()) return none;
  else {
    // First of all, here: a mistake in F is then told from close by.
    using R = decltype(detail::asked<function, sizeof...(Args)>()(
        std::declval<traced_type<argument_t<Args>>>()...));
    if constexpr (!detail::check_call<R, function, traced_type<argument_t<Args>>...>()) return none;
    else {
      using P = program<F, argument_t<Args>...>;
      cpu::serial here;
      if constexpr (!detail::well_recorded<P>()) return typename P::result_type{};
      else return detail::run_program<P, Target>(here, std::forward<Args>(args)...);
    }
  }
}
template <auto F, class Target = cpu::native_target, cpu::executor Executor, class... Args>
auto jit(Executor& executor, Args&&... args) {
  using function = std::remove_cv_t<decltype(F)>;
  if constexpr (!detail::check_arguments<argument_t<Args>...>()) return none;
  else {
    using R = decltype(detail::asked<function, sizeof...(Args)>()(
        std::declval<traced_type<argument_t<Args>>>()...));
    if constexpr (!detail::check_call<R, function, traced_type<argument_t<Args>>...>()) return none;
    else {
      using P = program<F, argument_t<Args>...>;
      if constexpr (!detail::well_recorded<P>()) return typename P::result_type{};
      else return detail::run_program<P, Target>(executor, std::forward<Args>(args)...);
    }
  }
}
template <named_program Program, class Target = cpu::native_target, class... Args>
  requires(detail::plain_argument<Args> && ...)
WEFT_INLINE auto jit(Args&&... args) {
  cpu::serial here;
  if constexpr (!detail::check_target<Target, Args...>()) return none;
  else if constexpr (!detail::well_recorded<Program>()) return typename Program::result_type{};
  else return detail::run_program<Program, Target>(here, std::forward<Args>(args)...);
}
template <named_program Program, class Target = cpu::native_target, cpu::executor Executor,
          class... Args>
WEFT_INLINE auto jit(Executor& executor, Args&&... args) {
  if constexpr (!detail::well_recorded<Program>()) return typename Program::result_type{};
  else return detail::run_program<Program, Target>(executor, std::forward<Args>(args)...);
}

namespace detail {
// Function objects of transforms list the functions that they are made of.
template <class F> inline constexpr bool has_no_state = std::is_empty_v<F>;
template <class... F>
inline constexpr bool has_no_state<type_list<F...>> = (has_no_state<F> && ...);
template <class F>
  requires requires { typename F::functions; }
inline constexpr bool has_no_state<F> = has_no_state<typename F::functions>;
template <class F> concept captures_nothing = has_no_state<F> && std::is_default_constructible_v<F>;

template <class F, class... A> auto run_transformed(F const&, A const&... a) {
  static_assert(captures_nothing<F>,
                "weft: a transform of a closure needs traced arrays; call it inside jit");
  if constexpr (captures_nothing<F>) return jit<F{}>(a...);
}
} // namespace detail

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// compiled: a program as an object that owns all its memory: the form for real-time code. Built
// once; calls then take no lock and allocate nothing (static shapes; named extents plan at the
// first call with new numbers).
//   compiled<filter, state<tensor>, tensor<float, 64>> f;       // or compiled_program<named>
//   auto const& [next, y] = f(s, x);                            // valid until the next call
// Needs: calls from one thread at a time. Leaves: the same bits as jit.
#pragma once

#include <weft/run/jit.hpp>

namespace weft::inline v0 {

template <named_program Program, class Target = cpu::native_target> class compiled_program {
  static_assert(detail::well_recorded<Program>());

public:
  using result_type = typename Program::result_type;

  explicit compiled_program(int threads = 1) {
    if constexpr (!has_names(stages<Program>::optimised)) runner_.prepare(threads);
  }
  template <class... Args>
    requires(!(cpu::executor<std::remove_reference_t<Args>> || ...))
  result_type const& operator()(Args&&... args) {
    cpu::serial here;
    return (*this)(here, std::forward<Args>(args)...);
  }
  template <cpu::executor Executor, class... Args>
  result_type const& operator()(Executor& executor, Args&&... args) {
    result_ = call(executor, typename Program::arguments{}, std::forward<Args>(args)...);
    return result_;
  }
  // Bytes of intermediate values; 0 before the first call of a program with names.
  extent arena_bytes() const {
    return runner_.engine() == nullptr ? 0 : runner_.engine()->arena_bytes();
  }

private:
  template <class Executor, class... Want, class... Args>
  result_type call(Executor& executor, type_list<Want...>, Args&&... args) {
    return runner_(executor, detail::as_argument<Want>(std::forward<Args>(args))...);
  }
  detail::runner<detail::source<Program, Target>> runner_;
  result_type result_{};
};

template <auto F, class... Args> class compiled : public compiled_program<program<F, Args...>> {
public:
  using compiled_program<program<F, Args...>>::compiled_program;
};

} // namespace weft::inline v0

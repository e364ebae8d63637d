// SPDX-License-Identifier: BSL-1.0
// jit<f>(ranks, args...): the function as one rank of several, with its own arguments; collectives in
// it exchange values with the others, which call the same.
//   auto [next, loss] = jit<step>(job, w, x, y);                     // job: an mpi::session
//   auto [n2, l2] = jit<step>(job, pool, w, x, y);                   // and an executor
//   auto [n3, l3] = jit<step>(job, cpu::block, w, x, y);             // the block executor
//   auto [n4, l4] = jit<train_step>(job, w, x, y);                   // a named program
// A function without collectives runs alone, and says nothing to the others.
// Needs: a cpu::rank_group (mpi/session.hpp), used from one thread at a time. Leaves: the bits that
// testing::run_ranks gives this rank. Errors: jit's; usage_error where the mesh has another number of
// ranks; what the group says of ranks that end, hang or run something else.
#pragma once

#include <weft/cpu/rank_member.hpp>
#include <weft/run/block.hpp>

#include <concepts>

namespace weft::inline v0 {
namespace detail {

// What `from` runs in this scope is one rank's among these.
template <class Runner> class joined_ranks {
public:
  joined_ranks(Runner& from, cpu::rank_group& others) : from_(from) { from.join(&others); }
  joined_ranks(joined_ranks const&) = delete;
  joined_ranks& operator=(joined_ranks const&) = delete;
  ~joined_ranks() { from_.join(nullptr); }

private:
  Runner& from_;
};

template <class Source, class Executor, class... Want, class... Args>
auto call_among_ranks(type_list<Want...>, cpu::rank_group& others, Executor& executor,
                      Args&&... args) {
  auto& here = runner<Source>::here();
  joined_ranks<runner<Source>> const in(here, others);
  static bool const of_ranks = ranks_wanted_by(here.program()).world != 1;
  return cpu::telling(of_ranks ? &others : nullptr, [&] {
    return here(executor, as_argument<Want>(std::forward<Args>(args))...);
  });
}
// Source of a program by how it runs.
template <class Program, class Target, bool Blocks>
using source_of =
    std::conditional_t<Blocks, block_source<Program, Target>, source<Program, Target>>;

template <class Program, class Target, bool Blocks, class Executor, class... Args>
auto run_rank(cpu::rank_group& others, Executor& executor, Args&&... args) {
  if constexpr (!Blocks && !well_recorded<Program>()) return typename Program::result_type{};
  else
    return call_among_ranks<source_of<Program, Target, Blocks>>(
        typename Program::arguments{}, others, executor, std::forward<Args>(args)...);
}
// A function's program is that of its arguments.
template <auto F, class Target, bool Blocks, class Executor, class... Args>
auto run_rank_function(cpu::rank_group& others, Executor& executor, Args&&... args) {
  using function = std::remove_cv_t<decltype(F)>;
  if constexpr (!check_arguments<argument_t<Args>...>()) return none;
  else {
    using R = decltype(asked<function, sizeof...(Args)>()(
        std::declval<traced_type<argument_t<Args>>>()...));
    if constexpr (!check_call<R, function, traced_type<argument_t<Args>>...>()) return none;
    else
      return run_rank<program<F, argument_t<Args>...>, Target, Blocks>(others, executor,
                                                                       std::forward<Args>(args)...);
  }
}

template <class X>
concept rank_argument = plain_argument<X> && !std::same_as<std::remove_cvref_t<X>, cpu::block_t>;

} // namespace detail

template <auto F, class Target = cpu::native_target, std::derived_from<cpu::rank_group> Ranks,
          detail::rank_argument... Args>
auto jit(Ranks& others, Args&&... args) {
  cpu::serial here;
  return detail::run_rank_function<F, Target, false>(others, here, std::forward<Args>(args)...);
}
template <auto F, class Target = cpu::native_target, std::derived_from<cpu::rank_group> Ranks,
          cpu::executor Executor, class... Args>
auto jit(Ranks& others, Executor& executor, Args&&... args) {
  return detail::run_rank_function<F, Target, false>(others, executor, std::forward<Args>(args)...);
}
template <auto F, class Target = cpu::native_target, std::derived_from<cpu::rank_group> Ranks,
          detail::rank_argument... Args>
auto jit(Ranks& others, cpu::block_t, Args&&... args) {
  cpu::serial here;
  return detail::run_rank_function<F, Target, true>(others, here, std::forward<Args>(args)...);
}
template <auto F, class Target = cpu::native_target, std::derived_from<cpu::rank_group> Ranks,
          cpu::executor Executor, class... Args>
auto jit(Ranks& others, cpu::block_t, Executor& executor, Args&&... args) {
  return detail::run_rank_function<F, Target, true>(others, executor, std::forward<Args>(args)...);
}

template <named_program Program, class Target = cpu::native_target,
          std::derived_from<cpu::rank_group> Ranks, detail::rank_argument... Args>
auto jit(Ranks& others, Args&&... args) {
  cpu::serial here;
  return detail::run_rank<Program, Target, false>(others, here, std::forward<Args>(args)...);
}
template <named_program Program, class Target = cpu::native_target,
          std::derived_from<cpu::rank_group> Ranks, cpu::executor Executor, class... Args>
auto jit(Ranks& others, Executor& executor, Args&&... args) {
  return detail::run_rank<Program, Target, false>(others, executor, std::forward<Args>(args)...);
}
template <named_program Program, class Target = cpu::native_target,
          std::derived_from<cpu::rank_group> Ranks, detail::rank_argument... Args>
auto jit(Ranks& others, cpu::block_t, Args&&... args) {
  cpu::serial here;
  return detail::run_rank<Program, Target, true>(others, here, std::forward<Args>(args)...);
}

} // namespace weft::inline v0

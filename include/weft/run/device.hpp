// SPDX-License-Identifier: BSL-1.0
// jit<f>(device, args...): the same function, the same graph, run by an OpenCL device.
//   opencl::device gpu("gpu");
//   auto p = to_device(gpu, params);
//   for (...) std::tie(p, loss) = jit<step>(gpu, std::move(p), x, labels, key(i));
//   auto [q, l] = jit<train_step>(gpu, p, x, labels, key(1));           // a named program
// Arguments: what jit takes, device_tensors in the place of tensors (structs of them, too), and
// both kinds mixed: arrays of the host are copied over, keys and numbers in one small command. A
// moved device_tensor gives its memory to a result where it can.
// Needs: CL/cl.h. Leaves: the bits of jit<f>(args...), in device_tensors and device_keys; calls
// return before the device is done. A while_loop and a cond wait for their condition, observe nodes
// (check_finite, debug_print) for their array. Errors: jit's, those of opencl/error.hpp, usage_error
// for an array of another opened device.
#pragma once

#include <weft/run/device_runner.hpp>
#include <weft/run/device_tensor.hpp>
#include <weft/run/jit.hpp>

namespace weft::inline v0 {
namespace detail {

// An argument as the program declares it: a number converted, an expression evaluated.
template <class Want, class Arg> decltype(auto) as_device_argument(Arg&& arg) {
  using plain = std::remove_cvref_t<Arg>;
  constexpr bool settled = std::is_same_v<argument_t<plain>, plain>;
  if constexpr (settled && std::is_same_v<device_type<plain>, device_type<Want>>)
    return std::forward<Arg>(arg);
  else return Want(std::forward<Arg>(arg));
}

// A tensor's block with one more owner, for as long as a copy takes; null where it has none, where
// a view of it lives, or where its memory's source may end before the copy.
template <class T, auto... E> void* shared_block(tensor<T, E...> const& t) {
  if constexpr (tensor<T, E...>::is_inline) return nullptr;
  else {
    buffer<T> const& own = buffer_of(t);
    if (own.empty() || header_of(own.data()).source != &heap) return nullptr;
    buffer<T> more = own;
    bool const same = more.data() == own.data();
    return same ? buffer<T>::to_block(std::move(more)) : nullptr;
  }
}
template <bool Moved, class Leaf> void add_leaf(device_runner& r, Leaf& leaf) {
  using plain = std::remove_const_t<Leaf>;
  if constexpr (is_elsewhere<plain>) {
    opencl::memory* donated = nullptr;
    if constexpr (Moved && !std::is_const_v<Leaf>) donated = &device_access::memory(leaf);
    r.add(leaf.memory(), leaf.shape(), donated);
  } else
    with_elements(leaf, [&](void const* elements, extent bytes, extents const& shape) {
      if (bytes <= few_bytes) r.add_few(elements, bytes, shape);
      else if constexpr (requires { shared_block(leaf); })
        r.add_block(elements, bytes, shape, shared_block(leaf));
    });
}
template <class Arg> void add_argument(device_runner& r, Arg&& arg) {
  for_each_leaf(arg, [&r](auto& leaf) { add_leaf<std::is_rvalue_reference_v<Arg&&>>(r, leaf); });
}

template <class Result> Result results_of(device_runner& r, graph_view g) {
  int k = 0;
  return make_like<Result>([&]<class L>(std::type_identity<L>) {
    int const output = k++;
    return over_memory<L>(r.take_result(output), g.shape(g.outputs_of(0)[output]));
  });
}
// What is made for an argument lives until the end of the call.
template <class... Want, class F, class... Args>
auto with_arguments(device_runner& r, type_list<Want...>, F const& then, Args&&... args) {
  auto const call = [&](auto&&... a) {
    device_runner::one_call running = r.begin();
    (add_argument(r, std::forward<decltype(a)>(a)), ...);
    auto result = then(r.bind());
    running.is_done();
    return result;
  };
  return call(as_device_argument<Want>(std::forward<Args>(args))...);
}
template <class Program, class... Args> auto call_on_device(device_runner& r, Args&&... args) {
  auto const run = [&r](opencl::engine& e) {
    r.run(e);
    return results_of<device_type<typename Program::result_type>>(r, e.bound());
  };
  return with_arguments(r, typename Program::arguments{}, run, std::forward<Args>(args)...);
}
template <class Program, class... Args> auto run_on_device(opencl::device& on, Args&&... args) {
  return call_on_device<Program>(runner_on<Program>(on), std::forward<Args>(args)...);
}

} // namespace detail

template <auto F, class... Args> auto jit(opencl::device on, Args&&... args) {
  using function = std::remove_cv_t<decltype(F)>;
  if constexpr (!detail::check_arguments<host_type<Args>...>()) return none;
  else {
    // First of all, here: a mistake in F is then told from close by.
    using R = decltype(detail::asked<function, sizeof...(Args)>()(
        std::declval<traced_type<host_type<Args>>>()...));
    if constexpr (!detail::check_call<R, function, traced_type<host_type<Args>>...>()) return none;
    else {
      using P = program<F, host_type<Args>...>;
      if constexpr (!detail::well_recorded<P>()) return device_type<typename P::result_type>{};
      else return detail::run_on_device<P>(on, std::forward<Args>(args)...);
    }
  }
}
template <named_program Program, class... Args> auto jit(opencl::device on, Args&&... args) {
  if constexpr (!detail::well_recorded<Program>())
    return device_type<typename Program::result_type>{};
  else return detail::run_on_device<Program>(on, std::forward<Args>(args)...);
}

} // namespace weft::inline v0

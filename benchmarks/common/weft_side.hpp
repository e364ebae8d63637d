// SPDX-License-Identifier: BSL-1.0
// weft's side of a contest: a function on arrays as a compiled object, which keeps its memory from
// call to call as its peers do; on the calling thread or on a pool.
//   weft_side<softmax_rows>(threads, tensor_of<float, 512, 512>(numbers))
#pragma once

#include "contest.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/run/compiled.hpp>
#include <weft/weft.hpp>

#include <memory>
#include <tuple>

namespace bench {

template <class Result> std::vector<double> leaves_as_doubles(Result const& r) {
  if constexpr (requires { r.data(); }) return as_doubles(r);
  else {
    std::vector<double> all;
    std::apply(
        [&](auto const&... part) {
          auto const add = [&](std::vector<double> const& more) {
            all.insert(all.end(), more.begin(), more.end());
          };
          (add(leaves_as_doubles(part)), ...);
        },
        r);
    return all;
  }
}

// The program `f`, called with `args`: tensors, numbers, keys.
template <auto F, class Policy = weft::policy::reproducible, class... Args>
side weft_side(int threads, Args... args) {
  struct kept {
    weft::cpu::pool pool;
    weft::compiled<F, Policy, Args...> f;
    std::tuple<Args...> args;
    bool alone;
    auto const& call() {
      return std::apply(
          [&](auto const&... a) -> auto const& { return alone ? f(a...) : f(pool, a...); }, args);
    }
  };
  // Its members in order: pools and programs cannot be copied.
  std::shared_ptr<kept> const k(new kept{weft::cpu::pool(threads),
                                         weft::compiled<F, Policy, Args...>(threads),
                                         std::tuple<Args...>(std::move(args)...), threads == 1});
  constexpr bool fast = !std::is_same_v<Policy, weft::policy::reproducible>;
  return {fast ? "weft, fast" : "weft", [k] { k->call(); },
          [k] { return leaves_as_doubles(k->call()); }, fast};
}

// A tensor of static extents with these numbers, row-major.
template <class Tensor> Tensor filled(std::vector<float> const& numbers) {
  using T = typename Tensor::element_type;
  Tensor t;
  auto view = t.mutate();
  T* to = view.begin();
  for (weft::extent i = 0; i < t.size(); ++i) to[i] = T(numbers[static_cast<std::size_t>(i)]);
  return t;
}
template <class T, int... E> weft::tensor<T, E...> tensor_of(std::vector<float> const& numbers) {
  return filled<weft::tensor<T, E...>>(numbers);
}

} // namespace bench

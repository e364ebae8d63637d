// SPDX-License-Identifier: BSL-1.0
// frozen_model: a program whose graph is arrays in a generated header (weft_add_model in CMake), with its
// tables of constants beside it. jit takes the arguments of the model and adds the tables.
//   #include <classifier.hpp>                       // by weft_add_model(app classifier.mlir)
//   tensor<float, 10> y = jit<classifier>(x);
// Needs: a generated header of this version of weft. Leaves: tables are made once, when the model is
// first called, and shared by all calls.
#pragma once

#include <weft/run/jit.hpp>
#include <weft/run/typed_graph.hpp>

#include <cstring>

namespace weft::inline v0 {

// Source: the generated struct. Its graph is `program`; its tables are the last `tables` inputs.
template <class Source> struct frozen_model {
  struct whole : detail::graph_program<Source> {}; // with the tables as arguments
  static constexpr bool is_frozen = true;
};
template <class M> concept frozen_program = M::is_frozen && requires { typename M::whole; };

namespace detail {

template <class M, int I> struct table_of_model {
  using type = typename values_of_graph<M, false>::template type<M::arguments + I>;
  static type const& get() {
    static type const made = [] {
      type t = type::uninitialised(M::graph().shape(M::graph().parameters_of(0)[M::arguments + I]));
      auto const& words = M::template table<I>();
      std::memcpy(static_cast<void*>(writable(t)), words,
                  sizeof(typename type::element_type) * static_cast<std::size_t>(t.size()));
      return t;
    }();
    return made;
  }
};
template <class M, class Call, int... I>
auto with_tables(Call const& call, std::integer_sequence<int, I...>) {
  return call(table_of_model<M, I>::get()...);
}

} // namespace detail

template <frozen_program M, class Target = cpu::native_target, class... Args>
auto jit(Args&&... args) {
  return detail::with_tables<M>(
      [&](auto const&... tables) {
        return jit<typename M::whole, Target>(std::forward<Args>(args)..., tables...);
      },
      std::make_integer_sequence<int, M::tables>{});
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// run_ranks: a function with collectives on all ranks of its mesh, in one process: each rank is a
// thread that interprets the program. For tests, and to try a mesh before there are machines.
//   constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
//   auto x = weft::testing::parts<m, "data", 0>(whole_x);        // per_rank<tensor<float, 2, 8>>
//   auto y = weft::testing::run_ranks<f>(m, p, x);               // y[r]: what rank r returns
//   auto z = weft::testing::joined<m, "data", 0>(y);             // one array again
// Arguments: what jit takes, the same for every rank; or per_rank, made by parts, by each_rank(m,
// [](int rank) { return ...; }), or from a std::vector with a value per rank.
// Needs: the interpreter (no kernel is compiled; slow), no test framework. Not part of weft.hpp.
// Errors: what the trace and the interpreter say; usage_error where a per_rank has another number of
// values than the mesh ranks, or ranks part; shape_error where their arrays differ in extents.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/lang/collectives.hpp>
#include <weft/lang/mesh_parts.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/run/checked_trace.hpp>
#include <weft/run/evaluate.hpp>
#include <weft/testing/interpret_ranks.hpp>

namespace weft::inline v0::testing {

// A value of its own for each rank.
template <class X> struct per_rank {
  std::vector<X> values;
  explicit per_rank(std::vector<X> of_ranks) : values(std::move(of_ranks)) {}
};
template <mesh_like M, class F> auto each_rank(M, F const& f) {
  std::vector<std::remove_cvref_t<decltype(f(0))>> values;
  for (int r = 0; r < M::ranks; ++r) values.push_back(f(r));
  return per_rank(std::move(values));
}

namespace detail {

template <class X> struct of_a_rank {
  using type = argument_t<X>;
};
template <class X> struct of_a_rank<per_rank<X>> {
  using type = argument_t<X>;
};
template <class X> X const& value_at(X const& x, int) { return x; }
template <class X> X const& value_at(per_rank<X> const& x, int rank) {
  return x.values[static_cast<unsigned>(rank)];
}
inline void expect_ranks(std::size_t is, int ranks) {
  if (static_cast<int>(is) != ranks)
    raise<usage_error>(
        message("weft: run_ranks: values for ")
            .add(static_cast<extent>(is))
            .add(is == 1 ? " rank are given, the mesh has " : " ranks are given, the mesh has ")
            .add(ranks));
}
template <class X> void expect_values(X const&, int) {}
template <class X> void expect_values(per_rank<X> const& x, int ranks) {
  expect_ranks(x.values.size(), ranks);
}
template <class T, auto... E> void read_result(dense const& d, tensor<T, E...>& to) {
  to = tensor<T, E...>::uninitialised(d.shape);
  T* const out = weft::detail::writable(to);
  for (int i = 0; i < d.size(); ++i) out[i] = element_of_word<T>(d[i]);
}
inline void read_result(dense const& d, key& to) {
  to.high = static_cast<std::uint32_t>(d[0]);
  to.low = static_cast<std::uint32_t>(d[1]);
}

} // namespace detail

// One result per rank, of jit's types.
template <auto F, mesh_like M, class... Args> auto run_ranks(M, Args const&... args) {
  using P = program<F, typename detail::of_a_rank<Args>::type...>;
  (detail::expect_values(args, M::ranks), ...);
  graph const g = canonical(weft::detail::checked_trace(P::make()));
  std::vector<growing<dense>> inputs(static_cast<unsigned>(M::ranks));
  for (int r = 0; r < M::ranks; ++r) {
    [[maybe_unused]] auto const push =
        [&in = inputs[static_cast<unsigned>(r)]]<class L>(L const& leaf) {
          if constexpr (element<L>) in.push(dense(dtype_of<L>, {}, word_of(leaf)));
          else in.push(weft::detail::dense_of(leaf));
        };
    (for_each_leaf(typename detail::of_a_rank<Args>::type(detail::value_at(args, r)), push), ...);
  }
  std::vector<typename P::result_type> results(inputs.size());
  unsigned r = 0;
  for (growing<dense> const& outputs : interpret_ranks(g, inputs)) {
    int k = 0;
    for_each_leaf(results[r++], [&](auto& leaf) { detail::read_result(outputs[k++], leaf); });
  }
  return results;
}

// The part along Axis of an array that each rank has by its place along the mesh axes of these names,
// in equal shares; of parts, their parts.
template <auto Mesh, fixed_string Name, int Axis, class T, auto... E>
auto parts(tensor<T, E...> const& x) {
  return each_rank(std::remove_cv_t<decltype(Mesh)>{},
                   [&x](int rank) { return part<Mesh, Name, Axis>(x, rank); });
}
template <auto Mesh, fixed_string Name, int Axis, class X> auto parts(per_rank<X> const& x) {
  using M = std::remove_cv_t<decltype(Mesh)>;
  detail::expect_ranks(x.values.size(), M::ranks);
  return each_rank(
      M{}, [&x](int rank) { return part<Mesh, Name, Axis>(detail::value_at(x, rank), rank); });
}
// Back: the parts of the ranks that are at place 0 along every other axis, one after the other.
template <auto Mesh, fixed_string Name, int Axis, class T, auto... E>
auto joined(std::vector<tensor<T, E...>> const& x) {
  using M = std::remove_cv_t<decltype(Mesh)>;
  using S = weft::shape<E...>;
  constexpr extent group = axis_size<Mesh, Name>;
  using whole_type = array_of<tensor, T, weft::detail::scaled_axis<S, Axis, group, 1>()>;
  constexpr int axis = plain_axis(Axis, S::rank);
  detail::expect_ranks(x.size(), M::ranks);
  extents shape = x[0].shape();
  extent const share = shape[axis];
  shape[axis] = share * group;
  auto whole = whole_type::uninitialised(shape);
  T* const to = weft::detail::writable(whole);
  for (extent place = 0; place < group; ++place) {
    constexpr mesh_axes along = weft::detail::picked_axes<M, Name>();
    tensor<T, E...> const& part =
        x[static_cast<unsigned>(weft::detail::rank_in_group(along, 0, place))];
    weft::detail::part_places const of{{part.shape(), axis}, place * share, shape[axis]};
    for (extent i = 0; i < part.size(); ++i) to[of.whole_index(i)] = part.data()[i];
  }
  return whole;
}

} // namespace weft::inline v0::testing

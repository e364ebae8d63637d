// SPDX-License-Identifier: BSL-1.0
// Products in lanes order of many vectors with one matrix: of a few elements of out at a time, what
// they read of the matrix is copied, step of k by step of k, once for all vectors, which then find it
// in the nearest cache, whatever the matrix's layout, and need no sums across a pack.
//   using shared = shared_lanes<Target, A, B, Out, Bias>;
//   if (shared::fits(p)) shared::run(p, arrays, share, memory);
// Needs: a product of order lanes, shared::bytes(p) of scratch. Leaves: the bits of cpu/lanes.hpp.
#pragma once

#include <weft/cpu/chain_plan.hpp>
#include <weft/cpu/lanes.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace detail {

constexpr bool shares_matrix(product_form const& p) {
  for (int i = 0; i < p.batch.rank; ++i)
    if (p.batch.d[i].stride.a != 0) return false;
  return p.batch.rank > 0;
}

template <class Target, class A, class B, class Out, class Bias> class shared_lanes {
  using kernel = lanes_kernel<Target, A, B, Out, Bias>;
  using plan = lanes_plan<B, Out>;
  using call = product_call<A, B, Out, Bias>;
  static constexpr int width = kernel::columns_abreast;

public:
  static constexpr bool possible = std::is_same_v<A, typename kernel::sum> &&
                                   std::is_same_v<B, typename kernel::sum>;
  // Vectors of one task: of 64 elements, the copy costs what so many of them gain.
  static constexpr extent least_vectors = 16;

  static constexpr bool fits(product_form const& p) {
    return possible && plan(p).direct_b && shares_matrix(p) && p.batch.count() >= least_vectors &&
           p.m.rank == 1 && p.k.rank == 1 &&
           (p.m.inner().stride.a == 1 || p.k.inner().stride.a == 1) && p.m.count() >= width &&
           p.k.count() >= lane_count && bytes(p) <= near_bytes;
  }
  static constexpr extent bytes(product_form const& p) {
    return aligned_bytes(p.k.count() * width * static_cast<extent>(sizeof(A)));
  }

  static void run(product_form const& p, call const& arrays, product_share const& s,
                  cpu::scratch memory) {
    A* const copy = reinterpret_cast<A*>(memory.memory);
    plan const how(p);
    product_form some = p;
    some.k.d[0].stride.a = width;
    some.m.d[0].stride.a = 1;
    for (extent i = s.i; i < s.i + s.m; i += width) {
      extent const count = least(width, s.i + s.m - i);
      some.m.d[0].size = count;
      call const columns = arrays.at(p.m.at(i));
      copy_columns(p, columns.a, count, copy);
      for (extent batch = s.first; batch < s.first + s.count; ++batch) {
        call at = columns.at(p.batch.at(batch));
        at.a = copy;
        kernel(some, how, at, {}).run(0, count);
      }
    }
  }

private:
  static void copy_columns(product_form const& p, A const* from, extent count, A* to) {
    extent line[width];
    for (extent x = 0; x < count; ++x) line[x] = x * p.m.inner().stride.a;
    pack_panel<Target>(from, line, static_cast<int>(count), p.k.inner().stride.a, p.k.count(), to);
  }
};

// Scratch of one worker, of a product of order lanes.
template <class Target, class A, class B, class Out>
constexpr extent lanes_bytes(product_form const& p) {
  using shared = shared_lanes<Target, A, B, Out, Out>;
  return shared::fits(p) ? shared::bytes(p) : lanes_plan<B, Out>(p).bytes();
}

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// contract: runs a product (pass/product.hpp) on arrays, in the order that its contraction states.
//   contract<Target>(p, a, b, out, start, bias, scratch, executor, after)
// Needs: A, B and Out of float, bf16 and f16, or all three double or one integer type; start (chain
// order only; float for the floats of 16 bits; out's strides) and bias (Out or what it is summed in;
// the strides given to make_product) may be null; out overlaps nothing but start, and start only element on element;
// scratch_bytes<Target, A, B, Out>(p, threads) bytes of scratch.
// Leaves: the bits that graph/attributes.hpp states, for every target and number of threads: work
// is divided by elements of out. 16-bit floats are widened, exactly; out is rounded once; integers
// wrap.
// `after`, if any, is told of order chain's elements as they are finished, and may change them then.
// Allocates nothing.
#pragma once

#include <weft/cpu/chain.hpp>
#include <weft/cpu/executor.hpp>
#include <weft/cpu/few_rows.hpp>
#include <weft/cpu/shared_lanes.hpp>
#include <weft/cpu/target.hpp>

#include <cstddef>

namespace weft::inline v0 {
namespace detail {

// Two multiply-adds are as soon done as one of cpu/executor.hpp's instructions.
inline extent work_of(product_form const& p) { return p.count() * p.k.count() / 2; }

// How a product is cut into tasks for so many threads: by batches where there are enough, else each
// batch by its longer side, in whole tiles.
struct product_division {
  extent batches, m, n;
  extent batches_each, m_each, n_each;

  product_division(product_form const& p, int threads, extent row_tile, extent column_tile)
      : batches(p.batch.count()), m(p.m.count()), n(p.n.count()), batches_each(batches), m_each(m),
        n_each(n) {
    if (threads == 1) return;
    extent const wanted = 4 * threads;
    if (batches >= wanted) {
      batches_each = share_count(batches, wanted);
      return;
    }
    batches_each = 1;
    extent const row_tiles = share_count(m, row_tile), column_tiles = share_count(n, column_tile);
    extent const parts = share_count(threads, batches);
    if (row_tiles >= column_tiles) m_each = share_count(row_tiles, parts) * row_tile;
    else n_each = share_count(column_tiles, parts) * column_tile;
  }
  extent tasks() const {
    return share_count(batches, batches_each) * share_count(m, m_each) * share_count(n, n_each);
  }
  product_share share(extent task) const {
    extent const across = share_count(n, n_each), down = share_count(m, m_each);
    extent const j = task % across * n_each, i = task / across % down * m_each;
    extent const first = task / (across * down) * batches_each;
    return {first, least(batches_each, batches - first),
            i,     least(m_each, m - i),
            j,     least(n_each, n - j)};
  }
};

// Calls kernel(arrays of a batch, share, scratch of the worker) for every batch of every task.
template <class Call, class Executor, class Kernel>
void for_each_share(product_form const& p, product_division const& cut, Call const& arrays,
                    cpu::scratch memory, extent bytes_each, Executor& executor,
                    Kernel const& kernel) {
  executor.parallel_for(static_cast<int>(cut.tasks()), [&](int task, int worker) {
    product_share const s = cut.share(task);
    for (extent batch = s.first; batch < s.first + s.count; ++batch)
      kernel(arrays.at(p.batch.at(batch)), s, memory.part(worker, bytes_each));
  });
}

template <class Target, contract_order Order, bool Gathers, class A, class B, class Out, class Bias,
          class Executor>
void contract_normal(product_form const& p, product_call<A, B, Out, Bias> const& arrays,
                     cpu::scratch memory, Executor& executor) {
  using call = product_call<A, B, Out, Bias>;
  if constexpr (Order == contract_order::chain) {
    using sum = cpu::sum_type<Out>;
    using tile = tile_shape<Target, sum>;
    if constexpr (Gathers && std::is_same_v<B, sum>)
      if (few_rows_plan::fits(p, Target::lanes))
        return multiply_few_rows<Target>(p, arrays, memory, executor);
    chain_plan<Target, A, B, Out, Gathers> const plan(p);
    product_division const cut(p, cpu::threads_for(executor, work_of(p)), tile::rows,
                               tile::columns);
    for_each_share(p, cut, arrays, memory, plan.bytes(), executor,
                   [&](call const& at, product_share const& s, cpu::scratch own) {
                     chain_kernel<Target, A, B, Out, Bias, Gathers> kernel(p, plan, at, own);
                     kernel.run(s.i, s.m, s.j, s.n);
                   });
  } else {
    using shared = shared_lanes<Target, A, B, Out, Bias>;
    lanes_plan<B, Out> const plan(p);
    product_division const cut(p, cpu::threads_for(executor, work_of(p)), lane_count, 1);
    extent const bytes = lanes_bytes<Target, A, B, Out>(p);
    bool const copied = cut.batches_each >= shared::least_vectors && shared::fits(p);
    // Of a matrix that many vectors share, rows are read from the nearest cache by all but the
    // first.
    bool const by_rows = plan.direct_b && shares_matrix(p);
    executor.parallel_for(static_cast<int>(cut.tasks()), [&](int task, int worker) {
      product_share const s = cut.share(task);
      cpu::scratch const own = memory.part(worker, bytes);
      if constexpr (shared::possible)
        if (copied) return shared::run(p, arrays, s, own);
      extent const height = by_rows && s.m > lane_count ? lane_count : s.m;
      for (extent i = s.i; i < s.i + s.m; i += height)
        for (extent batch = s.first; batch < s.first + s.count; ++batch) {
          lanes_kernel<Target, A, B, Out, Bias> const kernel(p, plan, arrays.at(p.batch.at(batch)),
                                                             own);
          kernel.run(i, least(height, s.i + s.m - i));
        }
    });
  }
}

// Integers are computed as unsigned: the same bits, and no overflow.
template <class T> auto find_word() {
  if constexpr (std::is_integral_v<T>) return std::make_unsigned_t<T>{};
  else return T{};
}
template <class T> using as_word = decltype(find_word<T>());
template <class T> as_word<T>* as_words(T* p) { return reinterpret_cast<as_word<T>*>(p); }
template <class T> as_word<T> const* as_words(T const* p) {
  return reinterpret_cast<as_word<T> const*>(p);
}

} // namespace detail

namespace cpu {

// A product whose order is known to be Order: the other order's kernels are not compiled. Gathers:
// as of detail::chain_plan.
// A and B: element types of the contraction's operands, in the caller's order.
template <class Target, contract_order Order, element A, element B, element Out,
          bool Gathers = false>
constexpr extent scratch_bytes_in(product_form const& p, int threads) {
  using a = detail::as_word<A>;
  using b = detail::as_word<B>;
  using out = detail::as_word<Out>;
  extent each = 0;
  if constexpr (Order == contract_order::chain)
    each = p.swapped ? detail::chain_plan<Target, b, a, out, Gathers>(p).bytes()
                     : detail::chain_plan<Target, a, b, out, Gathers>(p).bytes();
  else
    each = p.swapped ? detail::lanes_bytes<Target, b, a, out>(p)
                     : detail::lanes_bytes<Target, a, b, out>(p);
  if constexpr (Gathers && Order == contract_order::chain) {
    extent const few = detail::few_rows_plan::fits(p, Target::lanes)
                           ? detail::few_rows_plan::bytes<sum_type<out>>(p)
                           : 0;
    if (few > each) each = few;
  }
  return each * threads;
}
template <class Target, contract_order Order, bool Gathers = false, element A, element B,
          element Out, element Bias, executor Executor>
void contract_in(product_form const& p, A const* a, B const* b, Out* out,
                 std::type_identity_t<start_type<Out>> const* start, Bias const* bias,
                 scratch memory, Executor& executor, epilogue_ref after = {}) {
  static_assert(std::is_integral_v<Out> ? std::is_same_v<A, Out> && std::is_same_v<B, Out>
                                        : std::is_same_v<sum_type<A>, sum_type<Out>> &&
                                              std::is_same_v<sum_type<B>, sum_type<Out>>,
                "weft: contract: operands and result are of different kinds; convert one of them");
  static_assert(!std::is_same_v<Out, bool>,
                "weft: contract: bool has no sum; convert to int first");
  if (p.count() == 0) return;
  using namespace detail;
  auto const run = [&](auto const* left, auto const* right) {
    auto call = product_call{left, right, as_words(out), as_words(start), as_words(bias)};
    call.after = after;
    contract_normal<Target, Order, Gathers>(p, call, memory, executor);
  };
  if (p.swapped) run(as_words(b), as_words(a));
  else run(as_words(a), as_words(b));
}

template <class Target, element A, element B, element Out>
constexpr extent scratch_bytes(product_form const& p, int threads) {
  using enum contract_order;
  return p.order == chain ? scratch_bytes_in<Target, chain, A, B, Out>(p, threads)
                          : scratch_bytes_in<Target, lanes, A, B, Out>(p, threads);
}
template <class Target, element A, element B, element Out, element Bias, executor Executor>
void contract(product_form const& p, A const* a, B const* b, Out* out,
              std::type_identity_t<start_type<Out>> const* start, Bias const* bias, scratch memory,
              Executor& executor) {
  using enum contract_order;
  if (p.order == chain) contract_in<Target, chain>(p, a, b, out, start, bias, memory, executor);
  else contract_in<Target, lanes>(p, a, b, out, start, bias, memory, executor);
}

} // namespace cpu
} // namespace weft::inline v0

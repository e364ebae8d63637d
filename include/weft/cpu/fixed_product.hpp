// SPDX-License-Identifier: BSL-1.0
// fixed_product: a small product whose normal form the compiler knows: its loops are constants, its
// tiles of out stand in registers, its operands are read where they lie.
//   struct form { static constexpr product_form value; static constexpr bool has_bias;
//                 using a, b, out, bias = element types; };
//   fixed_product<form, Target>::run(a, b, out, bias);      operands in the caller's order; bias or null
// Needs: no start, nothing empty; out overlaps no operand. Leaves: the bits of cpu/contract.hpp.
// Allocates nothing; its stack has a packed operand at most.
#pragma once

#include <weft/core/growing.hpp>
#include <weft/cpu/contraction_code.hpp>

namespace weft::inline v0 {
namespace detail {

// Bytes of the stack, at most: b, widened and row by row. `narrow`: are elements of 8 or 16 bits?
constexpr extent most_fixed_product_bytes(product_form const& p, bool narrow) {
  bool const lies = p.order == contract_order::chain && p.n.rank <= 1 && p.n.inner().stride.b == 1;
  return lies && !narrow ? 0 : p.k.count() * p.n.count() * 8;
}

template <class Form, class Target> class fixed_product {
  static constexpr product_form const& p = Form::value;
  using left = as_word<typename Form::a>;
  using right = as_word<typename Form::b>;
  using A = std::conditional_t<p.swapped, right, left>;
  using B = std::conditional_t<p.swapped, left, right>;
  using Out = as_word<typename Form::out>;
  using Bias = as_word<typename Form::bias>;
  using call = product_call<A, B, Out, Bias>;
  using sum = cpu::sum_type<Out>;
  using pack = cpu::pack_for<Target, sum>;
  static constexpr int lanes = Target::lanes;
  static constexpr int m = static_cast<int>(p.m.count()), n = static_cast<int>(p.n.count());
  static constexpr int k = static_cast<int>(p.k.count());
  static constexpr places step = p.n.inner().stride;

  // Elements from the first one to the last; 0 where one lies before the first.
  static constexpr extent span(product_axes const& x, product_axes const& y, extent places::*side) {
    extent last = 0;
    for (product_axes const* axes : {&x, &y})
      for (int i = 0; i < axes->rank; ++i) {
        if (axes->d[i].stride.*side < 0) return 0;
        last += (axes->d[i].size - 1) * axes->d[i].stride.*side;
      }
    return last + 1;
  }
  static constexpr extent span_a = span(p.m, p.k, &places::a);
  static constexpr extent span_b = span(p.k, p.n, &places::b);
  static constexpr bool fits_registers() {
    bool const dense = span(p.m, p.n, &places::out) == m * n && m * n <= lanes;
    bool const together = span_a > 0 && span_a <= lanes && span_b > 0 && span_b <= lanes;
    constexpr bool alike = std::is_same_v<A, sum> && std::is_same_v<B, sum> &&
                           std::is_same_v<Out, sum> && sizeof(sum) == 4;
    return alike && dense && together && k <= 8 && !Form::has_bias;
  }

public:
  static constexpr extent batches = p.batch.count();
  static constexpr bool in_one_register = batches == 1 && fits_registers();

  WEFT_INLINE static void run(void const* a, void const* b, void* out, void const* bias) {
    run(a, b, out, bias, {}, 0, batches);
  }
  // Where in_one_register: into memory that has room for the whole pack, which is read sooner after
  // one store than after several.
  WEFT_INLINE static void run_into_pack(void const* a, void const* b, void* out) {
    if constexpr (p.swapped) swap_values(a, b);
    cpu::store(static_cast<Out*>(out),
               sums_in_register({static_cast<A const*>(a), static_cast<B const*>(b)},
                                std::make_integer_sequence<int, k>{}));
  }
  // Batches [first, last), each told of when it is finished.
  WEFT_INLINE static void run(void const* a, void const* b, void* out, void const* bias,
                              cpu::epilogue_ref const& after, extent first, extent last) {
    if constexpr (p.swapped) swap_values(a, b);
    call arrays{static_cast<A const*>(a), static_cast<B const*>(b), static_cast<Out*>(out), nullptr,
                static_cast<Bias const*>(bias)};
    arrays.after = after;
    for (extent batch = first; batch < last; ++batch) {
      call const here = arrays.at(p.batch.at(batch));
      one(here);
      here.tell(p, 0, m, 0, n);
    }
  }

private:
  WEFT_INLINE static void one(call const& c) {
    if constexpr (p.order == contract_order::lanes) vector(c);
    else if constexpr (fits_registers())
      cpu::store_part<m * n>(c.out,
                             sums_in_register({c.a, c.b}, std::make_integer_sequence<int, k>{}));
    else if constexpr (std::is_same_v<B, sum> && p.n.rank <= 1 && (n == 1 || step.b == 1))
      matrix(c, [&c](int q, int j) WEFT_LAMBDA { return c.b + p.k.at(q).b + j; });
    else {
      sum columns[k * n];
      for (int q = 0; q < k; ++q)
        for (int j = 0; j < n; ++j)
          columns[q * n + j] = widened<sum>(c.b[p.k.at(q).b + p.n.at(j).b]);
      matrix(c, [&columns](int q, int j) WEFT_LAMBDA { return columns + q * n + j; });
    }
  }

  // order lanes ---------------------------------------------------------------------------------
  WEFT_INLINE static void vector(call const& c) {
    using kernel = lanes_kernel<Target, A, B, Out, Bias>;
    static constexpr lanes_plan<B, Out> plan(p);
    alignas(64) std::byte own[plan.bytes() + 1];
    kernel(p, plan, c, {own, plan.bytes()}).run(0, m);
  }

  // order chain, operands and out in a register each ----------------------------------------------
  // Per lane of out: its row and column, or the first ones.
  struct element {
    int row = 0, column = 0;
  };
  static constexpr element element_at(int out) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        if (p.m.at(i).out + p.n.at(j).out == out) return {i, j};
    return {};
  }
  using all_lanes = std::make_integer_sequence<int, lanes>;
  // Step Q of k: a's element for every lane of out, and b's.
  template <int Q, class V, int... L>
  WEFT_INLINE static pack left_at(V const& a, std::integer_sequence<int, L...>) {
    return pack(typename pack::vector(
        __builtin_shufflevector(a, a, (p.m.at(element_at(L).row).a + p.k.at(Q).a)...)));
  }
  template <int Q, class V, int... L>
  WEFT_INLINE static pack right_at(V const& b, std::integer_sequence<int, L...>) {
    return pack(typename pack::vector(
        __builtin_shufflevector(b, b, (p.n.at(element_at(L).column).b + p.k.at(Q).b)...)));
  }
  struct operands {
    A const* a;
    B const* b;
  };
  template <int... Q>
  WEFT_INLINE static pack sums_in_register(operands x, std::integer_sequence<int, Q...>) {
    auto const a = cpu::load_part<Target, span_a>(x.a).value;
    auto const b = cpu::load_part<Target, span_b>(x.b).value;
    pack s(sum{});
    ((s = multiply_add_packs(left_at<Q>(a, all_lanes{}), right_at<Q>(b, all_lanes{}), s)), ...);
    return s;
  }

  // order chain ---------------------------------------------------------------------------------
  // As many rows abreast as the register file holds sums of; alike, so that none has few.
  static constexpr int packs = n <= lanes ? 1 : tile_shape<Target, sum>::packs;
  static constexpr int most_rows = tile_shape<Target, sum>::rows *
                                   (packs < tile_shape<Target, sum>::packs ? 2 : 1);
  static constexpr int tiles = (m + most_rows - 1) / most_rows, rows = (m + tiles - 1) / tiles;

  // line(q, j): where row q of b has column j and those behind it.
  template <class Line> WEFT_INLINE static void matrix(call const& c, Line const& line) {
    for (int i = 0; i + rows <= m; i += rows) strip<rows>(c, line, i);
    if constexpr (m % rows > 0) strip<m % rows>(c, line, m - m % rows);
  }
  template <int Rows, class Line>
  WEFT_INLINE static void strip(call const& c, Line const& line, int i) {
    constexpr int whole = n / (packs * lanes) * (packs * lanes), left = n - whole;
    for (int j = 0; j < whole; j += packs * lanes) tile<Rows, packs, lanes>(c, line, i, j);
    if constexpr (left > 0) {
      constexpr int some = (left + lanes - 1) / lanes;
      tile<Rows, some, left - (some - 1) * lanes>(c, line, i, whole);
    }
  }

  template <int Rows, int Packs> struct sums {
    pack of[Rows][Packs];
  };
  // Of a tile's pack V its columns; a constant, as g++ 12 warns of reads in branches not taken.
  template <int V, int Packs, int Width>
  static constexpr int width_of = V == Packs - 1 ? Width : lanes;

  // Rows i …, columns j …; of the last pack the first Width.
  template <int Rows, int Packs, int Width, class Line>
  WEFT_INLINE static void tile(call const& c, Line const& line, int i, int j) {
    tile_in_packs<Rows, Packs, Width>(c, line, i, j, std::make_integer_sequence<int, Packs>{});
  }
  template <int Rows, int Packs, int Width, class Line, int... V>
  WEFT_INLINE static void tile_in_packs(call const& c, Line const& line, int i, int j,
                                        std::integer_sequence<int, V...>) {
    sums<Rows, Packs> s;
    extent row[Rows];
#pragma GCC unroll 32
    for (int r = 0; r < Rows; ++r) {
      ((s.of[r][V] = pack(sum{})), ...);
      row[r] = p.m.at(i + r).a;
    }
    auto const add = [&](int q) WEFT_LAMBDA {
      extent const at = p.k.at(q).a;
      pack const right[] = {
          cpu::load_part<Target, width_of<V, Packs, Width>>(line(q, j + V * lanes))...};
#pragma GCC unroll 32
      for (int r = 0; r < Rows; ++r) {
        pack const left(widened<sum>(c.a[row[r] + at]));
        ((s.of[r][V] = multiply_add_packs(left, right[V], s.of[r][V])), ...);
      }
    };
    if constexpr (k <= 8 && Rows * Packs <= 8) {
#pragma GCC unroll 8
      for (int q = 0; q < k; ++q) add(q);
    } else
      for (int q = 0; q < k; ++q) add(q);
#pragma GCC unroll 32
    for (int r = 0; r < Rows; ++r)
      (finish<width_of<V, Packs, Width>>(c, s.of[r][V], i + r, j + V * lanes), ...);
  }

  static constexpr bool stores = std::is_same_v<Out, sum> && p.n.rank <= 1 &&
                                 (n == 1 || step.out == 1);
  static constexpr bool adds_packs = std::is_same_v<Bias, sum> && (n == 1 || step.bias == 1);
  // Row i, columns j … j + Width - 1.
  template <int Width> WEFT_INLINE static void finish(call const& c, pack s, int i, int j) {
    places const row = p.m.at(i), first = row + p.n.at(j);
    if constexpr (stores) {
      if (c.bias == nullptr) return cpu::store_part<Width>(c.out + first.out, s);
      if constexpr (adds_packs)
        return cpu::store_part<Width>(c.out + first.out,
                                      s + cpu::load_part<Target, Width>(c.bias + first.bias));
    }
    sum values[lanes];
    cpu::store(values, s);
    for (int x = 0; x < Width; ++x) {
      places const at = row + p.n.at(j + x);
      c.finish(values[x], at.out, at.bias);
    }
  }
};

// Many small products as a step of an engine: nothing is packed, nothing decided per batch.
constexpr bool are_many_small_products(product_form const& p, bool narrow) {
  constexpr extent least_batches = 8, most_work = 1 << 13; // multiply-adds
  extent const each = p.m.count() * p.n.count() * p.k.count();
  return p.order == contract_order::chain && p.batch.count() >= least_batches && each > 0 &&
         each <= most_work && most_fixed_product_bytes(p, narrow) <= 4096;
}
template <class Form, class Target> struct fixed_contraction {
  using product = fixed_product<Form, Target>;

  static extent bytes(product_form const&, int) { return 0; }
  static void run(product_form const& p, void const* a, void const* b, void* out, void const*,
                  void const* bias, cpu::scratch, cpu::executor_ref const& on,
                  cpu::epilogue_ref after) {
    product_division const cut(p, cpu::threads_for(on, work_of(p)), p.m.count(), p.n.count());
    on.parallel_for(static_cast<int>(share_count(product::batches, cut.batches_each)),
                    [&](int task, int) {
                      extent const first = task * cut.batches_each;
                      product::run(a, b, out, bias, after, first,
                                   least(first + cut.batches_each, product::batches));
                    });
  }
  static constexpr cpu::contraction_code code{
      &bytes, &run, Form::value.order == contract_order::chain ? &tells_in_parts : nullptr};
};

} // namespace detail
} // namespace weft::inline v0

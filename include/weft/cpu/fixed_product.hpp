// SPDX-License-Identifier: BSL-1.0
// fixed_product: a small product whose normal form the compiler knows: its loops are constants, its
// tiles of out stand in registers, its operands are read where they lie.
//   struct form { static constexpr product_form value; static constexpr bool has_bias;
//                 using a, b, out, bias = element types; };
//   fixed_product<form, Target>::run(a, b, out, bias);      operands in the caller's order; bias or null
//   fixed_product<form, Target, true>                       out may be written for room_bytes, if not 0
// Needs: no start, nothing empty; out overlaps no operand. Leaves: the bits of cpu/contract.hpp.
// Allocates nothing; its stack has a packed operand at most.
#pragma once

#include <weft/core/growing.hpp>
#include <weft/cpu/contraction_code.hpp>
#include <weft/cpu/fixed_vector.hpp>

namespace weft::inline v0 {
namespace detail {

// Bytes of the stack, at most: b, widened and row by row. `narrow`: are elements of 8 or 16 bits?
constexpr extent most_fixed_product_bytes(product_form const& p, bool narrow) {
  bool const lies = p.order == contract_order::chain && p.n.rank <= 1 && p.n.inner().stride.b == 1;
  return lies && !narrow ? 0 : p.k.count() * p.n.count() * 8;
}

template <class Form, class Target, bool HasRoom = false> class fixed_product : fixed_form<Form> {
  using form = fixed_form<Form>;
  using typename form::A, typename form::B, typename form::Out, typename form::Bias;
  using typename form::call, typename form::sum;
  using form::p, form::m, form::n, form::k, form::step, form::span, form::is_power_of_two;
  using by_lanes = fixed_vector<Form, Target, HasRoom>;
  static constexpr bool are_words = form::alike && sizeof(sum) == 4;
  static constexpr extent span_a = span(p.m, p.k, &places::a);
  static constexpr extent span_b = span(p.k, p.n, &places::b);
  static constexpr bool is_dense = span(p.m, p.n, &places::out) == m * n;
  static constexpr bool fit_together(int most) {
    return m * n <= most && span_a > 0 && span_a <= most && span_b > 0 && span_b <= most;
  }
  static constexpr bool fits_registers = are_words && is_dense && fit_together(Target::lanes) &&
                                         k <= 8 && !Form::has_bias;
  // Four lanes where they are enough: shuffles, and stores of less than they have, are shorter.
  static constexpr bool is_short = form::alike && (fits_registers ? fit_together(4) : n <= 4);
  using machine = machine_of_line<Target, is_short ? 4 : Target::lanes>;
  using pack = cpu::pack_for<machine, sum>;
  static constexpr int lanes = machine::lanes;

  // As many rows abreast as the register file holds sums of; alike, so that none has few.
  static constexpr int packs = n <= lanes ? 1 : tile_shape<Target, sum>::packs;
  static constexpr int most_rows = tile_shape<Target, sum>::rows *
                                   (packs < tile_shape<Target, sum>::packs ? 2 : 1);
  static constexpr int tiles = (m + most_rows - 1) / most_rows, rows = (m + tiles - 1) / tiles;
  static constexpr bool has_dense_rows() {
    for (int i = 0; i < m; ++i)
      if (p.m.at(i).out != i * n) return false;
    return n == 1 || (p.n.rank == 1 && step.out == 1);
  }
  // Is out stored as packs that have the ends of some rows and the beginnings of the next? Each of
  // at most two: whoever reads whole packs finds them in one store.
  static constexpr bool is_flat = p.order == contract_order::chain && are_words &&
                                  !fits_registers && has_dense_rows() && tiles == 1 && m > 1 &&
                                  (n < lanes) && (2 * n >= lanes) && (m * n <= 16) &&
                                  !Form::has_bias;

  static constexpr int find_room_bytes() {
    if (p.order == contract_order::lanes) return by_lanes::room_bytes;
    bool const ends_inside = fits_registers ? !form::is_one_store(m * n) : is_flat;
    if (p.batch.count() > 1 || m * n * 4 > form::most_room || m * n % lanes == 0 || !ends_inside)
      return 0;
    return (m * n + lanes - 1) / lanes * lanes * 4;
  }

public:
  static constexpr extent batches = p.batch.count();
  // Bytes of the packs that out is stored in, where it is worth having room for all of the last one.
  static constexpr int room_bytes = find_room_bytes();

  WEFT_INLINE static void run(void const* a, void const* b, void* out, void const* bias) {
    run(a, b, out, bias, {}, 0, batches);
  }
  // Batches [first, last), each told of when it is finished.
  WEFT_INLINE static void run(void const* a, void const* b, void* out, void const* bias,
                              cpu::epilogue_ref const& after, extent first, extent last) {
    if constexpr (p.swapped) swap_values(a, b);
    call arrays{static_cast<A const*>(a), static_cast<B const*>(b), static_cast<Out*>(out), nullptr,
                static_cast<Bias const*>(bias)};
    arrays.after = after;
    for (extent batch = first; batch < last; ++batch) {
      call const here = arrays.at(form::batch_at(batch));
      one(here);
      here.tell(p, 0, m, 0, n);
    }
  }

private:
  WEFT_INLINE static void one(call const& c) {
    if constexpr (by_lanes::fits) by_lanes::run(c);
    else if constexpr (p.order == contract_order::lanes) vector(c);
    else if constexpr (fits_registers)
      store_end<m * n>(c.out, sums_in_register({c.a, c.b}, std::make_integer_sequence<int, k>{}));
    else if constexpr (std::is_same_v<B, sum> && p.n.rank <= 1 && (n == 1 || step.b == 1))
      matrix<false>(c, [&c](int q, int j) WEFT_LAMBDA { return c.b + form::step_at(q).b + j; });
    else {
      sum columns[k * n]; // row by row
      for (int q = 0; q < k; ++q)
        for (int j = 0; j < n; ++j)
          columns[q * n + j] = widened<sum>(c.b[form::step_at(q).b + form::column_at(j).b]);
      matrix<true>(c, [&columns](int q, int j) WEFT_LAMBDA { return columns + q * n + j; });
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
    auto const a = cpu::load_part<machine, span_a>(x.a).value;
    auto const b = cpu::load_part<machine, span_b>(x.b).value;
    pack s(sum{});
    ((s = multiply_add_packs(left_at<Q>(a, all_lanes{}), right_at<Q>(b, all_lanes{}), s)), ...);
    return s;
  }

  // order chain ---------------------------------------------------------------------------------
  // Of a row that is not a number of packs the last pack: of how many rows of b, from the first on,
  // it may be loaded whole, as what follows is b, too. `copied`: row by row without gaps.
  static constexpr int rows_loaded_whole(bool copied) {
    extent const first = (n - 1) / lanes * lanes, end = copied ? k * n : span_b;
    int q = 0;
    while (q < k && (copied ? q * n : p.k.at(q).b) + first + lanes <= end) ++q;
    return q;
  }
  // May it be stored whole, where what follows is out and is stored later? Where one store has no
  // more lanes than that pack, nothing is gained.
  static constexpr bool stores_over_rows = has_dense_rows() && n < packs * lanes &&
                                           !is_power_of_two(n % lanes);

  // line(q, j): where row q of b has column j and those behind it.
  template <bool Copied, class Line>
  WEFT_INLINE static void matrix(call const& c, Line const& line) {
    for (int i = 0; i + rows <= m; i += rows) strip<rows, Copied>(c, line, i);
    if constexpr (m % rows > 0) strip<m % rows, Copied>(c, line, m - m % rows);
  }
  template <int Rows, bool Copied, class Line>
  WEFT_INLINE static void strip(call const& c, Line const& line, int i) {
    constexpr int whole = n / (packs * lanes) * (packs * lanes), left = n - whole;
    for (int j = 0; j < whole; j += packs * lanes) tile<Rows, packs, lanes, k>(c, line, i, j);
    if constexpr (left > 0) {
      constexpr int some = (left + lanes - 1) / lanes, width = left - (some - 1) * lanes;
      tile<Rows, some, width, rows_loaded_whole(Copied)>(c, line, i, whole);
    }
  }

  template <int Rows, int Packs> struct sums {
    pack of[Rows][Packs];
  };
  // Of a tile's pack V its columns; a constant, as g++ 12 warns of reads in branches not taken.
  template <int V, int Packs, int Width>
  static constexpr int width_of = V == Packs - 1 ? Width : lanes;

  // Rows i …, columns j …; of the last pack the first Width, loaded whole of the first Whole rows of b.
  template <int Rows, int Packs, int Width, int Whole, class Line>
  WEFT_INLINE static void tile(call const& c, Line const& line, int i, int j) {
    tile_in_packs<Rows, Packs, Width, Whole>(c, line, i, j,
                                             std::make_integer_sequence<int, Packs>{});
  }
  template <int Rows, int Packs, int Width, int Whole, class Line, int... V>
  WEFT_INLINE static void tile_in_packs(call const& c, Line const& line, int i, int j,
                                        std::integer_sequence<int, V...>) {
    sums<Rows, Packs> s;
    extent row[Rows];
#pragma GCC unroll 32
    for (int r = 0; r < Rows; ++r) {
      ((s.of[r][V] = pack(sum{})), ...);
      row[r] = form::row_at(i + r).a;
    }
    auto const add = [&]<int Last>(std::integral_constant<int, Last>, int q) WEFT_LAMBDA {
      extent const along = form::step_at(q).a;
      pack right[] = {cpu::load_part<machine, width_of<V, Packs, Last>>(line(q, j + V * lanes))...};
      if constexpr (Rows > 1) (cpu::hold(right[V]), ...);
#pragma GCC unroll 32
      for (int r = 0; r < Rows; ++r) {
        pack const left(widened<sum>(c.a[row[r] + along]));
        ((s.of[r][V] = multiply_add_packs(left, right[V], s.of[r][V])), ...);
      }
    };
    constexpr std::integral_constant<int, lanes> all;
    constexpr std::integral_constant<int, Width> some;
    if constexpr (k <= 8 && Rows * Packs <= 8) {
#pragma GCC unroll 8
      for (int q = 0; q < Whole; ++q) add(all, q);
#pragma GCC unroll 8
      for (int q = Whole; q < k; ++q) add(some, q);
    } else {
      for (int q = 0; q < Whole; ++q) add(all, q);
      for (int q = Whole; q < k; ++q) add(some, q);
    }
    if constexpr (is_flat)
      store_flat(c.out, s, std::make_integer_sequence<int, (m * n + lanes - 1) / lanes>{});
    else {
#pragma GCC unroll 32
      for (int r = 0; r < Rows; ++r)
        (finish<width_of<V, Packs, Width>>(c, s.of[r][V], i + r, j + V * lanes), ...);
    }
  }

  static constexpr bool stores = std::is_same_v<Out, sum> && p.n.rank <= 1 &&
                                 (n == 1 || step.out == 1);
  static constexpr bool adds_packs = std::is_same_v<Bias, sum> && (n == 1 || step.bias == 1);
  // Row i, columns j … j + Width - 1.
  template <int Width> WEFT_INLINE static void finish(call const& c, pack s, int i, int j) {
    places const row = form::row_at(i), first = row + form::column_at(j);
    if constexpr (stores) {
      if (c.bias == nullptr) return store<Width>(c.out + first.out, s, first.out);
      if constexpr (adds_packs)
        return store<Width>(c.out + first.out,
                            s + cpu::load_part<machine, Width>(c.bias + first.bias), first.out);
    }
    sum values[lanes];
    cpu::store(values, s);
    for (int x = 0; x < Width; ++x) {
      places const here = row + form::column_at(j + x);
      c.finish(values[x], here.out, here.bias);
    }
  }
  // Pack P of out's elements, row by row; lanes beyond them have some value of out.
  template <int P, int... L>
  WEFT_INLINE static pack flat(sums<m, 1> const& s, std::integer_sequence<int, L...>) {
    constexpr int row = P * lanes / n, next = row + 1 < m ? row + 1 : row;
    auto const lane = [](int l) {
      int const column = P * lanes + l - row * n;
      return column < n ? column : column < 2 * n ? lanes + column - n : 0;
    };
    return pack(typename pack::vector(
        __builtin_shufflevector(s.of[row][0].value, s.of[next][0].value, lane(L)...)));
  }
  template <int... P>
  WEFT_INLINE static void store_flat(Out* to, sums<m, 1> const& s,
                                     std::integer_sequence<int, P...>) {
    (store_end<least(m * n - P * lanes, lanes)>(to + P * lanes, flat<P>(s, all_lanes{})), ...);
  }
  // Of a pack of out's elements the first Count, or, with room, all lanes.
  template <int Count> WEFT_INLINE static void store_end(Out* to, pack s) {
    if constexpr (HasRoom && room_bytes > 0) cpu::store(to, s);
    else cpu::store_part<Count>(to, s);
  }
  template <int Width> WEFT_INLINE static void store(Out* to, pack s, extent first) {
    if constexpr (Width < lanes && stores_over_rows)
      if (first + lanes <= m * n) return cpu::store(to, s);
    cpu::store_part<Width>(to, s);
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
      &bytes, &run, Form::value.order == contract_order::chain ? &tells_in_parts : nullptr, nullptr,
      false};
};

} // namespace detail
} // namespace weft::inline v0

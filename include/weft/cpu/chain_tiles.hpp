// SPDX-License-Identifier: BSL-1.0
// chain_tiles: where the sums of a tile come from and go to: out, a row of partial sums between
// blocks of k where Out is narrower than a sum, start before the first block, the bias after the last.
// Needs: a product of order chain, its plan and arrays, scratch for partial sums if the plan has any.
// Leaves: out's elements as product_call::finish makes them; whole tiles that are contiguous in out go
// a pack at a time.
#pragma once

#include <weft/cpu/chain_plan.hpp>
#include <weft/cpu/pack.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace detail {

template <class Target, class A, class B, class Out, class Bias, bool Gathers> class chain_tiles {
public:
  using call = product_call<A, B, Out, Bias>;
  using plan = chain_plan<Target, A, B, Out, Gathers>;
  using sum = cpu::sum_type<Out>;

protected:
  static constexpr int tile_rows = tile_shape<Target, sum>::rows;
  static constexpr int tile_columns = tile_shape<Target, sum>::columns;
  using block = block_shape<Target, sum>;

  struct range {
    extent first, count;
  };
  // A block of k.
  struct steps {
    extent first, count;
    bool fresh, last; // the first and the last one of a chain
  };
  // Columns of a tile: where they are in out and bias, relative to the tile's row.
  struct tile_span {
    extent first;
    int count;
    bool whole;    // a full tile's width, contiguous in out
    bool straight; // and out holds sums
    bool added;    // a bias, if any, is contiguous, too, and of sums
    extent out[tile_columns], bias[tile_columns];
  };

  chain_tiles(product_form const& p, plan const& how, call const& arrays, sum* partial)
      : p_(p), plan_(how), arrays_(arrays), partial_(partial) {}

  tile_span span_of(extent first, extent count) const {
    tile_span t;
    t.first = first;
    t.count = static_cast<int>(count);
    t.whole = count == tile_columns && p_.n.inner().stride.out == 1 &&
              p_.n.run(first, tile_columns) == tile_columns;
    t.straight = std::is_same_v<Out, sum> && t.whole;
    t.added = std::is_same_v<Bias, sum> && p_.n.inner().stride.bias == 1;
    places const here = p_.n.at(first);
    t.out[0] = here.out;
    t.bias[0] = here.bias;
    if (t.straight && (t.added || !arrays_.bias)) return t;
    for (int y = 0; y < t.count; ++y) {
      places const at = p_.n.at(first + y);
      t.out[y] = at.out;
      t.bias[y] = at.bias;
    }
    return t;
  }

  // As product_call::finish, a pack at a time, for a whole tile's row; `to` may be `values`.
  template <class To> WEFT_INLINE void add_bias(sum const* values, extent bias_at, To* to) const {
    Bias const* const bias = arrays_.bias + bias_at;
#pragma GCC unroll 2
    for (int j = 0; j < tile_columns; j += Target::lanes)
      cpu::store(to + j, cpu::load<Target>(values + j) + cpu::load<Target>(bias + j));
  }

  sum* partial_row(extent i, tile_span const& span) const {
    return partial_ + (i - first_row_) * plan_.columns + (span.first - first_column_);
  }
  void load_row(extent i, tile_span const& span, steps const& s, sum* values) const {
    extent const row = row_at(i).out;
    for (int y = span.count; y < tile_columns; ++y) values[y] = sum{};
    if (s.fresh) {
      for (int y = 0; y < span.count; ++y)
        values[y] = static_cast<sum>(arrays_.start[row + span.out[y]]);
    } else if constexpr (std::is_same_v<Out, sum>) {
      for (int y = 0; y < span.count; ++y) values[y] = arrays_.out[row + span.out[y]];
    } else {
      sum const* const from = partial_row(i, span);
      if (span.whole) return store_all(from, values);
      for (int y = 0; y < span.count; ++y) values[y] = from[y];
    }
  }
  void store_row(extent i, tile_span const& span, steps const& s, sum const* values) const {
    row_place const row = row_at(i);
    if (s.last) {
      for (int y = 0; y < span.count; ++y)
        arrays_.finish(values[y], row.out + span.out[y], row.bias + span.bias[y]);
    } else if constexpr (std::is_same_v<Out, sum>) {
      for (int y = 0; y < span.count; ++y) arrays_.out[row.out + span.out[y]] = values[y];
    } else {
      sum* const to = partial_row(i, span);
      if (span.whole) return store_all(values, to);
      for (int y = 0; y < span.count; ++y) to[y] = values[y];
    }
  }
  // Row i, which begins at `at` in out.
  WEFT_INLINE void finish_row(sum const* values, extent i, extent at, tile_span const& span) const {
    Out* const to = arrays_.out + at + span.out[0];
    if (arrays_.bias) add_bias(values, row_at(i).bias + span.bias[0], to);
    else store_all(values, to);
  }
  template <class To> WEFT_INLINE static void store_all(sum const* values, To* to) {
#pragma GCC unroll 2
    for (int j = 0; j < tile_columns; j += Target::lanes)
      cpu::store(to + j, cpu::load<Target>(values + j));
  }

  // Where the rows of a block are: found once, since each costs divisions.
  void note_rows(range rows) {
    if (rows_.first == rows.first && rows_.count == rows.count) return;
    rows_.first = rows.first;
    rows_.count = rows.count;
    places const step = p_.m.inner().stride;
    for (extent x = 0, run; x < rows.count; x += run) {
      run = p_.m.run(rows.first + x, rows.count - x);
      places at = p_.m.at(rows.first + x);
      for (extent r = x; r < x + run; ++r, at = at + step) {
        rows_.at[r] = {at.out, at.bias};
        if constexpr (std::is_same_v<A, sum>)
          rows_.of_a[r] = plan_.k > 0 ? arrays_.a + at.a : nullptr;
      }
    }
  }
  // f(x, where row `rows.first + x` begins in out) for each row: nothing is divided, nor called, on one
  // axis.
  template <class Function> WEFT_INLINE void each_row(range rows, Function const& f) const {
    if (!Gathers && p_.m.rank <= 1) {
      extent const step = p_.m.d[0].stride.out;
      extent at = rows.first * step;
      for (extent x = 0; x < rows.count; ++x, at += step) f(x, at);
    } else
      for (extent x = 0; x < rows.count; ++x) f(x, row_at(rows.first + x).out);
  }
  struct row_place {
    extent out, bias;
  };
  row_place row_at(extent i) const {
    if constexpr (Gathers) return rows_.at[i - rows_.first];
    else {
      places const at = p_.m.at(i);
      return {at.out, at.bias};
    }
  }

  product_form const& p_;
  plan const& plan_;
  call arrays_;
  sum* partial_;
  extent first_row_ = 0, first_column_ = 0; // of the block of out in hand
  struct known_rows {
    extent first = 0, count = 0;
    row_place at[block::rows];
    sum const* of_a[block::rows];
  };
  struct none {};
  [[no_unique_address]] std::conditional_t<Gathers, known_rows, none> rows_;
};

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Products in chain order on devices with local memory: a group computes a tile of out, an item
// 4 to 16 rows and columns of it in registers, while slabs of a and b pass through local memory: the
// next one is read into registers during the work on this one, and two are kept, for one barrier a
// slab. Indices outside are clamped where they are read, and results left out where stored.
// Needs: a chain product (opencl/product_source.hpp) and memory for the tile. Leaves: k in order.
#pragma once

#include <weft/opencl/product_source.hpp>

namespace weft::inline v0 {
namespace detail {

// Of out: rows and columns of a group, and of an item (multiples of 4); steps of k in a slab.
struct product_tile {
  int rows, columns, slab, item_rows, item_columns;

  constexpr int items() const { return rows / item_rows * (columns / item_columns); }
  constexpr extent local_bytes(int sum_bytes) const {
    return extent{2} * slab * (rows + columns + 8) * sum_bytes;
  }
  constexpr extent groups(product_form const& p) const {
    extent const down = share_count(p.m.count(), rows);
    return p.batch.count() * down * share_count(p.n.count(), columns);
  }
  constexpr bool fits(opencl::device_traits const& on, int sum_bytes) const {
    return items() <= on.max_group && local_bytes(sum_bytes) <= on.local_bytes;
  }
};

inline constexpr product_tile product_tiles[] = {
    {128, 128, 16, 16, 8}, {64, 64, 16, 4, 4}, {32, 32, 8, 4, 4}};
// Multiples of 8 items lie across and of 4 down, and each brings multiples of four elements.
static_assert([] {
  for (product_tile const& t : product_tiles) {
    int const brought = t.slab * t.rows / t.items(), of_b = t.slab * t.columns / t.items();
    if (t.columns / t.item_columns % 8 != 0 || t.rows / t.item_rows % 4 != 0) return false;
    if (t.item_rows % 4 != 0 || t.item_columns % 4 != 0 || t.slab % 4 != 0) return false;
    if (brought % 4 != 0 || of_b % 4 != 0 || t.items() % t.rows != 0) return false;
  }
  return true;
}());

inline constexpr std::string_view tile_constants = R"(typedef @vector sum4;
enum {
  tile_rows = @rows,
  tile_columns = @columns,
  slab = @slab,
  item_rows = @item_rows,
  item_columns = @item_columns,
  items_down = tile_rows / item_rows,
  items_across = tile_columns / item_columns,
  items = items_down * items_across,
  a_count = tile_rows * slab / items, // what an item brings of each slab
  b_count = tile_columns * slab / items
};
)";

inline constexpr std::string_view tile_body =
    R"(  const int item = get_local_id(0);
  // Of 32 neighbouring items 8 lie across and 4 down: these read the least from local memory.
  const int x = item % 8 + item / 32 % (items_across / 8) * 8;
  const int y = item % 32 / 8 + item / 32 / (items_across / 8) * 4;
  const index across = (n + tile_columns - 1) / tile_columns;
  const index down = (m + tile_rows - 1) / tile_rows;
  const index group = get_group_id(0);
  const index i_first = group / across % down * tile_rows, j_first = group % across * tile_columns;
@batch
  // Lines of 4 more than a tile has: neighbours in k lie in other banks.
  __local sum4 a_tile[2][slab][tile_rows / 4 + 1], b_tile[2][slab][tile_columns / 4 + 1];
@lines@lines_of_b
  sum4 c[item_rows][item_columns / 4];
  #pragma unroll
  for (int r = 0; r < item_rows; ++r)
    #pragma unroll
    for (int w = 0; w < item_columns / 4; ++w) {
@start    }

  // Slab p0 is multiplied while the next one is read; the first turn only reads.
  int now = 1;
  for (index p0 = -slab; p0 < k; p0 += slab) {
    const index next = p0 + slab;
    if (next < k) {
@fetch@fetch_b    }
    const int steps = p0 < 0 ? 0 : min((index)slab, k - p0);
    if (steps == slab) {
      #pragma unroll
      for (int p = 0; p < slab; ++p) {
@multiply      }
    } else {
      for (int p = 0; p < steps; ++p) {
@multiply      }
    }
    if (next < k) {
@keep    }
    barrier(CLK_LOCAL_MEM_FENCE);
    now = 1 - now;
  }

  #pragma unroll
  for (int r = 0; r < item_rows; ++r)
    #pragma unroll
    for (int w = 0; w < item_columns / 4; ++w) {
      const index i = i_first + r / 4 * (4 * items_down) + 4 * y + r % 4;
      const index j = j_first + w * (4 * items_across) + 4 * x;
@store    }
)";

inline constexpr std::string_view tile_multiply =
    R"(        sum4 left[item_rows / 4], right[item_columns / 4];
        #pragma unroll
        for (int q = 0; q < item_rows / 4; ++q) left[q] = a_tile[now][p][q * items_down + y];
        #pragma unroll
        for (int w = 0; w < item_columns / 4; ++w) right[w] = b_tile[now][p][w * items_across + x];
        #pragma unroll
        for (int q = 0; q < item_rows / 4; ++q)
          #pragma unroll
          for (int w = 0; w < item_columns / 4; ++w) {
@steps          }
)";

// How a side comes into its tile: where an item's lines lie, what it reads of a slab, and how it
// keeps that.
struct tile_reading {
  std::string_view lines, fetch, keep;
};
// Neighbouring items read neighbours along k ...
inline constexpr tile_reading along_k_singly = {
    R"(  __local sum* const @s_cells = (__local sum*)@s_tile;
  const int @s_p = item % slab, @s_line = item / slab;
  index @s_at[@s_count];
  #pragma unroll
  for (int q = 0; q < @s_count; ++q) {
    const index line = min(@origin + @s_line + q * (items / slab), @free - 1);
    @s_at[q] = @place;
  }
  sum @s_next[@s_count];
)",
    R"(      const index @s_k = min(next + @s_p, k - 1);
      #pragma unroll
      for (int q = 0; q < @s_count; ++q) @s_next[q] = load_@s(@s, @at);
)",
    R"(      #pragma unroll
      for (int q = 0; q < @s_count; ++q)
        @s_cells[((1 - now) * slab + @s_p) * (@size + 4) + @s_line + q * (items / slab)] =
          @s_next[q];
)"};
// ... four of them at once, where memory allows ...
inline constexpr tile_reading along_k_by_four = {
    R"(  __local sum* const @s_cells = (__local sum*)@s_tile;
  const int @s_p = item % (slab / 4) * 4, @s_line = item / (slab / 4);
  index @s_at[@s_count / 4];
  #pragma unroll
  for (int q = 0; q < @s_count / 4; ++q) {
    const index line = min(@origin + @s_line + q * (items / (slab / 4)), @free - 1);
    @s_at[q] = @place;
  }
  sum4 @s_next[@s_count / 4];
)",
    R"(      const index @s_k = min(next + @s_p, k - 4);
      #pragma unroll
      for (int q = 0; q < @s_count / 4; ++q) @s_next[q] = load_four_@s(@s, @at);
)",
    R"(      #pragma unroll
      for (int q = 0; q < @s_count / 4; ++q) {
        const int at = ((1 - now) * slab + @s_p) * (@size + 4) + @s_line + q * (items / (slab / 4));
        @s_cells[at] = @s_next[q].s0;
        @s_cells[at + (@size + 4)] = @s_next[q].s1;
        @s_cells[at + 2 * (@size + 4)] = @s_next[q].s2;
        @s_cells[at + 3 * (@size + 4)] = @s_next[q].s3;
      }
)"};
// ... or along the rows of a, the columns of b ...
inline constexpr tile_reading along_tile_singly = {
    R"(  __local sum* const @s_cells = (__local sum*)@s_tile;
  const int @s_p = item / @size, @s_line = item % @size;
  const index @s_clamped = min(@origin + @s_line, @free - 1), @s_at = @place;
  sum @s_next[@s_count];
)",
    R"(      #pragma unroll
      for (int q = 0; q < @s_count; ++q) {
        const index at_k = min(next + @s_p + q * (items / @size), k - 1);
        @s_next[q] = load_@s(@s, @at);
      }
)",
    R"(      #pragma unroll
      for (int q = 0; q < @s_count; ++q)
        @s_cells[((1 - now) * slab + @s_p + q * (items / @size)) * (@size + 4) + @s_line] =
          @s_next[q];
)"};
// ... four of these.
inline constexpr tile_reading along_tile_by_four = {
    R"(  const int @s_p = item / (@size / 4), @s_line = item % (@size / 4);
  const index @s_clamped = min(@origin + 4 * @s_line, @free - 4), @s_at = @place;
  sum4 @s_next[@s_count / 4];
)",
    R"(      #pragma unroll
      for (int q = 0; q < @s_count / 4; ++q) {
        const index at_k = min(next + @s_p + q * (items / (@size / 4)), k - 1);
        @s_next[q] = load_four_@s(@s, @at);
      }
)",
    R"(      #pragma unroll
      for (int q = 0; q < @s_count / 4; ++q)
        @s_tile[1 - now][@s_p + q * (items / (@size / 4))][@s_line] = @s_next[q];
)"};

class tile_source {
public:
  using side = product_side;

  tile_source(product_source& s, product_tile const& tile) : s_(s), tile_(tile) {
    for (char list : {'m', 'n', 'k'}) s.count(list);
    for (side of : {side::a, side::b})
      if (by_four(of)) s.loads_four(of);
  }
  opencl::kernel_text kernel() {
    std::string const constants = filled(tile_constants,
                                         {{"vector", s_.sum() + '4'},
                                          {"rows", std::to_string(tile_.rows)},
                                          {"columns", std::to_string(tile_.columns)},
                                          {"slab", std::to_string(tile_.slab)},
                                          {"item_rows", std::to_string(tile_.item_rows)},
                                          {"item_columns", std::to_string(tile_.item_columns)}});
    std::string const body = filled(tile_body,
                                    {{"batch", s_.move_to_batch("group / across / down")},
                                     {"lines", lines(side::a)},
                                     {"lines_of_b", lines(side::b)},
                                     {"start", start()},
                                     {"fetch", fetch(side::a)},
                                     {"fetch_b", fetch(side::b)},
                                     {"multiply", multiply()},
                                     {"keep", keep(side::a) + keep(side::b)},
                                     {"store", store()}});
    return s_.kernel(tile_.items(), constants, body);
  }

private:
  static char free_of(side s) { return s == side::a ? 'm' : 'n'; }
  bool along_k(side s) const { return s_.contiguous(s, 'k') || !s_.contiguous(s, free_of(s)); }
  bool by_four(side s) const {
    return size_of(s_.types().operand) <= 4 && is_float(s_.types().operand) &&
           s_.reads_by_four(s, along_k(s) ? 'k' : free_of(s));
  }
  static std::string for_side(std::string_view form, side s, replacements by = {}) {
    bool const a = s == side::a;
    by.insert(by.end(), {{"s", a ? "a" : "b"},
                         {"s_p", a ? "a_p" : "b_p"},
                         {"s_k", a ? "a_k" : "b_k"},
                         {"s_at", a ? "a_at" : "b_at"},
                         {"s_line", a ? "a_line" : "b_line"},
                         {"s_next", a ? "a_next" : "b_next"},
                         {"s_count", a ? "a_count" : "b_count"},
                         {"s_cells", a ? "a_cells" : "b_cells"},
                         {"s_tile", a ? "a_tile" : "b_tile"},
                         {"s_clamped", a ? "row" : "column"},
                         {"free", a ? "m" : "n"},
                         {"origin", a ? "i_first" : "j_first"},
                         {"size", a ? "tile_rows" : "tile_columns"}});
    return filled(form, by);
  }
  tile_reading const& reading(side s) const {
    if (along_k(s)) return by_four(s) ? along_k_by_four : along_k_singly;
    return by_four(s) ? along_tile_by_four : along_tile_singly;
  }
  std::string lines(side s) {
    std::string const line = along_k(s) ? "line" : s == side::a ? "row" : "column";
    return for_side(reading(s).lines, s, {{"place", s_.at(s, free_of(s), line)}});
  }
  std::string fetch(side s) {
    std::string const letter = s == side::a ? "a" : "b";
    std::string const at = along_k(s) ? sum_of(letter + "_at[q]", s_.at(s, 'k', letter + "_k"))
                                      : sum_of(letter + "_at", s_.at(s, 'k', "at_k"));
    return for_side(reading(s).fetch, s, {{"at", at}});
  }
  std::string keep(side s) const { return for_side(reading(s).keep, s); }
  std::string multiply() const {
    std::string steps;
    for (char e : {'0', '1', '2', '3'}) {
      std::string const c = std::string("c[4 * q + ") + e + "][w]";
      steps += "            " + c + " = " +
               s_.step(std::string("(sum4)(left[q].s") + e + ')', "right[w]", c) + ";\n";
    }
    return filled(tile_multiply, {{"steps", steps}});
  }
  std::string start() {
    if (!s_.types().has_start) return "      c[r][w] = (sum4)(0);\n";
    std::string r =
        "      const index i = min(i_first + r / 4 * (4 * items_down) + 4 * y + r % 4, m - 1);\n"
        "      const index j = j_first + w * (4 * items_across) + 4 * x;\n";
    for (char e : {'0', '1', '2', '3'})
      r += std::string("      c[r][w].s") + e + " = " +
           s_.first("i", std::string("min(j + ") + e + ", n - 1)") + ";\n";
    return r;
  }
  std::string store() {
    std::string r;
    for (char e : {'0', '1', '2', '3'})
      r += std::string("      if (i < m && j + ") + e + " < n) " +
           s_.store("i", std::string("(j + ") + e + ')', std::string("c[r][w].s") + e) + '\n';
    return r;
  }

  product_source& s_;
  product_tile tile_;
};

} // namespace detail
} // namespace weft::inline v0

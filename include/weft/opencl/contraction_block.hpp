// SPDX-License-Identifier: BSL-1.0
// Products in chain order on CPUs: an item computes a block of out, by slabs of k: b's part is
// copied into a contiguous panel of vectors, then rows of a are multiplied with it, 4 at a time,
// the sums in registers. Nothing is shared between items, and there is no barrier: on a CPU one
// costs more than a copy. Columns outside are copied from the last one, and left out where results
// are stored.
// Needs: a chain product (opencl/product_source.hpp). Leaves: k in order.
#pragma once

#include <weft/opencl/product_source.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr int block_rows = 32, block_vectors = 2, block_rows_at_once = 4;

inline constexpr std::string_view block_constants = R"(typedef @sum_n sum_n;
enum { width = @width, block_rows = @rows, block_columns = 2 * width, slab = 64 };
)";

inline constexpr std::string_view block_body =
    R"(  const index across = (n + block_columns - 1) / block_columns;
  const index down = (m + block_rows - 1) / block_rows;
  const index group = get_group_id(0);
  const index i_first = group / across % down * block_rows;
  const index j_first = group % across * block_columns;
  const int rows = min((index)block_rows, m - i_first);
  const int columns = min((index)block_columns, n - j_first);
@batch
  sum_n c[block_rows][2], panel[slab][2];
  sum* const cells = (sum*)panel;
@lines  for (int r = 0; r < block_rows; ++r) {
@start  }

  for (index p0 = 0; p0 < k; p0 += slab) {
    const int steps = min((index)slab, k - p0);
@copy
    for (int r = 0; r < rows; r += @at_once) {
      sum_n @sums;
@rows_of_a      for (int p = 0; p < steps; ++p) {
        const index at_k = @a_k;
        const sum_n right0 = panel[p][0], right1 = panel[p][1];
@multiply      }
@keep    }
  }

  for (int r = 0; r < rows; ++r)
    for (int q = 0; q < columns; ++q) {
      const index i = i_first + r, j = j_first + q;
      @store
    }
)";

// Where the columns of the panel lie in b.
inline constexpr std::string_view block_lines = R"(  index b_at[block_columns];
  for (int q = 0; q < block_columns; ++q) {
    const index j = min(j_first + q, n - 1);
    b_at[q] = @place;
  }
)";
// b is contiguous along its columns: vectors are copied ...
inline constexpr std::string_view copy_columns = R"(    for (int p = 0; p < steps; ++p) {
      const index at_k = @b_k;
      if (columns == block_columns)
        for (int q = 0; q < block_columns; ++q) cells[p * block_columns + q] = load_b(b, @whole);
      else
        for (int q = 0; q < block_columns; ++q) cells[p * block_columns + q] = load_b(b, @at);
    }
)";
// ... or it is not.
inline constexpr std::string_view copy_lines = R"(    for (int q = 0; q < block_columns; ++q)
      for (int p = 0; p < steps; ++p) {
        const index at_k = @b_k;
        cells[p * block_columns + q] = load_b(b, @at);
      }
)";

class rows_source {
public:
  using side = product_side;

  explicit rows_source(product_source& s, int width) : s_(s), width_(width) {
    for (char list : {'m', 'n', 'k'}) s.count(list);
  }
  opencl::kernel_text kernel() {
    std::string const constants = filled(block_constants,
                                         {{"sum_n", s_.sum() + std::to_string(width_)},
                                          {"width", std::to_string(width_)},
                                          {"rows", std::to_string(block_rows)}});
    std::string const body = filled(
        block_body, {{"batch", s_.move_to_batch("group / across / down")},
                     {"lines", filled(block_lines, {{"place", s_.at(side::b, 'n', "j")}})},
                     {"start", start()},
                     {"copy", copy()},
                     {"at_once", digit(block_rows_at_once)},
                     {"sums", sums()},
                     {"rows_of_a", rows_of_a()},
                     {"a_k", s_.at(side::a, 'k', "(p0 + p)")},
                     {"multiply", multiply()},
                     {"keep", keep()},
                     {"store", s_.store("i", "j", "((sum*)c[r])[q]")}});
    return s_.kernel(1, constants, body);
  }

private:
  static std::string digit(int i) { return std::to_string(i); }
  std::string copy() {
    std::string const k = s_.at(side::b, 'k', "(p0 + p)");
    if (!s_.contiguous(side::b, 'n') || s_.axes('n').rank > 1)
      return filled(copy_lines, {{"b_k", k}, {"at", "b_at[q] + at_k"}});
    std::string const whole = s_.at(side::b, 'n', "(j_first + q)") + " + at_k";
    return filled(copy_columns, {{"b_k", k}, {"whole", whole}, {"at", "b_at[q] + at_k"}});
  }
  std::string start() {
    if (!s_.types().has_start) return "    c[r][0] = c[r][1] = (sum_n)(0);\n";
    return "    for (int q = 0; q < block_columns; ++q)\n      ((sum*)c[r])[q] = " +
           s_.first("min(i_first + r, m - 1)", "min(j_first + q, n - 1)") + ";\n";
  }
  // c00 = c[r][0] and so on: 4 rows, 2 vectors each.
  std::string sums() const {
    std::string r;
    for (int e = 0; e < block_rows_at_once; ++e)
      for (int v = 0; v < block_vectors; ++v)
        r += (r.empty() ? "c" : ", c") + digit(e) + digit(v) + " = c[r + " + digit(e) + "][" +
             digit(v) + ']';
    return r;
  }
  std::string rows_of_a() {
    std::string r;
    for (int e = 0; e < block_rows_at_once; ++e)
      r += "      const index i" + digit(e) + " = min(i_first + r + " + digit(e) + ", m - 1), a" +
           digit(e) + " = " + s_.at(side::a, 'm', 'i' + digit(e)) + ";\n";
    return r;
  }
  std::string multiply() const {
    std::string r;
    for (int e = 0; e < block_rows_at_once; ++e) {
      std::string const left = "left" + digit(e);
      r += "        const sum_n " + left + " = (sum_n)(load_a(a, a" + digit(e) + " + at_k));\n";
      for (int v = 0; v < block_vectors; ++v) {
        std::string const c = 'c' + digit(e) + digit(v);
        r += "        " + c + " = " + s_.step(left, "right" + digit(v), c) + ";\n";
      }
    }
    return r;
  }
  std::string keep() const {
    std::string r;
    for (int e = 0; e < block_rows_at_once; ++e)
      for (int v = 0; v < block_vectors; ++v)
        r += "      c[r + " + digit(e) + "][" + digit(v) + "] = c" + digit(e) + digit(v) + ";\n";
    return r;
  }

  product_source& s_;
  int width_;
};

} // namespace detail
} // namespace weft::inline v0

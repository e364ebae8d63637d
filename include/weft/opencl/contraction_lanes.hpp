// SPDX-License-Identifier: BSL-1.0
// Products in lanes order, one side free: element p of k goes to lane p mod 64, and a halving tree
// (strides 32, 16 ... 1) adds the lanes. Forms:
//   groups   a group of 64 or 256 items has a few rows; an item some lanes of one, neighbours in k
//            or in m, as a is contiguous; the tree is in local memory
//   rows     an item has a row, or 16 neighbours of one batch; lanes are vectors
// Needs: a lanes product (opencl/product_source.hpp). Leaves: rows of all batches in any order.
#pragma once

#include <weft/opencl/product_source.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr std::string_view lane_group_constants =
    R"(enum { rows = @rows, items_each = @items, lanes_each = 64 / items_each };
)";
inline constexpr std::string_view lane_group_body = R"(  __local sum lanes[rows][64 + 1];
  const int item = get_local_id(0);
  const int r = @row, first = @first;
  const index all = (index)get_group_id(0) * rows + r, clamped = min(all, z_m - 1);
  const index i = clamped % m;
@batch@row_of_a
  sum c[lanes_each];
  #pragma unroll
  for (int e = 0; e < lanes_each; ++e) c[e] = 0;
  index p0 = 0;
  #pragma unroll 4
  for (; p0 + 64 <= k; p0 += 64)
    #pragma unroll
    for (int e = 0; e < lanes_each; ++e) {
      const index p = p0 + first + e * items_each;
      c[e] = @step;
    }
  #pragma unroll
  for (int e = 0; e < lanes_each; ++e) {
    const index p = p0 + first + e * items_each;
    if (p < k) c[e] = @step;
    lanes[r][first + e * items_each] = c[e];
  }
  for (int apart = 32; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int lane = first; lane < apart; lane += items_each)
      lanes[r][lane] = lanes[r][lane] + lanes[r][lane + apart];
  }
  if (first == 0 && all < z_m) @store
)";

// `left` and `right` are what 64 steps multiply; the vectors of `c` are lanes of one row.
inline constexpr std::string_view lane_row_body = R"(  const index all = get_group_id(0);
  const index i = all % m;
@batch@row_of_a
  sum_n c[64 / width];
  #pragma unroll
  for (int v = 0; v < 64 / width; ++v) c[v] = (sum_n)(0);
  index p0 = 0;
  for (; p0 + 64 <= k; p0 += 64) {
    sum left[64], right[64];
    #pragma unroll
    for (int e = 0; e < 64; ++e) {
      const index p = p0 + e;
      left[e] = @left;
      right[e] = @right;
    }
    #pragma unroll
    for (int v = 0; v < 64 / width; ++v)
      c[v] = @steps;
  }
  sum lanes[64];
  #pragma unroll
  for (int v = 0; v < 64 / width; ++v) vstore@width(c[v], v, lanes);
  for (index p = p0; p < k; ++p) lanes[p - p0] = @tail;
  for (int apart = 32; apart > 0; apart /= 2)
    for (int lane = 0; lane < apart; ++lane) lanes[lane] = lanes[lane] + lanes[lane + apart];
  @store
)";

// The vectors of `c[lane]` are one lane of `strip` rows: short ones would use little of each page.
inline constexpr std::string_view lane_column_body =
    R"(  const index across = (m + strip - 1) / strip, group = get_group_id(0);
  const index i_first = group % across * strip;
@batch
  sum_n c[64][strip / width];
  for (int lane = 0; lane < 64; ++lane)
    for (int v = 0; v < strip / width; ++v) c[lane][v] = (sum_n)(0);
  sum left[strip];
  for (index p = 0; p < k; ++p) {
    const index at_k = @a_k;
    if (i_first + strip <= m) {
      for (int r = 0; r < strip; ++r) left[r] = @whole;
    } else {
      for (int r = 0; r < strip; ++r) left[r] = @clamped;
    }
    const sum_n right = (sum_n)(@right);
    for (int v = 0; v < strip / width; ++v)
      c[p % 64][v] = @steps;
  }
  for (int apart = 32; apart > 0; apart /= 2)
    for (int lane = 0; lane < apart; ++lane)
      for (int v = 0; v < strip / width; ++v) c[lane][v] = c[lane][v] + c[lane + apart][v];
  for (int v = 0; v < strip / width; ++v) vstore@width(c[0][v], v, left);
  for (int r = 0; r < strip && i_first + r < m; ++r) {
    const index i = i_first + r;
    @store
  }
)";

class lanes_source {
public:
  using side = product_side;

  explicit lanes_source(product_source& s) : s_(s) {
    for (char list : {'m', 'k'}) s.count(list);
  }
  // Is a read along its rows, not along k?
  bool down_rows() const { return s_.contiguous(side::a, 'm') && !s_.contiguous(side::a, 'k'); }

  // `rows` rows a group, 64 * rows / lanes of one item items.
  opencl::kernel_text groups(int rows, int items) {
    bool const down = down_rows();
    std::string const at_a = s_.at(side::a, 'k', "p"), at_b = s_.at(side::b, 'k', "p");
    s_.number("z_m", s_.axes('z').count() * s_.axes('m').count());
    std::string const body = filled(lane_group_body,
                                    {{"row", down ? "item % rows" : "item / items_each"},
                                     {"first", down ? "item / rows" : "item % items_each"},
                                     {"batch", s_.move_to_batch("clamped / m")},
                                     {"row_of_a", s_.move(side::a, 'm', "i")},
                                     {"step", s_.step(load('a', at_a), load('b', at_b), "c[e]")},
                                     {"store", s_.store("i", "0", "lanes[r][0]")}});
    return s_.kernel(rows * items,
                     filled(lane_group_constants,
                            {{"rows", std::to_string(rows)}, {"items", std::to_string(items)}}),
                     body);
  }
  opencl::kernel_text rows(int width) {
    std::string const at_a = s_.at(side::a, 'k', "p"), at_b = s_.at(side::b, 'k', "p");
    std::string const vload = "vload" + std::to_string(width);
    std::string const body = filled(
        lane_row_body, {{"batch", s_.move_to_batch("all / m")},
                        {"row_of_a", s_.move(side::a, 'm', "i")},
                        {"left", load('a', at_a)},
                        {"right", load('b', at_b)},
                        {"steps", s_.step(vload + "(v, left)", vload + "(v, right)", "c[v]")},
                        {"tail", s_.step(load('a', at_a), load('b', at_b), "lanes[p - p0]")},
                        {"width", std::to_string(width)},
                        {"store", s_.store("i", "0", "lanes[0]")}});
    return s_.kernel(1, vector_constants(width), body);
  }
  // `strip` rows an item.
  opencl::kernel_text columns(int width, int strip) {
    std::string const vload = "vload" + std::to_string(width) + "(v, left)";
    std::string const whole = s_.at(side::a, 'm', "(i_first + r)");
    std::string const clamped = s_.at(side::a, 'm', "min(i_first + r, m - 1)");
    std::string const body = filled(lane_column_body,
                                    {{"batch", s_.move_to_batch("group / across")},
                                     {"a_k", s_.at(side::a, 'k', "p")},
                                     {"whole", load('a', whole + " + at_k")},
                                     {"clamped", load('a', clamped + " + at_k")},
                                     {"right", load('b', s_.at(side::b, 'k', "p"))},
                                     {"steps", s_.step(vload, "right", "c[p % 64][v]")},
                                     {"width", std::to_string(width)},
                                     {"store", s_.store("i", "0", "left[r]")}});
    std::string const constants = "enum { strip = " + std::to_string(strip) + " };\n";
    return s_.kernel(1, vector_constants(width) + constants, body);
  }

private:
  static std::string load(char array, std::string const& at) {
    return std::string("load_") + array + '(' + array + ", " + at + ')';
  }
  std::string vector_constants(int width) const {
    return "typedef " + s_.sum() + std::to_string(width) +
           " sum_n;\nenum { width = " + std::to_string(width) + " };\n";
  }

  product_source& s_;
};

} // namespace detail
} // namespace weft::inline v0

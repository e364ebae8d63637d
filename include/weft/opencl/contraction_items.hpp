// SPDX-License-Identifier: BSL-1.0
// Products in chain order that are too small for tiles, and any others: an item has an element of
// out, and one loop per axis of k. Needs: a chain product (opencl/product_source.hpp). Leaves: k in
// order.
#pragma once

#include <weft/opencl/product_source.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr std::string_view item_body = R"(  const index all = get_global_id(0);
  if (all >= z_m_n) return;
  const index i = all / n % m, j = all % n;
@batch@row_of_a@column_of_b  sum c = @first;
@loops  c = @step;
  @store
)";

class item_source {
public:
  using side = product_side;

  explicit item_source(product_source& s) : s_(s) {
    for (char list : {'m', 'n'}) s.count(list);
    s.number("z_m_n", s.numbers_of().count());
  }
  opencl::kernel_text kernel(extent group) {
    replacements by = {{"batch", s_.move_to_batch("all / n / m")},
                       {"row_of_a", s_.move(side::a, 'm', "i")},
                       {"column_of_b", s_.move(side::b, 'n', "j")},
                       {"first", s_.first("i", "j")},
                       {"loops", loops()}};
    std::string const a = "load_a(a, " + at_k(side::a) + ')',
                      b = "load_b(b, " + at_k(side::b) + ')';
    by.emplace_back("step", s_.step(a, b, "c"));
    by.emplace_back("store", s_.store("i", "j", "c"));
    return s_.kernel(group, "", filled(item_body, by));
  }

private:
  // for (index p0 = 0; ... over each axis of k.
  std::string loops() {
    std::string r;
    product_axes const& k = s_.axes('k');
    for (int i = 0; i < k.rank; ++i) {
      std::string const p = 'p' + std::to_string(i);
      std::string const size = s_.number('k' + std::to_string(i), k.d[i].size);
      if (i + 1 == k.rank) r += "  #pragma unroll 8\n"; // reads ahead of the chain
      r += "  for (index " + p + " = 0; " + p + " < " + size + "; ++" + p + ")\n";
    }
    return k.rank > 0 ? r + "  " : r;
  }
  std::string at_k(side of) {
    std::string r = "0";
    for (int i = 0; i < s_.axes('k').rank; ++i)
      r = sum_of(r, s_.along(of, 'k', i, 'p' + std::to_string(i)));
    return r;
  }

  product_source& s_;
};

} // namespace detail
} // namespace weft::inline v0

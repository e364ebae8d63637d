// SPDX-License-Identifier: BSL-1.0
// Operands that are shapes or other lists of numbers. They are read from the nodes that make them:
// constants, extents (get_dimension_size), products and quotients of these, an extent and a number, and
// what converts, reshapes, slices and joins them.
// Needs: import_shapes.hpp. Leaves: extents, of which equal ones are equal; nothing is recorded.
#pragma once

#include <weft/stablehlo/import_shapes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

inline constexpr int most_shape_nodes = 512; // between a shape and its extents

class shape_reader {
public:
  // Names and numbers from 0 on; or any numbers, and no name: names are numbers below 0.
  constexpr shape_reader(importing& c, bool names) : c_(c), g_(c.r.result), names_(names) {}

  // The numbers of a scalar or a list, as products of numbers and names. False: made otherwise.
  constexpr bool read(int id, growing<extents>& out) {
    if (++visits_ > most_shape_nodes) return false;
    if (extent const e = c_.known_extent(id); e != dynamic_extent)
      return out.push({1, {e}}), names_ || !is_named(e);
    node const& n = g_.nodes[id];
    extents const s = g_.shape(id);
    if (s.rank > 1 || !is_static(s) || count_of(s) > most_imported_numbers || !is_integer(n.type))
      return false;
    switch (n.code) {
      case op::constant: return constant(n, static_cast<int>(count_of(s)), out);
      case op::convert:
      case op::reshape:
      case op::broadcast: return same(id, s, out);
      case op::concat: {
        for (int k = 0; k < n.operand_count; ++k)
          if (!read(operand(n, k), out)) return false;
        return true;
      }
      case op::slice: return slice(n, s, out);
      case op::mul: return product(n, out);
      case op::add:
        return sum(operand(n, 0), operand(n, 1), 1, out) ||
               sum(operand(n, 1), operand(n, 0), 1, out);
      case op::sub: return sum(operand(n, 0), operand(n, 1), -1, out);
      case op::maximum: return largest(n, out);
      case op::div: return quotient(n, out);
      case op::parameter: { // of a loop's or a branch's body
        int const outer = c_.r.captured_value(id);
        return outer >= 0 && read(outer, out);
      }
      default: return false;
    }
  }

private:
  constexpr int operand(node const& n, int k) const { return g_.operands[n.first_operand + k]; }
  constexpr bool constant(node const& n, int count, growing<extents>& out) const {
    extent const at = g_.attributes[n.first_attribute];
    for (int i = 0; i < count; ++i) {
      word const w = n.attribute_count == 1 ? static_cast<word>(at)
                                            : g_.constants[static_cast<int>(at) + i];
      extent const number = number_of_word(w, n.type);
      if (!is_modest(number) || (names_ && number < 0)) return false;
      out.push({1, {number}});
    }
    return true;
  }
  constexpr bool same(int id, extents const& to, growing<extents>& out) {
    node const& n = g_.nodes[id];
    int const from = operand(n, 0), before = out.size();
    if (!read(from, out)) return false;
    int const count = static_cast<int>(count_of(to));
    if (out.size() - before == 1 && n.code == op::broadcast)
      for (int i = 1; i < count; ++i) out.push(extents(out[before]));
    return out.size() - before == count;
  }
  constexpr bool slice(node const& n, extents const& to, growing<extents>& out) {
    growing<extents> whole;
    if (!read(operand(n, 0), whole) || whole.size() != count_of(g_.shape(operand(n, 0))))
      return false;
    extent const first = g_.attributes[n.first_attribute],
                 step = g_.attributes[n.first_attribute + 2];
    for (extent i = 0; i < to[0]; ++i) out.push(extents(whole[static_cast<int>(first + i * step)]));
    return true;
  }
  constexpr bool product(node const& n, growing<extents>& out) {
    growing<extents> a, b;
    if (!read(operand(n, 0), a) || !read(operand(n, 1), b) || a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i) {
      extents all = a[i];
      if (all.rank + b[i].rank > max_rank) return false;
      for (int k = 0; k < b[i].rank; ++k) all.push(b[i][k]);
      if (weft::detail::elements_of(all) < 0) return false;
      out.push(all);
    }
    return true;
  }
  // x + sign y, where y is numbers.
  constexpr bool sum(int x, int y, extent sign, growing<extents>& out) {
    growing<extents> a, b, all;
    if (!numbers(y, b) || !read(x, a) || a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i) {
      if (a[i].rank != 1 || b[i].rank != 1) return false;
      extent const by = sign * b[i][0];
      extent const e = is_named(a[i][0]) && names_ ? moved_extent(c_, a[i][0], by) : a[i][0] + by;
      if (names_ && !is_named(a[i][0]) && e < 0) return false;
      all.push({1, {e}});
    }
    out.append(all);
    return true;
  }
  // Of numbers.
  constexpr bool largest(node const& n, growing<extents>& out) {
    growing<extents> a, b, all;
    if (!numbers(operand(n, 0), a) || !numbers(operand(n, 1), b) || a.size() != b.size())
      return false;
    for (int i = 0; i < a.size(); ++i) {
      if (!is_static(a[i]) || !is_static(b[i])) return false;
      extent const x = count_of(a[i]), y = count_of(b[i]);
      all.push({1, {x > y ? x : y}});
    }
    out.append(all);
    return true;
  }
  // A product by a number that divides its numbers, as the exporter writes what is left of a reshape.
  constexpr bool quotient(node const& n, growing<extents>& out) {
    growing<extents> a, b, all;
    if (!numbers(operand(n, 1), b) || !read(operand(n, 0), a) || a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i) {
      if (!is_static(b[i]) || (!names_ && !is_static(a[i]))) return false;
      extent const by = count_of(b[i]), number = weft::detail::product_of_numbers(a[i]);
      if (by < 1 || number % by != 0) return false;
      extents rest;
      for (int k = 0; k < a[i].rank; ++k)
        if (is_named(a[i][k])) rest.push(a[i][k]);
      if (rest.rank == 0 || number != by) rest.push(number / by);
      all.push(rest);
    }
    out.append(all);
    return true;
  }
  constexpr bool numbers(int id, growing<extents>& out) {
    bool const before = std::exchange(names_, false);
    bool const read_all = read(id, out);
    names_ = before;
    return read_all;
  }

  importing& c_;
  graph const& g_;
  bool names_;
  int visits_ = 0;
};

// Operand k as a list: of extents, or of numbers.
constexpr growing<extent> list_in(importing& c, operation const& o, int k, bool names) {
  growing<extents> read;
  growing<extent> list;
  handle const h = c.in(o, k);
  if (!c.ok()) return list;
  if (h.shape().rank != 1 || !shape_reader(c, names).read(h.id, read)) {
    c.fail(o, message("operand ")
                  .add(k)
                  .add(names ? " is made of more than constants, extents and their products"
                             : " is no list of constants"));
    return list;
  }
  for (extents const& e : read) list.push(e.rank == 1 ? e[0] : product_extent(e));
  return list;
}
constexpr extents shape_in(importing& c, operation const& o, int k) {
  growing<extent> const list = list_in(c, o, k, true);
  extents s;
  if (c.ok() && list.size() > max_rank) c.fail(o, "more than 8 axes");
  for (int i = 0; i < list.size() && c.ok(); ++i) s.push(list[i]);
  return is_buildable(c, o, s) ? s : extents{};
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

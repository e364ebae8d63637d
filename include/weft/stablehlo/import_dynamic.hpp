// SPDX-License-Identifier: BSL-1.0
// Operations whose shapes are operands. A shape is read from the nodes that make it: constants,
// extents (get_dimension_size), their products, and what converts, reshapes, slices and joins these.
// Needs: import_index.hpp, import_products.hpp, import_shapes.hpp. Leaves: the nodes of the operations
// without `dynamic_`; a shape that is made otherwise is refused.
#pragma once

#include <weft/stablehlo/import_index.hpp>
#include <weft/stablehlo/import_products.hpp>
#include <weft/stablehlo/import_shapes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

inline constexpr int most_shape_nodes = 512; // between a shape and its extents

class shape_reader {
public:
  // Names and numbers from 0 on; or any numbers, and no name: names are numbers below 0.
  constexpr shape_reader(importing const& c, bool names) : c_(c), g_(c.r.result), names_(names) {}

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

  importing const& c_;
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

constexpr void import_dynamic_broadcast(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  extents const to = shape_in(c, o, 1);
  growing<extent> const map = numbers_of(c, o, "broadcast_dimensions");
  if (c.ok()) c.give(o, spread(c, o, c.in(o, 0), map, to));
}
constexpr void import_dynamic_reshape(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  extents const to = shape_in(c, o, 1);
  handle const x = c.in(o, 0);
  if (c.ok() && !may_have_same_count(x.shape(), to)) {
    message words("the elements of ");
    c.fail(o, words.add(x.shape()).add(" do not make ").add(to));
  }
  if (c.ok()) c.give(o, reshape(x, to));
}
constexpr void import_dynamic_iota(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  extents const to = shape_in(c, o, 0);
  int const axis = axis_of(c, o, "iota_dimension", to.rank);
  if (check_element(c, o, op::iota, c.result_type(o).element))
    c.give(o, iota(c.r, c.result_type(o).element, to, axis));
}
constexpr void import_dynamic_pad(importing& c, operation const& o) {
  if (!c.takes(o, 5, 1)) return;
  handle const x = c.in(o, 0), filler = c.in(o, 1);
  growing<extent> pads;
  for (int k = 2; k < 5; ++k) {
    growing<extent> const list = list_in(c, o, k, false);
    if (c.ok() && list.size() != x.shape().rank) c.fail(o, "padding has not every axis");
    pads.append(list);
  }
  if (c.ok() && check_filler(c, o, x, filler)) c.give(o, padded_with(c, o, x, filler, pads));
}
constexpr void import_dynamic_gather(importing& c, operation const& o) {
  if (!c.takes(o, 3, 1)) return;
  growing<extent> const window = list_in(c, o, 2, true);
  if (c.ok()) record_gather(c, o, window);
}
constexpr void import_dynamic_conv(importing& c, operation const& o) {
  if (!c.takes(o, 3, 1)) return;
  weft::detail::conv_notation n;
  if (!conv_numbers(c, o, n)) return;
  growing<extent> pads;
  handle const h = c.in(o, 2);
  // A table of pairs is read as it stands.
  graph const& g = c.r.result;
  node const table = g.nodes[h.id];
  extents const s = g.shape(h.id);
  bool const known = table.code == op::constant && s == extents{2, {n.spatial, 2}};
  for (int i = 0; i < 2 * n.spatial && known; ++i) {
    extent const at = g.attributes[table.first_attribute];
    word const w = table.attribute_count == 1 ? static_cast<word>(at)
                                              : g.constants[static_cast<int>(at) + i];
    pads.push(number_of_word(w, table.type));
  }
  if (!known) return c.fail(o, "padding is read where it is a constant");
  if (are_steps(c, o, "padding", pads, -most_step)) record_convolution(c, o, pads, n);
}
// Bounds that are numbers, or an axis' own extent; else starts of a window whose shape is known.
constexpr void import_real_dynamic_slice(importing& c, operation const& o) {
  if (!c.takes(o, 4, 1)) return;
  handle const x = c.in(o, 0);
  extents const s = x.shape();
  growing<extents> bounds;
  bool known = true;
  for (int k = 1; k < 4; ++k) {
    handle const list = c.in(o, k);
    if (!(list.shape() == extents{1, {s.rank}})) return c.fail(o, "bounds have not every axis");
    known = known && shape_reader(c, true).read(list.id, bounds);
  }
  growing<extent> all;
  for (extents const& e : bounds) all.push(e.rank == 1 ? e[0] : product_extent(e));
  for (int i = 0; i < s.rank && known; ++i) {
    extent const start = all[i], limit = all[s.rank + i], stride = all[2 * s.rank + i];
    bool const whole = takes_whole(s[i], start, limit, stride);
    bool const numbers = start >= 0 && limit >= start && stride >= 1 &&
                         (is_named(s[i]) || limit <= s[i]);
    known = whole || numbers;
  }
  if (known) return c.give(o, slice(x, all));
  extents const window = written_shape(c, o);
  growing<extents> strides;
  bool single = shape_reader(c, true).read(c.in(o, 3).id, strides);
  for (extents const& e : strides) single = single && e == extents{1, {1}};
  if (!single) return c.fail(o, "bounds that only the run knows are read with strides of 1");
  if (!check_index(c, o, c.in(o, 1)) || !fits_inside(c, o, window, s)) return;
  growing<handle> starts;
  handle const first = as_index(c.in(o, 1));
  for (int i = 0; i < s.rank; ++i) starts.push(reshape(slice_axis(first, 0, i, 1), {}));
  c.give(o, dynamic_slice(x, window, starts));
}

constexpr bool import_dynamic(importing& c, operation const& o) {
  switch (o.what) {
    case code::get_dimension_size: return import_get_dimension_size(c, o), true;
    case code::dynamic_broadcast_in_dim: return import_dynamic_broadcast(c, o), true;
    case code::dynamic_reshape: return import_dynamic_reshape(c, o), true;
    case code::dynamic_iota: return import_dynamic_iota(c, o), true;
    case code::dynamic_pad: return import_dynamic_pad(c, o), true;
    case code::dynamic_gather: return import_dynamic_gather(c, o), true;
    case code::dynamic_conv: return import_dynamic_conv(c, o), true;
    case code::real_dynamic_slice: return import_real_dynamic_slice(c, o), true;
    default: return false;
  }
}

} // namespace detail
} // namespace weft::inline v0::stablehlo

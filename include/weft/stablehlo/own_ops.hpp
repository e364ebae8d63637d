// SPDX-License-Identifier: BSL-1.0
// weft's ops that StableHLO lacks, or has with another meaning, stand in a module as
//   stablehlo.composite "weft.<op>" %a, %b {composite_attributes = {axes = [0], ...},
//                                           decomposition = @weft.<op>, version = 1}
// and of named extents, which XLA does not carry into composites, as
//   func.call @weft.<op>(%a, %b) {weft.own = {composite_attributes = ..., name = ..., version = 1}}
// Other tools run the decomposition, which is made of standard operations; weft reads the node back.
// The attributes of the composite are those of the node, under the names of the table below; an op
// that is not in it has none, and its name is that of the op table.
// Leaves: `own_attributes` writes them, `own_node_of` reads them, `import_own_op` records
// the node.
#pragma once

#include <weft/graph/gather_dims.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/results.hpp>
#include <weft/stablehlo/module_ops.hpp>

namespace weft::inline v0::stablehlo {

inline constexpr int own_version = 1;

namespace detail {

// How a field of a composite says attributes of a node.
enum class own_form : std::uint8_t {
  none,
  number, // one
  axes,   // one, a set of axes: the list of them
  part,   // as many as each other `part`
  rest,   // all that follow
  label   // all that follow, as the text that observe prints
};
struct own_field {
  char const* name = nullptr;
  own_form form = own_form::none;
};
inline constexpr int most_own_fields = 8;
struct own_op {
  op code{};
  own_field fields[most_own_fields]{};
};
inline constexpr own_op own_ops[] = {
    {op::window,
     {{"axes", own_form::part},
      {"sizes", own_form::part},
      {"strides", own_form::part},
      {"dilations", own_form::part}}},
    {op::gather,
     {{"drop", own_form::number},
      {"combine", own_form::number},
      {"window_axes", own_form::axes},
      {"collapsed_axes", own_form::axes},
      {"index_axis", own_form::number},
      {"batches", own_form::number},
      {"mapped", own_form::number},
      {"axes_and_window", own_form::rest}}},
    {op::arg_sort, {{"axis", own_form::number}, {"descending_keys", own_form::axes}}},
    {op::arg_reduce, {{"axes", own_form::axes}, {"smallest", own_form::number}}},
    {op::observe, {{"observation", own_form::number}, {"label", own_form::label}}},
    {op::contract,
     {{"order", own_form::number},
      {"operands", own_form::number},
      {"rank_a", own_form::number},
      {"rank_b", own_form::number},
      {"labels", own_form::rest}}},
    {op::convolve,
     {{"bias", own_form::number},
      {"rank_x", own_form::number},
      {"rank_w", own_form::number},
      {"windows", own_form::number},
      {"windows_and_labels", own_form::rest}}},
};
// overlap_add and scatter have the attributes of window and gather, whose adjoints they are.
constexpr own_op const* find_own_op(op code) {
  if (code == op::overlap_add) code = op::window;
  if (code == op::scatter) code = op::gather;
  for (own_op const& o : own_ops)
    if (o.code == code) return &o;
  return nullptr;
}

// "weft." and the op's name.
struct own_name {
  char text[48] = "weft.";

  constexpr explicit own_name(op code) {
    int size = 5;
    for (char const* c = info_of(code).name; *c != '\0'; ++c) text[size++] = *c;
  }
};
constexpr int field_length(own_op const& o, int field, int left, int all) {
  switch (o.fields[field].form) {
    case own_form::number:
    case own_form::axes: return 1;
    case own_form::part: return all / 4; // window's four lists
    default: return left;
  }
}

} // namespace detail

// The attributes of a node as those of its composite.
constexpr growing<attribute> own_attributes(detail::module_writer& w, op code, view<extent> node) {
  growing<attribute> r;
  detail::own_op const* const o = detail::find_own_op(code);
  if (o == nullptr) return r;
  int at = 0;
  for (int f = 0; f < detail::most_own_fields && o->fields[f].form != detail::own_form::none; ++f) {
    char const* const name = o->fields[f].name;
    int const length = detail::field_length(*o, f, node.size() - at, node.size());
    view<extent> const own = node.part(at, length);
    switch (o->fields[f].form) {
      case detail::own_form::number: r.push(w.integer(name, own[0])); break;
      case detail::own_form::axes: r.push(w.integers(name, detail::axes_of(own[0]))); break;
      case detail::own_form::label:
        r.push(w.string(name, weft::detail::observed_label(node).text));
        break;
      default: r.push(w.integers(name, own));
    }
    at += length;
  }
  return r;
}

namespace detail {
// The elements of a list of integers, in whatever form it was read.
constexpr bool read_integers(module_ir const& m, attribute const& a, growing<extent>& out) {
  if (a.kind == attribute_kind::list) {
    for (int i = 0; i < a.count; ++i) {
      if (m.attributes[a.first + i].kind != attribute_kind::integer) return false;
      out.push(m.attributes[a.first + i].integer);
    }
    return true;
  }
  if (a.kind != attribute_kind::numbers || m.types[a.type].shape.rank != 1) return false;
  for (int i = 0; i < static_cast<int>(m.types[a.type].shape[0]); ++i)
    out.push(static_cast<extent>(m.element(a, i)));
  return true;
}
constexpr bool read_label(module_ir const& m, attribute const& a, extent what,
                          growing<extent>& out) {
  if (a.kind != attribute_kind::string || a.text.count > weft::detail::most_label) return false;
  char label[weft::detail::most_label + 1]{};
  for (int i = 0; i < a.text.count; ++i) label[i] = m.text(a.text)[i];
  growing<extent> const all = weft::detail::encode(static_cast<observation>(what), label);
  for (int i = 1; i < all.size(); ++i) out.push(all[i]);
  return true;
}
constexpr bool read_field(module_ir const& m, attribute const& a, own_form form,
                          growing<extent>& out) {
  growing<extent> numbers;
  switch (form) {
    case own_form::number:
      if (a.kind != attribute_kind::integer) return false;
      out.push(a.integer);
      return true;
    case own_form::label: return read_label(m, a, out.empty() ? 0 : out[0], out);
    case own_form::axes: {
      if (!read_integers(m, a, numbers)) return false;
      extent set = 0;
      for (extent axis : numbers) {
        if (axis < 0 || axis >= 62) return false;
        set |= extent{1} << axis;
      }
      out.push(set);
      return true;
    }
    default: return read_integers(m, a, out);
  }
}
} // namespace detail

struct own_node {
  bool found = false; // false: no op of weft's, or attributes that it does not have
  op code{};
  growing<extent> attributes;
};
// Which node attributes [first, first + count) stand for, a composite's or those of weft.own. They are
// as many and of the kinds as the table says; whether they fit the operands is verify's matter.
constexpr own_node own_node_of(module_ir const& m, int first, int count) {
  own_node r;
  attribute const* const name = m.find(first, count, "name");
  if (name == nullptr) return r;
  int code = 0;
  while (code < op_count && !m.is(name->text, detail::own_name(static_cast<op>(code)).text)) ++code;
  if (code == op_count) return r;
  r.code = static_cast<op>(code);
  attribute const* const version = m.find(first, count, "version");
  if (version != nullptr && version->integer != own_version) return r;
  detail::own_op const* const o = detail::find_own_op(r.code);
  if (o == nullptr) {
    r.found = is_elementwise(r.code);
    return r;
  }
  attribute const* const all = m.find(first, count, "composite_attributes");
  if (all == nullptr) return r;
  for (int f = 0; f < detail::most_own_fields && o->fields[f].form != detail::own_form::none; ++f) {
    attribute const* const a = m.find(*all, o->fields[f].name);
    if (a == nullptr || !detail::read_field(m, *a, o->fields[f].form, r.attributes)) return r;
  }
  r.found = true;
  return r;
}

// The results of the node, of this type and shape.
constexpr growing<handle> import_own_op(own_node const& n, recorder& r, view<handle> operands,
                                        dtype type, extents const& shape) {
  growing<handle> results;
  handle const h = r.emit(n.code, type, shape, operands, n.attributes);
  if (!has_several_results(n.code)) results.push(h);
  else
    for (int i = 0; i < 2; ++i) results.push(get(h, i, type, shape));
  return results;
}

} // namespace weft::inline v0::stablehlo

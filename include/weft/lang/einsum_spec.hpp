// SPDX-License-Identifier: BSL-1.0
// The text of an einsum, read and checked at compile time, for both doors: "bi,ih->bh".
// Grammar: one or two operands of letters, a comma between, "->", the output's letters; spaces are
// skipped. Not yet: a letter twice in one operand, ellipses, a missing output, three operands.
// Needs: shape_rules.hpp. Leaves: check_einsum<Spec, shapes...>() gives at most one error, which
// shows the position, the label with both extents, or the label count with the rank.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {
namespace detail {

enum class einsum_error : std::uint8_t {
  sound,
  character,
  ellipsis,
  no_output,
  operand_count,
  label_count,
  repeated_in_operand,
  repeated_in_output,
  unknown_in_output
};

struct einsum_labels {
  int rank = 0;
  char label[max_rank]{};

  constexpr int find(char c) const {
    for (int i = 0; i < rank; ++i)
      if (label[i] == c) return i;
    return -1;
  }
};

struct einsum_spec {
  einsum_error error = einsum_error::sound;
  int position = 0; // of the error, in the text
  int operands = 1;
  einsum_labels in[2], out;

  constexpr bool known(char c) const { return in[0].find(c) >= 0 || in[1].find(c) >= 0; }
  constexpr einsum_spec failed(einsum_error e, int at) const {
    einsum_spec r = *this;
    r.error = e;
    r.position = at;
    return r;
  }
  // Where the text has this error; -1: it has not.
  constexpr int at(einsum_error e) const { return error == e ? position : -1; }
};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr einsum_spec parse_einsum(text spec) {
  using enum einsum_error;
  einsum_spec r;
  bool in_output = false;
  for (int i = 0; i < spec.size(); ++i) {
    char c = spec[i];
    if (c == ' ') continue;
    if (c == '.') return r.failed(ellipsis, i);
    if (c == ',') {
      if (in_output) return r.failed(character, i);
      if (++r.operands > 2) return r.failed(operand_count, i);
    } else if (c == '-' && spec.peek(i + 1) == '>' && !in_output) {
      in_output = true;
      ++i;
    } else if (!is_letter(c)) return r.failed(character, i);
    else {
      einsum_labels& labels = in_output ? r.out : r.in[r.operands - 1];
      if (labels.find(c) >= 0)
        return r.failed(in_output ? repeated_in_output : repeated_in_operand, i);
      if (in_output && !r.known(c)) return r.failed(unknown_in_output, i);
      if (labels.rank == max_rank) return r.failed(label_count, i);
      labels.label[labels.rank++] = c;
    }
  }
  return in_output ? r : r.failed(no_output, spec.size());
}

template <fixed_string Spec> inline constexpr einsum_spec einsum_of = parse_einsum(Spec);

// Position counts from 0; -1 is no error.
template <fixed_string Spec, int Position> concept readable_to_the_end = Position < 0;
template <fixed_string Spec, int Terms, int Operands>
concept one_operand_per_term = Terms == Operands;
template <int Labels, class S> concept one_label_per_axis = Labels == S::rank;
// A and B are the label's extents in two places. (Over a variable: compilers then print the label.)
template <char Label, class A, class B> inline constexpr bool label_agrees = A::value == B::value;
template <char Label, class A, class B> concept one_extent_per_label = label_agrees<Label, A, B>;

struct einsum_clash {
  char label = '\0';
  extents a, b; // rank 1: the extents
};
constexpr einsum_clash clash_of(einsum_spec const& e, extents const& a, extents const& b) {
  for (int i = 0; i < e.in[0].rank; ++i) {
    int j = e.in[1].find(e.in[0].label[i]);
    if (j >= 0 && a[i] != b[j]) return {e.in[0].label[i], {1, {a[i]}}, {1, {b[j]}}};
  }
  return {};
}

template <class... S> consteval extents nth_shape(int k) {
  extents const all[] = {S::value..., {}};
  return all[k];
}
// At most one error; false after it.
template <fixed_string Spec, class... S> consteval bool check_einsum() {
  using enum einsum_error;
  constexpr einsum_spec e = einsum_of<Spec>;
  static_assert(readable_to_the_end<Spec, e.at(character)>,
                "weft: einsum: a character that is not a letter, ',' or '->'; write \"ij,jk->ik\"");
  static_assert(readable_to_the_end<Spec, e.at(ellipsis)>,
                "weft: einsum: ellipses are not supported yet; name every axis");
  static_assert(readable_to_the_end<Spec, e.at(no_output)>,
                "weft: einsum: the output is missing; write \"ij,jk->ik\"");
  static_assert(readable_to_the_end<Spec, e.at(operand_count)>,
                "weft: einsum: more than two operands are not supported yet; nest two calls");
  static_assert(readable_to_the_end<Spec, e.at(label_count)>,
                "weft: einsum: an operand has at most 8 labels");
  static_assert(
      readable_to_the_end<Spec, e.at(repeated_in_operand)>,
      "weft: einsum: a label twice in one operand is not supported yet; take the diagonal first");
  static_assert(readable_to_the_end<Spec, e.at(repeated_in_output)>,
                "weft: einsum: a label twice in the output; write it once");
  static_assert(readable_to_the_end<Spec, e.at(unknown_in_output)>,
                "weft: einsum: an output label that is in no operand; take it away");
  if constexpr (e.error != sound) return false;
  else {
    constexpr int given = static_cast<int>(sizeof...(S));
    static_assert(one_operand_per_term<Spec, e.operands, given>,
                  "weft: einsum: the text has another number of operands");
    if constexpr (e.operands != given) return false;
    else {
      constexpr extents a = nth_shape<S...>(0), b = nth_shape<S...>(1);
      constexpr bool ranks = e.in[0].rank == a.rank && e.in[1].rank == b.rank;
      static_assert(one_label_per_axis<e.in[0].rank, shape_of_value<a>>,
                    "weft: einsum: operand 0 has another number of axes than labels");
      static_assert(one_label_per_axis<e.in[1].rank, shape_of_value<b>>,
                    "weft: einsum: operand 1 has another number of axes than labels");
      constexpr einsum_clash c = ranks ? clash_of(e, a, b) : einsum_clash{};
      using first = shape_of_value<c.a>;
      using second = shape_of_value<c.b>;
      static_assert(one_extent_per_label<c.label, first, second>,
                    "weft: einsum: a label has two extents");
      return ranks && one_extent_per_label<c.label, first, second>;
    }
  }
}

// The shape of the output.
constexpr extents einsum_shape(einsum_spec const& e, extents const& a, extents const& b) {
  extents r;
  for (int i = 0; i < e.out.rank; ++i) {
    int at = e.in[0].find(e.out.label[i]);
    r.push(at >= 0 ? a[at] : b[e.in[1].find(e.out.label[i])]);
  }
  return r;
}
// The axes of operand k that nothing else names: summed before the product.
constexpr extent einsum_lonely(einsum_spec const& e, int k) {
  extent set = 0;
  for (int i = 0; i < e.in[k].rank; ++i) {
    char c = e.in[k].label[i];
    if (e.out.find(c) < 0 && e.in[1 - k].find(c) < 0) set |= extent{1} << i;
  }
  return set;
}
constexpr einsum_labels without(einsum_labels const& l, extent set) {
  einsum_labels r;
  for (int i = 0; i < l.rank; ++i)
    if (!has_axis(set, i)) r.label[r.rank++] = l.label[i];
  return r;
}
// The product that is left when lonely axes are gone; the order is the caller's.
constexpr contraction einsum_contraction(einsum_spec const& e) {
  einsum_labels a = without(e.in[0], einsum_lonely(e, 0));
  einsum_labels b = without(e.in[1], einsum_lonely(e, 1));
  contraction c{.rank_a = a.rank, .rank_b = b.rank, .rank_out = e.out.rank};
  for (int i = 0; i < a.rank; ++i) c.a[i] = a.label[i];
  for (int i = 0; i < b.rank; ++i) c.b[i] = b.label[i];
  for (int i = 0; i < e.out.rank; ++i) c.out[i] = e.out.label[i];
  return c;
}

} // namespace detail
} // namespace weft::inline v0

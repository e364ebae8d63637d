// SPDX-License-Identifier: BSL-1.0
// An einsum with shapes: the labels of every axis, ellipses spelled out, the output's shape, and
// the order in which operands meet. Plain functions of values: the typed door makes the plan a
// constant, tests and tools call them at run time.
//   einsum_plan p = plan_einsum("...ij,...jk->...ik", shapes)
// Rules: a label has one extent everywhere; only axes of an ellipsis broadcast (aligned at the end,
// a static 1 against anything). An ellipsis that the output lacks is summed.
// Needs: einsum_spec.hpp. Leaves: a plan that einsum_record.hpp can record, or a fault.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/core/growing.hpp>
#include <weft/graph/einsum_path.hpp>

namespace weft::inline v0 {
namespace detail {

struct einsum_labels {
  int rank = 0;
  char label[max_rank]{}; // ' ': an ellipsis axis of extent 1 where others have more

  constexpr char operator[](int i) const { return label[i]; }
  constexpr void push(char c) { label[rank++] = c; }
  constexpr int find(char c) const {
    for (int i = 0; i < rank; ++i)
      if (label[i] == c) return i;
    return -1;
  }
  constexpr bool has(char c) const { return find(c) >= 0; }
  constexpr std::uint64_t set() const {
    std::uint64_t bits = 0;
    for (int i = 0; i < rank; ++i)
      if (label[i] != ' ') bits |= label_bit(label[i]);
    return bits;
  }
};

struct einsum_plan {
  einsum_fault fault;
  int operands = 1;
  einsum_labels in[most_terms], out;
  extents shape; // the output's
  einsum_path path;
};

class einsum_planner {
public:
  constexpr einsum_planner(einsum_notation const& n, view<extents> shapes)
      : n_(n), shapes_(shapes) {}

  constexpr einsum_plan plan() {
    p_.fault = n_.fault;
    p_.operands = n_.terms;
    if (sound() && n_.terms != shapes_.size())
      p_.fault = {.code = einsum_error::operand_count, .first = n_.terms, .second = shapes_.size()};
    for (int k = 0; k < n_.terms && sound(); ++k) check_rank(k);
    for (int k = 0; k < n_.terms && sound(); ++k) label_axes(k);
    if (sound()) output();
    if (sound()) find_path();
    return p_;
  }

private:
  constexpr bool sound() const { return p_.fault.code == einsum_error::sound; }
  constexpr void check_rank(int k) {
    einsum_term const& t = n_.in[k];
    int const more = shapes_[k].rank - t.letters;
    if (t.ellipsis >= 0 && more > ellipsis_) ellipsis_ = more;
    if (more == 0 || (more > 0 && t.ellipsis >= 0)) return;
    p_.fault = {.code = more < 0 ? einsum_error::too_many_subscripts
                                 : einsum_error::too_few_subscripts,
                .position = t.position,
                .operand = k,
                .first = t.letters,
                .second = shapes_[k].rank};
  }
  // The letters of a term, its ellipsis as the last `axes` digits.
  constexpr void spell(einsum_labels& l, einsum_term const& t, int axes) {
    for (int i = 0; i <= t.letters; ++i) {
      if (i == t.ellipsis)
        for (int j = ellipsis_ - axes; j < ellipsis_; ++j) l.push(static_cast<char>('0' + j));
      if (i < t.letters) l.push(t.letter[i]);
    }
  }
  constexpr void label_axes(int k) {
    spell(p_.in[k], n_.in[k], shapes_[k].rank - n_.in[k].letters);
    for (int i = 0; i < shapes_[k].rank && sound(); ++i) meet(p_.in[k][i], k, shapes_[k][i]);
  }
  constexpr void meet(char label, int k, extent e) {
    int const l = label_index(label);
    bool const known = (met_ & label_bit(label)) != 0, letter = is_letter(label);
    met_ |= label_bit(label);
    if (!known || (!letter && size_[l] == 1)) {
      size_[l] = e;
      owner_[l] = k;
      return;
    }
    if (size_[l] == e || (!letter && e == 1)) return;
    bool const ones = letter && owner_[l] != k && (e == 1 || size_[l] == 1);
    p_.fault = {.code = ones ? einsum_error::label_size1_broadcast : einsum_error::extent_mismatch,
                .label = label,
                .operand = k,
                .other = owner_[l],
                .first = size_[l],
                .second = e};
  }
  constexpr void output() {
    int letters = n_.out.letters;
    bool dots = n_.out.ellipsis >= 0;
    if (!n_.has_output) {
      letters = popcount(n_.once);
      dots = true;
    }
    if (letters + (dots ? ellipsis_ : 0) > max_rank) {
      p_.fault = {.code = einsum_error::too_many_axes};
      return;
    }
    if (n_.has_output) spell(p_.out, n_.out, dots ? ellipsis_ : 0);
    else implicit();
    for (int i = 0; i < p_.out.rank; ++i) p_.shape.push(size_[label_index(p_.out[i])]);
  }
  constexpr void implicit() {
    for (int j = 0; j < ellipsis_; ++j) p_.out.push(static_cast<char>('0' + j));
    for (std::uint64_t left = n_.once; left != 0; left &= left - 1)
      p_.out.push(label_of_index(countr_zero(left)));
  }
  constexpr void find_path() {
    for (int k = 0; k < n_.terms; ++k)
      for (int i = 0; i < p_.in[k].rank; ++i) {
        char& c = p_.in[k].label[i];
        if (!is_letter(c) && shapes_[k][i] == 1 && size_[label_index(c)] != 1) c = ' ';
      }
    if (n_.terms < 3) {
      if (n_.terms == 2) p_.path.push(0, 1);
      return;
    }
    einsum_network w{.terms = n_.terms, .out = p_.out.set()};
    for (int k = 0; k < n_.terms; ++k) w.term[k] = p_.in[k].set();
    for (int i = 0; i < label_count; ++i) w.set_size(i, size_[i]);
    if (!(p_.path = path_of(w)).found) p_.fault = {.code = einsum_error::too_many_axes};
  }

  einsum_notation const& n_;
  view<extents> shapes_;
  einsum_plan p_;
  int ellipsis_ = 0; // axes that the ellipsis stands for
  std::uint64_t met_ = 0;
  extent size_[label_count]{};
  int owner_[label_count]{};
};

constexpr einsum_plan plan_einsum(text spec, view<extents> shapes) {
  einsum_notation const n = parse_einsum(spec);
  return einsum_planner(n, shapes).plan();
}

} // namespace detail

// What is wrong with an einsum of operands of these shapes, if anything: text_of says it in words.
constexpr einsum_fault einsum_check(text spec, view<extents> shapes) {
  return detail::plan_einsum(spec, shapes).fault;
}
// The same with shapes as types: einsum_check<"ij,jk->ik", shape<2, 3>, shape<3, 4>>().
template <fixed_string Spec, class... Shape> constexpr einsum_error einsum_check() {
  extents const shapes[] = {Shape::value..., extents{}};
  return einsum_check(Spec, {shapes, sizeof...(Shape)}).code;
}

} // namespace weft::inline v0

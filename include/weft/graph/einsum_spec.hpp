// SPDX-License-Identifier: BSL-1.0
// The text of an einsum: "bi,ih->bh". NumPy's grammar: terms of letters with a comma between, at
// most one "..." in each, "->" and the output's term, or no output (an ellipsis, then the letters
// that occur once, sorted); spaces are skipped.
// Needs: core. Leaves: an einsum_notation, or its first fault with the place in the text. Shapes are
// einsum_plan.hpp's.
#pragma once

#include <weft/core/error.hpp>
#include <weft/core/fixed_string.hpp>

namespace weft::inline v0 {

// Why an einsum is refused.
enum class einsum_error : std::uint8_t {
  sound,
  bad_character,
  bad_ellipsis,
  two_ellipses,
  malformed_arrow,
  two_arrows,
  comma_in_output,
  output_label_repeated,
  output_label_unknown,
  too_many_operands,
  operand_count,
  too_many_subscripts,
  too_few_subscripts,
  extent_mismatch,
  label_size1_broadcast,
  too_many_axes,
};

// The first mistake. `position` is a place in the text, `operand` a number from 0; `first` and
// `second` are the two numbers that disagree: terms and operands, labels and axes, or the label's
// extent in operand `other` and in `operand`.
struct einsum_fault {
  einsum_error code = einsum_error::sound;
  int position = -1;
  char label = '\0'; // of an ellipsis: the digit of its axis
  int operand = -1, other = -1;
  extent first = 0, second = 0;
};

namespace detail {

struct einsum_error_row {
  einsum_error code;
  char const* name;
  char const* text; // as the static_asserts of einsum_check.hpp say it
};
// clang-format off
inline constexpr einsum_error_row einsum_errors[] = {
  {einsum_error::sound, "sound", ""},
  {einsum_error::bad_character, "bad_character", "a character that is not a letter, ',', '...' or '->'; write \"ij,jk->ik\""},
  {einsum_error::bad_ellipsis, "bad_ellipsis", "a dot that is not part of an ellipsis; write '...'"},
  {einsum_error::two_ellipses, "two_ellipses", "two ellipses in one term; write one"},
  {einsum_error::malformed_arrow, "malformed_arrow", "half an arrow; write '->'"},
  {einsum_error::two_arrows, "two_arrows", "two arrows; write '->' once, before the output"},
  {einsum_error::comma_in_output, "comma_in_output", "a comma in the output; an einsum has one output"},
  {einsum_error::output_label_repeated, "output_label_repeated", "a label twice in the output; write it once"},
  {einsum_error::output_label_unknown, "output_label_unknown", "an output label that is in no operand; take it away"},
  {einsum_error::too_many_operands, "too_many_operands", "more than 32 operands; nest two calls"},
  {einsum_error::operand_count, "operand_count", "the text has another number of terms than there are operands; write one term each"},
  {einsum_error::too_many_subscripts, "too_many_subscripts", "a term has more labels than its operand has axes; write one label per axis"},
  {einsum_error::too_few_subscripts, "too_few_subscripts", "a term has fewer labels than its operand has axes; write one label per axis, or '...'"},
  {einsum_error::extent_mismatch, "extent_mismatch", "a label has two extents; give it another name, or slice an operand"},
  {einsum_error::label_size1_broadcast, "label_size1_broadcast", "a label is 1 in one operand and more in another, and labels do not broadcast; drop the axis, or write '...'"},
  {einsum_error::too_many_axes, "too_many_axes", "an output or intermediate of more than 8 axes; nest calls that sum earlier"},
};
// clang-format on
constexpr bool einsum_errors_in_order() {
  int n = 0;
  for (einsum_error_row const& row : einsum_errors)
    if (static_cast<int>(row.code) != n++) return false;
  return n == static_cast<int>(einsum_error::too_many_axes) + 1;
}
static_assert(einsum_errors_in_order());

inline constexpr int most_terms = 32;

// A term as written: `ellipsis` letters stand before the ellipsis; -1: it has none. Only the first
// max_rank letters are kept; no operand has more axes.
struct einsum_term {
  int letters = 0, ellipsis = -1, position = 0;
  char letter[max_rank]{};
};
struct einsum_notation {
  einsum_fault fault;
  int terms = 1;
  bool has_output = false;
  einsum_term in[most_terms], out;
  std::uint64_t once = 0, seen = 0; // letters by label_bit: in all terms exactly once, at all
};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// Labels: letters in ASCII order, then the axes of the ellipsis, '0' to '7'.
inline constexpr int label_count = 26 + 26 + max_rank;
constexpr int label_index(char c) {
  return c >= 'a' ? 26 + (c - 'a') : c >= 'A' ? c - 'A' : 52 + (c - '0');
}
constexpr std::uint64_t label_bit(char c) { return std::uint64_t{1} << label_index(c); }
constexpr char label_of_index(int i) {
  return static_cast<char>(i < 26 ? 'A' + i : i < 52 ? 'a' + (i - 26) : '0' + (i - 52));
}

class einsum_reader {
public:
  constexpr explicit einsum_reader(text spec) : spec_(spec) {}
  constexpr einsum_notation read() {
    while (at_ < spec_.size() && notation_.fault.code == einsum_error::sound) next();
    return notation_;
  }

private:
  constexpr einsum_term& term() {
    return notation_.has_output ? notation_.out : notation_.in[notation_.terms - 1];
  }
  constexpr void fail(einsum_error code) {
    notation_.fault = {.code = code, .position = at_, .label = spec_[at_]};
  }
  constexpr void next() {
    char const c = spec_[at_];
    if (is_letter(c)) letter(c);
    else if (c == ',') comma();
    else if (c == '.') ellipsis();
    else if (c == '-' || c == '>') arrow();
    else if (c != ' ') fail(einsum_error::bad_character);
    ++at_;
  }
  constexpr void letter(char c) {
    einsum_term& t = term();
    std::uint64_t const bit = label_bit(c);
    if (notation_.has_output) {
      if ((notation_.seen & bit) == 0) return fail(einsum_error::output_label_unknown);
      if ((in_output_ & bit) != 0) return fail(einsum_error::output_label_repeated);
      in_output_ |= bit;
    } else {
      notation_.once = (notation_.seen & bit) == 0 ? notation_.once | bit : notation_.once & ~bit;
      notation_.seen |= bit;
    }
    if (t.letters < max_rank) t.letter[t.letters] = c;
    ++t.letters;
  }
  constexpr void comma() {
    if (notation_.has_output) return fail(einsum_error::comma_in_output);
    if (notation_.terms == most_terms) return fail(einsum_error::too_many_operands);
    ++notation_.terms;
    term().position = at_ + 1;
  }
  constexpr void ellipsis() {
    bool const three = spec_.peek(at_ + 1) == '.' && spec_.peek(at_ + 2) == '.';
    if (!three || spec_.peek(at_ + 3) == '.') return fail(einsum_error::bad_ellipsis);
    if (term().ellipsis >= 0) return fail(einsum_error::two_ellipses);
    term().ellipsis = term().letters;
    at_ += 2;
  }
  constexpr void arrow() {
    if (spec_[at_] == '>' || spec_.peek(at_ + 1) != '>') return fail(einsum_error::malformed_arrow);
    if (notation_.has_output) return fail(einsum_error::two_arrows);
    notation_.has_output = true;
    ++at_;
    term().position = at_ + 1;
  }

  text spec_;
  int at_ = 0;
  std::uint64_t in_output_ = 0;
  einsum_notation notation_;
};

constexpr einsum_notation parse_einsum(text spec) { return einsum_reader(spec).read(); }

constexpr void add_text(message& to, text spec) {
  to.add(" (\"");
  for (int i = 0; i < spec.size(); ++i) {
    char const one[] = {spec[i], '\0'};
    to.add(one);
  }
  to.add("\"");
}

constexpr message& add_extent(message& to, extent e) {
  if (!is_named(e)) return to.add(e);
  char name[max_name + 1]{};
  unpack_name(e, name);
  return to.add(name);
}

} // namespace detail

// The reason as a word: "extent_mismatch".
constexpr char const* name_of(einsum_error e) {
  return detail::einsum_errors[static_cast<int>(e)].name;
}

// weft: einsum: a label has two extents; ... ("ij,jk->ik": j is 3 in operand 0, 4 in operand 1)
constexpr message text_of(einsum_fault const& f, text spec) {
  message m("weft: einsum: ");
  bool const of_ellipsis = f.code == einsum_error::extent_mismatch && !detail::is_letter(f.label);
  m.add(of_ellipsis ? "axes of '...' do not broadcast; give them the same extent, or 1"
                    : detail::einsum_errors[static_cast<int>(f.code)].text);
  detail::add_text(m, spec);
  char const label[] = {f.label, '\0'};
  switch (f.code) {
    case einsum_error::sound:
    case einsum_error::too_many_axes: break;
    case einsum_error::operand_count:
      m.add(": ").add(f.first).add(" terms, ").add(f.second).add(" operands");
      break;
    case einsum_error::too_many_subscripts:
    case einsum_error::too_few_subscripts:
      m.add(": operand ").add(f.operand).add(" has ").add(f.second).add(" axes, its term ");
      m.add(f.first).add(" labels");
      break;
    case einsum_error::extent_mismatch:
    case einsum_error::label_size1_broadcast:
      m.add(": ").add(detail::is_letter(f.label) ? "" : "ellipsis axis ").add(label).add(" is ");
      detail::add_extent(m, f.first).add(" in operand ").add(f.other).add(" and ");
      detail::add_extent(m, f.second).add(" in operand ").add(f.operand);
      break;
    default: m.add(" at ").add(f.position);
  }
  return m.add(")");
}

} // namespace weft::inline v0

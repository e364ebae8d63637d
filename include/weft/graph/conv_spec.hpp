// SPDX-License-Identifier: BSL-1.0
// The text of a convolution: "NHWC,HWIO->NHWC". Three texts, x, filter and result, a letter per
// axis in any order: roles, and letters of the axes that windows walk over.
//   x        N batch, C channels
//   filter   I (or C) channels of x, O (or F) features
//   result   N batch, C (or F) features
//   others   any other letter, the same set in all three texts: 0 to 4 spatial axes, numbered in
//            the order of the filter's text, which is the order of options, too
// N may lack, in x and result; C, in x and filter; O, in filter and result. Spaces are skipped.
// Needs: core. Leaves: a conv_notation, or its first fault. Shapes are conv_plan.hpp's.
#pragma once

#include <weft/core/fixed_string.hpp>
#include <weft/graph/window_options.hpp>

namespace weft::inline v0 {

// Why a convolution is refused.
enum class conv_error : std::uint8_t {
  sound,
  bad_character,
  not_three_texts,
  letter_twice,
  role_in_x,
  role_in_filter,
  role_in_result,
  too_many_spatial,
  batch_unpaired,
  channels_unpaired,
  features_unpaired,
  spatial_differ,
  rank,
  option_length,
  step_below_one,
  both_groups,
  feature_groups,
  batch_groups,
  channels,
  named_window,
  named_spatial,
  output_padding,
};

// The first mistake. `position` is a place in the text; `first` and `second` are the two numbers
// that disagree, of operand `operand` where it is about one.
struct conv_fault {
  conv_error code = conv_error::sound;
  int position = -1, operand = -1;
  extent first = 0, second = 0;
};

namespace detail {

// What an axis is: `spatial_role + k` is spatial axis k.
inline constexpr int batch_role = 0, channel_role = 1, feature_role = 2, spatial_role = 3;

struct conv_text {
  int rank = 0, spatial = 0, position = 0;
  int role[max_rank]{};
  char letter[max_rank]{}; // as written

  constexpr int find(int wanted) const { // the axis, or -1
    for (int i = 0; i < rank; ++i)
      if (role[i] == wanted) return i;
    return -1;
  }
  constexpr bool has(int wanted) const { return find(wanted) >= 0; }
};
struct conv_notation {
  conv_fault fault;
  int spatial = 0;
  conv_text x, w, out;
};

// Letters that are roles somewhere are spatial nowhere.
constexpr bool is_role_letter(char c) {
  return c == 'N' || c == 'C' || c == 'I' || c == 'O' || c == 'F';
}
// -1: this text has no such role.
constexpr int conv_role(int text, char c) {
  if (c == 'N') return text == 1 ? -1 : batch_role;
  if (c == 'C') return text == 2 ? feature_role : channel_role;
  if (c == 'F') return text == 0 ? -1 : feature_role;
  if (text != 1) return -1;
  return c == 'I' ? channel_role : feature_role;
}
constexpr bool is_conv_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class conv_reader {
public:
  constexpr explicit conv_reader(text spec) : spec_(spec) {}

  constexpr conv_notation read() {
    for (; at_ < spec_.size() && sound(); ++at_) next();
    if (sound() && text_ != 2) fail(conv_error::not_three_texts, at_);
    if (sound()) number_spatial(); // in "NHWX,HWIO->NHWC" X is the mistake, not a missing C
    if (sound()) pair();
    return n_;
  }

private:
  constexpr bool sound() const { return n_.fault.code == conv_error::sound; }
  constexpr void fail(conv_error code, int at) { n_.fault = {.code = code, .position = at}; }
  constexpr conv_text& of(int text) { return text == 0 ? n_.x : text == 1 ? n_.w : n_.out; }

  constexpr void next() {
    char const c = spec_[at_];
    if (is_conv_letter(c)) letter(c);
    else if (c == ',') separator(0);
    else if (c == '-' || c == '>') arrow();
    else if (c != ' ') fail(conv_error::bad_character, at_);
  }
  constexpr void separator(int after) {
    if (text_ != after) return fail(conv_error::not_three_texts, at_);
    of(++text_).position = at_ + 1;
  }
  constexpr void arrow() {
    if (spec_[at_] == '>' || spec_.peek(at_ + 1) != '>')
      return fail(conv_error::not_three_texts, at_);
    ++at_;
    separator(1);
  }
  constexpr void letter(char c) {
    conv_text& t = of(text_);
    bool const role = is_role_letter(c);
    int const r = role ? conv_role(text_, c) : spatial_role + t.spatial;
    if (r < 0) return fail(foreign(), at_);
    for (int i = 0; i < t.rank; ++i)
      if (t.letter[i] == c || t.role[i] == r) return fail(conv_error::letter_twice, at_);
    if (!role && t.spatial++ == most_spatial_axes) return fail(conv_error::too_many_spatial, at_);
    t.letter[t.rank] = c;
    t.role[t.rank++] = r;
  }
  constexpr conv_error foreign() const {
    if (text_ == 0) return conv_error::role_in_x;
    return text_ == 1 ? conv_error::role_in_filter : conv_error::role_in_result;
  }
  constexpr void pair() {
    need_both(n_.x, n_.out, batch_role, conv_error::batch_unpaired);
    need_both(n_.x, n_.w, channel_role, conv_error::channels_unpaired);
    need_both(n_.w, n_.out, feature_role, conv_error::features_unpaired);
  }
  constexpr void need_both(conv_text const& a, conv_text const& b, int role, conv_error code) {
    if (sound() && a.has(role) != b.has(role)) fail(code, (a.has(role) ? b : a).position);
  }
  // The axes of x and result take the numbers of the filter's letters. Of three texts the one is
  // wrong that differs from two equal ones.
  constexpr void number_spatial() {
    n_.spatial = n_.w.spatial;
    bool const x_is_w = same_spatial(n_.x, n_.w), x_is_out = same_spatial(n_.x, n_.out);
    if (!x_is_w || !x_is_out)
      return fail(conv_error::spatial_differ, (x_is_out ? n_.w : x_is_w ? n_.out : n_.x).position);
    for (conv_text* t : {&n_.x, &n_.out})
      for (int i = 0; i < t->rank; ++i)
        if (t->role[i] >= spatial_role) t->role[i] = number_of_letter(t->letter[i]);
  }
  static constexpr bool same_spatial(conv_text const& a, conv_text const& b) {
    bool same = a.spatial == b.spatial;
    for (int i = 0; i < a.rank; ++i) {
      bool found = a.role[i] < spatial_role;
      for (int j = 0; j < b.rank; ++j) found |= a.letter[i] == b.letter[j];
      same &= found;
    }
    return same;
  }
  constexpr int number_of_letter(char c) const {
    for (int i = 0; i < n_.w.rank; ++i)
      if (n_.w.letter[i] == c) return n_.w.role[i];
    return -1;
  }

  text spec_;
  int at_ = 0, text_ = 0;
  conv_notation n_;
};

constexpr conv_notation parse_conv(text spec) { return conv_reader(spec).read(); }

} // namespace detail
} // namespace weft::inline v0

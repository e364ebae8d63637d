// SPDX-License-Identifier: BSL-1.0
// bound_shape<E...>: a shape whose names have numbers. It stores one number per distinct name, in
// order of first appearance, and nothing at all when every extent is an int.
// Needs: extents that are int or sym. Leaves: equal names have equal numbers, none is negative,
// and the number of elements fits an int64; anything else was a shape_error.
#pragma once

#include <weft/core/error.hpp>
#include <weft/core/extents.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

// The slot of each named axis, in order of first appearance; -1 where the extent is a number.
struct name_slots {
  int count = 0;
  int slot[max_rank]{};
};
constexpr name_slots slots_of(extents const& pattern) {
  name_slots r;
  for (int i = 0; i < pattern.rank; ++i) {
    r.slot[i] = is_named(pattern[i]) ? r.count : -1;
    for (int j = 0; j < i; ++j)
      if (is_named(pattern[i]) && pattern[j] == pattern[i]) r.slot[i] = r.slot[j];
    if (r.slot[i] == r.count) ++r.count;
  }
  return r;
}

// A move leaves zeros: the moved-from array is empty.
template <int Count> struct name_numbers {
  extent d[Count]{};

  constexpr name_numbers() = default;
  constexpr name_numbers(name_numbers const&) = default;
  constexpr name_numbers(name_numbers&& other) noexcept {
    for (int i = 0; i < Count; ++i) d[i] = std::exchange(other.d[i], 0);
  }
  constexpr name_numbers& operator=(name_numbers other) noexcept {
    for (int i = 0; i < Count; ++i) d[i] = other.d[i];
    return *this;
  }
};
template <> struct name_numbers<0> {};

// (2, -1, 3): here a negative number is a mistake, not a name.
constexpr message& add_numbers(message& text, extents const& s) {
  text.add("(");
  for (int i = 0; i < s.rank; ++i) text.add(i == 0 ? "" : ", ").add(s[i]);
  return text.add(")");
}
[[noreturn]] WEFT_NOINLINE inline void raise_binding(extents const& numbers,
                                                     extents const& pattern) {
  message text("weft: array: shape ");
  add_numbers(text, numbers).add(" does not fit ").add(pattern);
  raise<shape_error>(text.add("; equal names need equal extents, at least 0"));
}
// Numbers that the run has and the extents of a type: equal names have equal numbers.
constexpr bool fits(extents const& numbers, extents const& pattern) {
  if (numbers.rank != pattern.rank) return false;
  for (int i = 0; i < pattern.rank; ++i) {
    if (!is_named(pattern[i]) && numbers[i] != pattern[i]) return false;
    for (int j = 0; j < i; ++j)
      if (pattern[j] == pattern[i] && numbers[j] != numbers[i]) return false;
  }
  return true;
}
// Zero extents do not excuse the others.
constexpr bool is_countable(extents const& numbers) {
  extent n = 1;
  for (int i = 0; i < numbers.rank; ++i)
    if (numbers[i] > 0 && __builtin_mul_overflow(n, numbers[i], &n)) return false;
  return true;
}
[[noreturn]] WEFT_NOINLINE inline void raise_uncountable(extents const& numbers) {
  message text("weft: array: shape ");
  raise<shape_error>(add_numbers(text, numbers).add(" has more elements than 64 bits count"));
}
[[noreturn]] WEFT_NOINLINE inline void raise_index(extents const& index, extents const& numbers) {
  message text("weft: array: index ");
  add_numbers(text, index).add(" is outside shape ").add(numbers);
  raise<index_error>(text.add("; indices start at 0"));
}

template <auto... E> class bound_shape {
public:
  static constexpr int rank = sizeof...(E);
  static constexpr extents pattern = shape<E...>::value;
  static constexpr name_slots names = slots_of(pattern);
  static constexpr bool is_static = names.count == 0;

  // Names are 0.
  constexpr bound_shape() = default;

  // From a number per axis, or from a number per distinct name.
  static constexpr bound_shape bind(extents const& numbers) {
    bound_shape r;
    if constexpr (!is_static)
      for (int i = 0; i < rank && i < numbers.rank; ++i)
        if (names.slot[i] >= 0) r.numbers_.d[names.slot[i]] = numbers[i];
    if (!(r.numbers() == numbers)) raise_binding(numbers, pattern);
    r.check();
    return r;
  }
  template <class... N> static constexpr bound_shape of_names(N... n) {
    static_assert(sizeof...(N) == names.count);
    bound_shape r;
    int slot = 0;
    ((r.numbers_.d[slot++] = static_cast<extent>(n)), ...);
    r.check();
    return r;
  }

  constexpr extent operator[](int axis) const {
    if constexpr (is_static) return pattern[axis];
    else return names.slot[axis] < 0 ? pattern[axis] : numbers_.d[names.slot[axis]];
  }
  constexpr extents numbers() const {
    extents r;
    for (int i = 0; i < rank; ++i) r.push((*this)[i]);
    return r;
  }
  constexpr extent count() const {
    extent n = 1;
    for (int i = 0; i < rank; ++i) n *= (*this)[i];
    return n;
  }

  // Row-major: ((i0 * e1 + i1) * e2 + i2) ...
  template <class... I> constexpr extent offset(I... i) const {
    extent r = 0;
    [[maybe_unused]] int axis = 0;
    ((r = r * (*this)[axis++] + static_cast<extent>(i)), ...);
    return r;
  }
  template <class... I> constexpr void check_index(I... i) const {
    [[maybe_unused]] int axis = 0;
    bool inside = ((static_cast<std::uint64_t>(static_cast<extent>(i)) <
                    static_cast<std::uint64_t>((*this)[axis++])) &&
                   ...);
    if (!inside) raise_index(extents{sizeof...(I), {static_cast<extent>(i)...}}, numbers());
  }

private:
  // No negative extent, and a product that fits.
  constexpr void check() const {
    extents const all = numbers();
    for (int i = 0; i < rank; ++i)
      if (all[i] < 0) raise_binding(all, pattern);
    if (!is_countable(all)) raise_uncountable(all);
  }

  [[no_unique_address]] name_numbers<names.count> numbers_;
};

} // namespace detail
} // namespace weft::inline v0

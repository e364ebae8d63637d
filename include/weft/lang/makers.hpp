// SPDX-License-Identifier: BSL-1.0
// Arrays from nothing: zeros, ones, full, arange, linspace, eye, identity. (The _like forms, of an array, are
// in elementwise.hpp and expression_elementwise.hpp.)
// A maker returns a small value, `made<T, E...>`, that knows no recorder. It becomes an array where
// it meets one: next to a traced operand it is a constant or an iota at that place, of any size and
// of named extents; next to tensors it is an expression; a tensor can be initialised from it. So a
// carry of scan and a result of a traced function may be makers as they are.
// Needs: array/expression.hpp. Leaves: both doors give the same bits.
//   zeros<int>()   full<float, 2, 3>(0.5f)   arange<int, 10>()   arange<int, 10, 0, -2>()
//   arange<float, 5>(0.5f, 0.25f)   linspace<float, 5>(0, 1)   eye<float, 3, 4, 1>()
#pragma once

#include <weft/array/access.hpp>
#include <weft/graph/collective.hpp>
#include <weft/graph/trace_texts.hpp>
#include <weft/lang/traced.hpp>
#include <weft/op/meaning.hpp>

namespace weft::inline v0 {
namespace detail {

// arange counts in integers, progression adds steps of T, linspace is one with an exact last point.
// place: of this rank along an axis of a mesh (lang/collectives.hpp). beyond: of a number that the
// type has not, an error where it becomes an array.
enum class maker : std::uint8_t { full, arange, progression, linspace, eye, place, beyond };

// A C++ number as an element. Integers wrap; floats are rounded once.
template <class T, class V> constexpr T element_from(V v) {
  if constexpr (std::is_same_v<V, T>) return v;
  else if constexpr (std::is_same_v<T, bool>) return v != V{};
  else if constexpr (std::is_class_v<V>) return T(static_cast<float>(v));
  else if constexpr (std::is_same_v<V, long double>) return T(static_cast<double>(v));
  else return static_cast<T>(v);
}
// Is an integer outside of T's range, as 256 and -1 are of uint8?
template <class T, class V> constexpr bool is_outside([[maybe_unused]] V v) {
  if constexpr (std::is_integral_v<V> && std::is_integral_v<T> && !std::is_same_v<V, T> &&
                !std::is_same_v<V, bool> && !std::is_same_v<T, bool>) {
    T const kept = static_cast<T>(v);
    return static_cast<V>(kept) != v || (kept < T{}) != (v < V{});
  } else return false;
}
// The bits of an element, as constants keep them.
template <class T> constexpr extent element_bits(T v) { return static_cast<extent>(word_of(v)); }

// What steps are taken in: double for double, float for float and the 16-bit floats.
template <class T> using step_of = std::conditional_t<std::is_same_v<T, double>, double, float>;
template <class T> inline constexpr bool takes_steps = is_float(dtype_of<T>);

} // namespace detail

template <class T, auto... E> struct made : expression_base {
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static_assert(shape_type::rank >= 0); // the shape checks its extents
  static constexpr int rank = sizeof...(E);
  static constexpr bool is_static = weft::is_static(shape_type::value);

  detail::maker kind;
  T first{}; // the value of `full`, the first of `progression` and `linspace`
  detail::step_of<T> step = 0;
  T last{};
  extent start = 0, stride = 1; // of `arange`; the diagonal of `eye`; of `place` divisor and size
  extent ranks = 1;             // of `place`: those that run the program

  constexpr explicit made(detail::maker m) : kind(m) {}
  constexpr made(detail::maker m, T from, detail::step_of<T> distance = 0, T to = {})
      : kind(m), first(from), step(distance), last(to) {}
  constexpr made(detail::maker m, extent from, extent by, extent of = 1)
      : kind(m), start(from), stride(by), ranks(of) {}

  // As an expression.
  constexpr extents shape() const {
    static_assert(is_static, "weft: outside of a trace a maker's extents are ints; write "
                             "tensor<T, name>(n) and assign");
    return shape_type::value;
  }
  template <class Tensor> constexpr void evaluate_into(Tensor& t) const {
    T* out = detail::writable(t);
    extents const s = t.shape();
    for (extent i = 0, n = t.size(); i < n; ++i) out[i] = element_at(i, s);
  }
  // Element i, row-major, where the extents are `s`. Most are literals, of which nothing else is kept.
  constexpr T element_at(extent i, extents const& s = shape_type::value) const {
    return kind == detail::maker::full ? first : computed_element(*this, i, s);
  }

private:
  // By value: a literal whose address is known elsewhere would be kept in memory.
  WEFT_NOINLINE static constexpr T computed_element(made const m, extent i, extents const s) {
    return m.computed(i, s);
  }
  constexpr T computed(extent i, extents const& s) const {
    switch (kind) {
      case detail::maker::arange: return detail::element_from<T>(start + i * stride);
      case detail::maker::progression:
      case detail::maker::linspace: return point(i, s);
      case detail::maker::eye: return detail::element_from<T>(on_diagonal(i, s) ? 1 : 0);
      case detail::maker::place:
        if (ranks != 1) detail::raise_world("axis_index", ranks, 1);
        return first;
      case detail::maker::beyond: raise<value_error>(detail::number_beyond_text);
      default: return first;
    }
  }
  // Computed in the type of steps and rounded once.
  constexpr T point(extent i, extents const& s) const {
    if constexpr (detail::takes_steps<T>) {
      if (kind == detail::maker::linspace && i > 0 && i + 1 == s[0]) return last;
      using number = detail::step_of<T>;
      using F = compute_type<scalar::f32, dtype_of<number>>;
      return T(
          meaning::fma(F(static_cast<number>(i)), F(step), F(static_cast<number>(first))).value);
    } else return first;
  }
  constexpr bool on_diagonal(extent i, extents const& s) const {
    return rank == 2 && i / s[1] + start == i % s[1];
  }
};

namespace detail {
template <class T, auto... E, class V> constexpr made<T, E...> filled_with(V value) {
  return made<T, E...>(is_outside<T>(value) ? maker::beyond : maker::full, element_from<T>(value));
}
} // namespace detail

// Every element is `value`, converted as a literal is: full<float, 2, 3>(0.5f).
// Errors: a value_error, in a trace the trace's, for an integer beyond the range of T.
template <class T, auto... E, class V> constexpr made<T, E...> full(V value) {
  constexpr bool number = std::is_arithmetic_v<V> || element<V>;
  static_assert(number, "weft: full: the value is one number");
  if constexpr (number) return detail::filled_with<T, E...>(value);
  else return made<T, E...>(detail::maker::full);
}
template <class T, auto... E> constexpr made<T, E...> zeros() {
  return made<T, E...>(detail::maker::full);
}
template <class T, auto... E> constexpr made<T, E...> ones() { return full<T, E...>(1); }
// 0, 1, ..., N - 1.
template <class T, auto N> constexpr made<T, N> arange() {
  static_assert(!std::is_same_v<T, bool>, "weft: arange: bool cannot count; use another type");
  return made<T, N>(detail::maker::arange);
}
namespace detail {
constexpr extent steps_between(extent start, extent stop, extent step) {
  extent const span = step > 0 ? stop - start : start - stop, by = step > 0 ? step : -step;
  return step == 0 || span <= 0 ? 0 : (span + by - 1) / by;
}
template <int Step> concept step_not_0 = Step != 0;
} // namespace detail

// Start, Start + Step, ... before Stop, as NumPy's: arange<int, 2, 9, 3>() is 2 5 8.
template <class T, int Start, int Stop, int Step = 1> constexpr auto arange() {
  static_assert(!std::is_same_v<T, bool>, "weft: arange: bool cannot count; use another type");
  static_assert(detail::step_not_0<Step>, "weft: arange: the step is 0");
  constexpr int n = static_cast<int>(detail::steps_between(Start, Stop, Step));
  return made<T, n>(detail::maker::arange, extent{Start}, extent{Step});
}
// N numbers from `first` on, `step` apart: first + i * step, one rounding.
template <class T, auto N> constexpr made<T, N> arange(T first, detail::step_of<T> step) {
  static_assert(detail::takes_steps<T>, "weft: arange: a first number and a step are for floats; "
                                        "write arange<T, N>() * step + first");
  return made<T, N>(detail::maker::progression, first, step);
}
// N numbers from first to last, which is exact: first + i * step, one rounding. Without Endpoint
// the step is (last - first) / N, and last is left out.
template <class T, auto N, bool Endpoint = true> constexpr made<T, N> linspace(T first, T last) {
  static_assert(detail::takes_steps<T>, "weft: linspace: use float or double, and convert<T>");
  static_assert(!is_named(extent_value<N>()), "weft: linspace: the number of points is an int");
  extent const gaps = extent_value<N>() - (Endpoint ? 1 : 0);
  double const span = static_cast<double>(static_cast<detail::step_of<T>>(last)) -
                      static_cast<double>(static_cast<detail::step_of<T>>(first));
  double const step = span / (gaps > 0 ? static_cast<double>(gaps) : 1.0);
  return made<T, N>(Endpoint ? detail::maker::linspace : detail::maker::progression, first,
                    static_cast<detail::step_of<T>>(step), last);
}
// 1 on a diagonal, else 0: (N, N), or (N, M) and diagonal K (above the main one: positive).
template <class T, auto N> constexpr made<T, N, N> eye() {
  return made<T, N, N>(detail::maker::eye);
}
template <class T, auto N, auto M, int K = 0> constexpr made<T, N, M> eye() {
  return made<T, N, M>(detail::maker::eye, extent{K}, extent{1});
}
template <class T, auto N> constexpr made<T, N, N> identity() { return weft::eye<T, N>(); }

namespace detail {
template <class X> inline constexpr bool is_made = false;
template <class T, auto... E> inline constexpr bool is_made<made<T, E...>> = true;

constexpr void note_number(recorder& r, bool is_beyond_type) {
  if (is_beyond_type) r.root().result.fail(trace_error::number_beyond_type, -1);
}
// Is it a constant? One that its type has not is the trace's error.
constexpr bool is_one_number(recorder& r, maker kind) {
  note_number(r, kind == maker::beyond);
  return kind == maker::full || kind == maker::beyond;
}
// The node of a maker, its own shape.
template <class T, auto... E> constexpr handle record_made(recorder& r, made<T, E...> const& m) {
  constexpr dtype type = dtype_of<T>;
  extents const& to = shape<E...>::value;
  if (is_one_number(r, m.kind)) return constant_bits(r, element_bits(m.first), type, to);
  auto number = [&](extent n) { return constant(r, static_cast<double>(n), dtype::i32, to); };
  if (m.kind == maker::arange && m.start == 0 && m.stride == 1) return iota(r, type, to, 0);
  if (m.kind == maker::eye) {
    handle row = iota(r, dtype::i32, to, 0);
    if (m.start != 0) row = row + number(m.start);
    return select(equal(row, iota(r, dtype::i32, to, 1)), constant(r, 1, type, to),
                  constant(r, 0, type, to));
  }
  if (m.kind == maker::place) {
    extent const attributes[] = {m.start, m.stride, m.ranks};
    r.note_ranks(m.ranks);
    return convert(r.emit(op::rank, dtype::u32, to, {}, {attributes, 3}), type);
  }
  handle index = iota(r, dtype::i32, to, 0);
  if (m.kind == maker::arange) return convert(index * number(m.stride) + number(m.start), type);
  if constexpr (!takes_steps<T>) return index;
  else {
    using step = step_of<T>;
    constexpr dtype in = dtype_of<step>;
    handle points[] = {convert(index, in), constant(r, m.step, in, to),
                       constant(r, static_cast<step>(m.first), in, to)};
    handle inner = convert(emit(op::fma, in, to, {points, 3}), type);
    if (to[0] < 2 || m.kind == maker::progression) return inner;
    handle at_last = equal(index, number(to[0] - 1));
    return select(at_last, constant_bits(r, element_bits(m.last), type, to), inner);
  }
}
} // namespace detail

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// What scatter makes of an element and an update, as text: op/table.hpp's meanings over the text
// world. Sums and products of 16-bit floats are kept in float, and rounded once at the end.
// Needs: a launch_writer. Leaves: statements and helpers in it.
#pragma once

#include <weft/graph/gather_dims.hpp>
#include <weft/op/compute_type.hpp>
#include <weft/op/table.hpp>
#include <weft/opencl/launch_writer.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

template <dtype D> using text_of = compute_type<opencl::text::f32, D>;

// How elements are kept in memory.
constexpr char const* storage_type(dtype d) {
  switch (d) {
    case dtype::f32: return "float";
    case dtype::f64: return "double";
    case dtype::i8: return "char";
    case dtype::i16: return "short";
    case dtype::i32: return "int";
    case dtype::i64: return "long";
    case dtype::u32: return "uint";
    case dtype::u64: return "ulong";
    default: return size_of(d) == 1 ? "uchar" : "ushort"; // booleans are 0 and 1
  }
}

// The value of an element, which is loaded once.
template <dtype D> text_of<D> load(opencl::text::body& b, std::string const& element) {
  using T = text_of<D>;
  using opencl::text::handle;
  if constexpr (is_half(D)) {
    opencl::text::u32 const bits(handle{b.emit("uint", element)});
    return elementary::from_half_bits<D>(bits);
  } else if constexpr (is_narrow_int<T>) {
    using I = decltype(T::value);
    return T::extended(I(handle{b.emit(I::type, element)}));
  } else return T(handle{b.emit(T::type, element)});
}
// An expression that memory takes.
template <dtype D> std::string stored(text_of<D> const& x) {
  std::string const cast = std::string("(") + storage_type(D) + ")";
  if constexpr (is_half(D)) return cast + name(elementary::half_bits<D>(x));
  else if constexpr (is_narrow_int<text_of<D>>) return cast + name(x.value);
  else if constexpr (D == dtype::boolean) return cast + name(x);
  else return name(x);
}

constexpr dtype combined_type(scatter_combine how, dtype d) {
  bool const sums = how == scatter_combine::add || how == scatter_combine::mul;
  return sums ? accumulator_of(d) : d;
}
template <op O, dtype Sum, dtype D>
std::string combined(opencl::text::body& b, std::string const& sum, std::string const& term) {
  auto const x = load<Sum>(b, sum);
  return stored<Sum>(row<O>::meaning(x, load<D>(b, term)));
}
template <dtype D>
std::string combined(opencl::text::body& b, scatter_combine how, std::string const& sum,
                     std::string const& term) {
  if (how == scatter_combine::min) return combined<op::minimum, D, D>(b, sum, term);
  if (how == scatter_combine::max) return combined<op::maximum, D, D>(b, sum, term);
  if constexpr (D == dtype::boolean) return sum; // has neither sums nor products
  else {
    constexpr dtype wide = accumulator_of(D);
    return how == scatter_combine::add ? combined<op::add, wide, D>(b, sum, term)
                                       : combined<op::mul, wide, D>(b, sum, term);
  }
}
// sum = sum combined with term, an element of type d.
inline void write_combine(launch_writer& w, scatter_combine how, dtype d, std::string const& sum,
                          std::string const& term) {
  if (d == dtype::f64) w.use_doubles();
  opencl::text::body b(w.functions(), w.depth());
  std::string const result = with_dtype(d,
                                        [&]<dtype D>() { return combined<D>(b, how, sum, term); });
  w.append(b.text());
  w.line(sum + " = " + result + ";");
}

// `count` elements, side by side, as elements of another type: a 16-bit float and float.
struct typed_buffer {
  buffer_use memory;
  dtype type;
};
inline void add_conversion(step_text& text, device_traits const& on, typed_buffer const& to,
                           typed_buffer const& from, extent count) {
  launch_writer w;
  std::string const y = w.buffer(storage_type(to.type), to.memory) + "[r]",
                    x = w.input(storage_type(from.type), from.memory) + "[r]";
  w.item(count);
  opencl::text::body b(w.functions());
  opencl::text::f32 const value = from.type == dtype::f32    ? load<dtype::f32>(b, x)
                                  : from.type == dtype::bf16 ? load<dtype::bf16>(b, x)
                                                             : load<dtype::f16>(b, x);
  std::string const result = to.type == dtype::f32    ? stored<dtype::f32>(value)
                             : to.type == dtype::bf16 ? stored<dtype::bf16>(value)
                                                      : stored<dtype::f16>(value);
  w.append(b.text());
  w.line(y + " = " + result + ";");
  w.launch(text, "convert", group_of(on));
}

} // namespace detail::opencl_moves
} // namespace weft::inline v0

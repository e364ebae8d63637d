// SPDX-License-Identifier: BSL-1.0
// What scatter makes of an element and an update, as text: the same combinations as reductions have
// (opencl/op_text.hpp). Sums and products of 16-bit floats are kept in float, and rounded at the end.
// Needs: a launch_writer. Leaves: statements and helpers in it.
#pragma once

#include <weft/graph/gather_dims.hpp>
#include <weft/opencl/copy_text.hpp>
#include <weft/opencl/op_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

constexpr op reduction_of(scatter_combine how) {
  switch (how) {
    case scatter_combine::add: return op::reduce_sum;
    case scatter_combine::mul: return op::reduce_prod;
    case scatter_combine::min: return op::reduce_min;
    default: return op::reduce_max;
  }
}
constexpr dtype combined_type(scatter_combine how, dtype d) {
  bool const sums = how == scatter_combine::add || how == scatter_combine::mul;
  return sums ? accumulator_of(d) : d;
}

inline int emit_load(opencl::text::body& b, dtype d, place_text const& from) {
  return b.emit(opencl::register_type(d), opencl::load_element(d, from.buffer, from.at));
}
// sum = sum combined with term, an element of type d.
inline void write_combine(launch_writer& w, scatter_combine how, dtype d, place_text const& sum,
                          place_text const& term) {
  dtype const wide = combined_type(how, d);
  if (d == dtype::f64) w.use_doubles();
  opencl::text::body b(w.functions(), w.depth());
  int const a = emit_load(b, wide, sum), x = emit_load(b, d, term);
  int const result = opencl::op_texts<>::combine(reduction_of(how), d, a, x);
  w.text(b.text());
  w.line(opencl::store_element(wide, sum.buffer, sum.at, b.name(result)));
}

// `count` elements, side by side, as elements of another type: a 16-bit float and float.
struct typed_buffer {
  buffer_use memory;
  dtype type;
};
inline void add_conversion(step_text& text, device_traits const& on, typed_buffer const& to,
                           typed_buffer const& from, extent count) {
  launch_writer w("convert");
  std::string const y = w.output(to.type, to.memory), x = w.input(from.type, from.memory);
  w.item(count);
  opencl::text::body b(w.functions());
  int const value = opencl::op_texts<>::rounded(to.type, emit_load(b, from.type, {x, "r"}));
  w.text(b.text());
  w.line(opencl::store_element(to.type, y, "r", b.name(value)));
  w.launch(text, group_of(on));
}

} // namespace detail::opencl_moves
} // namespace weft::inline v0

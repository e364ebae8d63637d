// SPDX-License-Identifier: BSL-1.0
// convolution_text: a convolve node as launches (pass/convolution_form.hpp): one that copies x with
// its zeros around, where a window reaches beyond x, and one product per phase, whose kernels gather
// tiles by the windows' strides. Phases that differ in numbers alone share a kernel.
// Needs: a bound, sound graph; reads: its accesses. Leaves: the bits of graph/interpret.hpp; nothing
// launched where there is no element.
#pragma once

#include <weft/core/memory_source.hpp>
#include <weft/opencl/contraction_text.hpp>
#include <weft/opencl/copy_text.hpp>
#include <weft/pass/convolution_form.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

// An item writes one element of the copy: x's, or zero.
inline void add_padded_copy(step_text& text, device_traits const& on, convolution_form const& form,
                            dtype type, buffer_use const& to, buffer_use const& from) {
  padded_copy const& copy = form.copy();
  copied_part const part = part_of(copy, form.x().shape);
  nest axes;
  for (int i = 0; i < copy.shape.rank; ++i)
    axes.push({copy.shape[i], {0, form.x().strides[copy.axis[i]] * copy.step[i], 0}});
  launch_writer w("padded_copy");
  dtype const word = as_moved(size_of(type));
  std::string const y = w.output(word, to), x = w.input(word, from);
  w.item(count_of(axes));
  w.line("const index to = r;");
  growing<std::string> const at = w.indices(axes, "r", "i");
  std::string inside, place;
  for (int i = 0; i < axes.size(); ++i) {
    std::string const index = "(" + at[i] + " - " + w.number(part.to[i]) + ")";
    inside += (i > 0 ? " && " : "") + at[i] + " >= " + w.number(part.to[i]) + " && " + at[i] +
              " < " + w.number(part.to[i] + part.shape[i]);
    place += (i > 0 ? " + " : "") + index + " * " + w.number(axes[i].step[1]);
  }
  extent first = 0;
  for (int i = 0; i < axes.size(); ++i) first += part.from[i] * form.x().strides[copy.axis[i]];
  w.reaches(axes);
  w.line(y + "[to] = " + (inside.empty() ? "1" : inside) + " ? " + x + "[" +
         (place.empty() ? "0" : place) + " + " + w.number(first) + "] : 0;");
  w.launch(text, group_of(on));
}

} // namespace detail::opencl_moves

namespace opencl {

inline step_text convolution_text(graph_view g, accesses const& reads, int node,
                                  device_traits const& on) {
  using namespace weft::detail;
  convolution const c = convolution_of(g, node);
  int const x = g.operand(node, 0), w = g.operand(node, 1),
            bias = c.has_bias ? g.operand(node, 2) : -1;
  convolution_form const form(c, strided_of(g, reads, x), strided_of(g, reads, w),
                              strided_of(g, reads, node),
                              bias < 0 ? extents{} : strides_of(g, reads, bias));
  product_types const types{g[x].type, g[node].type, g[bias < 0 ? node : bias].type, false,
                            c.has_bias};
  product_buffers memory{memory_of(g, reads, x),
                         memory_of(g, reads, w),
                         {},
                         bias < 0 ? buffer_use{} : memory_of(g, reads, bias),
                         memory_of(g, reads, node)};
  step_text text;
  if (form.copy().count() > 0) {
    text.scratch_bytes = aligned_bytes(form.copy().count() * size_of(types.operand));
    buffer_use const copied{buffer_use::scratch, 0, size_of(types.operand), 4};
    opencl_moves::add_padded_copy(text, on, form, types.operand, copied, memory.a);
    memory.a = copied;
  }
  for (extent n = 0; n < form.phases(); ++n) {
    auto const phase = form.at(n);
    product_buffers at = memory;
    at.a.offset += phase.first.a;
    at.b.offset += phase.first.b;
    at.bias.offset += phase.first.bias;
    at.out.offset += phase.first.out;
    product_writer(phase.product, types, at, on).add_to(text);
  }
  return text;
}

} // namespace opencl
} // namespace weft::inline v0

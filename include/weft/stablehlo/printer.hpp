// SPDX-License-Identifier: BSL-1.0
// What printing keeps: the text, the numbers that values have got, the depth of regions; and how
// values, types and line ends are written in both forms.
#pragma once

#include <weft/stablehlo/pretty_keys.hpp>
#include <weft/stablehlo/print_attributes.hpp>

namespace weft::inline v0::stablehlo {

enum class text_form : std::uint8_t { generic, pretty };

namespace detail {

struct printer {
  module_ir const& m;
  text_form form;
  writer w{};
  growing<int> number{}; // of a value; of results, that of the operation
  int next_value = 0, next_argument = 0;
  int depth = 0;
  // print.hpp defines it, which includes what writes regions.
  void (*write_region)(printer&, module_region const&, bool) = nullptr;

  constexpr void line() {
    w.add('\n');
    for (int i = 0; i < depth; ++i) w.add("  ");
  }
  // %arg0: its number is given here, where it is defined.
  constexpr void argument_name(int v) {
    number[v] = next_argument++;
    value(v);
  }
  constexpr void argument(int v) {
    argument_name(v);
    w.add(": ");
    write_type(w, m, m.values[v].type);
  }
  // %0:2 = , for what is printed behind it.
  constexpr void results(operation const& o) {
    if (o.result_count == 0) return;
    for (int i = 0; i < o.result_count; ++i) number[o.first_result + i] = next_value;
    w.add('%').number(next_value++);
    if (o.result_count > 1) w.add(':').number(o.result_count);
    w.add(" = ");
  }
  constexpr void value(int v) {
    int const owner = m.values[v].owner;
    w.add(owner < 0 ? "%arg" : "%").number(number[v]);
    if (owner < 0) return;
    operation const& o = m.operations[owner];
    if (o.result_count > 1) w.add('#').number(v - o.first_result);
  }
  constexpr void operands(view<int> values) {
    for (int i = 0; i < values.size(); ++i) {
      if (i > 0) w.add(", ");
      value(values[i]);
    }
  }
  constexpr growing<int> operand_types(operation const& o) const {
    growing<int> r;
    for (int v : m.operands_of(o)) r.push(m.values[v].type);
    return r;
  }
  constexpr growing<int> result_types(operation const& o) const {
    growing<int> r;
    for (int i = 0; i < o.result_count; ++i) r.push(m.values[o.first_result + i].type);
    return r;
  }
  constexpr void signature(operation const& o) {
    write_function_type(w, m, operand_types(o), result_types(o));
  }
  constexpr void region(module_region const& r, bool label = true) {
    write_region(*this, r, label);
  }
};

} // namespace detail
} // namespace weft::inline v0::stablehlo

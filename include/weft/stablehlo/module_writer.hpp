// SPDX-License-Identifier: BSL-1.0
// module_writer: makes a module operation by operation. Regions are opened, filled and closed, the
// inner ones first; functions are regions with names. It keeps the shape of every value with the
// names that extents have in the graph, which the types of the module show as `?`.
// Needs: operands that are visible where they are used; this is not checked.
// Leaves: `result`; equal calls make equal modules.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/stablehlo/module.hpp>

namespace weft::inline v0::stablehlo::detail {

class module_writer {
public:
  module_ir result;

  // types and values
  constexpr int type(dtype element, extents shape) {
    for (int i = 0; i < shape.rank; ++i)
      if (is_named(shape[i])) shape[i] = dynamic_extent;
    return result.intern({.element = element, .shape = shape});
  }
  constexpr dtype element(int value) const { return result.type_of(value).element; }
  constexpr extents shape(int value) const { return shapes_[value]; } // a copy: values grow

  // regions
  constexpr void open_region() { open_.push({}); }
  constexpr int argument(dtype element, extents const& shape) {
    module_region& r = open_.back().region;
    int const v = add_value(element, shape, -1);
    if (r.argument_count++ == 0) r.first_argument = v;
    return v;
  }
  constexpr int close_region() {
    module_region r = open_.back().region;
    r.first_operation = result.bodies.size();
    r.operation_count = open_.back().operations.size();
    result.bodies.append(open_.back().operations);
    open_.pop();
    result.regions.push(r);
    return result.regions.size() - 1;
  }
  constexpr int depth() const { return open_.size(); }

  // operations
  struct typed_shape {
    dtype element{};
    extents shape;
  };
  // The first result.
  constexpr int emit(code what, view<int> operands, view<typed_shape> results,
                     view<attribute> attributes = {}, view<int> regions = {}) {
    operation o{.what = what};
    o.first_operand = result.operands.size();
    o.operand_count = operands.size();
    result.operands.append(operands);
    o.first_attribute = result.attributes.size();
    o.attribute_count = attributes.size();
    result.attributes.append(attributes);
    o.first_region = result.region_lists.size();
    o.region_count = regions.size();
    result.region_lists.append(regions);
    o.first_result = result.values.size();
    o.result_count = results.size();
    int const id = result.operations.size();
    for (typed_shape const& t : results) add_value(t.element, t.shape, id);
    result.operations.push(o);
    open_.back().operations.push(id);
    return o.first_result;
  }
  constexpr int emit(code what, view<int> operands, dtype element, extents const& shape,
                     view<attribute> attributes = {}, view<int> regions = {}) {
    typed_shape const one{element, shape};
    return emit(what, operands, {&one, 1}, attributes, regions);
  }
  constexpr void end(code what, view<int> operands) { emit(what, operands, view<typed_shape>{}); }

  // What the named extents are here: a rank-0 i32 each. A region's own are forgotten at its end.
  constexpr int known_extent(extent name) const {
    for (extent_value const& e : names_)
      if (e.name == name) return e.value;
    return -1;
  }
  constexpr void know_extent(extent name, int value) { names_.push({name, value}); }
  constexpr int known_extents() const { return names_.size(); }
  constexpr void forget_extents_since(int count) { names_.resize(count); }

  // functions: an open region becomes one, with its return in it
  constexpr void close_function(char const* name, bool is_public, view<int> results) {
    function f{.name = result.keep(name), .is_public = is_public};
    f.first_result = result.members.size();
    f.result_count = results.size();
    for (int v : results) result.members.push(result.values[v].type);
    end(code::func_return, results);
    f.region = close_region();
    result.functions.push(f);
  }

  // attributes; records and lists are pushed behind what they hold
  constexpr attribute integer(char const* name, extent value, dtype type_of_it = dtype::i64) {
    attribute a = named(name, attribute_kind::integer);
    a.integer = value;
    a.type = type(type_of_it, {});
    return a;
  }
  constexpr attribute boolean(char const* name, bool value) {
    attribute a = named(name, attribute_kind::boolean);
    a.integer = value ? 1 : 0;
    return a;
  }
  constexpr attribute unit(char const* name) { return named(name, attribute_kind::unit); }
  constexpr attribute text(char const* name, attribute_kind kind, char const* value) {
    attribute a = named(name, kind);
    a.text = result.keep(value);
    return a;
  }
  constexpr attribute string(char const* name, char const* value) {
    return text(name, attribute_kind::string, value);
  }
  constexpr attribute enumerator(char const* name, char const* value) {
    return text(name, attribute_kind::word, value);
  }
  // array<i64: ...>, of any length
  constexpr attribute integers(char const* name, view<extent> values) {
    extents shape;
    shape.push(values.size());
    return matrix(name, values, shape);
  }
  // dense<...> : tensor<..xi64>
  constexpr attribute matrix(char const* name, view<extent> values, extents const& shape) {
    attribute a = named(name, attribute_kind::numbers);
    growing<word> words;
    for (extent v : values) words.push(static_cast<word>(v));
    set_elements(a, dtype::i64, shape, words);
    return a;
  }
  // dense<...>: one word for all elements, or one each; equal ones are kept once, as the parser does.
  constexpr attribute elements(char const* name, dtype element, extents const& shape,
                               view<word> words) {
    attribute a = named(name, attribute_kind::numbers);
    set_elements(a, element, shape, words);
    return a;
  }
  constexpr attribute record(char const* name, view<attribute> members) {
    attribute a = named(name, attribute_kind::record);
    a.first = result.attributes.size();
    a.count = members.size();
    result.attributes.append(members);
    return a;
  }
  constexpr attribute list(char const* name, view<attribute> members) {
    attribute a = record(name, members);
    a.kind = attribute_kind::list;
    return a;
  }

private:
  struct extent_value {
    extent name = 0;
    int value = -1;
  };
  struct open_region_of {
    module_region region;
    growing<int> operations;
  };

  constexpr void set_elements(attribute& a, dtype element, extents const& shape, view<word> words) {
    bool equal = true;
    for (word w : words) equal &= w == words[0];
    if (is_static(shape) && count_of(shape) == 0) words = {};
    a.type = type(element, shape);
    a.first = result.words.size();
    a.count = equal && !words.empty() ? 1 : words.size();
    result.words.append(words.part(0, a.count));
  }
  constexpr int add_value(dtype element, extents const& shape, int owner) {
    shapes_.push(shape);
    return result.add_value(type(element, shape), owner);
  }
  constexpr attribute named(char const* name, attribute_kind kind) {
    attribute a;
    a.name = result.keep(name);
    a.kind = kind;
    return a;
  }

  growing<open_region_of> open_;
  growing<extents> shapes_; // of values
  growing<extent_value> names_;
};

// A list of axes from a set.
constexpr growing<extent> axes_of(extent set) {
  growing<extent> r;
  for (int i = 0; i < max_rank; ++i)
    if (((set >> i) & 1) != 0) r.push(i);
  return r;
}
constexpr growing<extent> list_of(extents const& s) {
  growing<extent> r;
  for (int i = 0; i < s.rank; ++i) r.push(s[i]);
  return r;
}

} // namespace weft::inline v0::stablehlo::detail

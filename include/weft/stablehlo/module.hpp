// SPDX-License-Identifier: BSL-1.0
// A StableHLO module as a value: what parse.hpp reads, print.hpp writes, import.hpp makes a graph of
// and export.hpp makes of a graph. Flat arrays, as in a graph: functions have a region, regions have
// operations, operations have operands, results, attributes and regions.
// Both forms of the text give the same module: attributes have the names and kinds of the generic
// form, whatever the pretty one writes (`sizes = [1, 3]` is `slice_sizes`).
// Leaves: plain data, usable in constant evaluation.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/core/error.hpp>
#include <weft/core/extents.hpp>
#include <weft/stablehlo/codes.hpp>

namespace weft::inline v0::stablehlo {

// An extent that only the run knows: `?`. No name of weft's is this number.
inline constexpr extent dynamic_extent = -0x7fffffffffffffff - 1;

enum class type_kind : std::uint8_t {
  tensor,
  token, // !stablehlo.token: carries no data
  tuple  // of the types listed in module_ir::members
};
struct value_type {
  type_kind kind = type_kind::tensor;
  dtype element{};
  extents shape;                          // of a tensor; may have dynamic_extent
  int first_member = 0, member_count = 0; // of a tuple

  friend constexpr bool operator==(value_type const& a, value_type const& b) {
    return a.kind == b.kind && a.element == b.element && a.shape == b.shape &&
           a.first_member == b.first_member && a.member_count == b.member_count;
  }
};

// Characters [first, first + count) of module_ir::characters.
struct text_span {
  int first = 0, count = 0;
};

// What an attribute is, and which members say it:
enum class attribute_kind : std::uint8_t {
  unit,    // it is there: `use_global_device_ids`
  boolean, // integer: 0 or 1
  integer, // integer; type: a tensor of i64, i32, ui8 ... without axes, or -1 for i64
  real,    // integer: the bits of a double; type: a tensor of f64, f32 ... without axes, or -1: f64
  string,  // text
  symbol,  // text: `@name` without the @
  word,    // text: an enumerator, `#stablehlo<comparison_direction LT>`, or LT in the pretty form;
           // characters [first, first + count), which may be none: comparison_direction
  numbers, // type; words [first, first + count): one for all elements (splat), or one an element.
           // dense<...>, array<i64: ...>, and lists of integers, [1, 2], as i64; integer says
           // which it was, 0, 2 or 1: only printers of what StableHLO does not define ask
  list,    // attributes [first, first + count), without names
  record,  // the same with names: {a = 1}, #stablehlo.gather<...>, #stablehlo.dot<...>,
           // #stablehlo.channel_handle<...>; text, which may be empty: stablehlo.gather; integer: 1
           // if it is {...}. Where nothing of both is said, printers go by the attribute's name
  labels,  // text: the inside of #stablehlo.conv<...>, "[b, 0, f]x[0, i, o]->[b, 0, f]"
  type,    // type
  other    // text, as it stands: what nobody reads (shardings, layouts). Of a function type,
           // members [first - integer, first) are its arguments, [first, first + count) its results
};
struct attribute {
  text_span name;
  attribute_kind kind{};
  std::int64_t integer = 0;
  text_span text;
  int type = -1;
  int first = 0, count = 0;
};

struct value {
  int type = 0;
  int owner = -1; // the operation whose result it is; -1: an argument of a region
};

struct operation {
  code what = code::unknown;
  int line = 0, column = 0;                     // where the text has it, counted from 1, in bytes
  int first_operand = 0, operand_count = 0;     // in module_ir::operands
  int first_result = 0, result_count = 0;       // values
  int first_attribute = 0, attribute_count = 0; // attributes
  int first_region = 0, region_count = 0;       // in module_ir::region_lists
};

// One block. It ends with func.return or stablehlo.return, which is among the operations.
struct module_region {
  int first_argument = 0, argument_count = 0;   // values
  int first_operation = 0, operation_count = 0; // in module_ir::bodies
};

struct function {
  text_span name;
  bool is_public = true;
  int line = 0, column = 0;
  int region = -1;
  int first_result = 0, result_count = 0; // types, in module_ir::members
  // One record per argument and per result, in module_ir::attributes; -1: none has any.
  // Of an argument: jax.arg_info, tf.aliasing_output, weft.name ...
  int argument_attributes = -1, result_attributes = -1;
  int first_attribute = 0, attribute_count = 0; // what else is said of it
};

// The first thing that is wrong, with its place in the text.
struct failure {
  bool failed = false;
  int line = 0, column = 0;
  message text; // "unknown operation stablehlo.fft; weft reads ..."
};

struct module_ir {
  text_span name;
  growing<char> characters;
  growing<value_type> types; // distinct
  growing<int> members;      // types of tuples' members and of functions' results
  growing<value> values;
  growing<int> operands; // values
  growing<attribute> attributes;
  growing<word> words; // elements of numbers, as graph constants keep them (`word_of`)
  growing<operation> operations;
  growing<int> region_lists; // regions
  growing<module_region> regions;
  growing<int> bodies; // operations
  growing<function> functions;
  int first_attribute = 0, attribute_count = 0; // the module's own: mhlo.num_partitions ...
  failure error;                                // if it failed, the rest is not to be used

  constexpr view<char> text(text_span s) const { return {characters.data() + s.first, s.count}; }
  constexpr bool is(text_span s, char const* wanted) const { return is_name(text(s), wanted); }
  constexpr value_type const& type_of(int id) const { return types[values[id].type]; }
  constexpr int operand(operation const& o, int k) const { return operands[o.first_operand + k]; }
  constexpr view<int> operands_of(operation const& o) const {
    return operands.part(o.first_operand, o.operand_count);
  }
  constexpr module_region const& region_of(operation const& o, int k) const {
    return regions[region_lists[o.first_region + k]];
  }
  // An attribute of an operation; nullptr: it has none of that name.
  constexpr attribute const* find(operation const& o, char const* wanted) const {
    return find(o.first_attribute, o.attribute_count, wanted);
  }
  constexpr attribute const* find(attribute const& record, char const* wanted) const {
    return find(record.first, record.count, wanted);
  }
  constexpr attribute const* find(int first, int count, char const* wanted) const {
    for (int i = first; i < first + count; ++i)
      if (is(attributes[i].name, wanted)) return &attributes[i];
    return nullptr;
  }
  // Elements of numbers: n of them by the type, one word each or one for all.
  constexpr word element(attribute const& numbers, int i) const {
    return words[numbers.first + (numbers.count == 1 ? 0 : i)];
  }

  constexpr text_span keep(view<char> s) {
    int const first = characters.size();
    characters.append(s);
    return {first, s.size()};
  }
  constexpr text_span keep(char const* s) {
    int n = 0;
    while (s[n] != '\0') ++n;
    return keep(view<char>{s, n});
  }
  // The index of a type, the same for equal ones.
  constexpr int intern(value_type const& t) {
    for (int i = 0; i < types.size(); ++i)
      if (types[i] == t) return i;
    types.push(t);
    return types.size() - 1;
  }
  constexpr int add_value(int type, int owner = -1) {
    values.push({type, owner});
    return values.size() - 1;
  }
};

} // namespace weft::inline v0::stablehlo

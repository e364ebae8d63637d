// SPDX-License-Identifier: BSL-1.0
// product_source: what every kernel of a contraction is put together from: its parameters, where
// elements lie, how they are read, and the one function that stores a result.
//   product_source s(product, types, wide);
//   s.count('m')                          "m", a number of the kernel
//   s.at(side::a, 'm', "i")               "i * a_m0": where index i of the axes m lies in a
//   s.kernel(group, before, body)         the program
// Axes z (batch), m, n, k of pass/product.hpp; an axis of stride 0 is not written, a stride of 1 is
// no number. Values are of type `sum`: float, double, uint or ulong.
// Needs: a product whose extents are numbers. Leaves: text in which only numbers that are asked for
// are parameters, in the order of asking.
#pragma once

#include <weft/op/elementary.hpp>
#include <weft/opencl/epilogue_text.hpp>
#include <weft/opencl/step_text.hpp>
#include <weft/opencl/text_wide.hpp>
#include <weft/pass/product.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::inline v0 {
namespace detail {

enum class product_side : std::uint8_t { a, b, start, bias, out };

// What a product is made of, besides its numbers.
struct product_types {
  dtype operand{}, result{}, bias{};
  bool has_start = false, has_bias = false;
  int unit_a = 1, unit_b = 1; // buffer_use::first_unit() of the normal form's a and b

  constexpr dtype start() const { return accumulator_of(operand); }
  constexpr bool has(product_side s) const {
    return s == product_side::start ? has_start : s == product_side::bias ? has_bias : true;
  }
  constexpr dtype of(product_side s) const {
    switch (s) {
      case product_side::start: return start();
      case product_side::bias: return bias;
      case product_side::out: return result;
      default: return operand;
    }
  }
};

// Replaces every @name by its text.
using replacements = std::vector<std::pair<std::string_view, std::string>>;
inline std::string filled(std::string_view form, replacements const& by) {
  auto const in_name = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  std::string r;
  for (std::size_t i = 0; i < form.size();) {
    if (form[i] != '@') {
      r += form[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < form.size() && in_name(form[end])) ++end;
    for (auto const& [name, text] : by)
      if (name == form.substr(i + 1, end - i - 1)) r += text;
    i = end;
  }
  return r;
}

// x + y, of which either may be "0".
inline std::string sum_of(std::string const& x, std::string const& y) {
  return y == "0" ? x : x == "0" ? y : x + " + " + y;
}

class product_source {
public:
  using side = product_side;

  // `epilogue`: null, or what the kernel computes of every element; then the element itself is
  // stored only if it is `kept`. `helpers`: what its functions call.
  product_source(product_form const& p, product_types const& t, bool wide,
                 opencl::text::program& helpers, opencl::epilogue_text const* epilogue, bool kept)
      : p_(p), types_(t), wide_(wide), helpers_(helpers), epilogue_(epilogue), kept_(kept) {}

  product_form const& numbers_of() const { return p_; }
  product_types const& types() const { return types_; }
  product_axes const& axes(char list) const {
    return list == 'z' ? p_.batch : list == 'm' ? p_.m : list == 'n' ? p_.n : p_.k;
  }

  // Type of the sums, and of their vectors.
  std::string sum() const {
    bool const is_wide = size_of(types_.operand) == 8;
    if (is_float(types_.operand)) return is_wide ? "double" : "float";
    return is_wide ? "ulong" : "uint";
  }
  // x y + z, the sum's one step.
  std::string step(std::string const& x, std::string const& y, std::string const& z) const {
    return is_float(types_.operand) ? "fma(" + x + ", " + y + ", " + z + ')'
                                    : x + " * " + y + " + " + z;
  }

  // The text calls load_four_a(a, place), which gives a sum4, or that of b, and not load_a.
  void loads_four(side s) { loads_four_[s == side::a ? 0 : 1] = true; }

  std::string number(std::string const& name, extent value) {
    for (auto const& n : numbers_)
      if (n.first == name) return name;
    numbers_.emplace_back(name, value);
    return name;
  }
  std::string count(char list) { return number({list}, axes(list).count()); }
  // Is one step along the innermost of these axes one element?
  bool contiguous(side s, char list) const {
    product_axes const& on = axes(list);
    return on.rank > 0 && on.inner().stride.*member(s) == 1;
  }
  // Are four neighbours along `list`, from every multiple of four on, neighbours in memory, the first
  // one at a multiple of four elements?
  bool reads_by_four(side s, char list) const {
    if (!contiguous(s, list) || axes(list).inner().size % 4 != 0) return false;
    if ((s == side::a ? types_.unit_a : types_.unit_b) % 4 != 0) return false;
    for (char other : {'z', 'm', 'n', 'k'}) {
      product_axes const& on = axes(other);
      for (int i = 0; i < on.rank - (other == list ? 1 : 0); ++i)
        if (on.d[i].stride.*member(s) % 4 != 0) return false;
    }
    return true;
  }
  // `index` is a name, or in parentheses.
  std::string at(side s, char list, std::string const& index) {
    product_axes const& on = axes(list);
    std::string r = "0";
    for (int i = 0; i < on.rank; ++i) r = sum_of(r, along(s, list, i, index_of(list, i, index)));
    return r;
  }
  // The same along one axis, of that axis' index.
  std::string along(side s, char list, int i, std::string const& index) {
    extent const stride = axes(list).d[i].stride.*member(s);
    if (stride == 0) return "0";
    return stride == 1 ? index : index + " * " + number(name_of(s) + '_' + axis(list, i), stride);
  }
  // The element at row i and column j.
  std::string at(side s, std::string const& i, std::string const& j) {
    std::string const row = at(s, 'm', i); // numbers are named in this order
    return sum_of(row, at(s, 'n', j));
  }
  // `  a += i * a_m0;`, or nothing.
  std::string move(side s, char list, std::string const& index) {
    std::string const place = at(s, list, index);
    return place == "0" ? "" : "  " + name_of(s) + " += " + place + ";\n";
  }
  // Moves the arrays to their places in a batch; `index` counts batches.
  std::string move_to_batch(std::string const& index) {
    std::string r;
    for (side s : all)
      if (types_.has(s)) r += move(s, 'z', "z");
    return r.empty() ? r : "  const index z = " + index + ";\n" + r;
  }
  // What a sum starts from.
  std::string first(std::string const& i, std::string const& j) {
    return types_.has_start ? "load_start(start, " + at(side::start, i, j) + ')' : "0";
  }
  std::string store(std::string const& i, std::string const& j, std::string const& value) {
    std::string const bias = types_.has_bias ? ", bias, " + at(side::bias, i, j) : "";
    std::string more;
    if (epilogue_ != nullptr) {
      more = ", results";
      for (auto const* list : {&epilogue_->buffers, &epilogue_->numbers})
        for (auto const& p : *list) more += ", " + p.name;
    }
    return "store(out, " + at(side::out, i, j) + ", " + value + bias + more + ");";
  }

  opencl::kernel_text kernel(extent group, std::string const& constants,
                             std::string const& body) const {
    std::string r = opencl::text::no_contraction;
    if (sum() == "double" || (epilogue_ != nullptr && epilogue_->doubles))
      r += opencl::text::double_precision;
    r += std::string("typedef ") + index_type() + " index;\ntypedef " + sum() + " sum;\n";
    std::string const functions = element_functions();
    r += constants + helpers_.helpers() + (epilogue_ != nullptr ? epilogue_->functions : "") +
         functions + "\n__kernel " + opencl::group_attribute({group, 1, 1}) +
         "\nvoid weft_product(";
    std::string moves;
    for (side s : all)
      if (types_.has(s)) {
        r += parameter(s) + ",\n                  ";
        moves += "  " + name_of(s) + " += " + name_of(s) + "_first;\n";
      }
    if (epilogue_ != nullptr) {
      moves += std::string("  __global const ") + opencl::storage_type(types_.result) +
               "* const results = out;\n";
      for (auto const& b : epilogue_->buffers) {
        r += b.declaration + ", const long " + b.first + ",\n                  ";
        moves += "  " + b.name + " += " + b.first + ";\n";
      }
    }
    r += number_parameters();
    return {r + ") {\n" + moves + body + "}\n", "weft_product", wide_};
  }
  growing<extent> numbers() const {
    growing<extent> r;
    for (auto const& n : numbers_) r.push(n.second);
    if (epilogue_ != nullptr)
      for (extent n : epilogue_->call.numbers) r.push(n);
    return r;
  }
  static constexpr side all[] = {side::a, side::b, side::start, side::bias, side::out};

private:
  static std::string name_of(side s) {
    constexpr char const* names[] = {"a", "b", "start", "bias", "out"};
    return names[static_cast<int>(s)];
  }
  static constexpr extent places::*member(side s) {
    constexpr extent places::*members[] = {&places::a, &places::b, &places::start, &places::bias,
                                           &places::out};
    return members[static_cast<int>(s)];
  }
  static std::string axis(char list, int i) { return list + std::to_string(i); }

  std::string number_parameters() const {
    std::string const indent(18, ' ');
    std::string r, line;
    auto const add = [&](std::string const& declaration) {
      if (line.size() > 60) {
        r += line + ",\n" + indent;
        line.clear();
      }
      line += (line.empty() ? "" : ", ") + declaration;
    };
    for (auto const& n : numbers_) add("const index " + n.first);
    if (epilogue_ != nullptr)
      for (auto const& n : epilogue_->numbers) add(n.declaration);
    return r + line;
  }
  // The index along axis i of `list` that belongs to an index over all its axes.
  std::string index_of(char list, int i, std::string const& index) {
    product_axes const& on = axes(list);
    std::string r = index;
    for (int inner = on.rank - 1; inner > i; --inner)
      r += " / " + number(axis(list, inner), on.d[inner].size);
    return i == 0 ? r : r + " % " + number(axis(list, i), on.d[i].size);
  }
  char const* index_type() const { return wide_ ? "long" : "int"; }

  std::string parameter(side s) const {
    char const* const qualifier = s == side::out ? "__global " : "__global const ";
    bool const factor = s == side::a || s == side::b; // out may lie where start does
    return std::string(qualifier) + opencl::storage_type(types_.of(s)) +
           (factor ? "* restrict " : "* ") + name_of(s) + ", const long " + name_of(s) + "_first";
  }

  // load_a(a, place) and so on, and store(out, place, value[, bias, place]).
  std::string element_functions() const {
    std::string r;
    for (side s : {side::a, side::b})
      r += loads_four_[s == side::a ? 0 : 1] ? load_four_function(s) : load_function(s);
    for (side s : {side::start, side::bias})
      if (types_.has(s)) r += load_function(s);
    return r + store_function();
  }
  // Of float, bf16 or f16, aligned to four elements.
  std::string load_four_function(side s) const {
    std::string const type = opencl::storage_type(types_.operand);
    std::string const value = opencl::load_aligned4(types_.operand, "from", "at");
    return "static sum4 load_four_" + name_of(s) + "(__global const " + type +
           "* from, const index at) {\n  return " + value + ";\n}\n";
  }
  std::string load_function(side s) const {
    std::string const type = opencl::storage_type(types_.of(s));
    return "static sum load_" + name_of(s) + "(__global const " + type +
           "* from, const index at) {\n  return " +
           opencl::load_element(types_.of(s), "from", "at") + ";\n}\n";
  }
  std::string store_function() const {
    dtype const d = types_.result;
    opencl::text::body b(helpers_);
    std::string value = "value", bias;
    if (types_.has_bias) {
      value = b.name(b.emit("sum", "value + load_bias(bias, bias_at)"));
      bias = std::string(",\n                  __global const ") +
             opencl::storage_type(types_.bias) + "* bias, const index bias_at";
    }
    if (is_half(d)) {
      auto const x = b.value<opencl::text::f32>(value);
      value = name(d == dtype::bf16 ? elementary::round_to<dtype::bf16>(x)
                                    : elementary::round_to<dtype::f16>(x));
    }
    std::string more, call;
    if (epilogue_ != nullptr) {
      more = std::string(",\n                  __global const ") + opencl::storage_type(d) +
             "* results";
      call = "  weft_epilogue((index)(out + at - results), " + as_register(d, value);
      for (auto const* list : {&epilogue_->buffers, &epilogue_->numbers})
        for (auto const& p : *list) {
          more += ",\n                  " + p.declaration;
          call += ", " + p.name;
        }
      call += ");\n";
    }
    return std::string("static void store(__global ") + opencl::storage_type(d) +
           "* out, const index at, const sum value" + bias + more + ") {\n" + b.text() +
           (kept_ ? "  " + opencl::store_element(d, "out", "at", value) + '\n' : "") + call + "}\n";
  }

  // A sum as registers hold an element: integers wrapped.
  static std::string as_register(dtype d, std::string const& value) {
    if (is_float(d)) return value;
    return std::string("(") + opencl::register_type(d) + ")(" + opencl::storage_type(d) + ')' +
           value;
  }

  product_form p_;
  product_types types_;
  bool wide_;
  opencl::text::program& helpers_;
  opencl::epilogue_text const* epilogue_;
  bool kept_, loads_four_[2] = {false, false};
  std::vector<std::pair<std::string, extent>> numbers_;
};

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// point_text: a group's instructions as one function of OpenCL C, from the values that an element
// loads to the values of its outputs:
//   static void weft_point(const float x0, const int x3, float* y0)
// x0: the element at place 0 (of an iota, the number itself); y0: output 0, stored or reduced. And
// the functions of its reductions: weft_combine0 and weft_rounded0 of output 0.
// Needs: the kernel's parts of a lowered_view. Leaves: text behind its helpers; several groups of
// one program share them, and tell their functions apart by a suffix.
#pragma once

#include <weft/opencl/op_text.hpp>
#include <weft/pass/lower.hpp>

#include <string>
#include <vector>

namespace weft::inline v0 {
namespace opencl {

struct point_text {
  std::string before;    // pragmas and helpers, unless they are shared
  std::string functions; // their names end in `suffix`
  std::string suffix;
  bool doubles = false;
  std::vector<int> places;         // of the parameters, in order
  std::vector<std::string> starts; // by output: what its accumulators start as
  std::vector<std::string> empty;  // by output: its result of no element

  std::string program() const { return before + functions; }
};

inline std::string program_start(text::program const& helpers, bool doubles) {
  return std::string(text::no_contraction) + (doubles ? text::double_precision : "") +
         helpers.helpers();
}

} // namespace opencl

namespace detail::opencl_text {

class point_writer {
public:
  point_writer(opencl::text::program& helpers, lowered_view code, weft::kernel const& k,
               std::string suffix)
      : instructions_(code.instructions_of(k)), outputs_(code.outputs_of(k)), helpers_(helpers) {
    out_.suffix = std::move(suffix);
  }

  opencl::point_text write() {
    write_point();
    for (int o = 0; o < outputs_.size(); ++o) write_reduction(o);
    for (instruction const& n : instructions_) {
      bool const converts = n.kind == instruction_kind::compute && n.code == op::convert;
      out_.doubles |= n.type == dtype::f64 || n.from == dtype::f64 ||
                      (converts && opencl::converts_by_double(n.from, n.type));
    }
    return std::move(out_);
  }

private:
  using body = opencl::text::body;
  using texts = opencl::op_texts<>;

  void write_point() {
    body b(helpers_);
    std::vector<int> values;
    std::string parameters;
    for (instruction const& n : instructions_) values.push_back(value(b, n, values, parameters));
    std::string results;
    for (int o = 0; o < outputs_.size(); ++o) {
      std::string const y = 'y' + std::to_string(o);
      add(parameters, std::string(opencl::register_type(outputs_[o].type)) + "* " + y);
      results += "  *" + y + " = " + b.name(values[static_cast<std::size_t>(outputs_[o].source)]) +
                 ";\n";
    }
    out_.functions += "static void weft_point" + out_.suffix + '(' + parameters + ") {\n" +
                      b.text() + results + "}\n";
  }
  int value(body& b, instruction const& n, std::vector<int> const& values,
            std::string& parameters) {
    switch (n.kind) {
      case instruction_kind::load: return b.intern(parameter(n.place, n.type, parameters));
      case instruction_kind::affine: {
        int const index = b.intern(parameter(n.place, dtype::i32, parameters));
        int converted = -1;
        texts::compute(op::convert, dtype::i32, n.type, &index, &converted);
        return converted;
      }
      case instruction_kind::constant: return texts::constant(n.type, static_cast<word>(n.bits));
      case instruction_kind::second: return second_;
      case instruction_kind::compute: break;
    }
    int in[4]{}, result[2]{};
    for (int k = 0; k < 4; ++k)
      if (n.operand[k] >= 0) in[k] = values[static_cast<std::size_t>(n.operand[k])];
    texts::compute(n.code, n.from, n.type, in, result);
    second_ = result[1];
    return result[0];
  }
  static void add(std::string& parameters, std::string const& one) {
    parameters += (parameters.empty() ? "" : ", ") + one;
  }
  std::string parameter(int place, dtype type, std::string& parameters) {
    out_.places.push_back(place);
    std::string name = 'x' + std::to_string(place);
    add(parameters, std::string("const ") + opencl::register_type(type) + ' ' + name);
    return name;
  }

  void write_reduction(int o) {
    output const& y = outputs_[o];
    out_.starts.emplace_back();
    out_.empty.emplace_back();
    if (y.reduction == op::stop_gradient) return;
    std::string const type = opencl::register_type(y.type),
                      number = std::to_string(o) + out_.suffix;
    {
      body b(helpers_);
      int const sum = texts::combine(y.reduction, y.type, b.intern("a"), b.intern("b"));
      out_.functions += "static " + type + " weft_combine" + number + "(const " + type +
                        " a, const " + type + " b) {\n" + b.text() + "  return " + b.name(sum) +
                        ";\n}\n";
    }
    body b(helpers_);
    int const result = texts::rounded(y.type, b.intern("a"));
    out_.functions += "static " + type + " weft_rounded" + number + "(const " + type + " a) {\n" +
                      b.text() + "  return " + b.name(result) + ";\n}\n";
    out_.starts.back() = b.name(texts::lane_start(y.reduction, y.type));
    out_.empty.back() = b.name(texts::empty_result(y.reduction, y.type));
  }

  view<instruction> instructions_;
  view<output> outputs_;
  opencl::text::program& helpers_;
  opencl::point_text out_;
  int second_ = -1;
};

} // namespace detail::opencl_text

namespace opencl {
// For a program of several groups: without its helpers.
inline point_text write_point(text::program& helpers, lowered_view code, weft::kernel const& k,
                              std::string suffix) {
  return weft::detail::opencl_text::point_writer(helpers, code, k, std::move(suffix)).write();
}
inline point_text write_point(lowered_view code, weft::kernel const& k) {
  text::program helpers;
  point_text p = write_point(helpers, code, k, "");
  p.before = program_start(helpers, p.doubles);
  return p;
}
} // namespace opencl
} // namespace weft::inline v0

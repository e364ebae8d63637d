// SPDX-License-Identifier: BSL-1.0
// kernel_writer: the text of one kernel under construction, and the launch that goes with it: its
// parameters, its lines, and the index arithmetic of a loop nest.
//   kernel_writer w("weft_group", false);
//   std::string x = w.buffer(dtype::f32, false, root, 0), n = w.number("length", 8);  // g0, length0
//   w.line("g1[i] = g0[i];");  step.kernels.push_back(w.kernel(before));  step.launches.push_back(w.call);
// Needs: buffers named and the launch's groups set before the kernel is written. Leaves: a number
// that is asked for twice under one name is one parameter.
#pragma once

#include <weft/opencl/element_text.hpp>
#include <weft/opencl/step_text.hpp>
#include <weft/pass/loop_nest.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft::inline v0 {
namespace opencl {

// A loop's index as the kernel has it.
struct coordinate {
  loop_axis const* axis;
  std::string variable;
};

class kernel_writer {
public:
  // `prefix`: of the parameters' names.
  kernel_writer(std::string name, bool wide, std::string prefix = "")
      : name_(std::move(name)), prefix_(std::move(prefix)), wide_(wide) {}

  launch call;

  std::string buffer(dtype type, bool written, int root, extent offset) {
    std::string const number = std::to_string(call.buffers.size());
    std::string name = prefix_ + 'g' + number;
    call.buffers.push({root, offset, size_of(type)});
    buffers_.push_back(
        {std::string("__global ") + (written ? "" : "const ") + storage_type(type) + "* " + name,
         name, prefix_ + 'o' + number});
    return name;
  }
  // A number's name, its kind and a digit; of an equal number of the same kind and axis, that one's.
  std::string number(std::string const& kind, extent value, std::string const& axis = "") {
    auto const [at, fresh] = names_.emplace(kind + axis + ' ' + std::to_string(value), "");
    if (fresh) {
      at->second = prefix_ + kind + std::to_string(call.numbers.size());
      numbers_.push_back({"const index " + at->second, at->second, ""});
      call.numbers.push(value);
    }
    return at->second;
  }

  void line(std::string const& text) {
    lines_.append(2 * static_cast<std::size_t>(depth_), ' ');
    lines_ += text;
    lines_ += '\n';
  }
  void open(std::string const& text = "") { line(text.empty() ? "{" : text + " {"), ++depth_; }
  void close() { --depth_, line("}"); }
  void text(std::string const& lines) { lines_ += lines; }
  void widen() { wide_ = true; }
  int depth() const { return depth_; }

  // The indices of `axes`, the last one fastest, of the element that `linear` counts.
  std::vector<coordinate> split(std::string linear, std::vector<loop_axis const*> const& axes,
                                std::string const& prefix) {
    std::vector<coordinate> at(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
      at[a] = {axes[a], linear};
      if (a == 0) break;
      std::string const length = number("length", axes[a]->length, of_axis(*axes[a])),
                        suffix = std::to_string(a);
      at[a].variable = prefix + suffix;
      line("const index " + at[a].variable + " = " + linear + " % " + length + ';');
      std::string const rest = a == 1 ? prefix + '0' : prefix + "_above" + suffix;
      line("const index " + rest + " = " + linear + " / " + length + ';');
      linear = rest;
    }
    return at;
  }
  // Where place p of the nest stands, in elements from its buffer's first; steps of 0 and 1 are
  // written into the text.
  std::string index(loop_nest const& nest, int p, std::vector<coordinate> const& at,
                    extent offset = 0) {
    std::string sum = offset == 0 ? "" : number("offset", offset);
    for (coordinate const& c : at) {
      extent const step = nest.steps(*c.axis)[p];
      if (step == 0 || c.axis->length == 1) continue;
      sum += (sum.empty() ? "" : " + ") + c.variable +
             (step == 1 ? "" : " * " + number("step", step, of_axis(*c.axis)));
    }
    return sum.empty() ? "0" : sum;
  }

  // `before`: pragmas and functions.
  kernel_text kernel(std::string const& before) const {
    std::string parameters, starts;
    for (parameter const& b : buffers_) {
      parameters += (parameters.empty() ? "\n    " : ",\n    ") + b.declaration + ", const long " +
                    b.first;
      starts += "  " + b.name + " += " + b.first + ";\n";
    }
    for (std::size_t n = 0; n < numbers_.size(); ++n)
      parameters += (n == 0 ? ",\n    " : ", ") + numbers_[n].declaration;
    return {before + "typedef " + (wide_ ? "long" : "int") + " index;\n\n__kernel " +
                group_attribute(call.local) + "\nvoid " + name_ + '(' + parameters + ") {\n" +
                starts + lines_ + "}\n",
            name_, wide_};
  }

  // The same parts for a function that another kernel calls.
  struct parameter {
    std::string declaration, name, first; // first: of a buffer, where it starts
  };
  std::vector<parameter> const& buffers() const { return buffers_; }
  std::vector<parameter> const& numbers() const { return numbers_; }
  std::string const& lines() const { return lines_; }

private:
  // Numbers of two axes that happen to be equal are two numbers: others may be given to the text.
  static std::string of_axis(loop_axis const& axis) {
    return " of " + std::to_string(axis.first_stride);
  }

  std::string name_, prefix_, lines_;
  std::vector<parameter> buffers_, numbers_;
  std::map<std::string, std::string> names_;
  int depth_ = 1;
  bool wide_;
};

inline extent rounded_up(extent n, extent to) { return weft::detail::share_count(n, to) * to; }
// An item each.
inline void launch_items(launch& call, extent count, extent group) {
  call.dimensions = 1;
  call.local[0] = group;
  call.global[0] = rounded_up(count, group);
}

} // namespace opencl
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Any graph on the CPU engine, without a compiler: kernels read their instructions at run time,
// one element after another. So schedule, lowering, layouts, memory and loops are tested on
// thousands of graphs; what SIMD kernels do with the same lists, test_compiled_*.cpp shows.
// Needs: one thread, and graphs of at most `most_kernels` groups.
#pragma once

#include <weft/cpu/contraction_code.hpp>
#include <weft/cpu/small_convolution.hpp>
#include <weft/graph/interpret.hpp>
#include <weft/run/program.hpp>

#include <vector>

namespace test {

using weft::dense, weft::dtype, weft::extent, weft::extents, weft::graph_view, weft::growing;
using weft::op, weft::word;

inline constexpr int most_kernels = 160;

inline weft::lowered_view code_in_work; // what the kernels below read

class slow_kernel {
public:
  slow_kernel(int index, weft::loop_nest const& l, std::intptr_t const* places)
      : self_(code_in_work.kernels[index]), l_(l), at_(places, places + self_.place_count),
        registers_(static_cast<unsigned>(self_.instruction_count) + 1) {}

  void run(weft::cpu::work_range part) {
    weft::cpu::odometer<weft::cpu::generic> outer(l_, l_.outer, at_.data());
    outer.seek(part.outer_begin);
    for (extent o = part.outer_begin; o < part.outer_end; ++o, outer.next())
      if (self_.form == weft::loop_form::rows) reduce(0, l_.inner.length, 0);
      else
        for (extent i = part.inner_begin; i < part.inner_end; ++i)
          if (self_.form == weft::loop_form::columns) reduce(i, i + 1, i);
          else element(i);
  }

private:
  // Reduces over the reduced axes and the inner range; results go to element `to` of their places.
  void reduce(extent begin, extent end, extent to) {
    auto const outputs = code_in_work.outputs_of(self_);
    std::vector<growing<word>> taken(static_cast<unsigned>(outputs.size()));
    extent lines = 1;
    for (weft::loop_axis const& a : l_.reduced) lines *= a.length;
    weft::cpu::odometer<weft::cpu::generic> reduced(l_, l_.reduced, at_.data());
    for (extent n = 0; n < lines; ++n, reduced.next())
      for (extent i = begin; i < end; ++i) {
        element(i);
        for (int o = 0; o < outputs.size(); ++o)
          taken[static_cast<unsigned>(o)].push(register_at(outputs[o].source));
      }
    for (int o = 0; o < outputs.size(); ++o)
      if (outputs[o].reduction != op::stop_gradient)
        write(outputs[o].place, to, total(outputs[o], taken[static_cast<unsigned>(o)]));
  }
  static word total(weft::output const& o, growing<word> const& taken) {
    dense x(o.type, {1, {taken.size()}});
    x.words = taken;
    switch (o.reduction) {
      case op::reduce_sum: return weft::detail::reduce_dense<op::reduce_sum>(x, 1)[0];
      case op::reduce_prod: return weft::detail::reduce_dense<op::reduce_prod>(x, 1)[0];
      case op::reduce_min: return weft::detail::reduce_dense<op::reduce_min>(x, 1)[0];
      default: return weft::detail::reduce_dense<op::reduce_max>(x, 1)[0];
    }
  }
  void element(extent i) {
    for (int n = 0; n < self_.instruction_count; ++n) execute(n, i);
    for (weft::output const& o : code_in_work.outputs_of(self_))
      if (o.reduction == op::stop_gradient) write(o.place, i, register_at(o.source));
  }
  void execute(int n, extent i) {
    weft::instruction const& x = code_in_work.instructions_of(self_)[n];
    word& result = register_at(n);
    switch (x.kind) {
      case weft::instruction_kind::load: result = read(x.place, i); break;
      case weft::instruction_kind::affine: {
        word const index = static_cast<std::uint32_t>(at_[static_cast<unsigned>(x.place)] +
                                                      i * l_.steps(l_.inner)[x.place]);
        weft::word_function_of(op::convert, dtype::i32, x.type)(&index, &result);
        break;
      }
      case weft::instruction_kind::constant: result = static_cast<word>(x.bits); break;
      case weft::instruction_kind::compute: {
        word operands[4]{}, results[2]{};
        for (int k = 0; k < 4 && x.operand[k] >= 0; ++k) operands[k] = register_at(x.operand[k]);
        weft::word_function_of(x.code, x.from, x.type)(operands, results);
        result = results[0];
        second_ = results[1];
        break;
      }
      case weft::instruction_kind::second: result = second_; break;
    }
  }
  // As the kernel was told at compile time, whatever the loop nest says.
  std::byte* address(int place, extent i) const {
    weft::place const& p = code_in_work.places_of(self_)[place];
    extent const step = p.inner == weft::inner_stride::zero   ? 0
                        : p.inner == weft::inner_stride::unit ? 1
                                                              : l_.steps(l_.inner)[place];
    return reinterpret_cast<std::byte*>(at_[static_cast<unsigned>(place)]) +
           i * step * weft::size_of(p.type);
  }
  word read(int place, extent i) const {
    word bits = 0;
    std::memcpy(&bits, address(place, i), size(place));
    return bits;
  }
  void write(int place, extent i, word bits) const {
    std::memcpy(address(place, i), &bits, size(place));
  }
  std::size_t size(int place) const {
    return static_cast<std::size_t>(weft::size_of(code_in_work.places_of(self_)[place].type));
  }
  word& register_at(int n) { return registers_[static_cast<unsigned>(n)]; }

  weft::kernel const& self_;
  weft::loop_nest const& l_;
  std::vector<std::intptr_t> at_;
  std::vector<word> registers_;
  word second_ = 0;
};

template <int Index> void run_slow(weft::cpu::work const& w) {
  slow_kernel(Index, w.loops, w.places).run(w.part);
}
template <int... I> constexpr auto slow_table(std::integer_sequence<int, I...>) {
  return std::array<weft::cpu::kernel_call, sizeof...(I)>{weft::cpu::kernel_call{&run_slow<I>}...};
}
inline constexpr auto slow_kernels = slow_table(std::make_integer_sequence<int, most_kernels>{});

// One graph, planned as `program` plans it, for any number of runs.
class slow_program {
public:
  explicit slow_program(graph_view g)
      : graph_(weft::thaw(g)),
        plan_(weft::detail::with_numbers(
            graph_, [](graph_view b) { return weft::make_schedule(b, weft::accesses_of(b)); })),
        code_(weft::detail::with_numbers(
            graph_, [this](graph_view b) { return weft::lower(b, weft::accesses_of(b), plan_); })) {
    for (weft::schedule_step const& s : plan_.steps) {
      bool const product = s.kind == weft::step_kind::contraction;
      bool const moved = s.kind == weft::step_kind::move;
      moves_.push_back(moved ? weft::cpu::move_for(graph_[s.node].code) : nullptr);
      bool const convolved = s.kind == weft::step_kind::convolution;
      convolutions_.push_back(
          convolved ? weft::cpu::convolution_for<weft::cpu::generic>(graph_, s.node) : nullptr);
      products_.push_back(product ? weft::cpu::contraction_for<weft::cpu::generic>(graph_, s.node)
                                  : nullptr);
      prefixes_.push_back(nullptr); // level by level
    }
  }
  weft::schedule const& plan() const { return plan_; }
  int kernels() const { return code_.kernels.size(); }

  growing<dense> run(weft::view<dense> inputs) {
    growing<extents> shapes;
    for (dense const& x : inputs) shapes.push(x.shape);
    weft::cpu::program_code const code{graph_,
                                       plan_,
                                       code_,
                                       slow_kernels.data(),
                                       products_.data(),
                                       convolutions_.data(),
                                       moves_.data(),
                                       prefixes_.data()};
    code_in_work = code_;
    weft::cpu::engine engine(code, weft::bind_to(graph_, shapes), 1);
    std::vector<std::vector<std::byte>> in, out;
    std::vector<void const*> from;
    std::vector<void*> to;
    for (dense const& x : inputs) in.push_back(packed(x));
    graph_view const g = engine.bound();
    for (int id : g.outputs_of(0))
      out.push_back(std::vector<std::byte>(static_cast<std::size_t>(weft::bytes_of(g, id))));
    for (auto const& bytes : in) from.push_back(bytes.data());
    for (auto& bytes : out) to.push_back(bytes.data());
    weft::cpu::serial here;
    engine.run({from.data(), inputs.size()}, {to.data(), static_cast<int>(to.size())}, here);
    growing<dense> results;
    for (int k = 0; k < static_cast<int>(out.size()); ++k) {
      int const id = g.outputs_of(0)[k];
      results.push(unpacked(out[static_cast<unsigned>(k)], g[id].type, g.shape(id)));
    }
    return results;
  }

private:
  static std::vector<std::byte> packed(dense const& x) {
    auto const size = static_cast<std::size_t>(weft::size_of(x.type));
    std::vector<std::byte> bytes(size * static_cast<std::size_t>(x.size()));
    for (int i = 0; i < x.size(); ++i)
      std::memcpy(bytes.data() + size * static_cast<std::size_t>(i), &x.words[i], size);
    return bytes;
  }
  static dense unpacked(std::vector<std::byte> const& bytes, dtype type, extents const& shape) {
    dense x(type, shape);
    auto const size = static_cast<std::size_t>(weft::size_of(type));
    for (int i = 0; i < x.size(); ++i)
      std::memcpy(&x.words[i], bytes.data() + size * static_cast<std::size_t>(i), size);
    return x;
  }

  weft::graph const graph_;
  weft::schedule const plan_;
  weft::lowered const code_;
  std::vector<weft::cpu::contraction_code const*> products_;
  std::vector<weft::cpu::convolution_code const*> convolutions_;
  std::vector<weft::cpu::move_code const*> moves_;
  std::vector<weft::cpu::prefix_code const*> prefixes_;
};

} // namespace test

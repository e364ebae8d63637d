// SPDX-License-Identifier: BSL-1.0
// Convolutions (pass/convolution_form.hpp) as products of cpu/contract.hpp, which packs its operands
// from x and w as they lie: panels are gathered by the windows' strides, and no im2col array exists.
// Where a window reaches beyond x, x is copied with its zeros around it, once, or by strips of the
// result (cpu/convolution_strips.hpp). Depthwise ones (cpu/depthwise.hpp) need no copy and no scratch.
// Needs: the arrays that the form was made for; out overlaps nothing. Leaves: the bits of
// graph/convolution.hpp, for every target and number of threads. Allocates nothing.
#pragma once

#include <weft/cpu/contraction_code.hpp>
#include <weft/cpu/convolution_strips.hpp>
#include <weft/cpu/depthwise.hpp>
#include <weft/cpu/fill_around.hpp>
#include <weft/cpu/move.hpp>
#include <weft/pass/convolution_form.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

struct convolution_code {
  extent (*scratch_bytes)(convolution_form const&, int threads);
  void (*run)(convolution_form const&, void const* x, void const* w, void* out, void const* bias,
              scratch, executor_ref const&, epilogue_ref);
  bool (*tells)(convolution_form const&, int threads); // as a contraction's
};

// Writes a padded copy, a range of indices along one axis at a time.
class padding_writer {
public:
  padding_writer(int size, convolution_form const& form, void const* x, void* to)
      : size_(size), part_(part_of(form.copy(), form.x().shape)),
        dense_(row_major_strides(form.copy().shape)),
        zeros_(size, form.copy().shape, part_.to, part_.shape, &zero),
        to_(static_cast<std::byte*>(to)), x_(static_cast<std::byte const*>(x)) {
    padded_copy const& copy = form.copy();
    for (int k = 0; k < copy.shape.rank; ++k) {
      extent const step = form.x().strides[copy.axis[k]];
      x_ += part_.from[k] * step * size_;
      from_.push(step * copy.step[k]);
      if (cut_ == k && copy.shape[k] == 1 && k + 1 < copy.shape.rank) ++cut_;
    }
    if (copy.shape.rank > 0) length_ = copy.shape[cut_];
  }
  // Of the axis that is cut; those before it are one.
  extent length() const { return length_; }
  void run(extent first, extent last) const {
    zeros_.fill(to_, cut_, first, last);
    extents shape = part_.shape;
    extent from = 0, to = 0, skipped = 0;
    if (shape.rank > 0) {
      extent const begin = first - part_.to[cut_], end = last - part_.to[cut_];
      skipped = begin < 0 ? 0 : begin;
      extent const most = end < shape[cut_] ? end : shape[cut_];
      shape[cut_] = most > skipped ? most - skipped : 0;
      from = skipped * from_[cut_];
    }
    if (count_of(shape) == 0) return;
    for (int k = 0; k < shape.rank; ++k)
      to += (part_.to[k] + (k == cut_ ? skipped : 0)) * dense_[k];
    cpu::copy(size_, shape, x_ + from * size_, from_, to_ + to * size_, dense_);
  }

private:
  static constexpr std::uint64_t zero = 0;

  int size_;
  copied_part part_;
  extents dense_, from_;
  around_box zeros_;
  std::byte* to_;
  std::byte const* x_;
  int cut_ = 0;
  extent length_ = 1;
};

inline void copy_padded(int size, convolution_form const& form, void const* x, void* to,
                        executor_ref const& on) {
  padding_writer const writer(size, form, x, to);
  extent const threads = threads_for(on, 4 * form.copy().count()), length = writer.length();
  extent const most = threads == 1 ? 1 : 4 * threads;
  int const tasks = static_cast<int>(length < most ? length : most);
  on.parallel_for(tasks, [&](int task, int) {
    writer.run(length * task / tasks, length * (task + 1) / tasks);
  });
}

} // namespace cpu

namespace detail {

// Gathers: with kernels that read rows of x where they lie; without, those of contractions serve.
template <class Target, dtype A, dtype B, dtype Out, dtype Bias, bool Gathers = true>
struct convolution_by {
  using product = contraction_by<Target, contract_order::chain, A, B, Out, Bias, Gathers>;
  static constexpr bool has_depthwise =
      Gathers && A == B && std::is_same_v<as_word<storage_of<A>>, cpu::sum_type<storage_of<Out>>>;

  static extent copy_bytes(convolution_form const& form) {
    return aligned_bytes(form.copy().count() * size_of(A));
  }
  static bool is_depthwise(convolution_form const& form) {
    return has_depthwise && depthwise_form::fits(form, Target::lanes);
  }
  static extent bytes(convolution_form const& form, int threads) {
    if (is_depthwise(form)) return 0;
    convolution_strips const strips(form, size_of(A));
    return strips.count() == 1 ? bytes_of_phases(form, threads) : threads * bytes_of_strip(strips);
  }
  static extent bytes_of_phases(convolution_form const& form, int threads) {
    extent most = 0;
    for (extent n = 0; n < form.phases(); ++n) {
      extent const each = product::bytes(form.at(n).product, threads);
      most = each > most ? each : most;
    }
    return copy_bytes(form) + most;
  }
  static extent bytes_of_strip(convolution_strips const& strips) {
    extent const count = strips.count(), kinds = strips.kinds();
    extent most = 0;
    auto const note = [&](extent first) {
      for (extent n = first; n < first + kinds; ++n) {
        extent const each = bytes_of_phases(strips.at(n).form, 1);
        most = each > most ? each : most;
      }
    };
    note(0);
    if (count > kinds) note(count - kinds);
    return most;
  }
  static void run(convolution_form const& form, void const* x, void const* w, void* out,
                  void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                  cpu::epilogue_ref after) {
    if (is_depthwise(form)) return run_depthwise(form, x, w, out, bias, on, after);
    convolution_strips const strips(form, size_of(A));
    if (strips.count() == 1) return run_phases(form, x, w, out, bias, memory, on, after);
    extent const each = memory.bytes / on.threads() / memory_alignment * memory_alignment;
    on.parallel_for(static_cast<int>(strips.count()), [&](int n, int worker) {
      auto const strip = strips.at(n);
      cpu::serial here;
      run_phases(strip.form, moved<A>(x, strip.first.a), w,
                 const_cast<void*>(moved<Out>(out, strip.first.out)),
                 bias == nullptr ? nullptr : moved<Bias>(bias, strip.first.bias),
                 memory.part(worker, each), cpu::executor_ref(here), after.moved(strip.first.out));
    });
  }
  static void run_phases(convolution_form const& form, void const* x, void const* w, void* out,
                         void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                         cpu::epilogue_ref after) {
    extent const taken = copy_bytes(form);
    if (form.copy().count() > 0) {
      cpu::copy_padded(size_of(A), form, x, memory.memory, on);
      x = memory.memory;
    }
    for (extent n = 0; n < form.phases(); ++n) {
      auto const phase = form.at(n);
      if (phase.product.count() == 0) continue;
      product::run(phase.product, moved<A>(x, phase.first.a), moved<B>(w, phase.first.b),
                   const_cast<void*>(moved<Out>(out, phase.first.out)), nullptr,
                   bias == nullptr ? nullptr : moved<Bias>(bias, phase.first.bias),
                   {memory.memory + taken, memory.bytes - taken}, on, after.moved(phase.first.out));
    }
  }
  static void run_depthwise(convolution_form const& form, void const* x, void const* w, void* out,
                            void const* bias, cpu::executor_ref const& on,
                            cpu::epilogue_ref after) {
    if constexpr (has_depthwise)
      for (extent n = 0; n < form.phases(); ++n) {
        auto const phase = form.at(n);
        if (phase.product.count() == 0) continue;
        using a = storage_of<A>;
        using result = storage_of<Out>;
        auto call = product_call{
            as_words(static_cast<a const*>(x)), as_words(static_cast<a const*>(w) + phase.first.b),
            as_words(static_cast<result*>(out) + phase.first.out),
            static_cast<cpu::start_type<as_word<result>> const*>(nullptr),
            as_words(bias == nullptr
                         ? nullptr
                         : static_cast<storage_of<Bias> const*>(bias) + phase.first.bias)};
        call.after = after.moved(phase.first.out);
        convolve_depthwise<Target>(depthwise_form(form, phase), call, on);
      }
  }
  template <dtype D> static void const* moved(void const* p, extent elements) {
    return static_cast<std::byte const*>(p) + elements * size_of(D);
  }
  static bool tells(convolution_form const& form, int threads) {
    if (form.phases() != 1) return false;
    auto const phase = form.at(0);
    if (!is_depthwise(form)) return tells_in_parts(phase.product, threads);
    return is_worth_telling(phase.product, threads) && has_long_rows(depthwise_form(form, phase));
  }
  static constexpr cpu::convolution_code code{&bytes, &run, &tells};
};

} // namespace detail
} // namespace weft::inline v0

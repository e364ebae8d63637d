// SPDX-License-Identifier: BSL-1.0
// block_kernel: one fused group run without having been compiled: its instruction list is walked
// once per block of 256 elements, each instruction a loop over the block (block_ops.hpp). Blocks
// stay in L1; buffers of dead values are used again. Elements of 32 bits side by side are read where
// they lie, by the instruction that wants them, and the last instruction's result is written where it
// goes: else a cheap instruction would be a third of the work.
// Needs: the lowered group. Leaves: the bits of region_kernel, which it serves in place of.
#pragma once

#include <weft/cpu/block_places.hpp>
#include <weft/cpu/odometer.hpp>
#include <weft/cpu/region_kernel.hpp>
#include <weft/cpu/scratch.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Target> class block_kernel {
public:
  block_kernel(lowered_view code, kernel const& k)
      : form_(k.form), places_(code.places_of(k)), outputs_(code.outputs_of(k)) {
    for (instruction const& n : code.instructions_of(k))
      if (is_wide(n.type)) buffer_words_ = 2 * block_length;
    assign_buffers(code.instructions_of(k));
    for (output const& o : outputs_) {
      detail::block_reduction const* r = nullptr;
      if (o.reduction != op::stop_gradient) {
        r = detail::find_reduction<Target>(o.reduction, o.type, form_ == loop_form::columns);
        accumulator_bytes_ += aligned_bytes(r->bytes);
      }
      empty_.push(r == nullptr ? 0 : detail::held_empty(o.reduction, o.type));
      reductions_.push(r);
    }
    find_direct();
  }

  kernel_call call() const { return {&block_kernel::run, this}; }

private:
  extent buffer_bytes() const { return buffer_words_ * 4; }

  struct order {
    instruction_kind kind{};
    dtype type{};
    block_steps steps{};
    block_load load = nullptr;
    int place = -1;
    int out = -1, second = -1, in[4]{}, operands = 0;
    word bits = 0;
    bool direct = false; // a load: may its elements be read later, where they lie?
    int stores = -1;     // the output whose memory may be the result itself
  };

  // A buffer per value, taken again after its last use; constants keep theirs and are written once.
  void assign_buffers(view<instruction> code) {
    growing<int> last(code.size(), -1), buffer(code.size(), -1), free;
    for (int i = 0; i < code.size(); ++i)
      for (int r : code[i].operand)
        if (r >= 0) last[r] = i;
    for (output const& o : outputs_) last[o.source] = code.size();
    for (int i = 0; i < code.size(); ++i) {
      instruction const& n = code[i];
      if (n.kind == instruction_kind::second) continue;
      bool two = i + 1 < code.size() && code[i + 1].kind == instruction_kind::second;
      order o{.kind = n.kind, .type = n.type, .place = n.place};
      o.out = buffer[i] = n.kind == instruction_kind::constant ? buffers_++ : take(free);
      if (two) o.second = buffer[i + 1] = take(free);
      for (int r : n.operand)
        if (r >= 0) o.in[o.operands++] = buffer[r];
      choose(o, n);
      orders_.push(o);
      for (int k = 0; k < 4; ++k) {
        int r = n.operand[k];
        bool again = false;
        for (int j = 0; j < k; ++j) again |= n.operand[j] == r;
        if (r >= 0 && !again && last[r] == i && code[r].kind != instruction_kind::constant)
          free.push(buffer[r]);
      }
    }
    for (output const& o : outputs_) sources_.push(buffer[o.source]);
  }
  int take(growing<int>& free) {
    if (free.empty()) return buffers_++;
    int b = free.back();
    free.pop();
    return b;
  }
  // What an output may be written over is read before: loads that are outputs themselves are
  // copied, and nothing but the last instruction writes to memory before the end.
  void find_direct() {
    bool stored = false;
    for (auto const* r : reductions_) stored |= r == nullptr;
    for (order& o : orders_) {
      o.direct = o.kind == instruction_kind::load && is_plain_word(o.type);
      for (int k = 0; k < outputs_.size(); ++k)
        if (sources_[k] == o.out && stored) o.direct = false;
    }
    if (orders_.empty() || orders_.back().kind != instruction_kind::compute) return;
    order& last = orders_.back();
    for (int k = 0; k < outputs_.size() && last.second < 0; ++k)
      if (reductions_[k] == nullptr && sources_[k] == last.out && is_plain_word(outputs_[k].type))
        last.stores = k;
  }
  static bool is_plain_word(dtype d) { return detail::as_loaded(d) == dtype::u32; }
  void choose(order& o, instruction const& n) {
    using ops = detail::block_ops<Target>;
    using enum instruction_kind;
    if (n.kind == constant) o.bits = detail::held_word(n.type, static_cast<word>(n.bits));
    if (n.kind == load) o.load = detail::block_places<Target>::table.load[static_cast<int>(n.type)];
    if (n.kind == affine) o.steps = ops::find(op::convert, dtype::i32, n.type);
    if (n.kind == compute) o.steps = ops::find(n.code, n.from, n.type);
  }

  struct state {
    loop_nest const& l;
    std::intptr_t* at;
    std::byte* memory; // buffers, then accumulators
    extent buffer_bytes;
    std::uint32_t const** values; // where the value of each buffer is
    std::uint32_t* buffer(int b) const {
      return reinterpret_cast<std::uint32_t*>(memory + b * buffer_bytes);
    }
  };

  static void run(work const& w) {
    auto const& k = *static_cast<block_kernel const*>(w.self);
    loop_nest const& l = w.loops;
    work_range const part = w.part;
    thread_local scratch_buffer kept(&heap_memory()); // of this thread, whatever is in use
    extent address_bytes = aligned_bytes((k.places_.size() + k.buffers_) *
                                         extent{sizeof(std::intptr_t)});
    std::byte* memory =
        kept.get(address_bytes + k.buffers_ * k.buffer_bytes() + k.accumulator_bytes_).memory;
    auto* at = reinterpret_cast<std::intptr_t*>(memory);
    for (int p = 0; p < k.places_.size(); ++p) at[p] = w.places[p];
    state s{l, at, memory + address_bytes, k.buffer_bytes(),
            reinterpret_cast<std::uint32_t const**>(at + k.places_.size())};
    for (int b = 0; b < k.buffers_; ++b) s.values[b] = s.buffer(b);
    for (order const& o : k.orders_)
      if (o.kind == instruction_kind::constant) fill(s.buffer(o.out), o);
    odometer<Target> outer(l, l.outer, at);
    outer.seek(part.outer_begin);
    for (extent n = part.outer_begin; n < part.outer_end; ++n, outer.next()) switch (k.form_) {
        case loop_form::elementwise: k.line(s, part); break;
        case loop_form::rows: k.rows(s); break;
        case loop_form::columns: k.columns(s, part); break;
      }
  }

  static void fill(std::uint32_t* out, order const& o) {
    bool const wide = is_wide(o.type);
    for (int i = 0; i < block_length; ++i)
      if (wide) __builtin_memcpy(out + 2 * i, &o.bits, sizeof o.bits);
      else out[i] = static_cast<std::uint32_t>(o.bits);
  }

  // Elements i … i + count - 1 of the inner axis; plain results are stored.
  void evaluate(state const& s, extent i, int count) const {
    bool const packs = count % Target::lanes == 0; // nothing is read or written beyond the elements
    for (order const& o : orders_) {
      std::uint32_t* out = s.buffer(o.out);
      if (packs && o.stores >= 0) out = static_cast<std::uint32_t*>(element(s, o.stores, i));
      std::uint32_t* second = o.second < 0 ? nullptr : s.buffer(o.second);
      std::uint32_t const* in[4]{};
      for (int k = 0; k < o.operands; ++k) in[k] = s.values[o.in[k]];
      s.values[o.out] = out;
      if (second != nullptr) s.values[o.second] = second;
      if (o.kind == instruction_kind::load) {
        extent const step = s.l.steps(s.l.inner)[o.place];
        auto const* const from = reinterpret_cast<std::uint32_t const*>(s.at[o.place] +
                                                                        i * step * size_of(o.type));
        if (packs && step == 1 && o.direct) s.values[o.out] = from;
        else o.load(out, from, step, count);
      } else if (o.kind == instruction_kind::affine) {
        alignas(64) std::uint32_t index[block_length];
        extent const step = s.l.steps(s.l.inner)[o.place];
        detail::block_places<Target>::affine(index, s.at[o.place] + i * step, step, count);
        in[0] = index;
        o.steps.compute(out, nullptr, in, count);
      } else if (o.kind == instruction_kind::compute) o.steps.compute(out, second, in, count);
      if (o.steps.finish != nullptr) o.steps.finish(out, count);
    }
    for (int o = 0; o < outputs_.size(); ++o)
      if (reductions_[o] == nullptr && s.values[sources_[o]] != element(s, o, i))
        put(o, s.values[sources_[o]], element(s, o, i), count);
  }
  void put(int o, std::uint32_t const* values, void* to, int count) const {
    detail::block_places<Target>::table.store[static_cast<int>(outputs_[o].type)](values, to,
                                                                                  count);
  }
  // The result of a reduction, from its accumulator to memory.
  void finish(state const& s, detail::block_reduction const& r, void* self, int o, void* to,
              int count) const {
    alignas(64) std::uint32_t values[2 * block_length];
    if (s.l.reduced_count > 0) r.finish(self, s.l.reduced_count, values, count);
    else {
      order const empty{.type = outputs_[o].type, .bits = empty_[o]};
      fill(values, empty);
    }
    put(o, values, to, count);
  }
  void* element(state const& s, int o, extent i) const {
    return reinterpret_cast<void*>(s.at[outputs_[o].place] + i * size_of(outputs_[o].type));
  }

  void line(state const& s, work_range part) const {
    for (extent i = part.inner_begin; i < part.inner_end; i += block_length)
      evaluate(s, i, least(part.inner_end - i, block_length));
  }
  static int least(extent a, extent b) { return static_cast<int>(a < b ? a : b); }

  // f(reduction, its accumulator, output number) for every reduction.
  template <class F> void for_each_reduction(state const& s, F const& f) const {
    std::byte* at = s.memory + buffers_ * buffer_bytes();
    for (int o = 0; o < outputs_.size(); ++o)
      if (detail::block_reduction const* r = reductions_[o]) {
        f(*r, static_cast<void*>(at), o);
        at += aligned_bytes(r->bytes);
      }
  }
  void start(state const& s) const {
    for_each_reduction(s, [&](auto const& r, void* self, int) { r.start(self); });
  }

  void rows(state const& s) const {
    start(s);
    odometer<Target> reduced(s.l, s.l.reduced, s.at);
    extent length = s.l.inner.length, lines = length == 0 ? 0 : s.l.reduced_count / length, e = 0;
    for (extent n = 0; n < lines; ++n, reduced.next())
      for (extent i = 0; i < length;) {
        extent piece = sum_block - e % sum_block;
        if (piece > length - i) piece = length - i;
        int count = least(piece, block_length);
        evaluate(s, i, count);
        for_each_reduction(s, [&](auto const& r, void* self, int o) {
          r.add(self, e, s.values[sources_[o]], count);
          r.close(self, e + count, count);
        });
        i += count;
        e += count;
      }
    for_each_reduction(
        s, [&](auto const& r, void* self, int o) { finish(s, r, self, o, element(s, o, 0), 1); });
  }
  void columns(state const& s, work_range part) const {
    constexpr int strip = 64;
    for (extent i = part.inner_begin; i < part.inner_end; i += strip) {
      int count = least(part.inner_end - i, strip);
      start(s);
      odometer<Target> reduced(s.l, s.l.reduced, s.at);
      for (extent e = 0; e < s.l.reduced_count; ++e, reduced.next()) {
        evaluate(s, i, count);
        for_each_reduction(s, [&](auto const& r, void* self, int o) {
          r.add(self, e, s.values[sources_[o]], count);
          r.close(self, e, count);
        });
      }
      for_each_reduction(s, [&](auto const& r, void* self, int o) {
        finish(s, r, self, o, element(s, o, i), count);
      });
    }
  }

  loop_form form_;
  growing<place> places_;
  growing<output> outputs_;
  growing<order> orders_;
  growing<int> sources_;                               // per output: the buffer of its value
  growing<detail::block_reduction const*> reductions_; // per output; null: stored
  growing<word> empty_;                                // per output: of a reduction of nothing
  extent buffer_words_ = block_length;
  int buffers_ = 0;
  extent accumulator_bytes_ = 0;
};

} // namespace cpu
} // namespace weft::inline v0

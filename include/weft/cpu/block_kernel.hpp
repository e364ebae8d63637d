// SPDX-License-Identifier: BSL-1.0
// block_kernel: one fused group run without having been compiled: its list of orders
// (cpu/block_orders.hpp) is walked once per block of up to 2,048 elements, each order a loop over the
// block (block_ops.hpp). Short lines share a block, one behind the other from whole packs on; not so
// lines of a row that has several. Blocks stay in L1; elements of 32 bits side by side are read where
// they lie, by the order that wants them, and the last order's result is written where it goes: else a
// cheap order would be a third of the work. What is one number for a whole block is one pack.
// Needs: the lowered group. Leaves: the bits of region_kernel, which it serves in place of.
#pragma once

#include <weft/cpu/block_orders.hpp>
#include <weft/cpu/odometer.hpp>
#include <weft/cpu/region_kernel.hpp>
#include <weft/cpu/scratch.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Target> class block_kernel {
public:
  block_kernel(lowered_view code, kernel const& k)
      : form_(k.form), places_(code.places_of(k)), outputs_(code.outputs_of(k)),
        orders_(code.instructions_of(k), outputs_) {
    for (output const& o : outputs_) {
      detail::block_reduction const* r = nullptr;
      if (o.reduction != op::stop_gradient) {
        r = detail::find_reduction<Target>(o.reduction, o.type, form_ == loop_form::columns);
        accumulator_bytes_ += aligned_bytes(r->bytes);
        has_totals_ |= r->totals != nullptr;
      }
      empty_.push(r == nullptr ? 0 : detail::held_empty(o.reduction, o.type));
      reductions_.push(r);
    }
  }

  kernel_call call() const { return {&block_kernel::run, this}; }

private:
  static constexpr int width = Target::lanes, strip = detail::column_strip;

  // A buffer's value: `pitch` words from one line to the next, where it is a whole block.
  struct value {
    block_operand block;
    extent pitch = 0;
  };
  struct state {
    loop_nest const& l;
    std::intptr_t* at;
    std::byte* memory; // buffers
    value* values;     // per buffer
    std::byte* accumulators;
    std::uint32_t* buffer(extent offset) const {
      return reinterpret_cast<std::uint32_t*>(memory) + offset;
    }
  };
  // Elements `first` … `first + count - 1` of the inner axis in so many lines, `step` bytes apart.
  struct tile {
    extent first;
    int count, lines, pitch;
    extent const* step; // per place; of one line: anything
    extent bytes(int place) const { return lines == 1 ? 0 : step[place]; }
    block_lines of(extent bytes) const { return {count, lines, pitch, bytes}; }
    // Are its elements side by side, as packs, if lines are so many bytes apart?
    bool is_packed(extent bytes, int size) const {
      return count == pitch && (lines == 1 || bytes == extent{count} * size);
    }
    int elements() const { return lines == 1 ? count : lines * pitch; }
  };

  static void run(work const& w) {
    auto const& k = *static_cast<block_kernel const*>(w.self);
    loop_nest const& l = w.loops;
    work_range const part = w.part;
    thread_local scratch_buffer kept(&heap_memory()); // of this thread, whatever is in use
    int const buffers = k.orders_.buffers();
    extent const value_bytes = aligned_bytes(buffers * extent{sizeof(value)}),
                 address_bytes = aligned_bytes(k.places_.size() * extent{sizeof(std::intptr_t)}),
                 block_bytes = 4 * k.orders_.offset(buffers);
    std::byte* const memory =
        kept.get(value_bytes + address_bytes + block_bytes + k.accumulator_bytes_).memory;
    auto* const at = reinterpret_cast<std::intptr_t*>(memory + value_bytes);
    for (int p = 0; p < k.places_.size(); ++p) at[p] = w.places[p];
    std::byte* const blocks = memory + value_bytes + address_bytes;
    state s{l, at, blocks, reinterpret_cast<value*>(memory), blocks + block_bytes};
    for (block_order const& o : k.orders_.all())
      if (o.kind == instruction_kind::constant) k.set_constant(s, o);
    odometer<Target> outer(l, l.outer, at);
    outer.seek(part.outer_begin);
    extent const lines = part.outer_end - part.outer_begin;
    if (k.form_ == loop_form::elementwise) return k.elementwise(s, outer, part);
    if (k.form_ == loop_form::rows) return k.rows(s, outer, lines);
    for (extent n = 0; n < lines; ++n, outer.next()) k.columns(s, part);
  }

  void set_constant(state const& s, block_order const& o) const {
    bool const one = orders_.is_small(o.out);
    std::uint32_t* const out = s.buffer(orders_.offset(o.out));
    fill(out, o.type, o.bits, one ? width : orders_.length());
    s.values[o.out] = {{out, one ? 0 : 1}};
  }
  static void fill(std::uint32_t* out, dtype type, word bits, int count) {
    auto const low = static_cast<std::uint32_t>(bits);
    auto const& loads = detail::block_places<Target>::table.load;
    if (is_wide(type)) loads[static_cast<int>(dtype::u64)](out, &bits, 0, {count});
    else loads[static_cast<int>(dtype::u32)](out, &low, 0, {count});
  }

  // Plain results are stored.
  void evaluate(state const& s, tile const& t) const {
    for (block_order const& o : orders_.all()) switch (o.kind) {
        case instruction_kind::load: load(s, t, o); break;
        case instruction_kind::affine: number(s, t, o); break;
        case instruction_kind::compute: compute(s, t, o); break;
        default: break;
      }
    for (int o = 0; o < outputs_.size(); ++o)
      if (reductions_[o] == nullptr) {
        std::uint32_t const* const from = source(s, o).block.at;
        if (void* const to = element(s, o, t.first); from != to)
          put(o, from, to, t.of(t.bytes(outputs_[o].place)));
      }
  }
  void load(state const& s, tile const& t, block_order const& o) const {
    extent const step = s.l.steps(s.l.inner)[o.place], bytes = t.bytes(o.place);
    int const size = size_of(o.type);
    auto const* const from = reinterpret_cast<std::uint32_t const*>(s.at[o.place] +
                                                                    t.first * step * size);
    value& v = s.values[o.out];
    if (o.direct && step == 1 && t.is_packed(bytes, size)) {
      v = {{from}, t.pitch};
    } else if (o.reduced_only && step == 1 && form_ == loop_form::columns && t.count == t.pitch) {
      v = {{from}, bytes / 4};
    } else {
      std::uint32_t* const out = s.buffer(orders_.offset(o.out));
      bool const one = step == 0 && bytes == 0 && !o.whole;
      o.load(out, from, step, one ? block_lines{1} : t.of(bytes));
      v = {{out, one ? 0 : 1}, t.pitch};
    }
  }
  void number(state const& s, tile const& t, block_order const& o) const {
    alignas(64) std::uint32_t index[most_block_length];
    extent const step = s.l.steps(s.l.inner)[o.place], first = s.at[o.place] + t.first * step;
    for (int l = 0; l < t.lines; ++l)
      detail::block_places<Target>::affine(index + l * t.pitch, first + l * t.bytes(o.place), step,
                                           t.count);
    std::uint32_t* const out = s.buffer(orders_.offset(o.out));
    block_operand const in{index};
    o.steps.run(out, nullptr, &in, t.elements());
    s.values[o.out] = {{out}, t.pitch};
  }
  void compute(state const& s, tile const& t, block_order const& o) const {
    block_operand in[4];
    bool one = !o.whole;
    for (int k = 0; k < o.operands; ++k) {
      in[k] = s.values[o.in[k]].block;
      one &= in[k].step == 0;
    }
    std::uint32_t* out = s.buffer(orders_.offset(o.out));
    if (o.stores >= 0 &&
        t.is_packed(t.bytes(outputs_[o.stores].place), size_of(outputs_[o.stores].type)))
      out = static_cast<std::uint32_t*>(element(s, o.stores, t.first));
    std::uint32_t* second = nullptr;
    int const count = one ? width : t.elements(), step = one ? 0 : 1;
    if (o.second >= 0) {
      second = s.buffer(orders_.offset(o.second));
      s.values[o.second] = {{second, step}, t.pitch};
    }
    o.steps.run(out, second, in, count);
    s.values[o.out] = {{out, step}, t.pitch};
  }
  value const& source(state const& s, int o) const { return s.values[orders_.source(o)]; }
  void put(int o, std::uint32_t const* values, void* to, block_lines const& of) const {
    detail::block_places<Target>::table.store[static_cast<int>(outputs_[o].type)](values, to, of);
  }
  void* element(state const& s, int o, extent i) const {
    return reinterpret_cast<void*>(s.at[outputs_[o].place] + i * size_of(outputs_[o].type));
  }
  static int least(extent a, extent b) { return static_cast<int>(a < b ? a : b); }
  static int whole_packs(extent count, int of) {
    return static_cast<int>((count + of - 1) / of * of);
  }

  void elementwise(state const& s, odometer<Target>& outer, work_range part) const {
    extent const begin = part.inner_begin, end = part.inner_end;
    extent const lines = part.outer_end - part.outer_begin;
    if (begin == end) return;
    if (end - begin <= orders_.length())
      return each_tile(outer, begin, static_cast<int>(end - begin), width, lines,
                       [&](tile const& t) { evaluate(s, t); });
    for (extent n = 0; n < lines; ++n, outer.next())
      for (extent i = begin; i < end; i += orders_.length()) evaluate(s, piece(i, end - i));
  }
  // f(tile) of so many lines, from where `outer` stands on: as many at a time as fit, each from a
  // multiple of `from` elements on.
  template <class F>
  void each_tile(odometer<Target>& outer, extent first, int count, int from, extent lines,
                 F const& f) const {
    int const pitch = whole_packs(count, from);
    for (extent left = lines, run; left > 0; left -= run) {
      run = outer.run(least(left, orders_.length() / pitch));
      f(tile{first, count, static_cast<int>(run), pitch, outer.run_step()});
      outer.skip(run);
    }
  }
  // As many elements of one line as fit.
  tile piece(extent first, extent left) const {
    int const count = least(left, orders_.length());
    return {first, count, 1, whole_packs(count, width), nullptr};
  }

  // f(reduction, its accumulator, output number) for every reduction.
  template <class F> void for_each_reduction(state const& s, F const& f) const {
    std::byte* at = s.accumulators;
    for (int o = 0; o < outputs_.size(); ++o)
      if (detail::block_reduction const* r = reductions_[o]) {
        f(*r, static_cast<void*>(at), o);
        at += aligned_bytes(r->bytes);
      }
  }
  void start(state const& s) const {
    for_each_reduction(s, [](auto const& r, void* self, int) { r.start(self); });
  }
  // The results of a reduction, from its accumulator to memory.
  void finish(state const& s, detail::block_reduction const& r, void* self, int o, void* to,
              int count) const {
    alignas(64) std::uint32_t values[2 * strip];
    if (s.l.reduced_count > 0) r.finish(self, s.l.reduced_count, values, count);
    else fill(values, outputs_[o].type, empty_[o], count);
    put(o, values, to, {count});
  }

  void rows(state const& s, odometer<Target>& outer, extent rows) const {
    extent const length = s.l.inner.length;
    if (s.l.reduced.empty() && 0 < length && length <= orders_.length())
      return each_tile(outer, 0, static_cast<int>(length), has_totals_ ? sum_lanes : width, rows,
                       [&](tile const& t) { whole_rows(s, t); });
    for (extent n = 0; n < rows; ++n, outer.next()) long_row(s);
  }
  void whole_rows(state const& s, tile const& t) const {
    evaluate(s, t);
    for_each_reduction(s, [&](auto const& r, void* self, int o) {
      std::uint32_t const* const values = source(s, o).block.at;
      extent const bytes = t.bytes(outputs_[o].place);
      auto const to = [&](int l) { return static_cast<std::byte*>(element(s, o, 0)) + l * bytes; };
      if (r.totals != nullptr) {
        alignas(64) std::uint32_t totals[detail::most_rows_of_block + width];
        r.totals(const_cast<std::uint32_t*>(values), t.pitch, t.count, t.lines, totals);
        bool const beside = bytes == size_of(outputs_[o].type);
        if (beside) put(o, totals, to(0), {t.lines});
        for (int l = 0; l < t.lines && !beside; ++l) put(o, totals + l, to(l), {1});
      } else
        for (int l = 0; l < t.lines; ++l) {
          r.start(self);
          r.add(self, 0, values + l * t.pitch * detail::words_of(outputs_[o].type), t.pitch,
                t.count, 1);
          r.close(self, t.count, 1);
          finish(s, r, self, o, to(l), 1);
        }
    });
  }
  // Of any length, in any number of lines.
  void long_row(state const& s) const {
    start(s);
    odometer<Target> reduced(s.l, s.l.reduced, s.at);
    extent const length = s.l.inner.length, lines = length == 0 ? 0 : s.l.reduced_count / length;
    extent e = 0;
    for (extent n = 0; n < lines; ++n, reduced.next())
      for (extent i = 0; i < length;) {
        extent const room = sum_block - e % sum_block, left = length - i;
        tile const t = piece(i, left < room ? left : room);
        evaluate(s, t);
        for_each_reduction(s, [&](auto const& r, void* self, int o) {
          r.add(self, e, source(s, o).block.at, t.pitch, t.count, 1);
          r.close(self, e + t.count, 1);
        });
        i += t.count;
        e += t.count;
      }
    for_each_reduction(
        s, [&](auto const& r, void* self, int o) { finish(s, r, self, o, element(s, o, 0), 1); });
  }

  void columns(state const& s, work_range part) const {
    for (extent i = part.inner_begin; i < part.inner_end; i += strip) {
      int const count = least(part.inner_end - i, strip), pitch = whole_packs(count, width);
      start(s);
      odometer<Target> reduced(s.l, s.l.reduced, s.at);
      for (extent e = 0; e < s.l.reduced_count;) {
        extent const left = s.l.reduced_count - e, room = sum_block - e % sum_block;
        extent const lines = reduced.run(
            least(left < room ? left : room, orders_.length() / pitch));
        evaluate(s, {i, count, static_cast<int>(lines), pitch, reduced.run_step()});
        for_each_reduction(s, [&](auto const& r, void* self, int o) {
          value const& v = source(s, o);
          r.add(self, e, v.block.at, v.pitch, count, static_cast<int>(lines));
          r.close(self, e + lines, count);
        });
        reduced.skip(lines);
        e += lines;
      }
      for_each_reduction(s, [&](auto const& r, void* self, int o) {
        finish(s, r, self, o, element(s, o, i), count);
      });
    }
  }

  loop_form form_;
  growing<place> places_;
  growing<output> outputs_;
  block_orders<Target> orders_;
  growing<detail::block_reduction const*> reductions_; // per output; null: stored
  growing<word> empty_;                                // per output: of a reduction of nothing
  bool has_totals_ = false;                            // any of them
  extent accumulator_bytes_ = 0;
};

} // namespace cpu
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Products of a few elements of k, a number that the compiler knows, for steps that are run again and
// again (run/stream.hpp): a matrix that never changes is kept in the layout that its kernel reads
// best; of a few rows dot products are taken where they lie.
//   kept_code_for<Target, A, B, Out, Bias, K>()->use(p)
// Needs: order lanes, one vector of at most 64 elements; A and B of one type. Leaves: the bits of
// cpu/lanes.hpp.
#pragma once

#include <weft/cpu/contract.hpp>
#include <weft/cpu/short_lanes.hpp>
#include <weft/cpu/value_reader.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {
namespace cpu {

enum class kept_use { none, as_it_lies, kept };
// a and b as in the product's normal form, whatever the caller's order.
struct kept_code {
  kept_use (*use)(product_form const&);
  extent (*bytes)(product_form const&); // of what is kept
  void (*keep)(product_form const&, void const* a, std::byte* to);
  void (*run)(product_form const&, void const* a, void const* b, void* out, void const* bias);
};

// The steps of an engine whose products run so.
class kept_products {
  struct operand {
    int root = -1; // -1: there is none, or its address is the offset
    std::intptr_t offset = 0;

    operand() = default;
    operand(value_reader const& values, int node)
        : root(values.reads.of[node].root),
          offset(static_cast<std::intptr_t>(values.reads.of[node].offset) *
                 size_of(values.g[node].type)) {}
    void* at(growing<std::intptr_t> const& address) const {
      return reinterpret_cast<void*>(root < 0 ? offset : address[root] + offset);
    }
  };

public:
  explicit kept_products(memory_source* source) : memory_(source) {}

  struct kept_step {
    int step;
    kept_code const* code;
    product_form const* form;
    operand a, b, out, bias;

    void run(growing<std::intptr_t> const& address) const {
      code->run(*form, a.at(address), b.at(address), out.at(address), bias.at(address));
    }
  };
  // codes: per step, or null. fixed: per node, is it an input whose elements stay what they are?
  void keep(value_reader const& values, view<schedule_step> steps,
            growing<product_form> const& forms, kept_code const* const* codes, view<bool> fixed) {
    of_step_.assign(steps.size(), -1);
    extent total = 0;
    for (int s = 0; s < steps.size(); ++s) {
      kept_use const use = codes[s] == nullptr ? kept_use::none : codes[s]->use(forms[s]);
      kept_step const k = step_of(values, s, steps[s].node, forms[s], codes[s]);
      if (use == kept_use::none || (use == kept_use::kept && !fixed[k.a.root])) continue;
      of_step_[s] = list_.size();
      list_.push(k);
      if (use == kept_use::kept) total += k.code->bytes(forms[s]);
    }
    std::byte* to = memory_.get(total).memory;
    for (kept_step& k : list_) {
      if (k.code->use(*k.form) != kept_use::kept) continue;
      k.code->keep(*k.form, k.a.at(values.address), to);
      k.a.root = -1;
      k.a.offset = reinterpret_cast<std::intptr_t>(to);
      to += k.code->bytes(*k.form);
    }
  }
  kept_step const* of(int step) const {
    return list_.empty() || of_step_[step] < 0 ? nullptr : &list_[of_step_[step]];
  }

private:
  static kept_step step_of(value_reader const& values, int s, int id, product_form const& form,
                           kept_code const* code) {
    kept_step k{s, code, &form, {}, {}, {}, {}};
    if (code == nullptr) return k;
    k.a = operand(values, values.g.operand(id, form.swapped ? 1 : 0));
    k.b = operand(values, values.g.operand(id, form.swapped ? 0 : 1));
    k.out = operand(values, id);
    if (values.g[id].operand_count > 2) k.bias = operand(values, values.g.operand(id, 2));
    return k;
  }

  scratch_buffer memory_;
  growing<kept_step> list_;
  growing<int> of_step_;
};

} // namespace cpu

namespace detail {

// Out's elements are lanes of packs; where there are fewer, rows of the matrix are.
template <class Target, class A, class Out, class Bias, int K> struct kept_lanes {
  using sum = cpu::sum_type<Out>;
  using kernel = short_lanes<Target, sum, K>;
  using call = product_call<A, A, Out, Bias>;
  static constexpr int lanes = Target::lanes, abreast = kernel::abreast;

  static cpu::kept_use use(product_form const& p) {
    if (p.order != contract_order::lanes || p.batch.count() != 1 || p.m.rank > 1 || p.k.rank > 1 ||
        p.k.count() != K)
      return cpu::kept_use::none;
    extent const m = p.m.count();
    if (m >= lanes) return cpu::kept_use::kept;
    bool const lies_so = std::is_same_v<A, sum> && (K == 1 || p.k.inner().stride.a == 1);
    return m > 0 && lies_so ? cpu::kept_use::as_it_lies : cpu::kept_use::none;
  }
  static extent bytes(product_form const& p) {
    return aligned_bytes(share_count(p.m.count(), lanes) * lanes * K *
                         static_cast<extent>(sizeof(sum)));
  }
  // Packs of columns; the last one ends with m, over what the one before has too.
  static extent first_of(extent pack, extent m) {
    return pack * lanes + lanes > m ? m - lanes : pack * lanes;
  }

  static void keep(product_form const& p, void const* from, std::byte* memory) {
    auto const* const a = static_cast<A const*>(from);
    auto* to = reinterpret_cast<sum*>(memory);
    extent const m = p.m.count(), packs = share_count(m, lanes);
    places const row = p.m.inner().stride, along = p.k.inner().stride;
    for (extent n = 0, width; n < packs; n += width) {
      width = packs - n >= abreast ? abreast : 1;
      for (extent q = 0; q < K; ++q)
        for (extent v = n; v < n + width; ++v)
          for (extent c = 0; c < lanes; ++c)
            *to++ = widened<sum>(a[(first_of(v, m) + c) * row.a + q * along.a]);
    }
  }

  static void run(product_form const& p, void const* memory, void const* b, void* out,
                  void const* bias) {
    auto const* const a = static_cast<sum const*>(memory);
    sum own[K];
    sum const* const x = vector_of(p, static_cast<A const*>(b), own);
    call arrays{nullptr, nullptr, static_cast<Out*>(out), nullptr, static_cast<Bias const*>(bias)};
    places const step = p.m.inner().stride;
    extent const m = p.m.count();
    if (m < lanes) {
      for (extent row = 0; row < m; ++row)
        arrays.finish(kernel::row(a + row * step.a, x), row * step.out, row * step.bias);
      return;
    }
    if constexpr (std::is_same_v<Out, sum> && std::is_same_v<Bias, sum>)
      if (step.out == 1 && (bias == nullptr || step.bias == 1)) {
        if (bias == nullptr)
          return columns(p, a, x, [&arrays](pack const& s, extent i) WEFT_LAMBDA {
            cpu::store(arrays.out + i, s);
          });
        return columns(p, a, x, [&arrays](pack const& s, extent i) WEFT_LAMBDA {
          cpu::store(arrays.out + i, s + cpu::load<Target>(arrays.bias + i));
        });
      }
    columns(p, a, x, [&](pack const& s, extent i) WEFT_LAMBDA {
      sum values[lanes];
      cpu::store(values, s);
      for (int c = 0; c < lanes; ++c)
        arrays.finish(values[c], (i + c) * step.out, (i + c) * step.bias);
    });
  }
  static constexpr cpu::kept_code code{&use, &bytes, &keep, &run};

private:
  using pack = typename kernel::pack;

  // finish(pack, index of its first element)
  template <class Finish>
  WEFT_INLINE static void columns(product_form const& p, sum const* a, sum const* x,
                                  Finish const& finish) {
    extent const m = p.m.count(), packs = share_count(m, lanes);
    extent n = 0;
    for (; n + abreast <= packs; n += abreast, a += abreast * lanes * K)
      kernel::template columns<abreast>(
          a, x, [&](pack const& s, int v) WEFT_LAMBDA { finish(s, first_of(n + v, m)); });
    if constexpr (abreast > 1)
      for (; n < packs; ++n, a += lanes * K)
        kernel::template columns<1>(
            a, x, [&](pack const& s, int) WEFT_LAMBDA { finish(s, first_of(n, m)); });
  }
  WEFT_INLINE static sum const* vector_of(product_form const& p, A const* b, sum* own) {
    extent const step = p.k.inner().stride.b;
    if constexpr (std::is_same_v<A, sum>)
      if (K == 1 || step == 1) return b;
    for (int q = 0; q < K; ++q) own[q] = widened<sum>(b[q * step]);
    return own;
  }
};

template <class Target, dtype A, dtype B, dtype Out, dtype Bias, extent K>
constexpr cpu::kept_code const* kept_code_for() {
  if constexpr (A != B || K < 1 || K > most_short_lanes) return nullptr;
  else
    return &kept_lanes<Target, as_word<storage_of<A>>, as_word<storage_of<Out>>,
                       as_word<storage_of<Bias>>, static_cast<int>(K)>::code;
}

} // namespace detail
} // namespace weft::inline v0

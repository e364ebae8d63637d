// SPDX-License-Identifier: BSL-1.0
// The items of a custom_call, one call of the host function after the other: executors share it.
// Needs: a bound graph; for each operand an address and a stride (in elements) per batch axis, behind
// which it is dense; for each result an address, dense. A result without an address is written to
// `unread`, which holds one item of each of them, one behind the other, aligned.
// Leaves: every element of every result written. Allocates nothing for up to 16 operands and
// results. What the function throws goes through.
#pragma once

#include <weft/core/memory_source.hpp>
#include <weft/graph/results.hpp>

namespace weft::inline v0 {
namespace detail {

struct batched_operand {
  std::byte const* data = nullptr;
  extents stride{}; // of the batch axes
};

// A short list in place, a long one on the heap.
template <class T> class few {
public:
  explicit few(int count) : count_(count) {
    if (count > most) long_.resize(count);
  }
  T& operator[](int i) { return count_ > most ? long_[i] : short_[i]; }
  operator view<T>() const { return count_ > most ? view<T>(long_) : view<T>(short_, count_); }

private:
  static constexpr int most = 16;
  int count_;
  T short_[most]{};
  growing<T> long_;
};

constexpr extent item_bytes(result_info const& r, int batch_axes) {
  return count_of(without_leading(r.shape, batch_axes)) * size_of(r.type);
}

template <class Operands, class Results>
WEFT_NOINLINE void run_items(graph_view g, int id, Operands& operands, Results& results,
                             std::byte* unread) {
  view<extent> const a = g.attributes_of(id);
  int const axes = batch_axes_of(a), given = g[id].operand_count, made = custom_result_count(a);
  host_function const& f = host_of(g, id);
  extents const& first = g.shape(g.operand(id, 0));
  host_call call;
  for (int i = 0; i < axes; ++i) call.batch.push(first[i]);
  few<host_operand> in(given);
  few<host_result> out(made);
  few<extent> step(made);
  for (int k = 0; k < given; ++k) {
    int const x = g.operand(id, k);
    in[k] = {operands[k].data, g[x].type, without_leading(g.shape(x), axes)};
  }
  for (int k = 0; k < made; ++k) {
    result_info const r = custom_result(a, k);
    extent const bytes = item_bytes(r, axes);
    std::byte* const to = results[k] != nullptr ? results[k] : unread;
    out[k] = {to, r.type, without_leading(r.shape, axes)};
    step[k] = results[k] != nullptr ? bytes : 0;
    if (results[k] == nullptr) unread += aligned_bytes(bytes);
  }
  call.operands = in;
  call.results = out;
  extents at = call.batch;
  for (int i = 0; i < axes; ++i) at[i] = 0;
  for (extent n = count_of(call.batch); call.item < n; ++call.item) {
    f.run(call);
    for (int k = 0; k < made; ++k)
      if (step[k] != 0) out[k].data += step[k];
    for (int i = axes - 1; i >= 0; --i) { // the next item, the last axis first
      bool const turns = ++at[i] == call.batch[i];
      for (int k = 0; k < given; ++k) {
        extent const elements = operands[k].stride[i] * (turns ? 1 - call.batch[i] : 1);
        if (in[k].data != nullptr) in[k].data += elements * size_of(in[k].type);
      }
      if (!turns) break;
      at[i] = 0;
    }
  }
}

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// product_writer: the one kernel of a product (pass/product.hpp), by its order and its numbers:
//   chain   tiles in local memory (opencl/contraction_tiles.hpp) or, on CPUs, blocks
//           (opencl/contraction_block.hpp); small ones by items (opencl/contraction_items.hpp)
//   lanes   opencl/contraction_lanes.hpp
// contraction_text: a contract node's.
// Needs: a bound, sound graph; reads: its accesses (pass/access.hpp). Leaves: one launch, or none
// where out has no element; the bits of graph/interpret.hpp. Buffers are a, b (the normal form's,
// pass/product.hpp), start and bias where there are any, out, which may be where start is (any
// memory, where only the epilogue reads it), and the epilogue's.
#pragma once

#include <weft/opencl/contraction_block.hpp>
#include <weft/opencl/contraction_items.hpp>
#include <weft/opencl/contraction_lanes.hpp>
#include <weft/opencl/contraction_tiles.hpp>
#include <weft/opencl/value_memory.hpp>

namespace weft::inline v0 {
namespace detail {

// What one kernel is launched with.
struct product_launch {
  opencl::kernel_text kernel;
  extent groups = 0, items = 1;
};

// The memory of each side, in the caller's order of a and b.
struct product_buffers {
  opencl::buffer_use a, b, start, bias, out;
};

class product_writer {
public:
  using side = product_side;

  product_writer(product_form const& p, product_types const& types, product_buffers const& memory,
                 opencl::device_traits const& on)
      : on_(on), types_(types), product_(p), memory_(memory) {}

  // What is computed of every element, by kernel k; the result itself is stored if it is `kept`.
  void add_epilogue(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
                    weft::kernel const& k, bool kept) {
    epilogue_ = opencl::write_epilogue(g, reads, plan, code, k, memory_.out.node, helpers_);
    has_epilogue_ = true;
    kept_ = kept;
  }
  opencl::step_text text() {
    opencl::step_text r;
    add_to(r);
    return r;
  }
  void add_to(opencl::step_text& r) {
    if (product_.count() == 0) return;
    if (product_.order == contract_order::chain && on_.is_cpu) widen_columns();
    opencl::epilogue_text const* const after = has_epilogue_ ? &epilogue_ : nullptr;
    types_.unit_a = buffer(side::a).first_unit();
    types_.unit_b = buffer(side::b).first_unit();
    bool const wide = is_wide() || epilogue_.wide;
    product_source s(product_, types_, wide, helpers_, after, kept_);
    product_launch const chosen = product_.order == contract_order::chain ? chain(s) : lanes(s);
    opencl::launch l;
    for (side of : product_source::all)
      if (types_.has(of)) l.buffers.push(buffer(of));
    for (opencl::buffer_use const& use : epilogue_.call.buffers) l.buffers.push(use);
    l.numbers = s.numbers();
    l.global[0] = chosen.groups * chosen.items;
    l.local[0] = chosen.items;
    l.kernel = opencl::kernel_number(r, chosen.kernel);
    r.launches.push_back(l);
  }

private:
  int sum_bytes() const { return size_of(types_.operand) == 8 ? 8 : 4; }
  int width() const { return sum_bytes() == 8 ? 8 : 16; } // of a vector of 64 bytes
  opencl::buffer_use buffer(side s) const {
    switch (s) {
      case side::a: return product_.swapped ? memory_.b : memory_.a;
      case side::b: return product_.swapped ? memory_.a : memory_.b;
      case side::start: return memory_.start;
      case side::bias: return memory_.bias;
      default: return memory_.out;
    }
  }

  // Places and counts, rounded up to whole tiles, that need more than 32 bits.
  bool is_wide() const {
    auto const reach = [&](auto member) {
      extent r = 0;
      for (product_axes const* axes : {&product_.batch, &product_.m, &product_.n, &product_.k})
        for (int i = 0; i < axes->rank; ++i) {
          extent const stride = axes->d[i].stride.*member;
          r += (axes->d[i].size - 1) * (stride < 0 ? -stride : stride);
        }
      return r;
    };
    for (auto member : {&places::a, &places::b, &places::out, &places::bias, &places::start})
      if (reach(member) > opencl::most_narrow) return true;
    return product_.count() > opencl::most_narrow || product_.k.count() > opencl::most_narrow;
  }

  // Vectors lie along columns: the longer side, where the other one fills none.
  void widen_columns() {
    if (product_.n.count() < 8 && product_.m.count() > product_.n.count()) swap_sides(product_);
  }
  product_launch chain(product_source& s) const {
    extent const m = product_.m.count(), n = product_.n.count();
    if (on_.is_cpu && m * product_.k.count() >= 32 && n >= 8) {
      extent const groups = product_.batch.count() * share_count(m, block_rows) *
                            share_count(n, 2 * width());
      return {rows_source(s, width()).kernel(), groups, 1};
    }
    product_tile const* const tile = on_.is_cpu || m < 32 || n < 32 ? nullptr : tile_that_fits();
    if (tile != nullptr)
      return {tile_source(s, *tile).kernel(), tile->groups(product_), tile->items()};
    extent const group = on_.max_group < 64 ? on_.max_group : 64;
    return {item_source(s).kernel(group), share_count(product_.count(), group), group};
  }
  // Large tiles read less, but fewer of them may leave parts of the device without work.
  product_tile const* tile_that_fits() const {
    extent const enough = 128;
    product_tile const* smallest = nullptr;
    for (product_tile const& tile : product_tiles) {
      if (!tile.fits(on_, sum_bytes())) continue;
      smallest = &tile;
      if (tile.groups(product_) >= enough) break;
    }
    return smallest;
  }
  product_launch lanes(product_source& s) const {
    lanes_source from(s);
    extent const rows = product_.batch.count() * product_.m.count();
    if (!on_.is_cpu) {
      bool const down = from.down_rows(), is_short = product_.k.count() < 64;
      int const items = down ? 8 : is_short ? 4 : 16; // of a row
      int const each = down && on_.max_group >= 256 ? 32 : 64 / items;
      return {from.groups(each, items), share_count(rows, each), each * items};
    }
    if (from.down_rows() && product_.m.rank == 1) {
      int const strip = 4 * width();
      extent const strips = share_count(product_.m.count(), strip);
      return {from.columns(width(), strip), product_.batch.count() * strips, 1};
    }
    return {from.rows(width()), rows, 1};
  }

  opencl::device_traits on_;
  product_types types_;
  product_form product_;
  product_buffers memory_;
  opencl::text::program helpers_;
  opencl::epilogue_text epilogue_;
  bool has_epilogue_ = false, kept_ = true;
};

inline product_writer contraction_writer(graph_view g, accesses const& reads, int node,
                                         opencl::device_traits const& on) {
  contraction const c = contraction_of(g, node);
  int const a = g.operand(node, 0), b = g.operand(node, 1);
  int const start = c.has_start ? g.operand(node, 2) : -1;
  int const bias = c.has_bias ? g.operand(node, c.has_start ? 3 : 2) : -1;
  auto const strides = [&](int id) { return id < 0 ? extents{} : strides_of(g, reads, id); };
  auto const memory = [&](int id) {
    return id < 0 ? opencl::buffer_use{} : memory_of(g, reads, id);
  };
  return {make_product(c, strided_of(g, reads, a), strided_of(g, reads, b),
                       strided_of(g, reads, node), strides(bias), strides(start)),
          {g[a].type, g[node].type, g[bias < 0 ? node : bias].type, c.has_start, c.has_bias},
          {memory(a), memory(b), memory(start), memory(bias), memory(node)},
          on};
}

} // namespace detail

namespace opencl {

inline step_text contraction_text(graph_view g, accesses const& reads, int node,
                                  device_traits const& on) {
  return weft::detail::contraction_writer(g, reads, node, on).text();
}

} // namespace opencl
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Trees of float32 additions, subtractions and products over blocks: (a b) + (c - d) in one loop, which
// reads and writes half of what three loops would. Every op rounds, as alone.
//   block_trees<Target>::find(op::add, op::mul, op::sub)   // operands a, b, c, d
//   block_trees<Target>::find(op::add, op::mul, leaf)      // a, b, c
// Needs, leaves: as cpu/block_ops.hpp.
#pragma once

#include <weft/cpu/block_ops.hpp>

namespace weft::inline v0::detail {

template <class Target> struct block_trees {
  static constexpr op leaf = op::stop_gradient; // in place of an op: an operand itself
  static constexpr bool has(op o) { return index_of(o) < op_forms; }

  static cpu::block_op find(op root, op left, op right) {
    return table.of[index_of(root)][index_of(left)][index_of(right)];
  }

private:
  using ops = block_ops<Target>;
  using packs = typename ops::template packs_of<cpu::pack_f32<Target>>;
  static constexpr int op_forms = 3, forms = 4;
  static constexpr op form[] = {op::add, op::sub, op::mul, leaf};
  static constexpr int index_of(op o) {
    for (int k = 0; k < forms; ++k)
      if (form[k] == o) return k;
    return forms;
  }

  // An operand that is one pack, in a register.
  struct one_pack {
    cpu::pack_f32<Target> value;
    WEFT_INLINE cpu::pack_f32<Target> const& next() const { return value; }
  };
  template <op O, class A, class B> WEFT_INLINE static cpu::pack_f32<Target> next(A& a, B& b) {
    auto const x = a.next();
    if constexpr (O == leaf) return x;
    else return row<O>::meaning(x, b.next());
  }
  template <op Root, op Left, op Right>
  static void compute(std::uint32_t* out, std::uint32_t*, cpu::block_operand const* in, int count) {
    constexpr int right = Left == leaf ? 1 : 2, last = Right == leaf ? right : right + 1;
    auto const each = [=](auto end) WEFT_LAMBDA {
      packs a(in[0]), b(in[1]), c(in[right]);
      for (int i = 0; i < count; i += ops::width) {
        auto const x = next<Left>(a, b), y = Right == leaf ? end.next() : next<Right>(c, end);
        ops::write(out, i, row<Root>::meaning(x, y));
      }
    };
    if (in[last].step == 0) each(one_pack{packs(in[last]).next()});
    else each(packs(in[last]));
  }

  struct op_table {
    cpu::block_op of[op_forms][forms][forms];
  };
  template <int... N> static constexpr op_table all(std::integer_sequence<int, N...>) {
    op_table t{};
    ((t.of[N / forms / forms][N / forms % forms][N % forms] =
          &compute<form[N / forms / forms], form[N / forms % forms], form[N % forms]>),
     ...);
    return t;
  }
  static constexpr op_table table = all(
      std::make_integer_sequence<int, op_forms * forms * forms>{});
};

} // namespace weft::inline v0::detail

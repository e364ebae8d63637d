// SPDX-License-Identifier: BSL-1.0
// Cases of test_contract*.cpp: arrays with any strides, and a product computed by plain loops over
// labels with std::fma, which the kernels must match bit for bit.
#pragma once

#include <weft/cpu/contract.hpp>
#include <weft/cpu/held_product.hpp>
#include <weft/cpu/pool.hpp>
#include <weft/cpu/small_contraction.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace contract_test {
using namespace weft;

// How an array lies in memory. Bit i of a set is axis i.
struct layout {
  bool transposed = false; // the first axis is innermost
  unsigned reversed = 0;   // these axes have negative strides
  unsigned broadcast = 0;  // these axes have stride 0
  extent spread = 1;       // elements between neighbours
};

struct placing {
  strided_shape shape;
  extent origin = 0, count = 1;

  constexpr placing(extents const& s, layout const& l) {
    shape.shape = shape.strides = s;
    extent next = l.spread;
    for (int i = 0; i < s.rank; ++i) {
      int const axis = l.transposed ? i : s.rank - 1 - i;
      bool const fixed = (l.broadcast >> axis & 1u) != 0, back = (l.reversed >> axis & 1u) != 0;
      shape.strides[axis] = fixed ? 0 : back ? -next : next;
      if (back && !fixed && s[axis] > 0) origin += next * (s[axis] - 1);
      if (!fixed) next *= s[axis];
    }
    if (next > 0) count = next; // never null
  }
};
template <class T> struct array : placing {
  std::vector<T> memory;

  array(extents const& s, layout const& l, T const& filler)
      : placing(s, l), memory(static_cast<std::size_t>(count), filler) {}
  T* data() { return memory.data() + origin; }
};

inline std::mt19937 random_words(1);
template <class T> T random_element() {
  auto const r = static_cast<std::uint32_t>(random_words());
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::uint64_t{r} << 32 | static_cast<std::uint32_t>(random_words()));
  else if constexpr (std::is_same_v<T, double>) { // all of a double's bits
    double const sign = (r & 1u) != 0 ? -1.0 : 1.0;
    if ((r >> 1) % 29 == 0) return sign * 0.0;
    auto const more = static_cast<double>(static_cast<std::uint32_t>(random_words()));
    return sign * std::ldexp(r + more * 0x1p-32, -32 - static_cast<int>(r & 7u));
  } else {
    float const sign = (r & 1u) != 0 ? -1.0f : 1.0f;
    if ((r >> 1) % 29 == 0) return static_cast<T>(sign * 0.0f);
    int const exponent = -24 - static_cast<int>(r >> 1 & 7u);
    return static_cast<T>(sign * std::ldexp(static_cast<float>(r >> 8), exponent));
  }
}
template <class T> void randomise(array<T>& x) {
  for (T& e : x.memory) e = random_element<T>();
}
// Of floats: elements `every` apart become smaller.
template <class T> void shrink(array<T>& x, std::size_t every, float by) {
  if constexpr (!std::is_integral_v<T>)
    for (std::size_t i = every / 2; every > 0 && i < x.memory.size(); i += every)
      x.memory[i] = static_cast<T>(static_cast<float>(x.memory[i]) * by);
}

constexpr contraction labels(std::string_view a, std::string_view b, std::string_view out,
                             contract_order order) {
  contraction c;
  c.order = order;
  for (char l : a) c.a[c.rank_a++] = l;
  for (char l : b) c.b[c.rank_b++] = l;
  for (char l : out) c.out[c.rank_out++] = l;
  return c;
}
constexpr extents shape_of_labels(extent const (&l)[max_rank], int rank,
                                  extent const (&size)[128]) {
  extents s;
  for (int i = 0; i < rank; ++i) s.push(size[l[i]]);
  return s;
}

// The definition: no blocking, no axes, one element at a time.
template <class A, class B, class Out, class Bias>
void define(contraction const& c, extent const (&size)[128], array<A>& a, array<B>& b,
            array<Out>& out, array<cpu::start_type<Out>>* start, array<Bias>* bias) {
  using sum = cpu::sum_type<Out>;
  std::string k;
  for (int i = 0; i < c.rank_a; ++i)
    if (!c.in_out(c.a[i])) k.push_back(static_cast<char>(c.a[i]));
  extent outs = 1, steps = 1;
  for (int i = 0; i < c.rank_out; ++i) outs *= size[c.out[i]];
  for (char l : k) steps *= size[static_cast<unsigned char>(l)];
  extent at[128]{};
  auto offset = [&](auto& x, extent const(&l)[max_rank]) {
    extent o = 0;
    for (int i = 0; i < x.shape.shape.rank; ++i) o += at[l[i]] * x.shape.strides[i];
    return o;
  };
  auto step = [](sum x, sum y, sum z) {
    if constexpr (!std::is_integral_v<sum>) return std::fma(x, y, z);
    else return x * y + z;
  };
  for (extent o = 0; o < outs; ++o) {
    extent rest = o;
    for (int i = c.rank_out - 1; i >= 0; --i) {
      at[c.out[i]] = rest % size[c.out[i]];
      rest /= size[c.out[i]];
    }
    extent const here = offset(out, c.out);
    sum lane[64]{};
    if (start) lane[0] = static_cast<sum>(start->data()[here]);
    for (extent p = 0; p < steps; ++p) {
      rest = p;
      for (std::size_t i = k.size(); i-- > 0;) {
        auto const l = static_cast<unsigned char>(k[i]);
        at[l] = rest % size[l];
        rest /= size[l];
      }
      sum& s = lane[c.order == contract_order::lanes ? p % 64 : 0];
      s = step(static_cast<sum>(a.data()[offset(a, c.a)]),
               static_cast<sum>(b.data()[offset(b, c.b)]), s);
    }
    if (c.order == contract_order::lanes)
      for (int stride = 32; stride > 0; stride /= 2)
        for (int i = 0; i < stride; ++i) lane[i] = lane[i] + lane[i + stride];
    if (bias) lane[0] = lane[0] + static_cast<sum>(bias->data()[offset(*bias, c.out)]);
    out.data()[here] = static_cast<Out>(lane[0]);
  }
}

template <class T> bool same_bits(std::vector<T> const& x, std::vector<T> const& y) {
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}

struct variant {
  layout a{}, b{}, out{}, bias{};
  bool has_start = false, has_bias = false;
  std::size_t tiny_a = 0, tiny_b = 0, tiny_start = 0; // elements this far apart are times `tiny`
  float tiny = 1;
};

inline int held_cases = 0, shared_cases = 0; // that were met

// Does one thread copy the columns of a matrix that vectors share?
template <class Target, class A, class B, class Out> bool is_shared(product_form const& p) {
  using namespace detail;
  if constexpr (std::is_same_v<A, B>)
    return p.order == contract_order::lanes &&
           shared_lanes<Target, as_word<A>, as_word<B>, as_word<Out>, as_word<Out>>::fits(p);
  else return false;
}

// Runs one contraction on `Target` with one and two threads and compares all of out's memory, also
// what lies between its elements.
template <class Target, class A, class B, class Out, class Bias = Out>
void check(contraction const& c, extent const (&size)[128], variant const& v) {
  extents const out_shape = shape_of_labels(c.out, c.rank_out, size);
  array<A> a(shape_of_labels(c.a, c.rank_a, size), v.a, A{});
  array<B> b(shape_of_labels(c.b, c.rank_b, size), v.b, B{});
  array<Out> out(out_shape, v.out, static_cast<Out>(77)), expected = out;
  array<cpu::start_type<Out>> start(out_shape, v.out, {});
  array<Bias> bias(out_shape, v.bias, Bias{});
  randomise(a);
  randomise(b);
  randomise(start);
  randomise(bias);
  shrink(a, v.tiny_a, v.tiny);
  shrink(b, v.tiny_b, v.tiny);
  shrink(start, v.tiny_start, v.tiny);
  define(c, size, a, b, expected, v.has_start ? &start : nullptr, v.has_bias ? &bias : nullptr);

  product_form const p = make_product(c, a.shape, b.shape, out.shape,
                                      v.has_bias ? bias.shape.strides : extents{});
  if (is_shared<Target, A, B, Out>(p)) ++shared_cases;
  static cpu::pool one(1, 0), two(2, 0);
  auto run = [&](auto&& executor) {
    array<Out> got = out;
    cpu::scratch_buffer memory;
    cpu::scratch const room = memory.get(
        cpu::scratch_bytes<Target, A, B, Out>(p, executor.threads()));
    cpu::contract<Target>(p, a.data(), b.data(), got.data(), v.has_start ? start.data() : nullptr,
                          v.has_bias ? bias.data() : nullptr, room, executor);
    return same_bits(got.memory, expected.memory);
  };
  EXPECT_TRUE(run(cpu::serial{}));
  EXPECT_TRUE(run(two)) << "two threads";

  // As a loop multiplies by a matrix that it packs once.
  cpu::held_code const& held = *detail::held_code_for<Target, A, B, Out, Bias>;
  for (extent const bytes = held.bytes(p); auto* const threads : {&one, &two}) {
    if (bytes == 0) break;
    ++held_cases;
    cpu::executor_ref const on(*threads);
    array<Out> got = out;
    cpu::scratch_buffer memory, packed;
    std::byte* const to = packed.get(bytes).memory;
    held.pack(p, p.swapped ? static_cast<void const*>(a.data()) : b.data(), to, on);
    held.run(p, p.swapped ? static_cast<void const*>(b.data()) : a.data(), to, got.data(),
             v.has_start ? start.data() : nullptr, v.has_bias ? bias.data() : nullptr,
             memory.get(cpu::scratch_bytes<Target, A, B, Out>(p, on.threads())), on, {});
    EXPECT_TRUE(same_bits(got.memory, expected.memory)) << "held, threads: " << on.threads();
  }

  if constexpr (sizeof(A) < 4 && std::is_same_v<A, B>) { // as the block executor multiplies these
    constexpr dtype type = dtype_of<detail::as_word<A>>;
    using by = detail::small_contraction<Target, type, dtype_of<detail::as_word<Out>>,
                                         dtype_of<detail::as_word<Bias>>>;
    array<Out> got = out;
    cpu::scratch_buffer memory;
    by::run(p, a.data(), b.data(), got.data(), v.has_start ? start.data() : nullptr,
            v.has_bias ? bias.data() : nullptr, memory.get(by::bytes(p, 2)), cpu::executor_ref(two),
            {});
    EXPECT_TRUE(same_bits(got.memory, expected.memory)) << "widened first";
  }
}

} // namespace contract_test

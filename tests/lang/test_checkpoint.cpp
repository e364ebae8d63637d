// SPDX-License-Identifier: BSL-1.0
// checkpoint and residuals: every choice gives the bits of the function as it stands; what each
// keeps, by formulas; the memory plan's peak; regions in regions, in loops, under other transforms.
#include "random/same_bits.hpp"
#include "recorded.hpp"

#include <weft/pass/memory_plan.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using enum residuals;

growing<dense> arbitrary(graph_view g) {
  growing<dense> all;
  std::uint32_t seed = 7;
  for (int p : g.parameters_of(0)) {
    dense d(g[p].type, g.shape(p));
    for (int i = 0; i < d.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      float const x = static_cast<float>(static_cast<int>(seed >> 25) - 64) / 64.0f;
      d[i] = d.type == dtype::f32 ? word_of(x) : seed >> 8;
    }
    all.push(d);
  }
  return all;
}
// What the program means, before and after the passes.
template <class... Args, class F> growing<dense> meaning(F const& f) {
  graph const g = record<Args...>(f), ready = optimise(g);
  EXPECT_EQ(g.error, trace_error::clean);
  EXPECT_FALSE(verify(g)) << name_of(verify(g).broken) << " at " << verify(g).node;
  EXPECT_FALSE(verify(ready)) << name_of(verify(ready).broken) << " at " << verify(ready).node;
  growing<dense> const in = arbitrary(g), out = test::meaning_of(ready, in);
  EXPECT_TRUE(test::same_bits(1, ready, out, test::meaning_of(g, in)));
  return out;
}
template <class... Args, class F, class G> void expect_same(F const& f, G const& g) {
  graph const shown = optimise(record<Args...>(f));
  EXPECT_TRUE(test::same_bits(0, shown, meaning<Args...>(f), meaning<Args...>(g)));
}
// The highest byte of the plan of everything outside of kernels.
extent no_scratch(void const*, int) { return 0; }
extent peak_of(graph_view g) {
  accesses const reads = accesses_of(g);
  schedule const plan = make_schedule(g, reads);
  detail::planner p{g, reads, plan, no_scratch, nullptr};
  p.run();
  return p.out.region_bytes[0];
}
template <class... Args, class F> extent kept(F const& f) {
  return kept_bytes(optimise(record<Args...>(f)));
}
template <class... Args, class F> extent peak(F const& f) {
  return peak_of(optimise(record<Args...>(f)));
}
int count(graph_view g, op code) {
  int n = 0;
  for (node const& each : g.nodes) n += each.code == code;
  return n;
}

// Other transforms.
constexpr auto jvp_of = [](auto f) { return [f](auto x, auto p) { return jvp(f)(x, p, x * x); }; };
constexpr auto of_row = [](auto f) {
  return [f](auto x, auto p) { return f(at<"new, :">(x), p); };
};

// Models.
template <template <class, auto...> class array> struct layer {
  array<float, 4, 4> w;
  array<float, 4> b;
};
using batch = tensor<float, 3, 4>;
constexpr auto dense_layer = [](auto p, auto x) { return tanh(matmul(x, p.w) + p.b); };
constexpr auto as_it_is = [](auto f) { return f; };
template <residuals R> constexpr auto keeping = [](auto f) { return checkpoint<R>(f); };

// wrap(f) is f with its choice.
constexpr auto mlp = [](auto wrap) {
  return [wrap](auto p, auto q, auto x) {
    auto const f = wrap(dense_layer);
    return mean(f(p, f(q, f(p, x))));
  };
};
template <template <class, auto...> class array> struct block_weights {
  array<float, 8> scale, shift;
  array<float, 8, 24> qkv;
  array<float, 8, 16> up;
  array<float, 16, 8> down;
};
constexpr auto block = [](auto p, auto x) {
  auto n = layer_norm(x, p.scale, p.shift);
  auto parts = split<3, -1>(einsum<"btd,de->bte">(n, p.qkv));
  auto y = x + causal_attention(parts[0], parts[1], parts[2]);
  return y + einsum<"bte,ed->btd">(gelu(einsum<"btd,de->bte">(y, p.up)), p.down);
};
constexpr auto transformer = [](auto wrap) {
  return [wrap](auto p, auto q, auto x) {
    auto const f = wrap(block);
    return mean(f(q, f(p, x)));
  };
};
template <template <class, auto...> class array> struct gru_weights {
  array<float, 3, 12> wx;
  array<float, 4, 12> wh;
  array<float, 12> b;
};
constexpr auto gru_step = [](auto p, auto h, auto x) {
  auto g = split<3, -1>(matmul(x, p.wx) + p.b), u = split<3, -1>(matmul(h, p.wh));
  auto r = sigmoid(g[0] + u[0]), z = sigmoid(g[1] + u[1]);
  auto c = tanh(g[2] + r * u[2]);
  return (1 - z) * c + z * h;
};
template <residuals R>
constexpr auto gru = [](auto wrap) {
  return [wrap](auto p, auto h, auto xs) {
    auto const body = [p](auto c, auto x) {
      auto n = gru_step(p, c, x);
      return std::pair(n, none);
    };
    return sum(scan<scan_options{.save = R}>(wrap(body), h, xs).first);
  };
};
constexpr int steps = 5, rows = 2, units = 4;
using hidden = tensor<float, rows, units>;
using inputs = tensor<float, steps, rows, 3>;

// Bits.
TEST(checkpoint, mlp_has_the_same_bits_for_every_choice) {
  auto const plain = value_and_grad<0, 1, 2>(mlp(as_it_is));
  using P = layer<tensor>;
  expect_same<P, P, batch>(value_and_grad<0, 1, 2>(mlp(keeping<nothing>)), plain);
  expect_same<P, P, batch>(value_and_grad<0, 1, 2>(mlp(keeping<products>)), plain);
  expect_same<P, P, batch>(value_and_grad<0, 1, 2>(mlp(keeping<everything>)), plain);
}
TEST(checkpoint, transformer_block_has_the_same_bits_for_every_choice) {
  auto const plain = value_and_grad<0, 1, 2>(transformer(as_it_is));
  using P = block_weights<tensor>;
  using X = tensor<float, 2, 5, 8>;
  expect_same<P, P, X>(value_and_grad<0, 1, 2>(transformer(keeping<nothing>)), plain);
  expect_same<P, P, X>(value_and_grad<0, 1, 2>(transformer(keeping<products>)), plain);
  expect_same<P, P, X>(value_and_grad<0, 1, 2>(transformer(keeping<everything>)), plain);
}
TEST(checkpoint, gru_has_the_same_bits_for_every_choice) {
  auto const plain = value_and_grad<0, 1, 2>(gru<products>(as_it_is));
  using P = gru_weights<tensor>;
  expect_same<P, hidden, inputs>(value_and_grad<0, 1, 2>(gru<nothing>(as_it_is)), plain);
  expect_same<P, hidden, inputs>(value_and_grad<0, 1, 2>(gru<everything>(as_it_is)), plain);
  expect_same<P, hidden, inputs>(value_and_grad<0, 1, 2>(gru<products>(keeping<nothing>)), plain);
  expect_same<P, hidden, inputs>(value_and_grad<0, 1, 2>(gru<products>(keeping<products>)), plain);
  expect_same<P, hidden, inputs>(value_and_grad<0, 1, 2>(gru<everything>(keeping<everything>)),
                                 plain);
}

// A product of all steps, whose steps are another axis of its operand than the first.
template <residuals Save>
constexpr auto driven_by_columns = [](auto w, auto x) {
  auto body = [](auto h, auto v) {
    auto next = tanh(h + v);
    return std::pair(next, next);
  };
  auto const driven = einsum<"ij,jt->ti">(w, x);
  return sum(scan<scan_options{.save = Save}>(body, zeros_like(at<"0">(driven)), driven).second);
};
TEST(checkpoint, products_whose_steps_are_columns) {
  using W = tensor<float, 4, 3>;
  using X = tensor<float, 3, 5>;
  expect_same<W, X>(value_and_grad<0, 1>(driven_by_columns<nothing>),
                    value_and_grad<0, 1>(driven_by_columns<products>));
}

// Bytes.
TEST(checkpoint, gru_keeps_what_its_formula_says) {
  using P = gru_weights<tensor>;
  constexpr extent each = steps * rows * units * 4; // one array of hidden's shape per step
  auto const bytes = [](auto f) { return kept<P, hidden, inputs>(grad(f)); };
  EXPECT_EQ(bytes(gru<nothing>(as_it_is)), each);        // h
  EXPECT_EQ(bytes(gru<products>(as_it_is)), 7 * each);   // h, x W, h U
  EXPECT_EQ(bytes(gru<everything>(as_it_is)), 8 * each); // h, h U, r, z, 1 - z, c
  EXPECT_EQ(bytes(gru<products>(keeping<nothing>)), each);
  EXPECT_EQ(bytes(gru<products>(keeping<products>)), 7 * each);
}
TEST(checkpoint, transformer_keeps_what_its_formula_says) {
  using P = block_weights<tensor>;
  using X = tensor<float, 2, 5, 8>;
  constexpr extent x = 2 * 5 * 8 * 4, scores = 2 * 5 * 5 * 4;
  auto const bytes = [](auto f) { return kept<P, P, X>(grad<0, 1>(f)); };
  EXPECT_EQ(bytes(transformer(keeping<nothing>)), x); // what the second block gets
  // That, and of each block: q k v; scores; their sum; up
  EXPECT_EQ(bytes(transformer(keeping<products>)), x + 2 * (3 * x + scores + x + 2 * x));
  EXPECT_GT(bytes(transformer(as_it_is)), bytes(transformer(keeping<products>)));
  // What the first block normalises is an argument: as it is, mean and factor of its rows stay and
  // their product with it is computed again.
  constexpr extent of_rows = 2 * 5 * 4;
  EXPECT_EQ(bytes(transformer(as_it_is)) - 2 * of_rows + x,
            bytes(transformer(keeping<everything>)));
}
TEST(checkpoint, peak_of_the_plan_falls) {
  using P = gru_weights<tensor>;
  using X = tensor<float, 100, rows, 3>;
  constexpr extent each = 100 * rows * units * 4;
  auto const bytes = [](auto f) { return peak<P, hidden, X>(grad(f)); };
  EXPECT_GT(bytes(gru<products>(as_it_is)), 9 * each); // 7 kept, and the cotangents of h U
  EXPECT_LT(bytes(gru<nothing>(as_it_is)), 5 * each);  // h, and the cotangents of x W
  EXPECT_EQ(bytes(gru<nothing>(as_it_is)), bytes(gru<products>(keeping<nothing>)));
  auto const deep = [](auto wrap) {
    return [wrap](auto p, auto x) {
      auto const f = wrap([](auto q, auto y) {
        for (int k = 0; k < 4; ++k) y = dense_layer(q, y);
        return y;
      });
      for (int k = 0; k < 4; ++k) x = f(p, x);
      return sum(x);
    };
  };
  using L = layer<tensor>;
  constexpr extent one = 500 * 4 * 4;
  using many = tensor<float, 500, 4>;
  EXPECT_GE((peak<L, many>(grad(deep(as_it_is)))), 16 * one);
  EXPECT_LE((peak<L, many>(grad(deep(keeping<nothing>)))), 12 * one);
}

// Regions in regions and loops, and under transforms.
TEST(checkpoint, regions_nest_with_their_own_choices) {
  using P = layer<tensor>;
  auto const two = [](auto wrap) {
    return [wrap](auto p, auto x) { return wrap(dense_layer)(p, wrap(dense_layer)(p, x)); };
  };
  auto const loss = [](auto f) { return [f](auto p, auto x) { return sum(f(p, f(p, x))); }; };
  auto const plain = grad<0, 1>(loss(two(as_it_is)));
  expect_same<P, batch>(grad<0, 1>(loss(checkpoint(two(keeping<products>)))), plain);
  expect_same<P, batch>(grad<0, 1>(loss(checkpoint<products>(two(keeping<nothing>)))), plain);
  expect_same<P, batch>(grad<0, 1>(loss(checkpoint<products>(two(keeping<products>)))), plain);
  expect_same<P, batch>(grad<0, 1>(loss(checkpoint<everything>(two(keeping<nothing>)))), plain);
  // An inner region's products are kept for the outer's way back, but not if that keeps nothing.
  constexpr extent x = 3 * 4 * 4;
  auto const bytes = [&](auto f) { return kept<P, batch>(grad<0, 1>(loss(f))); };
  EXPECT_EQ(bytes(checkpoint(two(keeping<products>))), x);
  EXPECT_EQ(bytes(checkpoint<products>(two(keeping<products>))), x + 4 * x);
  EXPECT_EQ(bytes(checkpoint<products>(two(keeping<nothing>))), x);
}
TEST(checkpoint, loops_stand_in_regions) {
  using P = gru_weights<tensor>;
  auto const plain = grad<0, 1, 2>(gru<products>(as_it_is));
  expect_same<P, hidden, inputs>(grad<0, 1, 2>(checkpoint(gru<products>(as_it_is))), plain);
  expect_same<P, hidden, inputs>(grad<0, 1, 2>(checkpoint<everything>(gru<products>(as_it_is))),
                                 plain);
  expect_same<P, hidden, inputs>(
      grad<0, 1, 2>(checkpoint<everything>(gru<everything>(keeping<nothing>))), plain);
}
TEST(checkpoint, nested_loops_keep_everything) {
  auto const nested = [](auto options) {
    return [](auto w, auto xs) {
      auto const outer = [w](auto c, auto x) {
        auto const inner = [w](auto h, auto y) {
          auto n = tanh(matmul(h, w) * y);
          return std::pair(n, sum<-1>(n));
        };
        auto r = scan<decltype(options)::value>(inner, c, x);
        return std::pair(r.first, r.second);
      };
      auto r = scan<decltype(options)::value>(outer, ones<float, 3, 4>(), xs);
      return sum(r.first) + sum(r.second * r.second);
    };
  };
  using W = tensor<float, 4, 4>;
  using X = tensor<float, 2, 3>;
  constexpr auto of = []<residuals R>() {
    return std::integral_constant<scan_options, scan_options{.save = R}>{};
  };
  auto const plain = grad<0, 1>(nested(of.operator()<products>()));
  auto const all = grad<0, 1>(nested(of.operator()<everything>()));
  expect_same<W, X>(all, plain);
  expect_same<W, X>(grad<0, 1>(nested(of.operator()<nothing>())), plain);
  // Forward: a tanh in the inner loop; on the way back none.
  EXPECT_EQ(count(optimise(record<W, X>(all)), op::tanh), 1);
  EXPECT_GT(count(optimise(record<W, X>(plain)), op::tanh), 2);
}
TEST(checkpoint, work_is_done_again_and_not_merged) {
  using P = layer<tensor>;
  auto const tanhs = [](auto f) { return count(optimise(record<P, P, batch>(grad(f))), op::tanh); };
  EXPECT_EQ(tanhs(mlp(as_it_is)), 3);
  EXPECT_EQ(tanhs(mlp(keeping<everything>)), 3);
  EXPECT_EQ(tanhs(mlp(keeping<products>)), 5); // the last layer's result is not asked for
  EXPECT_EQ(tanhs(mlp(keeping<nothing>)), 5);
  // Without a derivative, and forward, nothing is left of it.
  graph const value = optimise(record<P, P, batch>(mlp(keeping<nothing>)));
  EXPECT_EQ(value.regions.size(), 1);
  EXPECT_EQ(print(value), print(optimise(record<P, P, batch>(mlp(as_it_is)))));
}
TEST(checkpoint, draws_are_the_same_numbers_again) {
  auto const drop = [](auto wrap) {
    return [wrap](auto p, auto x, auto k) {
      auto const f = [](auto q, auto y, auto key) { return dropout(key, 0.5f, dense_layer(q, y)); };
      auto keys = split(k);
      return sum(wrap(f)(p, wrap(f)(p, x, keys[0]), keys[1]));
    };
  };
  using P = layer<tensor>;
  auto const plain = value_and_grad<0, 1>(drop(as_it_is));
  expect_same<P, batch, key>(value_and_grad<0, 1>(drop(keeping<nothing>)), plain);
  expect_same<P, batch, key>(value_and_grad<0, 1>(drop(keeping<everything>)), plain);
  auto const twice = [](auto x, auto k) {
    auto const f = [k](auto y) { return y * uniform<float, 3, 4>(k); };
    return sum(checkpoint(f)(checkpoint(f)(x)));
  };
  EXPECT_EQ((record<batch, key>(grad(twice)).error), trace_error::key_used_twice);
}
TEST(checkpoint, under_other_transforms) {
  using P = layer<tensor>;
  auto const loss = [](auto wrap) {
    return [wrap](auto x, auto p) { return sum(wrap(dense_layer)(p, wrap(dense_layer)(p, x))); };
  };
  auto const plain = loss(as_it_is);
  auto const again = loss(keeping<nothing>);
  using many = tensor<float, 6, 3, 4>;
  expect_same<many, P>(vmap<0, none>(grad<0, 1>(again)), vmap<0, none>(grad<0, 1>(plain)));
  expect_same<batch, P>(jvp_of(again), jvp_of(plain));
  expect_same<tensor<float, 4>, P>(hessian(of_row(again)), hessian(of_row(plain)));
  expect_same<batch, P>(grad(autocast<bf16>(again)), grad(autocast<bf16>(plain)));
  expect_same<batch, P>(grad<0, 1>(loss([](auto f) { return checkpoint(autocast<bf16>(f)); })),
                        grad<0, 1>(loss([](auto f) { return autocast<bf16>(f); })));
  auto const twice = [](auto f) {
    return [f](auto x, auto p) {
      auto g = grad<0>(f)(x, p);
      return sum(g * g);
    };
  };
  // What is computed again has a cotangent of its own there: equal but for rounding.
  growing<dense> const a = meaning<batch, P>(grad<0, 1>(twice(again))),
                       b = meaning<batch, P>(grad<0, 1>(twice(plain)));
  for (int k = 0; k < a.size(); ++k)
    for (int i = 0; i < a[k].size(); ++i)
      EXPECT_NEAR(element_of_word<float>(a[k][i]), element_of_word<float>(b[k][i]), 2e-6f);
}
TEST(checkpoint, branches_and_derivatives_of_the_users_inside) {
  auto const own = custom_vjp([](auto x) { return x * x; },
                              [](auto x) { return std::pair(x * x, x); },
                              [](auto x, auto ct) { return ct * x * 3; });
  auto const loss = [own](auto wrap) {
    return [own, wrap](auto w, auto x) {
      auto const f = [own](auto v, auto y) {
        auto z = cond(
            sum(y) > 0, [](auto a) { return sin(tanh(a)); }, [](auto a) { return cos(a) * a; },
            matmul(y, v));
        return own(sigmoid(z)) + y;
      };
      auto const body = [w, wrap, f](auto c, auto row) {
        return std::pair(wrap(f)(w, c * row), sum<0>(c));
      };
      auto r = scan(body, wrap(f)(w, x), x);
      return sum(r.first) + sum(r.second);
    };
  };
  using W = tensor<float, 4, 4>;
  auto const plain = grad<0, 1>(loss(as_it_is));
  expect_same<W, batch>(grad<0, 1>(loss(keeping<nothing>)), plain);
  expect_same<W, batch>(grad<0, 1>(loss(keeping<products>)), plain);
  expect_same<W, batch>(grad<0, 1>(loss(keeping<everything>)), plain);
}
TEST(checkpoint, graphs_that_are_no_regions_are_refused) {
  graph const g = checkpoint(record<batch>([](auto x) { return tanh(x); }), products);
  EXPECT_NE(print(g).find("{carries 0, xs 0, ys 1, length 1, save products, region}"),
            std::string::npos)
      << print(g);
  auto const broken = [&g](loop l) {
    graph wrong = g;
    growing<extent> const a = encode(l);
    for (node& n : wrong.nodes) {
      if (n.code != op::scan) continue;
      n.first_attribute = wrong.attributes.size();
      n.attribute_count = a.size();
      wrong.attributes.append(a);
    }
    return verify(wrong).broken;
  };
  loop const right{.ys = 1, .length = 1, .role = region_role::forward};
  loop wrong[] = {right, right, right, right};
  wrong[0].length = 2;
  wrong[1].reverse = true;
  wrong[2].save = static_cast<residuals>(3);
  wrong[3].role = static_cast<region_role>(3);
  EXPECT_EQ(broken(right), rule::unbroken);
  for (loop const& l : wrong) EXPECT_EQ(broken(l), rule::scan_1);
}
TEST(checkpoint, arrays_of_eight_axes) {
  using X = tensor<float, 1, 2, 1, 2, 1, 2, 1, 2>;
  auto const f = [](auto x) { return tanh(sin(x)); };
  auto const loss = [](auto g) { return [g](auto x) { return sum(g(g(x))); }; };
  expect_same<X>(grad(loss(checkpoint(f))), grad(loss(f)));
  expect_same<X>(grad(loss(checkpoint<everything>(f))), grad(loss(f)));
}
TEST(checkpoint, captured_values_are_arguments) {
  auto const loss = [](auto wrap) {
    return [wrap](auto w, auto x) {
      auto const f = [w](auto y) { return matmul(y, tanh(w * w)); };
      return sum(wrap(f)(wrap(f)(x)));
    };
  };
  using W = tensor<float, 4, 4>;
  auto const again = grad<0, 1>(loss(keeping<nothing>));
  expect_same<W, batch>(again, grad<0, 1>(loss(as_it_is)));
  EXPECT_EQ((kept<W, batch>(again)), 3 * 4 * 4); // tanh(w * w) is made again
}

// One constant of a loop is two operands of a region: both contributions reach it, also where another
// loop of the program keeps hoist away.
template <bool Kept, auto G>
constexpr auto twice_read = [](auto w, auto c0) {
  auto const g = G; // what is beside the region keeps it a region
  auto const same = custom_vjp([](auto x) { return x; }, [](auto x) { return std::pair(x, x); },
                               [](auto, auto ct) { return ct; });
  auto const f = [](auto a, auto b, auto c) { return matmul(matmul(c, a), b); };
  auto const body = [&](auto c, auto) {
    if constexpr (Kept) return std::pair(g(checkpoint(f)(w, w, c)), none);
    else return std::pair(g(f(w, w, c)), none);
  };
  return sum(same(scan<scan_options{.length = 2}>(body, c0, none).first));
};
TEST(checkpoint, takes_a_constant_of_a_loop_twice) {
  tensor<float, 2, 2> const w = {{1, 2}, {0, 1}}, c = {{1, 0}, {2, 1}};
  constexpr auto unchanged = [](auto x) { return x; };
  constexpr auto times_two = [](auto x) { return 2 * x; };
  EXPECT_EQ(recorded::values<float>(grad(twice_read<true, unchanged>), w, c),
            recorded::values<float>(grad(twice_read<false, unchanged>), w, c));
  EXPECT_EQ(recorded::values<float>(grad(twice_read<true, times_two>), w, c),
            recorded::values<float>(grad(twice_read<false, times_two>), w, c));
}

} // namespace

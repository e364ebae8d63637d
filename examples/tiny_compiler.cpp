// SPDX-License-Identifier: BSL-1.0
// tiny_compiler: the idea of weft with nothing of weft in it. A function of arrays is called once,
// while this file compiles, and leaves a graph; an ordinary function differentiates it; another fuses
// its loops, into a single one where that can be; and that loop is the program.
//   record -> value_and_grad -> fuse -> program
// Only the two ends are templates. Between them a program is a value, which static_assert can see.
// Arguments and results are numbers or arrays; a result is computed, never an argument as it came.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <random>
#include <tuple>

// ---- 1. Axes have names and lengths. An array's type is the set of its axes, a mask. Arrays lie in
// memory, and loops nest, in this order.
using axes = unsigned;
inline constexpr axes batch = 1, hidden = 2, feature = 4;
inline constexpr char const* axis_names[] = {"batch", "hidden", "feature"};
using indices = std::array<int, 3>; // one for each axis
inline constexpr indices last = {255, 15, 2};
constexpr int has(axes set, unsigned axis) { return set >> axis & 1; }
constexpr int offset(axes set, indices at) {
  int to = 0;
  for (unsigned k = 0; k < 3; ++k) to = has(set, k) ? to * (last[k] + 1) + at[k] : to;
  return to;
}
constexpr int size_of(axes set) { return offset(set, last) + 1; }

// ---- 2. A graph: nodes in the order of their definition, each reads nodes before it. `sum` adds along
// axes and `spread` repeats along them: each is the other's derivative. The rest is elementwise.
enum class op { constant, input, add, mul, tanh, spread, sum };
inline constexpr char const* op_names[] = {"constant", "input", "+", "*", "tanh", "spread", "sum"};
struct node {
  op what{};
  axes over = 0;
  int a = 0, b = a;  // what it reads; one operand stands twice
  double number = 0; // of an input: the node itself, for no two are equal
  bool operator==(node const&) const = default;
};
struct graph {
  static constexpr int most = 64; // more is an error of the compiler's: an index out of range
  node nodes[most]{};             // node 0 is the number 0: what has no operands reads it
  int size = 1, results[4]{};

  constexpr int make(node n) { // equal terms are one node
    int const i = int(std::find(nodes, nodes + size, n) - nodes);
    if (i == size) nodes[size++] = n;
    return i;
  }
  constexpr int constant(double number) { return make({.number = number}); }
  constexpr int as(axes to, int x) { // added along what `to` lacks, repeated along what x lacks
    axes const from = nodes[x].over;
    if (from & ~to) x = make({op::sum, from & to, x});
    return to & ~from ? make({op::spread, to, x}) : x;
  }
  constexpr int binary(op what, int a, int b) {
    axes const over = nodes[a].over | nodes[b].over;
    return make({what, over, as(over, a), as(over, b)});
  }
  constexpr int add(int a, int b) { return binary(op::add, a, b); }
  constexpr int mul(int a, int b) { return binary(op::mul, a, b); }
  // The axes along which node i runs: a sum's operand has more than the sum.
  constexpr axes loops(int i) const { return nodes[i].over | nodes[nodes[i].a].over; }
};

// ---- 3. Recording: arguments that write down what is done with them. What does not fit is refused.
template <axes A> struct traced {
  graph* g;
  int at;
  template <axes B> constexpr traced<A | B> with(op what, traced<B> y) const {
    static_assert((A | B) == A || (A | B) == B, "one needs all axes of the other, or write einsum");
    return {g, g->binary(what, at, y.at)};
  }
  constexpr auto operator+(auto y) const { return with(op::add, y); }
  constexpr auto operator-(auto y) const { return with(op::add, y * -1.0); }
  constexpr auto operator*(auto y) const { return with(op::mul, y); }
  constexpr auto operator*(double y) const { return *this * traced<0>{g, g->constant(y)}; }
  friend constexpr traced tanh(traced x) { return {x.g, x.g->make({op::tanh, A, x.at})}; }
};
template <axes To, axes A, axes... B> constexpr traced<To> einsum(traced<A> x, traced<B>... y) {
  static_assert((To & ~(A | ... | B)) == 0, "einsum: no operand has this axis");
  ((x.at = x.g->mul(x.at, y.at)), ...);
  return {x.g, x.g->as(To, x.at)};
}
template <axes A> constexpr auto mean(traced<A> x) { return einsum<0>(x) * (1.0 / size_of(A)); }

template <axes... A> constexpr graph record(auto const& f) {
  graph g;
  std::tuple const in{traced<A>{&g, g.make({op::input, A, 0, 0, double(g.size)})}...};
  g.results[0] = std::apply(f, in).at;
  return g;
}

// ---- 4. Reverse mode: a graph from a graph. got[i] is the derivative of the result by node i, as
// told so far; from the last node to the first each passes its own on to what it reads.
constexpr graph value_and_grad(graph g, auto... by) {
  int got[graph::most]{}, count = 1;
  auto const pass_on = [&](int to, int d) {
    d = g.as(g.nodes[to].over, d); // what was repeated is added, what was added is repeated
    got[to] = got[to] == 0 ? d : g.add(got[to], d);
  };
  pass_on(g.results[0], g.constant(1));
  for (int i = g.results[0]; i > 0; --i) {
    node const n = g.nodes[i];
    if (n.what == op::add) pass_on(n.a, got[i]), pass_on(n.b, got[i]);
    if (n.what == op::mul) pass_on(n.a, g.mul(got[i], n.b)), pass_on(n.b, g.mul(got[i], n.a));
    if (n.what == op::tanh)
      pass_on(n.a, g.mul(got[i], g.add(g.constant(1), g.mul(g.constant(-1), g.mul(i, i)))));
    if (n.what == op::spread || n.what == op::sum) pass_on(n.a, got[i]);
  }
  ((g.results[count++] = g.as(g.nodes[by].over, got[by])), ...);
  return g;
}

// ---- 5. Fusion. A sum along an axis is known when the loop along it has ended; all else may share a
// loop. So number the loops along each axis: a node is in the first after those that gave the sums it
// reads. Its place has a digit for each axis: twice that number, and one more if the node is inside of
// the loop, not before it. The last digit is the node. In the order of places all stand after what they
// read, and those that begin with the same digits share their outer loops.
struct plan {
  long place[graph::most]{}, order[graph::most]{};       // four digits to the base 64
  int count = 0, memory[graph::most]{}, memory_size = 1; // 0: it never leaves its register
  constexpr long digit(int i, unsigned k) const { return place[i] >> 6 * (3 - k) & 63; }
  static constexpr bool differ(long x, long y, unsigned k) { return (x ^ y) >> 6 * (4 - k); }
  constexpr int end_of(int from, int to, unsigned loops) const { // of those within the same loops
    while (differ(order[to - 1], order[from], loops)) --to;
    return to;
  }
};
constexpr plan fuse(graph const& g) {
  plan p;
  bool live[graph::most]{}, stored[graph::most]{}; // stored: results, sums, what other loops read
  auto const summed = [&](int i) { return g.loops(i) & ~g.nodes[i].over; };
  for (int i = 1; i < g.size; ++i)
    for (unsigned k = 0; k < 4; ++k) {
      auto const after = [&](int x) { return p.digit(x, k) / 2 + has(summed(x), k); };
      long const loop = std::max(after(g.nodes[i].a), after(g.nodes[i].b));
      p.place[i] = 64 * p.place[i] + (k < 3 ? 2 * loop + has(g.loops(i), k) : i);
    }
  for (int r : g.results) live[r] = stored[r] = true;
  for (int i = g.size - 1; i > 0; --i) {
    node const n = g.nodes[i];
    if (!live[i] || n.what == op::input) continue;
    p.order[p.count++] = p.place[i];
    if (stored[i]) p.memory[i] = p.memory_size, p.memory_size += size_of(n.over);
    live[n.a] = live[n.b] = true;
    for (int x : {n.a, n.b})
      stored[x] |= summed(x) || p.differ(p.place[x], p.place[i], std::bit_width(g.nodes[x].over));
  }
  std::sort(p.order, p.order + p.count);
  return p;
}

// ---- 6. Code. The graph is a constant of the type, so each `if constexpr` is decided while this file
// compiles; what is left are loops, loads, arithmetic in registers, and stores.
template <auto const& G> struct program {
  static constexpr plan p = fuse(G);
  std::array<double const*, 8> in;
  double memory[p.memory_size]{}, registers[graph::most]{};

  template <int I> [[gnu::always_inline]] auto& value(indices at) {
    if constexpr (G.nodes[I].what == op::input) return in[I - 1][offset(G.nodes[I].over, at)];
    else if constexpr (p.memory[I] == 0) return registers[I];
    else return memory[p.memory[I] + offset(G.nodes[I].over, at)];
  }
  template <int I> [[gnu::always_inline]] void compute(indices at) {
    constexpr node n = G.nodes[I];
    double const a = value<n.a>(at), b = value<n.b>(at);
    if constexpr (n.what == op::sum) value<I>(at) += a;
    else if constexpr (n.what == op::constant) value<I>(at) = n.number;
    else if constexpr (n.what == op::tanh) value<I>(at) = std::tanh(a);
    else value<I>(at) = n.what == op::add ? a + b : n.what == op::mul ? a * b : a;
  }
  // What stands from From to To in the order, all of it within the same K loops.
  template <int From, int To, unsigned K> [[gnu::always_inline]] void run(indices at) {
    if constexpr (From < To && K == 3) compute<p.order[From] % 64>(at), run<From + 1, To, K>(at);
    else if constexpr (From < To) {
      constexpr int end = p.end_of(From, To, K + 1);
      constexpr bool loop = p.digit(p.order[From] % 64, K) % 2;
      for (at[K] = 0; at[K] <= (loop ? last[K] : 0); ++at[K]) run<From, end, K + 1>(at);
      run<end, To, K>(at);
    }
  }
  explicit program(auto const*... inputs) : in{inputs...} { run<0, p.count, 0>({}); }
  double const* result(int r) const { return memory + p.memory[G.results[r]]; }
};

inline void print(graph const& g, plan const& p, int from, int to, unsigned k = 0, int indent = 2) {
  for (int end = from; from < to; from = end) { // as text: the same steps as run's
    int const i = int(p.order[from] % 64), loop = p.digit(i, k) % 2 == 1;
    node const n = g.nodes[i];
    end = k < 3 ? p.end_of(from, to, k + 1) : from + 1;
    if (k < 3 && loop) std::printf("%*sfor all of %s\n", indent, "", axis_names[k]);
    if (k < 3) print(g, p, from, end, k + 1, indent + 2 * loop);
    else if (n.what == op::constant) std::printf("%*sv%d = %g\n", indent, "", i, n.number);
    else std::printf("%*sv%d = v%d %s v%d\n", indent, "", i, n.a, op_names[int(n.what)], n.b);
  }
}

// ---- 7. A network with a hidden layer, and how far it is from y. One loop over the batch gives that
// and both derivatives; this is known by now.
inline constexpr auto misfit = [](auto inner, auto outer, auto x, auto y) {
  auto error = einsum<batch>(tanh(einsum<batch | hidden>(x, inner)), outer) - y;
  return mean(error * error);
};
inline constexpr graph recorded = record<hidden | feature, hidden, batch | feature, batch>(misfit);
inline constexpr graph slopes = value_and_grad(recorded, 1, 2); // the inputs are nodes 1 to 4
static_assert(fuse(slopes).digit(slopes.results[1], 0) == 1);

// Gradient descent: the network learns to multiply. Step 0 checks its slopes.
int main() {
  std::mt19937 bits(1); // its numbers are in the standard, those of distributions are not
  auto const draw = [&] { return double(bits()) * 0x1p-31 - 1; };
  double weights[64], x[256][3], y[256], furthest = 0;
  for (double& w : weights) w = draw();
  for (int k = 0; k < 256; ++k)
    x[k][0] = draw(), x[k][1] = draw(), x[k][2] = 1, y[k] = x[k][0] * x[k][1];
  auto const loss = [&](int k, double by) { // when weight k is moved
    double const was = weights[k];
    weights[k] += by;
    program<recorded> const ran(weights, weights + 48, *x, y);
    return weights[k] = was, *ran.result(0);
  };
  print(slopes, fuse(slopes), 0, fuse(slopes).count);
  for (int step = 0; step <= 1000; ++step) {
    program<slopes> const now(weights, weights + 48, *x, y);
    for (int k = 0; k < 64; ++k) {
      double const slope = k < 48 ? now.result(1)[k] : now.result(2)[k - 48], by = 1e-5;
      if (step > 0) weights[k] -= 0.1 * slope;
      else furthest = std::max(furthest, std::abs((loss(k, by) - loss(k, -by)) / (2 * by) - slope));
    }
    if (step % 250 == 0) std::printf("step %4d: misfit %.5f\n", step, *now.result(0));
  }
  std::puts(furthest < 1e-9 ? "slopes and differences agree" : "slopes and differences DIFFER");
  return furthest < 1e-9 ? 0 : 1;
}

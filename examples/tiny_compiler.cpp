// SPDX-License-Identifier: BSL-1.0
// tiny_compiler: the idea of weft on a few pages, with nothing of weft in it. A function of arrays is
// called once, while this file compiles, and leaves a graph; functions from graph to graph
// differentiate it and clear up; what is left becomes loops, as few as its sums allow.
//   record -> value_and_grad -> without_dead -> fuse -> program
// Only the two ends are templates. Between them a program is a value, which static_assert can see.
// Needs: nothing but the standard library. Leaves: results are numbers; arguments numbers or vectors.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace tiny {

// ---- 1. Ops. `spread` makes a vector of a number and `sum` a number of a vector: each is the other's
// derivative. The rest is elementwise, and one definition serves constant expressions, the middle of
// a loop (T = pack) and its end (T = float).
enum class op : unsigned char { input, constant, length, add, sub, mul, div, spread, sum };
inline constexpr char const* names[] = {"input", "constant", "length", "+",  "-",
                                        "*",     "/",        "spread", "sum"};

inline constexpr int lanes = 8;
using pack [[gnu::vector_size(lanes * sizeof(float))]] = float;

template <class T>
[[gnu::always_inline]] constexpr void apply(op what, T& to, T const& a, T const& b) {
  if (what == op::add) to = a + b;
  if (what == op::sub) to = a - b;
  if (what == op::div) to = a / b;
  if (what != op::mul) return;
  to = a * b;
#if defined(__FMA__) // no compiler may fuse the product with a sum: results would depend on options
  if (!std::is_constant_evaluated()) asm("" : "+x"(to));
#endif
}

// ---- 2. A graph: nodes in the order of their definition, each reads nodes before it. All are made by
// `make`, which knows those so far and some algebra (but for the sign of a zero). So equal terms are
// one node from the start.
struct node {
  op what{};
  int rank = 0; // 0: a number, 1: a vector
  int a = -1, b = -1;
  float number = 0; // of an input: which
  bool operator==(node const&) const = default;
};
struct graph {
  static constexpr int most = 64; // more is an error of the compiler's: an index out of range
  node nodes[most]{};
  int results[4]{};
  int size = 0, result_count = 0;

  constexpr bool is(int i, float number) const {
    node const& n = nodes[i];
    return n.what == op::spread ? is(n.a, number) : n.what == op::constant && n.number == number;
  }
  constexpr int make(node n) {
    if (n.what == op::add && is(n.a, 0)) return n.b;                        // 0 + x = x
    if ((n.what == op::add || n.what == op::sub) && is(n.b, 0)) return n.a; // x + 0 = x
    if (n.what == op::mul && is(n.a, 1)) return n.b;                        // 1 * x = x
    if ((n.what == op::mul || n.what == op::div) && is(n.b, 1)) return n.a; // x * 1 = x
    for (int i = 0; i < size; ++i)
      if (nodes[i] == n) return i;
    nodes[size] = n;
    return size++;
  }
  constexpr int constant(float number) { return make({.what = op::constant, .number = number}); }
  constexpr int of_rank(int rank, int x) {
    if (nodes[x].rank == rank) return x;
    return make({.what = rank == 1 ? op::spread : op::sum, .rank = rank, .a = x});
  }
  constexpr int binary(op what, int a, int b) {
    int const rank = std::max(nodes[a].rank, nodes[b].rank);
    return make({.what = what, .rank = rank, .a = of_rank(rank, a), .b = of_rank(rank, b)});
  }
  constexpr void give(int node) { results[result_count++] = node; }
};

// ---- 3. Recording: arguments that write down what is done with them.
struct traced {
  graph* g;
  int at;
  constexpr traced with(op what, traced y) const { return {g, g->binary(what, at, y.at)}; }
  friend constexpr traced operator+(traced x, traced y) { return x.with(op::add, y); }
  friend constexpr traced operator-(traced x, traced y) { return x.with(op::sub, y); }
  friend constexpr traced operator*(traced x, traced y) { return x.with(op::mul, y); }
  friend constexpr traced operator/(traced x, traced y) { return x.with(op::div, y); }
};
constexpr traced sum(traced x) { return {x.g, x.g->of_rank(0, x.at)}; }
constexpr traced mean(traced x) { return sum(x) / traced{x.g, x.g->make({.what = op::length})}; }

inline constexpr int number = 0, vector = 1;
template <class F, class... Rank> constexpr graph record(F const& f, Rank... ranks) {
  graph g;
  float count = 0;
  for (int rank : {ranks...}) g.make({.what = op::input, .rank = rank, .number = count++});
  [&]<int... I>(std::integer_sequence<int, I...>) {
    g.give(f(traced{&g, I}...).at);
  }(std::make_integer_sequence<int, sizeof...(Rank)>{});
  return g;
}

// ---- 4. Reverse mode: a graph from a graph. got[i] is the derivative of the result by node i, as
// told so far; from the last node to the first each passes its own on to what it reads.
constexpr graph value_and_grad(graph g, std::initializer_list<int> by_inputs) {
  int got[graph::most];
  std::fill_n(got, graph::most, g.constant(0));
  auto const pass_on = [&](int to, int d) {
    got[to] = g.binary(op::add, got[to], g.of_rank(g.nodes[to].rank, d));
  };
  auto const minus = [&](int x) { return g.binary(op::sub, g.constant(0), x); };
  pass_on(g.results[0], g.constant(1));
  for (int i = g.results[0]; i >= 0; --i) {
    node const n = g.nodes[i];
    int const d = got[i];
    if (g.is(d, 0)) continue;
    switch (n.what) {
      case op::add: pass_on(n.a, d), pass_on(n.b, d); break;
      case op::sub: pass_on(n.a, d), pass_on(n.b, minus(d)); break;
      case op::mul:
        pass_on(n.a, g.binary(op::mul, d, n.b)), pass_on(n.b, g.binary(op::mul, d, n.a));
        break;
      case op::div: { // by a: d / b; by b: -d / b * (a / b)
        int const share = g.binary(op::div, d, n.b);
        pass_on(n.a, share), pass_on(n.b, minus(g.binary(op::mul, share, i)));
        break;
      }
      case op::spread:
      case op::sum: pass_on(n.a, d); break; // of the rank of what it read: summed, or spread
      case op::input:
      case op::constant:
      case op::length: break;
    }
  }
  for (int input : by_inputs) g.give(g.of_rank(g.nodes[input].rank, got[input]));
  return g;
}

// What no result needs goes; inputs keep their places.
constexpr graph without_dead(graph const& g) {
  bool needed[graph::most]{};
  for (int r = 0; r < g.result_count; ++r) needed[g.results[r]] = true;
  graph out;
  int now[graph::most]{};
  for (int i = g.size - 1; i >= 0; --i)
    for (int x : {g.nodes[i].a, g.nodes[i].b})
      if (needed[i] && x >= 0) needed[x] = true;
  for (int i = 0; i < g.size; ++i) {
    node n = g.nodes[i];
    if (!needed[i] && n.what != op::input) continue;
    if (n.a >= 0) n.a = now[n.a];
    if (n.b >= 0) n.b = now[n.b];
    now[i] = out.make(n);
  }
  for (int r = 0; r < g.result_count; ++r) out.give(now[g.results[r]]);
  return out;
}

// ---- 5. Fusion. A sum is known when its loop has ended, all else on the way: a node belongs to the
// loop after the last sum that it hangs on. A vector that two loops need is computed in both, which
// costs less than to store and load it. So no temporary has more than a pack.
struct schedule {
  int loop[graph::most]{}, loops = 0; // numbers: before that loop; sums: at the end of it
  std::uint64_t runs[graph::most]{};  // vectors: a bit per loop
  constexpr bool runs_in(int i, int l) const { return (runs[i] >> l & 1) != 0; }
};
constexpr schedule fuse(graph const& g) {
  schedule s;
  for (int i = 0; i < g.size; ++i) {
    node const& n = g.nodes[i];
    for (int x : {n.a, n.b})
      if (x >= 0) s.loop[i] = std::max(s.loop[i], s.loop[x] + (g.nodes[x].what == op::sum));
    if (n.what == op::sum) s.loops = std::max(s.loops, s.loop[i] + 1);
  }
  for (int i = g.size - 1; i >= 0; --i) {
    node const& n = g.nodes[i];
    if (n.what == op::sum) s.runs[n.a] |= std::uint64_t{1} << s.loop[i];
    else if (n.rank == vector && n.what != op::spread)
      for (int x : {n.a, n.b})
        if (x >= 0) s.runs[x] |= s.runs[i];
  }
  return s;
}

// ---- 6. The slow reference says what a graph means: node by node, each a whole array. A sum adds
// element k to lane k mod 8, then the lanes; whatever else runs a graph gives the same bits.
using floats = std::vector<float>;
constexpr float sum_of(float const* lane) {
  float all = 0;
  for (int k = 0; k < lanes; ++k) all += lane[k];
  return all;
}
constexpr floats evaluate(node const& n, floats const* v, float const* const* in,
                          std::size_t size) {
  floats z(n.rank == vector ? size : 1, n.number);
  float lane[lanes]{};
  if (n.what == op::sum)
    for (std::size_t k = 0; k < size; ++k) lane[k % lanes] += v[n.a][k];
  if (n.what == op::sum) z[0] = sum_of(lane);
  for (std::size_t k = 0; k < z.size(); ++k)
    if (n.what == op::input) z[k] = in[static_cast<int>(n.number)][k];
    else if (n.what == op::length) z[k] = static_cast<float>(size);
    else if (n.what == op::spread) z[k] = v[n.a][0];
    else if (n.b >= 0) apply(n.what, z[k], v[n.a][k], v[n.b][k]);
  return z;
}
constexpr floats interpret(graph const& g, std::vector<float const*> const& in, std::size_t size) {
  floats v[graph::most], out;
  for (int i = 0; i < g.size; ++i) v[i] = evaluate(g.nodes[i], v, in.data(), size);
  for (int r = 0; r < g.result_count; ++r) out.push_back(v[g.results[r]][0]);
  return out;
}

// ---- 7. Code. The graph is a constant of the type, so each `if constexpr` is decided while this file
// compiles: of a loop there is left what its nodes say, loads, arithmetic in registers, and an
// accumulator per sum.
template <auto const& G> class program {
  static constexpr schedule plan = fuse(G);
  template <class T> struct registers {
    T of[graph::most];
  };
  struct state {
    float const* const* in;
    std::size_t size;
    float numbers[graph::most];
    float sums[graph::most][lanes];
  };

  template <class F> [[gnu::always_inline]] static void each_node(F const& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<int, I>{}), ...);
    }
    (std::make_integer_sequence<int, G.size>{});
  }
  // Elements k... of loop L: add(sum, value) is called for its sums.
  template <int L, class T, class Add>
  [[gnu::always_inline]] static void body(state const& s, std::size_t k, Add const& add) {
    registers<T> v;
    each_node([&](auto i) __attribute__((always_inline)) {
      constexpr node n = G.nodes[i];
      if constexpr (plan.runs_in(i, L)) {
        if constexpr (n.what == op::input)
          std::memcpy(&v.of[i], s.in[static_cast<int>(n.number)] + k, sizeof(T));
        else if constexpr (n.what == op::spread) v.of[i] = T{} + s.numbers[n.a];
        else apply(n.what, v.of[i], v.of[n.a], v.of[n.b]);
      } else if constexpr (n.what == op::sum && plan.loop[i] == L) add(i, v.of[n.a]);
    });
  }
  template <int L> static void loop(state& s) {
    registers<pack> total{};
    std::size_t k = 0;
    for (; k + lanes <= s.size; k += lanes)
      body<L, pack>(s, k, [&](int i, pack const& x) { total.of[i] += x; });
    each_node([&](auto i) {
      if constexpr (G.nodes[i].what == op::sum && plan.loop[i] == L)
        std::memcpy(s.sums[i], &total.of[i], sizeof(pack));
    });
    for (std::size_t lane = 0; k < s.size; ++k, ++lane)
      body<L, float>(s, k, [&](int i, float x) { s.sums[i][lane] += x; });
  }
  // What is known before loop L: the sums of the loop before it, then numbers made of numbers.
  template <int L> static void numbers(state& s) {
    each_node([&](auto i) {
      constexpr node n = G.nodes[i];
      float& x = s.numbers[i];
      if constexpr (n.what == op::sum && plan.loop[i] == L - 1) x = sum_of(s.sums[i]);
      else if constexpr (n.rank == vector || n.what == op::sum || plan.loop[i] != L) return;
      else if constexpr (n.what == op::input) x = *s.in[static_cast<int>(n.number)];
      else if constexpr (n.what == op::constant) x = n.number;
      else if constexpr (n.what == op::length) x = static_cast<float>(s.size);
      else apply(n.what, x, s.numbers[n.a], s.numbers[n.b]);
    });
  }

public:
  static std::array<float, static_cast<std::size_t>(G.result_count)> run(
      std::vector<float const*> const& in, std::size_t size) {
    state s{.in = in.data(), .size = size, .numbers = {}, .sums = {}};
    [&]<int... L>(std::integer_sequence<int, L...>) {
      ((numbers<L>(s), loop<L>(s)), ...);
    }(std::make_integer_sequence<int, plan.loops>{});
    numbers<plan.loops>(s);
    std::array<float, static_cast<std::size_t>(G.result_count)> out;
    for (std::size_t r = 0; r < out.size(); ++r) out[r] = s.numbers[G.results[r]];
    return out;
  }
};

// ---- 8. A graph as text, in the order in which section 7 runs it.
inline void print_node(graph const& g, int i, char const* indent, char const* equals) {
  node const& n = g.nodes[i];
  auto const letter = [&](int x) { return g.nodes[x].rank == vector ? 'v' : 'n'; };
  char const* const name = names[static_cast<int>(n.what)];
  std::printf("%s%c%d%s", indent, letter(i), i, equals);
  if (n.b >= 0) std::printf("%c%d %s %c%d\n", letter(n.a), n.a, name, letter(n.b), n.b);
  else if (n.a >= 0) std::printf("%s %c%d\n", name, letter(n.a), n.a);
  else if (n.what == op::length) std::puts(name);
  else std::printf("%s %g\n", name, static_cast<double>(n.number));
}
inline void print(char const* title, graph const& g) {
  schedule const s = fuse(g);
  std::printf("%s: n is a number, v a vector\n", title);
  for (int l = 0; l <= s.loops; ++l) {
    for (int i = 0; i < g.size; ++i)
      if (g.nodes[i].rank == number && g.nodes[i].what != op::sum && s.loop[i] == l)
        print_node(g, i, "  ", " = ");
    if (l < s.loops) std::puts("  for all elements");
    for (int i = 0; i < g.size; ++i)
      if (s.runs_in(i, l)) print_node(g, i, "    ", " = ");
      else if (g.nodes[i].what == op::sum && s.loop[i] == l) print_node(g, i, "    ", " += ");
  }
  std::fputs("  give", stdout);
  for (int r = 0; r < g.result_count; ++r) std::printf(" n%d", g.results[r]);
  std::puts("\n");
}

// ---- 9. Two functions. An enzyme works at the speed most * c / (half + c) where its substrate has
// the concentration c (Michaelis and Menten 1913): how far is that from what was measured? And the
// variance, whose second sum needs the first.
inline constexpr auto misfit = [](auto most, auto half, auto c, auto measured) {
  auto error = most * c / (half + c) - measured;
  return mean(error * error);
};
inline constexpr auto variance = [](auto x) {
  auto from_mean = x - mean(x);
  return mean(from_mean * from_mean);
};
inline constexpr graph recorded = record(misfit, number, number, vector, vector);
inline constexpr graph slopes = without_dead(value_and_grad(recorded, {0, 1}));
inline constexpr graph variance_of = record(variance, vector);

// What was recorded, what passes made of it, what that means: all of it is known by now.
static_assert(record([](auto x) { return sum((x + x) * (x + x)); }, vector).size == 4);
static_assert(slopes.size < value_and_grad(recorded, {0, 1}).size);
static_assert(fuse(slopes).loops == 1 && fuse(variance_of).loops == 2);
constexpr bool slopes_are_right() { // predicted: 1 and 1.5, measured: 1 and 1
  float const most = 2, half = 1, c[] = {1, 3}, measured[] = {1, 1};
  return interpret(slopes, {&most, &half, c, measured}, 2) == floats{0.125f, 0.375f, -0.1875f};
}
static_assert(slopes_are_right());

} // namespace tiny

// Gradient descent on what was measured of an enzyme with most = 2 and half = 0.5.
int main() {
  using namespace tiny;
  print("misfit", recorded);
  print("misfit and its slopes by n0 and n1", slopes);
  print("variance", variance_of);

  floats c, speed;
  std::mt19937 draw(1); // its bits are in the standard, those of distributions are not
  auto const uniform = [&] { return static_cast<float>(draw() >> 8) * 0x1p-24f; };
  for (int k = 0; k < 10'003; ++k) {
    c.push_back(4 * uniform());
    speed.push_back(2 * c.back() / (0.5f + c.back()) + 0.2f * (uniform() - 0.5f));
  }
  float most = 1, half = 1;
  std::vector<float const*> const in{&most, &half, c.data(), speed.data()};
  bool same = true;
  for (int step = 0; step < 100; ++step) {
    auto const now = program<slopes>::run(in, c.size());
    same = same && std::ranges::equal(now, interpret(slopes, in, c.size()));
    if (step % 20 == 0) std::printf("step %2d: misfit %.6f\n", step, static_cast<double>(now[0]));
    most -= now[1], half -= now[2];
  }
  auto const start = std::chrono::steady_clock::now();
  for (int k = 0; k < 1000; ++k) same = same && program<slopes>::run(in, c.size())[0] < 1;
  std::chrono::duration<double, std::nano> const taken = std::chrono::steady_clock::now() - start;
  std::printf("most %.4f, half %.4f: %s the bits of the reference\n%.2f ns per element and step\n",
              static_cast<double>(most), static_cast<double>(half), same ? "with" : "NOT",
              taken.count() / 1000 / static_cast<double>(c.size()));
  return same ? 0 : 1;
}

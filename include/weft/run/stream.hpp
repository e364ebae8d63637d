// SPDX-License-Identifier: BSL-1.0
// stream: a scan's step as an object: it holds the fixed arrays and the state, takes one element at
// a time and gives the step's output; sensors, audio, control loops.
//   constexpr auto cell = [](auto p, auto h, auto x) {           // as a body of scan, p in front
//     auto next = gru(p, h, x);
//     return std::pair(next, einsum<"h,h->">(next, p.out));
//   };
//   stream<cell, params<tensor>, tensor<float, 32>, tensor<float, 1>> s(p);   // state: zeros
//   float y = s(sample)();                       // pair's second; valid until the next call, and
//                                                // what that may be given: s(s(sample))
// Needs: a step(fixed, state, inputs...) that returns pair(next state, output), the state of one
// type; fixed may be none. No names among the extents: everything is planned in the constructor. It
// stays where it is made, and is called from one thread at a time.
// Leaves: the bits of scan over the same elements. A call takes no lock and no memory (unless the
// caller keeps a copy of every output), and always does the same work. After a call that threw the
// state is what it was before.
#pragma once

#include <weft/lang/scan.hpp>
#include <weft/lang/while.hpp>
#include <weft/run/jit.hpp>
#include <weft/run/leaf_memory.hpp>
#include <weft/run/repeated.hpp>

#include <cstring>

namespace weft::inline v0 {
namespace detail {

template <class Result> struct stream_parts { // of a step that returns no pair
  using state = none_t;
  using output = none_t;
};
template <class State, class Output> struct stream_parts<std::pair<State, Output>> {
  using state = State;
  using output = Output;
};

template <class Program, class State> consteval bool check_stream() {
  if constexpr (!well_recorded<Program>()) return false;
  else {
    using result = typename Program::result_type;
    static_assert(carry_and_output<result>, "weft: stream: the step returns no pair; write "
                                            "std::pair(next state, output)");
    if constexpr (!carry_and_output<result>) return false;
    else {
      using next = typename stream_parts<result>::state;
      static_assert(state_keeps_its_type<State, next>,
                    "weft: stream: the step returns a state of another type; give the first state "
                    "its element type and shape");
      constexpr bool numbers = !has_names(stages<Program>::optimised);
      static_assert(numbers, "weft: stream: an extent has a name, which a call would have to bind; "
                             "write numbers");
      return std::is_same_v<State, next> && numbers;
    }
  }
}

// Of each of the state's arrays two, which a step reads and writes in turn, or one.
template <class Program, class Target, class Fixed, class State> class stream_memory {
  using parts = stream_parts<typename Program::result_type>;
  static constexpr int fixed_count = leaf_count<Fixed>, state_count = leaf_count<State>;
  static constexpr int inputs = stages<Program>::optimised.inputs.size();
  static constexpr int outputs = stages<Program>::optimised.outputs_of(0).size();

public:
  using output_type = typename parts::output;

  stream_memory(Fixed fixed, State const& start, memory_source* source)
      : fixed_(std::move(fixed)), source_(source), start_(start), states_{start, start},
        engine_(program_functions<Program, Target>::code, graph(), 1, source) {
    int count = 0;
    bool constant[fixed_count + 1]{}; // tensors; not what is borrowed
    for_each_leaf(fixed_, [&](auto& leaf) {
      constant[count] = requires { leaf.is_inline; };
      in_[0][count] = in_[1][count] = data_of(leaf), ++count;
    });
    engine_.keep({in_[0], fixed_count}, {constant, fixed_count},
                 repeated_functions<Program, Target>::code);
    int k = 0;
    for_each_leaf(states_[0], states_[1],
                  [&](auto& even, auto& odd) { place_state(k++, written(even), written(odd)); });
    for_each_leaf(output_[0], [&](auto& leaf) { prepare(leaf, k++); });
  }
  stream_memory(stream_memory const&) = delete;
  stream_memory& operator=(stream_memory const&) = delete;

  template <class... X> output_type const& step(X const&... x) {
    void const** const in = in_[now_];
    int i = fixed_count + state_count, k = state_count;
    (for_each_leaf(x, [&](auto& leaf) WEFT_LAMBDA { in[i++] = data_of(leaf); }), ...);
    void** const out = out_[now_];
    output_type& output = output_[now_];
    for_each_leaf(output, [&](auto& leaf) WEFT_LAMBDA {
      out[k] = place(leaf, k);
      ++k;
    });
    cpu::serial here;
    engine_.run({in, inputs}, {out, outputs}, here);
    now_ = 1 - now_;
    return output;
  }
  void reset(State const& to) {
    int k = 0;
    for_each_leaf(
        to, [&](auto const& from) { copy(state_at(k++), data_of(from), bytes_of_leaf(from)); });
  }
  void reset() { reset(start_); }
  State state() const {
    State own = start_;
    int k = 0;
    for_each_leaf(own, [&](auto& to) { copy(written(to), state_at(k++), bytes_of_leaf(to)); });
    return own;
  }
  Fixed const& fixed() const { return fixed_; }
  extent arena_bytes() const { return engine_.arena_bytes(); }

private:
  template <class Leaf> static void* written(Leaf& leaf) {
    if constexpr (std::is_same_v<Leaf, key>) return &leaf.high;
    else return writable(leaf);
  }
  // Where a step may write the next state over the one that it reads, one array is enough; not where
  // it may throw.
  void place_state(int k, void* even, void* odd) {
    bool const in_place = !may_throw(engine_.bound()) &&
                          may_overwrite(engine_.bound(), engine_.reads(), engine_.plan(),
                                        engine_.memory(), fixed_count + k, k);
    in_[0][fixed_count + k] = even;
    in_[1][fixed_count + k] = in_place ? even : odd;
    out_[0][k] = in_place ? even : odd;
    out_[1][k] = even;
  }
  void* state_at(int k) const { return out_[1 - now_][k]; } // what the next step reads
  static void copy(void* to, void const* from, std::size_t count) {
    if (count > 0) std::memcpy(to, from, count);
  }
  // The output before, which may be an input, the next, and one of which the caller keeps a copy.
  template <class Leaf> void prepare(Leaf&, int k) {
    if constexpr (requires { Leaf::is_inline; })
      if constexpr (!Leaf::is_inline)
        pools_[k].prepare(bytes_of(engine_.bound(), engine_.bound().outputs_of(0)[k]),
                          memory_from(source_), 3);
  }
  template <class Leaf> WEFT_INLINE void* place(Leaf& leaf, int k) {
    if constexpr (std::is_same_v<Leaf, key>) return &leaf.high;
    else if constexpr (Leaf::is_inline) return writable(leaf);
    else {
      leaf = Leaf(); // gives its block back to the pool
      graph_view const g = engine_.bound();
      void* const block = pools_[k].get(bytes_of(g, g.outputs_of(0)[k]), memory_from(source_));
      settle(leaf, block, result_shape(engine_, k));
      return leaf.size() == 0 ? nullptr : block;
    }
  }

  Fixed fixed_;
  memory_source* source_;
  State start_, states_[2]; // read and written by address alone, once they are placed
  result_pool pools_[outputs + 1];
  output_type output_[2]{}; // an input may be what the last call gave
  cpu::engine engine_;
  void const* in_[2][inputs + 1]{};
  void* out_[2][outputs + 1]{};
  int now_ = 0; // the set that the next step reads
};

// Nothing further is instantiated of a step that is wrong.
template <class State> struct no_stream {
  using output_type = State;
  template <class... X> explicit no_stream(X&&...) {}
  template <class... X> State const& step(X&&...) { return state; }
  State state{};
};
template <class Program, class Fixed, class State> constexpr auto find_stream_memory() {
  if constexpr (!check_stream<Program, State>()) return std::type_identity<no_stream<State>>{};
  else return std::type_identity<stream_memory<Program, cpu::native_target, Fixed, State>>{};
}
} // namespace detail

template <auto F, class Fixed, class State, class... In> class stream {
  using step = typename program<F, Fixed, State, In...>::itself;
  using memory = typename decltype(detail::find_stream_memory<step, Fixed, State>())::type;

public:
  using state_type = State;
  using output_type = typename memory::output_type;

  explicit stream(Fixed fixed = {}, State start = {}) : memory_(std::move(fixed), start, nullptr) {}
  // Its arrays, intermediates and scratch in `source`'s memory, all taken now.
  stream(Fixed fixed, State start, memory_source& source)
      : memory_(std::move(fixed), start, &source) {}

  template <class... X>
    requires(sizeof...(X) == sizeof...(In))
  output_type const& operator()(X const&... x) {
    return memory_.step(detail::as_argument<argument_t<In>>(x)...);
  }
  // A copy of the state, as of the next call.
  State state() const { return memory_.state(); }
  void reset() { memory_.reset(); } // to what the constructor was given
  void reset(State const& to) { memory_.reset(to); }
  Fixed const& fixed() const { return memory_.fixed(); }
  extent arena_bytes() const { return memory_.arena_bytes(); }

private:
  memory memory_;
};

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// machine_on<Home>: a machine in terms of weft::jit. Whoever includes this compiles the programs.
// Needs: of Home, type<X> (what X is there), executor() for jit, put(x), get(x), name().
#pragma once

#include "machine.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

namespace char_lm {

using weft::jit; // unqualified below: a device's overload may be declared after this file

template <class Home> class machine_on final : public machine {
  template <class X> using there = typename Home::template type<X>;

public:
  template <class... X>
  explicit machine_on(options const& o, X&&... home)
      : home_(std::forward<X>(home)...), full_precision_(o.precision == "f32") {}

  std::string name() const override { return home_.name(); }
  void put(learnt<tensor> const& all) override { all_ = home_.put(all); }
  learnt<tensor> get() const override { return home_.get(all_); }
  void rewind() override { all_.carried = home_.put(state()); }

  float train(block const& inputs, block const& targets, weft::key key, float rate) override {
    auto const run = [&]<class Program>(std::type_identity<Program>) {
      return jit<Program>(home_.executor(), std::move(all_.weights), std::move(all_.adam),
                          std::move(all_.carried), inputs, targets, key, rate);
    };
    there<tensor<float>> nats;
    std::tie(all_.weights, all_.adam, all_.carried,
             nats) = full_precision_ ? run(std::type_identity<train_f32>{})
                                     : run(std::type_identity<train_bf16>{});
    return home_.get(nats)();
  }

  float score(block const& inputs, block const& targets, bool first) override {
    if (first) scored_ = home_.put(state());
    there<tensor<float>> nats;
    std::tie(nats, scored_) = jit<score_block>(home_.executor(), all_.weights, std::move(scored_),
                                               inputs, targets);
    return home_.get(nats)();
  }

  prediction predict(int symbol, int place, float temperature, weft::key key) override {
    if (place == 0) written_ = home_.put(tensor<float, 1, hidden>());
    auto [next, probabilities,
          u] = jit<sample_step>(home_.executor(), all_.weights, std::move(written_),
                                tensor<int, 1, 1>{{symbol}}, temperature, key, place);
    written_ = std::move(next);
    return {home_.get(probabilities), home_.get(u)()};
  }

private:
  Home home_;
  bool full_precision_;
  there<learnt<tensor>> all_{};
  there<state> scored_{};
  there<tensor<float, 1, hidden>> written_{};
};

} // namespace char_lm

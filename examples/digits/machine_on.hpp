// SPDX-License-Identifier: BSL-1.0
// machine_on<Home>: a machine in terms of weft::jit. Whoever includes this compiles the programs.
// Needs: a Home of ../shared: cpu_home.hpp or device_home.hpp.
#pragma once

#include "machine.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

namespace digits {

using weft::jit; // unqualified below: a device's overload may be declared after this file

template <class Home> class machine_on final : public machine {
  template <class X> using there = typename Home::template type<X>;

public:
  template <class X>
  machine_on(options const& o, X const& home)
      : home_(home), full_precision_(o.precision == "f32") {}

  std::string name() const override { return home_.name(); }
  void put(learnt<tensor> const& all) override { all_ = home_.put(all); }
  learnt<tensor> get() const override { return home_.get(all_); }

  // Weights and moments are given away, so that the results take their memory.
  float train(training_scans const& scans, weft::key key, float rate) override {
    auto const run = [&]<class Program>(std::type_identity<Program>) {
      return jit<Program>(home_.executor(), std::move(all_.weights), std::move(all_.adam), scans,
                          key, rate);
    };
    there<tensor<float>> nats;
    std::tie(all_.weights, all_.adam, nats) = full_precision_
                                                  ? run(std::type_identity<train_f32>{})
                                                  : run(std::type_identity<train_bf16>{});
    return home_.get(nats)();
  }

  probabilities predict(held_out_scans const& scans) override {
    return home_.get(jit<predict_held_out>(home_.executor(), all_.weights, scans));
  }

private:
  Home home_;
  bool full_precision_;
  there<learnt<tensor>> all_{};
};

} // namespace digits

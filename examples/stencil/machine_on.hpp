// SPDX-License-Identifier: BSL-1.0
// machine_on<Home>: a machine in terms of weft::jit. Whoever includes this compiles the program.
// Needs: a Home of ../shared: cpu_home.hpp or device_home.hpp.
#pragma once

#include "machine.hpp"

#include <utility>

namespace stencil {

using weft::jit; // unqualified below: a device's overload may be declared after this file

template <class Home> class machine_on final : public machine {
public:
  template <class X> explicit machine_on(X const& home) : home_(home) {}

  std::string name() const override { return home_.name(); }
  void put(fields const& now) override { now_ = home_.put(now); }
  fields get() const override { return home_.get(now_); }
  void advance(int steps, float feed, float death) override {
    now_ = jit<advance_fields>(home_.executor(), std::move(now_), steps, feed, death);
  }

private:
  Home home_;
  typename Home::template type<fields> now_{};
};

} // namespace stencil

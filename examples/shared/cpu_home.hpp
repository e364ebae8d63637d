// SPDX-License-Identifier: BSL-1.0
// Where arrays stay and programs run: this CPU. device_home.hpp has the same members.
//   type<X>: what X is there    executor(): for jit    put(x), get(x): there and back    name()
#pragma once

#include <weft/cpu/pool.hpp>

#include <algorithm>
#include <string>
#include <thread>

namespace examples {

class cpu_home {
public:
  template <class X> using type = X;

  // 0: as many as the machine has.
  explicit cpu_home(int threads) : pool_(threads > 0 ? threads : threads_here()) {}

  std::string name() const { return std::to_string(pool_.threads()) + " threads"; }
  weft::cpu::pool& executor() { return pool_; }
  template <class X> X const& put(X const& x) const { return x; }
  template <class X> X const& get(X const& x) const { return x; }

private:
  static int threads_here() {
    return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
  }

  weft::cpu::pool pool_;
};

} // namespace examples

// SPDX-License-Identifier: BSL-1.0
// The programs on this CPU.
#include "machine_on.hpp"

#include <weft/cpu/pool.hpp>

#include <algorithm>
#include <thread>

namespace char_lm {
namespace {

class cpu_home {
public:
  template <class X> using type = X;

  explicit cpu_home(int threads) : pool_(threads) {}

  std::string name() const { return std::to_string(pool_.threads()) + " threads"; }
  weft::cpu::pool& executor() { return pool_; }
  template <class X> X const& put(X const& x) const { return x; }
  template <class X> X const& get(X const& x) const { return x; }

private:
  weft::cpu::pool pool_;
};

int thread_count(options const& o) {
  int const here = static_cast<int>(std::thread::hardware_concurrency());
  return o.threads > 0 ? o.threads : std::max(here, 1);
}

} // namespace

std::unique_ptr<machine> open_cpu(options const& o) {
  return std::make_unique<machine_on<cpu_home>>(o, thread_count(o));
}

} // namespace char_lm

// SPDX-License-Identifier: BSL-1.0
// Where arrays stay and programs run: an OpenCL device. The members are those of cpu_home.hpp.
#pragma once

#include <weft/opencl.hpp>

#include <string>

namespace examples {

class device_home {
public:
  template <class X> using type = weft::device_type<X>;

  // --device opencl, or opencl: and a number or a part of a name.
  explicit device_home(std::string const& option) : device_(which(option)) {}

  std::string name() const { return device_.info().name; }
  weft::opencl::device& executor() { return device_; }
  template <class X> type<X> put(X const& x) const { return weft::to_device(device_, x); }
  template <class X> weft::host_type<X> get(X const& x) const { return weft::to_host(x); }

private:
  static std::string which(std::string const& option) {
    std::size_t const colon = option.find(':');
    return colon == std::string::npos ? "0" : option.substr(colon + 1);
  }

  weft::opencl::device device_;
};

} // namespace examples

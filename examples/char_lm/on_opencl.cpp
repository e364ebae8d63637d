// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// The programs on an OpenCL device, where parameters, moments and states stay.
#include "machine_on.hpp"

#include <weft/opencl.hpp>

namespace char_lm {
namespace {

class device_home {
public:
  template <class X> using type = weft::device_type<X>;

  explicit device_home(std::string_view which) : device_(which) {}

  std::string name() const { return device_.info().name; }
  weft::opencl::device& executor() { return device_; }
  template <class X> type<X> put(X const& x) const { return weft::to_device(device_, x); }
  template <class X> weft::host_type<X> get(X const& x) const { return weft::to_host(x); }

private:
  weft::opencl::device device_;
};

// --device opencl, or opencl: and a number or a part of a name.
std::unique_ptr<machine> open(options const& o) {
  std::size_t const colon = o.device.find(':');
  std::string const which = colon == std::string::npos ? "0" : o.device.substr(colon + 1);
  return std::make_unique<machine_on<device_home>>(o, which);
}

[[maybe_unused]] bool const registered = (open_opencl = &open, true);

} // namespace
} // namespace char_lm

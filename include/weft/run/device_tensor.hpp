// SPDX-License-Identifier: BSL-1.0
// device_tensor<T, E...>: an array in the memory of an OpenCL device, with a tensor's element types
// and extents; device_key: a random key there. Structures of them are written as on the host:
// params<device_tensor>. Copies share memory that nobody writes again, so they behave like numbers.
//   opencl::device gpu("gpu");
//   auto p = to_device(gpu, params);                  // params<device_tensor>; numbers and keys, too
//   params<tensor> q = to_host(p);                    // waits for everything before it
//   auto copy = start_to_host(p);  ...  q = copy.wait();             // beside what the device runs
//   auto sent = start_to_device(gpu, x);  jit<f>(gpu, sent.arrays());
// Needs: CL/cl.h. Leaves: arrays outlive the `device` they came from; a default-made or moved-from
// one is on no device. Errors: usage_error for an array that is on no device.
#pragma once

#include <weft/array/access.hpp>
#include <weft/lang/structure.hpp>
#include <weft/opencl/device.hpp>
#include <weft/run/program.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace weft::inline v0 {

namespace detail {
// For donation: a moved array's memory.
struct device_access {
  template <class Array> static opencl::memory& memory(Array& a) { return a.memory_; }
};
} // namespace detail

template <class T, auto... E> class device_tensor {
  static_assert(weft::element<T>);
  using bound = detail::bound_shape<E...>;

public:
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static constexpr int rank = sizeof...(E);
  static constexpr extents pattern = shape_type::value; // names are negative

  device_tensor() = default;
  // Over memory that kernels of the caller's have filled, row-major, and that nobody writes again.
  device_tensor(opencl::memory m, extents const& numbers)
      : memory_(std::move(m)), shape_(bound::bind(numbers)) {
    weft::extent const bytes = size() * weft::extent{sizeof(T)};
    if (memory_.size() < bytes)
      raise<shape_error>(message("weft: device_tensor: shape ")
                             .add(numbers)
                             .add(" needs ")
                             .add(bytes)
                             .add(" bytes and the memory has ")
                             .add(memory_.size())
                             .add("; allocate as many"));
  }

  weft::extent size() const { return shape_.count(); }
  extents shape() const { return shape_.numbers(); }
  weft::extent extent(int axis) const { return shape_[plain_axis(axis, rank)]; }
  // For kernels of the caller's, which read it.
  opencl::memory const& memory() const { return memory_; }
  // A mistake: there is no element here.
  template <class... Index> T operator()(Index const&...) const {
    static_assert(sizeof...(Index) == std::size_t(-1),
                  "weft: device_tensor: its elements are on the device; write to_host(x)(i, j)");
    return {};
  }

private:
  friend struct detail::device_access;
  opencl::memory memory_;
  [[no_unique_address]] bound shape_;
};

class device_key {
public:
  device_key() = default;
  explicit device_key(opencl::memory m) : memory_(std::move(m)) {}
  static constexpr extents shape() { return weft::shape<2>::value; }
  opencl::memory const& memory() const { return memory_; }

private:
  friend struct detail::device_access;
  opencl::memory memory_; // both words
};

template <class T, auto... E> inline constexpr bool is_leaf<device_tensor<T, E...>> = true;
template <> inline constexpr bool is_leaf<device_key> = true;
template <class T, auto... E> inline constexpr bool is_elsewhere<device_tensor<T, E...>> = true;
template <> inline constexpr bool is_elsewhere<device_key> = true;

// Mistakes: arithmetic on a device is that of a recorded function.
namespace detail {
template <class A, class B>
concept on_a_device = (is_elsewhere<A> || is_elsewhere<B>)&&!traced_call<A, B>;
template <class A, class B> none_t refuse_arithmetic() {
  constexpr bool here = !(is_elsewhere<A> || is_elsewhere<B>);
  static_assert(here,
                "weft: an operand is on a device; compute in a recorded function, jit<f>(device, "
                "...), or write to_host(x)");
  return none;
}
} // namespace detail
template <class A, class B>
  requires detail::on_a_device<A, B>
none_t operator+(A const&, B const&) {
  return detail::refuse_arithmetic<A, B>();
}
template <class A, class B>
  requires detail::on_a_device<A, B>
none_t operator-(A const&, B const&) {
  return detail::refuse_arithmetic<A, B>();
}
template <class A, class B>
  requires detail::on_a_device<A, B>
none_t operator*(A const&, B const&) {
  return detail::refuse_arithmetic<A, B>();
}
template <class A, class B>
  requires detail::on_a_device<A, B>
none_t operator/(A const&, B const&) {
  return detail::refuse_arithmetic<A, B>();
}

namespace detail {

template <> struct rebound<key, device_tensor> {
  using type = device_key;
};
template <> struct rebound<device_key, tensor> {
  using type = key;
};
template <> struct rebound<device_key, traced> {
  using type = traced_key<>;
};
template <number_literal X> struct rebound<X, device_tensor> {
  using type = device_tensor<element_of<X>>;
};

} // namespace detail

// What X is on the host, with its expressions evaluated, and on a device.
template <class X> using host_type = rebind<argument_t<X>, tensor>;
template <class X> using device_type = rebind<host_type<X>, device_tensor>;

namespace detail {

// f(elements, bytes, shape) of a leaf in the host's memory.
template <class T, auto... E, class F> void with_elements(tensor<T, E...> const& t, F const& f) {
  f(t.data(), t.size() * extent{sizeof(T)}, t.shape());
}
template <class F> void with_elements(key const& k, F const& f) {
  f(&k.high, extent{8}, shape<2>::value);
}
template <number_literal X, class F> void with_elements(X x, F const& f) {
  auto const element = static_cast<element_of<X>>(x);
  f(&element, extent{sizeof(element)}, extents{});
}
// Up to so many bytes go with a command of their own, which takes them at once (device::put).
inline constexpr extent few_bytes = 64;

// Elements of a leaf to be written.
template <class T, auto... E> void* elements_to_fill(tensor<T, E...>& t, extents const& numbers) {
  t = tensor<T, E...>::uninitialised(numbers);
  return t.size() == 0 ? nullptr : writable(t);
}
inline void* elements_to_fill(key& k, extents const&) { return &k.high; }

template <class Leaf> Leaf over_memory(opencl::memory m, extents const& numbers) {
  if constexpr (std::is_same_v<Leaf, device_key>) return Leaf(std::move(m));
  else return Leaf(std::move(m), numbers);
}
inline opencl::memory const& memory_of(opencl::memory const& m) {
  if (m.empty())
    raise<usage_error>(
        "weft: device_tensor: the array is on no device (default-made or moved from); make it with "
        "to_device");
  return m;
}

// The arrays as the host's types: expressions evaluated, borrowed arrays copied.
template <class X> decltype(auto) settled(X const& x) {
  if constexpr (std::is_same_v<argument_t<X>, X>) return (x);
  else return argument_t<X>(x);
}

// enqueue(memory, from, bytes) per larger leaf on the host; what is on the device stays as it is.
template <class X, class Write>
device_type<X> written_to(opencl::device on, X const& x, Write const& enqueue) {
  device_type<X> result{};
  for_each_leaf(x, result, [&](auto const& from, auto& to) {
    using leaf = std::remove_cvref_t<decltype(to)>;
    if constexpr (is_elsewhere<std::remove_cvref_t<decltype(from)>>) {
      if (!on.owns(memory_of(from.memory())))
        raise<usage_error>("weft: to_device: the array is on another opened device; write "
                           "to_device(device, to_host(x))");
      to = from;
    } else
      with_elements(from, [&](void const* elements, extent bytes, extents const& numbers) {
        opencl::memory m = on.allocate(bytes);
        if (bytes <= few_bytes) on.put(m, 0, elements, bytes);
        else enqueue(m, elements, bytes);
        to = over_memory<leaf>(std::move(m), numbers);
      });
  });
  return result;
}
// enqueue(memory, to, bytes) per leaf on a device.
template <class X, class Read> void read_from(X const& x, host_type<X>& to, Read const& enqueue) {
  for_each_leaf(x, to, [&](auto const& from, auto& result) {
    using leaf = std::remove_cvref_t<decltype(result)>;
    if constexpr (is_elsewhere<std::remove_cvref_t<decltype(from)>>) {
      opencl::memory const& m = memory_of(from.memory());
      void* const elements = elements_to_fill(result, from.shape());
      with_elements(
          result, [&](void const*, extent bytes, extents const&) { enqueue(m, elements, bytes); });
    } else result = leaf(from);
  });
}

} // namespace detail

// Copies to the device. Arrays that are there already are shared.
template <class X> device_type<X> to_device(opencl::device on, X const& x) {
  return detail::written_to(on, detail::settled(x),
                            [&](opencl::memory const& m, void const* from, extent bytes) {
                              on.write(m, 0, from, bytes);
                            });
}
// Copies to the host, when all that was asked of the device before is done.
template <class X> host_type<X> to_host(X const& x) {
  host_type<X> result{};
  std::vector<opencl::transfer> all;
  detail::read_from(x, result, [&](opencl::memory const& m, void* to, extent bytes) {
    all.push_back(opencl::start_read(m, 0, to, bytes));
  });
  for (opencl::transfer& t : all) t.wait();
  return result;
}

// Copies under way; destroyed, they are waited for.
template <class Host> class [[nodiscard]] host_copy {
public:
  template <class X> explicit host_copy(X const& x) : host_(std::make_unique<Host>()) {
    detail::read_from(x, *host_, [&](opencl::memory const& m, void* to, extent bytes) {
      transfers_.push_back(opencl::start_read(m, 0, to, bytes));
    });
  }
  host_copy(host_copy&&) noexcept = default;
  host_copy& operator=(host_copy&&) = delete;
  // What was copied, once.
  Host wait() {
    for (opencl::transfer& t : transfers_) t.wait();
    return std::move(*host_);
  }

private:
  std::unique_ptr<Host> host_; // first: transfers end before it does
  std::vector<opencl::transfer> transfers_;
};
template <class Host> class [[nodiscard]] device_copy {
public:
  template <class X>
  device_copy(opencl::device on, X const& x)
      : host_(std::make_unique<Host>(x)),
        arrays_(detail::written_to(on, *host_, [&](auto const& m, void const* from, extent bytes) {
          transfers_.push_back(on.start_write(m, 0, from, bytes));
        })) {}
  device_copy(device_copy&&) noexcept = default;
  device_copy& operator=(device_copy&&) = delete;
  // For calls at once: they run when the copy is there.
  device_type<Host> const& arrays() const { return arrays_; }
  void wait() {
    for (opencl::transfer& t : transfers_) t.wait();
  }

private:
  std::unique_ptr<Host const> host_;
  std::vector<opencl::transfer> transfers_;
  device_type<Host> arrays_;
};
template <class X> host_copy<host_type<X>> start_to_host(X const& x) {
  return host_copy<host_type<X>>(x);
}
template <class X> device_copy<argument_t<X>> start_to_device(opencl::device on, X const& x) {
  return {on, x};
}

} // namespace weft::inline v0

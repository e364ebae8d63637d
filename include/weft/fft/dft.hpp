// SPDX-License-Identifier: BSL-1.0
// Discrete Fourier transforms along one axis, of any length, by Eigen's FFT (kissfft).
//   auto [re, im] = fft::fft(x, y);               // sum over t of (x + i y)[t] exp(-2 pi i k t / n)
//   auto [u, v] = fft::ifft(re, im);              // and back: with + and 1 / n
//   auto [a, b] = fft::rfft(x);                   // of real x: the first n / 2 + 1
//   auto z = fft::irfft<5>(a, b);                 // and back; n is 2 (m - 1) where it is not said
//   fft::fft<fft::norm::ortho, 0>(x, y);          // the factors, the axis; irfft<5, norm, axis>
// Complex arrays are two real ones, of one shape: float or double, any other axes, which are a batch.
// norm (NumPy's): backward: 1 / n on the way back; forward: on the way there; ortho: 1 / sqrt(n) on
// both. As NumPy's, irfft ignores the imaginary parts of the first and, where n is even, of the last.
// Needs: linalg/call.hpp, Eigen's unsupported FFT. Leaves: derivatives of any order, both modes. A line
// with an element that is not finite gives NaN in all of it. O(n log n) for n of small primes; a prime
// p of n costs p n. A thread keeps the factors of every length that it has met.
// Errors: types or shapes that differ; rfft and irfft along a named axis; another number of elements
// than n / 2 + 1.
#pragma once

#include <weft/lang/joining.hpp>
#include <weft/linalg/call.hpp>

#include <unsupported/Eigen/FFT>

#include <cmath>
#include <complex>
#include <vector>

namespace weft::inline v0 {
namespace fft {

enum class norm : std::uint8_t { backward, ortho, forward };

} // namespace fft
namespace detail {

enum class dft_scale : std::uint8_t { one, by_count, by_root };
constexpr dft_scale scale_of(fft::norm n, bool inverse) {
  if (n == fft::norm::ortho) return dft_scale::by_root;
  return (n == fft::norm::backward) == inverse ? dft_scale::by_count : dft_scale::one;
}

// With its factor, 1, 1 / n or 1 / sqrt(n): it is a part of what an exported call means.
constexpr char const* dft_name(bool inverse, dft_scale scale) {
  constexpr char const* names[] = {
      "weft.fft.dft",         "weft.fft.dft.by_count",         "weft.fft.dft.by_root",
      "weft.fft.inverse_dft", "weft.fft.inverse_dft.by_count", "weft.fft.inverse_dft.by_root"};
  return names[(inverse ? 3 : 0) + static_cast<int>(scale)];
}
template <bool Inverse, dft_scale Scale> struct host_dft {
  static constexpr auto name = dft_name(Inverse, Scale);
  template <class T, auto N>
  static std::pair<tensor<T, N>, tensor<T, N>> result(tensor<T, N>, tensor<T, N>);
  static void run(auto re, auto im, auto out_re, auto out_im) {
    using T = typename decltype(re)::element_type;
    extent const n = re.size();
    if (n == 0) return;
    std::vector<std::complex<T>> in(static_cast<std::size_t>(n)), out(in.size());
    bool finite = true;
    for (extent i = 0; i < n; ++i) {
      in[static_cast<std::size_t>(i)] = {re.data()[i], im.data()[i]};
      finite &= std::isfinite(re.data()[i]) && std::isfinite(im.data()[i]);
    }
    if (!finite) return write_nan(out_re), write_nan(out_im);
    if (n == 1) { // which kissfft does not take
      out_re(0) = re(0);
      out_im(0) = im(0);
      return;
    }
    thread_local Eigen::FFT<T> transform(typename Eigen::FFT<T>::impl_type(),
                                         Eigen::FFT<T>::Unscaled);
    if constexpr (Inverse) transform.inv(out.data(), in.data(), n);
    else transform.fwd(out.data(), in.data(), n);
    T const count = static_cast<T>(n);
    T const by = Scale == dft_scale::one        ? T(1)
                 : Scale == dft_scale::by_count ? 1 / count
                                                : 1 / std::sqrt(count);
    for (extent i = 0; i < n; ++i) {
      out_re.data()[i] = by * out[static_cast<std::size_t>(i)].real();
      out_im.data()[i] = by * out[static_cast<std::size_t>(i)].imag();
    }
  }
  // Its conjugate transpose has the other sign and the same factor.
  static constexpr auto vjp(auto, auto, auto, auto ct) {
    auto const d = call_on_items<host_dft<!Inverse, Scale>, 1>(ct.first, ct.second);
    return std::tuple(d.first, d.second);
  }
  static constexpr auto jvp(auto, auto, auto, auto d_re, auto d_im) {
    return call_on_items<host_dft, 1>(d_re, d_im);
  }
};

template <class X> consteval bool check_transformed() {
  constexpr bool typed = element_of_linalg<typename X::element_type>;
  static_assert(typed, "weft: fft: not float or double; write convert<float>(x)");
  return typed;
}
template <class A, class B> concept same_array_type = std::is_same_v<A, B>;
template <int Axis, class A, class B> consteval bool check_parts() {
  constexpr bool same = same_array_type<A, B>;
  static_assert(same,
                "weft: fft: the real and the imaginary parts differ in shape or element type");
  if constexpr (!same) return false;
  else return check_transformed<A>() && check_axes<typename A::shape_type, Axis>();
}
template <class S, int Axis>
concept axis_has_a_number = !is_named(S::value[plain_axis(Axis, S::rank)]);
template <class S, int Axis> consteval bool check_counted_axis() {
  constexpr bool counted = axis_has_a_number<S, Axis>;
  static_assert(counted, "weft: fft: the axis has a name, and half of a name is none; give it a "
                         "number, or use fft");
  return counted;
}
template <int Parts, int N> concept are_half_and_one = N >= 1 && Parts == N / 2 + 1;

template <bool Inverse, fft::norm Norm, int Axis, class A>
constexpr std::pair<A, A> record_dft(A const& re, A const& im) {
  constexpr int last = A::shape_type::rank - 1, axis = plain_axis(Axis, A::shape_type::rank);
  constexpr extents swapped = [] {
    extents s = A::shape_type::value;
    s[axis] = A::shape_type::value[last];
    s[last] = A::shape_type::value[axis];
    return s;
  }();
  using swapped_array = traced_of<typename A::element_type, swapped>;
  auto const y = call_on_items<host_dft<Inverse, scale_of(Norm, Inverse)>, 1>(
      swapped_array{with_axes_swapped(re.value, axis, last)},
      swapped_array{with_axes_swapped(im.value, axis, last)});
  return {A{with_axes_swapped(y.first.value, axis, last)},
          A{with_axes_swapped(y.second.value, axis, last)}};
}
template <bool Inverse, fft::norm Norm, int Axis> struct dft_object {
  template <class A, class B> static constexpr auto record(A const& re, B const& im) {
    if constexpr (check_parts<Axis, A, B>()) return record_dft<Inverse, Norm, Axis>(re, im);
    else return std::pair(re, re); // after the error
  }
  constexpr auto operator()(auto const& re, auto const& im) const { return record(re, im); }
};
template <fft::norm Norm, int Axis> struct rfft_object {
  template <class A> static constexpr auto record(A const& x) {
    using S = typename A::shape_type;
    if constexpr (!check_parts<Axis, A, A>()) return std::pair(x, x);
    else if constexpr (!check_counted_axis<S, Axis>()) return std::pair(x, x);
    else {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extent n = S::value[axis], half = n == 0 ? 0 : n / 2 + 1;
      using part = traced_of<typename A::element_type, with_extent(S::value, axis, half)>;
      auto const y = record_dft<false, Norm, Axis>(x, weft::zeros_like(x));
      return std::pair(part{slice_axis(y.first.value, axis, 0, half)},
                       part{slice_axis(y.second.value, axis, 0, half)});
    }
  }
  constexpr auto operator()(auto const& x) const { return record(x); }
};
template <int N, fft::norm Norm, int Axis> struct irfft_object {
  template <class A, class B> static constexpr auto record(A const& re, B const& im) {
    using S = typename A::shape_type;
    if constexpr (!check_parts<Axis, A, B>()) return re;
    else if constexpr (!check_counted_axis<S, Axis>()) return re;
    else return of_parts<plain_axis(Axis, S::rank)>(re, im);
  }
  template <int At, class A> static constexpr auto of_parts(A const& re, A const& im) {
    constexpr extents s = A::shape_type::value;
    constexpr int parts = static_cast<int>(s[At]), n = N < 0 ? 2 * (parts - 1) : N;
    constexpr bool right = are_half_and_one<parts, n>;
    static_assert(right, "weft: fft: irfft of n elements takes n / 2 + 1; write irfft<n>(re, im)");
    if constexpr (!right) return re;
    else {
      using whole = traced_of<typename A::element_type, with_extent(s, At, n)>;
      return record_dft<true, Norm, At>(whole{mirrored(re.value, At, n, false)},
                                        whole{mirrored(im.value, At, n, true)})
          .first;
    }
  }
  // Behind the elements that are there, those of the conjugate, the last first.
  static constexpr handle mirrored(handle h, int axis, extent n, bool negated) {
    extent const behind = n - h.shape()[axis];
    if (behind == 0) return h;
    handle const tail = reverse(slice_axis(h, axis, 1, behind), extent{1} << axis);
    handle const both[] = {h, negated ? -tail : tail};
    return concat({both, 2}, axis);
  }
  constexpr auto operator()(auto const& re, auto const& im) const { return record(re, im); }
};

} // namespace detail

namespace fft {

// pair(re, im) of the operand's shape.
template <norm Norm = norm::backward, int Axis = -1, any_array A, any_array B>
constexpr auto fft(A const& re, B const& im) {
  using object = weft::detail::dft_object<false, Norm, Axis>;
  if constexpr ((traced_structure<A> || traced_structure<B>)) {
    recorder& r = weft::detail::recorder_in(re, im).innermost();
    return object::record(weft::detail::as_traced(r, re), weft::detail::as_traced(r, im));
  } else return weft::detail::run_transformed(object{}, re, im);
}
template <norm Norm = norm::backward, int Axis = -1, any_array A, any_array B>
constexpr auto ifft(A const& re, B const& im) {
  using object = weft::detail::dft_object<true, Norm, Axis>;
  if constexpr ((traced_structure<A> || traced_structure<B>)) {
    recorder& r = weft::detail::recorder_in(re, im).innermost();
    return object::record(weft::detail::as_traced(r, re), weft::detail::as_traced(r, im));
  } else return weft::detail::run_transformed(object{}, re, im);
}
// pair(re, im) of n / 2 + 1 along the axis.
template <norm Norm = norm::backward, int Axis = -1, any_array A> constexpr auto rfft(A const& x) {
  using object = weft::detail::rfft_object<Norm, Axis>;
  if constexpr (traced_array<A>) return object::record(x);
  else return weft::detail::run_transformed(object{}, x);
}
// The n real numbers whose rfft this is.
template <int N = -1, norm Norm = norm::backward, int Axis = -1, any_array A, any_array B>
constexpr auto irfft(A const& re, B const& im) {
  using object = weft::detail::irfft_object<N, Norm, Axis>;
  if constexpr ((traced_structure<A> || traced_structure<B>)) {
    recorder& r = weft::detail::recorder_in(re, im).innermost();
    return object::record(weft::detail::as_traced(r, re), weft::detail::as_traced(r, im));
  } else return weft::detail::run_transformed(object{}, re, im);
}

} // namespace fft
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// What tests/array/dlpack_numpy.py loads: arrays that NumPy takes over, and arrays of NumPy's that
// are taken over here. A function that throws leaves its text, and what it was given to its owner.
#include <weft/dlpack.hpp>

#include <string>

namespace {

using weft::sym, weft::tensor;

constexpr sym rows{"rows"};
constexpr sym columns{"columns"};
std::string text;
tensor<float, rows, 3> kept(4);

// 0, 2, 2, 4, 4, ... of any type.
template <class T> DLManagedTensor* numbers() {
  tensor<T, 2, 5, 3> x;
  auto view = x.mutate();
  for (int i = 0; i < 30; ++i) view.data()[i] = static_cast<T>(i % 2 == 0 ? i : i + 1);
  return weft::to_dlpack(std::move(x));
}
// The sum of what has the type T, each element times its place, so that a swapped axis is seen.
template <class T> double weighed(DLManagedTensor* m) {
  auto const x = weft::from_dlpack<T, rows, columns>(m);
  double sum = 0;
  for (weft::extent i = 0; i < x.view().extent(0); ++i)
    for (weft::extent j = 0; j < x.view().extent(1); ++j)
      if constexpr (weft::dtype_of<T> == weft::dtype::f16)
        sum += double{static_cast<float>(x.view()(i, j))} * static_cast<double>(10 * i + j + 1);
      else sum += static_cast<double>(x.view()(i, j)) * static_cast<double>(10 * i + j + 1);
  return sum;
}

} // namespace

extern "C" {
DLManagedTensor* lend_f32() { return numbers<float>(); }
DLManagedTensor* lend_f64() { return numbers<double>(); }
DLManagedTensor* lend_f16() { return numbers<weft::f16>(); }
DLManagedTensor* lend_i8() { return numbers<std::int8_t>(); }
DLManagedTensor* lend_i64() { return numbers<std::int64_t>(); }
DLManagedTensor* lend_u16() { return numbers<std::uint16_t>(); }
DLManagedTensor* lend_kept() { return weft::to_dlpack(kept); }
void* address_of_kept() { return const_cast<float*>(kept.data()); }
void write_kept(float value) { kept.mutate()(3, 2) = value; }

double weigh(DLManagedTensor* m) try {
  text.clear();
  DLDataType const type = m->dl_tensor.dtype;
  if (type.code == kDLFloat && type.bits == 64) return weighed<double>(m);
  if (type.code == kDLFloat && type.bits == 16) return weighed<weft::f16>(m);
  if (type.code == kDLInt) return weighed<std::int32_t>(m);
  return weighed<float>(m);
} catch (weft::error const& e) {
  text = e.what();
  return -1;
}
char const* last_error() { return text.c_str(); }
}

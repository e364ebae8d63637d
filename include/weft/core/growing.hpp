// SPDX-License-Identifier: BSL-1.0
// growing<T>: an array that grows, usable in constant evaluation; view<T>: pointer and length.
// Needs: T default-constructible and copyable. Leaves: indices are int, no exception is thrown by
// growing itself. Why not std::vector: libstdc++ 12 under clang 16 rejects resize/assign in
// constant evaluation (writes outside an object's lifetime). Why not std::move, std::swap: every
// source that includes weft instantiates this class for forty types, and their traits with it.
#pragma once

#include <weft/core/config.hpp>

namespace weft::inline v0 {

namespace detail {
// std::swap without its traits, for pointers and small values.
template <class T> constexpr void swap_values(T& a, T& b) {
  T const old = a;
  a = b;
  b = old;
}
} // namespace detail

// What a reader of a graph takes: cheap to copy, never owns.
template <class T> struct view {
  T const* first = nullptr;
  int length = 0;

  constexpr int size() const { return length; }
  constexpr bool empty() const { return length == 0; }
  constexpr T const& operator[](int i) const { return first[i]; }
  constexpr T const* begin() const { return first; }
  constexpr T const* end() const { return first + length; }
  constexpr T const& back() const { return first[length - 1]; }
  // Elements [from, from + count).
  constexpr view part(int from, int count) const { return {first + from, count}; }

  friend constexpr bool operator==(view a, view b) {
    if (a.length != b.length) return false;
    for (int i = 0; i < a.length; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }
};

template <class T> class growing {
public:
  constexpr growing() = default;
  constexpr explicit growing(int count, T const& value = T{}) { assign(count, value); }
  constexpr growing(view<T> other) {
    reserve(other.size());
    for (T const& x : other) push(x);
  }
  constexpr growing(growing const& other) : growing(view<T>(other)) {}
  constexpr growing(growing&& other) noexcept { trade_with(other); }
  constexpr growing& operator=(growing other) noexcept {
    trade_with(other);
    return *this;
  }
  constexpr ~growing() { delete[] data_; }

  constexpr operator view<T>() const { return {data_, size_}; }
  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* data() { return data_; }
  constexpr T const* data() const { return data_; }
  constexpr T& operator[](int i) { return data_[i]; }
  constexpr T const& operator[](int i) const { return data_[i]; }
  constexpr T& back() { return data_[size_ - 1]; }
  constexpr T const& back() const { return data_[size_ - 1]; }
  constexpr T* begin() { return data_; }
  constexpr T* end() { return data_ + size_; }
  constexpr T const* begin() const { return data_; }
  constexpr T const* end() const { return data_ + size_; }
  // Elements [from, from + count): valid until the array grows.
  constexpr view<T> part(int from, int count) const { return {data_ + from, count}; }

  constexpr void reserve(int count) {
    if (count > capacity_) move_to_larger(count);
  }
  // By value: `a.push(a[0])` must survive the growth.
  constexpr void push(T value) {
    if (size_ == capacity_) reserve(capacity_ ? 2 * capacity_ : 8);
    data_[size_++] = static_cast<T&&>(value);
  }
  constexpr void append(view<T> more) {
    int const wanted = size_ + more.length;
    if (wanted > capacity_) {
      growing larger; // `more` may be a part of this array: it is copied before elements move
      larger.reserve(wanted > 2 * capacity_ ? wanted : 2 * capacity_);
      for (int i = 0; i < more.length; ++i) larger.data_[size_ + i] = more.first[i];
      for (int i = 0; i < size_; ++i) larger.data_[i] = static_cast<T&&>(data_[i]);
      larger.size_ = wanted;
      trade_with(larger);
    } else {
      for (int i = 0; i < more.length; ++i) data_[size_ + i] = more.first[i];
      size_ = wanted;
    }
  }
  constexpr void pop() { --size_; }
  constexpr void resize(int count) {
    reserve(count);
    for (int i = size_; i < count; ++i) data_[i] = T{};
    size_ = count;
  }
  // By value, as push.
  constexpr void assign(int count, T value) {
    reserve(count);
    size_ = count;
    for (int i = 0; i < count; ++i) data_[i] = value;
  }
  constexpr void clear() { size_ = 0; }

private:
  constexpr void trade_with(growing& other) {
    T* const data = data_;
    int const size = size_, capacity = capacity_;
    data_ = other.data_, size_ = other.size_, capacity_ = other.capacity_;
    other.data_ = data, other.size_ = size, other.capacity_ = capacity;
  }
  // Out of line: a push is compiled in hundreds of places.
  WEFT_NOINLINE constexpr void move_to_larger(int count) {
    T* larger = new T[static_cast<unsigned>(count)]{};
    for (int i = 0; i < size_; ++i) larger[i] = static_cast<T&&>(data_[i]);
    delete[] data_;
    data_ = larger;
    capacity_ = count;
  }

  T* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

} // namespace weft::inline v0

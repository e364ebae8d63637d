// SPDX-License-Identifier: BSL-1.0
// c_program: a compiled program whose arguments and results are pointers in order of the leaves:
// what the functions of weft/c_api.hpp call.
//   c_program<compiled<gain, tensor<float, 64>>> p;
//   if (p.run(inputs, outputs, nullptr) != 0) puts(p.error());
// Needs: c_arrays.hpp. Leaves: every error as a text in the object; the arguments' tensors, made once
// for their extents, are written over by each run.
#pragma once

#include <weft/run/c_arrays.hpp>
#include <weft/run/leaf_memory.hpp>

#include <exception>
#include <new>
#include <tuple>

namespace weft::inline v0 {
namespace detail {

template <class Compiled> class c_program {
  using program = program_in<Compiled>;
  template <class... Arg> static std::tuple<Arg...> empty(type_list<Arg...>) {
    return {make_like<Arg>([]<class Leaf>(std::type_identity<Leaf>) {
      if constexpr (std::is_same_v<Leaf, key>) return key::of_words(0, 0);
      else return Leaf{};
    })...};
  }
  using argument_tuple = decltype(empty(typename program::arguments{}));

public:
  int run(void const* const* inputs, void* const* outputs, extent const* numbers) noexcept {
    error_[0] = '\0';
#if WEFT_EXCEPTIONS
    try {
      call(inputs, outputs, numbers);
    } catch (std::exception const& e) {
      return fails(e.what());
    } catch (...) {
      return fails("weft: an exception of an unknown type");
    }
#else
    call(inputs, outputs, numbers);
#endif
    return 0;
  }
  void const* output(int number, extent* shape) const noexcept {
    void const* found = nullptr;
    int at = 0;
    if (result_ != nullptr)
      for_each_leaf(*result_, [&](auto& leaf) {
        if (at++ != number) return;
        found = data_of(leaf);
        extents const s = shape_of(leaf);
        for (int i = 0; shape != nullptr && i < s.rank; ++i) shape[i] = s[i];
      });
    return found;
  }
  char const* error() const noexcept { return error_; }

private:
  int fails(char const* text) noexcept {
    std::size_t const size = std::min(std::strlen(text), sizeof error_ - 1);
    std::memcpy(error_, text, size);
    error_[size] = '\0';
    return 1;
  }
  template <class Leaf> static extents shape_of(Leaf const& leaf) {
    if constexpr (requires { leaf.shape(); }) return leaf.shape();
    else return c_leaf<Leaf>::pattern;
  }

  void call(void const* const* inputs, void* const* outputs, extent const* numbers) {
    result_ = nullptr; // valid until this call
    if constexpr (c_names_in<Compiled>.count > 0) bind(numbers);
    std::apply(
        [&](auto&... arg) {
          int at = 0;
          (for_each_leaf(arg, [&](auto& leaf) { read(leaf, inputs, at++); }), ...);
          result_ = &program_(std::as_const(arg)...);
        },
        arguments_);
    int at = 0;
    for_each_leaf(*result_, [&](auto& leaf) {
      void* const to = outputs == nullptr ? nullptr : outputs[at];
      ++at;
      if (to != nullptr && bytes_of_leaf(leaf) > 0)
        std::memcpy(to, data_of(leaf), bytes_of_leaf(leaf));
    });
  }
  // Tensors of the extents that this call gives.
  void bind(extent const* numbers) {
    if (numbers == nullptr)
      raise<usage_error>(message("weft: c_api: there are no extents; give one for each name"));
    auto const one = [&](auto& leaf) {
      using Leaf = std::remove_cvref_t<decltype(leaf)>;
      if constexpr (requires { Leaf::uninitialised(extents{}); }) {
        extents shape = Leaf::pattern;
        for (int i = 0; i < shape.rank; ++i)
          if (is_named(shape[i])) shape[i] = numbers[c_names_in<Compiled>.place(shape[i])];
        if (!(leaf.shape() == shape)) leaf = Leaf::uninitialised(shape);
      }
    };
    std::apply([&](auto&... arg) { (for_each_leaf(arg, one), ...); }, arguments_);
  }
  // A byte that is neither 0 nor 1 is no bool here: some would read it as true, some its lowest bit.
  template <class Leaf>
  static void read_bools(Leaf& leaf, unsigned char const* from, std::size_t count, int at) {
    for (std::size_t i = 0; i < count; ++i)
      if (from[i] > 1)
        raise<usage_error>(message("weft: c_api: input ")
                               .add(at)
                               .add(" has a bool of ")
                               .add(extent{from[i]})
                               .add("; it is 0 or 1"));
    if constexpr (requires { leaf.data(); })
      std::memcpy(static_cast<void*>(writable(leaf)), from, count);
    else leaf = *from != 0;
  }
  template <class Leaf> static void read(Leaf& leaf, void const* const* inputs, int at) {
    std::size_t const bytes = bytes_of_leaf(leaf);
    if (bytes == 0) return;
    if (inputs == nullptr || inputs[at] == nullptr)
      raise<usage_error>(message("weft: c_api: input ").add(at).add(" is null; give its elements"));
    if constexpr (std::is_same_v<Leaf, key>) {
      std::uint32_t words[2];
      std::memcpy(words, inputs[at], sizeof words);
      leaf = key::of_words(words[0], words[1]);
    } else if constexpr (c_leaf<Leaf>::type == dtype::boolean) {
      read_bools(leaf, static_cast<unsigned char const*>(inputs[at]), bytes, at);
    } else if constexpr (requires { leaf.data(); }) {
      std::memcpy(static_cast<void*>(writable(leaf)), inputs[at], bytes);
    } else std::memcpy(&leaf, inputs[at], bytes);
  }

  Compiled program_;
  argument_tuple arguments_ = empty(typename program::arguments{});
  typename program::result_type const* result_ = nullptr;
  char error_[512] = "";
};

template <class Compiled> c_program<Compiled>* c_create() noexcept {
#if WEFT_EXCEPTIONS
  try {
    return new c_program<Compiled>();
  } catch (...) {
    return nullptr;
  }
#else
  return new (std::nothrow) c_program<Compiled>();
#endif
}

} // namespace detail
} // namespace weft::inline v0

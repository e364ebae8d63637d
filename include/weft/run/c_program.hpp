// SPDX-License-Identifier: BSL-1.0
// c_program: a compiled program whose arguments and results are pointers in order of the leaves:
// what the functions of weft/c_api.hpp call.
// Needs: compiled<...> or compiled_program<...>. Leaves: every error as a text in the object; the
// arguments' tensors, made once for their extents, are written over by each run.
#pragma once

#include <weft/array/field_names.hpp>
#include <weft/run/compiled.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <tuple>
#include <vector>

namespace weft::inline v0 {

// One array of a program, as C sees it (weft_c_array of the header).
struct c_array {
  char const* name;
  char const* dtype;
  char const* c_type;
  std::int32_t rank;
  std::int64_t shape[8];
  char const* extents[8];
};

namespace detail {

template <class P, class T> P program_behind(compiled_program<P, T> const&);
template <class Compiled>
using program_in = decltype(program_behind(std::declval<Compiled const&>()));

// A leaf as C sees it: a tensor's type and pattern, a number's, a key's two words.
template <class Leaf> struct c_leaf;
template <class T, auto... E> struct c_leaf<tensor<T, E...>> {
  static constexpr dtype type = dtype_of<T>;
  static constexpr extents pattern = tensor<T, E...>::pattern;
};
template <element T> struct c_leaf<T> {
  static constexpr dtype type = dtype_of<T>;
  static constexpr extents pattern{};
};
template <> struct c_leaf<key> {
  static constexpr dtype type = dtype::u32;
  static constexpr extents pattern{1, {2}};
};

// The names among the extents of all arguments, in order of first appearance.
struct c_names {
  extent name[64]{};
  int count = 0;

  constexpr int place(extent e) const {
    for (int i = 0; i < count; ++i)
      if (name[i] == e) return i;
    return -1;
  }
  constexpr void add(extents const& pattern) {
    for (int i = 0; i < pattern.rank; ++i)
      if (is_named(pattern[i]) && place(pattern[i]) < 0) name[count++] = pattern[i];
  }
};
template <class... Leaf> constexpr void add_c_names(c_names& names, type_list<Leaf...>) {
  (names.add(c_leaf<Leaf>::pattern), ...);
}
template <class... Arg> constexpr c_names c_names_of(type_list<Arg...>) {
  c_names names;
  (add_c_names(names, leaves_of<Arg>{}), ...);
  return names;
}

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
  static constexpr c_names names = c_names_of(typename program::arguments{});

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
  template <class Leaf> static void const* data_of(Leaf const& leaf) {
    if constexpr (requires { leaf.data(); }) return leaf.data();
    else return &leaf; // a number, or a key, whose two words are its value
  }
  template <class Leaf> static extents shape_of(Leaf const& leaf) {
    if constexpr (requires { leaf.shape(); }) return leaf.shape();
    else return c_leaf<Leaf>::pattern;
  }
  template <class Leaf> static std::size_t bytes_of(Leaf const& leaf) {
    return static_cast<std::size_t>(count_of(shape_of(leaf)) * size_of(c_leaf<Leaf>::type));
  }

  void call(void const* const* inputs, void* const* outputs, extent const* numbers) {
    result_ = nullptr; // valid until this call
    if constexpr (names.count > 0) bind(numbers);
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
      if (to != nullptr && bytes_of(leaf) > 0) std::memcpy(to, data_of(leaf), bytes_of(leaf));
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
          if (is_named(shape[i])) shape[i] = numbers[names.place(shape[i])];
        if (!(leaf.shape() == shape)) leaf = Leaf::uninitialised(shape);
      }
    };
    std::apply([&](auto&... arg) { (for_each_leaf(arg, one), ...); }, arguments_);
  }
  template <class Leaf> static void read(Leaf& leaf, void const* const* inputs, int at) {
    std::size_t const bytes = bytes_of(leaf);
    if (bytes == 0) return;
    if (inputs == nullptr || inputs[at] == nullptr)
      raise<usage_error>(message("weft: c_api: input ").add(at).add(" is null; give its elements"));
    if constexpr (std::is_same_v<Leaf, key>) {
      std::uint32_t words[2];
      std::memcpy(words, inputs[at], sizeof words);
      leaf = key::of_words(words[0], words[1]);
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

// ---- what it takes and gives, by name
inline char const* c_dtype(dtype d) {
  char const* const types[dtype_count] = {"float32", "int32",   "uint32", "bool",  "bfloat16",
                                          "float16", "float64", "int8",   "int16", "int64",
                                          "uint8",   "uint16",  "uint64"};
  return types[static_cast<int>(d)];
}
inline char const* c_type(dtype d) {
  char const* const types[dtype_count] = {"float",    "int32_t",  "uint32_t", "bool",    "uint16_t",
                                          "uint16_t", "double",   "int8_t",   "int16_t", "int64_t",
                                          "uint8_t",  "uint16_t", "uint64_t"};
  return types[static_cast<int>(d)];
}
// Texts that live as long as the program.
inline char const* kept_text(std::string const& text) {
  char* const copy = new char[text.size() + 1];
  return std::strcpy(copy, text.c_str());
}
inline std::string name_text(extent e) {
  char name[max_name + 1]{};
  unpack_name(e, name);
  return name;
}
inline c_array c_array_of(std::string name, dtype type, extents const& pattern) {
  std::replace(name.begin(), name.end(), '.', '_');
  c_array r{kept_text(name), c_dtype(type), c_type(type), pattern.rank, {}, {}};
  for (int i = 0; i < pattern.rank; ++i) {
    r.shape[i] = is_named(pattern[i]) ? -1 : pattern[i];
    r.extents[i] = is_named(pattern[i]) ? kept_text(name_text(pattern[i])) : nullptr;
  }
  return r;
}
// Two leaves of one name, as a_b.c and a.b_c would be, are told apart by their number.
template <class X, class... Leaf>
void add_c_arrays(std::vector<c_array>& arrays, std::string const& prefix, type_list<Leaf...>) {
  std::vector<std::string> const leaves = leaf_names<X>(prefix);
  std::size_t at = 0;
  auto const add = [&](dtype type, extents const& pattern) {
    c_array r = c_array_of(leaves[at++], type, pattern);
    for (c_array const& other : arrays)
      if (std::strcmp(other.name, r.name) == 0)
        r.name = kept_text(r.name + ("_" + std::to_string(arrays.size())));
    arrays.push_back(r);
  };
  (add(c_leaf<Leaf>::type, c_leaf<Leaf>::pattern), ...);
}
template <class Compiled> struct c_inputs {
  static std::vector<c_array> const& arrays() {
    static auto const& all = *new std::vector<c_array>( // as long as the program, too
        make(typename program_in<Compiled>::arguments{}));
    return all;
  }
  template <class... Arg> static std::vector<c_array> make(type_list<Arg...>) {
    std::vector<c_array> r;
    int number = 0;
    (add_c_arrays<Arg>(r, "arg" + std::to_string(number++), leaves_of<Arg>{}), ...);
    return r;
  }
};
template <class Compiled> struct c_outputs {
  static std::vector<c_array> const& arrays() {
    static auto const& all = *new std::vector<c_array>(make());
    return all;
  }
  static std::vector<c_array> make() {
    using result = typename program_in<Compiled>::result_type;
    std::vector<c_array> r;
    add_c_arrays<result>(r, "out", leaves_of<result>{});
    return r;
  }
};
template <class List> c_array const* c_list(int* count) noexcept {
#if WEFT_EXCEPTIONS
  try {
#endif
    if (count != nullptr) *count = static_cast<int>(List::arrays().size());
    return List::arrays().data();
#if WEFT_EXCEPTIONS
  } catch (...) {
    if (count != nullptr) *count = 0;
    return nullptr;
  }
#endif
}
template <class Compiled> std::vector<std::string> c_extent_names() {
  std::vector<std::string> r;
  constexpr c_names names = c_program<Compiled>::names;
  r.reserve(static_cast<std::size_t>(names.count));
  for (int i = 0; i < names.count; ++i) r.push_back(name_text(names.name[i]));
  return r;
}

} // namespace detail
} // namespace weft::inline v0

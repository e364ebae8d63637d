// SPDX-License-Identifier: BSL-1.0
// A compiled program behind C functions, for C, ctypes and whatever else loads a shared library:
//   WEFT_C_API(gain, weft::compiled<step, state<weft::tensor>, weft::tensor<float, rows, 2>>)
// defines gain_create, gain_destroy, gain_run, gain_output, gain_error, gain_inputs_list and
// gain_outputs_list. c_header<compiled<...>>("gain") is the text of their C99 header, where inputs,
// outputs and extents are structs of pointers and numbers under the arrays' names.
// Needs: contiguous row-major elements in C's types; bool is one byte, bf16 and f16 are their bits
// (uint16_t), a random key two uint32_t. One thread at a time per object.
// Leaves: no exception crosses; calls after the first (after new extents: after the first with
// them) take no memory. Inputs are copied in, outputs out. The same bits as jit.
#pragma once

#include <weft/run/c_program.hpp>

// `name` is a word of C alone: a C++ function may have it, too.
#define WEFT_C_EXPORT __attribute__((visibility("default")))
#define WEFT_C_API(name, ...)                                                                      \
  extern "C" {                                                                                     \
  WEFT_C_EXPORT void* name##_create(void) noexcept {                                               \
    return ::weft::detail::c_create<__VA_ARGS__>();                                                \
  }                                                                                                \
  WEFT_C_EXPORT void name##_destroy(void* self) noexcept {                                         \
    delete static_cast<::weft::detail::c_program<__VA_ARGS__>*>(self);                             \
  }                                                                                                \
  WEFT_C_EXPORT int name##_run(void* self, void const* const* inputs, void* const* outputs,        \
                               ::std::int64_t const* extents) noexcept {                           \
    auto* const own = static_cast<::weft::detail::c_program<__VA_ARGS__>*>(self);                  \
    return own == nullptr ? 1 : own->run(inputs, outputs, extents);                                \
  }                                                                                                \
  WEFT_C_EXPORT void const* name##_output(void const* self, int output,                            \
                                          ::std::int64_t* shape) noexcept {                        \
    auto* const own = static_cast<::weft::detail::c_program<__VA_ARGS__> const*>(self);            \
    return own == nullptr ? nullptr : own->output(output, shape);                                  \
  }                                                                                                \
  WEFT_C_EXPORT char const* name##_error(void const* self) noexcept {                              \
    auto* const own = static_cast<::weft::detail::c_program<__VA_ARGS__> const*>(self);            \
    return own == nullptr ? "weft: there is no program; it could not be made" : own->error();      \
  }                                                                                                \
  WEFT_C_EXPORT ::weft::c_array const* name##_inputs_list(int* count) noexcept {                   \
    return ::weft::detail::c_list<::weft::detail::c_inputs<__VA_ARGS__>>(count);                   \
  }                                                                                                \
  WEFT_C_EXPORT ::weft::c_array const* name##_outputs_list(int* count) noexcept {                  \
    return ::weft::detail::c_list<::weft::detail::c_outputs<__VA_ARGS__>>(count);                  \
  }                                                                                                \
  }

namespace weft::inline v0 {
namespace detail {

inline std::string c_comment(c_array const& x) {
  std::string text = std::string(" /* ") + x.dtype + " (";
  for (int i = 0; i < x.rank; ++i) {
    if (i > 0) text += ", ";
    text += x.extents[i] != nullptr ? x.extents[i] : std::to_string(x.shape[i]);
  }
  return text + ") */\n";
}
inline std::string c_fields(std::vector<c_array> const& arrays, char const* qualifier) {
  std::string text;
  for (c_array const& x : arrays)
    text += std::string("  ") + x.c_type + qualifier + x.name + ";" + c_comment(x);
  return text.empty() ? "  char none; /* there are none */\n" : text;
}
inline void replace_all(std::string& text, std::string const& from, std::string const& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}
inline constexpr char const* c_header_text =
    R"(/* @: a program compiled by weft. Written by weft::c_header, not by hand. */
#ifndef WEFT_C_API_@
#define WEFT_C_API_@

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef WEFT_C_ARRAY
#define WEFT_C_ARRAY
typedef struct weft_c_array {
  char const* name;
  char const* dtype;      /* as NumPy calls it */
  char const* c_type;
  int32_t rank;
  int64_t shape[8];       /* -1 where extents has a name */
  char const* extents[8];
} weft_c_array;
#endif

typedef struct @ @;

/* Row-major elements. */
typedef struct @_inputs {
#inputs} @_inputs;

/* Where to put results; none where null. */
typedef struct @_outputs {
#outputs} @_outputs;

/* Of the run. */
typedef struct @_extents {
#extents} @_extents;

/* Null where there is no memory. Use by one thread at a time. */
@* @_create(void);
void @_destroy(@* self);
/* 0, or 1: @_error(self) says why, and outputs are as they were. */
int @_run(@* self, @_inputs const* inputs, @_outputs const* outputs, @_extents const* extents);
/* The elements of an output of the last run, until the next; its extents, rank of them. */
void const* @_output(@ const* self, int output, int64_t* shape);
char const* @_error(@ const* self);
weft_c_array const* @_inputs_list(int* count);
weft_c_array const* @_outputs_list(int* count);

#ifdef __cplusplus
}
#endif
#endif
)";

} // namespace detail

// The header for WEFT_C_API(name, Compiled).
//   std::ofstream("gain.h") << weft::c_header<weft::compiled<step, ...>>("gain");
template <class Compiled> std::string c_header(std::string const& name) {
  std::string extents;
  for (std::string const& one : detail::c_extent_names<Compiled>())
    extents += "  int64_t " + one + ";\n";
  std::string text = detail::c_header_text;
  detail::replace_all(text, "#inputs}",
                      detail::c_fields(detail::c_inputs<Compiled>::arrays(), " const* ") + "}");
  detail::replace_all(text, "#outputs}",
                      detail::c_fields(detail::c_outputs<Compiled>::arrays(), "* ") + "}");
  detail::replace_all(text, "#extents}",
                      (extents.empty() ? "  char none; /* there are none */\n" : extents) + "}");
  detail::replace_all(text, "@", name);
  return text;
}

} // namespace weft::inline v0

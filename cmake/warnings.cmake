# SPDX-License-Identifier: BSL-1.0
# What our own tests, examples and benchmarks are compiled with; users never see it.
set(CMAKE_CXX_EXTENSIONS OFF)  # -std=c++20, not gnu++20
add_library(weft_warnings INTERFACE)
target_compile_options(weft_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror)

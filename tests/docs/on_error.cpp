// SPDX-License-Identifier: BSL-1.0
// Around the fragment of docs/packaging.md: a program of its own for what would be thrown.
#include <weft/weft.hpp>

#include <cstdio>

void my_log(char const* text) { std::puts(text); }

int main() {
  // example
  weft::on_error("said");
}

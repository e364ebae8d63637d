// SPDX-License-Identifier: BSL-1.0
// Two translation units with different instruction sets link into one program; each runs its own
// kernels; kernels of a named program have short symbols.
#include "sum_of_rows.hpp"

#include <gtest/gtest.h>

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace two_targets;

matrix some_matrix() {
  matrix x;
  auto m = x.mutate();
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 33; ++j) m(i, j) = static_cast<float>((i * 33 + j) % 29 - 14) / 7.0f;
  return x;
}

TEST(two_targets, each_runs_its_own_code) {
  outcome const plain = run_plain(some_matrix());
  EXPECT_EQ(plain.lanes, 4);
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this CPU has no AVX2";
  outcome const wide = run_avx2(some_matrix());
  EXPECT_EQ(wide.lanes, 8);
  EXPECT_NE(plain.kernel, wide.kernel);
  EXPECT_EQ(plain.sums, wide.sums);
  EXPECT_EQ(plain.planned, wide.planned);
  EXPECT_EQ(plain.sums, plain.planned);
}

// The names in this executable's symbol table.
std::vector<std::string> own_symbols() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<char> const bytes((std::istreambuf_iterator<char>(file)), {});
  auto const read = [&bytes]<class T>(T& to, std::size_t at) {
    std::memcpy(&to, bytes.data() + at, sizeof to);
  };
  Elf64_Ehdr header;
  read(header, 0);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i)
    read(sections[i], header.e_shoff + i * sizeof(Elf64_Shdr));
  std::vector<std::string> names;
  for (Elf64_Shdr const& table : sections) {
    if (table.sh_type != SHT_SYMTAB) continue;
    for (std::size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      read(symbol, table.sh_offset + at);
      names.emplace_back(bytes.data() + sections[table.sh_link].sh_offset + symbol.st_name);
    }
  }
  return names;
}

// Whatever is made for one program, its stages and its runner included.
TEST(named_programs, have_short_symbols) {
  int kernels = 0;
  for (std::string const& name : own_symbols()) {
    if (name.find("11sum_of_rows") == std::string::npos) continue;
    if (name.find("region_kernel") != std::string::npos && name.find("3runE") != std::string::npos)
      ++kernels;
    EXPECT_LT(name.size(), 100u) << name;
  }
  EXPECT_GE(kernels, 2); // one for each target
}

} // namespace

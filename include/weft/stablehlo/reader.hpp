// SPDX-License-Identifier: BSL-1.0
// What the parser knows while it reads: the module so far, the names that are visible, types by
// their hash, aliases, and stacks for lists whose length shows at their end.
// Leaves: looking up a name or a type takes the same time however many there are.
#pragma once

#include <weft/stablehlo/lexer.hpp>
#include <weft/stablehlo/module.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr unsigned hash_of(view<char> s) {
  unsigned h = 2166136261u;
  for (char c : s) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return h ^ h >> 15;
}

// %name: `count` values from `first` on.
struct named_values {
  view<char> name;
  unsigned hash = 0;
  int first = 0, count = 0;
  int next = -1; // in its bucket
};

// The visible names. A region's go when it ends: the last that came go first, so each is the first
// of its bucket when it goes.
struct value_names {
  growing<named_values> entries;
  growing<int> buckets;

  constexpr named_values const* find(view<char> name) const {
    if (buckets.empty()) return nullptr;
    unsigned const h = hash_of(name);
    for (int i = buckets[bucket(h)]; i >= 0; i = entries[i].next)
      if (entries[i].hash == h && entries[i].name == name) return &entries[i];
    return nullptr;
  }
  constexpr void add(view<char> name, int first, int count) {
    if (entries.size() >= buckets.size()) grow();
    entries.push({name, hash_of(name), first, count, -1});
    link(entries.size() - 1);
  }
  constexpr void forget(int size) {
    for (; entries.size() > size; entries.pop())
      buckets[bucket(entries.back().hash)] = entries.back().next;
  }

private:
  constexpr int bucket(unsigned h) const {
    return static_cast<int>(h & static_cast<unsigned>(buckets.size() - 1));
  }
  constexpr void link(int i) {
    int const b = bucket(entries[i].hash);
    entries[i].next = buckets[b];
    buckets[b] = i;
  }
  constexpr void grow() {
    buckets.assign(buckets.empty() ? 64 : 2 * buckets.size(), -1);
    for (int i = 0; i < entries.size(); ++i) link(i);
  }
};

struct reader : scanner {
  module_ir m;
  value_names names;
  growing<int> type_table;  // open addressing, -1: free
  growing<int> type_widths; // by type: how many types are in it, itself one of them
  value_names alias_names;  // #name: aliases[first], whose name is not set
  growing<attribute> aliases;
  value_names type_names; // !name: the type `first`
  // Stacks: whoever pushes takes away again what is above the size he found.
  growing<int> operands;   // values
  growing<int> types;      // ids
  growing<int> regions;    // ids
  growing<int> operations; // ids
  growing<attribute> attributes;
  growing<view<char>> arguments; // names
  growing<named_values> results; // names and counts
  int depth = 0;                 // of brackets and regions
  // What regions and lists have in them, defined in headers that include those of regions and lists.
  void (*read_operation)(reader&) = nullptr;
  bool (*read_attribute)(reader&, attribute&) = nullptr;

  constexpr explicit reader(view<char> all) : scanner(all) {}

  constexpr int intern(value_type const& t);
  constexpr text_span keep(view<char> s) { return m.keep(s); }
};

// name, #name, !name or a number, and a bracket right behind it: affine_map<...>, #sdy.mesh<...>
constexpr void skip_term(reader& r) {
  char const c = r.peek();
  if (c == '#' || c == '!') r.sigil_name();
  else {
    char const* const first = r.at;
    if (c == '-') ++r.at;
    while (r.at != r.end && is_name_character(*r.at)) ++r.at;
    if (r.at == first) return r.missing("an attribute");
  }
  if (r.at != r.end && (*r.at == '<' || *r.at == '(')) r.skip_bracket();
}

// Nested brackets and regions, counted while one of these lives.
struct nesting {
  static constexpr int most = 60;
  reader& r;
  constexpr explicit nesting(reader& reading) : r(reading) {
    if (++r.depth > most)
      r.fail(r.at, r.start()
                       .add("brackets and regions are nested more than ")
                       .add(most)
                       .add(" deep; write fewer levels"));
  }
  nesting(nesting const&) = delete;
  constexpr ~nesting() { --r.depth; }
};

constexpr unsigned hash_of(module_ir const& m, value_type const& t) {
  unsigned h = static_cast<unsigned>(t.kind) * 31u + static_cast<unsigned>(t.element);
  for (int i = 0; i < t.shape.rank; ++i) {
    auto const e = static_cast<std::uint64_t>(t.shape[i]);
    h = (h ^ static_cast<unsigned>(e ^ e >> 32)) * 16777619u + 1;
  }
  for (int i = 0; i < t.member_count; ++i)
    h = (h ^ static_cast<unsigned>(m.members[t.first_member + i])) * 16777619u;
  return h ^ h >> 15;
}
// Tuples are equal if their members are; where those are listed does not count.
constexpr bool equal_types(module_ir const& m, value_type const& a, value_type const& b) {
  if (a.kind != b.kind) return false;
  if (a.kind != type_kind::tuple) return a == b;
  return m.members.part(a.first_member, a.member_count) ==
         m.members.part(b.first_member, b.member_count);
}
// Types in a tuple, those in its members too. Aliases make a short text of many.
inline constexpr int most_in_tuple = 4096;
constexpr int reader::intern(value_type const& t) {
  if (2 * m.types.size() >= type_table.size()) {
    type_table.assign(type_table.empty() ? 32 : 2 * type_table.size(), -1);
    int const mask = type_table.size() - 1;
    for (int id = 0; id < m.types.size(); ++id) {
      int i = static_cast<int>(hash_of(m, m.types[id])) & mask;
      while (type_table[i] >= 0) i = (i + 1) & mask;
      type_table[i] = id;
    }
  }
  int const mask = type_table.size() - 1;
  int i = static_cast<int>(hash_of(m, t)) & mask;
  for (; type_table[i] >= 0; i = (i + 1) & mask)
    if (equal_types(m, m.types[type_table[i]], t)) return type_table[i];
  int width = 1; // itself, and those in it
  for (int k = 0; k < t.member_count && width <= most_in_tuple + 1; ++k)
    width += type_widths[m.members[t.first_member + k]];
  type_widths.push(width);
  m.types.push(t);
  return type_table[i] = m.types.size() - 1;
}

} // namespace weft::inline v0::stablehlo::detail

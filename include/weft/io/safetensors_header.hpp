// SPDX-License-Identifier: BSL-1.0
// The header of a .safetensors file: 8 bytes of length, then a JSON object {name: {"dtype",
// "shape", "data_offsets"}}, and "__metadata__", texts by name; behind it the elements.
// Needs: nlohmann-json, which reads it event by event: no tree, nothing kept but what is checked.
// Leaves: of a file that is read, every array inside the data, the arrays side by side without
// gaps or overlaps to the end, names unique, as the format demands.
#pragma once

#include <weft/io/named.hpp>

#include <map>

#include <nlohmann/json.hpp>

namespace weft::inline v0 {

using safetensors_metadata = std::map<std::string, std::string>;

namespace detail {

inline constexpr std::size_t most_of_a_header = 100'000'000; // the format's own limit

// By dtype.
inline constexpr std::string_view safetensors_types[dtype_count] = {
    "F32", "I32", "U32", "BOOL", "BF16", "F16", "F64", "I8", "I16", "I64", "U8", "U16", "U64"};

inline int dtype_of_safetensors(std::string_view name) {
  for (int i = 0; i < dtype_count; ++i)
    if (name == safetensors_types[i]) return i;
  return -1;
}

struct safetensors_entry {
  std::string type;
  extents shape;
  bool has_room = true; // false: it has more axes than extents do, `shape` the first of them
  std::uint64_t first = 0, last = 0;
};
struct safetensors_header {
  std::map<std::string, safetensors_entry, std::less<>> arrays;
  safetensors_metadata metadata;
};

// The events of the JSON text, of which only one grammar is accepted. Depth 1 is the whole, depth 2
// an array's or the metadata's object, depth 3 a list of numbers.
class safetensors_events {
public:
  using json = nlohmann::json;

  safetensors_events(file_at const& at, safetensors_header& out) : at_(at), out_(out) {}

  bool start_object(std::size_t) {
    expect(depth_ < 2);
    ++depth_;
    return true;
  }
  bool end_object() {
    if (depth_-- == 2 && entry_ != nullptr) expect(seen_ == 7);
    return true;
  }
  bool start_array(std::size_t) {
    expect(depth_ == 2 && entry_ != nullptr && key_ != "dtype");
    depth_ = 3;
    return true;
  }
  bool end_array() {
    if (key_ == "data_offsets") expect(numbers_ == 2);
    depth_ = 2;
    return true;
  }
  bool key(std::string& name) {
    if (depth_ == 1) start_entry(name);
    else if (entry_ != nullptr) see(name == "dtype" ? 1 : name == "shape" ? 2 : 4, name);
    key_ = name;
    numbers_ = 0;
    return true;
  }
  bool string(std::string& value) {
    expect(depth_ == 2 && (entry_ == nullptr || key_ == "dtype"));
    if (entry_ != nullptr) entry_->type = value;
    else if (!out_.metadata.emplace(key_, value).second) twice(key_);
    return true;
  }
  bool number_unsigned(std::uint64_t n) {
    expect(depth_ == 3);
    ++numbers_;
    if (key_ == "shape") add_extent(n);
    else (numbers_ == 1 ? entry_->first : entry_->last) = n;
    return true;
  }
  bool number_integer(std::int64_t) { return malformed(); }
  bool number_float(double, std::string const&) { return malformed(); }
  bool boolean(bool) { return malformed(); }
  bool null() { return malformed(); }
  bool binary(json::binary_t&) { return malformed(); }
  bool parse_error(std::size_t place, std::string const&, nlohmann::detail::exception const&) {
    raise_file(at_, "copy it again", "the header is no JSON in UTF-8, at byte ",
               static_cast<extent>(place));
  }

private:
  void start_entry(std::string const& name) {
    entry_ = nullptr;
    seen_ = 0;
    if (name == "__metadata__") {
      if (std::exchange(metadata_seen_, true)) twice(name);
      return;
    }
    auto const [place, is_new] = out_.arrays.try_emplace(name);
    if (!is_new) twice(name);
    entry_ = &place->second;
  }
  void see(int item, std::string const& name) {
    expect(item < 4 || name == "data_offsets");
    if ((seen_ & item) != 0) twice(name);
    seen_ |= item;
  }
  void add_extent(std::uint64_t n) {
    if (n > INT64_MAX) raise_file(at_, "look where it comes from", "an extent is too large");
    entry_->has_room = entry_->shape.rank < max_rank;
    if (entry_->has_room) entry_->shape.push(static_cast<extent>(n));
  }
  void expect(bool right) const {
    if (!right) malformed();
  }
  [[noreturn]] bool malformed() const {
    raise_file(at_, "write it by save_safetensors or the safetensors package",
               "the header is not as the format says, near ", key_);
  }
  [[noreturn]] void twice(std::string const& name) const {
    raise_file(at_, "names are unique", "the header has two items named ", name);
  }

  file_at const& at_;
  safetensors_header& out_;
  safetensors_entry* entry_ = nullptr; // none inside the metadata
  std::string key_;
  int depth_ = 0, seen_ = 0, numbers_ = 0; // seen: a bit per item of an entry
  bool metadata_seen_ = false;
};

// The arrays side by side: the first starts the data, each next where the last one ends.
inline void check_places(file_at const& at, safetensors_header const& header, std::uint64_t size) {
  std::vector<std::pair<std::string const, safetensors_entry> const*> sorted;
  sorted.reserve(header.arrays.size());
  for (auto const& item : header.arrays) sorted.push_back(&item);
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) {
    return std::pair(a->second.first, a->second.last) < std::pair(b->second.first, b->second.last);
  });
  std::uint64_t next = 0;
  for (auto const* item : sorted) {
    auto const& [name, entry] = *item;
    if (entry.first != next || entry.last < entry.first)
      raise_file(at, "copy it again", "array ", name, " overlaps another, or leaves a gap");
    if (entry.last > size)
      raise_file(at, "copy it again", "the file is cut off before the end of array ", name);
    next = entry.last;
    int const type = dtype_of_safetensors(entry.type);
    // A type that weft has not, or a shape: others in the file can be read.
    if (type < 0 || !entry.has_room) continue;
    extent const needed = byte_count(entry.shape, size_of(static_cast<dtype>(type)));
    if (needed < 0 || static_cast<std::uint64_t>(needed) != entry.last - entry.first)
      raise_file(at, "copy it again", "array ", name, " of ", entry.type, " and shape ",
                 entry.shape, " has ", static_cast<extent>(entry.last - entry.first), " bytes");
  }
  if (next != size)
    raise_file(at, "copy it again", "the arrays end at byte ", static_cast<extent>(next), " of ",
               static_cast<extent>(size));
}

// The header, and the place where the data starts.
inline std::size_t read_safetensors(file_at const& at, std::string_view file,
                                    safetensors_header& out) {
  std::uint64_t length = 0;
  if (file.size() >= 8) std::memcpy(&length, file.data(), 8);
  if (file.size() < 8 || length > file.size() - 8)
    raise_file(at, "copy it again", "this is no .safetensors file, or it ends inside its header");
  if (length > most_of_a_header)
    raise_file(at, "look where it comes from", "the header is longer than the format allows");
  std::string_view const text = file.substr(8, length);
  if (!text.starts_with('{'))
    raise_file(at, "copy it again", "this is no .safetensors file: its header starts with no {");
  safetensors_events events(at, out);
  nlohmann::json::sax_parse(text.begin(), text.end(), &events);
  check_places(at, out, file.size() - 8 - length);
  return 8 + length;
}

// A JSON string. Errors: io_error where the text is not UTF-8.
inline std::string json_string(file_at const& at, std::string const& text) {
  using json = nlohmann::json;
  json const value = text;
  std::string written = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (written != value.dump(-1, ' ', false, json::error_handler_t::ignore))
    raise_file(at, "names and metadata are UTF-8", "this text is not: ", text);
  return written;
}
inline void add_metadata(file_at const& at, std::string& out, safetensors_metadata const& texts) {
  out += "\"__metadata__\":{";
  char const* comma = "";
  for (auto const& [name, text] : texts) {
    out += comma;
    out += json_string(at, name);
    out += ':';
    out += json_string(at, text);
    comma = ",";
  }
  out += "},";
}
inline void add_entry(file_at const& at, std::string& out, named_array const& x,
                      std::uint64_t first) {
  auto const& [name, array] = x;
  if (name == "__metadata__") raise_file(at, "name it otherwise", "an array is named ", name);
  out += json_string(at, name);
  out += ":{\"dtype\":\"";
  out += safetensors_types[static_cast<int>(array.type)];
  out += "\",\"shape\":[";
  for (int i = 0; i < array.shape.rank; ++i) {
    if (i > 0) out += ',';
    out += std::to_string(array.shape[i]);
  }
  out += "],\"data_offsets\":[";
  out += std::to_string(first);
  out += ',';
  out += std::to_string(first + array.bytes);
  out += "]},";
}
// Arrays in the order of the list; spaces fill it up, so that the data starts at a multiple of 8.
inline std::string write_header(file_at const& at, name_list const& list,
                                safetensors_metadata const& metadata) {
  std::string text = "{";
  if (!metadata.empty()) add_metadata(at, text, metadata);
  std::uint64_t place = 0;
  for (named_array const& x : list) {
    add_entry(at, text, x, place);
    place += x.array.bytes;
  }
  if (text.size() > 1) text.pop_back(); // the last comma
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > most_of_a_header)
    raise_file(at, "split it", "the header would be longer than the format allows");
  std::uint64_t const length = text.size();
  char start[8];
  std::memcpy(start, &length, 8);
  return std::string(start, 8) + text;
}

} // namespace detail
} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// save_npz, load_npz: several arrays in one .npz archive, as numpy.savez and numpy.load; npz_file:
// such an archive that is open. An archive is a zip whose members are .npy files.
// Needs: libzip (Debian: libzip-dev; link with -lzip), POSIX. Leaves: archives are written as
// atomic_file does, stored, not compressed; stored and deflated ones are read.
#pragma once

#include <weft/io/atomic_file.hpp>
#include <weft/io/file_bytes.hpp>
#include <weft/io/named.hpp>
#include <weft/io/npy_header.hpp>

#include <map>
#include <memory>

#include <zip.h>

namespace weft::inline v0 {
namespace detail {

inline constexpr std::string_view npy_suffix = ".npy";

struct zip_closer {
  void operator()(zip_t* z) const { ::zip_discard(z); }
  void operator()(zip_file_t* f) const { ::zip_fclose(f); }
};
using zip_archive = std::unique_ptr<zip_t, zip_closer>;
using zip_member = std::unique_ptr<zip_file_t, zip_closer>;

// With libzip's words, which end with the system's.
[[noreturn]] inline void raise_zip(file_at const& at, char const* advice, zip_error_t* error) {
  char const* words = ::zip_error_strerror(error);
  raise_file(at, advice, words);
}
inline zip_archive open_zip(file_at const& at, std::string const& path, int flags) {
  int code = 0;
  zip_archive archive(::zip_open(path.c_str(), flags, &code));
  if (archive != nullptr) return archive;
  zip_error_t error;
  ::zip_error_init_with_code(&error, code);
  std::string const kept = ::zip_error_strerror(&error);
  ::zip_error_fini(&error);
  char const* const words = kept.c_str();
  raise_file(at, "give the path of an .npz archive", words);
}

// Adds a member whose bytes are header and elements, which must live until the archive is closed.
inline void add_member(file_at const& at, zip_t* archive, named_array const& x,
                       std::string& header) {
  header = npy_header(x.array.type, x.array.shape);
  auto* const elements = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(x.array.data));
  zip_buffer_fragment_t const parts[2] = {
      {reinterpret_cast<zip_uint8_t*>(header.data()), header.size()}, {elements, x.array.bytes}};
  std::string const name = x.name + std::string(npy_suffix);
  zip_source_t* source = ::zip_source_buffer_fragment(archive, parts, x.array.bytes > 0 ? 2 : 1, 0);
  if (source == nullptr) raise_zip(at, writing_advice, ::zip_get_error(archive));
  auto const place = ::zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (place < 0) ::zip_source_free(source);
  auto const index = static_cast<zip_uint64_t>(place);
  zip_uint16_t const first_of_1980 = 1 << 5 | 1; // the same bytes whenever it is written
  if (place < 0 || ::zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      ::zip_file_set_dostime(archive, index, 0, first_of_1980, 0) != 0)
    raise_zip(at, "names are UTF-8; the file that was there is unchanged",
              ::zip_get_error(archive));
}
inline void write_zip(file_at const& at, std::string const& path, name_list const& list) {
  zip_archive archive = open_zip(at, path, ZIP_CREATE | ZIP_TRUNCATE);
  std::vector<std::string> headers(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) add_member(at, archive.get(), list[i], headers[i]);
  if (::zip_close(archive.get()) != 0) // which then still has to be discarded
    raise_zip(at, writing_advice, ::zip_get_error(archive.get()));
  (void)archive.release();
}

} // namespace detail

// Writes structs of arrays and named(...) arrays or structs, as save_safetensors does; an array "w"
// is the member "w.npy". An archive without arrays cannot be. Errors: io_error, where two arrays
// have one name, or the system refuses; the file there is then as it was.
//   save_npz("data.npz", named("x", x), named("net", params));
template <class... X>
  requires(sizeof...(X) > 0)
void save_npz(std::string const& path, X const&... x) {
  detail::file_at const at{"save_npz", path};
  detail::name_list const list = detail::name_arrays(at, x...);
  if (list.empty()) detail::raise_file(at, "give it one", "an archive needs an array");
  detail::temporary_file temporary(at);
  temporary.open().close();
  detail::write_zip(at, temporary.name(), list);
  temporary.synchronise();
  temporary.publish();
}

// An archive that is open. For one thread at a time. Errors of all: io_error.
//   npz_file file("data.npz");
//   auto x = file.load<float, rows, 3>("x");
class npz_file {
public:
  explicit npz_file(std::string path) : at_{"npz_file", std::move(path)} {
    detail::check_regular(at_);
    archive_ = detail::open_zip(at_, at_.path, ZIP_RDONLY);
    auto const count = ::zip_get_num_entries(archive_.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) add_name(static_cast<zip_uint64_t>(i));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> r;
    r.reserve(members_.size());
    for (auto const& member : members_) r.push_back(member.first);
    return r;
  }
  bool contains(std::string const& name) const { return members_.contains(name); }

  // One array, load<float, 2, rows>("x"), or a struct's: load<S>(), or load<S>("net") for names that
  // start with "net.". Types do not convert; extents in the type must be the file's, names take them.
  template <class T, auto... E> auto load(std::string const& name = "") const {
    return detail::load_named<detail::wanted_type<T, E...>>(
        name, [this]<class Leaf>(std::string const& leaf) {
          detail::zip_member const member = open(leaf);
          std::string const header = read_header(member.get());
          detail::found_array found = detail::read_dictionary(
              at_, detail::split_npy(at_, header).dictionary);
          found.name = leaf;
          detail::check_wanted<Leaf>(at_, found);
          std::size_t size = 0;
          auto const bytes = read_elements(member.get(), found, size);
          detail::give_bytes(at_, found, {bytes.data(), size});
          return detail::make_found<Leaf>(at_, found);
        });
  }

private:
  void add_name(zip_uint64_t index) {
    char const* const spelled = ::zip_get_name(archive_.get(), index, 0);
    if (spelled == nullptr)
      detail::raise_zip(at_, "copy it again", ::zip_get_error(archive_.get()));
    std::string name = spelled;
    if (name.ends_with(detail::npy_suffix)) name.resize(name.size() - detail::npy_suffix.size());
    if (!members_.emplace(name, index).second)
      detail::raise_file(at_, "names are unique", "two arrays are named ", name);
  }
  detail::zip_member open(std::string const& name) const {
    auto const place = members_.find(name);
    if (place == members_.end())
      detail::raise_file(at_, "names() lists those there are", "there is no array ", name);
    detail::zip_member member(::zip_fopen_index(archive_.get(), place->second, 0));
    if (member == nullptr) detail::raise_zip(at_, "copy it again", ::zip_get_error(archive_.get()));
    return member;
  }
  std::size_t read_some(zip_file_t* member, char* to, std::size_t room) const {
    auto const got = ::zip_fread(member, to, room);
    if (got < 0) detail::raise_zip(at_, "copy it again", ::zip_file_get_error(member));
    return static_cast<std::size_t>(got);
  }
  void append(zip_file_t* member, std::string& bytes, std::size_t count) const {
    std::size_t had = bytes.size();
    bytes.resize(had + count);
    while (had < bytes.size())
      if (auto const more = read_some(member, bytes.data() + had, bytes.size() - had)) had += more;
      else bytes.resize(had);
  }
  // All before the elements. NumPy itself reads at most 10,000 bytes of a dictionary.
  std::string read_header(zip_file_t* member) const {
    std::string header;
    append(member, header, 12);
    auto const [start, length] = detail::place_of_dictionary(at_, header);
    if (length > 65535)
      detail::raise_file(at_, "write it again", "the header of the .npy file is too long");
    if (start + length > header.size()) append(member, header, start + length - header.size());
    return header;
  }
  // A member that inflates without end is read no further than to see that it is too long, and
  // memory is taken for what is there.
  detail::buffer<char> read_elements(zip_file_t* member, detail::found_array const& found,
                                     std::size_t& size) const {
    auto const needed = static_cast<std::size_t>(detail::bytes_needed(at_, found));
    auto const read = [&](char* to, std::size_t room) { return read_some(member, to, room); };
    auto bytes = detail::read_to_end(size, read, needed + 1);
    if (size > needed)
      detail::raise_file(at_, "an .npy file holds one array", "more than ",
                         static_cast<extent>(needed), " bytes of elements follow the header");
    return bytes;
  }

  detail::file_at at_;
  detail::zip_archive archive_;
  std::map<std::string, zip_uint64_t> members_;
};

// The struct whose arrays an archive holds, or one array of it.
//   auto p = load_npz<params<tensor>>("data.npz", "net");
//   auto x = load_npz<float, rows, 3>("data.npz", "x");
template <class T, auto... E> auto load_npz(std::string const& path, std::string const& name = "") {
  return npz_file(path).load<T, E...>(name);
}

} // namespace weft::inline v0

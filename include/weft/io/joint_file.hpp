// SPDX-License-Identifier: BSL-1.0
// joint_file: a file that several processes write together, each its own bytes, and that is there
// whole or not at all, as atomic_file's: beside its place under another name, forced to the disk by
// all, renamed by rank 0 when all have said that they are through.
//   joint_file file(ranks, {"save", path});            // ranks: an mpi::session
//   file.prepare([&] { start = header_of(arrays); });  // what it throws is every rank's error
//   file.open(hash, start, size);
//   file.put(place, data, bytes);                      // false: noted, said by commit
//   file.commit();
// Needs: POSIX; of ranks rank(), world() and texts_of_all(message): everybody's text, by rank. They
// wait for each other as long as the ranks' meeting does: an mpi::session's limit is above the
// seconds in which all bytes are on the disk. A file system that all see, where a file has one
// inode number everywhere. The same calls on all ranks.
// Leaves: where any rank fails, all have its error, and the old file is as it was. Of ranks that
// are killed `path.ranks.tmp` may be left, which the next that is written replaces.
// Errors: io_error on all ranks, with the words of the lowest rank that has one.
#pragma once

#include <weft/io/atomic_file.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <thread>
#include <vector>

#include <sys/file.h>

namespace weft::inline v0 {

template <class Ranks>
concept meeting_ranks = requires(Ranks& r, message const& mine) {
  { r.rank() } -> std::convertible_to<extent>;
  { r.world() } -> std::convertible_to<extent>;
  { r.texts_of_all(mine) } -> std::convertible_to<std::vector<message>>;
};

namespace detail {

// Not open, and errno, where this cannot be; EWOULDBLOCK where another process has it locked, or
// had until now. A file system without locks keeps nobody out.
inline file_descriptor open_locked(std::string const& name, int how) {
  file_descriptor file(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | how);
  if (!file.is_open()) return file;
  auto const lock = [&] { return ::flock(file.number(), LOCK_EX | LOCK_NB); };
  bool const is_taken = uninterrupted(lock) != 0 && errno == EWOULDBLOCK;
  // Who had the lock before may have removed or renamed the file since it was opened here.
  if (!is_taken && file.has_name(name)) return file;
  errno = EWOULDBLOCK;
  return file_descriptor();
}
// The file of rank 0, new. Its lock goes with the process, so what a killed job left is replaced;
// by a new file, for a process of that job that still writes has the old one. Only who has a file
// locked removes its name.
inline file_descriptor open_first(std::string const& name) {
  file_descriptor const before = open_locked(name, 0);
  if (!before.is_open() && errno != ENOENT) return file_descriptor();
  if (before.is_open() && ::unlink(name.c_str()) != 0 && errno != ENOENT) return file_descriptor();
  file_descriptor file = open_locked(name, O_CREAT | O_EXCL);
  if (!file.is_open() && errno == EEXIST) errno = EWOULDBLOCK;
  return file;
}
// Of this size, on the disk already where the file system can: a full one shows before anybody
// writes. Not posix_fallocate: where the file system cannot, it writes zeros, which over a network
// may come after what others write.
inline bool reserve(file_descriptor const& file, extent size) {
  auto const bytes = static_cast<::off_t>(size);
#ifdef __linux__
  if (uninterrupted([&] { return ::fallocate(file.number(), 0, 0, bytes); }) == 0) return true;
  if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) return false;
#endif
  return uninterrupted([&] { return ::ftruncate(file.number(), bytes); }) == 0;
}
// The same file on another rank. A network's file system may remember for a while what the name
// stood for; opening its folder makes it look again.
inline file_descriptor open_next(std::string const& name, std::uint64_t inode) {
  for (int wait = 1;; wait *= 2) { // ms
    file_descriptor file(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file.is_open() && file.inode() == inode) return file;
    if (file.is_open()) errno = ESTALE;
    if (wait > 512 || (errno != ENOENT && errno != ESTALE)) return file_descriptor();
    std::this_thread::sleep_for(std::chrono::milliseconds(wait));
    file_descriptor(folder_of(name), O_RDONLY | O_DIRECTORY);
  }
}

template <meeting_ranks Ranks> class joint_file {
public:
  joint_file(Ranks& ranks, file_at at) : ranks_(ranks), at_(std::move(at)) {}
  joint_file(joint_file const&) = delete;
  joint_file& operator=(joint_file const&) = delete;
  ~joint_file() { // nothing has this name once it is published; while it has, the lock is held
    if (is_first() && file_.has_name(name_)) ::unlink(name_.c_str());
  }

  // f(), before the file is open: what it throws all ranks have as their error.
  template <class F> void prepare(F const& f) {
#if WEFT_EXCEPTIONS
    try {
      f();
    } catch (io_error const& e) {
      say("=", e.what());
    } catch (std::exception const& e) {
      say("!", e.what());
    } catch (...) {
      say("!", "an exception of an unknown type");
    }
#else // raise ends the process
    f();
#endif
  }
  // `start`: the first bytes, which rank 0 writes. `hash`: of what the file will be, which all
  // ranks must mean alike.
  void open(std::uint64_t hash, std::string_view start, extent size) {
    prepare([&] {
      temporary_.emplace(at_);
      name_ = with_room(temporary_->target()) + ".ranks.tmp";
    });
    if (is_first() && wrong_.size() == 0) start_file(start, size);
    std::vector<message> const all = meet(hash, is_first() ? file_.inode() : 0);
    for (std::size_t r = 1; r < all.size(); ++r)
      if (number_in(all[r], 0) != number_in(all[0], 0))
        raise_file(at_, "give the same arrays, slices and metadata on all ranks",
                   "rank 0 and rank ", static_cast<extent>(r), " mean different files");
    if (is_first()) return;
    file_ = open_next(name_, number_in(all[0], 1));
    note(file_.is_open());
  }
  bool put(extent place, void const* data, std::size_t bytes) noexcept {
    if (wrong_.size() > 0) return false;
    note(write_all(data, bytes, [&](char const* next, std::size_t left, std::size_t done) {
      return ::pwrite(file_.number(), next, left,
                      static_cast<::off_t>(place) + static_cast<::off_t>(done));
    }));
    return wrong_.size() == 0;
  }
  void commit() {
    if (wrong_.size() == 0) note(file_.synchronise());
    meet(0, 0); // all bytes are on the disk
    if (is_first()) publish();
    meet(0, 0); // and under their name
  }

private:
  bool is_first() const { return ranks_.rank() == 0; }
  void start_file(std::string_view start, extent size) {
    file_ = open_first(name_);
    if (!file_.is_open() && errno == EWOULDBLOCK) return say("?", "");
    note(file_.is_open());
    if (wrong_.size() == 0) note(reserve(file_, size));
    if (file_.is_open() && file_.inode() == 0) say("!", "its file system has no inode numbers");
    put(0, start.data(), start.size());
    if (wrong_.size() == 0) note(file_.synchronise()); // nothing of it comes after others' bytes
  }
  // Where there are no locks, another job may have taken the name.
  void publish() {
    bool const own = file_.has_name(name_);
    if (!own) errno = ESTALE;
    note(own && temporary_->try_publish(name_));
  }

  // The first error of this rank, for all: "=" and a whole text; "?": another job has the file; "!"
  // and words.
  void say(char const* mark, char const* words) noexcept {
    if (wrong_.size() == 0) wrong_.add(mark).add(words);
  }
  void note(bool right) noexcept {
    if (!right) say("!", std::strerror(errno));
  }
  // All go on, or all have the first error.
  std::vector<message> meet(std::uint64_t first, std::uint64_t second) {
    message numbers;
    numbers.add(static_cast<extent>(first)).add(" ").add(static_cast<extent>(second));
    std::vector<message> all = ranks_.texts_of_all(wrong_.size() > 0 ? wrong_ : numbers);
    for (std::size_t r = 0; r < all.size(); ++r) expect_right(static_cast<extent>(r), all[r]);
    return all;
  }
  void expect_right(extent rank, message const& text) const {
    char const* const words = text.c_str();
    if (*words == '?')
      raise_file(at_, "wait for it, or give another path", "another job writes this file");
    if (*words == '!')
      raise_file(at_, "all ranks end so, and the file that was there is unchanged", "rank ", rank,
                 ": ", words + 1);
    if (*words == '=') raise<io_error>(rank == 0 ? message(words + 1) : text_of(rank, words + 1));
  }
  // "weft: save: <what is wrong>" of another rank than 0, which has no such error: whose it is.
  message text_of(extent rank, char const* theirs) const {
    message text("weft: ");
    text.add(at_.op).add(": ");
    std::string_view const start(text.c_str());
    char const* const rest = std::string_view(theirs).starts_with(start) ? theirs + start.size()
                                                                         : theirs;
    return text.add("rank ").add(rank).add(": ").add(rest);
  }
  // Number k of a text.
  static std::uint64_t number_in(message const& text, int k) {
    char* next = nullptr;
    auto const first = std::strtoll(text.c_str(), &next, 10);
    return static_cast<std::uint64_t>(k == 0 ? first : std::strtoll(next, nullptr, 10));
  }

  Ranks& ranks_;
  file_at at_;
  file_descriptor file_;
  std::string name_;                        // its own, until it has its place's
  std::optional<temporary_file> temporary_; // the place
  message wrong_;
};

} // namespace detail
} // namespace weft::inline v0

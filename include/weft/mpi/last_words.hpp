// SPDX-License-Identifier: BSL-1.0
// last_words: on SIGTERM a rank that waits says where, and for whom; then it ends as it would have.
// mpirun ends all ranks so when one was killed: of its own accord nobody would say in which call.
// Needs: a program that does not handle SIGTERM itself; then nothing is done. Leaves: nothing that
// allocates or locks in the handler.
#pragma once

#include <weft/mpi/transport.hpp>

#include <csignal>
#include <unistd.h>

namespace weft::inline v0::mpi {

class last_words {
public:
  explicit last_words(transport const& of) {
    struct sigaction before {};
    if (sigaction(SIGTERM, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
    speaker() = &of;
    struct sigaction mine {};
    mine.sa_handler = &say;
    installed_ = sigaction(SIGTERM, &mine, nullptr) == 0;
  }
  last_words(last_words const&) = delete;
  last_words& operator=(last_words const&) = delete;
  ~last_words() {
    if (!installed_) return;
    std::signal(SIGTERM, SIG_DFL);
    speaker() = nullptr;
  }

private:
  static transport const*& speaker() {
    static transport const* of = nullptr;
    return of;
  }
  static void say(int signal) {
    if (transport const* const of = speaker(); of != nullptr) {
      message text = of->waits_where();
      if (text.size() > 0) {
        text.add(", and the job is ended from outside\n");
        [[maybe_unused]] auto const written = write(STDERR_FILENO, text.c_str(),
                                                    static_cast<std::size_t>(text.size()));
      }
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  bool installed_ = false;
};

} // namespace weft::inline v0::mpi

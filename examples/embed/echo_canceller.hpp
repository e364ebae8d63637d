// SPDX-License-Identifier: BSL-1.0
// An echo canceller, which runs once per sample of a telephone call: it learns how the loudspeaker
// sounds in the microphone, and takes that away (normalised least mean squares; Haykin, Adaptive
// Filter Theory, chapter 6).
#pragma once

#include <weft/run/compiled.hpp>
#include <weft/weft.hpp>

template <template <class, auto...> class array> struct room {
  array<float, 128> echo; // what is known of it
  array<float, 128> past; // what the loudspeaker played, the last first
};
inline constexpr auto cancel_echo = [](auto r, auto loudspeaker, auto microphone) {
  r.past = weft::set<"0">(weft::roll<1, 0>(r.past), loudspeaker);
  auto clean = microphone - dot(r.echo, r.past);
  r.echo = r.echo + r.past * (0.5f * clean / (0.01f + dot(r.past, r.past)));
  return std::pair(r, clean);
};
using echo_canceller = weft::compiled<cancel_echo, room<weft::tensor>, float, float>;

// SPDX-License-Identifier: BSL-1.0
// plot(path, labels, {series...}): lines and points in a file, .svg or .png, by plplot. A build
// without it (Debian: libplplot-dev, and plplot-driver-cairo for .png) says so in a line, and draws
// nothing.
// Leaves: std::runtime_error, a line, for a path that is of another kind or cannot be written.
#pragma once

#if __has_include(<plplot/plplot.h>)
#include <plplot/plplot.h>
#endif

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace examples {

struct series {
  std::string name;
  bool points = false; // or a line
  std::vector<double> x, y;
};
struct labels {
  std::string title, x, y;
};

namespace detail {
inline void check_kind(std::string const& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".png"))
    throw std::runtime_error(path + " is no name of a picture; give one with .svg or .png");
}
} // namespace detail

#if __has_include(<plplot/plplot.h>)

namespace detail {

struct range {
  double least = 1e300, most = -1e300;
  void take(std::vector<double> const& values) {
    for (double v : values) least = std::min(least, v), most = std::max(most, v);
  }
  void widen() { // one value is a range, too
    if (!(least < most)) most = least + 1;
  }
};

// Black on white, then colours that are told apart without seeing red and green (Okabe, Ito 2008).
inline void set_colours() {
  PLINT red[] = {255, 0, 140, 0, 230, 0}, green[] = {255, 0, 140, 114, 159, 158};
  PLINT blue[] = {255, 0, 140, 178, 0, 115};
  plscmap0(red, green, blue, 6);
}

inline void draw(series const& s, int number) {
  int const count = static_cast<int>(s.x.size());
  plcol0(2 + number % 4);
  if (s.points) plpoin(count, s.x.data(), s.y.data(), 17); // dots
  else plline(count, s.x.data(), s.y.data());
  plmtex("t", -1.5 * (number + 1), 0.97, 1.0, s.name.c_str());
}

} // namespace detail

inline void plot(std::string const& path, labels const& text, std::vector<series> const& all) {
  detail::check_kind(path);
  std::FILE* const file = std::fopen(path.c_str(), "wb"); // plplot would ask on the terminal
  if (file == nullptr) throw std::runtime_error("cannot write " + path);
  std::fclose(file);

  detail::range x, y;
  for (series const& s : all) x.take(s.x), y.take(s.y);
  x.widen();
  y.widen();
  double const margin = 0.05 * (y.most - y.least);
  plsdev(path.ends_with(".svg") ? "svg" : "pngcairo");
  plsfnam(path.c_str());
  plspage(0, 0, 720, 440, 0, 0);
  detail::set_colours();
  plinit();
  plcol0(1);
  plschr(0, 0.8);
  plenv(x.least, x.most, y.least - margin, y.most + 5 * margin, 0, 0); // names above
  pllab(text.x.c_str(), text.y.c_str(), text.title.c_str());
  plwidth(2);
  for (int number = 0; series const& s : all) detail::draw(s, number++);
  plend();
  std::printf("drawn: %s\n", path.c_str());
}

#else

inline void plot(std::string const& path, labels const&, std::vector<series> const&) {
  detail::check_kind(path);
  std::printf("%s is not drawn: this build has no plplot (libplplot-dev)\n", path.c_str());
}

#endif

} // namespace examples

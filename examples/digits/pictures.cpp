// SPDX-License-Identifier: BSL-1.0
#include "pictures.hpp"

#include <weft/io/png.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace digits {

namespace {

constexpr weft::sym high{"high"};
constexpr weft::sym across{"across"};

struct colour {
  std::uint8_t red = 255, green = 255, blue = 255;
};

class picture {
public:
  picture(int width, int height)
      : width_(width), height_(height), points_(static_cast<std::size_t>(width * height)) {}

  void fill(int x, int y, int size, colour c) {
    for (int i = y; i < y + size; ++i) std::fill_n(points_.begin() + i * width_ + x, size, c);
  }

  void save(std::string const& path) const {
    weft::save_png(path, weft::borrow<high, across, 3>(&points_.data()->red, height_, width_));
  }

private:
  int width_, height_;
  std::vector<colour> points_;
};

// Cells in rows, with a white margin around each.
struct grid {
  int cells, in_a_row, width, height, margin = 8;

  int x(int cell) const { return margin + cell % in_a_row * (width + margin); }
  int y(int cell) const { return margin + cell / in_a_row * (height + margin); }
  picture paper() const {
    int const rows = std::max((cells + in_a_row - 1) / in_a_row, 1);
    return {margin + in_a_row * (width + margin), margin + rows * (height + margin)};
  }
};

std::uint8_t shade(float darkness) {
  return static_cast<std::uint8_t>(std::lround(255 * (1 - darkness)));
}
colour colour_of(float weight, float largest) {
  std::uint8_t const other = shade(largest > 0 ? std::abs(weight) / largest : 0);
  return weight < 0 ? colour{other, other, 255} : colour{255, other, other};
}

// Digits of 3 x 5 points, row by row from the top, a bit each.
constexpr int font[classes] = {
    0b111101101101111, 0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001,
    0b111100111001111, 0b111100111101111, 0b111001001001001, 0b111101111101111, 0b111101111001111};

void write_digit(picture& p, int digit, int x, int y, int size, colour c) {
  for (int point = 0; point < 15; ++point)
    if ((font[digit] >> (14 - point) & 1) != 0)
      p.fill(x + point % 3 * size, y + point / 3 * size, size, c);
}

} // namespace

void draw_filters(std::string const& path, parameters const& p) {
  constexpr int point = 16;
  grid const g{.cells = narrow, .in_a_row = 8, .width = 3 * point, .height = 3 * point};
  picture paper = g.paper();
  float largest = 0;
  for (float weight : p.first) largest = std::max(largest, std::abs(weight));
  for (int filter = 0; filter < narrow; ++filter)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        paper.fill(g.x(filter) + j * point, g.y(filter) + i * point, point,
                   colour_of(p.first(i, j, 0, filter), largest));
  paper.save(path);
}

void draw_mistakes(std::string const& path, held_out_scans const& scans,
                   std::vector<reading> const& mistakes) {
  constexpr int point = 10, caption = 4;
  grid const g{.cells = static_cast<int>(mistakes.size()),
               .in_a_row = 6,
               .width = side * point,
               .height = side * point + 7 * caption};
  picture paper = g.paper();
  for (int cell = 0; reading const& r : mistakes) {
    int const x = g.x(cell), y = g.y(cell);
    for (int k = 0; k < pixels; ++k) {
      std::uint8_t const grey = shade(static_cast<float>(scans(r.scan, k)) / 16);
      paper.fill(x + k % side * point, y + k / side * point, point, {grey, grey, grey});
    }
    int const below = y + side * point + caption;
    write_digit(paper, r.digit, x + 2 * point, below, caption, {0, 128, 0});
    write_digit(paper, r.read, x + 5 * point, below, caption, {200, 0, 0});
    ++cell;
  }
  paper.save(path);
}

} // namespace digits

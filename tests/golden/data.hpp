// SPDX-License-Identifier: BSL-1.0
// Arrays of the golden data (format: README.md of the data folder) and what "equal" means for them.
//   read(folder, {"f32.npy", 120, "f32", {2, 3}})   the elements, out of a flat pack
//   difference(got, want, tolerance)                "" within the tolerance, else the first place
// Needs: the standard library only, so that nothing of weft judges weft. Errors: data_error where
// a pack is missing, is no .npy of version 1.0, holds another type, or ends too early.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

struct data_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Names of element types are the data's: f32 f64 f16 bf16 i8 ... u64 bool.
struct array {
  std::string type;
  std::vector<long> shape;
  std::vector<std::byte> bytes; // row-major
};
struct reference {
  std::string file;
  long offset = 0; // in elements
  std::string type;
  std::vector<long> shape;
};

enum class measure {
  exact,  // equal values; NaN meets NaN, -0 meets +0
  bits,   // equal bits; NaN meets NaN
  close,  // |got - want| <= second + first * |want|
  ulp,    // at most `first` steps of the type, and at most the share `second` differs at all
  scaled, // |got - want| <= first * the largest |want| of the array
};
struct tolerance {
  measure how = measure::exact;
  double first = 0, second = 1;
  bool signs = false; // the sign of zeros (ulp) and of NaNs (bits) counts, too
};

long count_of(std::vector<long> const& shape);
std::size_t size_of(std::string const& type); // data_error: no such type
std::string print_type(std::string const& type, std::vector<long> const& shape);

array read(std::string const& folder, reference const& r);
std::string difference(array const& got, array const& want, tolerance const& t);

} // namespace golden

// SPDX-License-Identifier: BSL-1.0
// Arrays in files: .npy, .safetensors, and files that are there whole or not at all.
//   save_npy("x.npy", x);                    auto y = load_npy<float, rows, 3>("x.npy");
//   save_safetensors("p.safetensors", p);    auto q = load_safetensors<params<tensor>>("p.safetensors");
// Needs: nlohmann-json (Debian: nlohmann-json3-dev). Archives are in <weft/io/npz.hpp>, which needs
// libzip. No other header of weft includes these.
#pragma once

#include <weft/io/atomic_file.hpp>
#include <weft/io/npy.hpp>
#include <weft/io/safetensors.hpp>

// SPDX-License-Identifier: BSL-1.0
// Functions over meshes of ranks that are processes under MPI: docs/scaling.md. Not part of weft.hpp.
//   constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
//   weft::mpi::session job(m, argc, argv);               // mpirun -n 4 ./app
//   auto g = weft::jit<step>(job, w, x, y);              // each rank with its own x and y
// Needs: Boost.MPI, Open MPI (Debian: libboost-mpi-dev openmpi-bin).
#pragma once

#include <weft/mesh.hpp> // first: errors print the way to it

#include <weft/mpi/session.hpp>

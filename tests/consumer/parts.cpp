// SPDX-License-Identifier: BSL-1.0
// The headers that need a package; each is used once, so that includes alone do not pass.
#include <weft/weft.hpp>

#if defined(WITH_io)
#include <weft/io.hpp>
void save(weft::tensor<float, 2> const& x) { weft::save_npy("x.npy", x); }
#endif
#if defined(WITH_npz)
#include <weft/io/npz.hpp>
void pack(weft::tensor<float, 2> const& x) { weft::save_npz("x.npz", weft::named("x", x)); }
#endif
#if defined(WITH_png)
#include <weft/io/png.hpp>
void draw(weft::tensor<float, 2, 2> const& x) { weft::save_png("x.png", x); }
#endif
#if defined(WITH_opencl)
#include <weft/opencl.hpp>
static_assert(sizeof(weft::opencl::device) > 0);
#endif
#if defined(WITH_dlpack)
#include <weft/dlpack.hpp>
DLManagedTensor* given(weft::tensor<float, 2> x) { return weft::to_dlpack(std::move(x)); }
#endif
#if defined(WITH_eigen)
#include <weft/eigen.hpp>
auto solved(weft::tensor<float, 3, 3> const& a, weft::tensor<float, 3> const& b) {
  return weft::linalg::solve(a, b);
}
#endif
#if defined(WITH_xsimd)
#include <weft/xsimd.hpp>
using target = weft::cpu::xsimd_target<>;
#endif
#if defined(WITH_mpi)
#include <weft/mpi.hpp>
weft::extent place(weft::mpi::session const& job) { return job.rank(); }
#endif

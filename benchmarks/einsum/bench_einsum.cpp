// SPDX-License-Identifier: BSL-1.0
// ./dev bench einsum: products over axes that do not lie as a library of matrices wants them, beside
// oneDNN and OpenBLAS told strides, Eigen Tensor, and copies into matrices before OpenBLAS.
#include "../common/arrays.hpp"
#include "../common/blas.hpp"
#include "../common/eigen_tensor.hpp"
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"
#ifdef WEFT_HAS_DNNL
#include "../common/onednn_product.hpp"

#include <omp.h>
#endif

namespace {
using namespace bench;
using weft::tensor;

template <weft::fixed_string Spec>
inline constexpr auto einsum_of =
    [](auto const& x, auto const& y) { return weft::einsum<Spec>(x, y); };

// weft and the limit of a product with k steps per element; `peers` adds the others.
template <weft::fixed_string Spec, class X, class Y, class Peers>
contest product_of(char const* name, int results, int k, Peers peers) {
  double const operations = 2.0 * results * k;
  // Two orders of a chain of k roundings, of which few go the same way.
  return {
      std::string(name) + " " + Spec.characters, {operations}, 1.2e-7 + 6e-8 * k, [=](int threads) {
        auto const count = [](auto const& t) { return static_cast<std::size_t>(t.size()); };
        arrays const x({count(X()), count(Y())}, static_cast<std::size_t>(results));
        std::vector<side> all{
            weft_side<einsum_of<Spec>>(threads, filled<X>(*x.in[0]), filled<Y>(*x.in[1])),
            arithmetic_limit(arithmetic::f32, operations, threads)};
        peers(all, x, threads);
        return all;
      }};
}

// ---- batched: the matrices of x, y and the result are strided parts of their arrays
struct part {
  int batch, head, row, column; // elements between neighbours along these
};
struct batched {
  int batches, heads, m, n, k;
  part x, y, out; // y: columns of length k
};

side blas_side(blas const& library, arrays const& x, batched const& p, int threads) {
  return x.peer(library.name, [=, in = x[0], other = x[1], out = x.result()] {
    library.set_threads(threads);
    bool const turned = p.y.row == 1; // k is innermost
    for (int b = 0; b < p.batches; ++b)
      for (int h = 0; h < p.heads; ++h)
        library.sgemm(row_major, plain, turned ? transposed : plain, p.m, p.n, p.k, 1,
                      in + b * p.x.batch + h * p.x.head, p.x.row,
                      other + b * p.y.batch + h * p.y.head, turned ? p.y.column : p.y.row, 0,
                      out + b * p.out.batch + h * p.out.head, p.out.row);
  });
}
#ifdef WEFT_HAS_EIGEN
side eigen_side(arrays const& x, batched const& p, int threads) {
  return x.peer("Eigen", [=, in = x[0], other = x[1], out = x.result()] {
    using matrix = Eigen::Matrix<float, -1, -1, Eigen::RowMajor>;
    using outer = Eigen::OuterStride<>;
    Eigen::setNbThreads(threads);
    for (int b = 0; b < p.batches; ++b)
      for (int h = 0; h < p.heads; ++h) {
        Eigen::Map<matrix const, 0, outer> const left(in + b * p.x.batch + h * p.x.head, p.m, p.k,
                                                      outer(p.x.row));
        Eigen::Map<matrix, 0, outer> to(out + b * p.out.batch + h * p.out.head, p.m, p.n,
                                        outer(p.out.row));
        float const* const at = other + b * p.y.batch + h * p.y.head;
        if (p.y.row == 1)
          to.noalias() = left * Eigen::Map<Eigen::MatrixXf const, 0, outer>(at, p.k, p.n,
                                                                            outer(p.y.column));
        else to.noalias() = left * Eigen::Map<matrix const, 0, outer>(at, p.k, p.n, outer(p.y.row));
      }
  });
}
#endif
#ifdef WEFT_HAS_DNNL
side onednn_side(arrays const& x, batched const& p, int threads) {
  using dims = dnnl::memory::dims;
  auto const array = [&](part const& s, int rows, int columns, float* data) {
    return onednn_product::array{dims{p.batches, p.heads, rows, columns},
                                 dims{s.batch, s.head, s.row, s.column}, data};
  };
  omp_set_num_threads(threads);
  auto const product = std::make_shared<onednn_product>(
      dnnl::memory::data_type::f32, array(p.x, p.m, p.k, x.in[0]->data()),
      array(p.y, p.k, p.n, x.in[1]->data()), array(p.out, p.m, p.n, x.result()), false);
  return x.peer("oneDNN", [product, threads] {
    omp_set_num_threads(threads);
    product->run();
  });
}
#endif
auto const matrix_peers = [](batched p) {
  return [p](std::vector<side>& all, arrays const& x, int threads) {
#ifdef WEFT_HAS_EIGEN
    all.push_back(eigen_side(x, p, threads));
#endif
    for (blas const& library : blas_libraries()) all.push_back(blas_side(library, x, p, threads));
#ifdef WEFT_HAS_DNNL
    all.push_back(onednn_side(x, p, threads));
#endif
  };
};

// Attention over arrays (batch, time, head, width), as a layer before it leaves them.
template <int B, int H, int T, int D> contest scores() {
  return product_of<"bqhd,bkhd->bhqk", tensor<float, B, T, H, D>, tensor<float, B, T, H, D>>(
      "attention scores", B * H * T * T, D,
      matrix_peers({B,
                    H,
                    T,
                    T,
                    D,
                    {T * H * D, D, H * D, 1},
                    {T * H * D, D, 1, H * D},
                    {H * T * T, T * T, T, 1}}));
}
template <int B, int H, int T, int D> contest values() {
  return product_of<"bhqk,bkhd->bqhd", tensor<float, B, H, T, T>, tensor<float, B, T, H, D>>(
      "attention values", B * H * T * D, T,
      matrix_peers({B,
                    H,
                    T,
                    D,
                    T,
                    {H * T * T, T * T, T, 1},
                    {T * H * D, D, H * D, 1},
                    {T * H * D, D, H * D, 1}}));
}

// ---- several axes summed, or results in another order
using quad = std::array<int, 4>;

// to: row-major over extents; from: the same elements at strides.
void copy_permuted(float const* from, quad const& extents, quad const& strides, float* to) {
  for (int a = 0; a < extents[0]; ++a)
    for (int b = 0; b < extents[1]; ++b)
      for (int c = 0; c < extents[2]; ++c) {
        float const* const line = from + a * strides[0] + b * strides[1] + c * strides[2];
        for (int d = 0; d < extents[3]; ++d) *to++ = line[d * strides[3]];
      }
}

// As matrices: x to m x k, y to k x n, and m x n to the result.
struct by_copies {
  int m, n, k;
  quad x_extents, x_strides, y_extents, y_strides, out_extents, out_strides;
};
void add_copies(std::vector<side>& all, arrays const& x, int threads, by_copies const& p) {
  for (blas const& library : blas_libraries())
    all.push_back(
        x.peer("copies, " + library.name, [=, in = x[0], other = x[1], out = x.result(),
                                           a = std::make_shared<std::vector<float>>(p.m * p.k),
                                           b = std::make_shared<std::vector<float>>(p.k * p.n),
                                           c = std::make_shared<std::vector<float>>(p.m * p.n)] {
          library.set_threads(threads);
          copy_permuted(in, p.x_extents, p.x_strides, a->data());
          copy_permuted(other, p.y_extents, p.y_strides, b->data());
          library.sgemm(row_major, plain, plain, p.m, p.n, p.k, 1, a->data(), p.k, b->data(), p.n,
                        0, c->data(), p.n);
          copy_permuted(c->data(), p.out_extents, p.out_strides, out);
        }));
}

// Both summed axes of both operands, in opposite orders.
template <int A, int B, int I, int J> contest two_axes() {
  return product_of<"aib,bja->ij", tensor<float, A, I, B>, tensor<float, B, J, A>>(
      "two axes", I * J, A * B, [](std::vector<side>& all, arrays const& x, int threads) {
#ifdef WEFT_HAS_EIGEN
        all.push_back(x.peer("Eigen Tensor", [in = x[0], other = x[1], out = x.result(),
                                              on = std::make_shared<tensor_devices>(threads)] {
          using left = Eigen::TensorMap<Eigen::Tensor<float const, 3, Eigen::RowMajor>>;
          Eigen::array<Eigen::IndexPair<int>, 2> const summed{Eigen::IndexPair<int>(0, 2),
                                                              Eigen::IndexPair<int>(2, 0)};
          left const p(in, A, I, B), q(other, B, J, A);
          eigen_tensor<2> to(out, I, J);
          (*on)([&](auto const& device) { to.device(device) = p.contract(q, summed); });
        }));
#endif
        add_copies(all, x, threads,
                   {I,
                    J,
                    A * B,
                    {1, I, A, B},
                    {0, B, I * B, 1},
                    {1, A, B, J},
                    {0, 1, J * A, A},
                    {1, 1, I, J},
                    {0, 0, J, 1}});
      });
}
// Two axes of each left, mixed in the result.
template <int E> contest mixed() {
  constexpr int e2 = E * E, e3 = e2 * E;
  using array = tensor<float, E, E, E, E>;
  return product_of<"abcd,debf->cafe", array, array>(
      "mixed axes", e2 * e2, e2, [](std::vector<side>& all, arrays const& x, int threads) {
#ifdef WEFT_HAS_EIGEN
        all.push_back(x.peer("Eigen Tensor", [in = x[0], other = x[1], out = x.result(),
                                              on = std::make_shared<tensor_devices>(threads)] {
          using left = Eigen::TensorMap<Eigen::Tensor<float const, 4, Eigen::RowMajor>>;
          Eigen::array<Eigen::IndexPair<int>, 2> const summed{Eigen::IndexPair<int>(1, 2),
                                                              Eigen::IndexPair<int>(3, 0)};
          Eigen::array<int, 4> const order{1, 0, 3, 2}; // of (a, c, e, f)
          left const p(in, E, E, E, E), q(other, E, E, E, E);
          eigen_tensor<4> to(out, E, E, E, E);
          (*on)([&](auto const& device) {
            to.device(device) = p.contract(q, summed).shuffle(order);
          });
        }));
#endif
        // x (a, b, c, d) to (c, a, b, d), y (d, e, b, f) to (b, d, f, e).
        add_copies(all, x, threads,
                   {e2,
                    e2,
                    e2,
                    {E, E, E, E},
                    {E, e3, e2, 1},
                    {E, E, E, E},
                    {E, e3, 1, e2},
                    {E, E, E, E},
                    {e3, e2, E, 1}});
      });
}

} // namespace

int main(int argc, char** argv) {
  return bench::compete("einsum", argc, argv,
                        {scores<4, 8, 128, 64>(), scores<1, 12, 512, 64>(), values<4, 8, 128, 64>(),
                         values<1, 12, 512, 64>(), two_axes<16, 16, 256, 256>(),
                         two_axes<8, 64, 64, 512>(), mixed<16>(), mixed<24>()});
}

// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core Eigen3::Eigen
// build: alone
// weft::fft: NumPy's values, the sum it stands for at many lengths, axes, norms, batches, names,
// derivatives, and the same bits in programs.
#include "lang/recorded.hpp"
#include "numpy_linalg.hpp"
#include "run/compiled.hpp"

#include <weft/fft.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/vmap.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/testing/check_gradient.hpp>

#include <cmath>

namespace {

using namespace weft;
using recorded::values;

constexpr sym n{"n"};

template <class T, auto... E, class... N> tensor<T, E...> some(int seed, N... names) {
  tensor<T, E...> x(names...);
  auto m = x.mutate();
  for (extent i = 0; i < x.size(); ++i)
    m.data()[i] = static_cast<T>((seed * 37 + 53 * i * i + 29 * i) % 65 - 32) / 16;
  return x;
}
constexpr auto there = [](auto re, auto im) { return fft::fft(re, im); };
constexpr auto back = [](auto re, auto im) { return fft::ifft(re, im); };

// The sum in long double.
template <class T>
void expect_sum(std::vector<dense> const& found, tensor<T, n> const& re, tensor<T, n> const& im,
                int sign, long double by) {
  long double const turn = 2 * std::acos(-1.0L) / static_cast<long double>(re.size());
  for (extent k = 0; k < re.size(); ++k) {
    long double a = 0, b = 0;
    for (extent t = 0; t < re.size(); ++t) {
      long double const angle = sign * turn * static_cast<long double>(k * t % re.size());
      a += re(t) * std::cos(angle) - im(t) * std::sin(angle);
      b += re(t) * std::sin(angle) + im(t) * std::cos(angle);
    }
    double const most = 4e-16 * static_cast<double>(re.size()) * (sizeof(T) == 4 ? 5e8 : 1);
    EXPECT_NEAR(element_of_word<T>(found[0][static_cast<int>(k)]), static_cast<double>(by * a),
                most);
    EXPECT_NEAR(element_of_word<T>(found[1][static_cast<int>(k)]), static_cast<double>(by * b),
                most);
  }
}
template <class T> void expect_sums(int length) {
  auto const re = some<T, n>(1, length);
  auto const im = some<T, n>(2, length);
  auto const list = [](growing<dense> const& d) { return std::vector<dense>(d.begin(), d.end()); };
  expect_sum(list(recorded::run(there, re, im)), re, im, -1, 1);
  expect_sum(list(recorded::run(back, re, im)), re, im, 1, 1 / static_cast<long double>(length));
}
TEST(fft, is_the_sum_at_every_length) {
  for (int length : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 30, 49, 64, 97, 100}) {
    expect_sums<double>(length);
    expect_sums<float>(length);
  }
  EXPECT_EQ(recorded::run(there, some<double, 2, 0>(1), some<double, 2, 0>(1))[0].size(), 0);
}
void expect_numpy(double const* numbers, std::vector<double> const& found) {
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], numbers[i], 1e-14) << i;
}
template <fft::norm Norm> std::vector<double> of_line(tensor<double, 7> const& x) {
  auto const both = [](auto v) {
    auto [re, im] = fft::rfft<Norm>(v);
    return concatenate<0>(re, im);
  };
  auto const found = values<double>(both, x);
  EXPECT_EQ(found.size(), 8u);
  return found;
}
TEST(fft, has_numpys_values) {
  tensor<double, 7> x;
  for (int i = 0; i < 7; ++i) x.mutate()(i) = numpy::line[i];
  expect_numpy(numpy::rfft_backward, of_line<fft::norm::backward>(x));
  expect_numpy(numpy::rfft_ortho, of_line<fft::norm::ortho>(x));
  expect_numpy(numpy::rfft_forward, of_line<fft::norm::forward>(x));
  auto const eight = [](auto v) { return fft::irfft<8>(at<":5">(v), at<"2:">(v)); };
  auto const as_said = [](auto v) { return fft::irfft(at<":5">(v), at<"2:">(v)); };
  auto const nine = [](auto v) { return fft::irfft<9>(at<":5">(v), at<"2:">(v)); };
  expect_numpy(numpy::irfft_8, values<double>(eight, x));
  expect_numpy(numpy::irfft_8, values<double>(as_said, x));
  expect_numpy(numpy::irfft_9, values<double>(nine, x));
}
template <fft::norm Norm, int Axis> double way_back(tensor<double, 3, 4, 5> const& x) {
  auto const both = [](auto v) {
    auto [a, b] = fft::fft<Norm, Axis>(v, v * v);
    auto [c, d] = fft::ifft<Norm, Axis>(a, b);
    auto [e, f] = fft::rfft<Norm, Axis>(v);
    constexpr int count = Axis == 1 ? 4 : Axis == 0 ? 3 : 5;
    return std::tuple(c - v, d - v * v, fft::irfft<count, Norm, Axis>(e, f) - v);
  };
  double most = 0;
  for (dense const& d : recorded::run(both, x))
    for (word w : d.words) most = std::fmax(most, std::abs(element_of_word<double>(w)));
  return most;
}
TEST(fft, there_and_back_along_every_axis) {
  auto const x = some<double, 3, 4, 5>(1);
  EXPECT_LT((way_back<fft::norm::backward, -1>(x)), 1e-14);
  EXPECT_LT((way_back<fft::norm::ortho, 0>(x)), 1e-14);
  EXPECT_LT((way_back<fft::norm::forward, 1>(x)), 1e-14);
  // Each line as alone.
  auto const columns = [](auto v) { return fft::rfft<fft::norm::backward, 0>(v).first; };
  auto const mapped = vmap<vmap_options{.out = 1}, 1>([](auto v) { return fft::rfft(v).first; });
  auto const y = some<double, 6, 3>(2);
  EXPECT_EQ(values<double>(columns, y), values<double>(mapped, y));
}
TEST(fft, derivatives) {
  auto const expect = [](auto const& f, auto const&... a) {
    graph const g = canonical(record<std::remove_cvref_t<decltype(a)>...>(f));
    growing<dense> inputs;
    (recorded::push(inputs, a), ...);
    auto const run = [](graph_view p, growing<dense> const& in) { return test::meaning_of(p, in); };
    auto const report = check_gradient(g, inputs, run, 512);
    EXPECT_TRUE(report) << report.text().c_str();
    EXPECT_TRUE(report.has_forward && report.has_reverse);
  };
  auto const a = some<double, 2, 5>(1);
  auto const b = some<double, 2, 5>(2);
  expect(there, a, b);
  expect([](auto x, auto y) { return fft::ifft<fft::norm::ortho, 0>(x * y, x); }, a, b);
  auto const power = [](auto x) {
    auto [re, im] = fft::rfft(x);
    return re * re + im * im;
  };
  expect(power, a);
  expect(grad([&](auto x) { return sum(power(x)); }), a);
  expect([](auto x, auto y) { return fft::irfft<9>(x, y); }, a, b);
}
TEST(fft, one_that_is_not_finite_gives_nan) {
  tensor<double, 2, 3> const x = {{1, INFINITY, 2}, {1, 2, 3}};
  auto const y = values<double>([](auto v) { return fft::rfft(v).first; }, x);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(std::isnan(y[i]), i < 2);
}
// An exported call has its host function's name alone.
TEST(fft, calls_are_named_with_their_factors) {
  auto const name = [](auto const& f) {
    graph const g = canonical(record<tensor<float, 4>, tensor<float, 4>>(f));
    return g.hosts.size() == 1 ? std::string(g.hosts[0]->name) : "";
  };
  EXPECT_EQ(name(there), "weft.fft.dft");
  EXPECT_EQ(name(back), "weft.fft.inverse_dft.by_count");
  EXPECT_EQ(name([](auto x, auto y) { return fft::fft<fft::norm::ortho>(x, y); }),
            "weft.fft.dft.by_root");
  EXPECT_EQ(name([](auto x, auto y) { return fft::ifft<fft::norm::forward>(x, y); }),
            "weft.fft.inverse_dft");
}
constexpr auto model = [](auto x) {
  auto [re, im] = fft::rfft<fft::norm::backward, 0>(x * 2);
  return fft::irfft<6, fft::norm::backward, 0>(re * 3, im) + 1;
};
TEST(fft, programs_have_the_interpreters_bits) {
  test::check<model>(some<float, 6, n>(1, 4));
  tensor<float, 4> const one = {1, 0, 0, 0};
  auto const [re, im] = fft::rfft(one);
  EXPECT_TRUE((re == tensor<float, 3>{1, 1, 1}));
  EXPECT_TRUE((im == tensor<float, 3>{}));
}

} // namespace

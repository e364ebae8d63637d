// SPDX-License-Identifier: BSL-1.0
// build: alone
// conv and conv_transpose at the typed door: the shapes, the node that is recorded, and
// values of the transposed one, of groups, biases and names (the golden family conv has the rest).
#include "recorded.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/conv.hpp>
#include <weft/lang/joining.hpp>

namespace {

using weft::conv_options, weft::conv_transpose_options, weft::convolution, weft::extent,
    weft::extents, weft::fixed_string, weft::op, weft::pads, weft::sym, weft::traced;

constexpr sym rows{"rows"};
constexpr sym batch{"batch"};
constexpr sym channels{"channels"};
template <auto... E> using f = traced<float, E...>;
template <class X> X any() { return X{}; }

// shapes
template <class R, fixed_string Spec, class X, class W, conv_options O = conv_options{}>
inline constexpr bool gives = std::is_same_v<decltype(weft::conv<Spec, O>(any<X>(), any<W>())), R>;
template <class R, fixed_string Spec, class X, class W, conv_transpose_options O>
inline constexpr bool stamps =
    std::is_same_v<decltype(weft::conv_transpose<Spec, O>(any<X>(), any<W>())), R>;

static_assert(gives<f<8, 24, 24, 16>, "NHWC,HWIO->NHWC", f<8, 28, 28, 3>, f<5, 5, 3, 16>>);
static_assert(gives<f<8, 16, 24, 24>, "NHWC,HWIO->NCHW", f<8, 28, 28, 3>, f<5, 5, 3, 16>>);
static_assert(gives<f<1, 2, 2>, "NHC,CHF->NHF", f<1, 3, 2>, f<2, 2, 2>>);
static_assert(gives<f<3, 2>, "NC,IO->NC", f<3, 4>, f<4, 2>>);
static_assert(gives<f<>, ",->", f<>, f<>>);
static_assert(gives<f<2>, "H,H->H", f<4>, f<3>>);
static_assert(gives<f<2, 5>, "CH,HIO->HF", f<3, 4>, f<3, 3, 5>>);
static_assert(
    gives<f<2, 3, 4, 5, 1, 6>, "NabcdC,abcdIO->NabcdC", f<2, 3, 4, 5, 2, 1>, f<1, 1, 1, 2, 1, 6>>);
// The filter's text says which stride is whose: here W's is 2.
static_assert(gives<f<1, 5, 3, 1>, "NHWC,WHIO->NHWC", f<1, 5, 6, 1>, f<1, 1, 1, 1>,
                    conv_options{.strides = {2, 1}}>);
static_assert(
    gives<f<1, 4, 3, 2>, "NHWC,HWIO->NHWC", f<1, 7, 8, 2>, f<2, 4, 2, 2>,
          conv_options{.strides = {2, 3}, .padding = pads::same, .rhs_dilation = {2, 1}}>);
static_assert(gives<f<1, 0, 3>, "NHC,HIO->NHC", f<1, 2, 2>, f<4, 2, 3>>);
static_assert(
    gives<f<1, 2, 3>, "NHC,HIO->NHC", f<1, 2, 2>, f<4, 2, 3>, conv_options{.padding = {{2, 1}}}>);
static_assert(gives<f<1, 0, 3>, "NHC,HIO->NHC", f<1, 2, 2>, f<0, 2, 3>>); // no window, no place
static_assert(gives<f<0, 2, 3>, "NHC,HIO->NHC", f<0, 3, 0>, f<2, 0, 3>>);
static_assert(gives<f<2, 8, 13, 4>, "NHWC,HWIO->NHWC", f<4, 5, 6, 2>, f<2, 3, 2, 4>,
                    conv_options{.padding = {{-1, 1}, {3, -2}},
                                 .lhs_dilation = {2, 3},
                                 .rhs_dilation = {1, 2},
                                 .batch_groups = 2}>);
// depthwise, two features per channel
static_assert(gives<f<2, 6, 3, 4>, "NCHW,OIHW->NCHW", f<2, 3, 4, 5>, f<6, 1, 2, 2>,
                    conv_options{.feature_groups = 3}>);
// names
static_assert(gives<f<batch, rows, 6, 5>, "NHWC,HWIO->NHWC", f<batch, rows, 8, channels>,
                    f<1, 3, channels, 5>>);
static_assert(gives<f<rows, channels>, "HC,HIO->HC", f<rows, 2>, f<4, 2, channels>,
                    conv_options{.padding = pads::same}>);

// (n - 1) * stride + reach - low - high + output_padding
static_assert(stamps<f<1, 9, 9, 3>, "NHWC,HWIO->NHWC", f<1, 4, 4, 2>, f<3, 3, 2, 3>,
                     conv_transpose_options{.strides = 2}>);
static_assert(stamps<f<1, 3, 8, 8>, "NCHW,IOHW->NCHW", f<1, 2, 4, 4>, f<2, 3, 3, 3>,
                     conv_transpose_options{.strides = 2, .padding = 1, .output_padding = 1}>);
static_assert(
    stamps<f<1, 8, 12>, "NHC,HIO->NHC", f<1, 4, 6>, f<3, 6, 4>,
           conv_transpose_options{.strides = 2, .padding = pads::same, .feature_groups = 3}>);
static_assert(stamps<f<1, 6, 1>, "NHC,HIO->NHC", f<1, 2, 1>, f<1, 1, 1>,
                     conv_transpose_options{.strides = 3, .padding = pads::same}>);
static_assert(stamps<f<1, 0, 1>, "NHC,HIO->NHC", f<1, 0, 1>, f<3, 1, 1>, conv_transpose_options{}>);
static_assert(
    stamps<f<rows, 4>, "HC,HIO->HC", f<rows, 2>, f<3, 2, 4>, conv_transpose_options{.padding = 1}>);

// the node
template <fixed_string Spec, conv_options O = conv_options{}, class X, class W>
weft::graph one_conv(X const&, W const&) {
  return weft::record<X, W>([](auto x, auto w) { return weft::conv<Spec, O>(x, w); });
}
int count_of(weft::graph const& g, op code) {
  int n = 0;
  for (weft::node const& one : g.nodes) n += one.code == code ? 1 : 0;
  return n;
}
int only(weft::graph const& g, op code) {
  EXPECT_EQ(count_of(g, code), 1);
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].code == code) return i;
  return -1;
}
extents result_shape(weft::graph_view g) { return g.shape(g.outputs_of(0)[0]); }
// The letters of an array: 'G' groups, 'N' batch, 'C' and 'O', digits the windows it is bound by.
std::string letters(convolution const& c, extent const (&labels)[weft::max_rank], int rank) {
  std::string t;
  for (int i = 0; i < rank; ++i) {
    int window = -1;
    for (int k = 0; k < c.windows; ++k)
      if (c.window[k].x == labels[i] || c.window[k].w == labels[i] || c.window[k].out == labels[i])
        window = k;
    bool const x = c.in_x(labels[i]) >= 0, w = c.in_w(labels[i]) >= 0, o = c.in_out(labels[i]) >= 0;
    t += window >= 0   ? static_cast<char>('0' + window)
         : x && w && o ? 'G'
         : x && o      ? 'N'
         : x && w      ? 'C'
         : w && o      ? 'O'
                       : '?';
  }
  return t;
}
std::string letters(convolution const& c) {
  return letters(c, c.x, c.rank_x) + "," + letters(c, c.w, c.rank_w) + "->" +
         letters(c, c.out, c.rank_out);
}
convolution node_of(weft::graph const& g) { return weft::convolution_of(g, only(g, op::convolve)); }

using weft::tensor;

TEST(conv, has_the_labels_of_the_text) {
  EXPECT_EQ(letters(node_of(
                one_conv<"NHC,CHF->NHF">(tensor<float, 1, 3, 2>(), tensor<float, 2, 2, 2>()))),
            "N0C,C0O->N0O");
  weft::graph const g = one_conv<"WNHC,OWIH->HFNW">(tensor<float, 7, 2, 5, 3>(),
                                                    tensor<float, 4, 2, 3, 3>());
  EXPECT_EQ(letters(node_of(g)), "0N1C,O0C1->1ON0"); // windows in the filter's order
  EXPECT_EQ(count_of(g, op::reshape), 0);
  EXPECT_EQ(count_of(g, op::transpose), 0);
}

TEST(conv, binds_windows_by_the_options) {
  convolution const c = node_of(
      one_conv<"NHWC,HWIO->NHWC", conv_options{.strides = {2, 1},
                                               .padding = {{1, 0}, {-2, 3}},
                                               .lhs_dilation = {1, 3},
                                               .rhs_dilation = {1, 2},
                                               .reverse = {0, 1}}>(tensor<float, 1, 9, 9, 2>(),
                                                                   tensor<float, 3, 4, 2, 2>()));
  ASSERT_EQ(c.windows, 2);
  weft::convolution_window const &h = c.window[0], &w = c.window[1];
  EXPECT_EQ(h.stride, 2);
  EXPECT_EQ(h.dilation, 1);
  EXPECT_EQ(h.spread, 1);
  EXPECT_EQ(h.low, 1);
  EXPECT_EQ(w.stride, 1);
  EXPECT_EQ(w.dilation, -2); // from the end
  EXPECT_EQ(w.spread, 3);
  EXPECT_EQ(w.low, -2 - 3 * 2);
}

TEST(conv, splits_groups) {
  weft::graph const f = one_conv<"NHWC,HWIO->NHWC", conv_options{.feature_groups = 2}>(
      tensor<float, 3, 5, 5, 4>(), tensor<float, 2, 2, 2, 6>());
  EXPECT_EQ(letters(node_of(f)), "N01GC,01CGO->N01GO");
  EXPECT_EQ(weft::graph_view(f).shape(only(f, op::convolve)), (extents{5, {3, 4, 4, 2, 3}}));
  EXPECT_EQ(result_shape(f), (extents{4, {3, 4, 4, 6}}));
  weft::graph const b = one_conv<"CNH,OIH->FHN", conv_options{.batch_groups = 3}>(
      tensor<float, 2, 6, 5>(), tensor<float, 9, 2, 2>());
  EXPECT_EQ(letters(node_of(b)), "CGN0,GOC0->GO0N");
  EXPECT_EQ(weft::graph_view(b).shape(only(b, op::convolve)), (extents{4, {3, 3, 4, 2}}));
  EXPECT_EQ(result_shape(b), (extents{3, {9, 4, 2}}));
}

TEST(conv, bias_is_an_operand_of_the_node) {
  using x = tensor<float, 3, 5, 4>;
  using w = tensor<float, 2, 2, 6>;
  weft::graph const g = weft::record<x, w, tensor<float, 6>>([](auto a, auto b, auto c) {
    return weft::conv<"NHC,HIO->NCH", conv_options{.feature_groups = 2}>(a, b, c);
  });
  int const id = only(g, op::convolve);
  ASSERT_TRUE(node_of(g).has_bias);
  ASSERT_EQ(g.nodes[id].operand_count, 3);
  EXPECT_EQ(weft::graph_view(g).shape(id), (extents{4, {3, 2, 3, 4}}));
  int const spread = only(g, op::broadcast);
  EXPECT_EQ(weft::graph_view(g).shape(spread), weft::graph_view(g).shape(id));
  EXPECT_EQ(weft::graph_view(g).attributes_of(spread)[0], 1);
  EXPECT_EQ(weft::graph_view(g).attributes_of(spread)[1], 2);
  weft::graph const one = weft::record<x, w>([](auto a, auto b) {
    return weft::conv<"NHC,HIO->NCH", conv_options{.feature_groups = 2}>(a, b, 1);
  });
  EXPECT_TRUE(node_of(one).has_bias);
}

TEST(conv, transposed_is_the_derivative_by_the_input) {
  using y = tensor<float, 2, 4, 3>;
  using w = tensor<float, 3, 5, 3>;
  constexpr conv_options forward{.strides = 2, .padding = {{1, 0}}, .rhs_dilation = 2};
  convolution const want = weft::by_input(
      node_of(one_conv<"NHC,HIO->NHC", forward>(tensor<float, 2, 10, 5>(), w())));
  weft::graph const g = weft::record<y, w>([](auto a, auto b) {
    constexpr conv_transpose_options o{.strides = 2, .padding = {{1, 0}}, .rhs_dilation = 2};
    return weft::conv_transpose<"NHC,HOI->NHC", o>(a, b);
  });
  convolution const got = node_of(g);
  EXPECT_EQ(letters(got), letters(want));
  EXPECT_EQ(got.window[0].stride, want.window[0].stride);
  EXPECT_EQ(got.window[0].dilation, want.window[0].dilation);
  EXPECT_EQ(got.window[0].spread, want.window[0].spread);
  EXPECT_EQ(got.window[0].low, want.window[0].low);
  EXPECT_EQ(weft::graph_view(g).shape(only(g, op::convolve)), (extents{3, {2, 10, 5}}));
}

TEST(conv, rounds_once_or_keeps_sums_in_float) {
  using weft::bf16, weft::dtype;
  using x = tensor<bf16, 3, 2>;
  using w = tensor<bf16, 2, 2, 4>;
  auto const own = [](auto a, auto b) { return weft::conv<"HC,HCF->HF">(a, b); };
  auto const sums = [](auto a, auto b) {
    return weft::conv<"HC,HCF->HF", conv_options{}, float>(a, b);
  };
  auto const wider = [](auto a, auto b) {
    return weft::conv<"HC,HCF->HF", conv_options{}, double>(a, b);
  };
  weft::graph const g = weft::record<x, w>(own), h = weft::record<x, w>(sums),
                    d = weft::record<x, w>(wider);
  EXPECT_EQ(g.nodes[only(g, op::convolve)].type, dtype::bf16);
  EXPECT_EQ(h.nodes[only(h, op::convolve)].type, dtype::f32);
  EXPECT_EQ(count_of(h, op::convert), 0);
  EXPECT_EQ(d.nodes[only(d, op::convolve)].type, dtype::f64);
  EXPECT_EQ(count_of(d, op::convert), 2);
}

// values, against loops that stamp
struct stamp {
  int n, k, stride = 1, low = 0, high = 0, dilation = 1, more = 0;
  bool reversed = false;
};
// x (n, c), w (k, c, f): every element of x puts w, times itself, onto the result.
std::vector<float> stamped(stamp const& s, std::vector<float> const& x, std::vector<float> const& w,
                           int c, int f) {
  int const places = (s.n - 1) * s.stride + (s.k - 1) * s.dilation + 1 - s.low - s.high + s.more;
  std::vector<float> y(static_cast<std::size_t>(places * f));
  for (int i = 0; i < s.n; ++i)
    for (int j = 0; j < s.k; ++j) {
      int const tap = s.reversed ? s.k - 1 - j : j, at = i * s.stride + j * s.dilation - s.low;
      if (at < 0 || at >= places) continue;
      for (int a = 0; a < c; ++a)
        for (int b = 0; b < f; ++b)
          y[static_cast<std::size_t>(at * f + b)] +=
              x[static_cast<std::size_t>(i * c + a)] *
              w[static_cast<std::size_t>((tap * c + a) * f + b)];
    }
  return y;
}
template <class T, auto... E> tensor<T, E...> counted() {
  tensor<T, E...> x;
  int i = 0;
  for (T& one : x.mutate()) one = static_cast<T>((5 * i++) % 7 - 3);
  return x;
}
template <auto... E> std::vector<float> list_of(tensor<float, E...> const& x) {
  return {x.begin(), x.end()};
}
template <conv_transpose_options O> std::vector<float> transposed() {
  return recorded::values<float>(
      [](auto x, auto w) { return weft::conv_transpose<"HC,HIO->HC", O>(x, w); },
      counted<float, 4, 2>(), counted<float, 3, 2, 3>());
}
std::vector<float> stamped(stamp const& s) {
  return stamped(s, list_of(counted<float, 4, 2>()), list_of(counted<float, 3, 2, 3>()), 2, 3);
}
TEST(conv, transposed_stamps_the_filter) {
  EXPECT_EQ(transposed<conv_transpose_options{}>(), stamped({4, 3}));
  EXPECT_EQ(transposed<conv_transpose_options{.strides = 2}>(), stamped({4, 3, 2}));
  EXPECT_EQ((transposed<conv_transpose_options{
                 .strides = 3, .padding = {{1, 2}}, .rhs_dilation = 2, .output_padding = 1}>()),
            stamped({4, 3, 3, 1, 2, 2, 1}));
  EXPECT_EQ((transposed<conv_transpose_options{.strides = 2, .reverse = 1}>()),
            stamped({4, 3, 2, 0, 0, 1, 0, true}));
  EXPECT_EQ((transposed<conv_transpose_options{.strides = 2, .padding = pads::same}>()),
            stamped({4, 3, 2, 0, 1}));
  EXPECT_EQ((transposed<conv_transpose_options{.strides = 4, .padding = pads::same}>()),
            stamped({4, 3, 4, 0, 0, 1, 1}));
  EXPECT_EQ((transposed<conv_transpose_options{.padding = -1}>()), stamped({4, 3, 1, -1, -1}));
}
// Both groups at once, the filter's O counted per group.
TEST(conv, transposed_groups_are_convolutions_side_by_side) {
  auto const x = counted<float, 4, 4>();
  auto const w = counted<float, 4, 3, 2>();
  auto const whole = recorded::values<float>(
      [](auto a, auto b) {
        return weft::conv_transpose<"HC,IHO->HC", conv_transpose_options{
                                                      .strides = 2, .feature_groups = 2}>(a, b);
      },
      x, w);
  auto const parts = recorded::values<float>(
      [](auto a, auto b) {
        constexpr conv_transpose_options o{.strides = 2};
        auto const one = weft::conv_transpose<"HC,IHO->HC", o>(weft::at<":, :2">(a),
                                                               weft::at<":2">(b));
        auto const two = weft::conv_transpose<"HC,IHO->HC", o>(weft::at<":, 2:">(a),
                                                               weft::at<"2:">(b));
        return weft::concat<1>(one, two);
      },
      x, w);
  EXPECT_EQ(whole, parts);
}
TEST(conv, bias_is_added_before_the_one_rounding) {
  using weft::bf16;
  tensor<bf16, 1, 2> const x = {{bf16(1.0f), bf16(1.0f)}};
  tensor<bf16, 2, 1> const w = {{bf16(256.0f)}, {bf16(1.0f)}};
  tensor<bf16, 1> const b = {bf16(1.0f)};
  auto const once = recorded::run(
      [](auto a, auto f, auto c) { return weft::conv<"NC,IO->NC">(a, f, c); }, x, w, b);
  auto const twice = recorded::run(
      [](auto a, auto f, auto c) { return weft::conv<"NC,IO->NC">(a, f) + c; }, x, w, b);
  EXPECT_EQ(weft::element_of_word<bf16>(once[0][0]), bf16(258.0f));
  EXPECT_EQ(weft::element_of_word<bf16>(twice[0][0]), bf16(256.0f)); // 257 twice, ties to even
}
TEST(conv, a_bias_may_have_the_type_of_the_sums) {
  using weft::bf16;
  tensor<bf16, 1, 2> const x = {{bf16(1.0f), bf16(1.0f)}};
  tensor<bf16, 2, 1> const w = {{bf16(256.0f)}, {bf16(1.0f)}};
  tensor<float, 1> const b = {0.125f};
  auto const f = [](auto a, auto v, auto c) {
    return weft::conv<"NC,IO->NC", conv_options{}, float>(a, v, c);
  };
  EXPECT_EQ(recorded::values<float>(f, x, w, b), (std::vector<float>{257.125f}));
  auto const low = [](auto a, auto v, auto c) { // of the operands' type, as before
    return weft::conv<"NC,IO->NC", conv_options{}, float>(a, v, weft::convert<bf16>(c));
  };
  EXPECT_EQ(recorded::values<float>(low, x, w, b), (std::vector<float>{257.125f}));
}
// Of both sides: one number for all axes, one each, or a pair each.
TEST(conv, paddings_that_are_one) {
  auto const x = counted<float, 1, 5, 4, 2>();
  auto const w = counted<float, 3, 3, 2, 1>();
  auto const of = [&]<conv_options O>() {
    return recorded::values<float>(
        [](auto a, auto b) { return weft::conv<"NHWC,HWIO->NHWC", O>(a, b); }, x, w);
  };
  EXPECT_EQ((of.operator()<conv_options{.padding = {1, 2}}>()),
            (of.operator()<conv_options{.padding = {{1, 1}, {2, 2}}}>()));
  EXPECT_EQ((of.operator()<conv_options{.padding = {{1}, {2}}}>()),
            (of.operator()<conv_options{.padding = {1, 2}}>()));
  EXPECT_EQ((of.operator()<conv_options{.padding = 1}>()),
            (of.operator()<conv_options{.padding = {1, 1}}>()));
}
TEST(conv, names_are_bound_by_the_run) {
  tensor<float, rows, 2> x(5);
  int i = 0;
  for (float& one : x.mutate()) one = static_cast<float>(i++ % 4 - 1);
  tensor<float, 5, 2> fixed;
  i = 0;
  for (float& one : fixed.mutate()) one = static_cast<float>(i++ % 4 - 1);
  auto const w = counted<float, 4, 2, 3>();
  auto const same = [](auto a, auto b) {
    return weft::conv<"HC,HIO->HC", conv_options{.padding = pads::same}>(a, b);
  };
  EXPECT_EQ(recorded::values<float>(same, x, w), recorded::values<float>(same, fixed, w));
  auto const one_by_one = [](auto a, auto b) { return weft::conv<"NC,IO->CN">(a, b); };
  auto const v = counted<float, 2, 3>();
  EXPECT_EQ(recorded::values<float>(one_by_one, x, v),
            recorded::values<float>(one_by_one, fixed, v));
}

} // namespace

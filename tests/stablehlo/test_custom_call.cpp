// SPDX-License-Identifier: BSL-1.0
// Calls of host functions as stablehlo.custom_call, and back by the user's table.
#include "lang/recorded.hpp"
#include "stablehlo/text.hpp"
#include "support/host_functions.hpp"

#include <weft/lang/vmap.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/stablehlo/export.hpp>
#include <weft/stablehlo/import.hpp>

namespace {

using namespace weft;

constexpr auto norms = [](auto x) { return custom_call<test::row_norms>(x); };
constexpr host_function norms_of_two{
    "row_norms", [](host_call const& at) {
      auto const* x = reinterpret_cast<float const*>(at.operands[0].data);
      for (extent i = 0; i < at.operands[0].shape[0]; ++i)
        reinterpret_cast<float*>(at.results[0].data)[i] = std::hypot(x[2 * i], x[2 * i + 1]);
    }};
std::string text_of(graph const& g) {
  return texts::write(stablehlo::to_module(g), stablehlo::text_form::pretty);
}

TEST(stablehlo_custom_call, there_and_back) {
  std::string const text = text_of(canonical(record<tensor<float, 3, 2>>(norms)));
  EXPECT_NE(text.find("stablehlo.custom_call @row_norms("), std::string::npos) << text;
  stablehlo::custom_call const known[] = {
      {"row_norms", [](stablehlo::custom_call_site const& at) {
         result_info const result{dtype::f32, {1, {at.operands[0].shape()[0]}}};
         return call_host(norms_of_two, at.operands, {&result, 1});
       }}};
  stablehlo::imported const back = stablehlo::to_graph(texts::read(text), {known, 1});
  ASSERT_FALSE(back.error.failed) << text;
  growing<dense> in;
  recorded::push(in, tensor<float, 3, 2>{{3, 4}, {5, 12}, {0, 1}});
  EXPECT_EQ(recorded::numbers<float>(test::meaning_of(back.program, in)[0]),
            (recorded::list<float>{5, 13, 1}));
}
TEST(stablehlo_custom_call, tells_the_batch_axes) {
  std::string const text = text_of(canonical(record<tensor<float, 4, 3, 2>>(vmap(norms))));
  EXPECT_NE(text.find("backend_config = \"batch_axes = 1\""), std::string::npos) << text;
  EXPECT_TRUE(texts::mistake(texts::read(text)).empty()) << text;
}

} // namespace

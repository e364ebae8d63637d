// SPDX-License-Identifier: BSL-1.0
// The OpenCL text of every elementwise op over elements of CASE_TYPE, which a compiler has to
// accept: CMakeLists.txt makes an executable of each type. Not built by default.
#include "opencl/text_functions.hpp"

#include <weft/graph/results.hpp>

namespace {

using namespace weft;
constexpr dtype type = weft::dtype::CASE_TYPE;
using value = test::text_of<type>;
using mask = opencl::text::mask;

template <op O> struct meant {
  template <class... X> auto operator()(X... x) const {
    auto const result = row<O>::meaning(x...);
    if constexpr (info_of(O).result == type_rule::words) return result.first ^ result.second;
    else return result;
  }
};
template <op O, int... To>
void add_conversions(test::functions& all, std::integer_sequence<int, To...>) {
  auto const add = [&]<dtype D>(std::integral_constant<dtype, D>) {
    if constexpr (D != type && is_typed(O, type, D)) {
      if constexpr (O == op::convert)
        all.add<value>([](value a) { return meaning::convert<type, D>(a); });
      else all.add<value>([](value a) { return meaning::bitcast<type, D>(a); });
    }
  };
  (add(std::integral_constant<dtype, static_cast<dtype>(To)>{}), ...);
}
template <op O> void add(test::functions& all, std::string& names) {
  constexpr op_info info = info_of(O);
  if constexpr (info.kind == op_kind::elementwise && accepts(info.accepts, type) &&
                (info.result != type_rule::words || type == dtype::u32)) {
    int const before = all.count;
    if constexpr (O == op::convert || O == op::bitcast)
      add_conversions<O>(all, std::make_integer_sequence<int, dtype_count>{});
    else if constexpr (info.result == type_rule::choose) all.add<mask, value, value>(meant<O>{});
    else if constexpr (info.arity == 1) all.add<value>(meant<O>{});
    else if constexpr (info.arity == 2) all.add<value, value>(meant<O>{});
    else if constexpr (info.arity == 3) all.add<value, value, value>(meant<O>{});
    else all.add<value, value, value, value>(meant<O>{});
    if (all.count > before) names += (names.empty() ? "" : " ") + std::string(name_of(O));
  }
}

TEST(opencl_text, of_every_elementwise_op) {
  if (!test::has_opencl_compiler()) GTEST_SKIP() << "clang-16 is not installed";
  test::functions all;
  std::string names;
  [&]<int... O>(std::integer_sequence<int, O...>) {
    (add<static_cast<op>(O)>(all, names), ...);
  }(std::make_integer_sequence<int, op_count>{});
  // (Statements that one caller of a helper does not need stay in the text; compilers drop them.)
  ASSERT_TRUE(test::compiles(all, "-Wno-unused-variable")) << all.text;
  RecordProperty(std::string("opencl_") + name_of(type), names);
}

} // namespace

// SPDX-License-Identifier: BSL-1.0
// full_precision: for functions made of ops that autocast computes in float as a whole, as one op
// with the policy `full` (softmax: the difference x - max, too, not exp alone).
//   full_precision const here(x);
// Needs: traced.hpp. Leaves: until it ends, what is recorded over these arrays is so marked;
// without autocast that means nothing. Tensors and numbers are passed over.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/lang/traced.hpp>

namespace weft::inline v0::detail {

class full_precision {
public:
  template <class... X> constexpr explicit full_precision(X const&... x) {
    growing<handle> values;
    (note(values, x), ...);
    if (values.empty()) return;
    where_ = &place_of(values).taker();
    before_ = where_->casting;
    if (before_ == cast_rule::by_policy) where_->casting = cast_rule::full;
  }
  constexpr ~full_precision() {
    if (where_ != nullptr) where_->casting = before_;
  }
  full_precision(full_precision const&) = delete;
  full_precision& operator=(full_precision const&) = delete;

private:
  template <class X> static constexpr void note(growing<handle>& values, X const& x) {
    if constexpr (traced_array<X>) values.push(x.value);
  }

  recorder* where_ = nullptr;
  cast_rule before_{};
};

} // namespace weft::inline v0::detail

// SPDX-License-Identifier: BSL-1.0
// What every source that interprets or optimises a graph at run time would compile for itself, every
// op at every type: once, in meaning.cpp. In the header that is parsed once for tests.
#pragma once

#include <weft/graph/interpret.hpp>
#include <weft/pass/fold.hpp>

namespace weft::inline v0 {

extern template growing<dense> interpret<all_ops()>(graph_view, view<dense>, rank_transport*);
extern template graph fold<short_ops()>(graph_view);

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// The bodies of the golden family scan, written from the data's `doc`. Each is a function of the
// constants that gives the body: bodies::ema(k)(carry, x) is pair(carry', y). JSON arrays are
// tuples, objects are structs whose fields have the objects' names.
#pragma once

#include <weft/weft.hpp>

namespace golden {

// x @ w.
template <class X, class W> constexpr auto product(X const& x, W const& w) {
  using namespace weft;
  if constexpr (rank_of<X> == 1 && rank_of<W> == 2) return einsum<"i,ih->h">(x, w);
  else if constexpr (rank_of<X> == 2 && rank_of<W> == 2) return einsum<"bi,ih->bh">(x, w);
  else return matmul(x, w);
}

// einsum('...n,mn->...m').
template <class X, class W> constexpr auto layer_product(X const& x, W const& w) {
  using namespace weft;
  if constexpr (rank_of<X> == 1) return einsum<"n,mn->m">(x, w);
  else if constexpr (rank_of<X> == 2) return einsum<"an,mn->am">(x, w);
  else if constexpr (rank_of<X> == 3) return einsum<"abn,mn->abm">(x, w);
  else return einsum<"...n,mn->...m">(x, w);
}

// Block q of four along the last axis.
template <int Q, class X> constexpr auto quarter(X const& x) {
  constexpr weft::extents four = [] {
    weft::extents s = X::shape_type::value;
    weft::extent const each = s[s.rank - 1] / 4;
    s[s.rank - 1] = 4;
    s.push(each);
    return s;
  }();
  auto blocks = [&x]<auto... E>(weft::shape<E...>) {
    return weft::reshape<E...>(x);
  }(weft::shape_of_value<four>{});
  if constexpr (Q == 0) return weft::at<"..., 0, :">(blocks);
  else if constexpr (Q == 1) return weft::at<"..., 1, :">(blocks);
  else if constexpr (Q == 2) return weft::at<"..., 2, :">(blocks);
  else return weft::at<"..., 3, :">(blocks);
}

namespace bodies {

using namespace weft;

inline constexpr auto cumsum = [](auto) {
  return [](auto c, auto x) { return std::pair(c + x, c + x); };
};
inline constexpr auto cumsum_exclusive = [](auto) {
  return [](auto c, auto x) { return std::pair(c + x, c); };
};
inline constexpr auto sum_no_ys = [](auto) {
  return [](auto c, auto x) { return std::pair(c + x, none); };
};
inline constexpr auto double_plus_one = [](auto) {
  return [](auto c, auto) { return std::pair(2 * c + 1, c); };
};
inline constexpr auto fibonacci = [](auto) {
  return [](auto c, auto) {
    auto a = std::get<0>(c), b = std::get<1>(c);
    return std::pair(std::tuple(b, a + b), a);
  };
};
inline constexpr auto product_plus = [](auto) {
  return [](auto c, auto x) { return std::pair(c * x, c * x + x); };
};
inline constexpr auto cosine = [](auto) {
  return [](auto c, auto x) { return std::pair(cos(c) + x, none); };
};
inline constexpr auto ema = [](auto k) {
  return [k](auto c, auto x) {
    auto n = k.a * c + (1 - k.a) * x;
    return std::pair(n, n);
  };
};
inline constexpr auto horner = [](auto k) {
  return [k](auto c, auto x) { return std::pair(c * k.z + x, none); };
};
inline constexpr auto pass_through = [](auto k) {
  return [k](auto c, auto x) { return std::pair(c, x + k.b); };
};
inline constexpr auto matmul_chain = [](auto) {
  return [](auto c, auto x) {
    auto n = product(c, x);
    return std::pair(n, n);
  };
};

inline constexpr auto rnn = [](auto k) {
  return [k](auto c, auto x) {
    auto h = tanh(product(x, k.wx) + product(c, k.wh) + k.b);
    return std::pair(h, product(h, k.wo));
  };
};
inline constexpr auto gru = [](auto k) {
  return [k](auto c, auto x) {
    auto r = sigmoid(product(x, k.wr) + product(c, k.ur) + k.br);
    auto z = sigmoid(product(x, k.wz) + product(c, k.uz) + k.bz);
    auto n = tanh(product(x, k.wn) + r * product(c, k.un) + k.bn);
    auto h = (1 - z) * n + z * c;
    return std::pair(h, h);
  };
};
inline constexpr auto lstm = [](auto k) {
  return [k](auto c, auto x) {
    auto g = product(x, k.w) + product(c.h, k.u) + k.b;
    auto i = sigmoid(quarter<0>(g)), f = sigmoid(quarter<1>(g));
    auto u = tanh(quarter<2>(g)), o = sigmoid(quarter<3>(g));
    auto next = c;
    next.c = f * c.c + i * u;
    next.h = o * tanh(next.c);
    return std::pair(next, next.h);
  };
};

inline constexpr auto tuples = [](auto) {
  return [](auto c, auto x) {
    auto x1 = std::get<0>(x);
    auto x2 = std::get<1>(x);
    auto c1 = std::get<0>(c) + sum(x1);
    auto c2 = std::get<1>(c) * 2 + at<":2">(x2) - at<"2">(x2);
    return std::pair(std::tuple(c1, c2), std::tuple(x1 * c1, std::tuple(x2 - sum(c2), c2)));
  };
};
inline constexpr auto counted = [](auto) {
  return []<class X>(auto c, X x) {
    auto i = std::get<0>(c);
    auto s = std::get<1>(c) + convert<typename X::element_type>(i) * x;
    return std::pair(std::tuple(i + 1, s), std::tuple(i, s));
  };
};
inline constexpr auto latch = [](auto) {
  return [](auto c, auto x) {
    auto n = c | (x > 2);
    return std::pair(n, where(n, x, 0));
  };
};
inline constexpr auto running_argmax = [](auto) {
  return [](auto c, auto x) {
    auto m = std::get<0>(c);
    auto i = std::get<2>(c);
    auto more = x > m;
    auto a = where(more, i, std::get<1>(c));
    return std::pair(std::tuple(where(more, x, m), a, i + 1), a);
  };
};
inline constexpr auto running_max = [](auto) {
  return [](auto c, auto x) {
    auto m = maximum(c, x);
    return std::pair(m, m - x);
  };
};

inline constexpr auto nested = [](auto k) {
  return [k](auto c, auto x) {
    auto inner = [k](auto d, auto v) {
      auto n = d * k.g + v;
      return std::pair(n, n);
    };
    auto r = scan(inner, c, x);
    return std::pair(c + r.first, r.second);
  };
};
inline constexpr auto nested_reverse = [](auto k) {
  return [k](auto c, auto x) {
    auto inner = [k](auto d, auto v) {
      auto n = tanh(d + k.w * v);
      return std::pair(n, n);
    };
    auto r = scan<scan_options{.reverse = true}>(inner, c, x);
    return std::pair(r.first, r.second * 2);
  };
};

inline constexpr auto fold_in_noise = [](auto k) {
  return [k](auto c, auto x) {
    auto i = std::get<0>(c);
    auto s = std::get<1>(c);
    auto u = uniform_like(fold_in(k.key, i), s);
    return std::pair(std::tuple(i + 1, s + u * x), u);
  };
};
inline constexpr auto split_chain = [](auto) {
  return [](auto c, auto) {
    auto keys = split(c);
    return std::pair(keys[0], uniform<3>(keys[1]));
  };
};
inline constexpr auto dropout_step = [](auto k) {
  return [k](auto c, auto x) {
    auto i = std::get<0>(c);
    auto h = std::get<1>(c);
    auto mask = uniform_like(fold_in(k.key, i), h) < 0.75f;
    auto n = where(mask, (h + x) / 0.75f, 0);
    return std::pair(std::tuple(i + 1, n), std::tuple(mask, n));
  };
};
inline constexpr auto online_softmax = [](auto k) {
  return [k](auto c, auto x) {
    auto m = std::get<0>(c);
    auto s = sum(k.q * std::get<0>(x));
    auto n = maximum(m, s);
    auto e = exp(m - n), p = exp(s - n);
    auto l = std::get<1>(c) * e + p;
    auto acc = std::get<2>(c) * e + p * std::get<1>(x);
    return std::pair(std::tuple(n, l, acc), none);
  };
};
inline constexpr auto linear_layers = [](auto) {
  return [](auto c, auto x) {
    auto h = layer_product(c, x.w) + x.b;
    return std::pair(h, sum(h));
  };
};
inline constexpr auto leapfrog = [](auto k) {
  return [k](auto c, auto) {
    auto v = std::get<1>(c) - k.dt * std::get<0>(c);
    auto q = std::get<0>(c) + k.dt * v;
    return std::pair(std::tuple(q, v), q);
  };
};
inline constexpr auto low_precision = cumsum;

} // namespace bodies
} // namespace golden

// SPDX-License-Identifier: BSL-1.0
// autocast against casts by hand, for every op of the table, in bf16 and f16: operands made low by a
// product, and a mix of low and f32. A new row without a case fails. And the policy column against
// PyTorch's lists.
#include "pass/sample.hpp"
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/handle_gather.hpp>
#include <weft/graph/verify.hpp>
#include <weft/transform/autocast.hpp>
#include <weft/transform/grad.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace test;

bool is_sound(graph_view g) { return !verify(g); }

// ---- one op of low operands, and of one f32 operand besides ------------------------------------

// What the op table's policy makes of float operands of these two types.
dtype operand_type(op code, dtype a, dtype b) {
  if (info_of(code).policy == autocast_policy::full) return dtype::f32;
  return weft::size_of(a) >= weft::size_of(b) ? a : b;
}
bool has_float_operands(op code) {
  op_info const& info = info_of(code);
  return info.kind == op_kind::elementwise && accepts(info.accepts, dtype::f32) && info.arity > 0 &&
         info.result != type_rule::words && info.result != type_rule::chosen;
}
// op(x x, ...): the product in `low`, written in f32 or cast by hand; operand `wide` (if any) is x.
graph one_op(op code, int wide, dtype low, bool by_hand) {
  recorder r;
  handle const x = r.input(dtype::f32, four_by_four, {0, 0, false});
  dtype const of_product = by_hand ? low : dtype::f32;
  handle const y = product(convert(x, of_product), convert(x, of_product));
  op_info const& info = info_of(code);
  bool const chooses = info.result == type_rule::choose;
  dtype const type = by_hand ? operand_type(code, low, wide >= 0 ? dtype::f32 : low) : dtype::f32;
  growing<handle> operands;
  for (int k = 0; k < info.arity; ++k)
    if (chooses && k == 0) operands.push(less(x, convert(convert(x, dtype::i32), dtype::f32)));
    else operands.push(convert(k == wide ? x : y, type));
  dtype const result = info.result == type_rule::compare ? dtype::boolean : type;
  handle z = emit(code, result, four_by_four, operands);
  if (result != dtype::boolean) z = convert(z, dtype::f32);
  r.finish({&z, 1});
  return std::move(r.result);
}
void expect_casts_by_hand(op code, int wide, dtype low) {
  graph const by_hand = one_op(code, wide, low, true);
  graph const by_rule = autocast(one_op(code, wide, low, false), low);
  ASSERT_TRUE(is_sound(by_hand) && is_sound(by_rule)) << weft::name_of(code);
  growing<dense> const inputs = random_inputs(by_hand, static_cast<std::uint64_t>(code));
  EXPECT_TRUE(same_bits(test::meaning_of(by_rule, inputs), test::meaning_of(by_hand, inputs)))
      << weft::name_of(code) << " operand " << wide << " in f32, low " << weft::name_of(low);
}
TEST(autocast, of_every_elementwise_op_is_casting_by_hand) {
  int seen = 0;
  for (int i = 0; i < weft::op_count; ++i) {
    op const code = static_cast<op>(i);
    if (!has_float_operands(code)) continue;
    ++seen;
    int const first = info_of(code).result == type_rule::choose ? 1 : 0;
    for (dtype low : {dtype::bf16, dtype::f16}) {
      expect_casts_by_hand(code, -1, low);
      for (int k = first; info_of(code).arity > first + 1 && k < info_of(code).arity; ++k)
        expect_casts_by_hand(code, k, low);
    }
  }
  EXPECT_GT(seen, 60);
}

// ---- the other ops: a case for every row --------------------------------------------------------

// `y` is a product, low by hand and f32 as recorded, and `x` an f32 input; `meet` makes of operands
// what the policy makes of them: it does something by hand only.
struct caster_by_hand {
  bool by_hand;

  dtype widest(handle a, handle b) const {
    return weft::size_of(a.type()) >= weft::size_of(b.type()) ? a.type() : b.type();
  }
  handle full(handle a) const { return by_hand ? convert(a, dtype::f32) : a; }
  handle number(recorder& r, double value, handle like) const {
    return constant(r, value, by_hand ? like.type() : dtype::f32, like.shape());
  }
};
weft::gather_dims rows_of_four(weft::scatter_combine how) {
  weft::gather_dims d;
  d.combine = how;
  d.window_axes = 0b10;
  d.collapsed = 0b01;
  d.index_axis = 1;
  d.mapped = 1;
  d.rank = 2;
  d.window[0] = 1;
  d.window[1] = 4;
  return d;
}
// Rows of y, walked by those of w; columns are summed.
handle convolved(handle y, handle w) {
  weft::convolution c;
  c.rank_x = c.rank_w = 2;
  c.rank_out = 1;
  c.x[0] = 0, c.x[1] = 1, c.w[0] = 2, c.w[1] = 1, c.out[0] = 3;
  c.window[c.windows++] = {.x = 0, .w = 2, .out = 3, .low = 1};
  return weft::convolve(y, w, c, {1, {4}}, y.type());
}
// A loop of two steps, or a branch: the carry is declared f32, the x comes in as it is.
handle looped(op code, recorder& r, handle carry, handle xs) {
  weft::loop l{.carries = 1, .xs = code == op::scan ? 1 : 0, .ys = 0, .length = 1};
  if (code == op::scan) l.length = 4;
  if (code == op::while_loop) l.length = 0;
  growing<handle> operands, outputs;
  if (code != op::scan) {
    operands.push(r.localised(constant(r, 1, dtype::boolean, {})));
    ++l.carries;
  }
  operands.push(r.localised(carry));
  operands.push(r.localised(xs));
  int const body = r.begin_body();
  handle const go = code == op::scan ? handle{} : r.parameter(dtype::boolean, {});
  handle const h = r.parameter(carry.type(), carry.shape());
  if (code == op::scan) {
    handle const x = r.parameter(xs.type(), without_leading(xs.shape()));
    outputs.push(h + broadcast_to(convert(unary(op::neg, x), h.type()), h.shape()));
  } else {
    outputs.push(code == op::while_loop ? constant(r, 0, dtype::boolean, {}) : go);
    operands.resize(operands.size() - 1);
    outputs.push(unary(op::tanh, h) + h);
  }
  operands.append(r.end_body(body, outputs));
  handle const s = r.emit(code, dtype::f32, {}, operands, encode(l), body);
  r.set_owner(body, s.id);
  return get(s, l.carries - 1, carry.type(), carry.shape());
}
// A function of the host's that takes and gives float.
constexpr weft::host_function copying{
    "copying", [](weft::host_call const& at) {
      std::size_t const bytes = static_cast<std::size_t>(weft::count_of(at.results[0].shape)) * 4;
      std::memcpy(at.results[0].data, at.operands[0].data, bytes);
    }};
handle called(handle y) {
  weft::result_info const same{dtype::f32, y.shape()};
  return weft::call_host(copying, {&y, 1}, {&same, 1})[0];
}
// What `code` makes of y and of `other`, which is x or y; not valid: there is no case.
handle other_op(op code, recorder& r, handle x, handle y, handle other, caster_by_hand const& by) {
  dtype const wide = by.by_hand ? by.widest(y, other) : dtype::f32;
  extent const alone[] = {0}, alone_lists[] = {0, 0};
  handle const a = convert(y, wide), b = convert(other, wide);
  handle const at = constant(r, 1, dtype::i32, {}),
               places = convert(slice_axis(x, 1, 0, 1), dtype::i32);
  handle const starts[] = {at, at}, both[] = {a, b};
  extent const pads[] = {1, 0, 0, -1, 0, 1}, swapped[] = {1, 0}, walks[] = {0, 4, 1, 1};
  switch (code) {
    case op::constant: return y * by.number(r, 0.3, y);
    case op::iota: return by.full(y) * iota(r, dtype::f32, y.shape(), 1);
    case op::parameter: return by.full(y) * x;
    case op::convert: return convert(y, dtype::i32);
    case op::bitcast: return bitcast(by.full(y), dtype::u32);
    case op::broadcast: return broadcast_to(y, {3, {2, 4, 4}});
    case op::reshape: return reshape(y, {2, {2, 8}});
    case op::transpose: return transpose(y, {swapped, 2});
    case op::slice: return slice_axis(y, 1, 1, 2);
    case op::reverse: return reverse(y, 0b10);
    case op::shard: return shard(y, {alone_lists, 2});
    case op::window: return window(y, {walks, 4});
    case op::overlap_add: return overlap_add(y, {1, {7}}, {walks, 4});
    case op::pad:
      return pad(a, reshape(slice_axis(slice_axis(b, 0, 1, 1), 1, 2, 1), {}), {pads, 6});
    case op::concat: return concat({both, 2}, 1);
    case op::dynamic_slice: return dynamic_slice(y, {2, {2, 3}}, {starts, 2});
    case op::dynamic_update_slice:
      return dynamic_update_slice(a, slice_axis(b, 1, 0, 2), {starts, 2});
    case op::gather: return gather(y, places, rows_of_four(weft::scatter_combine::set));
    case op::scatter: return scatter(a, b, places, rows_of_four(weft::scatter_combine::add));
    case op::arg_sort: return arg_sort({both, 2}, 1, 0b01);
    case op::collective: return exchange(y, {.ranks = {alone, 1}});
    case op::rank:
      return by.full(y) * convert(broadcast(rank_of_mesh(r, 1, 1, 1), y.shape(), {}), dtype::f32);
    case op::custom_call: return called(by.full(y));
    case op::observe: return emit(code, y.type(), y.shape(), {&y, 1}, detail::encode({}, "y"));
    case op::arg_reduce: return arg_reduce(y, 0b10, true);
    case op::reduce_sum:
    case op::reduce_prod: return reduce(code, by.full(y), 1);
    case op::reduce_max:
    case op::reduce_min: return reduce(code, y, 1);
    case op::contract: return product(y, convert(other, y.type()));
    case op::convolve: return convolved(y, convert(other, y.type()));
    case op::get:
    case op::scan:
    case op::cond:
    case op::while_loop:
      return looped(code == op::get ? op::scan : code, r, convert(y, dtype::f32), other);
    default: return {};
  }
}
// In f32, or by hand; no graph where there is no case.
graph of_other_op(op code, bool mixed, dtype low, bool by_hand) {
  recorder r;
  handle const x = r.input(dtype::f32, four_by_four, {0, 0, false});
  dtype const of_product = by_hand ? low : dtype::f32;
  handle const y = product(convert(x, of_product), convert(x, of_product));
  handle z = other_op(code, r, x, y, mixed ? x : y, {by_hand});
  if (!z.valid()) return {};
  if (weft::is_float(z.type())) z = convert(z, dtype::f32);
  r.finish({&z, 1});
  return std::move(r.result);
}
bool takes_no_float(op code) {
  op_info const& info = info_of(code);
  return info.kind == op_kind::elementwise && info.result != type_rule::chosen &&
         !has_float_operands(code);
}
TEST(autocast, of_every_other_op_is_casting_by_hand) {
  on_print = [](char const*) {};
  for (int i = 0; i < weft::op_count; ++i) {
    op const code = static_cast<op>(i);
    if (has_float_operands(code) || takes_no_float(code)) continue;
    for (int k = 0; k < 4; ++k) {
      dtype const low = k < 2 ? dtype::bf16 : dtype::f16;
      graph const by_hand = of_other_op(code, k % 2 == 1, low, true);
      ASSERT_GT(by_hand.size(), 0) << "no case for " << weft::name_of(code);
      EXPECT_NE(find(by_hand, code), -1) << weft::name_of(code);
      graph const by_rule = autocast(of_other_op(code, k % 2 == 1, low, false), low);
      ASSERT_TRUE(is_sound(by_hand) && is_sound(by_rule)) << weft::name_of(code);
      growing<dense> const inputs = random_inputs(by_hand, 2 * static_cast<std::uint64_t>(i));
      EXPECT_TRUE(same_bits(test::meaning_of(by_rule, inputs), test::meaning_of(by_hand, inputs)))
          << weft::name_of(code) << " low " << weft::name_of(low) << " mixed " << k % 2;
    }
  }
}

// ---- gradients ---------------------------------------------------------------------------------

// sum(tanh(x w) x) of x and w.
graph small_loss(dtype low, bool by_hand) {
  recorder r;
  handle const x = r.input(dtype::f32, four_by_four, {0, 0, false}),
               w = r.input(dtype::f32, four_by_four, {1, 0, false});
  dtype const type = by_hand ? low : dtype::f32;
  handle const h = unary(op::tanh, product(convert(x, type), convert(w, type)));
  handle const loss = sum_all(convert(h, dtype::f32) * x);
  r.finish({&loss, 1});
  return std::move(r.result);
}
TEST(autocast, gradients_are_those_of_casts_by_hand) {
  int const both[] = {0, 1};
  for (dtype low : {dtype::bf16, dtype::f16}) {
    graph const expected = weft::value_and_grad(small_loss(low, true), {both, 2});
    graph const got = weft::value_and_grad(autocast(small_loss(low, false), low), {both, 2});
    for (int id : graph_view(got).outputs_of(0)) EXPECT_EQ(got[id].type, dtype::f32);
    EXPECT_EQ(got[find(got, op::tanh)].type, low);
    growing<dense> const inputs = random_inputs(expected, 3);
    EXPECT_TRUE(same_bits(test::meaning_of(got, inputs), test::meaning_of(expected, inputs)));
  }
}
// A derivative has its node's rule: in a region that autocast leaves alone, all of it stays.
TEST(autocast, leaves_the_gradients_of_a_recorded_region_alone) {
  int const both[] = {0, 1};
  graph const fixed = autocast(small_loss(dtype::bf16, false), dtype::f32);
  graph const g = autocast(weft::value_and_grad(fixed, {both, 2}), dtype::bf16);
  EXPECT_TRUE(is_sound(g));
  EXPECT_EQ(count(g, op::convert), 0);
  EXPECT_EQ(count(g, op::contract), 3);
}

// ---- the policy column and PyTorch's lists -----------------------------------------------------

using names = std::set<std::string>;

std::string text_of_lists() {
  std::ifstream file(WEFT_SHARED_DIR "/golden/autocast/torch_lists.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
// The names of one category of one device, without what follows a dot.
names listed(std::string const& text, std::string const& device, std::string const& category) {
  names found;
  std::size_t at = text.find("\n \"" + device + "\": {");
  std::size_t const end = text.find("\n }", at);
  at = text.find("\n  \"" + category + "\": [", at);
  if (at == std::string::npos || at > end) return found;
  std::size_t const last = text.find(']', at);
  for (at = text.find('[', at); (at = text.find('"', at + 1)) < last;) {
    std::size_t const close = text.find('"', at + 1);
    std::string const name = text.substr(at + 1, close - at - 1);
    found.insert(name.substr(0, name.find('.')));
    at = close;
  }
  return found;
}
names all_listed(std::string const& text, std::initializer_list<char const*> devices,
                 std::initializer_list<char const*> categories) {
  names all;
  for (char const* d : devices)
    for (char const* c : categories) all.merge(listed(text, d, c));
  return all;
}
std::string torch_name(op code) {
  switch (code) {
    case op::reduce_sum: return "sum";
    case op::reduce_prod: return "prod";
    case op::contract: return "einsum";
    case op::convolve: return "conv1d";
    case op::concat: return "cat";
    case op::scatter: return "scatter_add";
    case op::window: return "unfold";
    case op::overlap_add: return "fold";
    default: return weft::name_of(code);
  }
}
// An op is low or full where PyTorch lists it so, and nowhere else; what PyTorch promotes takes the
// widest type here, too.
TEST(autocast, policies_are_those_of_pytorch) {
  std::string const text = text_of_lists();
  if (text.empty()) GTEST_SKIP() << "no torch_lists.json in the shared folder";
  names const low = all_listed(text, {"cuda", "cpu", "xla"}, {"lower_precision_fp"});
  names const full = all_listed(text, {"cuda", "cpu", "xla"},
                                {"fp32", "fp32_set_opt_dtype", "fp32_append_dtype"});
  names const promote = all_listed(text, {"cuda", "cpu", "xla"}, {"promote"});
  ASSERT_TRUE(low.contains("einsum") && full.contains("exp") && promote.contains("cat"));
  int listed_ops = 0;
  for (int i = 0; i < weft::op_count; ++i) {
    op const code = static_cast<op>(i);
    std::string const name = torch_name(code);
    autocast_policy const policy = info_of(code).policy;
    if (code == op::custom_call) continue; // full, as custom_fwd is asked to cast
    EXPECT_EQ(policy == autocast_policy::low, low.contains(name)) << name;
    EXPECT_EQ(policy == autocast_policy::full, full.contains(name)) << name;
    if (promote.contains(name)) {
      EXPECT_EQ(policy, autocast_policy::promote) << name;
    }
    listed_ops += low.contains(name) || full.contains(name) || promote.contains(name);
  }
  EXPECT_GE(listed_ops, 20);
}

} // namespace

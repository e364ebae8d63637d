// SPDX-License-Identifier: BSL-1.0
// What an import knows while it runs: the module, the recorder, which node stands for which value of
// the text, the first mistake; and what every part asks for: operands, results that must be what the
// text says, functions and regions, which are inlined.
// Needs: a module without error. Leaves: nodes in the recorder's open region. Never throws. Where a
// region's scalars stand for elements (`lifted`: bodies of reductions, sorts, scatters and maps), its
// operations are recorded over whole arrays.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/graph/limits.hpp>
#include <weft/stablehlo/custom_calls.hpp>
#include <weft/stablehlo/module.hpp>
#include <weft/stablehlo/reader.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

inline constexpr int most_imported = 1 << 20; // operations, calls inlined
inline constexpr int most_recorded = 1 << 22; // nodes
inline constexpr int most_calls = 100;        // regions and functions inside each other

// "f32 (2, rows)", "f32 (2, ?)"
constexpr void add_type(message& to, dtype type, extents const& s) {
  to.add(weft::name_of(type)).add(" (");
  for (int i = 0; i < s.rank; ++i) {
    if (i > 0) to.add(", ");
    char name[max_name + 1]{};
    if (s[i] >= 0) to.add(s[i]);
    else if (s[i] == dynamic_extent) to.add("?");
    else unpack_name(s[i], name), to.add(name);
  }
  to.add(")");
}

class importing {
public:
  using function_type = void (*)(importing&, int);

  module_ir const& m;
  recorder& r;
  failure error;
  view<custom_call> calls;
  bool lifted = false; // what the text calls a scalar has the shape `lift`
  extents lift;

  constexpr importing(module_ir const& from, recorder& to, view<custom_call> known,
                      function_type import_one)
      : m(from), r(to), calls(known), import_one_(import_one), bound_(from.values.size()) {
    for (int f = m.functions.size() - 1; f >= 0; --f)
      functions_.add(m.text(m.functions[f].name), f, 1); // the first of a name is found
  }

  constexpr bool ok() const { return !error.failed; }
  constexpr void fail(operation const& o, message const& words) {
    if (error.failed) return;
    error.failed = true;
    error.line = o.line;
    error.column = o.column;
    error.text.add("weft: ").add(name_of(o.what)).add(": ").add(words.c_str());
  }

  // ---- values
  constexpr value_type const& operand_type(operation const& o, int k) const {
    return m.type_of(m.operand(o, k));
  }
  constexpr value_type const& result_type(operation const& o, int k = 0) const {
    return m.type_of(o.first_result + k);
  }
  constexpr handle of_value(int id) const { return bound_[id]; }
  // Operand k, a tensor: asked for by who has called `takes`.
  constexpr handle in(operation const& o, int k) {
    handle const h = bound_[m.operand(o, k)];
    return lifted ? broadcast_to(h, lift) : h;
  }
  constexpr growing<handle> ins(operation const& o, int first, int count) {
    growing<handle> all;
    for (int k = 0; k < count; ++k) all.push(in(o, first + k));
    return all;
  }
  // So many operands, all of them tensors that are known here, results, and regions.
  constexpr bool takes(operation const& o, int operands, int results, int regions = 0) {
    if (!ok()) return false;
    if (o.operand_count != operands)
      fail(o, message("takes ").add(operands).add(" operands, the text has ").add(o.operand_count));
    else if (o.result_count != results)
      fail(o, message("gives ").add(results).add(" results, the text has ").add(o.result_count));
    else if (o.region_count != regions)
      fail(o, message("has ").add(regions).add(" regions, the text has ").add(o.region_count));
    return ok() && takes_tensors(o, 0, operands);
  }
  constexpr bool takes_tensors(operation const& o, int first, int count) {
    for (int k = first; k < first + count && ok(); ++k) {
      if (operand_type(o, k).kind != type_kind::tensor)
        fail(o, message("operand ").add(k).add(" is no tensor"));
      else if (!bound_[m.operand(o, k)].valid())
        fail(o, message("operand ").add(k).add(" is not known here"));
      else if (lifted && operand_type(o, k).shape.rank != 0)
        fail(o, "a body of elements has arrays; only scalars are read there");
    }
    return ok();
  }

  // Result k is h: of the type and shape that the text says.
  constexpr void give(operation const& o, int k, handle h) {
    if (ok() && is_written(o, h, result_type(o, k), "gives ")) bound_[o.first_result + k] = h;
  }
  constexpr void give(operation const& o, handle h) { give(o, 0, h); }
  // An extent that only the run knows is any name.
  constexpr bool fits(extents const& s, extents const& written) const {
    if (lifted) return written.rank == 0 && s == lift;
    if (s.rank != written.rank) return false;
    for (int i = 0; i < s.rank; ++i)
      if (s[i] != written[i] && !(written[i] == dynamic_extent && is_named(s[i]))) return false;
    return true;
  }
  constexpr bool is_written(operation const& o, handle h, value_type const& t, char const* verb) {
    if (t.kind == type_kind::tensor && h.valid() && h.type() == t.element &&
        fits(h.shape(), t.shape))
      return true;
    message words;
    words.add(verb);
    if (h.valid()) add_type(words, h.type(), h.shape());
    else words.add("no tensor");
    words.add(", but the text says ");
    if (t.kind == type_kind::tensor) add_type(words, t.element, t.shape);
    else words.add(t.kind == type_kind::token ? "a token" : "a tuple");
    fail(o, words);
    return false;
  }

  // ---- values as lists of tensors: a token is none, a tuple those of its members
  constexpr int width_of(value_type const& t) const {
    if (t.kind != type_kind::tuple) return t.kind == type_kind::tensor ? 1 : 0;
    int n = 0;
    for (int i = 0; i < t.member_count; ++i) n += width_of(m.types[m.members[t.first_member + i]]);
    return n;
  }
  constexpr void append_leaves(growing<handle>& to, int id) const {
    value_type const& t = m.type_of(id);
    if (t.kind == type_kind::tensor) to.push(bound_[id]);
    else if (t.kind == type_kind::tuple && bound_[id].id >= 0)
      for (int i = 0, n = width_of(t); i < n; ++i) to.push(handle(leaves_[bound_[id].id + i]));
  }
  constexpr growing<handle> leaves(view<int> ids) const {
    growing<handle> all;
    for (int id : ids) append_leaves(all, id);
    return all;
  }
  constexpr growing<handle> leaves(operation const& o) const { return leaves(m.operands_of(o)); }
  constexpr bool are_written(operation const& o, value_type const& t, view<handle> all, int& at,
                             char const* verb) {
    if (t.kind == type_kind::tensor) {
      if (at < all.size()) return is_written(o, all[at++], t, verb);
      fail(o, "fewer values than the text says");
    } else if (t.kind == type_kind::tuple)
      for (int i = 0; i < t.member_count && ok(); ++i)
        are_written(o, m.types[m.members[t.first_member + i]], all, at, verb);
    return ok();
  }
  // Values [first, first + count) are these tensors.
  constexpr bool bind(operation const& o, int first, int count, view<handle> all,
                      char const* verb) {
    int at = 0;
    for (int id = first; id < first + count && ok(); ++id) {
      value_type const& t = m.type_of(id);
      int const before = at;
      if (!are_written(o, t, all, at, verb)) return false;
      if (t.kind == type_kind::tensor) bound_[id] = all[before];
      else if (t.kind == type_kind::tuple) {
        bound_[id] = {nullptr, leaves_.size()};
        leaves_.append(all.part(before, at - before));
        if (leaves_.size() > most_recorded) fail(o, "tuples have more than 2^22 values in all");
      }
    }
    if (ok() && at != all.size()) fail(o, "more values than the text says");
    return ok();
  }
  constexpr void give_all(operation const& o, view<handle> all) {
    if (ok()) bind(o, o.first_result, o.result_count, all, "gives ");
  }

  // ---- regions and functions
  // What a region returns for these arguments; o: who runs it. Nothing after a failure.
  constexpr growing<handle> run(operation const& o, int region, view<handle> arguments) {
    growing<handle> results;
    module_region const& body = m.regions[region];
    if (++depth_ > most_calls)
      fail(o, "functions and regions lie in each other more than 100 deep");
    if (ok()) bind(o, body.first_argument, body.argument_count, arguments, "the region is given ");
    for (int i = 0; i < body.operation_count && ok(); ++i) {
      int const id = m.bodies[body.first_operation + i];
      operation const& next = m.operations[id];
      if (is_return(next.what)) {
        results = leaves(next);
        for (handle h : results)
          if (!h.valid()) fail(next, "a value is not known here");
        --depth_;
        return results;
      }
      step(id);
    }
    if (ok()) fail(o, "the region does not return");
    --depth_;
    return results;
  }
  constexpr growing<handle> run_region(operation const& o, int k, view<handle> arguments) {
    return run(o, m.region_lists[o.first_region + k], arguments);
  }
  // One scalar result of a region over elements; arguments of one shape.
  constexpr growing<handle> run_lifted(operation const& o, int k, view<handle> arguments) {
    extents const outer = lift, shape = arguments.empty() ? extents{} : arguments[0].shape();
    bool const before = lifted;
    lifted = true;
    lift = shape;
    growing<handle> results = run_region(o, k, arguments);
    for (handle& h : results)
      if (ok()) h = broadcast_to(h, shape);
    lifted = before;
    lift = outer;
    return results;
  }
  constexpr void step(int id) {
    operation const& o = m.operations[id];
    if (++steps_ > most_imported) fail(o, "more than 2^20 operations after functions are inlined");
    else if (r.result.size() > most_recorded) fail(o, "the program has more than 2^22 nodes");
    if (ok()) import_one_(*this, id);
  }
  constexpr growing<handle> call(operation const& o, text_span name, view<handle> arguments) {
    if (named_values const* const f = functions_.find(m.text(name)))
      return call_function(o, f->first, arguments);
    message words;
    words.add("there is no function @");
    add_text(words, m.text(name));
    fail(o, words);
    return {};
  }
  static constexpr void add_text(message& to, view<char> text) {
    for (char c : text.part(0, text.size() < 120 ? text.size() : 120)) {
      char const one[] = {c, '\0'};
      to.add(one);
    }
  }
  // Where the graph has these numbers: once, however often their function is inlined.
  constexpr int place_of_constant(attribute const& a) {
    for (int i = constants_.size(); i < m.attributes.size(); ++i) constants_.push(-1);
    int& place = constants_[static_cast<int>(&a - m.attributes.data())];
    if (place < 0) {
      place = r.result.constants.size();
      r.result.constants.append(m.words.part(a.first, a.count));
    }
    return place;
  }
  // ---- extents that only the run knows
  // Names of two extents that can only be equal, if a mistake was that they are not: the import
  // starts again with one name for both.
  extent same_as[2]{};
  constexpr bool could_be_equal(extent a, extent b) {
    if (!is_named(a) || !is_named(b) || a == b || lifted) return false;
    same_as[0] = a;
    same_as[1] = b;
    return true;
  }
  // The name of an extent that is made of others in some way: the same for the same.
  constexpr extent name_of_made(extents const& how) {
    for (int i = 0; i < made_.size(); ++i)
      if (made_[i] == how) return made_names_[i];
    made_.push(how);
    made_names_.push(fresh_name());
    return made_names_.back();
  }
  // How that was; no numbers: it is another name.
  constexpr extents making_of(extent name) const {
    for (int i = 0; i < made_.size(); ++i)
      if (made_names_[i] == name) return made_[i];
    return {};
  }
  // Node h is the number of elements of an axis.
  constexpr void know(handle h, extent e) { known_.push({h.id, e}); }
  constexpr extent known_extent(int node) const {
    for (known_node const& k : known_)
      if (k.node == node) return k.is;
    return dynamic_extent;
  }
  // A name that no argument and no other extent has.
  constexpr extent fresh_name() {
    char name[max_name + 1] = {'d'};
    char digits[max_name]{};
    int count = 0, length = 1;
    for (int n = names_++; count == 0 || n > 0; n /= 10)
      digits[count++] = static_cast<char>('0' + n % 10);
    while (count > 0) name[length++] = digits[--count];
    return pack_name(name);
  }

private:
  static constexpr bool is_return(code c) {
    return c == code::func_return || c == code::return_ || c == code::stablehlo_return;
  }
  constexpr growing<handle> call_function(operation const& o, int f, view<handle> arguments) {
    function const& callee = m.functions[f];
    for (int a : active_)
      if (a == f) {
        message words;
        words.add("@");
        add_text(words, m.text(callee.name));
        fail(o, words.add(" calls itself; write a while"));
      }
    if (ok() && callee.region < 0) fail(o, "the function has no body");
    if (!ok()) return {};
    active_.push(f);
    growing<handle> results = run(o, callee.region, arguments);
    active_.pop();
    int at = 0;
    for (int i = 0; i < callee.result_count && ok(); ++i)
      are_written(o, m.types[m.members[callee.first_result + i]], results, at,
                  "the function gives ");
    if (ok() && at != results.size()) fail(o, "the function gives more than its type says");
    return results;
  }

  struct known_node {
    int node;
    extent is;
  };
  growing<known_node> known_;
  growing<extents> made_;
  growing<extent> made_names_;
  function_type import_one_;
  growing<handle> bound_;  // by value; of a tuple the place in leaves_
  growing<handle> leaves_; // of tuples
  growing<int> active_;    // functions that are being inlined
  value_names functions_;  // by name
  growing<int> constants_; // by attribute: where its numbers are, or -1
  int steps_ = 0, depth_ = 0, names_ = 0;
};

} // namespace detail
} // namespace weft::inline v0::stablehlo

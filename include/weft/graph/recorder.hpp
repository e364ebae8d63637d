// SPDX-License-Identifier: BSL-1.0
// recorder: writes a graph while a traced function or a transform runs. It knows the open region,
// makes constants of a loop (captures) by itself, nests (a function recorded inside another sees
// the outer one's values as extra inputs), and watches random keys.
// Needs: every handle lives no longer than its recorder. Leaves: never throws; the first mistake
// is graph.error.
#pragma once

#include <weft/graph/attributes.hpp>

namespace weft::inline v0 {

class recorder;

// An untyped value of a recorder: what rules, transforms and typed arrays hold.
struct handle {
  recorder* where = nullptr;
  int id = -1;

  constexpr dtype type() const;
  constexpr extents shape() const; // a copy: recording makes the table of shapes grow
  constexpr bool valid() const { return where != nullptr; }
};

// What every derivative keeps (transform/checkpoint.hpp), whatever the program says; if given.
struct keeping {
  bool given = false;
  residuals save{};
};

class recorder {
public:
  graph result;
  cast_rule casting = cast_rule::by_policy; // of the nodes that are recorded now
  bool back = false;                        // of the nodes that are recorded now: node::back
  struct keeping keeping {};                // of the outermost recorder
  extent ranks = 0;       // of the outermost recorder: those of its collectives; 0: none yet
  bool takes_all = false; // what is computed from outer values alone is recorded here, too

  constexpr explicit recorder(recorder* outer = nullptr) : outer_(outer) {
    result.add_region(-1);
    if (outer_ != nullptr) outer_->inner_ = this;
  }
  constexpr ~recorder() {
    if (outer_ != nullptr) outer_->inner_ = nullptr;
  }
  recorder(recorder const&) = delete;
  recorder& operator=(recorder const&) = delete;

  constexpr int open_region() const { return open_; }
  constexpr recorder* outer() const { return outer_; }
  // The recorder of the function that is running now: where a loop whose operands all come from
  // outside must be recorded, since its body may use inner values.
  constexpr recorder& innermost() {
    recorder* r = this;
    while (r->inner_ != nullptr) r = r->inner_;
    return *r;
  }

  // A parameter of region 0; `origin` is the outer value it stands for, if any.
  constexpr handle input(dtype type, extents const& shape, input_info info, handle origin = {}) {
    int const was_open = open_;
    open_ = 0;
    handle h = parameter(type, shape);
    open_ = was_open;
    result.inputs.push(info);
    origins_.push(origin);
    inputs_captured_.push(false);
    return h;
  }
  // A parameter of the open region, numbered when the region is closed.
  constexpr handle parameter(dtype type, extents const& shape) {
    handle h = append({.code = op::parameter, .type = type}, shape, {}, {});
    parameters_.push({h.id, open_});
    return h;
  }
  // A node of the open region; operands of outer regions and recorders are captured.
  // The shape by value: it may be another node's, and a capture makes the shape table grow.
  constexpr handle emit(op code, dtype type, extents shape, view<handle> operands,
                        view<extent> attributes = {}, int body = -1) {
    if (recorder& r = taker(); &r != this)
      return r.emit(code, type, shape, operands, attributes, body);
    node n{.code = code,
           .type = type,
           .casting = casting,
           .back = back,
           .region = open_,
           .body = body};
    n.first_operand = result.operands.size();
    n.operand_count = operands.size();
    for (handle h : operands) result.operands.push(local(h)); // captures have no operands
    n.shape = result.intern(shape);
    return {this, result.add(n, attributes)};
  }
  // What is recorded now has the marks that n has.
  constexpr void mark_as(node const& n) {
    casting = n.casting;
    back = n.back;
  }
  // The id by which `h` is known in the open region.
  constexpr int local(handle h) { return in_region(own(h), open_); }
  constexpr handle localised(handle h) { return {this, local(h)}; }
  // The value that a region's parameter stands for where it was captured; -1: it was not.
  constexpr int captured_value(int parameter) const {
    for (capture const& c : captures_)
      if (c.inner == parameter) return c.from;
    return -1;
  }

  // Body regions: open, record, close with the outputs; the captured outer ids come back.
  // `once`: the body runs at most once, or may draw the same numbers each time.
  constexpr int begin_body(bool once = false) {
    open_ = result.add_region(open_);
    if (once) once_.push(open_);
    return open_;
  }
  constexpr growing<handle> end_body(int body, view<handle> outputs) {
    growing<int> outs;
    for (handle h : outputs) outs.push(local(h));
    growing<int> parameters = number_parameters(body);
    result.set_outputs(body, outs);
    result.set_parameters(body, parameters);
    open_ = result.regions[body].parent;
    growing<handle> captured;
    for (capture const& c : captures_)
      if (c.region == body) captured.push({this, in_region(c.from, open_)});
    return captured;
  }
  constexpr void set_owner(int body, int node_id) { result.regions[body].owner = node_id; }

  // Region 0 is complete. Captured outer values stand behind the declared inputs.
  constexpr void finish(view<handle> outputs) {
    growing<int> outs;
    for (handle h : outputs) outs.push(local(h));
    result.set_outputs(0, outs);
    result.set_parameters(0, number_parameters(0));
  }
  // Of input i: the outer value it stands for.
  constexpr handle origin_of_input(int i) const { return origins_[i]; }
  constexpr int input_count() const { return origins_.size(); }

  // A key was given to a draw or a split. Twice is an error, and so is once in a loop's body when
  // the key comes from outside: every step would draw the same numbers.
  constexpr void consume_key(handle key) {
    recorder* at = this;
    int id = own(key);
    for (;;) {
      if (at->result.nodes[id].region != at->repeated_region())
        return root().result.fail(trace_error::key_shared_by_steps, id);
      handle origin = at->origin_of_node(id);
      if (!origin.valid()) break;
      at = origin.where;
      id = origin.id;
    }
    for (int used : at->consumed_)
      if (used == id) return root().result.fail(trace_error::key_used_twice, id);
    at->consumed_.push(id);
  }
  // The innermost open region whose steps want keys of their own, or the program.
  constexpr int repeated_region() const {
    int r = open_;
    for (int i = once_.size() - 1; i >= 0; --i)
      if (once_[i] == r) r = result.regions[r].parent;
    return r;
  }
  // A collective, or a rank's place, of a mesh of so many.
  constexpr void note_ranks(extent n) {
    recorder& program = root();
    if (program.ranks == 0) program.ranks = n;
    if (program.ranks != n) program.result.fail(trace_error::two_meshes, result.nodes.size() - 1);
  }
  constexpr recorder& root() {
    recorder* r = this;
    while (r->outer_ != nullptr) r = r->outer_;
    return *r;
  }

  // Where what is recorded here goes.
  constexpr recorder& taker() {
    recorder* last = this;
    for (recorder* r = inner_; r != nullptr; r = r->inner_)
      if (r->takes_all) last = r;
    return *last;
  }
  // How many keys are used up, here and outside; and back to that, for a function that is recorded
  // twice.
  constexpr growing<int> keys_used() const {
    growing<int> counts;
    for (recorder const* r = this; r != nullptr; r = r->outer_) counts.push(r->consumed_.size());
    return counts;
  }
  constexpr void forget_keys_used_since(view<int> counts) {
    int i = 0;
    for (recorder* r = this; r != nullptr; r = r->outer_, ++i)
      while (r->consumed_.size() > counts[i]) r->consumed_.pop();
  }

private:
  struct capture {
    int from, inner, region;
  };
  struct open_parameter {
    int id, region;
  };

  constexpr handle append(node n, extents const& shape, view<int> operands,
                          view<extent> attributes) {
    n.shape = result.intern(shape);
    n.region = open_;
    return {this, result.add(n, operands, attributes)};
  }
  // The id of `h` in this recorder: its own, or an input that stands for an outer recorder's value.
  constexpr int own(handle h) {
    if (h.where == this) return h.id;
    bool enclosing = false;
    for (recorder* r = outer_; r != nullptr; r = r->outer_) enclosing |= r == h.where;
    if (!enclosing) return escaped(h);
    for (int i = 0; i < origins_.size(); ++i)
      if (origins_[i].where == h.where && origins_[i].id == h.id && inputs_captured_[i])
        return input_node(i);
    handle p = input(h.type(), h.shape(), {-1, origins_.size(), false}, h);
    inputs_captured_.back() = true;
    return p.id;
  }
  constexpr int input_node(int i) const {
    int seen = 0;
    for (open_parameter const& p : parameters_)
      if (p.region == 0 && seen++ == i) return p.id;
    return 0;
  }
  constexpr handle origin_of_node(int id) const {
    int seen = 0;
    for (open_parameter const& p : parameters_)
      if (p.region == 0) {
        if (p.id == id) return origins_[seen];
        ++seen;
      }
    return {};
  }
  // An outer region's value becomes a parameter of every region between it and `region`.
  constexpr int in_region(int id, int region) {
    if (result.nodes[id].region == region) return id;
    int parent = result.regions[region].parent;
    if (parent < 0) return escaped({this, id});
    for (capture const& c : captures_)
      if (c.region == region && c.from == id) return c.inner;
    in_region(id, parent);
    int const was_open = open_;
    open_ = region;
    node const& n = result.nodes[id];
    handle h = parameter(n.type, extents(result.shapes[n.shape]));
    open_ = was_open;
    captures_.push({id, h.id, region});
    return h.id;
  }
  constexpr int escaped(handle h) {
    root().result.fail(trace_error::escaping_value, h.id);
    return 0;
  }
  constexpr growing<int> number_parameters(int r) {
    growing<int> ids;
    for (open_parameter const& p : parameters_)
      if (p.region == r) {
        node& n = result.nodes[p.id];
        n.first_attribute = result.attributes.size();
        n.attribute_count = 1;
        result.attributes.push(ids.size());
        ids.push(p.id);
      }
    return ids;
  }

  recorder* outer_ = nullptr;
  recorder* inner_ = nullptr; // the nested one that is alive
  int open_ = 0;
  growing<open_parameter> parameters_;
  growing<capture> captures_;
  growing<handle> origins_;
  growing<bool> inputs_captured_;
  growing<int> consumed_;
  growing<int> once_; // bodies that run at most once, or draw the same numbers each time
};

// While it lives, nodes are recorded with this rule for autocast.
class casting_as {
public:
  constexpr casting_as(recorder& r, cast_rule rule) : r_(r), before_(r.casting) {
    r.casting = rule;
  }
  constexpr ~casting_as() { r_.casting = before_; }
  casting_as(casting_as const&) = delete;
  casting_as& operator=(casting_as const&) = delete;

private:
  recorder& r_;
  cast_rule before_;
};

constexpr dtype handle::type() const { return where->result.nodes[id].type; }
constexpr extents handle::shape() const { return where->result.shape(id); }

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// model: a program out of a graph that only the run knows, such as an imported one, on the block
// executor. Nothing is instantiated per program.
//   model m(graph);
//   auto y = m.call<tensor<float, 10>>(x);                  // typed, checked
//   std::vector<host_array> ys = m.run(xs);                  // whatever the types
//   std::vector<host_array> ys = m.run(pool, xs);            // on threads
//   m.join(&ranks);                                          // as one of several ranks, from now on
// Needs: a graph that verify accepts. One call at a time. Leaves: the bits of the interpreter.
// Errors: usage_error, shape_error where arguments are not what the program takes.
#pragma once

#include <weft/array/host_array.hpp>
#include <weft/cpu/block.hpp>
#include <weft/pass/work.hpp>
#include <weft/run/explain.hpp>
#include <weft/run/kept.hpp>

#include <string>
#include <vector>

namespace weft::inline v0 {

// What a program takes or gives at one place.
struct value_info {
  dtype type{};
  extents shape; // names where the run decides
  std::string name;
};

class model {
public:
  explicit model(graph_view g, std::vector<std::string> names = {})
      : declared_(thaw(g)), program_(g), names_(std::move(names)) {}

  int inputs() const { return graph_view(declared_).parameters_of(0).size(); }
  int outputs() const { return graph_view(declared_).outputs_of(0).size(); }
  value_info input(int i) const {
    auto const at = static_cast<std::size_t>(i);
    return info_of_node(graph_view(declared_).parameters_of(0)[i],
                        at < names_.size() ? names_[at] : "");
  }
  value_info output(int k) const {
    return info_of_node(graph_view(declared_).outputs_of(0)[k], "");
  }
  graph_view recorded() const { return declared_; }
  cpu::program_code code() const { return program_.code(); }
  // Calls from now on are one rank's among these (docs/scaling.md); null: of one that is alone. A
  // program without collectives has nothing to say to the others.
  void join(cpu::rank_group* others) {
    others_ = detail::ranks_wanted_by(declared_).world != 1 ? others : nullptr;
  }

  template <cpu::executor Executor>
  std::vector<host_array> run(Executor& executor, std::vector<host_array> const& inputs) {
    std::vector<host_array const*> all;
    all.reserve(inputs.size());
    for (host_array const& x : inputs) all.push_back(&x);
    return run_from(executor, all);
  }
  std::vector<host_array> run(std::vector<host_array> const& inputs) {
    cpu::serial here;
    return run(here, inputs);
  }
  // Of arrays that do not stand side by side.
  template <cpu::executor Executor>
  std::vector<host_array> run_from(Executor& executor,
                                   std::vector<host_array const*> const& inputs) {
    return cpu::telling(others_, [&] { return run_here(executor, inputs); });
  }

  // R: a tensor, or a struct or std::tuple of tensors, one per result; the same for arguments.
  template <class R, class... X> R call(X const&... x) {
    cpu::serial here;
    return call_on<R>(here, x...);
  }
  template <class R, cpu::executor Executor, class... X>
  R call_on(Executor& executor, X const&... x) {
    return cpu::telling(others_, [&] { return call_here<R>(executor, x...); });
  }

private:
  template <class Executor>
  std::vector<host_array> run_here(Executor& executor,
                                   std::vector<host_array const*> const& inputs) {
    growing<detail::argument_leaf> leaves;
    growing<dtype> types;
    for (host_array const* x : inputs) {
      leaves.push({x->data(), x->shape()});
      types.push(x->type());
    }
    detail::kept_engine& e = engine_for(leaves, types, static_cast<int>(executor.threads()));
    std::vector<host_array> results;
    growing<void*> to;
    for (int k = 0; k < outputs(); ++k) {
      results.emplace_back(output(k).type, detail::result_shape(e, k));
      to.push(results.back().data());
    }
    call_engine(e, leaves, to, executor);
    return results;
  }
  template <class R, class Executor, class... X> R call_here(Executor& executor, X const&... x) {
    growing<detail::argument_leaf> leaves;
    growing<dtype> types;
    (for_each_leaf(x, [&](auto const& leaf) { add_leaf(leaves, types, leaf); }), ...);
    detail::kept_engine& e = engine_for(leaves, types, static_cast<int>(executor.threads()));
    if (leaf_count<R> != outputs())
      detail::raise_value_count("model", "results", leaf_count<R>, outputs());
    R result{};
    growing<void*> to;
    for_each_leaf(result, [&](auto& leaf) { to.push(place(leaf, e, to.size())); });
    call_engine(e, leaves, to, executor);
    return result;
  }

  value_info info_of_node(int id, std::string name) const {
    graph_view const g = declared_;
    return {g[id].type, g.shape(id), std::move(name)};
  }
  template <class Leaf>
  static void add_leaf(growing<detail::argument_leaf>& leaves, growing<dtype>& types,
                       Leaf const& leaf) {
    if constexpr (std::is_same_v<Leaf, key>) {
      leaves.push({&leaf.high, shape<2>::value});
      types.push(dtype::u32);
    } else if constexpr (element<Leaf>) {
      leaves.push({&leaf, {}});
      types.push(dtype_of<Leaf>);
    } else {
      leaves.push({leaf.data(), leaf.shape()});
      types.push(dtype_of<typename Leaf::element_type>);
    }
  }
  template <class T, auto... E> void* place(tensor<T, E...>& leaf, cpu::engine const& e, int k) {
    value_info const is = output(k);
    if (is.type != dtype_of<T>)
      raise<usage_error>(message("weft: model: result ")
                             .add(k)
                             .add(" is ")
                             .add(name_of(is.type))
                             .add(", the tensor ")
                             .add(name_of(dtype_of<T>)));
    extents const& shape = detail::result_shape(e, k);
    if (!detail::fits(shape, tensor<T, E...>::pattern))
      raise<shape_error>(message("weft: model: result ")
                             .add(k)
                             .add(" has shape ")
                             .add(shape)
                             .add(", the tensor ")
                             .add(tensor<T, E...>::pattern));
    leaf = tensor<T, E...>::uninitialised(shape);
    return leaf.size() == 0 ? nullptr : detail::writable(leaf);
  }

  detail::kept_engine& engine_for(view<detail::argument_leaf> leaves, view<dtype> types,
                                  int threads) {
    detail::check_inputs(declared_, types, "model");
    detail::kept_engine& e = engines_.get(program_.code(), detail::binder_if<true>(), leaves,
                                          threads, nullptr);
    e.join(others_);
    return e;
  }
  template <class Executor>
  static void call_engine(detail::kept_engine& e, view<detail::argument_leaf> leaves,
                          view<void*> to, Executor& executor) {
    growing<void const*> in;
    for (detail::argument_leaf const& a : leaves) in.push(a.data);
    e.run(in, to, executor);
  }

  graph declared_;
  cpu::block_program<cpu::native_target> program_;
  std::vector<std::string> names_;
  detail::kept_engines engines_;
  cpu::rank_group* others_ = nullptr;
};

// The same of a program that only the run knows; where its shapes are numbers, memory and arithmetic
// too.
inline std::string explain(model const& m) {
  cpu::program_code const code = m.code();
  auto const schedule = [&](cpu::engine const* e) {
    return detail::explain_stages(m.recorded().size(), code.graph, code.plan, code.code, e);
  };
  if (has_names(code.graph)) return schedule(nullptr);
  cpu::engine const e(code, {}, 1);
  return schedule(&e) + detail::explain_memory(e) + "arithmetic " +
         std::to_string(flops_of(code.graph)) + " operations\n";
}

} // namespace weft::inline v0

// SPDX-License-Identifier: BSL-1.0
// Programs whose products tell of their elements wherever they can, however few these are: what
// random graphs, which are small, ask for. And a run that counts what ran as an epilogue, with moved
// arguments if asked for.
#pragma once

#include "run_blocks.hpp"

#include <weft/pass/donation.hpp>

namespace test {

enum class telling { never, always };

// The code of a program, but for what its products say of themselves.
class told_code {
public:
  told_code(weft::cpu::program_code const& code, telling how) : code_(code) {
    auto const steps = static_cast<std::size_t>(code.plan.steps.size());
    products_.resize(steps), convolutions_.resize(steps);
    for (std::size_t s = 0; s < steps; ++s) {
      if (code.contractions[s] != nullptr) products_[s] = *code.contractions[s];
      if (code.convolutions[s] != nullptr) convolutions_[s] = *code.convolutions[s];
      set(products_[s].tells, how), set(convolutions_[s].tells, how);
      product_at_.push_back(code.contractions[s] == nullptr ? nullptr : &products_[s]);
      convolution_at_.push_back(code.convolutions[s] == nullptr ? nullptr : &convolutions_[s]);
    }
    code_.contractions = product_at_.data();
    code_.convolutions = convolution_at_.data();
  }
  told_code(told_code const&) = delete;
  told_code& operator=(told_code const&) = delete;

  weft::cpu::program_code const& code() const { return code_; }

private:
  template <class Form> static void set(bool (*&tells)(Form const&, int), telling how) {
    if (how == telling::never) tells = nullptr;
    else if (tells != nullptr) tells = [](Form const&, int) { return true; };
  }
  weft::cpu::program_code code_;
  std::vector<weft::cpu::contraction_code> products_;
  std::vector<weft::cpu::convolution_code> convolutions_;
  std::vector<weft::cpu::contraction_code const*> product_at_;
  std::vector<weft::cpu::convolution_code const*> convolution_at_;
};

struct epilogue_run {
  weft::growing<weft::dense> results;
  weft::extent ran = 0;         // groups that ran as epilogues
  int planned = 0, donated = 0; // groups that may; outputs over a moved argument
};

// `donate`: outputs lie over arguments where that may be.
template <class Executor>
epilogue_run run_epilogues(weft::cpu::program_code const& code, weft::view<weft::dense> inputs,
                           Executor& executor, bool donate = false) {
  weft::growing<weft::extents> shapes;
  for (weft::dense const& x : inputs) shapes.push(x.shape);
  weft::cpu::engine engine(code, weft::bind_to(code.graph, shapes),
                           static_cast<int>(executor.threads()));
  weft::graph_view const g = engine.bound();
  std::vector<packed_array> in, out;
  std::vector<bool> taken(static_cast<std::size_t>(inputs.size()), false);
  std::vector<void const*> from;
  std::vector<void*> to;
  epilogue_run r;
  for (weft::dense const& x : inputs) from.push_back(in.emplace_back(x).data());
  for (int k = 0; k < g.outputs_of(0).size(); ++k) {
    int const id = g.outputs_of(0)[k];
    void* at = out.emplace_back(g[id].type, g.shape(id)).data();
    for (int i = 0; donate && i < inputs.size(); ++i) {
      auto const n = static_cast<std::size_t>(i);
      int const parameter = g.parameters_of(0)[i];
      if (taken[n] || g[parameter].type != g[id].type || !(g.shape(parameter) == g.shape(id)) ||
          !weft::may_overwrite(g, engine.reads(), engine.plan(), engine.memory(), i, k))
        continue;
      taken[n] = true;
      ++r.donated;
      at = in[n].data();
      break;
    }
    to.push_back(at);
  }
  engine.run({from.data(), inputs.size()}, {to.data(), static_cast<int>(to.size())}, executor);
  for (int k = 0; k < static_cast<int>(to.size()); ++k) {
    packed_array& own = out[static_cast<std::size_t>(k)];
    int const id = g.outputs_of(0)[k];
    if (void* const at = to[static_cast<std::size_t>(k)]; at != own.data() && at != nullptr)
      std::memcpy(own.data(), at, static_cast<std::size_t>(weft::bytes_of(g, id)));
    r.results.push(own.unpacked());
  }
  r.ran = engine.epilogues_run();
  for (int s = 0; s < code.plan.steps.size(); ++s)
    r.planned += engine.epilogues().product_of(s) >= 0;
  return r;
}

} // namespace test

// SPDX-License-Identifier: BSL-1.0
// build: alone
// JAX runs what the examples train and predict with: whole steps, with their gradients, draws and
// autocast. Skipped unless WEFT_JAX_PYTHON names a Python with JAX.
#include "../../examples/char_lm/model.hpp"
#include "../../examples/digits/model.hpp"
#include "jax_fixture.hpp"
#include "random/random_source.hpp"
#include "random/run_blocks.hpp"

#include <weft/pass/canonical.hpp>
#include <weft/pass/dce.hpp>

#include <cmath>

namespace {

using namespace test;

// Weights and moments are small (Adam divides by the root of one: none is near 0), counts and symbols are numbers that there are, keys anything.
dense argument(random_source& rng, weft::graph_view g, int i, int most) {
  int const id = g.parameters_of(0)[i];
  dense x(g[id].type, g.shape(id));
  for (int k = 0; k < x.size(); ++k) {
    if (g.inputs[i].key) x[k] = rng.next() & 0xffffffffu;
    else if (weft::is_float(x.type))
      x[k] = weft::word_of(0.05f + static_cast<float>(rng.below(1001)) / 20000); // to 0.1
    else x[k] = static_cast<word>(rng.below(most));
  }
  return x;
}
double value(dense const& x, int i) {
  return weft::detail::with_dtype(x.type, [&]<dtype D>() -> double {
    auto const e = weft::element_of_word<weft::storage_of<D>>(x[i]);
    if constexpr (weft::is_half(D)) return static_cast<double>(static_cast<float>(e));
    else return static_cast<double>(e);
  });
}

class jax_examples : public jax {
protected:
  // `bound`: of the largest element of a result. Sums over a step's hundreds of thousands of terms
  // are taken in another order by XLA; a bf16 has 8 bits.
  template <class Program> void add(std::string const& name, int most, double bound) {
    weft::graph const g = weft::dce(weft::canonical(Program::make()));
    random_source rng(7);
    growing<dense> inputs;
    for (int i = 0; i < g.inputs.size(); ++i) inputs.push(argument(rng, g, i, most));
    jax::add(name, g, inputs);
    bounds_.push_back(bound);
  }
  void compare_all() {
    // XLA leaves out roundings to bf16 between its operations unless it is told not to.
    ::setenv("XLA_FLAGS", "--xla_allow_excess_precision=false", 1);
    run();
    weft::cpu::serial here;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      block_runner<weft::cpu::native_target> const blocks(jobs_[j].program);
      growing<dense> const ours = blocks.run(jobs_[j].inputs, here),
                           theirs = results(jobs_[j], ours);
      for (int k = 0; k < ours.size() && k < theirs.size(); ++k)
        compare(jobs_[j].name + " result " + std::to_string(k), ours[k], theirs[k], bounds_[j]);
    }
  }

private:
  static void compare(std::string const& name, dense const& ours, dense const& theirs,
                      double bound) {
    ASSERT_EQ(ours.size(), theirs.size()) << name;
    double largest = 0, worst = 0;
    for (int i = 0; i < ours.size(); ++i) {
      largest = std::fmax(largest, std::fabs(value(ours, i)));
      worst = std::fmax(worst, std::fabs(value(ours, i) - value(theirs, i)));
      ASSERT_EQ(std::isnan(value(ours, i)), std::isnan(value(theirs, i))) << name << " at " << i;
    }
    if (weft::is_float(ours.type)) EXPECT_LE(worst, bound * largest) << name;
    else EXPECT_EQ(worst, 0) << name;
  }
  std::vector<double> bounds_;
};

TEST_F(jax_examples, agree) {
  add<char_lm::train_f32>("char_lm_train", char_lm::vocabulary, 1e-4);
  add<char_lm::score_block>("char_lm_score", char_lm::vocabulary, 1e-5);
  add<char_lm::sample_step>("char_lm_sample", char_lm::vocabulary, 1e-5);
  add<char_lm::train_bf16>("char_lm_train_bf16", char_lm::vocabulary, 2e-2);
  add<digits::train_f32>("digits_train", 10, 1e-3);
  add<digits::predict_held_out>("digits_predict", 10, 1e-4);
  compare_all();
}

} // namespace

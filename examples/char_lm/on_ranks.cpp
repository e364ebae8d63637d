// SPDX-License-Identifier: BSL-1.0
// The programs among processes under MPI: each runs its part of the same graphs, which weft::partition
// makes of them for the mesh that --mesh names, by the block executor.
#include "machine.hpp"
#include "team.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/io/host_arrays.hpp>
#include <weft/io/rank_slice.hpp>
#include <weft/io/safetensors_slices.hpp>
#include <weft/mpi.hpp>
#include <weft/pass/partition_text.hpp>
#include <weft/run/model.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace char_lm {
namespace {

using arrays = std::vector<weft::host_array>;
using splits = weft::growing<weft::sharding>;

struct collected : weft::program<[](auto all) { return all; }, learnt<tensor>> {};

template <class X> void add_leaves(arrays& to, X const& x) {
  weft::for_each_leaf(x, [&](auto const& leaf) { to.emplace_back(leaf); });
}
template <class X> X from_leaves(arrays const& whole) {
  X x{};
  auto next = whole.begin();
  weft::for_each_leaf(x, [&]<class T, auto... E>(tensor<T, E...>& leaf) {
    leaf = (next++)->template as<T, E...>();
  });
  return x;
}

// A mesh with both axes; one that --mesh does not name splits nothing.
weft::mesh_axes mesh_from(std::string const& words) {
  std::string all = words;
  for (char const* more : {"data=1", "model=1"}) {
    std::string const name = std::string(more).substr(0, std::string_view(more).find('='));
    weft::text const axis{name.c_str(), static_cast<int>(name.size())};
    if (weft::mesh_of(words.c_str()).place_of(axis) < 0) all += std::string(",") + more;
  }
  weft::mesh_axes const m = weft::mesh_of(all.c_str());
  if (m.count != 2)
    throw std::runtime_error("--mesh " + words +
                             ": its axes are data and model, as in data=2,model=2");
  return m;
}
// Streams are split over "data"; of the weights of the cell and the output, and of Adam's moments of
// these, rows over "model".
weft::sharding split_of(std::string const& leaf, int rank, weft::mesh_axes const& mesh) {
  if (leaf.ends_with("carried")) return sharding_of("[data, -]", mesh);
  bool const by_rows = leaf.find(".cell.") != leaf.npos || leaf.find(".output") != leaf.npos;
  return sharding_of(!by_rows ? "" : rank == 1 ? "[model]" : "[model, -]", mesh);
}

// A program of one machine, as this process runs its part of it.
class part_of_program {
public:
  part_of_program(weft::graph_view whole, weft::mesh_axes const& mesh, splits const& in,
                  splits const& out, weft::cpu::rank_group& others)
      : model_(weft::checked_partition(whole, mesh, in, out).program) {
    model_.join(&others);
  }
  arrays run(weft::cpu::pool& pool, arrays const& inputs) { return model_.run(pool, inputs); }

private:
  weft::model model_;
};

class ranks_machine final : public machine {
public:
  ranks_machine(options const& o, weft::mpi::session& job, weft::mesh_axes const& mesh)
      : mesh_name_(o.mesh), job_(job), mesh_(mesh), pool_(threads_of_each(o, job)),
        alone_(open_cpu(of_one(o, pool_.threads()))), leaves_(described(mesh)),
        train_(program_of(o.precision == "f32" ? train_f32::make() : train_bf16::make(), true)),
        score_(program_of(score_block::make(), false)),
        collect_(collected::make(), mesh, splits_of_learnt(), splits(size(), {}), job) {}

  std::string name() const override {
    return mesh_name_ + " on " + std::to_string(mesh_.ranks) + " processes of " +
           std::to_string(pool_.threads()) + (pool_.threads() == 1 ? " thread" : " threads");
  }

  void put(learnt<tensor> const& all) override {
    arrays whole;
    add_leaves(whole, all);
    mine_.clear();
    for (std::size_t i = 0; i < whole.size(); ++i)
      mine_.push_back(take_slice(whole[i], slice(i, job_.rank())));
  }
  learnt<tensor> get() const override {
    return from_leaves<learnt<tensor>>(collect_.run(pool_, mine_));
  }
  void rewind() override {
    mine_.back() = weft::host_array(weft::dtype::f32, mine_.back().shape());
  }

  float train(block const& inputs, block const& targets, weft::key key, float rate) override {
    arrays in = std::move(mine_);
    add_blocks(in, inputs, targets);
    in.emplace_back(tensor<std::uint32_t, 2>{key.high, key.low});
    in.emplace_back(rate);
    mine_ = train_.run(pool_, in);
    float const nats = mine_.back().as<float>()();
    mine_.pop_back();
    return nats;
  }
  float score(block const& inputs, block const& targets, bool first) override {
    if (first) scored_ = weft::host_array(weft::dtype::f32, mine_.back().shape());
    arrays in(mine_.begin(), mine_.begin() + weights);
    in.push_back(std::move(scored_));
    add_blocks(in, inputs, targets);
    arrays out = score_.run(pool_, in);
    scored_ = std::move(out[1]);
    return out[0].as<float>()();
  }
  // Of one symbol: each process by itself.
  prediction predict(int symbol, int place, float temperature, weft::key key) override {
    if (place == 0) alone_->put(get());
    return alone_->predict(symbol, place, temperature, key);
  }

  void save(std::string const& path, weft::safetensors_metadata const& texts) const override {
    std::vector<weft::sliced_array> parts;
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      parts.push_back({leaves_[i].name, leaves_[i].type, leaves_[i].shape,
                       [this, i](weft::extent rank) { return slice(i, rank); }, mine_[i].data()});
    weft::save_safetensors(job_, path, texts, parts);
  }
  void load(std::string const& path) override {
    weft::safetensors_file const file(path);
    mine_.clear();
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      mine_.push_back(file.load_any(leaves_[i].name, slice(i, job_.rank())));
      if (mine_.back().type() != leaves_[i].type || file.shape(leaves_[i].name) != leaves_[i].shape)
        throw std::runtime_error(path + " has another array " + leaves_[i].name);
    }
  }

private:
  struct leaf {
    std::string name;
    weft::dtype type;
    weft::extents shape; // of the whole
    weft::sharding split;
  };
  static constexpr std::ptrdiff_t weights = weft::leaf_count<parameters>;

  static std::vector<leaf> described(weft::mesh_axes const& mesh) {
    weft::graph const all = collected::make();
    weft::graph_view const g = all;
    std::vector<leaf> r;
    for (std::string const& name : weft::leaf_names<learnt<tensor>>()) {
      int const id = g.parameters_of(0)[static_cast<int>(r.size())];
      r.push_back({name, g[id].type, g.shape(id), split_of(name, g.shape(id).rank, mesh)});
    }
    return r;
  }
  // Processes of one machine share its cores.
  static int threads_of_each(options const& o, weft::mpi::session const& job) {
    boost::mpi::communicator const here(job.communicator());
    MPI_Comm near = MPI_COMM_NULL;
    MPI_Comm_split_type(here, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    boost::mpi::communicator const beside(near, boost::mpi::comm_take_ownership);
    int const cores = static_cast<int>(std::thread::hardware_concurrency());
    return o.threads > 0 ? o.threads : std::max(cores / beside.size(), 1);
  }
  static options of_one(options o, int threads) {
    o.threads = threads;
    return o;
  }

  int size() const { return static_cast<int>(leaves_.size()); }
  weft::array_slice slice(std::size_t i, weft::extent rank) const {
    return rank_slice(leaves_[i].shape, leaves_[i].split, mesh_, rank);
  }
  splits splits_of_learnt() const {
    splits s;
    for (leaf const& one : leaves_) s.push(one.split);
    return s;
  }
  // (learnt, inputs, targets, key, rate) -> (learnt, nats), or (weights, state, inputs, targets) ->
  // (nats, state).
  part_of_program program_of(weft::graph const& whole, bool trains) const {
    splits in, out;
    weft::sharding const nats{}, state = leaves_.back().split,
                                 block = sharding_of("[-, data]", mesh_);
    for (leaf const& one : leaves_)
      if (trains || in.size() < weights) in.push(one.split);
    if (trains) out = in;
    else in.push(state);
    in.push(block);
    in.push(block);
    if (trains) in.push({}), in.push({}), out.push(nats);
    else out.push(nats), out.push(state);
    return {whole, mesh_, in, out, job_};
  }
  void add_blocks(arrays& to, block const& inputs, block const& targets) const {
    weft::sharding const split = sharding_of("[-, data]", mesh_);
    for (block const* b : {&inputs, &targets})
      to.push_back(
          take_slice(weft::host_array(*b), rank_slice(b->shape(), split, mesh_, job_.rank())));
  }

  std::string mesh_name_;
  weft::mpi::session& job_;
  weft::mesh_axes mesh_;
  mutable weft::cpu::pool pool_;
  std::unique_ptr<machine> alone_;
  std::vector<leaf> leaves_;
  part_of_program train_, score_;
  mutable part_of_program collect_;
  arrays mine_;
  weft::host_array scored_;
};

class mpi_team final : public team {
public:
  mpi_team(options const& o, int& count, char**& arguments)
      : options_(o), mesh_(mesh_from(o.mesh)),
        job_(mesh_, count, arguments, {.limit = o.limit, .throws = false}) {}

  std::unique_ptr<machine> open_machine() override {
    return std::make_unique<ranks_machine>(options_, job_, mesh_);
  }
  std::string first_error(std::string const& mine, std::string const& common) override {
    std::vector<weft::message> const all = job_.texts_of_all(
        (mine.empty() ? "=" + common : "!" + mine).c_str());
    std::string other;
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::string_view const said = all[r].c_str();
      if (said[0] == '!')
        return "process " + std::to_string(r) + ": " + std::string(said.substr(1));
      if (said != all[0].c_str() && other.empty())
        other = "process " + std::to_string(r) + " has " + std::string(said.substr(1)) +
                ", process 0 " + (all[0].c_str() + 1) + "; start all alike";
    }
    return other;
  }

private:
  options options_;
  weft::mesh_axes mesh_;
  weft::mpi::session job_;
};

std::unique_ptr<team> open(options const& o, int& count, char**& arguments) {
  return std::make_unique<mpi_team>(o, count, arguments);
}

[[maybe_unused]] bool const registered = (open_team = &open, true);

} // namespace
} // namespace char_lm

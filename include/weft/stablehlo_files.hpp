// SPDX-License-Identifier: BSL-1.0
// A module with what stands beside it, in three files: NAME.mlir, the text; NAME.json, the manifest
// of its arguments and results; NAME.safetensors, the constants that were lifted out of it.
//   stablehlo::save<step, params<tensor>&&, tensor<float, 32, 64>, key>("step", {.lift = 64});
//   stablehlo::saved_module m("step");
//   std::vector<host_array> ys = m.run(inputs);        // all arguments but the constants
// Needs: nlohmann-json. Errors: io_error for files; usage_error, shape_error where the arrays are not
// what the manifest says; value_error for a text that is no module, or another than the manifest's.
#pragma once

#include <weft/io.hpp>
#include <weft/io/host_arrays.hpp>
#include <weft/run/stablehlo_write.hpp>
#include <weft/stablehlo.hpp>
#include <weft/stablehlo/manifest_read.hpp>

namespace weft::inline v0::stablehlo {

inline host_array host_array_of(dense const& x) {
  host_array r(x.type, x.shape);
  int const size = size_of(x.type);
  for (int i = 0; i < x.size(); ++i)
    std::memcpy(r.data() + i * size, &x.words[i], static_cast<std::size_t>(size));
  return r;
}

// Each file is there whole or as it was.
inline void save(std::string const& name, exported_module const& m) {
  auto const write = [](std::string const& path, std::string const& text) {
    atomic_file file(weft::detail::file_at{"stablehlo::save", path});
    file.write(text);
    file.commit();
  };
  std::vector<named_host_array> constants;
  for (lifted_constant const& c : m.constants)
    constants.push_back({c.name.c_str(), host_array_of(c.data)});
  save_safetensors(name + ".safetensors", constants);
  write(name + ".mlir", m.text);
  write(name + ".json", to_json(m.about));
}
template <auto F, class... Args> void save(std::string const& name, write_options const& o = {}) {
  save(name, exported<F, Args...>(o));
}

class saved_module {
public:
  explicit saved_module(std::string const& name, view<custom_call> calls = {})
      : about_(manifest_from_json(text_of(name + ".json"))), program_(load(name + ".mlir", calls)) {
    agree(name);
    safetensors_file const file(name + ".safetensors");
    for (manifest_entry const& e : about_.arguments)
      if (e.where == location::constant) constants_.push_back(file.load_any(e.name));
    std::vector<array_info> all = declared();
    for (std::size_t i = 0, next = 0; i < all.size(); ++i)
      if (about_.arguments[i].where == location::constant)
        all[i] = {constants_[next].type(), constants_[next].shape()}, ++next;
    check(about_, numbers(all));
  }

  manifest const& about() const { return about_; }
  model& program() { return program_; }

  // Of all arguments but the constants, in the manifest's order.
  std::vector<host_array> run(std::vector<host_array> const& inputs) {
    std::vector<host_array const*> all;
    std::size_t given = 0, constant = 0;
    for (manifest_entry const& e : about_.arguments)
      if (e.where == location::constant) all.push_back(&constants_[constant++]);
      else if (given < inputs.size()) all.push_back(&inputs[given++]);
    for (; given < inputs.size(); ++given) all.push_back(&inputs[given]); // too many: check says so
    std::vector<array_info> infos;
    for (host_array const* x : all) infos.push_back({x->type(), x->shape()});
    check(about_, infos);
    cpu::serial here;
    return program_.run_from(here, all);
  }

private:
  static std::string text_of(std::string const& path) {
    weft::detail::file_at const at{"stablehlo", path};
    weft::detail::file_bytes const file(at);
    return std::string(file.bytes());
  }
  std::vector<array_info> declared() const {
    std::vector<array_info> all;
    for (manifest_entry const& e : about_.arguments) all.push_back({e.type, e.shape});
    return all;
  }
  // Names are some number here: constants have none.
  static std::vector<array_info> numbers(std::vector<array_info> all) {
    for (array_info& x : all)
      for (int i = 0; i < x.shape.rank; ++i)
        if (is_named(x.shape[i])) x.shape[i] = 1;
    return all;
  }
  // The text's arguments are the manifest's, up to extents that only the run knows.
  void agree(std::string const& name) const {
    bool same = program_.inputs() == static_cast<int>(about_.arguments.size()) &&
                program_.outputs() == static_cast<int>(about_.results.size());
    for (int i = 0; same && i < program_.inputs(); ++i)
      same = is_alike(program_.input(i), about_.arguments[static_cast<std::size_t>(i)]);
    for (int k = 0; same && k < program_.outputs(); ++k)
      same = is_alike(program_.output(k), about_.results[static_cast<std::size_t>(k)]);
    if (!same)
      raise<value_error>(message("weft: stablehlo: ")
                             .add(name.c_str())
                             .add(": the module and its manifest differ; write both again"));
  }
  static bool is_alike(value_info const& is, manifest_entry const& said) {
    if (is.type != said.type || is.shape.rank != said.shape.rank) return false;
    for (int i = 0; i < is.shape.rank; ++i) {
      bool const names = is_named(is.shape[i]) && is_named(said.shape[i]);
      if (!names && is.shape[i] != said.shape[i]) return false;
    }
    return true;
  }

  manifest about_;
  model program_;
  std::vector<host_array> constants_;
};

} // namespace weft::inline v0::stablehlo

// This program prints the kernels that imago plans for a device model, for tools/gpu_compilers.py:
// those of the benchmark's suites for GPUs, and one problem of each group of the digests, which
// have the catalogue's cases, hooks, filters, convolutions, nonuniform and sparse transforms. Each
// device has another third of them.
//
//   imago_planned_kernels FILE [all|sample|pairs]   a line of JSON per problem; FILE:
//                                                   tuning/devices/NAME.json; sample: of suites
//                                                   only; pairs: four lengths in pairs of floats
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <imago/error.hpp>
#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "bench/case.hpp"
#include "device_file.hpp"
#include "digests/problems.hpp"
#include "engine/composition.hpp"
#include "model/work_group/registers.hpp"

namespace {

using namespace imago;
using nlohmann::json;

constexpr const char* kSuites[] = {"h200",     "h200-f64",         "h200-shapes",
                                   "h200-dct", "h200-squares-dct", "h200-single"};

/// Returns the kernels of a plan. `points` and `registers` are those of a work-group's largest
/// phase, and 0 if the launches' numbers determine the shape. `local_bytes` is 0 if it is not
/// known.
json kernels_of(const engine::Blueprint& blueprint) {
  json kernels = json::array();
  for (const engine::Kernel& kernel : blueprint.kernels) {
    if (kernel.code.phases.front().mapping() == Mapping::vector) return json::array();  // a CPU's
    const KernelSource source = engine::generate(kernel);
    std::size_t points = 0, local_bytes = 0;
    unsigned registers = 0;
    for (const kernel::Step& step : kernel.code.phases) {
      if (!step.on_work_group()) continue;
      points = std::max<std::size_t>(points, step.length * step.tile);
      registers = std::max(registers, model::registers_of(step));
      local_bytes = step.local_bytes();
    }
    const kernel::Step& first = kernel.code.phases.front();
    kernels.push_back({{"name", source.name},
                       {"options", source.options},
                       {"source", source.source},
                       {"items", first.work_group_size()},
                       {"points", points},
                       {"local_bytes", kernel.code.phases.size() == 1 ? local_bytes : 0},
                       {"registers", registers}});
  }
  return kernels;
}

/// Returns hand-written kernels from the texts of a problem: name, options, work-items, then OpenCL
/// C. The name of one of its kernels may follow.
json kernels_of(const std::vector<std::string>& texts) {
  json kernels = json::array();
  for (const std::string& text : texts) {
    if (text.find("__kernel ") == std::string::npos) continue;
    std::istringstream in(text);
    std::string name, options, items;
    std::getline(in, name), std::getline(in, options), std::getline(in, items);
    std::string source = text.substr(static_cast<std::size_t>(in.tellg()));
    source.resize(source.rfind('\n') + 1);
    kernels.push_back({{"name", name},
                       {"options", options},
                       {"source", source},
                       {"items", std::stoul(items)},
                       {"points", 0},
                       {"local_bytes", 0},
                       {"registers", 0}});
  }
  return kernels;
}

/// The part of the problems that is printed.
struct Part {
  std::string device;
  unsigned share;  ///< one of so many
  bool has(const std::string& name) const {
    const std::string digest = base::digest(device + name).hex();
    return std::stoul(digest.substr(0, 6), nullptr, 16) % share == 0;
  }
};

void print(const Part& part, const std::string& name, const std::function<json()>& kernels) {
  if (!part.has(name)) return;
  try {
    const json found = kernels();
    if (!found.empty()) std::cout << json{{"name", name}, {"kernels", found}} << '\n';
  } catch (const Error&) {  // the device cannot compute it
  }
}

void print_suites(const device::Facts& facts, const Part& part) {
  for (const char* suite : kSuites) {
    for (const bench::Case& each : bench::suite(suite)) {
      print(part, each.name(), [&] {
        return kernels_of(engine::decide(each.transform(), facts, {.profiles = false}));
      });
    }
  }
}

/// Prints transforms of 2^25 points in all, in pairs of floats.
void print_pairs(const device::Facts& device) {
  const Options options{.profiles = false, .f64 = F64::pairs};
  const device::Facts facts = engine::facts_for(device, options);
  for (const std::size_t length : {64, 1024, 4096, 65536}) {
    const Transform transform{.precision = Precision::f64,
                              .lengths = {length},
                              .batch = (std::size_t{1} << 25) / length,
                              .directions = Directions::forward};
    print({facts.name, 1}, std::to_string(length) + " in pairs",
          [&] { return kernels_of(engine::decide(transform, facts, options)); });
  }
}

/// Prints the problem of each group whose name has the smallest digest, so that a new problem
/// seldom replaces it. Compilers may reject kernels of the laboratory, which test them.
void print_groups(const device::Facts& facts, const Part& part) {
  std::map<std::string, std::pair<std::string, digests::Problem>> groups;
  for (const auto list : {digests::dense_problems, digests::generic_problems,
                          digests::hooked_problems, digests::handmade_problems}) {
    for (const digests::Problem& each : list(facts)) {
      const std::string digest = base::digest(each.name).hex();
      const auto [at, is_new] = groups.try_emplace(each.group, digest, each);
      if (!is_new && digest < at->second.first) at->second = {digest, each};
    }
  }
  for (const auto& [_, chosen] : groups) {
    const digests::Problem& problem = chosen.second;
    if (problem.group == "laboratory") continue;
    print(part, problem.name, [&]() -> json {
      return problem.blueprint ? kernels_of(problem.blueprint()) : kernels_of(problem.texts());
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string word = argc == 3 ? argv[2] : "";
  const bool all = word == "all", sample = word == "sample", pairs = word == "pairs";
  if (argc != 2 && !all && !sample && !pairs) {
    std::cerr << "usage: imago_planned_kernels FILE [all|sample|pairs]\n";
    return 2;
  }
  try {
    const device::Facts facts = engine::facts_for(command::read_device(argv[1]).facts, {});
    if (pairs) return print_pairs(facts), 0;
    const Part part{facts.name, all ? 1u : sample ? 60u : 3u};
    print_suites(facts, part);
    if (!sample) print_groups(facts, part);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

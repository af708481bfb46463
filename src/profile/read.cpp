// This file reads a profile from JSON text. Limits are far above what any device or length needs,
// and low enough that no arithmetic on the numbers overflows.
#include "profile/read.hpp"

#include <array>
#include <limits>
#include <set>

#include "base/errors.hpp"
#include "profile/json_tree.hpp"
#include "profile/node.hpp"
#include "profile/words.hpp"

namespace imago::profile {
namespace {

constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 60;
constexpr std::uint64_t kMostItems = 1 << 20, kMostColumns = 1 << 20, kMostLanes = 64;
constexpr std::uint64_t kLargestRadix = 64;
constexpr std::size_t kMostKernels = 60, kMostRadices = 60, kMostAxes = 8;
constexpr double kMostSeconds = 1e9, kMostRate = 1e24;

/// Where a member is missing its default stays.
template <class Value, class Read>
void set(const Node& node, std::string_view name, Value& value, Read read) {
  if (const auto member = node.optional(name)) value = static_cast<Value>(read(*member));
}
template <class Words, class Value>
void set_word(const Node& node, std::string_view name, Value& value, const Words& words) {
  set(node, name, value, [&](const Node& member) { return member.word(words); });
}
void set_number(const Node& node, std::string_view name, auto& value, std::uint64_t most) {
  set(node, name, value, [&](const Node& member) { return member.whole(0, most); });
}

Device read_device(const Node& node) {
  node.only({"name", "vendor", "driver", "platform", "architecture", "type"});
  return {node.member("name").text(),         node.member("vendor").text(),
          node.member("driver").text(),       node.member("platform").text(),
          node.member("architecture").text(), node.member("type").word(kTypes)};
}

ProblemClass read_problem(const Node& node) {
  node.only({"kinds", "lengths", "precision", "placement", "layout", "batch"});
  ProblemClass problem;
  problem.kind = node.member("kinds").word(kKinds);
  const Node lengths = node.member("lengths");
  const std::size_t axes = lengths.size(1, kMostAxes);
  for (std::size_t i = 0; i < axes; ++i) {
    problem.lengths.push_back(lengths.element(i).whole(1, kMostPoints));
  }
  problem.precision = node.member("precision").word(kPrecisions);
  problem.placement = node.member("placement").word(kPlacements);
  problem.packed = node.member("layout").word(kLayouts);
  problem.batch = node.member("batch").whole(1, kMostPoints);
  return problem;
}

KernelParameters read_kernel(const Node& node) {
  node.only({"length", "radices", "items", "columns", "lanes", "axis", "exchange", "twiddles",
             "four_step"});
  KernelParameters kernel;
  set_number(node, "length", kernel.length, kMostPoints);
  if (const auto radices = node.optional("radices")) {
    const std::size_t count = radices->size(0, kMostRadices);
    for (std::size_t i = 0; i < count; ++i) {
      kernel.radices.push_back(static_cast<unsigned>(radices->element(i).whole(1, kLargestRadix)));
    }
  }
  set_number(node, "items", kernel.items, kMostItems);
  set_number(node, "columns", kernel.columns, kMostColumns);
  set_number(node, "lanes", kernel.lanes, kMostLanes);
  set_word(node, "axis", kernel.axis, kLaneAxes);
  set_word(node, "exchange", kernel.exchange, kExchanges);
  set_word(node, "twiddles", kernel.twiddles, kTwiddles);
  set_word(node, "four_step", kernel.four_step, kTwiddles);
  return kernel;
}

Parameters read_parameters(const Node& node) {
  node.only({"mapping", "algorithm", "launches", "kernels"});
  Parameters parameters;
  set_word(node, "mapping", parameters.mapping, kMappings);
  set_word(node, "algorithm", parameters.algorithm, kAlgorithms);
  set_word(node, "launches", parameters.launches, kLaunches);
  if (const auto kernels = node.optional("kernels")) {
    const std::size_t count = kernels->size(0, kMostKernels);
    for (std::size_t i = 0; i < count; ++i) {
      parameters.kernels.push_back(read_kernel(kernels->element(i)));
    }
  }
  return parameters;
}

Entry read_entry(const Node& node) {
  node.only({"problem", "parameters", "seconds", "driver"});
  Entry entry;
  entry.problem = read_problem(node.member("problem"));
  entry.parameters = read_parameters(node.member("parameters"));
  entry.seconds = node.member("seconds").real(std::numeric_limits<double>::min(), kMostSeconds);
  set(node, "driver", entry.driver, [](const Node& member) { return member.text(); });
  return entry;
}

}  // namespace

device::Rates read_rates(const Node& node) {
  node.only({"copy_bytes", "local_bytes", "flops", "launch_seconds", "segments"});
  const auto rate = [](const Node& member) { return member.real(0, kMostRate); };
  device::Rates rates;
  set(node, "copy_bytes", rates.copy_bytes, rate);
  set(node, "local_bytes", rates.local_bytes, rate);
  set(node, "flops", rates.flops, rate);
  set(node, "launch_seconds", rates.launch_seconds, rate);
  if (const auto segments = node.optional("segments")) {
    segments->size(rates.segments.size(), rates.segments.size());
    for (std::size_t i = 0; i < rates.segments.size(); ++i) {
      rates.segments.at(i) = segments->element(i).real(0, 100);
    }
  }
  return rates;
}

Profile parse(std::string_view text, const std::string& origin) {
  const auto tree = parse_tree(text, origin);
  const Node root(tree, origin);
  const Node schema = root.member("schema");  // first: of another schema nothing else is known
  schema.whole(kSchema, kSchema);
  root.only({"schema", "generator", "device", "rates", "entries"});
  Profile profile;
  profile.generator = root.member("generator").text();
  profile.device = read_device(root.member("device"));
  if (const auto rates = root.optional("rates")) profile.rates = read_rates(*rates);
  const Node entries = root.member("entries");
  const std::size_t count = entries.size(0, kMostElements);
  std::set<ProblemClass> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = entries.element(i);
    profile.entries.push_back(read_entry(node));
    const ProblemClass& problem = profile.entries.back().problem;
    if (!seen.insert(problem).second) {
      base::profile_error(origin, node.place(), "the class " + problem.key() + " is there twice");
    }
  }
  return profile;
}

}  // namespace imago::profile

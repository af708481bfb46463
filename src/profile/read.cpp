// This file reads a profile from JSON text. Its limits are far above the needs of any device or
// length, and low enough that no arithmetic on the numbers overflows.
#include "profile/read.hpp"

#include <array>
#include <limits>
#include <set>

#include "base/errors.hpp"
#include "profile/json_tree.hpp"
#include "profile/node.hpp"
#include "profile/parameters_json.hpp"
#include "profile/words.hpp"

namespace imago::profile {
namespace {

constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 60;
constexpr std::size_t kMostAxes = 8;
constexpr double kMostSeconds = 1e9, kMostRate = 1e24;

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
  const Arithmetic arithmetic = node.member("precision").word(kArithmetics);
  problem.precision = arithmetic.precision, problem.pairs = arithmetic.pairs;
  problem.placement = node.member("placement").word(kPlacements);
  problem.packed = node.member("layout").word(kLayouts);
  problem.batch = node.member("batch").whole(1, kMostPoints);
  return problem;
}

Entry read_entry(const Node& node) {
  node.only({"problem", "parameters", "seconds", "driver"});
  Entry entry;
  entry.problem = read_problem(node.member("problem"));
  entry.parameters = read_parameters(node.member("parameters"), Natives::without);
  entry.seconds = node.member("seconds").real(std::numeric_limits<double>::min(), kMostSeconds);
  node.set("driver", entry.driver, [](const Node& member) { return member.text(); });
  return entry;
}

}  // namespace

device::Rates read_rates(const Node& node) {
  node.only({"copy_bytes", "local_bytes", "flops", "flops_f64", "launch_seconds", "segments"});
  const auto rate = [](const Node& member) { return member.real(0, kMostRate); };
  device::Rates rates;
  node.set("copy_bytes", rates.copy_bytes, rate);
  node.set("local_bytes", rates.local_bytes, rate);
  node.set("flops", rates.flops, rate);
  node.set("flops_f64", rates.flops_f64, rate);
  node.set("launch_seconds", rates.launch_seconds, rate);
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
  const Node schema = root.member("schema");  // first, because other schemas may differ in
                                              // everything else
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
      base::profile_error(origin, node.place(), "the class " + problem.key() + " appears twice");
    }
  }
  return profile;
}

}  // namespace imago::profile

// This file tests nonuniform transforms under faults: the three types, and points in parts. After a
// failure, a plan has the points from before, the new ones, or none.
#include <array>
#include <complex>
#include <memory>
#include <numbers>
#include <vector>

#include "faults.hpp"
#include "object_run.hpp"
#include "scenarios.hpp"

namespace imago::faults {
namespace {

using Strengths = std::vector<std::complex<float>>;

/// The points of a call, and what types 1 and 2 (or 3) compute from them.
struct PointSet {
  PointSet(const test::Device& device, std::size_t count, double first) {
    for (std::size_t j = 0; j < count; ++j)
      places.push_back(
          static_cast<float>(std::remainder(first + 2.39996 * static_cast<double>(j * j), 6.28)));
    coordinates = device.upload(std::vector<float>(places.begin(), places.end()));
  }
  std::vector<double> places;
  cl::Buffer coordinates;
  std::vector<Sum> type1, type2;
};

/// Two sets of points, one after the other.
struct NufftRun {
  static constexpr std::size_t kModes = 24, kCount = 150, kCuts[] = {0, 70, 70, kCount};
  static constexpr double kBound = 2e-3;  ///< the tolerance is 1e-4 of a norm

  NufftRun(const test::Device& on, Options with, NufftTransform what, bool parts)
      : device(on),
        options(std::move(with)),
        transform(std::move(what)),
        in_parts(parts),
        sets{PointSet(on, kCount, 0.3), PointSet(on, kCount, 1.7)} {
    const bool third = transform.types == NufftTypes::type3;
    for (std::size_t k = 0; k < kModes; ++k) {
      // The order of a DFT, unless the modes are centred.
      const std::size_t shifted = transform.centred ? k : (k + kModes / 2) % kModes;
      const double mode = static_cast<double>(shifted) - kModes / 2;
      frequencies.push_back(third ? static_cast<float>(1.37 * mode + 3) : mode);
    }
    targets = device.upload(std::vector<float>(frequencies.begin(), frequencies.end()));
    const Strengths c = some_pairs(kCount, 3), f = some_pairs(kModes, 5);
    for (PointSet& set : sets) {
      set.type1 = sums_of(c, set.places, frequencies, 1);
      set.type2 = sums_of(f, frequencies, set.places, -1);
    }
    strengths = device.upload(c), modes = device.upload(f);
    to_modes = device.allocate(kModes * sizeof c[0]),
    to_points = device.allocate(kCount * sizeof c[0]);
    transform.tolerance = 1e-4;
    if (third)
      transform.axes = 1;
    else
      transform.modes = {kModes};
  }

  bool is_third() const { return transform.types == NufftTypes::type3; }
  void set(NufftPlan& plan, const PointSet& points) const {
    if (is_third())
      return plan.set_points(device.queue, {{points.coordinates}, kCount}, {{targets}, kModes});
    std::vector<std::size_t> counts;
    if (transform.points_per_member) counts.push_back(kCount);
    if (!in_parts) return plan.set_points(device.queue, {{points.coordinates}, kCount, counts});
    std::vector<NufftPoints> parts;
    for (std::size_t i = 0; i + 1 < std::size(kCuts); ++i)
      parts.push_back({{Array(points.coordinates, kCuts[i])}, kCuts[i + 1] - kCuts[i]});
    plan.set_points(device.queue, parts);
  }
  void compute(const NufftPlan& plan) const {
    if (is_third()) return plan.type3(device.queue, strengths, to_modes);
    if (!in_parts) {
      plan.type1(device.queue, strengths, to_modes);
      return plan.type2(device.queue, modes, to_points);
    }
    std::vector<Array> from, to;
    for (std::size_t i = 0; i + 1 < std::size(kCuts); ++i)
      from.emplace_back(strengths, kCuts[i]), to.emplace_back(to_points, kCuts[i]);
    plan.type1(device.queue, from, to_modes);
    plan.type2(device.queue, modes, to);
  }
  std::string wrong(const PointSet& set) const {
    const auto found = device.download<std::complex<float>>(to_modes, kModes);
    if (auto text = judged("a type 1 or 3", distance_of(found, set.type1), kBound); !text.empty())
      return text;
    if (is_third()) return {};
    const auto values = device.download<std::complex<float>>(to_points, kCount);
    return judged("a type 2", distance_of(values, set.type2), kBound);
  }
  void finish() const { test::check_call(device.queue.finish(), "clFinish"); }
  /// Computes with the points that a plan has after a failure.
  std::string stale(const NufftPlan& plan) const {
    spoil(device, {to_modes, to_points});
    try {
      compute(plan);
    } catch (const InvalidArgument&) {  // it has none
      return {};
    }
    finish();
    if (wrong(sets[0]).empty() || wrong(sets[1]).empty()) return {};
    return "a plan has wrong points after a failure";
  }

  Outcome operator()() const {
    Outcome outcome;
    std::unique_ptr<NufftPlan> plan;
    spoil(device, {to_modes, to_points});
    try {
      const Live scope;
      plan = std::make_unique<NufftPlan>(device.context, device.device, transform, options);
      for (const PointSet& points : sets) set(*plan, points);
      compute(*plan);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    finish();
    if (plan && outcome.error) {
      outcome.wrong = stale(*plan);
      spoil(device, {to_modes, to_points});
      set(*plan, sets[1]);
      compute(*plan);
      finish();
    }
    if (plan && outcome.wrong.empty()) outcome.wrong = wrong(sets[1]);
    const Live scope;
    plan.reset();
    return outcome;
  }

  const test::Device& device;
  Options options;
  NufftTransform transform;
  bool in_parts;
  std::array<PointSet, 2> sets;
  std::vector<double> frequencies;
  cl::Buffer targets, strengths, modes, to_modes, to_points;
};

}  // namespace

std::vector<Scenario> nufft_scenarios(const test::Device& device,
                                      const std::filesystem::path& cache) {
  Options options, groups;
  options.cache_directory = groups.cache_directory = cache;
  groups.parameters.mapping = Mapping::work_group;
  NufftTransform modes, each, third, member;
  modes.centred = false;
  each.promise = NufftPromise::each_value;  // compensated sums
  third.types = NufftTypes::type3;
  member.points_per_member = true;
  return {{"nufft", NufftRun(device, options, modes, false), true},
          {"nufft_each_value", NufftRun(device, groups, each, false), true},
          {"nufft_member", NufftRun(device, options, member, false), true},
          {"nufft_parts", NufftRun(device, groups, {}, true), true},
          {"nufft_type3", NufftRun(device, options, third, false), true}};
}

}  // namespace imago::faults

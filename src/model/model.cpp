// This file calls the prediction of a step's mapping, and adds up the launches of a program.
#include "model/model.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace imago::model {
namespace {

// Cost of a further phase in a one-launch kernel, in addition to its work: its last stores become
// visible, the counter changes, and the waiting groups see it. Fitted with the constants of
// work_group/cost.cpp.
constexpr double kTurn = 3.5e-6;
// Launches that a one-launch kernel takes as long as: it has the arguments of all its phases. 22050
// points took 7.6 and 9.5 us on two H200 where a kernel took at least 5.2 and 6.6.
constexpr double kOneLaunch = 1.4;

/// Generic kernels are not chosen by their time.
Cost predict(const kernel::Generic&, const kernel::Step&, const kernel::Launch&,
             const device::Facts&) {
  return {};
}
Cost predict(const kernel::GenericHooks&, const kernel::Step&, const kernel::Launch&,
             const device::Facts&) {
  return {};
}

}  // namespace

Cost predict(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts) {
  return std::visit([&](const auto& lanes) { return predict(lanes, step, launch, facts); },
                    step.lanes);
}

namespace {

/// Returns true if two launches have the same cost; most launches of a long sequence differ only in
/// their offsets.
bool same_work(const kernel::Launch& a, const kernel::Launch& b) {
  return a.step == b.step && a.batch == b.batch && a.groups == b.groups;
}

}  // namespace

double beside(double a, double b) {
  constexpr double kPower = 4;  // fitted likewise
  const double larger = std::max(a, b);
  if (larger <= 0) return 0;
  return larger * std::pow(1 + std::pow(std::min(a, b) / larger, kPower), 1 / kPower);
}

double seconds(const kernel::Program& program, const device::Facts& facts) {
  double sum = 0, busy = 0;
  const kernel::Launch* before = nullptr;
  Cost cost;
  for (const kernel::Launch& launch : program.launches) {
    if (!before || !same_work(*before, launch))
      cost = predict(program.steps[launch.step], launch, facts);
    if (before) busy += kTurn;
    before = &launch;
    sum += cost.total, busy += cost.busy;
  }
  return program.one_launch ? beside(kOneLaunch * cost.launch, busy) : sum;
}

}  // namespace imago::model

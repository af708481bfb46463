// This file calls the prediction of a step's mapping, and adds up the launches of a program.
#include "model/model.hpp"

#include "model/vector/cost.hpp"
#include "model/work_group/cost.hpp"

namespace imago::model {
namespace {

// Cost of a phase in a one-launch kernel: a ticket before its first load, and the latency between
// the end of the last group and the waiting group. Assumed: two accesses to the second-level cache
// of an H200.
constexpr double kTurn = 1.5e-6;

/// Generic kernels are not chosen by their time.
Cost predict(const kernel::Generic&, const kernel::Step&, const kernel::Launch&,
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

double seconds(const kernel::Program& program, const device::Facts& facts) {
  double sum = 0;
  bool first = true;
  const kernel::Launch* before = nullptr;
  Cost cost;
  for (const kernel::Launch& launch : program.launches) {
    if (!before || !same_work(*before, launch))
      cost = predict(program.steps[launch.step], launch, facts);
    before = &launch;
    sum += cost.total;
    if (program.one_launch) sum += kTurn + (first ? 0 : -cost.launch);
    first = false;
  }
  return sum;
}

}  // namespace imago::model

// This file leads a prediction to its mapping.
#include "model/model.hpp"

#include "model/vector_cost.hpp"
#include "model/work_group_cost.hpp"

namespace imago::model {
namespace {

// Of a phase in one launch: a ticket before its first load, and the way of the last group's end to
// who waits for it. Assumed: two trips to the second-level cache of an H200.
constexpr double kTurn = 1.5e-6;

}  // namespace

Cost predict(const plan::Step& step, const plan::Launch& launch, const device::Facts& facts) {
  return !step.on_work_group() ? predict_vector(step, launch, facts)
                               : predict_work_group(step, launch, facts);
}

double seconds(const plan::Program& program, const device::Facts& facts) {
  double sum = 0;
  bool first = true;
  for (const plan::Launch& launch : program.launches) {
    const Cost cost = predict(program.steps[launch.step], launch, facts);
    sum += cost.total;
    if (program.one_launch) sum += kTurn + (first ? 0 : -cost.launch);
    first = false;
  }
  return sum;
}

}  // namespace imago::model

// This file leads a prediction to its mapping.
#include "model/model.hpp"

#include "model/vector_cost.hpp"
#include "model/work_group_cost.hpp"

namespace imago::model {

Cost predict(const plan::Step& step, const plan::Launch& launch, const device::Facts& facts) {
  return !step.on_work_group() ? predict_vector(step, launch, facts)
                               : predict_work_group(step, launch, facts);
}

double seconds(const plan::Program& program, const device::Facts& facts) {
  double sum = 0;
  for (const plan::Launch& launch : program.launches)
    sum += predict(program.steps[launch.step], launch, facts).total;
  return sum;
}

}  // namespace imago::model

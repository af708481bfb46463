// This file compiles and times candidates in this process.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>

#include "tuner/judge.hpp"
#include "tuner/trial.hpp"

namespace imago::tuner {

class LocalJudge final : public Judge {
 public:
  /// Both must outlive the judge.
  LocalJudge(const cl::Context& context, const cl::Device& device);

  std::vector<bool> build(const std::vector<Candidate>& candidates, double seconds,
                          const Watch& watch) override;
  /// Does not limit the time: a candidate that hangs cannot be stopped.
  double time(const Candidate& candidate, const Timing& timing) override;

 private:
  Trial& trial_of(const profile::ProblemClass& problem);

  const cl::Context& context_;
  const cl::Device& device_;
  std::map<profile::ProblemClass, Trial> trials_;
};

}  // namespace imago::tuner

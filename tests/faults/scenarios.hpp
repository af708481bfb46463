// This file lists what is tried under faults: every public class, in small.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/device.hpp"

namespace imago::faults {

/// What came of one run.
struct Outcome {
  std::exception_ptr error;  ///< that imago threw; null: none
  std::string wrong;  ///< what is wrong with the result; after an error, of another call of the
                      ///< same plan without faults. Empty: nothing
};

struct Scenario {
  std::string name;
  /// From planning to the destructor; only imago's calls are live.
  std::function<Outcome()> run;
};

/// Kernels are kept in the folder.
std::vector<Scenario> plan_scenarios(const test::Device& device,
                                     const std::filesystem::path& cache);
std::vector<Scenario> host_scenarios(const test::Device& device,
                                     const std::filesystem::path& cache);
std::vector<Scenario> sparse_scenarios(const test::Device& device,
                                       const std::filesystem::path& cache);

/// Convolutions, C's functions, and the drop-in for clFFT where it is built.
std::vector<Scenario> other_scenarios(const test::Device& device,
                                      const std::filesystem::path& cache);

}  // namespace imago::faults

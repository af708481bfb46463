// This file lists the scenarios under faults: every public class, with small problems.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/device.hpp"

namespace imago::faults {

/// The outcome of one run.
struct Outcome {
  std::exception_ptr error;  ///< thrown by imago; null: none
  /// The error of the result; after an exception, of another call of the same plan without faults.
  /// Empty: none.
  std::string wrong;
};

struct Scenario {
  std::string name;
  /// Runs from planning to the destructor; only imago's calls are live.
  std::function<Outcome()> run;
  bool is_long = false;  ///< true if its kernels or its runs take seconds
};

/// Kernels are cached in the folder.
std::vector<Scenario> plan_scenarios(const test::Device& device,
                                     const std::filesystem::path& cache);
std::vector<Scenario> host_scenarios(const test::Device& device,
                                     const std::filesystem::path& cache);
std::vector<Scenario> sparse_scenarios(const test::Device& device,
                                       const std::filesystem::path& cache);

std::vector<Scenario> nufft_scenarios(const test::Device& device,
                                      const std::filesystem::path& cache);
/// Streams, short-time transforms, averaged spectra, zooms and filters.
std::vector<Scenario> signal_scenarios(const test::Device& device,
                                       const std::filesystem::path& cache);
std::vector<Scenario> c_scenarios(const test::Device& device, const std::filesystem::path& cache);
std::vector<Scenario> tune_scenarios(const test::Device& device);

/// Convolutions and, if it is built, the replacement of clFFT.
std::vector<Scenario> other_scenarios(const test::Device& device,
                                      const std::filesystem::path& cache);

}  // namespace imago::faults

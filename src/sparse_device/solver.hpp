// This file runs the loop of a Las Vegas algorithm: attempts of a method until one succeeds, and
// the dense transform if none does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <imago/sparse.hpp>

#include "sparse_device/audit.hpp"
#include "sparse_device/choice.hpp"
#include "sparse_device/dense.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// The arguments of a call.
struct Use {
  runtime::Sequence* sequence;
  Signal signal;
  std::uint64_t seed;
  std::uint64_t secret;  ///< seed of the audit, unknown before the call
};

/// Runs one call at a time, because calls share the device memory.
class Solver {
 public:
  /// Throws as SparsePlan's constructor.
  explicit Solver(const Setup& setup);

  SparseSpectrum solve(const Use& use);
  std::size_t bytes() const;  ///< bytes of device memory
  std::string describe() const;
  KernelLists kernels() const;

 private:
  /// True if the decision is to retry, and another attempt is not slower than the available dense
  /// transform.
  bool goes_on(const sparse::Decision& decision) const;
  SparseSpectrum answer_of(sparse::Reading reading, const sparse::Attempted& attempted,
                           sparse::Next claim) const;
  /// Runs the method's attempts; false if none succeeded.
  bool try_method(const Use& use, SparseSpectrum& spectrum);
  /// Verifies the method's result against the whole signal; false if it does not reach the required
  /// level.
  bool audit(const Use& use, SparseSpectrum& spectrum);

  sparse::Request request_;
  device::Facts facts_;
  Choice choice_;
  std::unique_ptr<MethodRunner> method_;
  std::unique_ptr<AuditRunner> audit_;  ///< null if it is not requested
  std::unique_ptr<DenseRunner> dense_;
};

/// Predicts the solver's memory, and a call whose first attempt succeeds. Throws as Solver.
Estimate estimate(const sparse::Request& request, const device::Facts& facts,
                  const Options& options);

}  // namespace imago::sparse_device

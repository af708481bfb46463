// This file is the loop of a Las Vegas algorithm: attempts of a method until one is sure, and the
// dense transform where none is.
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

/// What a call brings along.
struct Use {
  runtime::Sequence* sequence;
  Signal signal;
  std::uint64_t seed;
  std::uint64_t secret;  ///< of the audit: nobody could know it before
};

/// One call at a time: they share the device memory.
class Solver {
 public:
  /// Throws as SparsePlan's constructor.
  explicit Solver(const Setup& setup);

  SparseSpectrum solve(const Use& use);
  std::size_t bytes() const;  ///< of device memory
  std::string describe() const;

 private:
  /// Whether another attempt is asked for, and not slower than the dense transform that is there.
  bool goes_on(const sparse::Decision& decision) const;
  SparseSpectrum answer_of(sparse::Reading reading, const sparse::Attempted& attempted,
                           sparse::Next claim) const;
  /// The method's answer; false where it is not sure and may be asked no more.
  bool try_method(const Use& use, SparseSpectrum& spectrum);
  /// Puts the method's answer to the test of the whole signal; false where it is not as sure as is
  /// wanted.
  bool audit(const Use& use, SparseSpectrum& spectrum);

  sparse::Request request_;
  device::Facts facts_;
  Choice choice_;
  std::unique_ptr<MethodRunner> method_;
  std::unique_ptr<AuditRunner> audit_;  ///< null where nobody wants one
  std::unique_ptr<DenseRunner> dense_;
};

}  // namespace imago::sparse_device

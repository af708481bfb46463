// This file is the interface of the sparse methods for the loop of attempts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/sparse_transform.hpp>

#include "device/facts.hpp"
#include "runtime/sequence.hpp"
#include "sparse/reading.hpp"
#include "sparse/verdict.hpp"

namespace imago::sparse_device {

struct KernelLists;

/// The input of a kernel.
struct Signal {
  cl_mem memory = nullptr;
  std::uint64_t offset = 0;  ///< in elements of the signal
};

/// A step in a method's sequence of parameters, with the names of sparse::Attempted and
/// sparse::Decision.
struct Rung {
  std::size_t level = 0;
  bool fine = false;
};

/// The inputs of an attempt.
struct Start {
  Rung rung = {};
  std::uint64_t seed = 0;
  unsigned number = 0;                   ///< number of the attempt; random values depend on it
  std::vector<sparse::Tone> known = {};  ///< tones that earlier attempts found
};

/// Runs attempts of a method, one call at a time. The constructor allocates and builds everything.
/// An attempt waits only for its result.
class MethodRunner {
 public:
  virtual ~MethodRunner() = default;
  virtual SparseMethod method() const = 0;
  /// Runs one attempt and returns its pruned result.
  virtual sparse::Reading attempt(runtime::Sequence& sequence, const Signal& signal,
                                  const Start& start) = 0;
  /// Returns the verdict on the attempt, and the next step.
  virtual sparse::Decision judge(const sparse::Reading& reading,
                                 const sparse::Attempted& attempted) const = 0;
  /// Returns the detection threshold: the smallest amplitude of a tone that the attempt would have
  /// found or flagged.
  virtual double floor(const sparse::Reading& reading, const Rung& rung) const = 0;
  /// Returns the number of signal elements that an attempt reads to find tones, without the checked
  /// ones.
  virtual std::uint64_t samples(const Rung& rung) const = 0;
  /// Returns the predicted seconds of an attempt.
  virtual double seconds(const Rung& rung, const device::Facts& facts) const = 0;
  virtual std::size_t bytes() const = 0;  ///< bytes of device memory
  virtual void list(KernelLists& lists) const = 0;
  /// Returns a line per stage of the first attempt.
  virtual std::string describe(const device::Facts& facts) const = 0;
};

}  // namespace imago::sparse_device

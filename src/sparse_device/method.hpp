// This file is what the loop of attempts asks of a sparse method: it knows the methods by this
// interface only.
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

/// Where a kernel reads the signal.
struct Signal {
  cl_mem memory = nullptr;
  std::uint64_t offset = 0;  ///< in its elements
};

/// A step of a method's ladder of parameters, as sparse::Attempted and sparse::Decision name it.
struct Rung {
  std::size_t level = 0;
  bool fine = false;
};

/// What an attempt starts from.
struct Start {
  Rung rung = {};
  std::uint64_t seed = 0;
  unsigned number = 0;                   ///< of the attempt: each draws anew
  std::vector<sparse::Tone> known = {};  ///< what earlier attempts have found
};

/// Everything is allocated and built with a runner; an attempt waits only for its answer. One call
/// at a time.
class MethodRunner {
 public:
  virtual ~MethodRunner() = default;
  virtual SparseMethod method() const = 0;
  /// One attempt, pruned.
  virtual sparse::Reading attempt(runtime::Sequence& sequence, const Signal& signal,
                                  const Start& start) = 0;
  /// What the attempt is worth, and what to do next.
  virtual sparse::Decision judge(const sparse::Reading& reading,
                                 const sparse::Attempted& attempted) const = 0;
  /// The smallest amplitude of a tone that the attempt would have found, or flagged.
  virtual double floor(const sparse::Reading& reading, const Rung& rung) const = 0;
  /// Elements of the signal that an attempt reads to find tones, without those that it checks.
  virtual std::uint64_t samples(const Rung& rung) const = 0;
  /// Predicted seconds of an attempt.
  virtual double seconds(const Rung& rung, const device::Facts& facts) const = 0;
  virtual std::size_t bytes() const = 0;  ///< of device memory
  /// A line per stage of the first attempt.
  virtual std::string describe(const device::Facts& facts) const = 0;
};

}  // namespace imago::sparse_device

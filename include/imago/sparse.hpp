// This file offers the sparse Fourier transform: a SparsePlan finds the few large coefficients of a
// signal's spectrum from a small part of its samples, and says how sure it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/plan.hpp>
#include <imago/sparse_transform.hpp>

namespace imago {

/// Events and the seed of one call.
struct SparseCall {
  std::vector<cl::Event> waits = {};  ///< the signal is read after all of these
  cl::Event* event = nullptr;         ///< receives an event that is complete when the call returns
  /// Seed of this call's randomness; empty: SparseTransform::seed, else drawn at random.
  std::optional<std::uint64_t> seed = {};
};

/// An immutable, movable plan of a Las Vegas algorithm: it checks its answer, tries again with
/// fresh randomness, and at last computes the dense transform. Method and sources: docs/sparse.md.
///
/// All device memory is allocated here (with allow_dense also the dense spectrum and its workspace:
/// about as much as the signal twice, more where the length has large prime factors; with
/// Assurance::verified up to 20 MB and a few percent of it); forward() allocates none. Calls of one
/// plan run one after the other, whatever thread they come from. A plan that was moved from throws
/// InvalidArgument from every member.
class IMAGO_API SparsePlan {
 public:
  /// Ignores `parameters` and `workspace` of the options. Throws InvalidArgument (a recipe, a
  /// length of 0, a sparsity above the length, a tolerance or a noise outside [0, 1), a kind other
  /// than complex and real), Unsupported (half precision, f64 on a device without it, a method that
  /// does not fit the length) or DeviceError.
  SparsePlan(const cl::Context& context, const cl::Device& device, SparseTransform transform,
             const Options& options = {});
  ~SparsePlan();
  SparsePlan(SparsePlan&&) noexcept;
  SparsePlan& operator=(SparsePlan&&) noexcept;

  /// Reads the signal (`length` elements from the array's offset on: pairs of reals, of Kind::real
  /// reals) after the call's waits, and blocks until the answer is on the host. Throws
  /// InvalidArgument, with nothing enqueued, for null or foreign queues, buffers and events, for a
  /// buffer that is too small; DeviceError. A signal that is not sparse or not
  /// finite is no error: see Verdict.
  SparseSpectrum forward(const cl::CommandQueue& queue, const Array& signal,
                         const SparseCall& call = {}) const;

  const SparseTransform& transform() const;  ///< as it was given
  std::size_t signal_bytes() const;          ///< smallest buffer that holds the signal
  std::size_t workspace_bytes() const;       ///< device memory that the plan holds
  /// The method and why, then a line per stage of the first attempt: samples read, launches, times
  /// that are predicted.
  std::string describe() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago

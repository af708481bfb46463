// This file declares the sparse Fourier transform: a SparsePlan finds the few large coefficients of
// a signal's spectrum from a small part of its samples, and reports its confidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/sparse_transform.hpp>

namespace imago {

/// Optional arguments of one call.
struct SparseCall {
  std::vector<cl::Event> waits = {};  ///< events to wait for before the signal is read
  cl::Event* event = nullptr;         ///< receives an event that is complete when the call returns
  /// Seed of this call's random numbers; not set: SparseTransform::seed, else a random one.
  std::optional<std::uint64_t> seed = {};
};

/// An immutable, movable plan of a sparse transform. The algorithm is randomized (Las Vegas): it
/// checks its result, tries again with new random numbers, and finally computes the dense
/// transform. For the method and its sources, see docs/sparse/method.md.
///
/// The constructor allocates all device memory; forward() allocates none. With allow_dense, this
/// includes the dense spectrum and its workspace: about twice the size of the signal, or more for
/// lengths with large prime factors. Assurance::verified needs up to 20 MB and a few percent of the
/// signal's size. Calls of one plan run one after the other, also from several threads. After a
/// move, every member of the old plan throws InvalidArgument.
class IMAGO_API SparsePlan {
 public:
  /// Makes the plan. Ignores `parameters` and Scratch::workspace of the options. Throws
  /// - InvalidArgument for a recipe, a length of 0, a sparsity above the length, a tolerance or
  ///   noise outside [0, 1), and a kind other than complex and real;
  /// - Unsupported for half precision, f64 on a device without it, and a method that does not
  ///   support the length;
  /// - DeviceError if OpenCL fails.
  SparsePlan(const cl::Context& context, const cl::Device& device, SparseTransform transform,
             const Options& options = {});
  /// Predicts what forward() needs if its first attempt succeeds, without building a kernel.
  /// `bytes_moved` are those of the samples that a sparse method reads, or of the dense transform;
  /// `spectrum_bytes` is 0, because the result is on the host. Throws as the constructor.
  static Estimate estimate(const cl::Device& device, const SparseTransform& transform,
                           const Options& options = {});
  ~SparsePlan();
  SparsePlan(SparsePlan&&) noexcept;
  SparsePlan& operator=(SparsePlan&&) noexcept;

  /// Computes the sparse spectrum of a signal, and blocks until it is on the host. Reads `length`
  /// elements, starting at the array's offset: complex numbers, or real ones with Kind::real.
  ///
  /// Throws InvalidArgument, with nothing enqueued, for a null queue, buffer or event, for one of
  /// another context or device, and for a buffer that is too small. Throws DeviceError if OpenCL
  /// fails. A signal that is not sparse or not finite is not an error: check
  /// SparseSpectrum::verdict.
  SparseSpectrum forward(const cl::CommandQueue& queue, const Array& signal,
                         const SparseCall& call = {}) const;

  const SparseTransform& transform() const;  ///< the transform that the constructor was given
  std::size_t signal_bytes() const;          ///< bytes of the smallest buffer for the signal
  std::size_t workspace_bytes() const;       ///< bytes of device memory that the plan owns
  std::size_t table_bytes() const;           ///< bytes of constant tables, which plans share
  /// Returns the reason for the choice of the method, then a line for each stage of the first
  /// attempt, with figures such as its samples or launches, and the predicted time of the attempt.
  /// Lines about the audit and the dense transform follow if the plan has them.
  std::string describe() const;
  std::vector<KernelSource> sources() const;  ///< kernels of all methods that it has, each once
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<State> state_;
};

}  // namespace imago

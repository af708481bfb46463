// This file plans transforms of rows of different lengths in one call.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/ragged_transform.hpp>

namespace imago {

/// An immutable, movable plan of transforms of rows of different lengths. One kernel, which is
/// compiled once for a device and a precision, computes rows of any lengths in one launch; rows of
/// more than some thousand points need a few more. Every member may be called from many threads at
/// once.
///
/// @code
/// // The rings of an octahedral grid: 20, 24, .. numbers from the pole to the equator, 32 fields.
/// std::vector<std::size_t> rings;
/// for (std::size_t i = 0; i < 320; ++i) rings.push_back(20 + 4 * i);
/// const imago::RaggedPlan plan(context, device,
///                              {.kind = imago::Kind::real, .lengths = rings, .batch = 32});
/// plan.forward(queue, signal, spectrum);
/// @endcode
class IMAGO_API RaggedPlan {
 public:
  /// Makes the plan, and compiles the kernel if no cache holds it.
  ///
  /// Throws
  /// - InvalidArgument for a description that is not allowed, and for long rows that need a larger
  ///   workspace than the options allow;
  /// - Unsupported for f64 on a device without it, for rows that are too long, for
  ///   Options::deterministic, and for a larger workspace than the device allows in one buffer;
  /// - InvalidArgument for Options::recipe and for parameters by hand, which belong to Plan;
  /// - DeviceError if OpenCL fails, and if the device failed the self-test.
  RaggedPlan(const cl::Context& context, const cl::Device& device, RaggedTransform transform,
             const Options& options = {});
  /// Predicts what a call needs, without building a kernel. Throws as the constructor.
  static Estimate estimate(const cl::Device& device, const RaggedTransform& transform,
                           const Options& options = {});
  ~RaggedPlan();
  RaggedPlan(RaggedPlan&&) noexcept;
  RaggedPlan& operator=(RaggedPlan&&) noexcept;

  /// Computes the spectrum of each row of each field. Enqueues, returns and throws as
  /// Plan::forward() out of place.
  void forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
               const Call& call = {}) const;
  /// Computes the rows from their spectra; the inverse of forward() unless the norm is none, or
  /// entries are not kept. Enqueues, returns and throws as Plan::inverse() out of place.
  void inverse(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
               const Call& call = {}) const;

  const RaggedTransform& transform() const;  ///< the description that the constructor was given
  std::size_t signal_bytes() const;          ///< bytes of the smallest buffer for the signals
  std::size_t spectrum_bytes() const;        ///< bytes of the smallest buffer for the spectra
  RowLayout signal_layout() const;      ///< the layout of the signal with its defaults filled in
  RowLayout spectrum_layout() const;    ///< the layout of the spectrum with its defaults filled in
  std::size_t workspace_bytes() const;  ///< bytes of the workspace; 0 if none is needed
  std::size_t table_bytes() const;      ///< bytes of constant tables
  /// Returns a text with the rows, and for each direction its launches.
  std::string describe() const;
  std::vector<KernelSource> sources() const;  ///< all kernels, each once
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago

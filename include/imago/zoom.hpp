// This file plans zooms: the Fourier transform of a signal at the frequencies of a range, and the
// chirp z-transform.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/zoom_transform.hpp>

namespace imago {

/// An immutable, movable plan of a zoom, computed as a filter between two products with chirps
/// (Bluestein's algorithm). If one kernel computes the padded row, the zoom is one kernel. Every
/// member may be called from many threads at once.
///
/// @code
/// // 1024 frequencies from 990 Hz to 1010 Hz of 4096 samples at 48 kHz.
/// const imago::ZoomPlan zoom(context, device,
///                            {.lengths = {4096},
///                             .points = 1024,
///                             .from = 990,
///                             .to = 1010,
///                             .rate = 48000});
/// zoom.forward(queue, signal, spectrum);
/// @endcode
class IMAGO_API ZoomPlan {
 public:
  /// Makes the plan, and computes its chirps on the host. Throws InvalidArgument for a description
  /// that is not allowed and for Options::recipe, which belongs to one Plan. Otherwise throws as
  /// Plan's constructor.
  ZoomPlan(const cl::Context& context, const cl::Device& device, ZoomTransform transform,
           const Options& options = {});
  /// Predicts what forward() needs, or adjoint() if that is the only direction, without building a
  /// kernel. The workspace and tables are those of the plan. Throws as the constructor.
  static Estimate estimate(const cl::Device& device, const ZoomTransform& transform,
                           const Options& options = {});
  ~ZoomPlan();
  ZoomPlan(ZoomPlan&&) noexcept;
  ZoomPlan& operator=(ZoomPlan&&) noexcept;

  /// Computes the spectrum at the frequencies. Enqueues, returns and throws as Plan::forward().
  void forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
               const Call& call = {}) const;
  /// Computes the adjoint, the conjugate transpose of forward() as a matrix: x[j] = sum_k X[k]
  /// exp(2 pi i j f[k]). Enqueues, returns and throws as Plan::forward().
  void adjoint(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
               const Call& call = {}) const;

  bool ready() const;  ///< true if calls use kernels for this zoom (Plan::ready())
  /// Waits for these kernels, as Plan::wait() does.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  const ZoomTransform& transform() const;  ///< the description that the constructor was given
  std::size_t padded() const;              ///< length of the padded rows
  std::size_t signal_bytes() const;        ///< bytes of the smallest buffer for the signals
  std::size_t spectrum_bytes() const;      ///< bytes of the smallest buffer for the spectra
  Layout signal_layout() const;            ///< the layout of the signal with its defaults filled in
  Layout spectrum_layout() const;       ///< the layout of the spectrum with its defaults filled in
  std::size_t workspace_bytes() const;  ///< bytes of the workspace; 0 if none is needed
  std::size_t table_bytes() const;      ///< bytes of constant tables, with those of the chirps
  /// Returns a description of each direction, in the form of Plan::describe().
  std::string describe() const;
  std::vector<KernelSource> sources() const;  ///< kernels of both directions
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago

// This file plans filters: a forward transform, hooks on the spectrum, and an inverse transform, in
// one call.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/filter_shape.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>

namespace imago {

/// An immutable, movable plan of a filter. If one kernel computes a row, the spectrum of the row is
/// never written to memory. Every member may be called from many threads at once.
///
/// @code
/// // Keeps the band from 50 to 300 cycles of a line of 8192 real numbers.
/// const imago::Filter filter(context, device,
///                            {.kind = imago::Kind::real,
///                             .lengths = {8192},
///                             .spectrum = {imago::hook::zero_outside(0, 50, 301)}});
/// filter.apply(queue, signal, result);
/// @endcode
class IMAGO_API Filter {
 public:
  /// Makes the plan. Throws InvalidArgument, Unsupported and DeviceError as Plan's constructor.
  Filter(const cl::Context& context, const cl::Device& device, FilterShape shape,
         const Options& options = {});
  /// Predicts what a filter needs, without building a kernel. Throws as the constructor.
  static Estimate estimate(const cl::Device& device, const FilterShape& shape,
                           const Options& options = {});
  ~Filter();
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;

  /// Filters the signal, out of place. Enqueues, returns and throws as Plan::forward(); the call
  /// carries the arguments of the shape's hooks.
  void apply(const cl::CommandQueue& queue, const Array& signal, const Array& result,
             const Call& call = {}) const;
  /// Filters in place: `data` holds the signal before, the result after.
  void apply(const cl::CommandQueue& queue, const Array& data, const Call& call = {}) const;

  bool ready() const;  ///< true if calls use kernels for this shape (Plan::ready())
  /// Waits for these kernels, as Plan::wait() does.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  const FilterShape& shape() const;     ///< the shape that the constructor was given
  std::size_t signal_bytes() const;     ///< bytes of the smallest buffer for the signals
  std::size_t result_bytes() const;     ///< bytes of the smallest buffer for the results
  Layout signal_layout() const;         ///< the layout of the signal with its defaults filled in
  Layout result_layout() const;         ///< the layout of the result with its defaults filled in
  std::size_t workspace_bytes() const;  ///< bytes of the workspace; 0 if none is needed
  std::size_t table_bytes() const;      ///< bytes of constant tables, which plans share
  std::string describe() const;         ///< same form as Plan::describe()
  std::string recipe() const;           ///< choices, for Options::recipe
  std::vector<KernelSource> sources() const;  ///< all kernels, each once
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago

// This file declares BuildWatch, which reports the progress of builds: drivers may compile kernels
// for seconds.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <imago/export.hpp>

namespace imago {

/// Reports the progress of kernel builds in this thread while it exists. Constructors that build
/// kernels (Plan, Filter, Convolution, SparsePlan and others) call its function before the first
/// kernel, after each, and between the steps of one. Watches may nest; only the innermost one
/// receives calls. The calls come from any thread, one at a time. An exception of the function
/// stops the build, and the constructor rethrows it. Builds in the background
/// (FirstCall::automatic) are not reported.
///
/// @code
/// const imago::BuildWatch watch([&](std::size_t built, std::size_t kernels) {
///   if (interrupted) throw Interrupted();
///   show(built, kernels);
/// });
/// const imago::Plan plan(context, device, {.lengths = {4096, 4096}});
/// @endcode
class IMAGO_API BuildWatch {
 public:
  /// Function that receives the number of kernels that are built, and of all kernels.
  using Told = std::function<void(std::size_t built, std::size_t kernels)>;

  explicit BuildWatch(Told told);  ///< starts to watch builds of this thread
  ~BuildWatch();                   ///< stops watching; call it in the thread of the constructor
  BuildWatch(const BuildWatch&) = delete;
  BuildWatch& operator=(const BuildWatch&) = delete;

 private:
  std::shared_ptr<const Told> told_;
  const std::shared_ptr<const Told>* before_;  // the function of the watch around this one
};

}  // namespace imago

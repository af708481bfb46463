// This file lets a program watch plans being built: kernels that a driver compiles take seconds.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <imago/export.hpp>

namespace imago {

/// While it lives, whoever builds kernels in this thread (Plan, Convolution, SparsePlan) tells how
/// many are built of how many: before the first one and behind each. Watches nest: the innermost
/// one is told. `told` is called from any thread, one call at a time. What it throws leaves the
/// constructor that builds, with no further kernel begun.
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
  /// Called with the kernels that are built, and how many there are.
  using Told = std::function<void(std::size_t built, std::size_t kernels)>;

  explicit BuildWatch(Told told);  ///< watches from here on, in this thread
  ~BuildWatch();                   ///< in the thread that made it
  BuildWatch(const BuildWatch&) = delete;
  BuildWatch& operator=(const BuildWatch&) = delete;

 private:
  std::shared_ptr<const Told> told_, before_;
};

}  // namespace imago

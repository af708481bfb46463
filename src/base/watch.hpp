// This file calls the BuildWatch of a thread while it builds a plan.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include <imago/watch.hpp>

namespace imago::base {

/// A build of several kernels. Make it in the thread that requested the build; other threads may
/// then build the kernels.
class Building {
 public:
  explicit Building(std::size_t kernels);
  /// Call this before a kernel starts. Throws the exception of the watch, if any.
  void begins();
  /// Call this when a kernel is built.
  void ends();

 private:
  void tell();

  const std::shared_ptr<const BuildWatch::Told> told_;  ///< null without a watch
  const std::size_t kernels_;
  std::mutex mutex_;
  std::size_t built_ = 0;
};

}  // namespace imago::base

// This file calls the BuildWatch of a thread while it builds a plan.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include <imago/watch.hpp>

namespace imago::base {

/// A build of several kernels. Make it in the thread that requested the build; other threads may
/// then build the kernels. Its functions throw the exception of the watch, if any.
class Building {
 public:
  explicit Building(std::size_t kernels);

  /// One kernel, while a thread builds it.
  class Kernel {
   public:
    explicit Kernel(Building& building);
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    /// Call this when the kernel is built.
    void is_built();

   private:
    Building& building_;
    Building* const before_;  ///< the build around this one, in this thread
  };

 private:
  friend void glance();
  void tell(std::size_t more);

  const std::shared_ptr<const BuildWatch::Told> told_;  ///< null without a watch
  const std::size_t kernels_;
  std::mutex mutex_;
  std::size_t built_ = 0;
};

/// Calls the watch of the kernel that this thread builds, if it builds one. Call this before each
/// step that may take long, so that the watch can stop it.
void glance();

}  // namespace imago::base

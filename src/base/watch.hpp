// This file tells who watches the plans that a thread builds.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include <imago/watch.hpp>

namespace imago::base {

/// One piece of work of several kernels, for threads that build them: made in the thread that asked
/// for it.
class Building {
 public:
  explicit Building(std::size_t kernels);
  /// Before a kernel is begun. Throws what the watch does.
  void begins();
  /// One is built.
  void ends();

 private:
  void tell();

  const std::shared_ptr<const BuildWatch::Told> told_;  ///< null: nobody watches
  const std::size_t kernels_;
  std::mutex mutex_;
  std::size_t built_ = 0;
};

}  // namespace imago::base

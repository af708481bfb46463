// This file implements BuildWatch: a variable of the thread that builds.
#include "base/watch.hpp"

#include <utility>

namespace imago {
namespace {

using Watcher = std::shared_ptr<const BuildWatch::Told>;

/// Returns the function of this thread's innermost watch, or null. A thread_local variable with a
/// destructor is not safe (base/thread_text.hpp).
const Watcher*& told_here() {
  thread_local const Watcher* told = nullptr;
  return told;
}

}  // namespace

BuildWatch::BuildWatch(Told told)
    : told_(std::make_shared<const Told>(std::move(told))),
      before_(std::exchange(told_here(), &told_)) {}

BuildWatch::~BuildWatch() { told_here() = before_; }

namespace base {

Building::Building(std::size_t kernels)
    : told_(told_here() ? *told_here() : nullptr), kernels_(kernels) {}

void Building::tell(std::size_t more) {
  const std::lock_guard lock(mutex_);
  built_ += more;
  if (told_ && *told_) (*told_)(built_, kernels_);
}

namespace {

/// Returns the build of this thread, or null.
Building*& building_here() {
  thread_local Building* building = nullptr;
  return building;
}

}  // namespace

Building::Kernel::Kernel(Building& building)
    : building_((building.tell(0), building)),  // an exception leaves the thread as it was
      before_(std::exchange(building_here(), &building)) {}

Building::Kernel::~Kernel() { building_here() = before_; }

void Building::Kernel::is_built() { building_.tell(1); }

void glance() {
  if (Building* const building = building_here()) building->tell(0);
}

}  // namespace base
}  // namespace imago

// This file records which process used a driver first.
#include "base/forked.hpp"

#include <mutex>

#include "base/errors.hpp"
#include "base/system.hpp"

namespace imago {

std::atomic<base::DriverUse> driver_use = base::DriverUse::none;

namespace base {
namespace {

void lose_driver() {
  if (driver_use == DriverUse::used) driver_use = DriverUse::lost;
}

}  // namespace

void check_driver() {
  if (driver_is_lost()) forked();
}

void use_driver() {
  check_driver();
  if (driver_use == DriverUse::used) return;
  static std::once_flag once;
  std::call_once(once, [] { call_in_forked(lose_driver); });
  driver_use = DriverUse::used;
}

}  // namespace base
}  // namespace imago

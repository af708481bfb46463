// This file logs messages once per process.
#include "base/log_once.hpp"

#include <mutex>
#include <set>

#include "base/log.hpp"
#include "base/text.hpp"

namespace imago::base {

void warn_once(const std::string& text) {
  static std::mutex mutex;
  static auto* told = new std::set<std::string>;  // never destroyed: a plan may be made after
                                                  // main()
  {
    const std::lock_guard lock(mutex);
    if (!told->insert(text).second) return;
  }
  log(LogLevel::warning, printable(text));
}

}  // namespace imago::base

// This file gives colours their meanings: what is named alike has one colour in every picture, of
// the command and of the benchmarks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace imago::charts {

/// Colours of the names of one picture. Engines and methods have their own in all pictures; other
/// names take those that are left, in the order in which they are asked for.
class Colours {
 public:
  std::string_view of(const std::string& name);

 private:
  std::vector<std::string> others_;
};

}  // namespace imago::charts

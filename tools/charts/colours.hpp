// This file gives colours their meanings: what is named alike has one colour in every picture, of
// the command and of the benchmarks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace imago::charts {

/// Colours of the names of one picture. Engines and methods have their own in all pictures; other
/// names take those that are not given yet, in the order in which they are asked for.
class Colours {
 public:
  std::string_view of(const std::string& name);

 private:
  bool is_given(std::string_view colour) const;
  std::vector<std::pair<std::string, std::string_view>> given_;
};

}  // namespace imago::charts

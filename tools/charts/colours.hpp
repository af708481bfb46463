// This file assigns colours and the texts of legends to names: a name has the same colour and text
// in every picture of the command and of the benchmarks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace imago::charts {

/// Returns the text of a name in a legend: "cuFFT", "Memory copy (upper limit)". A name without a
/// text of its own is returned unchanged.
std::string label_of(const std::string& name);

/// The colours of the names in one picture. Engines and methods have fixed colours in all pictures.
/// Other names get the unused colours, in the order of the calls.
class Colours {
 public:
  std::string_view of(const std::string& name);

 private:
  bool is_given(std::string_view colour) const;
  std::vector<std::pair<std::string, std::string_view>> given_;
};

}  // namespace imago::charts

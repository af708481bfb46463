// This file gives access to the profiles that are built into the library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace imago::profile {

struct Shipped {
  std::string name;  ///< name of the file in tuning/
  std::string_view text;
};

/// Returns the files tuning/*.json, as they were when the library was built.
const std::vector<Shipped>& shipped();

}  // namespace imago::profile

// This file recognizes a binary that PoCL returned without its program. PoCL composes a binary from
// the files of its cache. Before version 6, it removes such a file for a moment if two processes
// compile the same kernel (pocl#1480).
#pragma once

#include <string_view>

namespace imago::runtime {

/// False if the binary is one of PoCL's without the compiled program; PoCL may abort the process
/// that loads it. True for all others, including those of an unknown format.
bool is_complete(std::string_view binary);

}  // namespace imago::runtime

// This file gives the library the declarations that it shares with the kernels.
#pragma once

#include <cstdint>

namespace imago::sparse {

using uint = std::uint32_t;
using ulong = std::uint64_t;
#include "kernels/attempt.h"
#include "kernels/audit.h"
#include "kernels/voting.h"

}  // namespace imago::sparse

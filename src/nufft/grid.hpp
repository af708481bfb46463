// This file gives the library the argument of the kernels of nonuniform transforms.
#pragma once

#include <cstdint>

namespace imago::nufft {

using uint = std::uint32_t;
#include "kernels/nufft.h"

}  // namespace imago::nufft

// This file rewrites a kernel before it is rendered: products that are added become fma, and what
// no store needs is dropped.
#pragma once

#include "ir/kernel.hpp"

namespace imago::ir {

/// A float product with one use that is added or subtracted becomes an fma with it (rounded once
/// where the kernel rounded twice); instructions without effect on memory or control flow go.
Kernel contract(Kernel kernel);

}  // namespace imago::ir

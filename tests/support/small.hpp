// This file chooses for a test if functions of the processor compute small transforms.
#pragma once

#include <imago/memory.hpp>

#include "support/variable.hpp"

namespace imago::test {

/// Lets the processor's functions compute, or kernels, and forgets cached plans.
class SmallTransforms {
 public:
  explicit SmallTransforms(bool by_functions) : variable_("IMAGO_SMALL", by_functions ? "1" : "0") {
    release_memory();
  }
  ~SmallTransforms() { release_memory(); }
  SmallTransforms(const SmallTransforms&) = delete;
  SmallTransforms& operator=(const SmallTransforms&) = delete;

 private:
  const Variable variable_;
};

}  // namespace imago::test

// This file makes transforms of a few real numbers, which stay in registers.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::passes {

/// A transform of 4, 8 or 16 real numbers to their half spectrum, or the inverse. Functions have
/// the arguments of passes (passes.hpp). If `inverse` is not 0, the half spectrum is conjugated.
struct RealTransform {
  unsigned length = 8;
  bool inverse = false;
};

std::string name_of(const RealTransform& real_transform, ir::Base real);
ir::Kernel emit(const RealTransform& real_transform, ir::Base real);

/// Returns the transforms of the library.
std::vector<RealTransform> all_reals();

}  // namespace imago::passes

// This file gives the arrays of half precision a type that reads as its value.
#pragma once

#include <cstdint>

#include "base/half.hpp"

namespace imago::bench {

/// The bits of a half.
struct Half {
  std::uint16_t bits = 0;
  operator double() const { return base::from_half(bits); }  // NOLINT(google-explicit-constructor)
};

}  // namespace imago::bench

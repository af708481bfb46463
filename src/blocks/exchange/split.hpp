// This file exchanges registers through local memory, one part after the other.
#pragma once

#include "blocks/exchange/exchanger.hpp"

namespace imago::blocks {

std::unique_ptr<Exchanger> make_split(const Frame& frame);

}  // namespace imago::blocks

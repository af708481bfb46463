// This file exchanges registers through local memory, both parts of a complex number at once.
#pragma once

#include "blocks/exchange/exchanger.hpp"

namespace imago::blocks {

std::unique_ptr<Exchanger> make_interleaved(const Frame& frame);

}  // namespace imago::blocks

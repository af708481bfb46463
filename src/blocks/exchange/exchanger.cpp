// This file creates the exchanger that a step selects.
#include "blocks/exchange/exchanger.hpp"

#include "base/errors.hpp"
#include "blocks/exchange/interleaved.hpp"
#include "blocks/exchange/split.hpp"
#include "kernel/key.hpp"

namespace imago::blocks {

std::vector<Points> Exchanger::fetched(const Held& held, const std::vector<Site>& reads) {
  std::vector<Points> values(reads.size());
  fetch(held, reads, [&](std::size_t i, std::size_t, const Cx& x) { values[i].push_back(x); });
  return values;
}

std::unique_ptr<Exchanger> make_exchanger(const Frame& frame) {
  switch (frame.step.group().exchange) {
    case Exchange::interleaved:
      return make_interleaved(frame);
    case Exchange::split:
      return make_split(frame);
    case Exchange::automatic:
      break;
  }
  base::internal_error("kernel " + kernel::name_of(frame.step) +
                       ": an exchange that is not chosen");
}

}  // namespace imago::blocks

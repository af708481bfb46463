// This file implements Team.
#include "host/team.hpp"

#include <algorithm>

#include <imago/error.hpp>

namespace imago::host {

Team::Team(Members& pool) : pool_(pool) {
  for (const std::size_t device : pool.in_use()) {
    Member& member = pool.member(device);
    Mate& mate = mates_.emplace_back();
    mate.device = device;
    try {
      mate.lane.emplace(member.lanes, member.context(), member.device());
    } catch (const DeviceError&) {
      mate.loss = std::current_exception();
    }
  }
  const std::exception_ptr last = mates_.back().loss;
  part();
  if (mates_.empty()) std::rethrow_exception(last);
}

void Team::part() {
  const auto is_lost = [](const Mate& mate) { return mate.loss != nullptr; };
  const bool all = std::all_of(mates_.begin(), mates_.end(), is_lost);
  for (Mate& mate : mates_) {
    if (!mate.loss) continue;
    if (mate.lane) mate.lane->drop();
    if (!all) pool_.leave_out(mate.device, mate.loss);
  }
  mates_.remove_if(is_lost);
}

}  // namespace imago::host

// This file says which mapping suits a device.
#include "lines/mapping.hpp"

namespace imago::lines {

Mapping mapping_of(Mapping wish, const device::Facts& facts) {
  if (wish != Mapping::automatic) return wish;
  return facts.type == device::Type::cpu ? Mapping::vector : Mapping::work_group;
}

}  // namespace imago::lines

// This file computes the limit of a plan's scratch memory.
#include "engine/scratch.hpp"

#include <limits>

#include "base/errors.hpp"

namespace imago::engine {

ScratchLimit ScratchLimit::of(const device::Facts& facts, const Options& options) {
  ScratchLimit limit{std::numeric_limits<std::uint64_t>::max(), {}};
  if (facts.memory.largest_buffer > 0) limit.bytes = facts.memory.largest_buffer;
  if (options.scratch.limit > 0 && options.scratch.limit < limit.bytes)
    limit = {options.scratch.limit, "options.scratch.limit"};
  if (options.scratch.workspace && options.scratch.workspace->bytes() < limit.bytes)
    limit = {options.scratch.workspace->bytes(), "options.scratch.workspace"};
  return limit;
}

void ScratchLimit::refuse(const std::string& what, std::uint64_t needed) const {
  const std::string needs = what + " needs " + std::to_string(needed) + " bytes of workspace";
  if (!field.empty()) base::invalid(field, std::to_string(bytes) + " bytes", needs);
  base::unsupported(needs + ", and the device's largest buffer has " + std::to_string(bytes) +
                        " (CL_DEVICE_MAX_MEM_ALLOC_SIZE)",
                    "use smaller lengths");
}

}  // namespace imago::engine

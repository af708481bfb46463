// This file loads the contestants that are plugins.
#include <stdexcept>

#include "bench/fused/contestants.hpp"
#include "bench/plugin.hpp"

namespace imago::bench::fused {

std::unique_ptr<Contestant> load_peer(const std::string& name, const Question& question) {
  auto* const peer = reinterpret_cast<Peer*>(
      plugin_function("libimago_fused_" + name + ".so", "imago_fused_peer"));
  std::string reason;
  Contestant* const contestant = peer(question, reason);
  if (contestant == nullptr) throw std::runtime_error(reason);
  return std::unique_ptr<Contestant>(contestant);
}

}  // namespace imago::bench::fused

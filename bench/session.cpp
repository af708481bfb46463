// This file implements the common part of both benchmarks.
#include "bench/session.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace imago::bench {

Session::Session(const Settings& settings, const Callbacks& callbacks, const Suits& suits)
    : settings_(settings), callbacks_(callbacks), around_(surroundings_of(settings)) {
  for (const auto& info : known_engines())
    if (wanted(info, suits)) add(info);
  if (engines_.empty()) base::invalid("peers", "none", "at least one engine, imago or a peer");
}

bool Session::wanted(const EngineInfo& info, const Suits& suits) const {
  if (info.name == "imago") return settings_.imago;
  const auto& peers = settings_.peers;
  if (!peers.empty()) return std::find(peers.begin(), peers.end(), info.name) != peers.end();
  return suits(info, around_.identity.cpu);
}

// Throws if an engine that was requested by name is missing; engines that only suit the device may
// be missing.
void Session::add(const EngineInfo& info) {
  try {
    engines_.push_back(info.make(around_));
    engine_facts_.emplace_back(info.name, engines_.back()->version());
  } catch (const Error& reason) {
    if (!settings_.peers.empty()) base::invalid("peers", info.name, reason.what());
    engine_facts_.emplace_back(info.name, std::string(kNotMeasured) + ": " + reason.what());
  }
}

Pace Session::pace() const {
  Pace pace;
  pace.seconds = settings_.seconds_per_case;
  pace.min_rounds = settings_.min_rounds;
  pace.max_rounds = settings_.max_rounds;
  if (settings_.seconds_per_sample > 0) pace.seconds_per_sample = settings_.seconds_per_sample;
  return pace;
}

std::optional<std::vector<Series>> Session::time(const std::vector<Subject>& subjects,
                                                 const Pace& pace) const {
  return take_turns(subjects, pace, [this] { return stopped(); });
}

void Session::say(const std::string& stage) const {
  if (callbacks_.progress) callbacks_.progress({done_, total_, stage});
}

}  // namespace imago::bench

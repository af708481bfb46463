// This file shows what the tuner found: rows for people, JSON for programs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "device/facts.hpp"
#include "profile/profile.hpp"
#include "tune/session.hpp"

namespace imago::command {

/// "16.16.16 i256 c1": the radices and the shape of each kernel.
std::string text_of(const Parameters& parameters);

std::string tuned_head();
std::string tuned_row(const tune::Tuned& row);
/// Medians and worst cases of the ratios.
std::string tuned_summary(const std::vector<tune::Tuned>& rows);
/// One row, without the candidates that lost.
nlohmann::json tuned_event(const tune::Tuned& row);
nlohmann::json tuned_json(const std::vector<tune::Tuned>& rows, const device::Facts& facts);
std::string profile_table(const profile::Profile& profile);

}  // namespace imago::command

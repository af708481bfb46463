// This file prints the tuner's results: rows of text, or JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "device/facts.hpp"
#include "profile/profile.hpp"
#include "report_writer.hpp"
#include "tuner/session.hpp"

namespace imago::command {

/// Returns for example "16.16.16 i256 c1": the radices and the shape of each kernel.
std::string text_of(const Parameters& parameters);

std::string tuned_head();
/// Returns a row, without the candidates that lost.
Report report_of(const tuner::Tuned& row);
/// Returns medians and worst cases of the ratios.
std::string tuned_summary(const std::vector<tuner::Tuned>& rows);
nlohmann::json tuned_json(const std::vector<tuner::Tuned>& rows, const device::Facts& facts);
std::string profile_table(const profile::Profile& profile);

}  // namespace imago::command

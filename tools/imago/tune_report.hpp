// This file shows what the tuner found: rows for people, JSON for programs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "device/facts.hpp"
#include "profile/profile.hpp"
#include "tune/search.hpp"

namespace imago::command {

/// One problem, tuned.
struct Tuned {
  profile::ProblemClass problem;
  Parameters own;  ///< what imago takes without a profile
  tune::Result result;
  double seconds = 0;  ///< that the search took
};

/// "16.16.16 i256 c1": the radices and the shape of each kernel.
std::string text_of(const Parameters& parameters);

std::string tuned_head();
std::string tuned_row(const Tuned& row);
/// Medians and worst cases of the ratios.
std::string tuned_summary(const std::vector<Tuned>& rows);
nlohmann::json tuned_json(const std::vector<Tuned>& rows, const device::Facts& facts);
std::string profile_table(const profile::Profile& profile);

}  // namespace imago::command

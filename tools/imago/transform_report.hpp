// This file defines the report of `imago transform`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compute.hpp"
#include "measure.hpp"
#include "tone_list.hpp"

namespace imago::command {

struct TransformReport {
  std::string file, about, plan;
  bool explain = false;            ///< print the plan
  std::vector<std::string> notes;  ///< about padding, NaNs, half spectra
  device::Facts facts;
  Transform transform;
  double plan_seconds = 0, first_seconds = 0, seconds = 0;
  std::optional<CallTime> measured;
  std::optional<Check> check;
  ToneList strongest;
  std::string output, output_about, picture;  ///< empty: none
};

Report report_of(const TransformReport& report);

}  // namespace imago::command

// This file generates the subjects of the abuse from one number: transforms, options and devices.
#pragma once

#include <cstdint>
#include <string>

#include <imago/plan.hpp>

#include "catalogue/case.hpp"
#include "device/facts.hpp"
#include "interpreter/interpreter.hpp"

namespace imago::abuse {

struct Subject {
  catalogue::Case problem;  ///< the case to run, if it can run
  Transform transform;      ///< the transform to plan
  Options options;
  device::Facts facts;
  interpreter::Schedule schedule;
  bool wild = false;  ///< no sane caller writes this transform or these parameters

  /// Returns all properties as text.
  std::string describe() const;
};

/// Returns the same subject for the same seed.
Subject make_subject(std::uint64_t seed);

}  // namespace imago::abuse

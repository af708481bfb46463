// This file makes up what is abused: transforms, options and devices, from one number.
#pragma once

#include <cstdint>
#include <string>

#include <imago/plan.hpp>

#include "catalogue/case.hpp"
#include "device/facts.hpp"
#include "interpreter/interpreter.hpp"

namespace imago::abuse {

struct Subject {
  catalogue::Case problem;  ///< what is run, where it may be
  Transform transform;      ///< what is planned
  Options options;
  device::Facts facts;
  interpreter::Schedule schedule;
  bool wild = false;  ///< the transform or the parameters are nothing that a sane caller writes

  /// Everything that matters, in words.
  std::string describe() const;
};

/// The same for the same number.
Subject make_subject(std::uint64_t seed);

}  // namespace imago::abuse

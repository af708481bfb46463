// This file holds requests and parameters for the tests of planning.
#pragma once

#include <cstdint>

#include "plan/planner.hpp"

namespace imago::test {

/// Returns a request for lines without gaps.
inline lines::Request request_of(std::uint64_t length, Precision precision = Precision::f32,
                                 std::uint64_t batch = 1) {
  lines::Request request;
  request.length = length;
  request.batch = batch;
  request.precision = precision;
  request.in.distance = request.out.distance = length;
  return request;
}

inline Parameters forced(Mapping mapping, Algorithm algorithm = Algorithm::automatic) {
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = algorithm;
  return parameters;
}

}  // namespace imago::test

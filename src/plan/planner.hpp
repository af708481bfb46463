// This file turns a request into a Program: it chooses what the parameters leave open and lays out
// kernels, tables and scratch. It knows the device only as Facts and needs no OpenCL.
#pragma once

#include <cstdint>
#include <string>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/program.hpp"

namespace imago::plan {

/// One direction of a one-dimensional complex transform.
struct Request {
  std::uint64_t length = 1;
  std::uint64_t batch = 1;
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  bool inverse = false;
  double scale = 1;                                 ///< the factor of the result
  std::uint64_t in_distance = 1, out_distance = 1;  ///< between batch members, in complex elements
};

/// Largest prime factor of the lengths that imago plans today.
inline constexpr std::uint64_t kLargestPrime = 13;

/// The parameters that make_program uses: what `wish` leaves open is filled with the defaults for
/// the device. A pure function. Throws Unsupported for a prime factor above kLargestPrime and
/// InvalidArgument for a wish that is not legal (a radix that does not divide, too much local
/// memory).
Parameters complete(const Request& request, const device::Facts& facts, const Parameters& wish);

/// The program that computes `request` with complete parameters.
Program make_program(const Request& request, const device::Facts& facts,
                     const Parameters& parameters);

/// A line per launch: algorithm, kernel, parameters, bytes moved.
std::string describe(const Program& program, const Request& request);

}  // namespace imago::plan

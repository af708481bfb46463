// This file turns a request into a Program: it chooses what the parameters leave open and lays out
// kernels, tables and scratch. It knows the device only as Facts and needs no OpenCL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/program.hpp"
#include "plan/request.hpp"

namespace imago::plan {

/// The wish, or what suits the device.
Mapping mapping_of(Mapping wish, const device::Facts& facts);

/// The parameters that make_program uses: what `wish` leaves open is filled with the defaults for
/// the device. A pure function. Throws InvalidArgument for a wish that is not legal (a radix that
/// does not divide, too much local memory).
Parameters complete(const Request& request, const device::Facts& facts, const Parameters& wish);

/// The program that computes `request` with complete parameters.
Program make_program(const Request& request, const device::Facts& facts,
                     const Parameters& parameters);

/// A line of text per launch, numbered from `first` on: algorithm, kernel, parameters, bytes moved.
std::string describe(const Program& program, const Request& request, std::size_t first = 1);

}  // namespace imago::plan

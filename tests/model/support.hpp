// This file gives the tests of the model a measured device, and programs for it.
#pragma once

#include "model/model.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"
#include "support/facts.hpp"

namespace imago::test {

/// Returns an NVIDIA H200 with the values of docs/measured/h200.md.
inline device::Facts h200() {
  device::Facts facts = large_gpu();
  facts.local_bytes = 226 << 10;
  facts.compute_unit.local_bytes = 227 << 10;
  facts.memory.cache_bytes = 4224 << 10;  // as reported by the driver
  facts.rates.copy_bytes = 4197e9;
  facts.rates.local_bytes = 33e12;
  facts.rates.flops = 60e12;
  facts.rates.launch_seconds = 3e-6;
  return facts;
}

inline lines::Request request_of(std::uint64_t length, std::uint64_t batch) {
  lines::Request request;
  request.length = length;
  request.batch = batch;
  request.in.distance = request.out.distance = length;
  return request;
}

/// Returns the program of a length with 2^25 points in total.
inline kernel::Program program_of(std::uint64_t length, const device::Facts& facts,
                                  const Parameters& wish = {}) {
  const auto request =
      request_of(length, std::max<std::uint64_t>(1, (std::uint64_t{1} << 25) / length));
  return plan::make_program(request, facts, plan::complete(request, facts, wish));
}

}  // namespace imago::test

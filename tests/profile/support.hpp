// This file holds helpers for the tests of profiles: devices, a profile in which every member has a
// different value, and files.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "profile/profile.hpp"
#include "support/facts.hpp"

namespace imago::test {

inline device::Facts tuned_device() {
  device::Facts facts = large_gpu();
  facts.name = "Big GPU 9000";
  facts.vendor = "Big Corp.";
  facts.driver = "1.2.3";
  facts.platform = "Big OpenCL";
  facts.architecture = "big_9";
  return facts;
}

inline profile::ProblemClass problem_class(std::uint64_t length, std::uint64_t batch = 1) {
  profile::ProblemClass made;
  made.lengths = {length};
  made.batch = batch;
  return made;
}

/// Returns an entry that is identified by its work-items.
inline profile::Entry entry(std::uint64_t length, std::uint64_t batch, unsigned items,
                            double seconds = 1) {
  profile::Entry made{problem_class(length, batch), {}, seconds, {}};
  made.parameters.kernels.emplace_back();
  made.parameters.kernels[0].items = items;
  return made;
}

inline profile::Profile profile_of(const device::Facts& facts,
                                   std::vector<profile::Entry> entries = {}) {
  profile::Profile made;
  made.device = profile::device_of(facts);
  made.entries = std::move(entries);
  return made;
}

/// Returns a profile in which no member has its default.
inline profile::Profile full_profile() {
  profile::Profile made = profile_of(tuned_device());
  made.rates = {4.1e12, 3e13, 6.7e13, 3.3e13, 3.1e-6, {0.1, 0.2, 0.45, 0.8, 0.999}};
  profile::Entry first;
  first.problem = {Kind::dst3, {64, 4096}, Precision::f64, Placement::in_place, false, 17};
  first.parameters.mapping = Mapping::vector;
  first.parameters.algorithm = Algorithm::hierarchy;
  first.parameters.kernels = {{64,
                               {8, 4, 2},
                               12,
                               3,
                               16,
                               LaneAxis::points,
                               Exchange::split,
                               Twiddles::product,
                               Twiddles::polynomial},
                              {4096,
                               {16, 16, 16},
                               256,
                               2,
                               8,
                               LaneAxis::columns,
                               Exchange::interleaved,
                               Twiddles::table,
                               Twiddles::product}};
  first.seconds = 1.0 / 3;
  first.driver = "1.2.2";
  made.entries = {first, entry(1024, 128, 64, 2e-5)};
  return made;
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}
inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace imago::test

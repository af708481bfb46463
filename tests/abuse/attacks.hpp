// This file lists the attacks on a device: each makes something random from one number and checks
// its results.
#pragma once

#include <functional>
#include <string>

#include "catalogue/random.hpp"
#include "support/device.hpp"

namespace imago::abuse {

struct Attack {
  const char* name;
  /// Returns what was wrong; empty: nothing.
  std::function<std::string(catalogue::Random& random)> strike;
};

/// Cases in f16 and chains of launches, whose buffers lie between pages without access. The
/// transforms of a batch differ in size, and some hold NaN.
Attack attack_guards(const test::Device& device);
/// Nonuniform transforms whose points come in parts.
Attack attack_parts(const test::Device& device);
/// Streams in random blocks on out-of-order queues, while the device waits for events.
Attack attack_streams(const test::Device& device);
/// f64 in pairs of f32, with hooks.
Attack attack_pairs(const test::Device& device);
/// Damaged entries of the cache on disk, with plans that begin on generic kernels.
Attack attack_entries(const test::Device& device);

}  // namespace imago::abuse

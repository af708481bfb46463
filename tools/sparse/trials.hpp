// This file holds the common parts of the sub-commands of `sparse_trials`: a device with its queue,
// signals on it, and the clock.
#pragma once

#include <memory>
#include <string>

#include <imago/imago.hpp>

#include "catalogue/tones.hpp"
#include "command.hpp"

namespace imago::trials {

command::Command hostile_command(CLI::App& parent);
command::Command recover_command(CLI::App& parent);
command::Command rounds_command(CLI::App& parent);
command::Command time_command(CLI::App& parent);

/// Returns the seconds since an arbitrary moment.
double now();

struct Machine {
  explicit Machine(const std::string& name, Precision precision = Precision::f32,
                   cl_command_queue_properties properties = 0)
      : device(find_device(name, precision)), context(device), queue(context, device, properties) {}
  /// Uploads complex numbers, or real numbers for a real transform.
  cl::Buffer upload(const catalogue::SparseSignal& signal, const SparseTransform& transform) const;

  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

}  // namespace imago::trials

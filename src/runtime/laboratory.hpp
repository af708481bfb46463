// This file has what all measurements of a device share: a context of their own, and results that
// are kept, so that a device is measured once.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/hash.hpp"
#include "kernel/handmade.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// A context and a queue for measurements, which a broken kernel may damage.
struct Laboratory {
  explicit Laboratory(cl_device_id device, cl_command_queue_properties properties = 0);

  Handle<cl_program> program(const std::string& text, const std::string& options) const;
  /// Builds a kernel. Throws DeviceError.
  Handle<cl_kernel> kernel(const kernel::Handmade& made) const;

  cl_device_id device;
  Handle<cl_context> context;
  Handle<cl_command_queue> queue;
};

/// Returns the key of a kept property that the kernels of a file in kernels/ find. `what` names it,
/// with the version of the host's part.
base::Digest property_key(const char* what, const char* file, cl_device_id device);

/// Returns true if this process or the disk keeps the property.
bool is_known(const base::Digest& key, const DiskCache& disk);

/// Returns a property of a device that this process or the disk keeps, if `accepts` it. Otherwise
/// finds it and keeps it; a second thread waits for the first one. If finding fails, logs the
/// reason after `attempt` ("cannot detect .."), keeps nothing and returns nullopt.
std::optional<Bytes> found_once(const base::Digest& key, const DiskCache& disk,
                                const std::string& attempt, const std::function<Bytes()>& find,
                                const std::function<bool(const Bytes&)>& accepts = {});

}  // namespace imago::runtime

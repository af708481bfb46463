// This file opens a device: context and queue, and buffers on it, with checked calls. It uses only
// the handle types of opencl.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include <CL/opencl.hpp>
#include <nlohmann/json_fwd.hpp>

#include <imago/plan.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"

namespace imago::command {

/// Measures the time since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Field;

struct Session {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};
/// Opens the device that `wish` names.
Session open_session(const std::string& wish, Precision precision);

cl::Buffer make_buffer(const Session& session, std::size_t bytes);
void upload(const Session& session, const cl::Buffer& buffer, const void* data, std::size_t bytes);
void download(const Session& session, const cl::Buffer& buffer, void* data, std::size_t bytes);
/// Waits for the queue.
void finish(const Session& session);

/// Returns the device's properties; measures its local memory with the cache of `options`.
device::Facts facts_of(const cl::Device& device, const Options& options = {});
/// Returns what the device reports, without measuring anything.
device::Facts reported_facts_of(const cl::Device& device);
/// Returns for example "pthread-Intel(R) Xeon(R) (Portable Computing Language)".
std::string describe(const device::Facts& facts);
nlohmann::json to_json(const device::Facts& facts);
/// Returns the device as a value of reports.
Field field_of(const device::Facts& facts);

}  // namespace imago::command

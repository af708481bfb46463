// This file opens a device: context and queue, and buffers on it, with checked calls. opencl.hpp is
// used as a vocabulary of handles only.
#pragma once

#include <cstddef>
#include <string>

#include <CL/opencl.hpp>
#include <nlohmann/json_fwd.hpp>

#include <imago/plan.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"

namespace imago::command {

struct Session {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};
/// On the device that `wish` names.
Session open_session(const std::string& wish, Precision precision);

cl::Buffer make_buffer(const Session& session, std::size_t bytes);
void upload(const Session& session, const cl::Buffer& buffer, const void* data, std::size_t bytes);
void download(const Session& session, const cl::Buffer& buffer, void* data, std::size_t bytes);
/// Waits for the queue.
void finish(const Session& session);

/// The device as data; its local memory is measured with the cache that `options` names.
device::Facts facts_of(const cl::Device& device, const Options& options = {});
/// "pthread-Intel(R) Xeon(R) (Portable Computing Language)".
std::string describe(const device::Facts& facts);
nlohmann::json to_json(const device::Facts& facts);
/// JSON as text; what is not UTF-8 (drivers name devices as they like) is replaced.
std::string dump(const nlohmann::json& json);

}  // namespace imago::command

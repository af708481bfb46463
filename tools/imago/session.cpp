// This file opens devices for the sub-commands.
#include "session.hpp"

#include <imago/devices.hpp>
#include <nlohmann/json.hpp>

#include "options.hpp"
#include "report_writer.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/facts.hpp"
#include "runtime/opencl.hpp"
#include "runtime/queue.hpp"

namespace imago::command {

Session open_session(const std::string& wish, Precision precision) {
  Session session;
  session.device = find_device(wish, precision);
  session.context = cl::Context(runtime::make_context(session.device()).take(), false);
  session.queue =
      cl::CommandQueue(runtime::make_queue(session.context(), session.device()).take(), false);
  return session;
}

cl::Buffer make_buffer(const Session& session, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(session.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
  runtime::check(code, "clCreateBuffer");
  return cl::Buffer(memory, false);
}

void upload(const Session& session, const cl::Buffer& buffer, const void* data, std::size_t bytes) {
  runtime::check(
      clEnqueueWriteBuffer(session.queue(), buffer(), CL_TRUE, 0, bytes, data, 0, nullptr, nullptr),
      "clEnqueueWriteBuffer");
}
void download(const Session& session, const cl::Buffer& buffer, void* data, std::size_t bytes) {
  runtime::check(
      clEnqueueReadBuffer(session.queue(), buffer(), CL_TRUE, 0, bytes, data, 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
}
void finish(const Session& session) { runtime::check(clFinish(session.queue()), "clFinish"); }

device::Facts facts_of(const cl::Device& device, const Options& options) {
  return runtime::facts(device(), options.disk_cache
                                      ? runtime::DiskCache::at(options.cache_directory)
                                      : runtime::DiskCache());
}

device::Facts reported_facts_of(const cl::Device& device) {
  return runtime::reported_facts(device());
}

std::string describe(const device::Facts& facts) {
  const std::string& about = facts.platform.empty() ? facts.architecture : facts.platform;
  return printable(about.empty() ? facts.name : facts.name + " (" + about + ")");
}

nlohmann::json to_json(const device::Facts& facts) {
  return {{"name", facts.name},
          {"vendor", facts.vendor},
          {"driver", facts.driver},
          {"platform", facts.platform},
          {"architecture", facts.architecture},
          {"type", word(facts.type)},
          {"compute_units", facts.compute_units},
          {"max_work_group", facts.max_work_group},
          {"simd", facts.simd},
          {"vector_f32", facts.vector_f32},
          {"vector_f64", facts.vector_f64},
          {"global_bytes", facts.memory.bytes},
          {"max_alloc_bytes", facts.memory.largest_buffer},
          {"local_bytes", facts.local_bytes},
          {"cache_bytes", facts.memory.cache_bytes},
          {"f64", facts.f64.native}};
}

Field field_of(const device::Facts& facts) { return {"device", to_json(facts), describe(facts)}; }

}  // namespace imago::command

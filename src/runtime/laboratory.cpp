// This file measures devices, and keeps the results.
#include "runtime/laboratory.hpp"

#include <map>
#include <mutex>

#include <imago/error.hpp>

#include "base/log.hpp"
#include "kernels/text.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/program.hpp"
#include "runtime/queue.hpp"
#include "runtime/target.hpp"

namespace imago::runtime {
namespace {

/// Returns the lock of a property. There are a few properties for each device of a process.
std::mutex& turn_of(const base::Digest& key) {
  static std::mutex mutex;
  static auto* turns = new std::map<base::Digest, std::mutex>;
  const std::lock_guard lock(mutex);
  return (*turns)[key];
}

}  // namespace

Laboratory::Laboratory(cl_device_id of, cl_command_queue_properties properties)
    : device(of), context(make_context(of)), queue(make_queue(context.get(), of, properties)) {}

Handle<cl_kernel> Laboratory::kernel(const char* file, const char* name,
                                     const std::string& options) const {
  const char* pointer = kernels::text(file).data();
  cl_int code = CL_SUCCESS;
  const Handle program(clCreateProgramWithSource(context.get(), 1, &pointer, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  check(build_program(program.get(), device, options), "clBuildProgram");
  Handle<cl_kernel> kernel(clCreateKernel(program.get(), name, &code));
  check(code, "clCreateKernel");
  return kernel;
}

base::Digest property_key(const char* what, cl_device_id device) {
  return base::Hasher().field(what).field(identity(device).hex()).digest();
}

bool is_known(const base::Digest& key, const DiskCache& disk) {
  return BinaryCache::instance().find(key, disk) != nullptr;
}

std::optional<Bytes> found_once(const base::Digest& key, const DiskCache& disk,
                                const std::string& attempt, const std::function<Bytes()>& find,
                                const std::function<bool(const Bytes&)>& accepts) {
  const std::lock_guard lock(turn_of(key));
  auto& cache = BinaryCache::instance();
  if (const auto known = cache.find(key, disk); known && (!accepts || accepts(*known)))
    return *known;
  Bytes found;
  try {
    found = find();
  } catch (const Error& error) {
    base::log(LogLevel::warning, attempt + ": " + error.what());
    return std::nullopt;
  }
  cache.keep(key, found, disk);
  return found;
}

}  // namespace imago::runtime

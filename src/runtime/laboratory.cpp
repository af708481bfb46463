// This file measures devices, and keeps the results.
#include "runtime/laboratory.hpp"

#include <map>
#include <mutex>

#include <imago/error.hpp>

#include "base/log.hpp"
#include "base/watch.hpp"
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

Handle<cl_program> Laboratory::program(const std::string& text, const std::string& options) const {
  base::Building building(1);
  base::Building::Kernel one(building);
  const char* pointer = text.c_str();
  cl_int code = CL_SUCCESS;
  Handle<cl_program> program(clCreateProgramWithSource(context.get(), 1, &pointer, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  check(build_program(program.get(), device, options), "clBuildProgram");
  one.is_built();
  return program;
}

Handle<cl_kernel> Laboratory::kernel(const kernel::Handmade& made) const {
  return kernel_of(program(made.text, made.options).get(), made.name);
}

base::Digest property_key(const char* what, const char* file, cl_device_id device) {
  return base::Hasher()
      .field(what)
      .field(kernels::text(file))
      .field(identity(device).hex())
      .digest();
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
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    base::log(LogLevel::warning, attempt + ": " + error.what());
    return std::nullopt;
  }
  cache.keep(key, found, disk);
  return found;
}

}  // namespace imago::runtime

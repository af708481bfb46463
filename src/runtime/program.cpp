// This file builds kernels, but compiles only if necessary.
#include "runtime/program.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <tuple>
#include <utility>

#include "base/errors.hpp"
#include "base/held_signals.hpp"
#include "base/log.hpp"
#include "base/side_by_side.hpp"
#include "base/stopwatch.hpp"
#include "base/watch.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/binary_check.hpp"
#include "runtime/weak_map.hpp"

namespace imago::runtime {
namespace {

// A live program keeps its context alive, so the handles in the key of a live value are never
// stale.
using LiveKey = std::tuple<cl_context, cl_device_id, base::Digest>;

WeakMap<LiveKey, const LiveProgram>& live_programs() {
  static auto* map = new WeakMap<LiveKey, const LiveProgram>;
  return *map;
}

const std::string& entry_of(const KernelCode& kernel) {
  return kernel.entry.empty() ? kernel.name : kernel.entry;
}

/// Returns the locks of kernels that are being made, for any context.
WeakMap<base::Digest, std::mutex>& turns() {
  static auto* map = new WeakMap<base::Digest, std::mutex>;
  return *map;
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) !=
      CL_SUCCESS) {
    return {};
  }
  std::string text(bytes, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, text.data(), nullptr);
  return text.substr(0, text.find('\0'));
}

/// Returns a program that is made from source, and its binary: empty for a kernel that caches do
/// not store, or if the driver returns none.
std::pair<ProgramPointer, Bytes> compile(const Target& target, const KernelCode& kernel) {
  const std::string source = kernel.text.empty() ? kernel.generate() : kernel.text;
  const char* text = source.data();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  const base::Stopwatch watch;
  Handle<cl_program> program(clCreateProgramWithSource(target.context, 1, &text, &length, &code));
  check(code, "clCreateProgramWithSource", kernel.name);
  code = build_program(program.get(), target.device, kernel.options);
  if (code != CL_SUCCESS) {
    base::device_error("clBuildProgram", error_name(code), code, kernel.name,
                       build_log(program.get(), target.device));
  }
  base::glance();
  if (kernel.rehearse) kernel.rehearse(kernel_of(program.get(), entry_of(kernel)).get());
  base::glance();
  // PoCL compiles a program once more to return its binary.
  Bytes binary = kernel.kept ? binary_of(program.get(), target.device) : Bytes();
  const double seconds = watch.seconds();
  base::log(LogLevel::debug, "compiled " + kernel.name + " in " + base::milliseconds(seconds) +
                                 ", " + std::to_string(length) + " characters");
  return {std::make_shared<const LiveProgram>(std::move(program), kernel.name, Made{true, seconds}),
          std::move(binary)};
}

/// Returns null if the binary is incomplete, or if the driver rejects it.
ProgramPointer load(const Target& target, const KernelCode& kernel, const Bytes& binary) {
  if (!is_complete(binary)) {
    base::log(LogLevel::warning,
              "the cached binary of " + kernel.name + " is incomplete; compiling it again");
    return nullptr;
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t length = binary.size();
  cl_int code = CL_SUCCESS;
  const base::Stopwatch watch;
  Handle<cl_program> program(clCreateProgramWithBinary(target.context, 1, &target.device, &length,
                                                       &bytes, nullptr, &code));
  if (code == CL_SUCCESS) code = build_program(program.get(), target.device, kernel.options);
  if (code == CL_SUCCESS) {
    const Handle<cl_kernel> trial(clCreateKernel(program.get(), entry_of(kernel).c_str(), &code));
    if (code == CL_SUCCESS) {
      const double seconds = watch.seconds();
      base::log(LogLevel::debug, "loaded " + kernel.name + " in " + base::milliseconds(seconds));
      return std::make_shared<const LiveProgram>(std::move(program), kernel.name,
                                                 Made{false, seconds});
    }
  }
  base::log(LogLevel::warning, "the driver rejects the cached binary of " + kernel.name + " (" +
                                   error_name(code) + "); compiling it again");
  return nullptr;
}

base::Digest cache_key(const Target& target, const KernelCode& kernel) {
  return base::Hasher()
      .field(kernel.text.empty() ? target.generator : kernel.text)
      .field(target.identity.hex())
      .field(kernel.name)
      .field(kernel.options)
      .digest();
}

/// If the kernel is being compiled for another context, waits for its binary.
ProgramPointer load_or_compile(const Target& target, const KernelCode& kernel,
                               const base::Digest& key, const DiskCache& disk) {
  const auto turn = turns().get(key, [] { return std::make_shared<std::mutex>(); });
  const std::lock_guard lock(*turn);
  const base::HeldSignals held;  // PoCL also links at launches and when it returns binaries
  auto& cache = BinaryCache::instance();
  if (const auto binary = cache.find(key, disk)) {
    if (auto program = load(target, kernel, *binary)) return program;
  }
  auto [program, binary] = compile(target, kernel);
  if (binary.empty()) return program;
  if (is_complete(binary)) {
    cache.keep(key, std::move(binary), disk);
  } else {  // asking again is useless: PoCL stores the binary in the program
    base::log(LogLevel::debug,
              "the driver returned an incomplete binary of " + kernel.name + "; it is not cached");
  }
  return program;
}

/// Logs the time of the compiler, if it ran.
void log_compilations(const std::vector<ProgramPointer>& compiled, std::size_t kernels,
                      double seconds) {
  if (compiled.empty()) return;
  double sum = 0;
  for (const auto& program : compiled) sum += program->made().seconds;
  base::log(LogLevel::info, "building took " + base::milliseconds(seconds) + ": " +
                                std::to_string(compiled.size()) + " of " + std::to_string(kernels) +
                                " kernels were compiled, in a total of " + base::milliseconds(sum));
}

}  // namespace

Handle<cl_kernel> kernel_of(cl_program program, const std::string& name) {
  cl_int code = CL_SUCCESS;
  Handle<cl_kernel> kernel(clCreateKernel(program, name.c_str(), &code));
  check(code, "clCreateKernel", name);
  return kernel;
}

cl_int build_program(cl_program program, cl_device_id device, const std::string& options) {
  const base::HeldSignals held;
  // If a signal arrives in any thread, LLVM removes the files that it is writing, and the build
  // fails through no fault of the program.
  constexpr int kMostBuilds = 3;
  cl_int code = CL_SUCCESS;
  for (int i = 0; i < kMostBuilds; ++i) {
    code = clBuildProgram(program, 1, &device, ("-w " + options).c_str(), nullptr, nullptr);
    if (code != CL_BUILD_PROGRAM_FAILURE ||
        build_log(program, device).find("unable to rename temporary") == std::string::npos)
      break;
  }
  return code;
}

Handle<cl_kernel> LiveProgram::make_kernel(const std::string& entry) const {
  return kernel_of(program_.get(), entry);
}

Bytes binary_of(cl_program program, cl_device_id device) {
  const auto devices =
      info_list<cl_device_id>(clGetProgramInfo, "clGetProgramInfo", program, CL_PROGRAM_DEVICES);
  const auto sizes = info_list<std::size_t>(clGetProgramInfo, "clGetProgramInfo", program,
                                            CL_PROGRAM_BINARY_SIZES);
  // PoCL lists all devices of the context, but the sizes only of those that the program was built
  // for.
  const bool ours_alone = sizes.size() == 1;
  const auto index = ours_alone ? std::size_t{0} : place_among(devices, device);
  if (index >= sizes.size() || (!ours_alone && sizes.size() != devices.size())) return {};
  std::vector<Bytes> binaries;
  std::vector<unsigned char*> pointers;
  binaries.reserve(sizes.size());
  for (const std::size_t size : sizes) {
    binaries.emplace_back(size, '\0');
    pointers.push_back(reinterpret_cast<unsigned char*>(binaries.back().data()));
  }
  // Makes room for every device, because drivers differ in the count that they use.
  pointers.resize(std::max(sizes.size(), devices.size()));
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizes.size() * sizeof pointers[0],
                         pointers.data(), nullptr),
        "clGetProgramInfo");
  return std::move(binaries[index]);
}

bool are_built(const Target& target, const std::vector<KernelCode>& kernels,
               const DiskCache& disk) {
  return std::all_of(kernels.begin(), kernels.end(), [&](const KernelCode& kernel) {
    return BinaryCache::instance().find(cache_key(target, kernel), disk) != nullptr;
  });
}

namespace {

// Two precisions of the two sorts of generic kernels, and of nonuniform transforms; two
// contexts.
constexpr std::size_t kMostHeld = 20;

struct HeldPrograms {
  std::mutex mutex;
  std::deque<ProgramPointer> programs;  ///< oldest first
};

// Never destroyed: drivers may be unloaded before objects with static storage are destroyed.
HeldPrograms& held() {
  static auto* const all = new HeldPrograms;
  return *all;
}

}  // namespace

void hold(ProgramPointer program) {
  ProgramPointer dropped;  // destroyed after the lock
  const std::lock_guard lock(held().mutex);
  auto& programs = held().programs;
  if (std::find(programs.begin(), programs.end(), program) != programs.end()) return;
  programs.push_back(std::move(program));
  if (programs.size() <= kMostHeld) return;
  dropped = std::move(programs.front());
  programs.pop_front();
}

void release_held() {
  std::deque<ProgramPointer> dropped;
  const std::lock_guard lock(held().mutex);
  dropped.swap(held().programs);
}

std::vector<ProgramPointer> build(const Target& target, const std::vector<KernelCode>& kernels,
                                  const DiskCache& disk) {
  const base::Stopwatch watch;
  base::Building building(kernels.size());
  std::vector<ProgramPointer> programs(kernels.size());
  std::vector<ProgramPointer> compiled(kernels.size());  // by this call
  std::vector<LiveKey> keys;
  std::vector<std::size_t> others;  // without a live program: these may take long
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    keys.emplace_back(target.context, target.device, cache_key(target, kernels[i]));
    programs[i] = live_programs().live(keys[i]);
    if (programs[i])
      base::Building::Kernel(building).is_built();
    else
      others.push_back(i);
  }
  base::side_by_side(others.size(), [&](std::size_t at) {
    const std::size_t i = others[at];
    base::Building::Kernel one(building);
    programs[i] = live_programs().get(keys[i], [&] {
      auto program = load_or_compile(target, kernels[i], std::get<2>(keys[i]), disk);
      if (program->made().compiled) compiled[i] = program;
      return program;
    });
    one.is_built();
  });
  std::erase(compiled, nullptr);
  log_compilations(compiled, kernels.size(), watch.seconds());
  return programs;
}

}  // namespace imago::runtime

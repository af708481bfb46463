// This file builds kernels, but compiles only if necessary. It looks for a live program of the
// context, then for a binary in memory or on disk, and then calls the compiler.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::runtime {

/// The way in which a program was made.
struct Made {
  bool compiled = false;  ///< true: built from source; false: from a binary
  /// Time of the driver: compiling, what it compiles at a first launch, and returning a binary.
  double seconds = 0;
};

/// A built program with one kernel, or several. Immutable, so threads may share it.
class LiveProgram {
 public:
  LiveProgram(Handle<cl_program> program, std::string name, Made made)
      : program_(std::move(program)), name_(std::move(name)), made_(made) {}
  const std::string& name() const { return name_; }
  Made made() const { return made_; }
  /// Returns a new kernel object, because each user sets its own arguments.
  Handle<cl_kernel> make_kernel() const { return make_kernel(name_); }
  Handle<cl_kernel> make_kernel(const std::string& entry) const;

 private:
  Handle<cl_program> program_;
  std::string name_;
  Made made_;
};

using ProgramPointer = std::shared_ptr<const LiveProgram>;

/// A kernel whose text is ready, or can be generated; if a binary is cached, none is generated.
struct KernelCode {
  std::string name;
  std::string options;  ///< for clBuildProgram
  /// The source. If it is empty, `generate` returns the source, and cache keys contain the
  /// generator's version instead, together with which the name identifies the source.
  std::string text = {};
  std::function<std::string()> generate = {};
  /// Launches the kernel once, on temporary memory; may be empty. PoCL compiles a kernel for a
  /// work-group size at its first launch, and a program's binary contains only what is compiled by
  /// then.
  std::function<void(cl_kernel)> rehearse = {};
  /// Name of a kernel if the program has several, whose name `name` then is.
  std::string entry = {};
  /// True if caches store its binary. False for kernels that run once, because PoCL compiles a
  /// kernel again to return its binary.
  bool kept = true;
};

/// Calls clBuildProgram with signals held and without warnings, which PoCL would print. The option
/// that disables warnings is not part of `options`, because cache keys contain `options`.
cl_int build_program(cl_program program, cl_device_id device, const std::string& options);

/// Returns the binary of a built program for clCreateProgramWithBinary; empty if the driver
/// provides none.
Bytes binary_of(cl_program program, cl_device_id device);

/// Returns a kernel of a built program.
Handle<cl_kernel> kernel_of(cl_program program, const std::string& name);

/// Returns true if build() would compile none of the kernels.
bool are_built(const Target& target, const std::vector<KernelCode>& kernels, const DiskCache& disk);

/// Keeps a program, and with it its context, until release_held(), or until many others were held
/// after it. For programs that many plans share, if no cache keeps their binaries.
void hold(ProgramPointer program);
void release_held();

/// Builds the kernels for the target, several at a time, and reports to the thread's BuildWatch.
/// Throws DeviceError with the kernel's name and the compiler's output, or the exception of the
/// watch.
std::vector<ProgramPointer> build(const Target& target, const std::vector<KernelCode>& kernels,
                                  const DiskCache& disk);

}  // namespace imago::runtime

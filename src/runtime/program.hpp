// This file builds kernels, as seldom as possible: a live program of the context, else a binary
// from memory or disk, else the compiler.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::runtime {

/// How a program was made.
struct Made {
  bool compiled = false;  ///< from its text; else from a binary
  double seconds = 0;     ///< of the driver: its compiler, and what it compiles at a first launch
};

/// A built program with one kernel. Immutable, so threads may share it.
class LiveProgram {
 public:
  LiveProgram(Handle<cl_program> program, std::string name, Made made)
      : program_(std::move(program)), name_(std::move(name)), made_(made) {}
  const std::string& name() const { return name_; }
  Made made() const { return made_; }
  /// A kernel object has arguments, so each user takes its own.
  Handle<cl_kernel> make_kernel() const;
  /// What clCreateProgramWithBinary takes; empty where the driver gives nothing.
  Bytes binary(cl_device_id device) const;

 private:
  Handle<cl_program> program_;
  std::string name_;
  Made made_;
};

using ProgramPointer = std::shared_ptr<const LiveProgram>;

/// A kernel that can be written, and need not be where it was compiled before.
struct KernelCode {
  std::string
      name;  ///< with the generator's version it decides the text, so it stands for it in keys
  std::string options;  ///< for clBuildProgram
  std::function<std::string()> generate;
  /// Launches the kernel once, on memory of its own; may be empty. PoCL compiles a kernel for its
  /// work-group when it is first launched, and puts into a program's binary what it has compiled by
  /// then.
  std::function<void(cl_kernel)> rehearse;
  /// Whether caches keep its binary; not of what runs once: PoCL compiles a kernel anew to give it.
  bool kept = true;
};

/// Calls clBuildProgram with signals held and without warnings, which PoCL would print. The option
/// for that is no part of `options`, since keys of caches are made of these.
cl_int build_program(cl_program program, cl_device_id device, const std::string& options);

/// Builds each kernel for the target, several at a time, and tells the thread's BuildWatch. Throws
/// DeviceError with the kernel's name and the compiler's output, and what the watch throws.
std::vector<ProgramPointer> build(const Target& target, const std::vector<KernelCode>& kernels,
                                  const DiskCache& disk);

}  // namespace imago::runtime

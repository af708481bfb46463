// This file defines the exceptions of imago: one base class and five types. The type shows who can
// fix the problem: the caller, or the owner of the device or of the profile. The library prints
// nothing; the message names the problem.
#pragma once

#include <stdexcept>
#include <string>

#include <imago/export.hpp>
#include <imago/standard_library.hpp>

namespace imago {

/// Base class of all exceptions of imago.
class IMAGO_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A mistake of the caller. The message names the field, its value and the allowed values.
class IMAGO_API InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A limit of imago or of the device. The message names an alternative.
class IMAGO_API Unsupported : public Error {
 public:
  using Error::Error;
};

/// A failure of the device: there is no device, an OpenCL call failed, or imago's self-test at the
/// first use of the device found wrong results. Every function and every member of a plan throws it
/// at once in a process that was forked after its parent had used a device; only destructors and
/// release_memory() do nothing there.
class IMAGO_API DeviceError : public Error {
 public:
  /// Makes an exception with the message `what` and the values of code(), kernel() and build_log().
  DeviceError(const std::string& what, int code, std::string kernel = {},
              std::string build_log = {});
  /// Returns the OpenCL error code, for example -5 (CL_OUT_OF_RESOURCES); 0 if there is none.
  int code() const noexcept { return code_; }
  /// Returns the name of the kernel that was built or launched; empty if there was none.
  const std::string& kernel() const noexcept { return kernel_; }
  /// Returns the compiler's output if a program failed to build; otherwise an empty string.
  const std::string& build_log() const noexcept { return build_log_; }

 private:
  int code_;
  std::string kernel_, build_log_;
};

/// A call that its caller stopped. The contents of the call's destination are undefined.
class IMAGO_API Stopped : public Error {
 public:
  using Error::Error;
};

/// An unusable profile (a file of tuned parameters). The message names the file, the place in it
/// and what was expected.
class IMAGO_API ProfileError : public Error {
 public:
  using Error::Error;
};

}  // namespace imago

// This file defines the exceptions of imago: one base class and five kinds, told apart by who has
// to act. The library prints nothing; the text says what was wrong, its value and what is allowed.
#pragma once

#include <stdexcept>
#include <string>

#include <imago/export.hpp>

namespace imago {

/// Base of everything that imago throws.
class IMAGO_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's mistake: the text names the field, its value and what is allowed.
class IMAGO_API InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A limit of imago or of the device: the text says what to do instead.
class IMAGO_API Unsupported : public Error {
 public:
  using Error::Error;
};

/// An OpenCL call failed, or the device computes wrong what imago tries at its first use.
class IMAGO_API DeviceError : public Error {
 public:
  /// The text, and what code(), kernel() and build_log() give.
  DeviceError(const std::string& what, int code, std::string kernel = {},
              std::string build_log = {});
  /// The OpenCL error code, for example -5 (CL_OUT_OF_RESOURCES); 0 where none was given.
  int code() const noexcept { return code_; }
  /// Name of the kernel that was built or launched; empty where none was.
  const std::string& kernel() const noexcept { return kernel_; }
  /// The compiler's output when a program failed to build; else empty.
  const std::string& build_log() const noexcept { return build_log_; }

 private:
  int code_;
  std::string kernel_, build_log_;
};

/// A call that its caller stopped: what it should have written is not defined.
class IMAGO_API Stopped : public Error {
 public:
  using Error::Error;
};

/// A profile cannot be used: the text names the file, the place in it and what was expected.
class IMAGO_API ProfileError : public Error {
 public:
  using Error::Error;
};

}  // namespace imago

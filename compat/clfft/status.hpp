// This file converts errors to clFFT's codes, so that no exception leaves the library. If IMAGO_LOG
// is set, the reason goes to stderr, because a code is not specific.
#pragma once

#include <clFFT.h>

#include <exception>
#include <functional>
#include <string>

#include "base/forked.hpp"

namespace imago::clfft {

/// An error that ends a call with this code.
class Refusal : public std::exception {
 public:
  Refusal(clfftStatus status, std::string reason) : status_(status), reason_(std::move(reason)) {}
  clfftStatus status() const noexcept { return status_; }
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  clfftStatus status_;
  std::string reason_;
};

/// Throws a Refusal if the condition is false.
inline void require(bool holds, clfftStatus status, const char* reason) {
  if (!holds) throw Refusal(status, reason);
}

/// Throws if the OpenCL code is an error.
void require_success(cl_int code, const char* call);

/// Returns the code of the current exception. `misuse` is the code for imago's InvalidArgument.
clfftStatus status_of_current(const char* entry, clfftStatus misuse) noexcept;

/// Runs the body of an entry point, but not in a process that was forked after the use of a device.
template <class Body>
clfftStatus guarded(const char* entry, const Body& body,
                    clfftStatus misuse = CLFFT_INVALID_ARG_VALUE) noexcept {
  try {
    base::check_driver();
    body();
    return CLFFT_SUCCESS;
  } catch (...) {
    return status_of_current(entry, misuse);
  }
}

/// Runs a part of a body in which InvalidArgument has another code.
void with_misuse(clfftStatus misuse, const std::function<void()>& part);

}  // namespace imago::clfft

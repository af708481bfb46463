// This file turns what goes wrong into clFFT's codes: no exception leaves the library. With
// IMAGO_LOG in the environment the reason goes to stderr, for a code says little.
#pragma once

#include <clFFT.h>

#include <exception>
#include <functional>
#include <string>

namespace imago::clfft {

/// A call ends with this code.
class Refusal : public std::exception {
 public:
  Refusal(clfftStatus status, std::string reason) : status_(status), reason_(std::move(reason)) {}
  clfftStatus status() const noexcept { return status_; }
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  clfftStatus status_;
  std::string reason_;
};

/// Throws the refusal where it does not hold.
inline void require(bool holds, clfftStatus status, const char* reason) {
  if (!holds) throw Refusal(status, reason);
}

/// Throws for a code of OpenCL that is an error.
void require_success(cl_int code, const char* call);

/// Returns the code of the exception that is being handled. `misuse` is that of what imago calls an
/// invalid argument.
clfftStatus status_of_current(const char* entry, clfftStatus misuse) noexcept;

/// Runs the body of an entry point.
template <class Body>
clfftStatus guarded(const char* entry, const Body& body,
                    clfftStatus misuse = CLFFT_INVALID_ARG_VALUE) noexcept {
  try {
    body();
    return CLFFT_SUCCESS;
  } catch (...) {
    return status_of_current(entry, misuse);
  }
}

/// Runs a part of a body in which an invalid argument has another code.
void with_misuse(clfftStatus misuse, const std::function<void()>& part);

}  // namespace imago::clfft

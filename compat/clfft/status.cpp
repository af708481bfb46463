// This file converts exceptions to clFFT's codes.
#include "status.hpp"

#include <cstdio>
#include <cstdlib>
#include <imago/error.hpp>
#include <new>

namespace imago::clfft {
namespace {

void say(const char* entry, const char* reason) {
  if (std::getenv("IMAGO_LOG")) std::fprintf(stderr, "imago: %s: %s\n", entry, reason);
}

}  // namespace

void require_success(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw Refusal(static_cast<clfftStatus>(code),
                  std::string(call) + " failed: " + std::to_string(code));
}

void with_misuse(clfftStatus misuse, const std::function<void()>& part) {
  try {
    part();
  } catch (const InvalidArgument& error) {
    throw Refusal(misuse, error.what());
  }
}

clfftStatus status_of_current(const char* entry, clfftStatus misuse) noexcept {
  const auto ended = [entry](const char* reason, clfftStatus status) {
    say(entry, reason);
    return status;
  };
  try {
    throw;
  } catch (const Refusal& refusal) {
    return ended(refusal.what(), refusal.status());
  } catch (const InvalidArgument& error) {
    return ended(error.what(), misuse);
  } catch (const Unsupported& error) {
    return ended(error.what(), CLFFT_NOTIMPLEMENTED);
  } catch (const DeviceError& error) {
    return ended(error.what(), error.code() < 0 ? static_cast<clfftStatus>(error.code())
                                                : CLFFT_DEVICE_NOT_AVAILABLE);
  } catch (const Error& error) {
    return ended(error.what(), CLFFT_INVALID_OPERATION);
  } catch (const std::bad_alloc& error) {
    return ended(error.what(), CLFFT_OUT_OF_HOST_MEMORY);
  } catch (const std::exception& error) {
    return ended(error.what(), CLFFT_BUGCHECK);
  } catch (...) {
    return ended("an unknown exception", CLFFT_BUGCHECK);
  }
}

}  // namespace imago::clfft
